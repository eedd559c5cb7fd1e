//! Groups of documents with equal content.

use rayon::prelude::*;

use crate::cluster::clusters::Clusters;
use crate::engine::document_rows::DocumentKind;
use crate::numeric::narrow;
use crate::numeric::radix::sort_by_upper_half;

/// Groups of documents with equal content, that is, equal tokens. The search for pairs reads only the first document of
/// each group. Members are exact duplicates only if the hashes of their texts are equal too; see
/// [`Outcome::is_exact`](crate::Outcome::is_exact).
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExactGroups {
    groups: Clusters,
    /// The group number of each document, or [`ALONE`].
    numbers: Vec<u32>,
}

/// The group number of a document in no group.
const ALONE: u32 = u32::MAX;

/// Number of upper bits of a content hash that choose its part. Parts are grouped in parallel.
const PART_BITS: u32 = 2;

/// The groups of two or more documents with equal content, for one part: content hashes whose upper bits are `part`.
fn groups_of(part: u128, kinds: &[DocumentKind], contents: &[u128]) -> Vec<Vec<u32>> {
    let content = |word: u64| contents[narrow::low_half(word) as usize];
    let is_of = |content: u128| content >> (u128::BITS - PART_BITS) == part;
    let mut words: Vec<u64> = (0_u64..)
        .zip(kinds)
        .zip(contents)
        .filter(|((_, kind), content)| is_of(**content) && kind.takes_part())
        // The upper 32 bits of the content choose the order; the document is below.
        .map(|((document, _), content)| ((content >> 96) as u64) << 32 | document)
        .collect();
    sort_by_upper_half(&mut words, &mut Vec::new());
    let mut groups = Vec::new();
    // Documents that agree in 32 bits of their contents are compared in all bits.
    for words in words
        .chunk_by_mut(|a, b| *a >> 32 == *b >> 32)
        .filter(|words| words.len() > 1)
    {
        words.sort_by_key(|&word| content(word)); // stable: documents with equal contents still ascend
        let equal = words
            .chunk_by(|&a, &b| content(a) == content(b))
            .filter(|group| group.len() > 1);
        groups.extend(equal.map(|group| group.iter().map(|&word| narrow::low_half(word)).collect()));
    }
    groups
}

impl ExactGroups {
    /// Groups the documents that take part by content hash, in the threads of the current rayon pool.
    pub(crate) fn find(kinds: &[DocumentKind], contents: &[u128]) -> Self {
        let parts: Vec<Vec<Vec<u32>>> = (0..1 << PART_BITS)
            .into_par_iter()
            .map(|part| groups_of(part, kinds, contents))
            .collect();
        // Parts do not share contents, so their groups are simply joined.
        let groups = parts.into_iter().flatten().collect();
        let groups = Clusters::from_groups(groups);
        let mut numbers = vec![ALONE; kinds.len()];
        for (number, group) in (0..).zip(groups.iter()) {
            for &document in group {
                numbers[document as usize] = number;
            }
        }
        Self { groups, numbers }
    }

    /// The groups of two or more documents with equal content.
    #[must_use]
    pub fn groups(&self) -> &Clusters {
        &self.groups
    }

    /// The smallest number of a document with the same content: `document` itself if it is the first or only one.
    #[must_use]
    pub fn first(&self, document: u32) -> u32 {
        self.copies(document).map_or(document, |copies| copies[0])
    }

    /// All documents with the content of `document`, ascending. `None` if no other document has this content.
    #[must_use]
    #[inline]
    pub fn copies(&self, document: u32) -> Option<&[u32]> {
        let number = self.numbers.get(document as usize).copied().unwrap_or(ALONE);
        (number != ALONE).then(|| self.groups.group(number as usize))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::engine::compiled::CompiledOptions;
    use crate::engine::deduper::Deduper;
    use crate::engine::options::{Action, Options};
    use crate::engine::outcome::{Outcome, Reason};
    use crate::engine::verified_pairs::VerifiedPairs;
    use crate::text::tokens::Tokens;

    fn outcome(options: Options, texts: &[(u128, u64)]) -> Outcome {
        let compiled = Arc::new(CompiledOptions::new(options).unwrap());
        let documents = texts
            .iter()
            .map(|&(content, exact)| (DocumentKind::Full, content, exact));
        VerifiedPairs::from_pairs(compiled, documents, Vec::new()).cluster(&())
    }

    fn reasons(outcome: &Outcome) -> Vec<(&'static str, Action)> {
        let decisions = outcome.decisions.iter();
        decisions
            .map(|decision| (decision.reason.name(), decision.action))
            .collect()
    }

    #[test]
    fn equal_content_is_exact_only_if_the_text_is() {
        let texts = [(1, 1), (1, 2), (1, 1), (1, 2), (2, 1)];
        let near = Options::default().with_actions(Action::Delete, Action::Keep);
        let found = outcome(near, &texts);
        assert_eq!(
            reasons(&found),
            [
                ("representative", Action::Keep),
                ("near-duplicate", Action::Keep),
                ("exact-duplicate", Action::Delete),
                ("exact-duplicate", Action::Delete),
                ("unique", Action::Keep),
            ]
        );
        let similarity = Some(1.0);
        assert_eq!(found.decisions[1].reason, Reason::NearDuplicate { similarity });
        assert_eq!(found.decisions[3].reason, Reason::ExactDuplicate { of: 1 });
        assert_eq!((found.counts.identical, found.counts.exact), (3, 2));
        // A deleted document is never the `of` of an exact duplicate.
        let delete = Options::default().with_actions(Action::Delete, Action::Delete);
        let found = outcome(delete, &texts);
        assert_eq!(found.decisions[3].reason, Reason::NearDuplicate { similarity });
    }

    /// Without hashes of texts, documents with equal tokens are exact duplicates.
    #[test]
    fn texts_without_a_hash_are_told_apart_by_their_tokens() {
        let mut deduper = Deduper::new(Options::default()).unwrap();
        let tokens: Tokens = "a few words".split(' ').collect();
        for exact in [None, None, Some(1), Some(2), Some(1)] {
            match exact {
                None => deduper.add_document(&tokens, &tokens),
                Some(exact) => deduper.add_hashed(&tokens, &tokens, exact),
            }
            .unwrap();
        }
        let found = deduper.finish(&()).unwrap();
        assert!(found.is_exact(0, 1) && found.is_exact(2, 4));
        assert!(!found.is_exact(1, 2) && !found.is_exact(2, 3));
        assert_eq!((found.counts.identical, found.counts.exact), (4, 2));
    }

    proptest! {
        /// Exact duplicates refine the groups of equal content, and each names a document with its text that stays.
        #[test]
        fn exact_duplicates_refine_groups_of_equal_content(
            texts in prop::collection::vec((0..4_u128, 0..3_u64), 0..24),
            keep_near in any::<bool>(),
        ) {
            let near = if keep_near { Action::Keep } else { Action::Delete };
            let found = outcome(Options::default().with_actions(Action::Delete, near), &texts);
            for (a, one) in (0..).zip(&texts) {
                for (b, other) in (0..).zip(&texts) {
                    prop_assert_eq!(found.is_exact(a, b), one == other);
                    let together = found.exact_groups.first(a) == found.exact_groups.first(b);
                    prop_assert_eq!(together, one.0 == other.0);
                }
            }
            for decision in &found.decisions {
                match decision.reason {
                    Reason::ExactDuplicate { of } => {
                        prop_assert!(found.is_exact(decision.document, of));
                        prop_assert!(found.decisions[of as usize].action != Action::Delete);
                    }
                    Reason::NearDuplicate { similarity } => {
                        prop_assert_eq!(similarity, Some(1.0));
                        prop_assert!(!found.is_exact(decision.document, decision.representative));
                    }
                    _ => prop_assert_eq!(decision.action, Action::Keep),
                }
            }
            let exact = |pair: &crate::ListedPair| pair.exact == found.is_exact(pair.first, pair.second);
            let lists = found.pair_lists(u64::from, |a, b| a.cmp(&b), true);
            prop_assert!((0..texts.len()).flat_map(|place| lists.list(place)).all(|pair| exact(&pair)));
            let mut different = texts.clone();
            different.sort_unstable();
            different.dedup();
            prop_assert_eq!(found.counts.exact, (texts.len() - different.len()) as u64);
        }
    }
}
