//! Characters of a block: where white space collapses, what a word is, how lines wrap.
//!
//! This code reads every character of every page, so tables classify bytes, and Unicode properties are looked up only for rare
//! scripts.

use std::ops::Range;
use std::sync::OnceLock;

/// A part of a text that has no white space but single spaces inside.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Run {
    /// Offset of its end.
    pub(crate) end: usize,
    pub(crate) chars: u32,
    /// How many of them are spaces.
    pub(crate) spaces: u32,
    /// Whether U+0000 is among them.
    pub(crate) nul: bool,
}

/// A byte of a character that is no white space.
const PLAIN: u8 = 0;
const WHITE: u8 = 1;
/// The first byte of non-ASCII characters of which some are white space.
const MAYBE_WHITE: u8 = 2;
const NUL: u8 = 3;

static BYTES: [u8; 256] = {
    let mut all = [PLAIN; 256];
    all[0] = NUL;
    let mut i = 0x09;
    while i <= 0x0D {
        all[i] = WHITE;
        i += 1;
    }
    all[0x20] = WHITE;
    // U+0085 and U+00A0; U+1680; U+2000 to U+205F; U+3000.
    all[0xC2] = MAYBE_WHITE;
    all[0xE1] = MAYBE_WHITE;
    all[0xE2] = MAYBE_WHITE;
    all[0xE3] = MAYBE_WHITE;
    all
};

/// Length in bytes of the white space character at `at`; 0 if there is none.
fn white_space_len(text: &str, at: usize) -> usize {
    match text.as_bytes().get(at).map(|byte| BYTES[usize::from(*byte)]) {
        Some(WHITE) => 1,
        Some(MAYBE_WHITE) => {
            let c = text.get(at..).and_then(|rest| rest.chars().next());
            c.filter(|c| c.is_whitespace()).map_or(0, char::len_utf8)
        }
        _ => 0,
    }
}

/// A text with white space collapsed: none at the ends, one space between words.
pub(crate) fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Bytes of a vector step: the compiler turns loops over that many bytes into vector instructions.
const STEP: usize = 16;

/// Offset of the first character from `at` on that is no white space.
pub(crate) fn skip_white(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    // Offset from which the vector step is tried next: indented markup has long runs of spaces.
    let mut next_try = at + 2;
    while let Some(&byte) = bytes.get(at) {
        at += match BYTES[usize::from(byte)] {
            WHITE => 1,
            MAYBE_WHITE => match white_space_len(text, at) {
                0 => break,
                n => n,
            },
            _ => break,
        };
        if at < next_try {
            continue;
        }
        while let Some(step) = bytes.get(at..at + STEP)
            && step.iter().fold(true, |all, byte| {
                all & (*byte == b' ' || byte.wrapping_sub(9) < 5)
            })
        {
            at += STEP;
        }
        next_try = at + STEP;
    }
    at
}

/// Numbers of characters and of spaces in the first [`STEP`] bytes; `None` if these hold a control character, may hold non-ASCII white
/// space, or hold a space before white space. The byte after them tells the last.
fn plain_step(bytes: &[u8]) -> Option<(u32, u32)> {
    let step = bytes.first_chunk::<{ STEP + 1 }>()?;
    let maybe_white = |byte: u8| (byte == 0xC2) | (byte.wrapping_sub(0xE1) < 3);
    let (mut fits, mut chars, mut spaces) = (!maybe_white(step[STEP]), 0_u8, 0_u8);
    for i in 0..STEP {
        let (byte, next) = (step[i], step[i + 1]);
        let space = byte == b' ';
        fits &= (byte >= 0x20) & !maybe_white(byte) & !(space & (next <= 0x20));
        // Bytes that continue a character are 0x80 to 0xBF.
        chars += u8::from(byte & 0xC0 != 0x80);
        spaces += u8::from(space);
    }
    fits.then_some((u32::from(chars), u32::from(spaces)))
}

/// As [`plain_step`], for the bytes that are left of a text, at most [`STEP`]: most texts are short. The step is filled up with letters,
/// which cannot hide white space at the end if the last byte is none.
fn last_step(bytes: &[u8]) -> Option<(u32, u32)> {
    const FILLER: u8 = b'x';
    let last = *bytes.last().filter(|_| bytes.len() <= STEP)?;
    if last == b' ' {
        return None;
    }
    let mut step = [FILLER; STEP + 1];
    step[..bytes.len()].copy_from_slice(bytes);
    let (chars, spaces) = plain_step(&step)?;
    Some((chars - (STEP - bytes.len()) as u32, spaces))
}

/// The longest run from `start` on, which must be the start of a character; empty before white space.
pub(crate) fn run(text: &str, start: usize) -> Run {
    let bytes = text.as_bytes();
    let mut run = Run {
        end: start,
        ..Run::default()
    };
    if white_space_len(text, start) > 0 {
        return run;
    }
    // Offset from which the vector step is tried next.
    let mut next_try = start;
    while let Some(&byte) = bytes.get(run.end) {
        if run.end >= next_try {
            if let Some((chars, spaces)) = plain_step(&bytes[run.end..]) {
                run.chars += chars;
                run.spaces += spaces;
                run.end += STEP;
                continue;
            }
            if let Some((chars, spaces)) = last_step(&bytes[run.end..]) {
                run.chars += chars;
                run.spaces += spaces;
                run.end = bytes.len();
                break;
            }
            next_try = run.end + STEP;
        }
        match BYTES[usize::from(byte)] {
            PLAIN => {
                // Bytes that continue a character are 0x80 to 0xBF.
                run.chars += u32::from(byte & 0xC0 != 0x80);
                run.end += 1;
            }
            WHITE => {
                let next = run.end + 1;
                if byte != b' ' || next == bytes.len() || white_space_len(text, next) > 0 {
                    break;
                }
                run.chars += 1;
                run.spaces += 1;
                run.end = next;
            }
            MAYBE_WHITE => {
                if white_space_len(text, run.end) > 0 {
                    break;
                }
                // The other bytes of the character are `PLAIN`.
                run.chars += 1;
                run.end += 1;
            }
            _ => {
                run.nul = true;
                run.chars += 1;
                run.end += 1;
            }
        }
    }
    run
}

/// Counts of a block's words.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Words {
    pub(super) words: u32,
    pub(super) linked: u32,
    pub(super) lines: u32,
    pub(super) in_lines: u32,
}

/// May be a part of a word.
const WORD_BYTE: u8 = 1;
/// Is a letter or a digit: a word needs at least one.
const LETTER: u8 = 2;
/// The first byte of characters of two bytes, or three, that are all letters.
const TWO_BYTE_LETTER: u8 = 4;
const THREE_BYTE_LETTER: u8 = 8;
/// The first byte of another non-ASCII character.
const OTHER: u8 = 16;

/// Classes of characters by their first bytes.
static CLASSES: [u8; 256] = {
    let mut all = [OTHER; 256];
    let mut i = 0;
    while i < 128 {
        let byte = i as u8;
        all[i] = match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => WORD_BYTE | LETTER,
            b'_' | b'"' | b'\'' | b'.' | b',' | b'!' | b'@' | b'-' | b':' | b';' | b'$' | b'?' | b'('
            | b')' | b'/' => WORD_BYTE,
            _ => 0,
        };
        i += 1;
    }
    // U+0400 to U+047F; U+5000 to U+8FFF.
    all[0xD0] = TWO_BYTE_LETTER;
    all[0xD1] = TWO_BYTE_LETTER;
    let mut i = 0xE5;
    while i <= 0xE8 {
        all[i] = THREE_BYTE_LETTER;
        i += 1;
    }
    all
};

/// Characters of one part of Unicode: 256 of them, one bit each.
type Alphanumeric = [u64; 4];

/// As `char::is_alphanumeric`, from tables for the parts of the first two planes of Unicode: the search in the standard library takes
/// ten times as long. A part is filled at its first character, since few pages hold more than three of them.
pub(crate) fn is_alphanumeric(c: char) -> bool {
    static PARTS: [OnceLock<Alphanumeric>; 512] = [const { OnceLock::new() }; 512];
    let code = u32::from(c);
    let Some(part) = PARTS.get((code >> 8) as usize) else {
        return c.is_alphanumeric();
    };
    let bits = part.get_or_init(|| alphanumeric(code >> 8));
    bits[(code >> 6 & 3) as usize] >> (code & 63) & 1 == 1
}

/// Fills the table of one part.
#[cold]
fn alphanumeric(part: u32) -> Alphanumeric {
    let mut bits = [0; 4];
    for low in 0..256 {
        let found = char::from_u32(part << 8 | low).is_some_and(char::is_alphanumeric);
        bits[(low >> 6) as usize] |= u64::from(found) << (low & 63);
    }
    bits
}

/// Whether a non-ASCII character is a letter, a digit or a combining mark.
fn is_letter(c: char) -> bool {
    is_alphanumeric(c) || is_mark(c)
}

/// Combining marks that occur inside words of European, Semitic and Indic scripts.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}' | '\u{0591}'..='\u{05C7}' | '\u{064B}'..='\u{065F}' | '\u{0900}'..='\u{0DFF}')
}

/// A word, or a character that belongs to no word.
struct Piece {
    /// Offset of its end.
    end: usize,
    chars: usize,
    is_word: bool,
}

fn piece(text: &str, start: usize) -> Piece {
    let bytes = text.as_bytes();
    // Classes of its characters, and number of continuation bytes.
    let (mut end, mut classes, mut continuation_bytes) = (start, 0_u8, 0);
    while let Some(&byte) = bytes.get(end) {
        let class = CLASSES[usize::from(byte)];
        // One of the two ASCII classes.
        if class.wrapping_sub(1) < 3 {
            classes |= class;
            end += 1;
            continue;
        }
        match class {
            TWO_BYTE_LETTER => {
                end += 2;
                continuation_bytes += 1;
            }
            THREE_BYTE_LETTER => {
                end += 3;
                continuation_bytes += 2;
            }
            OTHER => {
                let c = text[end..].chars().next().unwrap_or_default();
                if !is_letter(c) {
                    break;
                }
                end += c.len_utf8();
                continuation_bytes += c.len_utf8() - 1;
            }
            _ => break,
        }
        classes |= LETTER;
    }
    if end == start {
        let c = text[end..].chars().next().unwrap_or_default();
        end += c.len_utf8();
    }
    Piece {
        end,
        chars: end - start - continuation_bytes,
        is_word: classes & LETTER != 0,
    }
}

/// Counts words, those that begin inside one of `links` (ranges shifted by `offset`), and wraps them at 80 columns.
pub(super) fn count_words(text: &str, offset: usize, links: &[Range<usize>]) -> Words {
    let mut out = Words::default();
    let (mut column, mut on_line) = (-1_i64, 0_u32);
    let mut links = links.iter().peekable();
    let mut at = 0;
    while let Some(&byte) = text.as_bytes().get(at) {
        if CLASSES[usize::from(byte)] == 0 {
            at += 1;
            continue;
        }
        let word = piece(text, at);
        if word.is_word {
            let start = offset + at;
            while links.next_if(|l| l.end <= start).is_some() {}
            out.words += 1;
            out.linked += u32::from(links.peek().is_some_and(|l| l.start <= start));
            on_line += 1;
            let len = word.chars as i64;
            column += len + 1;
            if column > 80 {
                out.lines += 1;
                column = len;
                on_line = 1;
            }
        }
        at = word.end;
    }
    if out.lines == 0 {
        (out.in_lines, out.lines) = (out.words, 1);
    } else {
        out.in_lines = out.words - on_line;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_say_what_unicode_says() {
        for c in ('\0'..=char::MAX).filter(|c| !c.is_ascii()) {
            assert_eq!(is_alphanumeric(c), c.is_alphanumeric(), "{c:?}");
            assert_eq!(is_letter(c), c.is_alphanumeric() || is_mark(c), "{c:?}");
            let text = c.to_string();
            let found = piece(&text, 0);
            let want = (text.len(), is_letter(c), 1);
            assert_eq!(
                (
                    found.end,
                    found.is_word,
                    if is_letter(c) { found.chars } else { 1 }
                ),
                want,
                "{c:?}"
            );
        }
        for c in '\0'..=char::MAX {
            let text = c.to_string();
            assert_eq!(white_space_len(&text, 0) > 0, c.is_whitespace(), "{c:?}");
            let found = run(&text, 0);
            if c.is_whitespace() {
                assert_eq!((found.end, found.chars, skip_white(&text, 0)), (0, 0, text.len()));
            } else {
                assert_eq!((found.end, found.chars, skip_white(&text, 0)), (text.len(), 1, 0));
            }
        }
    }

    #[test]
    fn runs_hold_single_spaces() {
        let found = |text: &str| {
            let run = run(text, 0);
            (text[..run.end].to_owned(), run.chars, run.spaces, run.nul)
        };
        assert_eq!(found("a bc  d"), ("a bc".to_owned(), 4, 1, false));
        assert_eq!(found("é \u{3000}x"), ("é".to_owned(), 1, 0, false));
        assert_eq!(found("я「 」\nx"), ("я「 」".to_owned(), 4, 1, false));
        assert_eq!(found("a\0 "), ("a\0".to_owned(), 2, 0, true));
        let long = "Rivers run to the sea, as far as they can. ".repeat(3);
        assert_eq!(found(&long), (long.trim_end().to_owned(), 128, 29, false));
        assert_eq!(found(&long.replace("sea,", "sea, ")).1, 22);
        assert_eq!(found(&long.replace(", as", " – as")).1, 128 + 3);
        for text in [
            "Реки текут к морю, ",
            "河流向大海流去，",
            "河流、大海 και άλλα é ½ ",
            "a\u{1}b – ",
            "x\u{85}y",
            "Å\u{A0}",
        ] {
            let text = text.repeat(9) + "x";
            for start in text.char_indices().map(|(i, _)| i) {
                let white_space_len = |c: char| c.is_whitespace();
                let rest = &text[start..];
                let end = rest
                    .char_indices()
                    .find(|&(i, c)| {
                        white_space_len(c)
                            && (c != ' ' || i == 0 || rest[i + 1..].starts_with(white_space_len))
                    })
                    .map_or(rest.len(), |(i, _)| i);
                let run = run(&text, start);
                let want = &rest[..end];
                let found = (run.end - start, run.chars as usize, run.spaces as usize);
                assert_eq!(
                    found,
                    (end, want.chars().count(), want.matches(' ').count()),
                    "{rest:?}"
                );
            }
        }
        assert_eq!(skip_white(&" ".repeat(100), 3), 100);
        assert_eq!(skip_white(&(" ".repeat(70) + "\u{3000}\t x"), 0), 75);
        assert_eq!(found(" a"), (String::new(), 0, 0, false));
        assert_eq!(found("a\u{A0}b"), ("a".to_owned(), 1, 0, false));
        assert_eq!(skip_white("a\u{2003} \u{A0}\r\nb", 1), 9);
    }
}
