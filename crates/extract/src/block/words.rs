//! Characters of a block: where white space collapses, what a word is, how lines wrap.
//!
//! Every character of the main text of every page comes through here, so bytes are sorted by tables, and the properties of
//! Unicode are looked up only outside of the scripts that most pages are written in.

use std::ops::Range;

/// A piece of a text without white space but for single spaces inside.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Run {
    /// Offset of its end.
    pub(super) end: usize,
    pub(super) chars: u32,
    /// How many of them are spaces.
    pub(super) spaces: u32,
    /// Whether U+0000 is among them.
    pub(super) nul: bool,
}

/// A byte inside a character, or a character that is no white space.
const PLAIN: u8 = 0;
const WHITE: u8 = 1;
/// The first byte of a character that may be white space past ASCII.
const MAYBE: u8 = 2;
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
    all[0xC2] = MAYBE;
    all[0xE1] = MAYBE;
    all[0xE2] = MAYBE;
    all[0xE3] = MAYBE;
    all
};

/// Length in bytes of the white space character at `at`; 0 if there is none.
fn white(text: &str, at: usize) -> usize {
    match text.as_bytes().get(at).map(|byte| BYTES[usize::from(*byte)]) {
        Some(WHITE) => 1,
        Some(MAYBE) => {
            let c = text.get(at..).and_then(|rest| rest.chars().next());
            c.filter(|c| c.is_whitespace()).map_or(0, char::len_utf8)
        }
        _ => 0,
    }
}

/// Bytes that are looked at together, which compilers turn into a few vector instructions.
const STEP: usize = 16;

/// Offset of the first character from `at` on that is no white space.
pub(super) fn skip_white(text: &str, mut at: usize) -> usize {
    loop {
        match white(text, at) {
            0 => return at,
            n => at += n,
        }
        // Indented markup: long rows of spaces.
        while let Some(step) = text.as_bytes().get(at..at + STEP)
            && step.iter().fold(true, |all, byte| {
                all & (*byte == b' ' || byte.wrapping_sub(9) < 5)
            })
        {
            at += STEP;
        }
    }
}

/// Spaces in the first [`STEP`] bytes, if those are printable ASCII characters and each space stands alone: the byte past them
/// tells that of the last one.
fn spaces(bytes: &[u8]) -> Option<u32> {
    let step = bytes.first_chunk::<{ STEP + 1 }>()?;
    let (mut fits, mut spaces) = (true, 0_u8);
    for i in 0..STEP {
        // Bytes past ASCII are negative.
        let (byte, next) = (step[i] as i8, step[i + 1] as i8);
        let space = byte == 0x20;
        fits &= (byte >= 0x20) & !(space & (next <= 0x20));
        spaces += u8::from(space);
    }
    fits.then_some(u32::from(spaces))
}

/// The longest run from `start` on, where a character begins; empty before white space.
pub(super) fn run(text: &str, start: usize) -> Run {
    let bytes = text.as_bytes();
    let mut run = Run {
        end: start,
        ..Run::default()
    };
    if white(text, start) > 0 {
        return run;
    }
    // Where many bytes at a time are tried next.
    let mut next_try = start;
    while let Some(&byte) = bytes.get(run.end) {
        if run.end >= next_try {
            if let Some(spaces) = spaces(&bytes[run.end..]) {
                run.chars += STEP as u32;
                run.spaces += spaces;
                run.end += STEP;
                continue;
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
                if byte != b' ' || next == bytes.len() || white(text, next) > 0 {
                    break;
                }
                run.chars += 1;
                run.spaces += 1;
                run.end = next;
            }
            MAYBE => {
                if white(text, run.end) > 0 {
                    break;
                }
                // Its other bytes are plain.
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

/// Figures of a block's words.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Words {
    pub(super) words: u32,
    pub(super) linked: u32,
    pub(super) lines: u32,
    pub(super) in_lines: u32,
}

/// Belongs to a word.
const JOINS: u8 = 1;
/// Makes a word of what it stands in.
const LETTER: u8 = 2;

static ASCII: [u8; 128] = {
    let mut all = [0; 128];
    let mut i = 0;
    while i < 128 {
        let byte = i as u8;
        if byte.is_ascii_alphanumeric() {
            all[i] = JOINS | LETTER;
        } else if matches!(
            byte,
            b'_' | b'"'
                | b'\''
                | b'.'
                | b','
                | b'!'
                | b'@'
                | b'-'
                | b':'
                | b';'
                | b'$'
                | b'?'
                | b'('
                | b')'
                | b'/'
        ) {
            all[i] = JOINS;
        }
        i += 1;
    }
    all
};

/// Whether a character past ASCII is a letter, a digit or a mark on one.
fn is_letter(c: char) -> bool {
    match c {
        // Ranges of one answer each.
        '\u{80}'..='\u{BF}' => matches!(c, 'ª' | '²' | '³' | 'µ' | '¹' | 'º' | '¼'..='¾'),
        '\u{C0}'..='\u{24F}' => c != '\u{D7}' && c != '\u{F7}',
        '\u{388}'..='\u{38A}'
        | '\u{38E}'..='\u{3A1}'
        | '\u{3A3}'..='\u{3F5}'
        | '\u{400}'..='\u{481}'
        | '\u{48A}'..='\u{52F}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30A1}'..='\u{30FA}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}' => true,
        '\u{2010}'..='\u{205E}' | '\u{3001}'..='\u{3004}' | '\u{FF01}'..='\u{FF0F}' => false,
        _ => c.is_alphanumeric() || is_mark(c),
    }
}

/// Combining marks that occur inside words of European, Semitic and Indic scripts.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}' | '\u{0591}'..='\u{05C7}' | '\u{064B}'..='\u{065F}' | '\u{0900}'..='\u{0DFF}')
}

/// Counts words, those that begin inside one of `links` (ranges shifted by `offset`), and wraps them at 80 columns.
pub(super) fn count_words(text: &str, offset: usize, links: &[Range<usize>]) -> Words {
    let mut out = Words::default();
    let (mut column, mut on_line) = (-1_i64, 0_u32);
    let mut links = links.iter().peekable();
    // Where the word began, its characters, and what is in it.
    let (mut start, mut len, mut within) = (0, 0_i64, 0_u8);
    let mut end_word = |start: usize, len: i64| {
        let start = offset + start;
        while links.next_if(|l| l.end <= start).is_some() {}
        out.words += 1;
        out.linked += u32::from(links.peek().is_some_and(|l| l.start <= start));
        on_line += 1;
        column += len + 1;
        if column > 80 {
            out.lines += 1;
            column = len;
            on_line = 1;
        }
    };
    let bytes = text.as_bytes();
    let mut next = 0;
    while let Some(&byte) = bytes.get(next) {
        let i = next;
        let class = if let Some(&class) = ASCII.get(usize::from(byte)) {
            next += 1;
            class
        } else {
            let c = text[i..].chars().next().unwrap_or_default();
            next += c.len_utf8();
            if is_letter(c) { JOINS | LETTER } else { 0 }
        };
        if class != 0 {
            if len == 0 {
                start = i;
            }
            len += 1;
            within |= class;
        } else {
            if within & LETTER != 0 {
                end_word(start, len);
            }
            (len, within) = (0, 0);
        }
    }
    if within & LETTER != 0 {
        end_word(start, len);
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
            assert_eq!(is_letter(c), c.is_alphanumeric() || is_mark(c), "{c:?}");
        }
        for c in '\0'..=char::MAX {
            let text = c.to_string();
            assert_eq!(white(&text, 0) > 0, c.is_whitespace(), "{c:?}");
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
        assert_eq!(skip_white(&" ".repeat(100), 3), 100);
        assert_eq!(skip_white(&(" ".repeat(70) + "\u{3000}\t x"), 0), 75);
        assert_eq!(found(" a"), (String::new(), 0, 0, false));
        assert_eq!(found("a\u{A0}b"), ("a".to_owned(), 1, 0, false));
        assert_eq!(skip_white("a\u{2003} \u{A0}\r\nb", 1), 9);
    }
}
