//! Words whose frequencies describe a document.

use std::collections::HashMap;

use crate::numeric::hash::murmur3;
use crate::text::statistics::Statistics;
use crate::text::terms::Counted;
use crate::text::tokens::Tokens;

/// Some words of a collection, each with a threshold: a document has the word if its share of the terms reaches the
/// threshold.
///
/// They are chosen in one pass by a [`DescriptiveWordsBuilder`], and can be stored and used for later documents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescriptiveWords {
    /// Hash and threshold of each word, in the order of bits.
    words: Vec<(u64, f64)>,
    /// The bit of a word, by its hash.
    bits: HashMap<u64, u32>,
}

impl DescriptiveWords {
    /// These words, given by their [`murmur3`] with seed 0, with their thresholds: shares of a document's terms.
    #[must_use]
    pub fn from_hashes(words: Vec<(u64, f64)>) -> Self {
        let bits = words
            .iter()
            .zip(0..)
            .map(|(&(hash, _), bit)| (hash, bit))
            .collect();
        Self { words, bits }
    }

    /// These words, with their thresholds: shares of a document's terms.
    #[must_use]
    pub fn from_words<'a>(words: impl IntoIterator<Item = (&'a str, f64)>) -> Self {
        Self::from_hashes(
            words
                .into_iter()
                .map(|(word, at)| (murmur3(word.as_bytes(), 0), at))
                .collect(),
        )
    }

    /// Hash and threshold of each word, in the order of bits.
    #[must_use]
    pub fn words(&self) -> &[(u64, f64)] {
        &self.words
    }

    /// The bits of a document, eight to a byte, lowest bit first. A bit is 1 if the share of its word among all terms
    /// of the document reaches the threshold.
    #[must_use]
    pub fn bits(&self, terms: &Tokens) -> Vec<u8> {
        let mut bytes = vec![0_u8; self.words.len().div_ceil(8)];
        // Words that the document lacks keep a 0.
        let counted = Counted::new(terms);
        for &(term, count) in &counted.terms {
            if let Some(&bit) = self.bits.get(&murmur3(term.as_bytes(), 0)) {
                let reached = f64::from(count) / counted.length as f64 >= self.words[bit as usize].1;
                bytes[bit as usize / 8] |= u8::from(reached) << (bit % 8);
            }
        }
        bytes
    }
}

/// Chooses [`DescriptiveWords`] in a pass over documents whose [`Statistics`] are known.
///
/// Candidates are the words in 1 % to 50 % of the documents. The frequencies of a word are sorted, over the documents
/// that have it. Its threshold lies in the widest gap between the 0.3 and 0.7 quantiles: there small edits rarely move
/// a document across it.
/// Words with the widest gaps relative to their thresholds are taken first, until documents have 8 of them on average,
/// at most 2000 words. The paper does not describe its own procedure.
#[derive(Clone, Debug)]
pub struct DescriptiveWordsBuilder {
    documents: u64,
    /// Positive frequencies of the candidates, by hash.
    frequencies: HashMap<u64, Vec<f64>>,
    /// Total number of stored frequencies.
    counted: u64,
}

/// Range of the share of documents that have a candidate word.
const COVERAGE: std::ops::RangeInclusive<f64> = 0.01..=0.5;
/// Quantiles of a word's frequencies between which its threshold lies.
const QUANTILES: (f64, f64) = (0.3, 0.7);
/// Mean number of chosen words that a document has.
const WANTED: f64 = 8.0;
/// Largest number of chosen words.
const MOST: usize = 2000;

impl DescriptiveWordsBuilder {
    /// A builder for the words of these statistics, with no documents yet.
    #[must_use]
    pub fn new(statistics: &Statistics) -> Self {
        let all = statistics.documents().max(1) as f64;
        let candidates = statistics
            .terms()
            .iter()
            .filter(|term| COVERAGE.contains(&(f64::from(term.documents) / all)));
        Self {
            documents: 0,
            counted: 0,
            frequencies: candidates.map(|term| (term.hash, Vec::new())).collect(),
        }
    }

    /// Counts the terms of a document. A document without terms changes nothing.
    pub fn add(&mut self, terms: &Tokens) {
        // A document without terms has no shares, so it is not counted.
        self.documents += u64::from(!terms.is_empty());
        let counted = Counted::new(terms);
        for &(term, count) in &counted.terms {
            if let Some(frequencies) = self.frequencies.get_mut(&murmur3(term.as_bytes(), 0)) {
                frequencies.push(f64::from(count) / counted.length as f64);
                self.counted += 1;
            }
        }
    }

    /// Adds the counts of another builder with the same statistics.
    pub fn merge(&mut self, other: Self) {
        self.documents += other.documents;
        self.counted += other.counted;
        other.frequencies.into_iter().for_each(|(hash, mut frequencies)| {
            self.frequencies.entry(hash).or_default().append(&mut frequencies);
        });
    }

    /// Upper estimate of the memory of the frequencies, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        // The capacity of a growing vector is at most twice its length.
        2 * size_of::<f64>() as u64 * self.counted + 48 * self.frequencies.len() as u64
    }

    /// The chosen words. They do not depend on the order of documents.
    #[must_use]
    pub fn build(self) -> DescriptiveWords {
        let mut words: Vec<Candidate> = self
            .frequencies
            .into_iter()
            .filter_map(|(hash, frequencies)| Candidate::new(hash, frequencies))
            .collect();
        // The largest relative gap first. Hashes break ties, so the order of the map does not matter.
        words.sort_by(|a, b| b.gap.total_cmp(&a.gap).then(a.hash.cmp(&b.hash)));
        let mut ones = 0.0;
        // Each chosen word sets a bit in `ones` documents, and each document should have `WANTED` bits on
        // average.
        let wanted = WANTED * self.documents as f64;
        let mut chosen = Vec::new();
        for word in words.into_iter().take(MOST) {
            if ones >= wanted {
                break;
            }
            ones += word.ones as f64;
            chosen.push((word.hash, word.threshold));
        }
        // The order of bits must not depend on the gaps, so that it can be restored from stored hashes.
        chosen.sort_by_key(|&(hash, _)| hash);
        DescriptiveWords::from_hashes(chosen)
    }
}

struct Candidate {
    hash: u64,
    threshold: f64,
    /// Width of the gap around the threshold, divided by the threshold.
    gap: f64,
    /// Number of documents that reach the threshold.
    ones: usize,
}

impl Candidate {
    /// `None` if no two neighboring frequencies between the quantiles differ.
    fn new(hash: u64, mut frequencies: Vec<f64>) -> Option<Self> {
        // Neighbors in this order enclose the gaps.
        frequencies.sort_unstable_by(f64::total_cmp);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a share of a length, rounded down"
        )]
        let place = |quantile: f64| (quantile * frequencies.len() as f64) as usize;
        let (first, last) = (
            place(QUANTILES.0),
            place(QUANTILES.1).min(frequencies.len().checked_sub(1)?),
        );
        let gap = |end: usize| frequencies[end] - frequencies[end - 1];
        // Among equally wide gaps the first one is taken.
        let end = (first.max(1)..=last).max_by(|&a, &b| gap(a).total_cmp(&gap(b)).then(b.cmp(&a)))?;
        let threshold = f64::midpoint(frequencies[end - 1], frequencies[end]);
        let ones = frequencies.len() - end;
        (gap(end) > 0.0).then(|| Self {
            hash,
            threshold,
            gap: gap(end) / threshold,
            ones,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::statistics::StatisticsBuilder;
    use crate::worked_examples::{example, list, text};

    #[test]
    fn bits_of_the_example() {
        let example = example("descr_words");
        let thresholds = &example["params"]["tf_thresholds"];
        let words = list(&example["params"]["words"]);
        let words = DescriptiveWords::from_words(
            words
                .iter()
                .map(|word| (text(word), thresholds[text(word)].as_f64().unwrap())),
        );
        for (name, input) in example["input"].as_object().unwrap() {
            let bits = words.bits(&text(input).split(' ').collect());
            let shown: String = (0..6)
                .map(|bit| if bits[0] >> bit & 1 == 1 { '1' } else { '0' })
                .collect();
            let expected = &example["expected"][name];
            assert_eq!(shown, text(&expected["bits"]), "{name}");
            assert_eq!(bits[0].count_ones() >= 3, expected["usable"].as_bool().unwrap());
        }
    }

    #[test]
    fn chosen_words_have_gaps() {
        // "b" makes up one or four of ten words; "a" is in all documents, "c" once in each of its documents.
        let texts: Vec<String> = (0..40)
            .map(|number| match number % 4 {
                0 => "a a a a a a b b b b".to_owned(),
                1 => "a a a a a a a a a b".to_owned(),
                2 => "a a a a a a a a a c".to_owned(),
                _ => "a a a a a a a a a a".to_owned(),
            })
            .collect();
        let documents: Vec<Tokens> = texts.iter().map(|text| text.split(' ').collect()).collect();
        let mut statistics = StatisticsBuilder::new();
        for document in &documents {
            statistics.add(document);
        }
        let statistics = statistics.build();
        let mut builder = DescriptiveWordsBuilder::new(&statistics);
        let mut other = builder.clone();
        for (number, document) in documents.iter().enumerate() {
            if number % 3 == 0 {
                builder.add(document);
            } else {
                other.add(document);
            }
        }
        builder.merge(other);
        assert_eq!(builder.build().words(), [(murmur3(b"b", 0), 0.25)]);
        assert!(
            DescriptiveWordsBuilder::new(&Statistics::default())
                .build()
                .words()
                .is_empty()
        );
    }
}
