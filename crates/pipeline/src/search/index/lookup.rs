//! Looking documents up in an index.
//!
//! The documents of the index that have a key of a new document are compared with it: all of them up to `max_bucket`, and of more
//! those with the smallest hashes of their contents and texts. Removed documents do not count. So an answer depends on the new document and on
//! what the index holds, and not on the segments that hold it, on what was there before, or on other new documents. Where documents
//! were passed over, the answer says so.
//!
//! Where documents ask by some of their keys in a [search](dehusk_dedup::candidates::Containment), all keys are looked up here, and
//! documents are compared that have enough of them in common: the index cannot know which of its documents a new one will contain.

use std::collections::BTreeMap;

use dehusk_dedup::Contained;
use dehusk_dedup::candidates::{KeyProbe, ProbeGroup};

use crate::error::Error;
use crate::record::Match;
use crate::record::document::round;
use crate::record::weight::Weight;
use crate::search::index::segment::{SegmentReader, TextHash};
use crate::search::index::store::Index;

/// A new document, to be looked up in the index.
pub(crate) struct IncomingDocument {
    pub(crate) id: String,
    /// The hashes of its content and its text. None if it has no tokens.
    pub(crate) text: Option<TextHash>,
    pub(crate) keys: Vec<u64>,
    pub(crate) features: Vec<u64>,
    /// What its record says of how many documents it stands for, if that is asked for.
    pub(crate) weight: Option<Weight>,
}

impl IncomingDocument {
    pub(super) fn bytes(&self) -> u64 {
        8 * (self.keys.len() + self.features.len()) as u64 + 200
    }
}

/// A document of the index that is similar to a new one.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) row: Match,
    /// Which one lies inside the other: the first is the new document.
    pub(super) contained: Contained,
}

impl Found {
    /// Whether the document of the index stands for the new one: not if it is only a part of that.
    pub(super) fn stands_for_new(&self) -> bool {
        self.contained != Contained::Second
    }
}

/// What the index has of a new document.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    /// The most similar first, then by id.
    pub(super) matches: Vec<Found>,
    /// Keys of the document that more documents of the index have than were compared with it.
    pub(super) capped: u32,
}

/// An index that is open for questions. What changes it meanwhile does not change the answers.
pub(super) struct Lookup<'i> {
    index: &'i Index,
    segments: Vec<SegmentReader>,
    /// Pairs of documents that are gathered at once, unless a single document has more.
    most: usize,
}

/// A document of the index that has a key of new documents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    column: u32,
    /// Place of the key among those of the column.
    key: u32,
    segment: u32,
    document: u32,
}

/// A document of the index, by segment and number, and the number of a new one.
type Pair = (u32, u32, u32);

/// Pairs of documents that have a common key, once for each, and the number of capped keys of each new document.
struct Candidates {
    pairs: Vec<Pair>,
    capped: Vec<u32>,
}

/// Bytes that a pair takes while pairs are gathered and sorted.
const PAIR_BYTES: u64 = 32;

impl<'i> Lookup<'i> {
    /// Pairs of documents take up to `bytes` of memory at once.
    pub(super) fn new(index: &'i Index, bytes: u64) -> Result<Self, Error> {
        Ok(Self {
            index,
            segments: index.segments()?,
            most: usize::try_from(bytes / PAIR_BYTES).unwrap_or(usize::MAX),
        })
    }

    /// What the index has of each new document.
    pub(super) fn answers(&mut self, incoming: &[IncomingDocument]) -> Result<Vec<Answer>, Error> {
        let mut answers = vec![Answer::default(); incoming.len()];
        self.add_equal(incoming, &mut answers)?;
        let mut waiting = vec![(incoming, &mut answers[..])];
        while let Some((documents, answers)) = waiting.pop() {
            match self.candidates(documents)? {
                Some(candidates) => self.add_similar(documents, candidates, answers)?,
                None => {
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

    /// Adds the documents of equal content: exact duplicates, and those that only the profile makes equal.
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
                for &number in by_content.get(&text.0).into_iter().flatten() {
                    let exact = incoming[number].text == Some(text);
                    let features = &incoming[number].features;
                    let row = Match {
                        id: id.clone(),
                        similarity: 1.0,
                        estimate: Some(1.0),
                        // All of its own.
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

    /// The pairs of documents to compare. None if they are too many for so many new documents at once.
    fn candidates(&mut self, incoming: &[IncomingDocument]) -> Result<Option<Candidates>, Error> {
        let columns = self.index.methods.columns;
        let rows: Vec<&[u64]> = incoming.iter().map(|document| document.keys.as_slice()).collect();
        let probe = KeyProbe::new(columns, &rows);
        let (most_pairs, several) = (self.most, incoming.len() > 1);
        let too_many = |count: usize| count > most_pairs && several;
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
        hits.sort_unstable();
        let mut capped = vec![0; incoming.len()];
        let mut pairs: Vec<Pair> = Vec::new();
        let mut rest = hits.as_slice();
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
                    group.documents().for_each(|number| capped[number as usize] += 1);
                    first = self.first_by_text(stored, columns.limit.members())?;
                    &first
                } else {
                    stored
                };
                if too_many(pairs.len() + stored.len() * group.documents().len()) {
                    return Ok(None);
                }
                for hit in stored {
                    let numbers = group.documents();
                    pairs.extend(numbers.map(|number| (hit.segment, hit.document, number)));
                }
            }
        }
        Ok(Some(Candidates { pairs, capped }))
    }

    /// The first `members` documents in the order of the hashes of their contents and texts.
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

    /// Compares the documents of pairs, and adds those that are similar.
    fn add_similar(
        &mut self,
        incoming: &[IncomingDocument],
        Candidates { mut pairs, capped }: Candidates,
        answers: &mut [Answer],
    ) -> Result<(), Error> {
        for (answer, capped) in answers.iter_mut().zip(&capped) {
            answer.capped = *capped;
        }
        let methods = &self.index.methods;
        pairs.sort_unstable();
        for of_segment in pairs.chunk_by(|a, b| a.0 == b.0) {
            let reader = &mut self.segments[of_segment[0].0 as usize];
            for of_document in of_segment.chunk_by(|a, b| a.1 == b.1) {
                let document = of_document[0].1;
                let words = reader.feature_words(document)?;
                let mut features = Vec::new();
                for times in of_document.chunk_by(|a, b| a == b) {
                    let number = times[0].2 as usize;
                    let other = &incoming[number].features;
                    // Each capped key may be equal, too.
                    let most_equal = times.len() + capped[number] as usize;
                    if most_equal < methods.matcher.least_equal(other.len(), words) {
                        continue;
                    }
                    if features.is_empty() {
                        features = reader.features(document)?;
                    }
                    let Some((similarity, contained)) = methods.matcher.compare_sides(other, &features)
                    else {
                        continue;
                    };
                    // Equal keys of documents that were passed over were not counted.
                    let equal = (capped[number] == 0).then_some(times.len() as u32);
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
    /// Puts the matches in order, each document once: those of equal content are also found by their keys.
    fn sort(&mut self) {
        let exact = |found: &Found| found.row.is_exact();
        // Stable: of equal ids, the match by content comes first, since it was added first.
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

    /// The rows of those that stand for the new document.
    pub(super) fn rows_that_stand(self) -> Vec<Match> {
        let stand = self.matches.into_iter().filter(Found::stands_for_new);
        stand.map(|found| found.row).collect()
    }
}
