//! The data for decisions about documents, and the keeper's order of documents.

use crate::candidates::pair::ScoredPair;
use crate::engine::document_rows::DocumentKind;
use crate::engine::exact_groups::ExactGroups;
use crate::engine::options::Options;
use crate::keep::facts::FactSource;
use crate::keep::keeper::Member;

/// The data for decisions about documents.
pub(crate) struct Decider<'a, S: ?Sized> {
    pub(crate) options: &'a Options,
    pub(crate) kinds: &'a [DocumentKind],
    pub(crate) contents: &'a [u128],
    /// Hash of the text of each document. Documents of equal content are exact duplicates only if these hashes are
    /// equal.
    pub(crate) exacts: &'a [u64],
    pub(crate) facts: &'a S,
    /// Verified pairs, sorted.
    pub(crate) pairs: &'a [ScoredPair],
    /// Pairs below the threshold whose similarity was measured, sorted.
    pub(crate) measured: &'a [ScoredPair],
    pub(crate) exact_groups: &'a ExactGroups,
}

impl<S: FactSource + ?Sized> Decider<'_, S> {
    /// These documents in the keeper's order, and the reason why the first one precedes the second.
    pub(crate) fn members(&self, documents: &[u32]) -> (Vec<Member<'_>>, &'static str) {
        let options = self.options;
        let facts = |document| options.believed(self.facts.facts(document));
        let mut members: Vec<Member<'_>> = documents
            .iter()
            .map(|&document| Member {
                document,
                facts: facts(document),
            })
            .collect();
        let because = options.keeper.order(&mut members);
        (members, because)
    }

    /// These documents in the keeper's order, preferred first.
    pub(crate) fn order(&self, documents: &[u32]) -> Vec<u32> {
        let (members, _) = self.members(documents);
        debug_assert_eq!(
            members.len(),
            documents.len(),
            "a keeper orders and drops nothing"
        );
        members.iter().map(|member| member.document).collect()
    }

    /// For each of these documents, its rank in the keeper's order: 0 is preferred.
    pub(crate) fn places(&self, documents: &[u32]) -> Vec<u32> {
        // `documents` may be in any order, so numbers are found by a sorted copy.
        let mut numbers: Vec<(u32, u32)> = documents.iter().copied().zip(0..).collect();
        numbers.sort_unstable();
        let mut places = vec![0; documents.len()];
        for (place, document) in (0..).zip(self.order(documents)) {
            if let Ok(number) = numbers.binary_search_by_key(&document, |(document, _)| *document) {
                places[numbers[number].1 as usize] = place;
            }
        }
        places
    }
}
