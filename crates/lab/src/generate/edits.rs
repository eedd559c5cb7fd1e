//! Edits of texts, as they happen to copies.

use super::sentences::{Language, Pool};
use crate::random::{Millionths, Random};

/// Rates of edits, in millionths.
pub(super) const RATES: [Millionths; 8] = [
    10_000, 20_000, 50_000, 100_000, 150_000, 200_000, 300_000, 400_000,
];

/// An edit of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// No change.
    Exact,
    /// Random letters in upper case, and changed punctuation.
    Noise,
    /// Words replaced, inserted, swapped and deleted.
    Words,
    /// Typing errors.
    Typos,
    /// Sentences swapped.
    Shuffle,
    /// A run of sentences deleted.
    Drop,
    /// A line of boilerplate before or after the text.
    Boilerplate,
    /// The edits of `Words` and `Boilerplate` together.
    Mixed,
}

impl Edit {
    /// Name in the truth.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Noise => "noise",
            Self::Words => "words",
            Self::Typos => "typos",
            Self::Shuffle => "shuffle",
            Self::Drop => "drop",
            Self::Boilerplate => "boiler",
            Self::Mixed => "mixed",
        }
    }

    /// Whether the edit depends on a rate.
    pub(super) fn has_rate(self) -> bool {
        !matches!(self, Self::Exact | Self::Noise | Self::Boilerplate)
    }
}

/// Edits with their weights in random choices.
pub(super) const EDITS: [(u32, Edit); 8] = [
    (1, Edit::Exact),
    (1, Edit::Noise),
    (3, Edit::Words),
    (1, Edit::Typos),
    (1, Edit::Shuffle),
    (1, Edit::Drop),
    (1, Edit::Boilerplate),
    (1, Edit::Mixed),
];

/// The sentences of a document after an edit. `rate` is used by edits that [have one](Edit::has_rate).
pub(super) fn edited(
    sentences: &[String],
    edit: Edit,
    rate: Millionths,
    pool: &Pool,
    random: &mut Random,
) -> Vec<String> {
    let mut out = sentences.to_vec();
    if matches!(edit, Edit::Words | Edit::Mixed) {
        out = words(&out, rate, &pool.vocabulary, random);
    }
    match edit {
        Edit::Typos => {
            // A fifth of the rate: a changed character makes a whole word different.
            for sentence in &mut out {
                *sentence = typos(sentence, rate / 5, pool.language, random);
            }
        }
        Edit::Noise => {
            for sentence in &mut out {
                *sentence = noise(sentence, random);
            }
        }
        Edit::Shuffle => {
            // At least one swap, which may be of a sentence with itself.
            for _ in 0..times(out.len(), rate).max(1) {
                let (a, b) = (random.below(out.len()), random.below(out.len()));
                out.swap(a, b);
            }
        }
        Edit::Drop if out.len() > 1 => {
            // At least one sentence is removed, and at least one stays.
            let count = times(out.len(), rate).clamp(1, out.len() - 1);
            let first = random.below(out.len() - count + 1);
            out.drain(first..first + count);
        }
        Edit::Boilerplate | Edit::Mixed => {
            let line = random
                .pick(pool.language.boilerplate())
                .copied()
                .unwrap_or_default();
            let place = if random.chance(500_000) { 0 } else { out.len() };
            out.insert(place, format!("{line}."));
        }
        _ => {}
    }
    out
}

/// The share `rate` of `n`, rounded to the nearest integer.
fn times(n: usize, rate: Millionths) -> usize {
    (n * rate as usize + 500_000) / 1_000_000
}

/// Replaces, inserts, swaps and deletes words. Each word is edited with the probability `rate`.
fn words(sentences: &[String], rate: Millionths, vocabulary: &[String], random: &mut Random) -> Vec<String> {
    let mut out = Vec::new();
    for sentence in sentences {
        let words: Vec<&str> = sentence.split(' ').collect();
        let mut edited: Vec<&str> = Vec::new();
        let mut place = 0;
        while place < words.len() {
            let word = words[place];
            if random.chance(rate) {
                match (random.below(4), words.get(place + 1), random.pick(vocabulary)) {
                    (0, _, Some(other)) => edited.push(other),
                    (1, _, Some(other)) => edited.extend([word, other]),
                    (2, Some(next), _) => {
                        edited.extend([next, word]);
                        place += 1;
                    }
                    _ => {}
                }
            } else {
                edited.push(word);
            }
            place += 1;
        }
        if !edited.is_empty() {
            out.push(edited.join(" "));
        }
    }
    // A copy is never empty: its first sentence is kept if all words were deleted.
    if out.is_empty() {
        sentences[..1.min(sentences.len())].to_vec()
    } else {
        out
    }
}

/// Replaces, inserts and deletes letters. Each letter is edited with the probability `rate`.
pub(super) fn typos(text: &str, rate: Millionths, language: Language, random: &mut Random) -> String {
    let letters = language.letters();
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphabetic() && random.chance(rate) {
            let kind = random.below(3);
            // Drawn even if it is not used, so that each edit takes the same number of random numbers.
            let other = random.pick(letters).copied().unwrap_or(c);
            match kind {
                0 => out.push(other),
                1 => out.extend([c, other]),
                _ => {}
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Changes punctuation, and turns a tenth of the other characters into upper case.
fn noise(sentence: &str, random: &mut Random) -> String {
    let mut out = String::with_capacity(sentence.len());
    let mut chars = sentence.chars().peekable();
    while let Some(c) = chars.next() {
        if matches!(c, ',' | ';' | ':' | '.') && chars.peek() == Some(&' ') {
            chars.next();
            let as_it_was = [c, ' '].iter().collect::<String>();
            let other = [" ", " - ", "; ", ", ", "  ", as_it_was.as_str()];
            out.push_str(random.pick(&other).copied().unwrap_or(" "));
        } else if random.chance(100_000) {
            out.extend(c.to_uppercase());
        } else {
            out.push(c);
        }
    }
    out
}
