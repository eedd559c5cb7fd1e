//! Counts of a text: tokens, commas, digits and the like.

use crate::analysis::blocks::words::is_alphanumeric;
use crate::analysis::key_numbers::key_of;

/// Tokens of a text: words, and each character of scripts without spaces.
pub(crate) fn tokens(text: &str) -> u32 {
    Counts::of(text).tokens
}

/// Counts of a text, and its hash.
pub(crate) struct Counts {
    pub(crate) tokens: u32,
    pub(crate) commas: u32,
    pub(crate) digits: u32,
    pub(crate) capitals: u32,
    pub(crate) money: bool,
    pub(crate) ends: bool,
    pub(crate) hash: u64,
}

impl Counts {
    pub(crate) fn of(text: &str) -> Self {
        let mut out = Counts {
            tokens: 0,
            commas: 0,
            digits: 0,
            capitals: 0,
            money: false,
            ends: false,
            hash: 0,
        };
        out.hash = key_of(text.as_bytes(), 0);
        let bytes = text.as_bytes();
        let (mut at, mut in_word) = (0, false);
        // Offset from which the vector step is tried next.
        let mut next_try = 0;
        while let Some(&byte) = bytes.get(at) {
            if at >= next_try && byte.is_ascii() {
                next_try = at + STEP;
                let Some(found) = step(&window(bytes, at)) else {
                    continue;
                };
                out.tokens += u32::from(found.tokens);
                out.capitals += u32::from(found.capitals);
                out.digits += u32::from(found.digits);
                out.commas += u32::from(found.commas);
                out.money |= found.money;
                at = next_try.min(bytes.len());
                in_word = bytes[at - 1].is_ascii_alphanumeric();
                continue;
            }
            if let Some(&class) = ASCII.get(usize::from(byte)) {
                at += 1;
                let letter = class & LETTER != 0;
                let begins = letter & !in_word;
                out.tokens += u32::from(begins);
                out.capitals += u32::from(begins & (class & UPPER != 0));
                out.digits += u32::from(class & DIGIT != 0);
                out.commas += u32::from(byte == b',');
                out.money |= byte == b'$';
                in_word = letter;
                continue;
            }
            match byte {
                // U+5000 to U+8FFF.
                0xE5..=0xE8 => {
                    out.tokens += 1;
                    in_word = false;
                    at += 3;
                    continue;
                }
                // U+0400 to U+045F.
                0xD0 | 0xD1 if byte == 0xD0 || matches!(bytes.get(at + 1), Some(0x80..=0x9F)) => {
                    if !in_word {
                        let upper = byte == 0xD0 && matches!(bytes.get(at + 1), Some(0x80..=0xAF));
                        out.tokens += 1;
                        out.capitals += u32::from(upper);
                        in_word = true;
                    }
                    at += 2;
                    continue;
                }
                // U+2000 to U+203F: marks and spaces.
                0xE2 if bytes.get(at + 1) == Some(&0x80) => {
                    in_word = false;
                    at += 3;
                    continue;
                }
                _ => {}
            }
            let c = text[at..].chars().next().unwrap_or_default();
            at += c.len_utf8();
            if is_unspaced(c) {
                out.tokens += 1;
                in_word = false;
            } else {
                let letter = is_alphanumeric(c);
                out.commas += u32::from(matches!(c, '，' | '、' | '،'));
                out.money |= matches!(c, '€' | '£' | '¥' | '￥' | '₽' | '₴' | '₹' | '₩');
                if letter && !in_word {
                    out.tokens += 1;
                    out.capitals += u32::from(c.is_uppercase());
                }
                in_word = letter;
            }
        }
        let last = text
            .trim_end_matches(['"', '\'', '»', '”', '’', ')', ']', '」', '』', ' '])
            .chars()
            .next_back();
        out.ends =
            last.is_some_and(|c| matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | ':' | ';' | '；'));
        out
    }
}

/// Bytes of a vector step: the compiler turns loops over that many bytes into vector instructions.
const STEP: usize = 16;

/// Counts of one vector step.
#[derive(Default)]
struct Step {
    tokens: u8,
    capitals: u8,
    digits: u8,
    commas: u8,
    money: bool,
}

/// The byte before `at`, which tells whether a word continues, and the [`STEP`] bytes from there on; 0 before and after the text. Most texts
/// are short, so that the rest after whole steps is worth a vector step, too.
#[inline]
fn window(bytes: &[u8], at: usize) -> [u8; STEP + 1] {
    if let Some(whole) = at.checked_sub(1).and_then(|before| bytes[before..].first_chunk()) {
        return *whole;
    }
    let mut window = [0; STEP + 1];
    let first = usize::from(at == 0);
    let there = &bytes[at - (1 - first)..];
    let end = there.len().min(window.len() - first);
    window[first..first + end].copy_from_slice(&there[..end]);
    window
}

/// Counts of the [`STEP`] bytes after the first one; `None` unless all of them are ASCII.
fn step(bytes: &[u8; STEP + 1]) -> Option<Step> {
    let digit = |byte: u8| byte.wrapping_sub(b'0') < 10;
    let letter = |byte: u8| (byte | 0x20).wrapping_sub(b'a') < 26;
    let (mut out, mut any) = (Step::default(), 0);
    for i in 0..STEP {
        let (before, byte) = (bytes[i], bytes[i + 1]);
        any |= before | byte;
        let begins = (letter(byte) | digit(byte)) & !(letter(before) | digit(before));
        out.tokens += u8::from(begins);
        out.capitals += u8::from(begins & (byte.wrapping_sub(b'A') < 26));
        out.digits += u8::from(digit(byte));
        out.commas += u8::from(byte == b',');
        out.money |= byte == b'$';
    }
    any.is_ascii().then_some(out)
}

const LETTER: u8 = 1;
const UPPER: u8 = 2;
const DIGIT: u8 = 4;

static ASCII: [u8; 128] = {
    let mut all = [0; 128];
    let mut i = 0;
    while i < 128 {
        let byte = i as u8;
        all[i] = match byte {
            b'A'..=b'Z' => LETTER | UPPER,
            b'a'..=b'z' => LETTER,
            b'0'..=b'9' => LETTER | DIGIT,
            _ => 0,
        };
        i += 1;
    }
    all
};

/// Whether a character belongs to a script without spaces between words.
fn is_unspaced(c: char) -> bool {
    c >= '\u{0E00}'
        && matches!(c,
        '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_counted() {
        let counts = Counts::of("In 2024 the river Ouse, 12 km long, cost 5 $ – Это 中文 text.");
        let found = (counts.tokens, counts.commas, counts.digits, counts.capitals);
        assert_eq!((found, counts.money, counts.ends), ((14, 2, 7, 3), true, true));
        let long = "In 2024 the River Ouse, 12 km long, cost $5, and so did Mr Smith's B52. "
            .repeat(3)
            .replace("Ouse", "Ouse – Это 中文,");
        let (whole, mut parts) = (Counts::of(&long), [0; 4]);
        for word in long.split_inclusive(' ') {
            let counts = Counts::of(word);
            let found = [counts.tokens, counts.commas, counts.digits, counts.capitals];
            parts = std::array::from_fn(|i| parts[i] + found[i]);
        }
        assert_eq!([whole.tokens, whole.commas, whole.digits, whole.capitals], parts);
        assert!(whole.money);
        for c in '\u{80}'..=char::MAX {
            let counts = Counts::of(&format!("{c}{c}"));
            let letter = c.is_alphanumeric() && !is_unspaced(c);
            let tokens = if is_unspaced(c) { 2 } else { u32::from(letter) };
            assert_eq!(counts.tokens, tokens, "{c:?}");
            assert_eq!(counts.capitals, u32::from(letter && c.is_uppercase()), "{c:?}");
        }
    }

    #[test]
    fn tokens_are_words_or_characters() {
        for (text, expected) in [
            ("", 0),
            ("The river, 3 km long", 5),
            ("川が長い", 4),
            ("— · —", 0),
            ("a川b c", 4),
            ("naïve café 12a", 3),
        ] {
            assert_eq!(tokens(text), expected, "{text}");
        }
    }
}
