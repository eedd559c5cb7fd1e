//! Scores of an extracted text by shingles of four tokens: its share of the main text of the page and of
//! the template of the site.
//!
//! Agrees with the reference scorer of the collection to three digits.

use std::collections::BTreeMap;

use dehusk_pipeline::dedup::content_hash;

use super::Prf;
use super::words::plain;

/// A hash of a word.
#[expect(clippy::cast_possible_truncation, reason = "the low 64 bits are the hash")]
fn hash(word: &str) -> u64 {
    content_hash(word) as u64
}

/// Shingles with their numbers of occurrences, ascending by shingle.
pub type Bag = Vec<(u64, u32)>;

/// Number of tokens in a shingle.
const N: usize = 4;

/// Whether a character is Han or kana: each of these is a token of its own.
fn is_single(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{3040}'..='\u{30FF}')
}

/// The hashes of the tokens of a text: words, and single characters of scripts without spaces.
pub fn tokens(text: &str) -> Vec<u64> {
    let lower = text.to_lowercase();
    // Python's `[^\W_]+`: letters and numbers without the underscore.
    let words = plain(&lower);
    let mut out = Vec::new();
    for word in words.into_iter().flat_map(|w| w.split('_')) {
        let mut start = None;
        for (i, c) in word.char_indices() {
            if is_single(c) {
                if let Some(s) = start.take() {
                    out.push(hash(&word[s..i]));
                }
                out.push(hash(&word[i..i + c.len_utf8()]));
            } else {
                start.get_or_insert(i);
            }
        }
        if let Some(s) = start {
            out.push(hash(&word[s..]));
        }
    }
    out
}

/// All shingles of a text. A text of fewer than four tokens is one shingle.
pub fn bag(text: &str) -> Bag {
    let tokens = tokens(text);
    let mut all: Vec<u64> = match tokens.len() {
        0 => Vec::new(),
        n => tokens
            // A text of fewer than four tokens has a single window.
            .windows(N.min(n))
            .map(|w| {
                w.iter().fold(7_u64, |h, t| {
                    (h ^ t).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
                })
            })
            .collect(),
    };
    all.sort_unstable();
    let mut out: Bag = Vec::new();
    for shingle in all {
        match out.last_mut() {
            Some((last, n)) if *last == shingle => *n += 1,
            _ => out.push((shingle, 1)),
        }
    }
    out
}

/// How often a shingle occurs in a bag.
fn count(bag: &Bag, shingle: u64) -> u32 {
    bag.binary_search_by_key(&shingle, |e| e.0)
        .map_or(0, |i| bag[i].1)
}

/// Whether a bag has a shingle.
fn has(bag: &Bag, shingle: u64) -> bool {
    count(bag, shingle) > 0
}

/// Number of shingles in a bag, with repetitions.
fn size(bag: &Bag) -> u32 {
    bag.iter().map(|e| e.1).sum()
}

/// The reference with which the extracted text of a page is compared.
#[derive(Clone, Debug)]
pub struct Gold {
    gold: Bag,
    /// Shingles that count neither as right nor as wrong.
    neutral: Bag,
    /// Shingles of the site's template, ascending.
    template: Vec<u64>,
}

/// The scores of one page, 0 to 1.
#[derive(Clone, Copy, Debug, Default)]
pub struct Score {
    /// Share of the extracted text, without neutral text, that is main text.
    pub precision: f64,
    /// Share of the main text that was extracted.
    pub recall: f64,
    /// Harmonic mean of precision and recall.
    pub f1: f64,
    /// Share of the template's shingles that were extracted; NaN for a page without template.
    pub leak: f64,
}

/// The labelled text of a page: main text, neutral text, both in page order, and the rest.
#[derive(Clone, Debug, Default)]
pub struct Label {
    /// Main text.
    pub gold: String,
    /// Neutral text, which may be extracted or not.
    pub neutral: String,
    /// Main and neutral text in the order of the page.
    pub wide: String,
    /// The rest of the text.
    pub other: String,
}

impl Gold {
    /// Makes the references of all pages of a site. The template consists of the shingles that are in the
    /// rest of at least half of the pages, and of at least two.
    pub fn of_site(labels: &[Label]) -> Vec<Gold> {
        let others: Vec<Bag> = labels.iter().map(|l| bag(&l.other)).collect();
        let mut pages: BTreeMap<u64, usize> = BTreeMap::new();
        for (shingle, _) in others.iter().flatten() {
            *pages.entry(*shingle).or_default() += 1;
        }
        let need = labels.len().div_ceil(2).max(2);
        labels
            .iter()
            .zip(&others)
            .map(|(label, other)| {
                let gold = bag(&label.gold);
                let wide = bag(&label.wide);
                let mut neutral: BTreeMap<u64, u32> = bag(&label.neutral).into_iter().collect();
                // Shingles across the border of main and neutral text occur only in both together. They are
                // neutral.
                for (shingle, n) in wide {
                    let rest = n.saturating_sub(count(&gold, shingle));
                    if rest > 0 {
                        let entry = neutral.entry(shingle).or_default();
                        *entry = rest.max(*entry);
                    }
                }
                let neutral: Bag = neutral.into_iter().collect();
                let template = other
                    .iter()
                    .map(|e| e.0)
                    .filter(|s| pages[s] >= need && !has(&gold, *s) && !has(&neutral, *s))
                    .collect();
                Gold {
                    gold,
                    neutral,
                    template,
                }
            })
            .collect()
    }

    /// Scores a text that was extracted from this page.
    pub fn score(&self, text: &str) -> Score {
        let found = bag(text);
        let (mut right, mut wrong) = (0, 0);
        for &(shingle, n) in &found {
            // Occurrences beyond those of the main text are wrong, unless the neutral text accounts for
            // them.
            let here = count(&self.gold, shingle);
            right += n.min(here);
            let extra = n.saturating_sub(here);
            wrong += extra - extra.min(count(&self.neutral, shingle));
        }
        let leak = if self.template.is_empty() {
            f64::NAN
        } else {
            self.template.iter().filter(|s| has(&found, **s)).count() as f64 / self.template.len() as f64
        };
        // A page without main text: the right result is empty, or neutral text only.
        if self.gold.is_empty() {
            let clean = f64::from(u8::from(wrong == 0));
            return Score {
                precision: clean,
                recall: 1.0,
                f1: clean,
                leak,
            };
        }
        let ratio = |part: u32, of: u32| f64::from(part) / f64::from(of.max(1));
        let (precision, recall) = (ratio(right, right + wrong), ratio(right, size(&self.gold)));
        Score {
            precision,
            recall,
            f1: Prf::of(precision, recall).f1,
            leak,
        }
    }
}
