//! Words of lines, as hashes.

use std::ops::Range;

use crate::analysis::blocks::words::is_alphanumeric;
use crate::analysis::word_lists::each_lower_case;

/// A maximal run of letters and digits.
pub(crate) struct Word {
    /// Hash of the lower-cased word, equal on all platforms.
    pub(crate) hash: u64,
    /// Whether the word consists of ASCII digits alone.
    pub(crate) number: bool,
    /// Byte range in the text.
    at: Range<usize>,
}

/// Initial state for [`mix`].
const HASH_SEED: u64 = 0xCBF2_9CE4_8422_2325;

/// Mixes a value into a hash. The rotation brings the high bits of the product, which depend on all bits of
/// the value, to the low end.
fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

/// Calls `visit` with each word of a text, until `visit` returns false.
#[inline]
pub(crate) fn each_word(text: &str, mut visit: impl FnMut(Word) -> bool) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        // Most words are ASCII and end within eight bytes.
        let (word, next) = match short_word(bytes, at) {
            Some(found) => found,
            None => {
                let mut word = OpenWord::default();
                let (end, next) = long_word(text, at, &mut word);
                (word.close(end), next)
            }
        };
        at = next;
        if let Some(word) = word
            && !visit(word)
        {
            return;
        }
    }
}

/// Reads the word at an offset of a text, and returns it with the offset after the separators that follow it.
/// The word is `None` if a separator is at the offset. Returns `None` for text outside ASCII and for words
/// that do not end within one chunk of eight bytes; most words do.
#[inline]
fn short_word(bytes: &[u8], at: usize) -> Option<(Option<Word>, usize)> {
    if !bytes[at].is_ascii() {
        return None;
    }
    let chunk = Chunk::of(bytes, at);
    let run = chunk.run();
    let gap = chunk.gap_after(run);
    // Without a gap, the word fills the chunk, or a character outside ASCII follows that may continue it.
    (gap > 0).then(|| ((run > 0).then(|| chunk.word(at, run)), at + run + gap))
}

/// Reads a word of any length and script at an offset of a text into `out`. Returns the end of the word and
/// the offset after the separators that follow it.
///
/// `out` is a parameter because a returned `OpenWord` would be copied by vector loads, which stall on the narrower stores of its fields.
#[inline(never)]
fn long_word(text: &str, start: usize, out: &mut OpenWord) -> (usize, usize) {
    let bytes = text.as_bytes();
    let (mut word, mut at) = (OpenWord::default(), start);
    while let Some(byte) = bytes.get(at) {
        let mut end = at;
        if byte.is_ascii() {
            let chunk = Chunk::of(bytes, at);
            let run = chunk.run();
            if run > 0 && word.pending_len > 0 {
                // `add_run` needs an empty buffer. Only U+212A (the Kelvin sign, in lower case `k`) leaves a
                // byte pending here, so the slow way is rare.
                word.add(char::from(byte.to_ascii_lowercase()));
                at += 1;
                continue;
            }
            if run > 0 {
                word.open(at);
                word.add_run(&chunk, run);
                end += run;
            }
            let gap = chunk.gap_after(run);
            at = end + gap;
            // The word is still open: it fills the chunk, or a character outside ASCII follows.
            if gap == 0 {
                continue;
            }
        } else if let Some(lower) = lower_cyrillic(&bytes[at..]) {
            word.open(at);
            word.add_other(lower);
            at += 2;
            continue;
        } else if let Some(letter) = chinese(&bytes[at..]) {
            word.open(at);
            word.add_other(letter);
            at += 3;
            continue;
        } else {
            debug_assert!(at < text.len(), "a character follows");
            let c = text[at..].chars().next().unwrap_or_default();
            at += c.len_utf8();
            if is_alphanumeric(c) {
                word.open(end);
                each_lower(c, |c| word.add(c));
                continue;
            }
        }
        // A separator ends the word. `word` has no start if the text begins with the separator.
        *out = word;
        return (end, at);
    }
    *out = word;
    (bytes.len(), bytes.len())
}

/// Returns the lower-case code point of the letter at the start of a text, if it is in U+0410 to U+045F (the Russian alphabet and others).
#[inline]
fn lower_cyrillic(text: &[u8]) -> Option<u32> {
    let &[first @ 0xD0..=0xD1, second, ..] = text else {
        return None;
    };
    match u32::from(first & 0x1F) << 6 | u32::from(second & 0x3F) {
        capital @ 0x410..0x430 => Some(capital + 0x20),
        small @ 0x430..0x460 => Some(small),
        _ => None,
    }
}

/// Returns the code point of the letter at the start of a text, if it is a Chinese character of U+4E00 to U+9FFF.
#[inline]
fn chinese(text: &[u8]) -> Option<u32> {
    let &[first @ 0xE4..=0xE9, second, third, ..] = text else {
        return None;
    };
    let code = u32::from(first & 0xF) << 12 | u32::from(second & 0x3F) << 6 | u32::from(third & 0x3F);
    (code >= 0x4E00).then_some(code)
}

/// A word whose end has not been read yet. Its lower-cased characters are hashed one by one, except that runs of ASCII characters are
/// hashed up to eight at a time.
#[derive(Default)]
struct OpenWord {
    start: Option<usize>,
    hash: u64,
    has_letter: bool,
    /// ASCII characters that are not hashed yet, the first in the lowest byte. `pending_len` is their number.
    pending: u64,
    pending_len: usize,
}

impl OpenWord {
    /// Begins the word at this offset, unless it has begun already.
    #[inline]
    fn open(&mut self, at: usize) {
        if self.start.is_none() {
            *self = OpenWord {
                start: Some(at),
                hash: HASH_SEED,
                ..OpenWord::default()
            };
        }
    }

    /// Adds the first `run` bytes of a chunk, which are letters and digits. Nothing may be pending.
    #[inline]
    fn add_run(&mut self, chunk: &Chunk, run: usize) {
        // `run` is 1 to 8, so the shift is at most 56.
        let mask = u64::MAX >> (64 - 8 * run);
        self.has_letter |= chunk.letters & mask != 0;
        (self.pending, self.pending_len) = (chunk.lower & mask, run);
        if run == 8 {
            self.flush();
        }
    }

    /// Adds a lower-case letter or digit.
    #[inline]
    fn add(&mut self, c: char) {
        if c.is_ascii() {
            self.add_ascii(c);
        } else {
            self.add_other(c.into());
        }
    }

    /// Adds a lower-case letter or digit outside ASCII by its code point.
    #[inline]
    fn add_other(&mut self, code: u32) {
        self.has_letter = true;
        self.flush();
        // The highest bit distinguishes a code point from packed ASCII characters.
        self.hash = mix(self.hash, u64::from(code) | 1 << 63);
    }

    /// Adds an ASCII letter or digit that another character lower-cases to.
    #[cold]
    fn add_ascii(&mut self, c: char) {
        self.has_letter |= !c.is_ascii_digit();
        self.pending |= u64::from(u32::from(c)) << (8 * self.pending_len);
        self.pending_len += 1;
        if self.pending_len == 8 {
            self.flush();
        }
    }

    /// Hashes the pending characters.
    #[inline]
    fn flush(&mut self) {
        if self.pending_len > 0 {
            self.hash = mix(self.hash, self.pending);
            (self.pending, self.pending_len) = (0, 0);
        }
    }

    /// Ends the word. Returns `None` if it has not begun.
    #[inline]
    fn close(&mut self, end: usize) -> Option<Word> {
        let start = self.start.take()?;
        self.flush();
        Some(Word {
            hash: self.hash,
            number: !self.has_letter,
            at: start..end,
        })
    }
}

/// Up to eight bytes of a text, classified together. Bytes past the end of the text are 0.
struct Chunk {
    /// The bytes with 0x20 set, which lower-cases ASCII letters.
    lower: u64,
    /// Highest bit of each byte that is an ASCII letter. `alphanumeric`: likewise for ASCII letters and digits.
    letters: u64,
    alphanumeric: u64,
    /// Highest bit of each byte outside ASCII.
    others: u64,
}

/// Highest bit of each byte.
const HIGH: u64 = 0x8080_8080_8080_8080;

impl Chunk {
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a chunk has at most eight bytes")]
    fn of(bytes: &[u8], at: usize) -> Chunk {
        let rest = &bytes[at..];
        let word = match (rest.first_chunk(), bytes.last_chunk()) {
            (Some(chunk), _) => u64::from_le_bytes(*chunk),
            // Near the end of the text: load its last eight bytes and shift out those before the offset.
            (None, Some(last)) => u64::from_le_bytes(*last).unbounded_shr(64 - 8 * rest.len() as u32),
            (None, None) => few_bytes(rest),
        };
        let each = |byte: u8| u64::from_le_bytes([byte; 8]);
        let others = word & HIGH;
        // Each byte holds a sum of a seven-bit value and at most 0x80, so no carry reaches the next byte.
        let between = |word: u64, first: u8, last: u8| {
            let low = word & !HIGH;
            (low + each(0x80 - first)) & !(low + each(0x7F - last)) & HIGH & !others
        };
        let lower = word | each(0x20);
        let letters = between(lower, b'a', b'z');
        Chunk {
            lower,
            letters,
            // Digits are compared in `word`, since 0x20 turns bytes below U+0020 into digits. In `lower`, digits are unchanged.
            alphanumeric: letters | between(word, b'0', b'9'),
            others,
        }
    }

    /// Returns the number of leading letters and digits.
    #[inline]
    fn run(&self) -> usize {
        (!self.alphanumeric & HIGH).trailing_zeros() as usize / 8
    }

    /// Returns the word of the first `run` bytes, given its offset in the text. `run` must be greater than 0.
    #[inline]
    fn word(&self, at: usize, run: usize) -> Word {
        let mut word = OpenWord {
            hash: HASH_SEED,
            ..OpenWord::default()
        };
        word.add_run(self, run);
        word.flush();
        Word {
            hash: word.hash,
            number: !word.has_letter,
            at: at..at + run,
        }
    }

    /// Returns how many ASCII bytes that are neither letters nor digits follow the first `run` bytes. Zeros past the end of the text count.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a chunk has at most eight bytes")]
    fn gap_after(&self, run: usize) -> usize {
        // For `run == 8` nothing is left of the chunk, and the result must be 0.
        let rest = (self.alphanumeric | self.others)
            .checked_shr(8 * run as u32)
            .unwrap_or(1);
        (rest.trailing_zeros() as usize / 8).min(8 - run)
    }
}

/// Packs up to seven bytes, the first in the lowest byte.
#[inline]
fn few_bytes(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let [first, last] = [first, last].map(|half| u64::from(u32::from_le_bytes(*half)));
        // Four to seven bytes: the two halves overlap, with equal bytes in the overlap.
        return first | last << (8 * (bytes.len() - 4));
    }
    let all = bytes.iter().rev();
    all.fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Calls `visit` with each character of the lower case of `c`. A final sigma becomes a medial one.
fn each_lower(c: char, mut visit: impl FnMut(char)) {
    each_lower_case(c, |c| visit(if c == 'ς' { 'σ' } else { c }));
}

/// Maximum number of distinct words read from a line.
const MAX_WORDS: usize = 24;

/// Maximum number of words of a phrase.
const MAX_PHRASE_WORDS: usize = 6;

/// Words of a line: hashes of its first distinct words, without numbers, and one hash of the whole line if it is short.
#[derive(Clone, Debug, Default)]
pub struct LineTokens {
    /// Hashes of distinct words, at most 24.
    pub words: Vec<u64>,
    /// Hash of all words of a line of 1 to 6 words, with all numbers hashed to the same value. `None` for other lines.
    pub phrase: Option<u64>,
}

impl LineTokens {
    /// Reads the words of a line given as its texts.
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> LineTokens {
        let mut tokens = LineTokens::default();
        tokens.read(texts);
        tokens
    }

    /// Like [`of`](Self::of), but reuses the memory of `self`.
    pub(crate) fn read<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) {
        let (words, mut phrase) = (&mut self.words, Phrase::default());
        words.clear();
        words.reserve(MAX_WORDS);
        // Bloom filter with one bit per word: most words are new and need no comparison with the previous ones.
        let mut bits = 0_u64;
        each_word_of(texts, |word| {
            phrase.add(&word);
            if !word.number && words.len() < MAX_WORDS {
                let bit = 1 << (word.hash & 63);
                if bits & bit == 0 || !words.contains(&word.hash) {
                    words.push(word.hash);
                }
                bits |= bit;
            }
            // Stop as soon as neither the phrase nor the list of words can change.
            phrase.fits() || words.len() < MAX_WORDS
        });
        self.phrase = phrase.hash();
    }

    /// Computes [`LineTokens::phrase`] alone. Stops reading as soon as the line is too long.
    pub(crate) fn phrase_of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<u64> {
        let mut phrase = Phrase::default();
        each_word_of(texts, |word| {
            phrase.add(&word);
            phrase.fits()
        });
        phrase.hash()
    }
}

/// Calls `visit` with each word in the first [`MAX_LINE_BYTES`] bytes of a line, until `visit` returns false.
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
        // Plus one byte for the space between two texts.
        left = left.saturating_sub(text.len() + 1);
        if left == 0 || !continues {
            break;
        }
    }
}

/// One hash of all words of a line, as long as there are at most [`MAX_PHRASE_WORDS`].
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

/// Initial phrase hash. It differs from that of words, so that a one-word phrase and the word itself have different hashes.
const PHRASE_SEED: u64 = 0x9AE1_6A3B_2F90_404F;

/// Maximum number of bytes read from a line.
const MAX_LINE_BYTES: usize = 400;

/// Returns the lower-cased words of a text, joined by single spaces, with `0` for each number.
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
        assert_ne!(words("k0"), words("\u{306B}"));
        assert!(words(" – ").is_empty());
        let numbers = words("In 2024 the B52 cost 5")
            .into_iter()
            .map(|(_, number)| number);
        assert_eq!(
            numbers.collect::<Vec<_>>(),
            [false, true, false, false, false, true]
        );
    }

    /// Reference implementation: ranges of the words, found character by character, and whether each is a number.
    fn plain_words(text: &str) -> Vec<(Range<usize>, bool)> {
        let mut words: Vec<(Range<usize>, bool)> = Vec::new();
        for (at, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
            let end = at + c.len_utf8();
            match words.last_mut().filter(|(word, _)| word.end == at) {
                Some((word, number)) => (word.end, *number) = (end, *number && c.is_ascii_digit()),
                None => words.push((at..end, c.is_ascii_digit())),
            }
        }
        words
    }

    #[test]
    fn frequent_letters_are_told_by_their_bytes() {
        for c in '\u{80}'..=char::MAX {
            let text = c.to_string();
            for code in [lower_cyrillic(text.as_bytes()), chinese(text.as_bytes())] {
                let lower = code.and_then(char::from_u32);
                assert!(
                    lower.is_none_or(|lower| lower.to_string() == text.to_lowercase() && c.is_alphanumeric())
                );
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn words_are_runs_of_letters_and_digits(text in "([a-zA-Z0-9]{0,20}|[ -/:@^`{|}~]{1,9}|[éЖK\u{212A}ς河·\u{A0}]{1,3}|[Ѐ-ҁ҂]{1,9}|\\PC){0,9}") {
            let (mut words, mut hashes) = (Vec::new(), Vec::new());
            each_word(&text, |word| {
                hashes.push((text[word.at.clone()].to_owned(), word.hash));
                words.push((word.at, word.number));
                true
            });
            proptest::prop_assert_eq!(&words, &plain_words(&text));
            // A word hashes to the same value on its own and in lower case.
            for (word, hash) in hashes {
                let mut lower = String::new();
                word.chars().for_each(|c| each_lower(c, |c| lower.push(c)));
                for word in [word, lower] {
                    let mut alone = Vec::new();
                    each_word(&word, |word| {
                        alone.push(word.hash);
                        true
                    });
                    proptest::prop_assert_eq!(alone, [hash], "{}", word);
                }
            }
        }
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
