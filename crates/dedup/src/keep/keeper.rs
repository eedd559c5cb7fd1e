//! The trait of keepers.

use crate::keep::facts::DocumentFacts;
use crate::strategy::entry::Strategy;

/// A member of a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member<'a> {
    /// The document's number.
    pub document: u32,
    /// The facts about the document.
    pub facts: DocumentFacts<'a>,
}

/// A keeper with its parameters.
pub trait Keeper: Strategy + CloneKeeper {
    /// Sorts the members of a cluster, the member to keep first. The order is total and depends only on the members;
    /// members that are otherwise equal are ordered by number, which is the order of the input.
    /// Returns the reason why the first member precedes the second, as a noun phrase such as "earliest date".
    fn order(&self, members: &mut [Member<'_>]) -> &'static str;

    /// True if the order of two members depends only on these two, so that parts of the members can be ordered
    /// separately. Default: true.
    fn compares_alone(&self) -> bool {
        true
    }

    /// Appends bytes whose lexicographic order is that of [`order`](Self::order), the member to keep first. Members
    /// with equal keys are ordered by number. For callers that sort documents elsewhere; valid only if members [compare
    /// alone](Self::compares_alone). No key is a prefix of another key.
    fn key(&self, facts: &DocumentFacts<'_>, out: &mut Vec<u8>);

    /// The name of the field of records that the order reads; [`DocumentFacts::field`] must hold its value. Default:
    /// `None`.
    fn field(&self) -> Option<&str> {
        None
    }
}

/// Copies a keeper behind a pointer. Implemented for every keeper that is `Clone`.
pub trait CloneKeeper {
    /// A copy.
    fn boxed(&self) -> Box<dyn Keeper>;
}

impl<S: Keeper + Clone + 'static> CloneKeeper for S {
    fn boxed(&self) -> Box<dyn Keeper> {
        Box::new(self.clone())
    }
}
