//! Data of passages between the searches and the final list: the rule that counts them, and a passage at one of its positions.

/// The conditions on a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassageRule {
    /// Least number of words of a run, 1 or more; `None` for single words, each of which stands for a unit such as a line.
    pub least_run: Option<u32>,
    /// Least number of documents.
    pub min_documents: u32,
    /// Least number of hosts. Documents of unknown hosts do not add to it.
    pub min_hosts: u32,
}

impl PassageRule {
    /// Whether a run that occurs in `documents` documents and on `hosts` hosts is a passage.
    pub(crate) fn counts(self, documents: u32, hosts: u32) -> bool {
        documents >= self.min_documents && hosts >= self.min_hosts
    }
}

/// A position in the collection: number of the document, and index of a word in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Place {
    pub(crate) document: u32,
    pub(crate) start: u32,
}

/// A run that occurs at several positions, at one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) at: Place,
    /// Length in words.
    pub(crate) length: u32,
    /// The first of its positions. Together with the length, it identifies the run.
    pub(crate) first: Place,
    pub(crate) places: u32,
    pub(crate) documents: u32,
    pub(crate) hosts: u32,
}
