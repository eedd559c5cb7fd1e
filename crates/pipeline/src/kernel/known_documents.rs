//! Documents with duplicates in an index, and the actions for them.

use std::collections::BTreeMap;

use dehusk_dedup::Action;

use crate::record::Match;
use crate::settings::Policy;
use crate::settings::table::Settings;

/// Documents by number, with the matching documents of an index, most similar first.
pub(crate) struct KnownDocuments {
    matches: BTreeMap<u32, Vec<Match>>,
    exact: Action,
    near: Action,
}

impl KnownDocuments {
    /// Creates the table. Documents with an empty list of matches are left out.
    pub(crate) fn new(settings: &Settings, mut matches: BTreeMap<u32, Vec<Match>>) -> Self {
        matches.retain(|_, matches| !matches.is_empty());
        let Policy(exact) = settings.on_exact.unwrap_or_default();
        let Policy(near) = settings.on_near.unwrap_or_default();
        KnownDocuments { matches, exact, near }
    }

    /// Keeps only the documents for which `wanted` returns `true`.
    pub(crate) fn retain(&mut self, wanted: impl Fn(u32) -> bool) {
        self.matches.retain(|document, _| wanted(*document));
    }

    /// Returns the action for a document, set separately for exact and for near-duplicates. `None` if the
    /// index has no duplicate of it.
    pub(crate) fn action(&self, document: u32) -> Option<Action> {
        let first = self.first(document)?;
        Some(if first.is_exact() { self.exact } else { self.near })
    }

    /// Returns the documents that are deleted.
    pub(crate) fn gone(&self) -> impl Iterator<Item = u32> {
        let all = self.matches.keys().copied();
        all.filter(|document| self.action(*document) == Some(Action::Delete))
    }

    /// Returns the most similar document of the index: an exact duplicate, if there is one.
    pub(crate) fn first(&self, document: u32) -> Option<&Match> {
        self.matches.get(&document)?.first()
    }

    /// Returns all documents in ascending order, with their matches.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &[Match])> {
        let all = self.matches.iter();
        all.map(|(document, matches)| (*document, matches.as_slice()))
    }
}
