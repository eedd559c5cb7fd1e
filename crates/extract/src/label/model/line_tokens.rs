//! Words of lines, as hashes.

use std::ops::Range;

use crate::analysis::blocks::words::is_alphanumeric;
use crate::analysis::word_lists::each_lower_case;

/// A run of letters and digits.
pub(crate) struct Word {
    /// Equal for words that differ in case only, and the same on every machine.
    pub(crate) hash: u64,
    /// Whether all of it is ASCII digits.
    pub(crate) number: bool,
    /// Its bytes in the text.
    at: Range<usize>,
}

/// Initial value of [`mix`].
const HASH_SEED: u64 = 0xCBF2_9CE4_8422_2325;

fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

/// Calls `visit` with each word of a text, until it returns false.
pub(crate) fn each_word(text: &str, mut visit: impl FnMut(Word) -> bool) {
    /// Letters have this bit in lower case, digits do not.
    const LETTER: u8 = 0x40;
    let bytes = text.as_bytes();
    let (mut hash, mut bits, mut start, mut at) = (HASH_SEED, 0, 0, 0);
    while let Some(&byte) = bytes.get(at) {
        let from = at;
        let lower = LOWER[usize::from(byte)];
        if lower > 0 {
            at += 1;
            bits |= lower;
            hash = mix(hash, u64::from(lower));
            continue;
        }
        if byte.is_ascii() {
            at += 1;
        } else {
            let c = text[at..].chars().next().unwrap_or_default();
            at += c.len_utf8();
            if is_alphanumeric(c) {
                bits |= LETTER;
                each_lower(c, |c| hash = mix(hash, u64::from(u32::from(c))));
                continue;
            }
        }
        if hash != HASH_SEED {
            let (at, number) = (start..from, bits & LETTER == 0);
            if !visit(Word { hash, number, at }) {
                return;
            }
            (hash, bits) = (HASH_SEED, 0);
        }
        start = at;
    }
    if hash != HASH_SEED {
        let (at, number) = (start..at, bits & LETTER == 0);
        visit(Word { hash, number, at });
    }
}

/// Calls `visit` with a character in lower case; a sigma at the end of a word becomes one in its middle.
fn each_lower(c: char, mut visit: impl FnMut(char)) {
    each_lower_case(c, |c| visit(if c == 'ς' { 'σ' } else { c }));
}

/// Letters and digits of ASCII, lower-cased; 0 for other bytes.
static LOWER: [u8; 256] = {
    let mut all = [0; 256];
    let mut i = 0;
    while i < 256 {
        let byte = i as u8;
        if byte.is_ascii_alphanumeric() {
            all[i] = byte.to_ascii_lowercase();
        }
        i += 1;
    }
    all
};

/// Largest number of different words that are read from a line.
const MAX_WORDS: usize = 24;

/// Largest number of words of a phrase.
const MAX_PHRASE_WORDS: usize = 6;

/// The words of a line: hashes of its first words, numbers left out, and of the whole line if it is short.
#[derive(Clone, Debug, Default)]
pub struct LineTokens {
    /// Different words, 24 at most.
    pub words: Vec<u64>,
    /// Hash of all words of a line of 1 to 8 words, in which all numbers are equal.
    pub phrase: Option<u64>,
}

impl LineTokens {
    /// Reads the texts of a line.
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> LineTokens {
        let mut tokens = LineTokens::default();
        tokens.read(texts);
        tokens
    }

    /// Reads the texts of another line, into the same memory.
    pub(crate) fn read<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) {
        let (words, mut phrase) = (&mut self.words, Phrase::default());
        words.clear();
        words.reserve(MAX_WORDS);
        each_word_of(texts, |word| {
            phrase.add(&word);
            if !word.number && words.len() < MAX_WORDS && !words.contains(&word.hash) {
                words.push(word.hash);
            }
            phrase.fits() || words.len() < MAX_WORDS
        });
        self.phrase = phrase.hash();
    }

    /// [`LineTokens::phrase`] alone, which stops as soon as the line is too long.
    pub(crate) fn phrase_of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<u64> {
        let mut phrase = Phrase::default();
        each_word_of(texts, |word| {
            phrase.add(&word);
            phrase.fits()
        });
        phrase.hash()
    }
}

/// Calls `visit` with each word at the start of a line, until it returns false.
fn each_word_of<'t>(texts: impl IntoIterator<Item = &'t str>, mut visit: impl FnMut(Word) -> bool) {
    let (mut continues, mut left) = (true, MAX_LINE_BYTES);
    for text in texts {
        let mut end = text.len().min(left);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        each_word(&text[..end], |word| {
            continues = visit(word);
            continues
        });
        // One byte for the space between two texts.
        left = left.saturating_sub(text.len() + 1);
        if left == 0 || !continues {
            break;
        }
    }
}

/// The words of a line as one hash, unless they are too many.
struct Phrase {
    words: usize,
    hash: u64,
}

impl Default for Phrase {
    fn default() -> Self {
        Phrase {
            words: 0,
            hash: PHRASE_SEED,
        }
    }
}

impl Phrase {
    fn add(&mut self, word: &Word) {
        self.words += 1;
        self.hash = mix(self.hash, if word.number { u64::MAX } else { word.hash });
    }

    fn fits(&self) -> bool {
        self.words <= MAX_PHRASE_WORDS
    }

    fn hash(&self) -> Option<u64> {
        (self.words > 0 && self.fits()).then_some(self.hash)
    }
}

/// Initial value of the hash of a phrase, so that a phrase of one word and the word have different hashes.
const PHRASE_SEED: u64 = 0x9AE1_6A3B_2F90_404F;

/// Bytes of a line that are read. A longer line is no phrase.
const MAX_LINE_BYTES: usize = 400;

/// The words of a text in lower case, with one space between; `0` for each number.
pub fn normalized_words(text: &str) -> String {
    let mut out = String::new();
    each_word(text, |word| {
        if !out.is_empty() {
            out.push(' ');
        }
        if word.number {
            out.push('0');
        } else {
            text[word.at].chars().for_each(|c| each_lower(c, |c| out.push(c)));
        }
        true
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_equal_in_any_case() {
        let words = |text: &str| {
            let mut out = Vec::new();
            each_word(text, |word| {
                out.push((word.hash, word.number));
                true
            });
            out
        };
        assert_eq!(words("Die 3 Flüsse – ΟΔΟΣ"), words("die, 3 FLÜSSE; οδος."));
        assert_eq!(words("a b").len(), 2);
        assert_ne!(words("ab"), words("ba"));
        assert!(words(" – ").is_empty());
        let numbers = words("In 2024 the B52 cost 5")
            .into_iter()
            .map(|(_, number)| number);
        assert_eq!(
            numbers.collect::<Vec<_>>(),
            [false, true, false, false, false, true]
        );
    }

    #[test]
    fn normalized_words_are_the_same_line() {
        for text in ["Die 3 Flüsse – ΟΔΟΣ", "12 Comments", "Read\u{A0}more…", "首页 2"] {
            let (once, twice) = (
                LineTokens::of([text]),
                LineTokens::of([normalized_words(text).as_str()]),
            );
            assert_eq!((once.words, once.phrase), (twice.words, twice.phrase), "{text}");
        }
        assert_eq!(normalized_words(" 3 Flüsse – ΟΔΟΣ, B52"), "0 flüsse οδοσ b52");
    }

    #[test]
    fn short_lines_are_phrases() {
        let phrase = |texts: &[&str]| LineTokens::of(texts.iter().copied()).phrase;
        assert_eq!(phrase(&["12 comments"]), phrase(&["3", "Comments"]));
        assert_ne!(
            phrase(&["comments"]),
            LineTokens::of(["comments"]).words.first().copied()
        );
        assert_eq!(phrase(&["–"]), None);
        assert_eq!(phrase(&["a b c d e f g h i"]), None);
        let long = "one word after another ".repeat(20);
        let tokens = LineTokens::of([long.as_str(), "and more"]);
        assert_eq!((tokens.words.len(), tokens.phrase), (4, None));
        let whole = LineTokens::of(["one word – ", "and more"].join(" ").as_str().split('\n'));
        let parts = LineTokens::of(["one word – ", "and more"]);
        assert_eq!((whole.words, whole.phrase), (parts.words, parts.phrase));
    }
}
