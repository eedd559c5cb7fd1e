//! Lookup of documents in an index.
//!
//! Candidates are the documents of the index that share a key with a new document: up to `max_bucket` for
//! each key, chosen by the smallest hashes of content and text. A new document is compared with a quarter
//! of `max_bucket` of its candidates: the candidates that share most keys with it. The smallest hashes
//! break ties. So the work for each new document is bounded even where all texts share keys, such as pages
//! of one template. Removed documents are skipped.
//!
//! An answer therefore depends only on the new document and on the documents of the index: not on segments,
//! on the history of the index, or on other new documents. An answer states whether documents were skipped.
//!
//! With [containment](dehusk_dedup::candidates::Containment), a search among documents looks up only some keys of each. Here all keys are
//! looked up, and documents with enough common keys are compared: the index cannot know which of its documents a new one will contain.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use dehusk_dedup::Contained;
use dehusk_dedup::candidates::{KeyProbe, ProbeGroup};
use dehusk_html::narrow;

use crate::error::Error;
use crate::record::Match;
use crate::record::document::round;
use crate::record::weight::Weight;
use crate::search::index::segment::{PassageWords, SegmentReader, TextHash};
use crate::search::index::store::Index;

/// A new document, to be looked up in the index.
pub(crate) struct IncomingDocument {
    pub(crate) id: String,
    /// Hashes of its content and its text; `None` if it has no tokens.
    pub(crate) text: Option<TextHash>,
    pub(crate) keys: Vec<u64>,
    pub(crate) features: Vec<u64>,
    /// The weight stated in its record; `None` unless requested.
    pub(crate) weight: Option<Weight>,
    /// Its host and words for passages; `None` unless requested.
    pub(crate) passages: Option<PassageWords>,
}

impl IncomingDocument {
    /// Bytes of memory while the document waits for its batch.
    pub(super) fn bytes(&self) -> u64 {
        8 * (self.keys.len() + self.features.len()) as u64 + 200
    }
}

/// A document of the index that is similar to a new one.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) row: Match,
    /// Which document contains the other. The first is the new document.
    pub(super) contained: Contained,
}

impl Found {
    /// Whether the document of the index represents the new one. It does not if it is only contained in the new one.
    pub(super) fn stands_for_new(&self) -> bool {
        self.contained != Contained::Second
    }
}

/// Result of looking up a new document.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    /// Matches, most similar first, then by id.
    pub(super) matches: Vec<Found>,
    /// Number of keys of the document that are shared with more documents of the index than were compared.
    pub(super) capped: u32,
}

/// An index opened for lookups. Concurrent changes of the index do not affect the answers.
pub(super) struct Lookup<'i> {
    index: &'i Index,
    segments: Vec<SegmentReader>,
    /// Maximum number of candidate pairs in memory, unless a single document has more.
    most: usize,
}

/// A document of the index that shares a key with new documents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    column: u32,
    /// Index of the key among the looked-up keys of the column.
    key: u32,
    segment: u32,
    document: u32,
}

/// A key that a document of the index and a new one share: segment and number of the stored document,
/// number of the new one, and number of the key among all keys that are looked up.
type Shared = (u32, u32, u32, u32);

/// Whether two shared keys are of one pair of documents.
fn is_same_pair(a: &Shared, b: &Shared) -> bool {
    (a.0, a.1, a.2) == (b.0, b.1, b.2)
}

/// Candidate pairs, once for each common key, and the capped keys of each new document.
struct Candidates {
    pairs: Vec<Shared>,
    /// New documents and their keys that more documents of the index have than are candidates.
    capped: BTreeSet<(u32, u32)>,
}

/// Bytes of memory of a pair while pairs are gathered and sorted.
const PAIR_BYTES: u64 = 32;

impl<'i> Lookup<'i> {
    /// A lookup whose candidate pairs take up to `bytes` bytes of memory.
    pub(super) fn new(index: &'i Index, bytes: u64) -> Result<Self, Error> {
        Ok(Self {
            index,
            segments: index.segments()?,
            most: usize::try_from(bytes / PAIR_BYTES).unwrap_or(usize::MAX),
        })
    }

    /// The answers for new documents, in their order.
    pub(super) fn answers(&mut self, incoming: &[IncomingDocument]) -> Result<Vec<Answer>, Error> {
        let mut answers = vec![Answer::default(); incoming.len()];
        // Matches by content go first: `Answer::sort` keeps the first match of an id.
        self.add_equal(incoming, &mut answers)?;
        // A stack of batches. Batches need no order, since each has its own slice of answers.
        let mut waiting = vec![(incoming, &mut answers[..])];
        while let Some((documents, answers)) = waiting.pop() {
            match self.candidates(documents)? {
                Some(candidates) => self.add_similar(documents, candidates, answers)?,
                None => {
                    // Too many pairs for the memory: the batch is split in two. A single document is never
                    // split, see `too_many`.
                    let middle = documents.len() / 2;
                    let (first, second) = documents.split_at(middle);
                    let (to_first, to_second) = answers.split_at_mut(middle);
                    waiting.extend([(second, to_second), (first, to_first)]);
                }
            }
        }
        answers.iter_mut().for_each(Answer::sort);
        Ok(answers)
    }

    /// Adds the documents with equal content: exact duplicates, and documents that are equal only after normalization.
    fn add_equal(&mut self, incoming: &[IncomingDocument], answers: &mut [Answer]) -> Result<(), Error> {
        let mut by_content: BTreeMap<u128, Vec<usize>> = BTreeMap::new();
        for (number, document) in incoming.iter().enumerate() {
            if let Some((content, _)) = document.text {
                by_content.entry(content).or_default().push(number);
            }
        }
        let (matcher, measure) = (&self.index.methods.matcher, self.index.methods.similarity);
        for reader in &mut self.segments {
            let mut equal = Vec::new();
            reader.find_contents(by_content.keys().copied(), |document, text| {
                equal.push((document, text));
            })?;
            for (document, text) in equal {
                let id = reader.id(document)?;
                // Equal contents are equal features, so similarity is 1 without comparing.
                for &number in by_content.get(&text.0).into_iter().flatten() {
                    let exact = incoming[number].text == Some(text);
                    let features = &incoming[number].features;
                    let row = Match {
                        id: id.clone(),
                        similarity: 1.0,
                        estimate: Some(1.0),
                        // Both have the same shingles: all of them are shared.
                        shared_shingles: matcher.shared_shingles(features, features),
                        method: if exact { "exact" } else { measure },
                        contained: None,
                    };
                    answers[number].matches.push(Found {
                        row,
                        contained: Contained::Both,
                    });
                }
            }
            reader.forget();
        }
        Ok(())
    }

    /// The candidate pairs. `None` if there are too many for this number of new documents.
    fn candidates(&mut self, incoming: &[IncomingDocument]) -> Result<Option<Candidates>, Error> {
        let columns = self.index.methods.columns;
        let rows: Vec<&[u64]> = incoming.iter().map(|document| document.keys.as_slice()).collect();
        let probe = KeyProbe::new(columns, &rows);
        let (most_pairs, several) = (self.most, incoming.len() > 1);
        let too_many = |count: usize| count > most_pairs && several;
        // Segments return the documents of a key in the order of their contents. So one more than the limit
        // from each segment suffices to notice a cap and to choose the first members.
        let most = columns.limit.members().saturating_add(1);
        let mut hits: Vec<Hit> = Vec::new();
        for (segment, reader) in (0..).zip(&mut self.segments) {
            for column in 0..columns.columns {
                let keys = probe.column(column).map(ProbeGroup::key);
                reader.find_keys(column, keys, most, |key, document| {
                    hits.push(Hit {
                        column,
                        key,
                        segment,
                        document,
                    });
                })?;
                if too_many(hits.len()) {
                    return Ok(None);
                }
            }
            reader.forget();
        }
        // Sorted by column and key, the hits of a key are adjacent, over all segments. The loops below walk
        // keys in that order and consume `rest`.
        hits.sort_unstable();
        let mut capped = BTreeSet::new();
        let mut pairs: Vec<Shared> = Vec::new();
        let (mut rest, mut key_number) = (hits.as_slice(), 0);
        for column in 0..columns.columns {
            for (key, group) in (0..).zip(probe.column(column)) {
                let count = rest
                    .iter()
                    .take_while(|hit| (hit.column, hit.key) == (column, key))
                    .count();
                let (stored, others) = rest.split_at(count);
                rest = others;
                let first;
                let stored = if columns.limit.caps(count) {
                    capped.extend(group.documents().map(|number| (number, key_number)));
                    first = self.first_by_text(stored, columns.limit.members())?;
                    &first
                } else {
                    stored
                };
                // Every stored document of the key pairs with every new document that has it.
                if too_many(pairs.len() + stored.len() * group.documents().len()) {
                    return Ok(None);
                }
                for hit in stored {
                    let numbers = group.documents();
                    pairs.extend(numbers.map(|number| (hit.segment, hit.document, number, key_number)));
                }
                key_number += 1;
            }
        }
        Ok(Some(Candidates { pairs, capped }))
    }

    /// The first `members` documents by the hashes of their contents and texts.
    fn first_by_text(&mut self, hits: &[Hit], members: usize) -> Result<Vec<Hit>, Error> {
        let mut by_text = Vec::with_capacity(hits.len());
        for &hit in hits {
            let text = self.segments[hit.segment as usize].text(hit.document)?;
            by_text.push((text, hit));
        }
        by_text.sort_unstable();
        by_text.truncate(members);
        Ok(by_text.into_iter().map(|(_, hit)| hit).collect())
    }

    /// Chooses the candidates to compare for each new document that has more candidates than the limit.
    /// Candidates that share most keys with the document are chosen. Returns the new documents with the
    /// keys that they share with candidates left out.
    fn choose(&mut self, pairs: &mut Vec<Shared>) -> Result<BTreeSet<(u32, u32)>, Error> {
        let most = self.index.methods.columns.limit.lookups();
        // Sorted, the common keys of a pair are adjacent: a chunk is a pair, and its length the number of
        // common keys.
        pairs.sort_unstable();
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for pair in pairs.chunk_by(is_same_pair) {
            *counts.entry(pair[0].2).or_default() += 1;
        }
        // The candidates of each document that has too many, by the number of common keys.
        counts.retain(|_, count| *count > most);
        let mut ranked: BTreeMap<u32, Vec<(Reverse<usize>, u32, u32)>> = BTreeMap::new();
        for pair in pairs.chunk_by(is_same_pair) {
            let (segment, document, number, _) = pair[0];
            if counts.contains_key(&number) {
                let of_number = ranked.entry(number).or_default();
                of_number.push((Reverse(pair.len()), segment, document));
            }
        }
        let mut kept: Vec<(u32, u32, u32)> = Vec::new();
        for (&number, ranked) in &mut ranked {
            ranked.sort_unstable();
            // Ties are broken by text hash. Only candidates tied with the last place need it, and each hash
            // takes a read from the segment.
            let last = ranked[most - 1].0;
            let before = ranked.partition_point(|one| one.0 < last);
            let equal = ranked.partition_point(|one| one.0 <= last);
            let mut by_text = Vec::with_capacity(equal - before);
            for &(_, segment, document) in &ranked[before..equal] {
                by_text.push((self.segments[segment as usize].text(document)?, segment, document));
            }
            by_text.sort_unstable();
            let first = ranked[..before]
                .iter()
                .map(|&(_, segment, document)| (segment, document));
            let rest = by_text[..most - before]
                .iter()
                .map(|&(_, segment, document)| (segment, document));
            kept.extend(
                first
                    .chain(rest)
                    .map(|(segment, document)| (segment, document, number)),
            );
        }
        kept.sort_unstable();
        let mut keys = BTreeSet::new();
        // `kept` has at most `most` candidates for each document in `counts`. Documents that are not in
        // `counts` keep all of theirs.
        pairs.retain(|&(segment, document, number, key)| {
            let stays =
                !counts.contains_key(&number) || kept.binary_search(&(segment, document, number)).is_ok();
            if !stays {
                keys.insert((number, key));
            }
            stays
        });
        Ok(keys)
    }

    /// Compares candidate pairs, and adds the similar ones to the answers.
    fn add_similar(
        &mut self,
        incoming: &[IncomingDocument],
        Candidates { mut pairs, capped }: Candidates,
        answers: &mut [Answer],
    ) -> Result<(), Error> {
        let left_out = self.choose(&mut pairs)?;
        for (number, _) in capped.union(&left_out) {
            answers[*number as usize].capped += 1;
        }
        // Number of capped keys of each new document. Whether a compared document shares them is unknown.
        let mut unknown = vec![0_u32; incoming.len()];
        for (number, _) in &capped {
            unknown[*number as usize] += 1;
        }
        let methods = &self.index.methods;
        for of_segment in pairs.chunk_by(|a, b| a.0 == b.0) {
            let reader = &mut self.segments[of_segment[0].0 as usize];
            for of_document in of_segment.chunk_by(|a, b| a.1 == b.1) {
                let document = of_document[0].1;
                let words = reader.feature_words(document)?;
                let mut features = Vec::new();
                for times in of_document.chunk_by(is_same_pair) {
                    let number = times[0].2 as usize;
                    let other = &incoming[number].features;
                    // Skipped documents may share each capped key, too. The bound on equal keys must count
                    // them, or true matches are lost.
                    let most_equal = times.len() + unknown[number] as usize;
                    if most_equal < methods.matcher.least_equal(other.len(), words) {
                        continue;
                    }
                    // Features are read once for a stored document, and only if some pair passes the bound.
                    if features.is_empty() {
                        features = reader.features(document)?;
                    }
                    let Some((similarity, contained)) = methods.matcher.compare_sides(other, &features)
                    else {
                        continue;
                    };
                    // Common keys of skipped documents are unknown, so that there is no estimate.
                    let equal = (unknown[number] == 0).then_some(narrow::to_u32(times.len()));
                    let id = reader.id(document)?;
                    let row = Match {
                        similarity,
                        estimate: equal.and_then(|equal| methods.matcher.estimate(equal)).map(round),
                        shared_shingles: methods.matcher.shared_shingles(&features, other),
                        method: methods.similarity,
                        contained: match contained {
                            Contained::First => Some(incoming[number].id.clone()),
                            Contained::Second => Some(id.clone()),
                            Contained::Neither | Contained::Both => None,
                        },
                        id,
                    };
                    answers[number].matches.push(Found { row, contained });
                }
            }
            reader.forget();
        }
        Ok(())
    }
}

impl Answer {
    /// Sorts the matches and removes repeated ones: documents with equal content are also found by their keys.
    fn sort(&mut self) {
        let exact = |found: &Found| found.row.is_exact();
        // The sort is stable: of equal ids, the match by content comes first, since it was added first.
        self.matches.sort_by(|a, b| a.row.id.cmp(&b.row.id));
        self.matches.dedup_by(|later, first| later.row.id == first.row.id);
        self.matches.sort_by(|a, b| {
            (exact(b).cmp(&exact(a)))
                .then(b.row.similarity.total_cmp(&a.row.similarity))
                .then_with(|| a.row.id.cmp(&b.row.id))
        });
    }

    /// The rows of all matches.
    pub(super) fn rows(self) -> Vec<Match> {
        self.matches.into_iter().map(|found| found.row).collect()
    }

    /// The rows of the matches that represent the new document.
    pub(super) fn rows_that_stand(self) -> Vec<Match> {
        let stand = self.matches.into_iter().filter(Found::stands_for_new);
        stand.map(|found| found.row).collect()
    }
}
