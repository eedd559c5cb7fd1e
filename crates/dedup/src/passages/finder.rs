//! The search for passages: takes the words of documents, and returns passages with all their positions.

use std::cmp::Reverse;

use rayon::prelude::*;

use crate::candidates::join::spill::{Spill, SpillError};
use crate::numeric::narrow;
use crate::passages::found::{DocumentFacts, Found, MemoryLimits, PassageRule, Place};
use crate::passages::runs::common_runs;
use crate::passages::sequences::Sequences;
use crate::passages::units::equal_units;

/// A run of words that occurs at several positions of a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Document of its first position.
    pub document: u32,
    /// Index of its first word in that document.
    pub start: u32,
    /// Length in words.
    pub length: u32,
    /// Number of positions, including those inside longer passages. Positions may overlap.
    pub places: u32,
    /// Number of documents that have it.
    pub documents: u32,
    /// Number of known hosts that have it.
    pub hosts: u32,
    /// Number of positions in [known documents](Passages::known_from_here).
    pub known: u32,
    /// The first position of the passage in each of the two longest documents that have it: document, and
    /// index of the first word. The longest document comes first. Of equally long documents, the first one
    /// counts as longer.
    pub longest: [Option<(u32, u32)>; 2],
    /// Index of the longer passage that contains the first position of this passage. If there are several,
    /// the one that begins last.
    ///
    /// `None` if no longer passage contains that position; then it is an [`Occurrence`] of its own.
    pub within: Option<u32>,
}

/// A passage at a position where no longer passage contains it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Number of the document.
    pub document: u32,
    /// Index of the first word.
    pub start: u32,
    /// Index after the last word.
    pub end: u32,
    /// Index of the passage.
    pub passage: u32,
}

/// All passages of a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundPassages {
    /// Ordered by first occurrence.
    pub passages: Vec<Passage>,
    /// Ordered by document and position. Occurrences of a document may overlap, but none contains another.
    pub occurrences: Vec<Occurrence>,
}

impl FoundPassages {
    /// Returns the occurrences in a document.
    #[must_use]
    pub fn of_document(&self, document: u32) -> &[Occurrence] {
        // Occurrences are ordered by document, so those of a document are a range.
        let of = |number: u32| self.occurrences.partition_point(|one| one.document < number);
        &self.occurrences[of(document)..of(document.saturating_add(1))]
    }

    /// Returns the memory in bytes of both lists.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let passages = self.passages.capacity() * size_of::<Passage>();
        (passages + self.occurrences.capacity() * size_of::<Occurrence>()) as u64
    }
}

/// Finds passages: runs of words that occur at several positions of a collection, in one document or in several.
///
/// Documents are sequences of 64-bit words: hashes of tokens, or of whole lines. At every position, the
/// search finds the longest runs that also occur elsewhere and that the [rule](PassageRule) counts.
/// **Every** common run of at least the given length lies inside an [`Occurrence`] at each of its
/// positions, and no occurrence can be extended to either side. Words are compared, not texts: where two
/// hashes may be equal by chance or by design, callers compare the texts.
///
/// Apart from sorting, time is linear in the number of words, for any texts. So is the size of the result:
/// a document has at most one occurrence per word.
///
/// ```
/// use dehusk_dedup::{PassageRule, Passages, Spill, SpillError, SpillFile};
///
/// struct NoFiles;
/// impl Spill for NoFiles {
///     fn file(&self) -> Result<Box<dyn SpillFile>, SpillError> {
///         Err(SpillError::File("memory suffices here".into()))
///     }
/// }
///
/// let mut passages = Passages::new(Box::new(NoFiles), 1 << 20);
/// passages.add(None, &[1, 2, 3, 4, 5])?;
/// passages.add(None, &[9, 2, 3, 4, 8])?;
/// let rule = PassageRule { least_run: Some(3), min_documents: 2, min_hosts: 0 };
/// let found = passages.finish(rule, u64::MAX)?;
/// assert_eq!(found.passages.len(), 1);
/// assert_eq!((found.occurrences[1].document, found.occurrences[1].start, found.occurrences[1].end), (1, 1, 4));
/// # Ok::<(), SpillError>(())
/// ```
pub struct Passages {
    sequences: Sequences,
    hosts: Vec<u32>,
    /// By document, the number of its words.
    lengths: Vec<u32>,
    /// Number of the first known document; `u32::MAX` without an index.
    known_from: u32,
    spill: Box<dyn Spill>,
    /// Bytes of words, and of hashes being sorted, that stay in memory before they go to files.
    buffer: u64,
}

impl Passages {
    /// Returns an empty collection. Words, and hashes being sorted, beyond `buffer` bytes go to files of `spill`.
    #[must_use]
    pub fn new(spill: Box<dyn Spill>, buffer: u64) -> Self {
        Self {
            sequences: Sequences::new(buffer),
            hosts: Vec::new(),
            lengths: Vec::new(),
            known_from: u32::MAX,
            spill,
            buffer,
        }
    }

    /// Adds a document by its words and the number of its host, `None` if unknown. Documents are numbered from 0.
    ///
    /// Only the first 2^32 - 2 words count.
    ///
    /// # Errors
    /// If a temporary file cannot be written, or there are too many documents.
    pub fn add(&mut self, host: Option<u32>, words: &[u64]) -> Result<(), SpillError> {
        if u32::try_from(self.len() + 1).is_err() {
            return Err(SpillError::TooManyDocuments);
        }
        self.hosts.push(host.unwrap_or(u32::MAX));
        // The index after the last word must stay below the sentinel `u32::MAX`.
        let most = words.len().min(u32::MAX as usize - 1);
        self.lengths.push(narrow::to_u32(most));
        self.sequences.add(&words[..most], &*self.spill)
    }

    /// Marks all documents that are added from now on as known: their positions count, but no passage is
    /// returned for them. So the result has the passages of the earlier documents, with all their positions
    /// and documents. Memory is needed for the parts of known documents that others share.
    pub fn known_from_here(&mut self) {
        self.known_from = self.known_from.min(narrow::to_u32(self.len()));
    }

    /// Number of documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sequences.len()
    }

    /// True if there is no document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of words of all documents.
    #[must_use]
    pub fn words(&self) -> u64 {
        self.sequences.words()
    }

    /// Finds all passages within `memory` bytes, including words and hashes that are not in files, in the
    /// threads of the current rayon pool. The result depends neither on the number of threads nor on the
    /// memory.
    ///
    /// # Errors
    /// If a temporary file cannot be used, or the repeated parts need more memory; [`SpillError::Memory`]
    /// has the bytes needed.
    pub fn finish(self, rule: PassageRule, memory: u64) -> Result<FoundPassages, SpillError> {
        let Self {
            sequences,
            hosts,
            lengths,
            known_from,
            spill,
            buffer,
        } = self;
        let facts = DocumentFacts {
            hosts: &hosts,
            lengths: &lengths,
            known_from,
        };
        let limits = MemoryLimits {
            buffer,
            total: memory,
        };
        let found = match rule.least_run {
            Some(least) => common_runs(sequences, facts, least, rule, &*spill, limits)?,
            None => equal_units(sequences, facts, rule, &*spill, limits)?,
        };
        // `maximal` sorts by position, which `numbered` relies on.
        Ok(numbered(&maximal(found)))
    }
}

/// Drops runs that lie inside another run at the same position, and sorts by document and position.
///
/// A run may be found from several of its selected positions. A position that was selected because
/// of tokens outside the run is selected at some of the places of the run only. A position that was
/// selected because of tokens inside is selected at all of them, so it counts the most places: that one is
/// kept.
fn maximal(mut found: Vec<Found>) -> Vec<Found> {
    // At equal positions the longest run comes first, and of equal runs the one with most places.
    found.par_sort_unstable_by_key(|run| (run.at, Reverse(run.length), Reverse(run.places)));
    let (mut document, mut covered) = (u32::MAX, 0_u64);
    found.retain(|run| {
        let end = u64::from(run.at.start) + u64::from(run.length);
        if run.at.document != document {
            (document, covered) = (run.at.document, 0);
        }
        // A run that ends no further than a run before it lies inside that run.
        let reaches_further = end > covered;
        covered = covered.max(end);
        reaches_further
    });
    found
}

/// Numbers passages by their first occurrence.
fn numbered(found: &[Found]) -> FoundPassages {
    let mut order: Vec<u32> = (0..narrow::to_u32(found.len())).collect();
    // A run is identified by its first position and its length.
    let name = |run: &Found| (run.first, run.length);
    order.par_sort_unstable_by_key(|&number| (name(&found[number as usize]), number));
    let same = |a: &u32, b: &u32| name(&found[*a as usize]) == name(&found[*b as usize]);
    // `order` ascends within a group, so the first member of a group is the first occurrence of its
    // passage.
    let mut heads: Vec<u32> = order.chunk_by(same).map(|group| group[0]).collect();
    heads.sort_unstable();
    // `heads` has the index of the first occurrence of each passage, ascending, so a rank in it is the
    // number of the passage.
    let mut passage_of = vec![0_u32; found.len()];
    for group in order.chunk_by(same) {
        // The first occurrence of each group is in `heads`.
        let number = narrow::to_u32(heads.partition_point(|head| *head < group[0]));
        group.iter().for_each(|&one| passage_of[one as usize] = number);
    }
    let occurrences: Vec<Occurrence> = found
        .iter()
        .zip(&passage_of)
        .map(|(run, &passage)| Occurrence {
            document: run.at.document,
            start: run.at.start,
            end: run.at.start + run.length,
            passage,
        })
        .collect();
    let passages = heads.iter().map(|&head| {
        let run = &found[head as usize];
        let end = run.first.start + run.length;
        // After `maximal`, runs of a document end in the order in which they begin: the last one that
        // begins here or earlier reaches furthest.
        let before = occurrences
            .partition_point(|one| (one.document, one.start) <= (run.first.document, run.first.start));
        let around = before.checked_sub(1).map(|place| occurrences[place]);
        let around = around.filter(|one| one.document == run.first.document && one.end >= end);
        debug_assert!(
            around.is_some(),
            "a run is part of the longest one at each of its places"
        );
        Passage {
            document: run.first.document,
            start: run.first.start,
            length: run.length,
            places: run.places,
            documents: run.documents,
            hosts: run.hosts,
            known: run.known,
            longest: run
                .longest
                .0
                .map(|place| (place != Place::NONE).then_some((place.document, place.start))),
            within: around
                .filter(|one| one.end - one.start > run.length)
                .map(|one| one.passage),
        }
    });
    FoundPassages {
        passages: passages.collect(),
        occurrences,
    }
}
