//! The trait of keepers.

use crate::keep::facts::DocumentFacts;
use crate::strategy::entry::Strategy;

/// A member of a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member<'a> {
    /// The document's number.
    pub document: u32,
    /// What is known of it.
    pub facts: DocumentFacts<'a>,
}

/// A keeper with its parameters.
pub trait Keeper: Strategy + CloneKeeper {
    /// Sorts the members of a cluster, the one to keep first. The order is total: it depends on the members alone, and where all else
    /// is equal, the one with the smaller number comes first, which is the order of the input.
    /// Returns why the first one comes before the second, as a noun phrase such as "earliest date".
    fn order(&self, members: &mut [Member<'_>]) -> &'static str;

    /// Whether the order of two members depends on these two alone, so that members can be ordered in parts. Default: yes.
    fn compares_alone(&self) -> bool {
        true
    }

    /// Appends bytes by which members are ordered as by [`order`](Self::order), smaller ones first; of equal ones the member with the
    /// smaller number is first. For those who order documents elsewhere, and only if members [compare alone](Self::compares_alone).
    /// No key is the beginning of another one.
    fn key(&self, facts: &DocumentFacts<'_>, out: &mut Vec<u8>);

    /// The field of documents that the order reads, by its name in their records: [`DocumentFacts::field`] has its value. Default: none.
    fn field(&self) -> Option<&str> {
        None
    }
}

/// Copies of a keeper behind a pointer, which everything that can be cloned has.
pub trait CloneKeeper {
    /// A copy.
    fn boxed(&self) -> Box<dyn Keeper>;
}

impl<S: Keeper + Clone + 'static> CloneKeeper for S {
    fn boxed(&self) -> Box<dyn Keeper> {
        Box::new(self.clone())
    }
}
