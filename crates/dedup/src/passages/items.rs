//! Items of a test set in documents: runs of tokens of an item, or the whole of a shorter item.

use std::collections::HashSet;

use crate::numeric::narrow;
use crate::passages::winnow::each_hash;

/// An item that occurs in a document, as a whole or in part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ItemMatch {
    /// Number of the item.
    pub item: u32,
    /// Index of the first word of the document that is part of a run of the item.
    pub start: u32,
    /// Index after the last word of that run.
    pub end: u32,
    /// Number of words of the item that occur in the document in such runs.
    pub words: u32,
    /// Share of the words of the item, above 0, up to 1.
    pub share: f64,
}

/// The result of [`TestItems::find`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ItemMatches {
    /// Ordered by item.
    pub matches: Vec<ItemMatch>,
    /// Runs of words of the document that are part of any item: first index, and index after the last word.
    /// Ascending, without overlaps.
    pub runs: Vec<(u32, u32)>,
}

/// A run of words that a document and an item have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Common {
    item: u32,
    /// Index of its first word in the item.
    start: u32,
    /// Index after its last word in the item.
    end: u32,
    /// Index of its first word in the document.
    place: u32,
}

/// A run that may go on at the next place of the document: its item, the index in the item of its last
/// gram, and its index among all runs.
type OpenRun = (u32, u32, usize);

/// A run of an item to look for: its hash, the item, and the index of its first word in the item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Gram {
    hash: u64,
    item: u32,
    start: u32,
}

/// Finds items of a test set in documents, both as sequences of 64-bit words.
///
/// A document matches an item if it has `length` consecutive words of it, or all words of an item that is
/// shorter. Time is linear in the words of a document times the number of different lengths, plus the size
/// of the result.
///
/// ```
/// use dehusk_dedup::{TestItems, content_hash};
///
/// let words = |text: &str| text.split(' ').map(|word| content_hash(word) as u64).collect::<Vec<_>>();
/// let mut items = TestItems::new(3);
/// items.add(&words("which river is the longest"));
/// let items = items.indexed();
/// let found = items.find(&words("they asked which river is the oldest"));
/// assert_eq!((found.matches[0].start, found.matches[0].end), (2, 6));
/// assert_eq!(found.matches[0].share, 0.8);
/// ```
pub struct TestItems {
    length: usize,
    words: Vec<u64>,
    /// End of each item in `words`.
    ends: Vec<usize>,
    grams: Vec<Gram>,
    /// Lengths of grams, ascending.
    lengths: Vec<usize>,
    /// A Bloom filter of one hash function: bit `h` is set if `h` are the lower bits of the hash of a gram.
    filter: Vec<u64>,
    /// Number of grams of all items.
    grams_of_items: usize,
}

impl TestItems {
    /// Returns an empty set of items, for runs of at least `length` words. A length of 0 is taken as 1.
    #[must_use]
    pub fn new(length: u32) -> Self {
        Self {
            length: (length as usize).max(1),
            words: Vec::new(),
            ends: Vec::new(),
            grams: Vec::new(),
            lengths: Vec::new(),
            filter: Vec::new(),
            grams_of_items: 0,
        }
    }

    /// Adds an item. An item without words matches no document.
    pub fn add(&mut self, words: &[u64]) {
        self.words.extend_from_slice(words);
        self.ends.push(self.words.len());
        // An item of `n` words has `n - length + 1` runs, a shorter item one run, an empty item none.
        self.grams_of_items += (words.len() + 1).saturating_sub(self.length.min(words.len()).max(1));
    }

    /// Number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there is no item.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the memory in bytes that the items take once they are [indexed](Self::indexed).
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let grams = self.grams_of_items;
        let filter = (8 * grams).next_power_of_two().max(64) / 8;
        let items = self.words.capacity() * size_of::<u64>() + self.ends.capacity() * size_of::<usize>();
        (items + grams * size_of::<Gram>() + filter) as u64
    }

    /// Prepares the search, after all items are added.
    #[must_use]
    pub fn indexed(mut self) -> Self {
        let mut grams = Vec::with_capacity(self.grams_of_items);
        for item in 0..self.ends.len() {
            let words = self.item(narrow::to_u32(item));
            let length = self.length.min(words.len());
            each_hash(words, length, |start, hash| {
                grams.push(Gram {
                    hash,
                    item: narrow::to_u32(item),
                    start: narrow::to_u32(start),
                });
            });
            self.lengths.extend(Some(length).filter(|length| *length > 0));
        }
        debug_assert_eq!(
            grams.len(),
            self.grams_of_items,
            "runs are counted as items are added"
        );
        // By hash, then by item and start: equal hashes are adjacent, and `find` steps through them in
        // order.
        grams.sort_unstable();
        self.lengths.sort_unstable();
        self.lengths.dedup();
        // At most one bit in eight is set, so that few words of unrelated documents pass the filter.
        let bits = (8 * grams.len()).next_power_of_two().max(64);
        self.filter = vec![0; bits / 64];
        for gram in &grams {
            let bit = narrow::low_bits(gram.hash) & (bits - 1);
            self.filter[bit / 64] |= 1 << (bit % 64);
        }
        self.grams = grams;
        self
    }

    fn item(&self, item: u32) -> &[u64] {
        let item = item as usize;
        let start = item.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[start..self.ends[item]]
    }

    /// Returns the items that have a run in the document.
    #[must_use]
    pub fn find(&self, document: &[u64]) -> ItemMatches {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        // Grams found before, by hash and length: their items are recorded once, however often the document
        // repeats a gram.
        let mut met: HashSet<(u64, usize)> = HashSet::new();
        let mut covered: Vec<Common> = Vec::new();
        // Runs that end with a gram at the place before, and runs that end with a gram at this place, both
        // in the order of grams. A gram that continues a run lengthens it, so that many long items with the
        // same words take one entry each.
        let (mut before, mut now): (Vec<OpenRun>, Vec<OpenRun>) = (Vec::new(), Vec::new());
        for &length in &self.lengths {
            let mut place_before = None;
            each_hash(document, length, |place, hash| {
                // Most places of most documents fail this test and cost nothing more.
                let bit = narrow::low_bits(hash) & (64 * self.filter.len() - 1);
                if self.filter[bit / 64] & 1 << (bit % 64) == 0 {
                    return;
                }
                // Hashes may be equal by chance, so the words are compared.
                let window = &document[place..place + length];
                let from = self.grams.partition_point(|gram| gram.hash < hash);
                let same = self.grams[from..].iter().take_while(|gram| gram.hash == hash);
                let equal = same.filter(|gram| self.gram(gram) == window);
                // A gram that the document repeats adds no words of an item; only the runs of the document
                // grow.
                let is_new = met.insert((hash, length));
                let mut is_found = false;
                now.clear();
                let goes_on = place_before.is_some_and(|before| before + 1 == place);
                let mut open = before.iter().filter(|_| goes_on).peekable();
                for gram in equal {
                    is_found = true;
                    if !is_new {
                        break;
                    }
                    let goes_on = |run: &&OpenRun| (run.0, run.1 + 1) == (gram.item, gram.start);
                    // Both lists ascend, so one step through them finds all continuations.
                    while open
                        .next_if(|run| (run.0, run.1 + 1) < (gram.item, gram.start))
                        .is_some()
                    {}
                    let run = match open.next_if(goes_on) {
                        Some(&(.., run)) => run,
                        None => {
                            covered.push(Common {
                                item: gram.item,
                                start: gram.start,
                                // Each gram of the run, the first included, adds one to the end below.
                                end: gram.start + narrow::to_u32(length) - 1,
                                place: narrow::to_u32(place),
                            });
                            covered.len() - 1
                        }
                    };
                    covered[run].end += 1;
                    now.push((gram.item, gram.start, run));
                }
                std::mem::swap(&mut before, &mut now);
                place_before = Some(place);
                if is_found {
                    runs.push((narrow::to_u32(place), narrow::to_u32(place + length)));
                }
            });
        }
        ItemMatches {
            matches: self.matches(covered),
            runs: united(runs),
        }
    }

    /// Returns the words of a gram. All grams of an item have the same length.
    fn gram(&self, gram: &Gram) -> &[u64] {
        let item = self.item(gram.item);
        let start = gram.start as usize;
        &item[start..start + self.length.min(item.len())]
    }

    fn matches(&self, mut covered: Vec<Common>) -> Vec<ItemMatch> {
        // By item, then by place in the item.
        covered.sort_unstable();
        let of_item = covered.chunk_by(|a, b| a.item == b.item).map(|runs| {
            let item = runs[0].item;
            let (mut words, mut behind) = (0, 0);
            // Runs of an item may overlap; each of its words counts once.
            for run in runs {
                words += run.end.saturating_sub(run.start.max(behind));
                behind = behind.max(run.end);
            }
            let first = runs.iter().min_by_key(|run| (run.place, run.start));
            let (start, end) = first.map_or((0, 0), |run| (run.place, run.place + run.end - run.start));
            let all = self.item(item).len().max(1);
            ItemMatch {
                item,
                start,
                end,
                words,
                share: f64::from(words) / all as f64,
            }
        });
        of_item.collect()
    }
}

fn united(mut runs: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    runs.sort_unstable();
    let mut all: Vec<(u32, u32)> = Vec::new();
    for (start, end) in runs {
        match all.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => all.push((start, end)),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn index(length: u32, items: &[Vec<u64>]) -> TestItems {
        let mut index = TestItems::new(length);
        items.iter().for_each(|item| index.add(item));
        index.indexed()
    }

    #[test]
    fn whole_and_short_items_are_found_with_their_places() {
        let long: Vec<u64> = (1..=20).collect();
        let items = index(13, &[long.clone(), vec![31, 32, 33], Vec::new(), vec![41]]);
        let document = [&[90, 91][..], &long, &[92, 31, 32, 33, 93, 31, 32, 33]].concat();
        let found = items.find(&document);
        let facts: Vec<_> = found
            .matches
            .iter()
            .map(|one| (one.item, one.start, one.end, one.words))
            .collect();
        assert_eq!(facts, [(0, 2, 22, 20), (1, 23, 26, 3)]);
        assert_eq!(found.matches[0].share, 1.0);
        assert_eq!(found.runs, [(2, 22), (23, 26), (27, 30)]);
        // Thirteen consecutive words of twenty count, twelve do not.
        let part = items.find(&[&[90][..], &long[4..17], &[91]].concat());
        assert_eq!((part.matches[0].words, part.matches[0].share), (13, 0.65));
        assert_eq!(items.find(&long[4..16]), ItemMatches::default());
        assert_eq!(items.find(&[41]).matches.len(), 1);
        assert_eq!(items.find(&[]), ItemMatches::default());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn what_is_there_letter_for_letter_is_found(
            document in proptest::collection::vec(0_u64..4, 0..40),
            items in proptest::collection::vec(proptest::collection::vec(0_u64..4, 0..12), 1..6),
            length in 1_u32..7,
        ) {
            let found = index(length, &items).find(&document);
            let mut runs = Vec::new();
            for (number, item) in (0_u32..).zip(&items) {
                let width = item.len().min(length as usize);
                let mut covered = vec![false; item.len()];
                let mut first = None;
                if width > 0 {
                    for (place, window) in document.windows(width).enumerate() {
                        for (start, gram) in item.windows(width).enumerate().filter(|(_, gram)| *gram == window) {
                            covered[start..start + gram.len()].fill(true);
                            first.get_or_insert(place as u32);
                            runs.push((place as u32, (place + width) as u32));
                        }
                    }
                }
                let one = found.matches.iter().find(|one| one.item == number);
                let words = covered.iter().filter(|word| **word).count() as u32;
                prop_assert_eq!(one.map_or(0, |one| one.words), words);
                prop_assert_eq!(one.map(|one| one.start), first);
                if let Some(one) = one {
                    let run = &document[one.start as usize..one.end as usize];
                    prop_assert!(item.windows(run.len()).any(|window| window == run));
                    prop_assert!((one.share - f64::from(words) / item.len() as f64).abs() < 1e-12);
                }
            }
            prop_assert_eq!(found.runs, united(runs));
        }
    }
}
