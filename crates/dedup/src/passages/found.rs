//! Passages on the way from the searches to the list of all: which count, and one at one of its places.

/// What counts as a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassageRule {
    /// Words of the shortest run, 1 or more; `None` for single words, each of which stands for a unit such as a line.
    pub least_run: Option<u32>,
    /// Documents in which it stands at least.
    pub min_documents: u32,
    /// Hosts on which it stands at least; documents of unknown hosts count for none.
    pub min_hosts: u32,
}

impl PassageRule {
    /// Whether what stands in so many documents and on so many hosts is a passage.
    pub(crate) fn counts(self, documents: u32, hosts: u32) -> bool {
        documents >= self.min_documents && hosts >= self.min_hosts
    }
}

/// A place in a document: its number, and that of a word in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Place {
    pub(crate) document: u32,
    pub(crate) start: u32,
}

/// A run that stands at several places, at one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) at: Place,
    /// Words.
    pub(crate) length: u32,
    /// The first of its places: with the length, it says which run it is.
    pub(crate) first: Place,
    pub(crate) places: u32,
    pub(crate) documents: u32,
    pub(crate) hosts: u32,
}
