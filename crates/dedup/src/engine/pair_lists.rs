//! Lists of pairs of documents: every pair, or about one row per document, where a row represents several pairs.
//!
//! Pairs are found between *texts*. A text here means a content: documents with equal tokens have one text, whether
//! they are exact duplicates or not. A text with many copies or many similar texts is in many pairs of documents. For
//! example, 50 similar texts with 160 copies each have 32 million pairs. So by default
//!
//! - a copy is listed only with the first document of its text;
//! - two texts are listed once, by their first documents;
//! - a pair of two texts is not listed if both texts are similar to more than [`MANY`] others, or are in
//!   clusters of more than [`MANY`] texts. Then it is listed only if it connects one of the texts with its
//!   representative, or, for a text that is in no pair with its representative, with the most similar text.
//!
//! Each row holds the number of document pairs that it represents. These numbers add up to the number of all pairs: a
//! pair of texts that is not listed is counted in the row that lists the later of its texts.

use std::cmp::Ordering;
use std::ops::Range;

use rayon::prelude::*;

use crate::candidates::pair::{Contained, ScoredPair};
use crate::engine::outcome::Outcome;
use crate::numeric::narrow;

/// Number of similar texts, and of texts in a cluster, up to which all pairs of a text are listed.
pub(crate) const MANY: usize = 100;

/// A pair in a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ListedPair {
    /// The document that comes first in the order of the lists.
    pub first: u32,
    /// The other document.
    pub second: u32,
    /// Their similarity, 0 to 1.
    pub similarity: f64,
    /// Estimate of the similarity, 0 to 1, or `None`.
    pub estimate: Option<f32>,
    /// Which of `first` and `second` lies inside the other; set only by containment similarities.
    pub contained: Contained,
    /// True for two exact duplicates. Documents that merely have equal tokens are near-duplicates of similarity 1.
    pub exact: bool,
    /// Number of document pairs that this row represents, itself included: 1 or more.
    pub stands_for: u64,
}

/// Numbers of pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairTotals {
    /// Number of rows in the lists.
    pub listed: u64,
    /// Number of rows that represent more than one pair.
    pub linked: u64,
    /// Number of all pairs of documents.
    pub all: u64,
}

/// The pairs of an outcome, grouped by their first document in an order of documents.
pub struct PairLists<'o> {
    outcome: &'o Outcome,
    /// The documents that are in pairs, in order.
    order: Vec<u32>,
    /// For each document, its place in `order`.
    places: Vec<u32>,
    /// For each text, the first place of a document with it.
    text_places: Vec<u32>,
    /// For each document, the start of its pairs in `pairs`.
    starts: Vec<usize>,
    /// Numbers of pairs in the outcome, grouped by document.
    pairs: Vec<u32>,
    /// For each pair of the outcome, the number of document pairs that its row represents; 0 if it has no row. `None`
    /// if every pair of documents is listed.
    stands_for: Option<Vec<u64>>,
}

impl Outcome {
    /// All pairs of documents at or above the threshold, sorted. Pairs of documents with equal content are included,
    /// with similarity 1, and every copy is paired with the documents similar to its content. The number of pairs can
    /// be quadratic in the number of documents.
    pub fn all_pairs(&self) -> impl Iterator<Item = ScoredPair> {
        let lists = self.pair_lists(u64::from, |a, b| a.cmp(&b), true);
        let mut parts = 0..self.decisions.len();
        std::iter::from_fn(move || Some(lists.list(parts.next()?)))
            .flatten()
            .map(|pair| {
                let scored = ScoredPair::new(pair.first, pair.second, pair.similarity, pair.estimate);
                scored.with_contained(if pair.first <= pair.second {
                    pair.contained
                } else {
                    pair.contained.swapped()
                })
            })
    }

    /// Lists of pairs in an order of documents. If `every` is true all pairs are listed, else about one row per
    /// document, where a row may represent several pairs. Documents are ordered by `key`; `order` compares only
    /// documents with equal keys.
    pub fn pair_lists(
        &self,
        key: impl Fn(u32) -> u64 + Sync,
        order: impl Fn(u32, u32) -> Ordering + Sync,
        every: bool,
    ) -> PairLists<'_> {
        PairLists::new(self, key, order, every)
    }
}

impl<'o> PairLists<'o> {
    /// See [`Outcome::pair_lists`].
    pub(crate) fn new(
        outcome: &'o Outcome,
        key: impl Fn(u32) -> u64 + Sync,
        order: impl Fn(u32, u32) -> Ordering + Sync,
        every: bool,
    ) -> Self {
        let documents = outcome.decisions.len();
        // `places` first marks the documents that are in pairs or have copies.
        let mut places = vec![0_u32; documents];
        for pair in &outcome.pairs {
            (places[pair.a as usize], places[pair.b as usize]) = (1, 1);
        }
        for &copy in outcome.exact_groups.groups().iter().flatten() {
            places[copy as usize] = 1;
        }
        let used = (0..).zip(&places).filter(|(_, used)| **used == 1);
        let mut sorted: Vec<(u64, u32)> = used.map(|(document, _)| (key(document), document)).collect();
        // `order` may be slow, so it is called only for equal keys.
        sorted.par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| order(a.1, b.1)));
        let sorted: Vec<u32> = sorted.into_iter().map(|(_, document)| document).collect();
        for (place, document) in (0..).zip(&sorted) {
            places[*document as usize] = place;
        }
        // `starts` first holds the ends of each document's pairs. Filling `pairs` from the end turns them into starts.
        let mut starts = vec![0_usize; documents + 1];
        for pair in &outcome.pairs {
            starts[pair.a as usize] += 1;
            starts[pair.b as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut pairs = vec![0; 2 * outcome.pairs.len()];
        // From the last pair to the first, so that the pairs of a document stay in the order of the
        // outcome.
        for (number, pair) in outcome.pairs.iter().enumerate().rev() {
            for document in [pair.b, pair.a] {
                starts[document as usize] -= 1;
                pairs[starts[document as usize]] = narrow::to_u32(number);
            }
        }
        // A text stands where the first of its documents stands.
        let mut text_places = places.clone();
        for copies in outcome.exact_groups.groups().iter() {
            let first = copies.iter().map(|&copy| places[copy as usize]).min();
            debug_assert!(first.is_some(), "a group has two documents at least");
            text_places[copies[0] as usize] = first.unwrap_or_default();
        }
        let mut lists = Self {
            outcome,
            order: sorted,
            places,
            text_places,
            starts,
            pairs,
            stands_for: None,
        };
        if !every {
            lists.stands_for = Some(lists.links());
        }
        lists
    }

    /// For each pair of texts, the number of document pairs that its row represents.
    fn links(&self) -> Vec<u64> {
        let pairs = &self.outcome.pairs;
        let mut texts = vec![0_u32; self.outcome.decisions.len()];
        // Number of texts in each cluster, by the cluster's smallest document.
        for decision in &self.outcome.decisions {
            let is_text = self.outcome.exact_groups.first(decision.document) == decision.document;
            texts[decision.cluster as usize] += u32::from(is_text);
        }
        let many = |text: u32| {
            let cluster = self.outcome.decisions[text as usize].cluster;
            self.pairs_of(text).len() > MANY || texts[cluster as usize] as usize > MANY
        };
        let listed = |pair: &ScoredPair| match many(pair.a) && many(pair.b) {
            true => 0,
            false => self.documents_of(pair),
        };
        // 0 marks pairs without a row; all other pairs represent at least their own documents.
        let mut stands_for: Vec<u64> = pairs.par_iter().map(listed).collect();
        let numbered = (0_u32..).zip(&stands_for);
        let passed_over = numbered.filter(|(_, documents)| **documents == 0);
        let passed_over: Vec<u32> = passed_over.map(|(number, _)| number).collect();
        if passed_over.is_empty() {
            return stands_for;
        }
        // The row that lists a text is its pair with its representative, or else with the most similar text.
        let row_of = |text: u32| {
            let representative = self.outcome.decisions[text as usize].representative;
            let representative = self.outcome.exact_groups.first(representative);
            let preference = |number: &&u32| {
                let pair = &pairs[**number as usize];
                let other = if pair.a == text { pair.b } else { pair.a };
                (
                    other != representative,
                    -pair.similarity,
                    self.place_of_text(other),
                )
            };
            let best = self.pairs_of(text).iter().min_by(|a, b| {
                let (a, b) = (preference(a), preference(b));
                a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
            });
            debug_assert!(best.is_some(), "the text comes from a pair");
            best.copied().unwrap_or_default()
        };
        // Each text of such a pair has one row, computed once.
        let mut rows = std::collections::BTreeMap::new();
        for &number in &passed_over {
            let pair = &pairs[number as usize];
            for text in [pair.a, pair.b] {
                rows.entry(text).or_insert_with(|| row_of(text));
            }
        }
        for number in passed_over {
            let pair = &pairs[number as usize];
            // The row that lists one of its texts represents its own pair. Other pairs are counted in the row of their
            // later text.
            let own = rows.get(&pair.a) == Some(&number) || rows.get(&pair.b) == Some(&number);
            let later = if self.place_of_text(pair.a) > self.place_of_text(pair.b) {
                pair.a
            } else {
                pair.b
            };
            debug_assert!(
                rows.contains_key(&later),
                "both texts of a passed-over pair have a row"
            );
            let row = if own {
                number
            } else {
                rows.get(&later).copied().unwrap_or(number)
            };
            stands_for[row as usize] += self.documents_of(pair);
        }
        stands_for
    }

    /// Number of document pairs of a pair of texts.
    fn documents_of(&self, pair: &ScoredPair) -> u64 {
        let count = |text| {
            self.outcome
                .exact_groups
                .copies(text)
                .map_or(1, |copies| copies.len() as u64)
        };
        count(pair.a) * count(pair.b)
    }

    /// The numbers of the pairs of a text.
    fn pairs_of(&self, text: u32) -> &[u32] {
        &self.pairs[self.starts[text as usize]..self.starts[text as usize + 1]]
    }

    /// The first place of a document with this text.
    fn place_of_text(&self, text: u32) -> u32 {
        self.text_places[text as usize]
    }

    /// The numbers of pairs in these lists.
    #[must_use]
    pub fn totals(&self) -> PairTotals {
        let mut totals = PairTotals::default();
        for group in self.outcome.exact_groups.groups().iter() {
            let copies = group.len() as u64 - 1;
            // Each copy is paired with all copies before it: `n (n - 1) / 2` pairs in `n - 1` rows. Only
            // the first row stands for one pair.
            totals.all += (copies + 1) * copies / 2;
            totals.listed += copies;
            totals.linked += copies.saturating_sub(1);
        }
        for pair in &self.outcome.pairs {
            totals.all += self.documents_of(pair);
        }
        match &self.stands_for {
            Some(stands_for) => {
                totals.listed += stands_for.iter().filter(|count| **count > 0).count() as u64;
                totals.linked += stands_for.iter().filter(|count| **count > 1).count() as u64;
            }
            None => (totals.listed, totals.linked) = (totals.all, 0),
        }
        totals
    }

    /// Ranges of places. The documents in a range come first in about `pairs` pairs in total.
    pub fn parts(&self, pairs: u64) -> impl Iterator<Item = Range<usize>> {
        let mut start = 0;
        std::iter::from_fn(move || {
            let mut end = start;
            let mut room = pairs;
            // At least one document, so that a document with very many pairs cannot stop the iteration.
            while end < self.order.len() && (room > 0 || end == start) {
                room = room.saturating_sub(self.most_pairs(self.order[end]));
                end += 1;
            }
            let part = start..end;
            start = end;
            (!part.is_empty()).then_some(part)
        })
    }

    /// Upper bound of the number of pairs in which a document comes first, plus one.
    fn most_pairs(&self, document: u32) -> u64 {
        let text = self.outcome.exact_groups.first(document);
        let count = |text| {
            self.outcome
                .exact_groups
                .copies(text)
                .map_or(1, |copies| copies.len() as u64)
        };
        let pairs = self.pairs_of(text);
        let others = match self.stands_for {
            Some(_) => pairs.len() as u64,
            None => pairs
                .iter()
                .map(|&number| {
                    let pair = &self.outcome.pairs[number as usize];
                    count(if pair.a == text { pair.b } else { pair.a })
                })
                .sum(),
        };
        others + count(text)
    }

    /// The pairs in which the document at `place` comes first, in the order of the other document. Empty if there is no
    /// such place.
    #[must_use]
    pub fn list(&self, place: usize) -> Vec<ListedPair> {
        let Some(&first) = self.order.get(place) else {
            return Vec::new();
        };
        let mut list = Vec::new();
        match &self.stands_for {
            None => self.list_every(first, &mut list),
            Some(stands_for) => self.list_linked(first, stands_for, &mut list),
        }
        // Rows are found text by text; a list is in the order of documents.
        list.sort_unstable_by_key(|pair| self.places[pair.second as usize]);
        list
    }

    /// Appends every pair in which document `first` comes first.
    fn list_every(&self, first: u32, list: &mut Vec<ListedPair>) {
        let text = self.outcome.exact_groups.first(first);
        // Each pair of documents is listed by the document that comes first.
        let later = |document: &&u32| self.places[**document as usize] > self.places[first as usize];
        list.extend(
            self.copies(&text)
                .iter()
                .filter(later)
                .map(|&copy| self.copy(first, copy, 1)),
        );
        for &number in self.pairs_of(text) {
            let pair = &self.outcome.pairs[number as usize];
            let other = if pair.a == text { pair.b } else { pair.a };
            let others = self.copies(&other).iter().filter(later);
            list.extend(others.map(|&second| near((first, text), second, pair, 1)));
        }
    }

    /// Appends the rows in which document `first` comes first. Only the first document of a text has rows.
    fn list_linked(&self, first: u32, stands_for: &[u64], list: &mut Vec<ListedPair>) {
        let text = self.outcome.exact_groups.first(first);
        let place = self.places[first as usize];
        // Other documents of the text are listed as copies.
        if self.place_of_text(text) != place {
            return;
        }
        if let Some(copies) = self.outcome.exact_groups.copies(text) {
            let mut copies = copies.to_vec();
            copies.sort_unstable_by_key(|&copy| self.places[copy as usize]);
            // The row of a copy represents its pairs with all copies before it.
            let after_first = (0..).zip(&copies).skip(1);
            list.extend(after_first.map(|(before, &copy)| self.copy(first, copy, before)));
        }
        for &number in self.pairs_of(text) {
            let pair = &self.outcome.pairs[number as usize];
            let other = self.place_of_text(if pair.a == text { pair.b } else { pair.a });
            let stands_for = stands_for[number as usize];
            // The pair is listed by the text that comes first.
            if stands_for > 0 && other > place {
                list.push(near((first, text), self.order[other as usize], pair, stands_for));
            }
        }
    }

    /// The row for two documents with equal content.
    fn copy(&self, first: u32, second: u32, stands_for: u64) -> ListedPair {
        ListedPair {
            first,
            second,
            similarity: 1.0,
            estimate: Some(1.0),
            contained: Contained::Both,
            exact: self.outcome.is_exact(first, second),
            stands_for,
        }
    }

    /// All documents with this text.
    fn copies<'t>(&'t self, text: &'t u32) -> &'t [u32] {
        let copies = self.outcome.exact_groups.copies(*text);
        copies.unwrap_or(std::slice::from_ref(text))
    }
}

/// The row for two documents with different texts: `first` has text `text`.
fn near((first, text): (u32, u32), second: u32, pair: &ScoredPair, stands_for: u64) -> ListedPair {
    ListedPair {
        first,
        second,
        similarity: pair.similarity,
        estimate: pair.estimate(),
        contained: if pair.a == text {
            pair.contained()
        } else {
            pair.contained().swapped()
        },
        exact: false,
        stands_for,
    }
}

#[cfg(test)]
mod tests;
