//! Data of passages between the searches and the final list: the rule that counts them, and a passage at
//! one of its positions.

use std::cmp::Reverse;

/// The conditions on a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassageRule {
    /// Minimum number of words of a run, 1 or more; `None` for single words that each stand for a unit such
    /// as a line.
    pub least_run: Option<u32>,
    /// Minimum number of documents.
    pub min_documents: u32,
    /// Minimum number of hosts. Documents of unknown hosts do not add to it.
    pub min_hosts: u32,
}

impl PassageRule {
    /// Whether a run that occurs in `documents` documents and on `hosts` hosts is a passage.
    pub(crate) fn counts(self, documents: u32, hosts: u32) -> bool {
        documents >= self.min_documents && hosts >= self.min_hosts
    }
}

/// Facts about the documents of a collection, by document number.
#[derive(Clone, Copy)]
pub(crate) struct DocumentFacts<'d> {
    /// Number of the host; `u32::MAX` if it is unknown.
    pub(crate) hosts: &'d [u32],
    /// Number of words.
    pub(crate) lengths: &'d [u32],
    /// Number of the first known document; `u32::MAX` without an index.
    pub(crate) known_from: u32,
}

/// Limits of the memory of a search, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct MemoryLimits {
    /// For hashes that are being sorted; further ones go to files.
    pub(crate) buffer: u64,
    /// For everything.
    pub(crate) total: u64,
}

/// A position in the collection: number of the document, and index of a word in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Place {
    pub(crate) document: u32,
    pub(crate) start: u32,
}

impl Place {
    /// Not a position. It is after all positions.
    pub(crate) const NONE: Place = Place {
        document: u32::MAX,
        start: u32::MAX,
    };
}

/// The first position of a run in each of the two longest documents that have it. The longest document
/// comes first; of equally long documents, the earlier. A missing position is [`Place::NONE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Longest(pub(crate) [Place; 2]);

impl Longest {
    pub(crate) const NONE: Longest = Longest([Place::NONE; 2]);

    /// Adds a position. `lengths` has the number of words of each document.
    pub(crate) fn add(&mut self, place: Place, lengths: &[u32]) {
        // Of several positions in one document, the first counts.
        if let Some(known) = self.0.iter_mut().find(|known| known.document == place.document) {
            *known = place.min(*known);
            return;
        }
        // `NONE` has no length and is after all positions, so that any position comes before it.
        let rank = |place: Place| (Reverse(lengths.get(place.document as usize).copied()), place);
        let [first, second] = self.0;
        if rank(place) < rank(first) {
            self.0 = [place, first];
        } else if rank(place) < rank(second) {
            self.0 = [first, place];
        }
    }

    pub(crate) fn add_all(&mut self, other: Longest, lengths: &[u32]) {
        other.0.into_iter().for_each(|place| self.add(place, lengths));
    }
}

/// A run that occurs at several positions, at one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) at: Place,
    /// Length in words.
    pub(crate) length: u32,
    /// The first of its positions. Together with the length, it identifies the run.
    pub(crate) first: Place,
    pub(crate) longest: Longest,
    pub(crate) places: u32,
    pub(crate) documents: u32,
    pub(crate) hosts: u32,
    /// Number of positions in known documents.
    pub(crate) known: u32,
}
