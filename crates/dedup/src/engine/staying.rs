//! The documents that stay, and the representative of each document that does not.
//!
//! By default ([`Deletion::Covered`]) the documents that stay are a maximal independent set of the graph of verified
//! pairs. In each connected component the document that the keeper prefers stays. Then the next document stays that is
//! in no pair with a staying one, and so on. So each removed document is in a verified pair with a document that stays,
//! and no two staying documents are a verified pair, for any clustering. Documents of equal content are one vertex,
//! with the rank of the best of them.
//!
//! With [`Deletion::Transitive`] one document of each cluster stays. Staying documents of two clusters may be a pair,
//! because merge-center can leave two members of a pair in different clusters; then the worse one is removed. A removed
//! document need not be in a pair with its representative: chains of pairs are deleted as a whole.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use rayon::prelude::*;

use crate::candidates::pair::{Contained, ScoredPair};
use crate::cluster::clustering::Edge;
use crate::cluster::clusters::Clusters;
use crate::cluster::independent_set::leaders;
use crate::cluster::union_find::UnionFind;
use crate::engine::decider::Decider;
use crate::engine::exact_groups::ExactGroups;
use crate::keep::facts::FactSource;
use crate::numeric::narrow;
use crate::numeric::radix::sort_by_upper_half;

/// Marks a missing document, rank or cluster.
const NONE: u32 = u32::MAX;

/// Number of components in a task of one thread. Most components have two texts.
const COMPONENTS_AT_ONCE: usize = 256;

/// Number of pairs whose second documents are prefetched before they are united: they lie anywhere in memory.
const FETCHED: usize = 64;

/// The documents that stay, and the representative of each document that does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Staying {
    /// The representative of each document: itself if it stays.
    representatives: Vec<u32>,
}

impl Staying {
    /// The greedy independent set in the keeper's order. Pairs must be sorted, and hold only first documents of their
    /// contents.
    pub(crate) fn covered<S: FactSource + ?Sized>(decider: &Decider<'_, S>) -> Self {
        let documents = decider.kinds.len();
        let mut staying = Self {
            representatives: (0..).take(documents).collect(),
        };
        let (pairs, exact_groups) = (decider.pairs, decider.exact_groups);
        let (in_pairs, by_component) = components(documents, pairs);
        // Words are sorted by component.
        let components: Vec<&[u64]> = by_component.chunk_by(|a, b| a >> 32 == b >> 32).collect();
        let of_pairs = components.par_chunks(COMPONENTS_AT_ONCE).map(|components| {
            let mut found = Vec::new();
            for component in components {
                let pairs = component
                    .iter()
                    .map(|&word| &pairs[narrow::low_half(word) as usize]);
                decider.cover(pairs, &mut found);
            }
            found
        });
        let mut found: Vec<Vec<(u32, u32)>> = of_pairs.collect();
        // Documents with copies but without similar texts: the best copy stays. The others were handled
        // with their component.
        let copies: Vec<&[u32]> = exact_groups.groups().iter().collect();
        found.par_extend(copies.par_chunks(COMPONENTS_AT_ONCE).map(|groups| {
            let mut found = Vec::new();
            for group in groups.iter().filter(|group| !in_pairs[group[0] as usize]) {
                let best = decider.order(group).first().copied().unwrap_or(group[0]);
                found.extend(group.iter().map(|&document| (document, best)));
            }
            found
        }));
        // Each document is in one component or one group of copies, so the order of results does not
        // matter.
        for (document, representative) in found.into_iter().flatten() {
            staying.representatives[document as usize] = representative;
        }
        staying
    }

    /// One document of each of these clusters. If two of these documents are a pair, only the better one stays.
    pub(crate) fn transitive<S: FactSource + ?Sized>(decider: &Decider<'_, S>, clusters: &Clusters) -> Self {
        let mut staying = Self::of_clusters(decider, clusters);
        staying.unite(decider);
        // Chains of representatives are shortened to their ends.
        for document in 0..staying.representatives.len() {
            // The chain ends at a staying document, because each step leads to a better document.
            let mut end = staying.representatives[document];
            while staying.representatives[end as usize] != end {
                end = staying.representatives[end as usize];
            }
            staying.representatives[document] = end;
        }
        staying.prefer_pairs(decider);
        staying
    }

    /// The best document of each cluster, and all documents in no cluster.
    fn of_clusters<S: FactSource + ?Sized>(decider: &Decider<'_, S>, clusters: &Clusters) -> Self {
        let documents = decider.kinds.len();
        let cluster_of = first_clusters(documents, clusters);
        // Clusters may overlap. A document belongs to the first one that contains it.
        let own = |number: usize| {
            let members = clusters.group(number).iter().copied();
            members.filter({
                let cluster_of = &cluster_of;
                move |&member| cluster_of[member as usize] as usize == number
            })
        };
        // A cluster whose documents all belong to earlier ones has no best document; nothing refers to it.
        let best = |number: usize| {
            let own: Vec<u32> = own(number).collect();
            decider.order(&own).first().copied().unwrap_or(NONE)
        };
        let leads: Vec<u32> = (0..clusters.len()).into_par_iter().map(best).collect();
        let representative = |(document, cluster): (u32, &u32)| match *cluster {
            NONE => document,
            cluster => leads[cluster as usize],
        };
        Self {
            representatives: (0..).zip(&cluster_of).map(representative).collect(),
        }
    }

    /// Removes staying documents that are in a pair with a better staying document.
    fn unite<S: FactSource + ?Sized>(&mut self, decider: &Decider<'_, S>) {
        let exact_groups = decider.exact_groups;
        // The staying document with this text; `None` if the cluster's best document has another text.
        let staying = |text: u32| {
            let representative = self.representatives[text as usize];
            (exact_groups.first(representative) == text).then_some(representative)
        };
        let both = |pair: &ScoredPair| Some([staying(pair.a)?, staying(pair.b)?]);
        let links: Vec<[u32; 2]> = decider.pairs.par_iter().filter_map(both).collect();
        // Only documents in links are ordered: there are far fewer of these than documents.
        let mut documents: Vec<u32> = links.as_flattened().to_vec();
        documents.par_sort_unstable();
        documents.dedup();
        let order = decider.order(&documents);
        let mut places = vec![0; documents.len()];
        for (place, document) in (0..).zip(&order) {
            if let Ok(number) = documents.binary_search(document) {
                places[number] = place;
            }
        }
        let place = |document: u32| {
            let number = documents.binary_search(&document);
            // Every document of a link is in `documents`, so the search succeeds.
            number.map_or(0, |number| places[number])
        };
        let mut edges: Vec<Edge> = links
            .iter()
            .map(|link| link.map(place))
            .map(|[a, b]| Edge {
                u: a.min(b),
                v: a.max(b),
                similarity: 1.0,
            })
            .collect();
        // The edges connect places in the keeper's order, so the better document of an edge leads.
        let leaders = leaders(narrow::to_u32(order.len()), &mut edges);
        for (document, leader) in order.iter().zip(leaders) {
            self.representatives[*document as usize] = order[leader as usize];
        }
    }

    /// Changes representatives: a removed document that is in pairs with staying documents gets the most similar of
    /// these.
    fn prefer_pairs<S: FactSource + ?Sized>(&mut self, decider: &Decider<'_, S>) {
        let exact_groups = decider.exact_groups;
        // For each document, the staying document with its text; `None` if no document with this text
        // stays.
        let stays: Vec<Option<u32>> = (0..)
            .take(self.representatives.len())
            .map(|document: u32| {
                let representative = self.representatives[document as usize];
                let own = exact_groups.first(representative) == exact_groups.first(document);
                own.then_some(representative)
            })
            .collect();
        let mut nearest: Vec<Option<(f64, u32)>> = vec![None; self.representatives.len()];
        // Pairs hold the first documents of their texts, so `nearest` is filled for these only.
        for pair in decider.pairs {
            for (one, other) in [(pair.a, pair.b), (pair.b, pair.a)] {
                let nearest = &mut nearest[one as usize];
                // Pairs are sorted, so among equally similar documents the smallest one remains.
                if let Some(stays) = stays[other as usize]
                    && nearest.is_none_or(|(similarity, _)| pair.similarity > similarity)
                {
                    *nearest = Some((pair.similarity, stays));
                }
            }
        }
        for (document, representative) in (0..).zip(&mut self.representatives) {
            let text = exact_groups.first(document) as usize;
            if stays[document as usize].is_none()
                && let Some((_, nearest)) = nearest[text]
            {
                *representative = nearest;
            }
        }
    }

    /// Pairs of texts that are likely to be similar but might not have been compared, sorted. There are two kinds. First,
    /// for each pair of a staying and a removed text: the staying text and the representative of the removed one.
    /// Second, if the staying documents of the round `before` are known: a text whose representative of that round was
    /// removed, and the text that now represents that representative.
    ///
    /// Without the second kind, each removed document could bring back dozens of texts that it represented, few of
    /// which stay in the end. Pairs in `asked` are left out; new pairs are added to it. There is at most one pair per
    /// known pair and per text.
    pub(crate) fn near_neighbors(
        &self,
        pairs: &[ScoredPair],
        exact_groups: &ExactGroups,
        before: Option<&Self>,
        asked: &mut HashSet<(u32, u32)>,
    ) -> Vec<ScoredPair> {
        // The text of a text's representative: the text itself, if one of its documents stays.
        let lead = |text: u32| exact_groups.first(self.representative(text));
        let ordered = |a: u32, b: u32| (a != b).then_some((a.min(b), a.max(b)));
        let of_neighbor = |pair: &ScoredPair| match (lead(pair.a), lead(pair.b)) {
            // Two staying texts are never a pair, and two removed texts need no comparison.
            (a, b) if (a == pair.a) == (b == pair.b) => None,
            (a, b) => ordered(a, b),
        };
        let mut near: Vec<(u32, u32)> = pairs.par_iter().filter_map(of_neighbor).collect();
        if let Some(before) = before {
            let orphan = |text: u32| {
                let stayed = exact_groups.first(before.representative(text));
                let stays = lead(stayed);
                let is_text = exact_groups.first(text) == text;
                (is_text && stays != stayed)
                    .then(|| ordered(text, stays))
                    .flatten()
            };
            let texts = 0..narrow::to_u32(self.representatives.len()); // documents are numbered with 32 bits
            near.par_extend(texts.into_par_iter().filter_map(orphan));
        }
        near.par_sort_unstable();
        near.dedup();
        // A pair that was asked before is dissimilar, or it would be among the pairs.
        near.retain(|&key| !is_pair(pairs, key) && asked.insert(key));
        near.into_iter()
            .map(|(a, b)| ScoredPair::new(a, b, 0.0, None))
            .collect()
    }

    /// The representative of `document`: itself if it stays.
    pub(crate) fn representative(&self, document: u32) -> u32 {
        self.representatives[document as usize]
    }

    /// The documents that stay, ascending.
    pub(crate) fn documents(&self) -> impl Iterator<Item = u32> {
        let all = (0..).zip(&self.representatives);
        all.filter(|(document, representative)| document == *representative)
            .map(|(document, _)| document)
    }

    /// Pairs of a staying document and a document that it represents, itself included, sorted. Documents that represent
    /// only themselves are left out.
    pub(crate) fn placed(&self) -> Vec<(u32, u32)> {
        let mut stands_for_others = vec![false; self.representatives.len()];
        for (document, &representative) in (0_u32..).zip(&self.representatives) {
            if document != representative {
                stands_for_others[representative as usize] = true;
            }
        }
        let all = (0_u32..).zip(&self.representatives);
        let in_groups = all.filter(|(_, representative)| stands_for_others[**representative as usize]);
        let mut words: Vec<u64> = in_groups
            .map(|(document, &representative)| u64::from(representative) << 32 | u64::from(document))
            .collect();
        // Documents are in ascending order already, so a stable sort by representative suffices.
        sort_by_upper_half(&mut words, &mut Vec::new());
        let parted = words
            .into_iter()
            .map(|word| ((word >> 32) as u32, narrow::low_half(word)));
        parted.collect()
    }

    /// The staying documents with all documents that they represent, as clusters of two or more.
    pub(crate) fn clusters(&self) -> Clusters {
        Clusters::from_groups(
            self.placed()
                .chunk_by(|a, b| a.0 == b.0)
                .map(|group| group.iter().map(|(_, document)| *document).collect())
                .collect(),
        )
    }
}

/// For each document, the number of the first cluster that contains it, or [`NONE`].
pub(crate) fn first_clusters(documents: usize, clusters: &Clusters) -> Vec<u32> {
    let mut firsts = vec![NONE; documents];
    for (number, group) in (0_u32..).zip(clusters.iter()) {
        for &member in group {
            let first = &mut firsts[member as usize];
            *first = number.min(*first);
        }
    }
    firsts
}

/// Groups the pairs by connected components. Returns for each document whether it is in a pair, and a word per pair.
/// The upper half of a word is the smallest document of the pair's component, the lower half the pair's number. Words
/// are sorted.
fn components(documents: usize, pairs: &[ScoredPair]) -> (Vec<bool>, Vec<u64>) {
    let mut sets = UnionFind::new(narrow::to_u32(documents)); // documents are numbered with 32 bits
    let mut in_pairs = vec![false; documents];
    for pairs in pairs.chunks(FETCHED) {
        sets.fetch(pairs.iter().map(|pair| pair.b));
        for pair in pairs {
            sets.unite(pair.a, pair.b);
            (in_pairs[pair.a as usize], in_pairs[pair.b as usize]) = (true, true);
        }
    }
    let labels = sets.labels();
    debug_assert!(
        u32::try_from(pairs.len()).is_ok(),
        "pairs are numbered with 32 bits"
    );
    let mut words: Vec<u64> = (0_u64..)
        .zip(pairs)
        .map(|(number, pair)| u64::from(labels[pair.a as usize]) << 32 | number)
        .collect();
    // The words ascend by pair number already, so a stable sort by component suffices.
    sort_by_upper_half(&mut words, &mut Vec::new());
    (in_pairs, words)
}

impl<S: FactSource + ?Sized> Decider<'_, S> {
    /// Appends each document of a component, given by its pairs, with its representative.
    fn cover<'p>(&self, pairs: impl Iterator<Item = &'p ScoredPair> + Clone, found: &mut Vec<(u32, u32)>) {
        // Texts are renumbered from 0, so that the lists below have the size of the component.
        let mut texts: Vec<u32> = pairs.clone().flat_map(|pair| [pair.a, pair.b]).collect();
        texts.sort_unstable();
        texts.dedup();
        let number = |text: u32| texts.binary_search(&text);
        let copies = |text: &u32| self.exact_groups.copies(*text).map_or(1, <[u32]>::len);
        // All copies take part in the order: the best document of a text need not be the first.
        let mut documents = Vec::with_capacity(texts.iter().map(copies).sum());
        for text in &texts {
            let copies = self.exact_groups.copies(*text);
            documents.extend_from_slice(copies.unwrap_or(std::slice::from_ref(text)));
        }
        // The rank of a text is the rank of its best document.
        let mut ranks = vec![NONE; texts.len()];
        let mut best = Vec::with_capacity(texts.len());
        for document in self.order(&documents) {
            if let Ok(number) = number(self.exact_groups.first(document))
                && ranks[number] == NONE
            {
                ranks[number] = narrow::to_u32(best.len());
                best.push(document);
            }
        }
        let rank_in = |ranks: &[u32], text: u32| number(text).map_or(0, |number| ranks[number]);
        // Only containment similarities set these values.
        if pairs
            .clone()
            .any(|pair| matches!(pair.contained(), Contained::First | Contained::Second))
        {
            let places = outer_first(best.len(), pairs.clone(), &|text| rank_in(&ranks, text));
            for rank in &mut ranks {
                *rank = places[*rank as usize];
            }
            // `best` must follow the new ranks.
            let mut placed = vec![NONE; best.len()];
            for (document, place) in best.iter().zip(&places) {
                placed[*place as usize] = *document;
            }
            best = placed;
        }
        let rank = |text: u32| rank_in(&ranks, text);
        let mut edges: Vec<Edge> = pairs
            .map(|pair| {
                let (a, b) = (rank(pair.a), rank(pair.b));
                Edge {
                    u: a.min(b),
                    v: a.max(b),
                    similarity: pair.similarity,
                }
            })
            .collect();
        // Ranks ascend with preference, so a text is led by the best text that stays and is in a pair with
        // it.
        let leaders = leaders(narrow::to_u32(best.len()), &mut edges);
        found.extend(documents.iter().map(|&document| {
            let leader = leaders[rank(self.exact_groups.first(document)) as usize];
            (document, best[leader as usize])
        }));
    }
}

/// For each text, given by its rank in the keeper's order, its place in an order in which a text comes after all texts
/// that contain it. So a text represents texts that lie inside it, and never the other way round. Otherwise the
/// keeper's order is kept.
fn outer_first<'p>(
    texts: usize,
    pairs: impl Iterator<Item = &'p ScoredPair>,
    rank: &impl Fn(u32) -> u32,
) -> Vec<u32> {
    let mut inside: Vec<(u32, u32)> = pairs
        .map(|pair| {
            let (a, b) = (rank(pair.a), rank(pair.b));
            match pair.contained() {
                Contained::First => (b, a),
                Contained::Second => (a, b),
                // Both texts have equal sizes, so the keeper's order decides.
                Contained::Neither | Contained::Both => (a.min(b), a.max(b)),
            }
        })
        .collect();
    // Sorted by the outer text, so that its inner texts are adjacent.
    inside.sort_unstable();
    let mut waits_for = vec![0_u32; texts];
    for (_, inner) in &inside {
        waits_for[*inner as usize] += 1;
    }
    // Kahn's algorithm. Among the texts whose containing texts are all placed, the best one is next.
    let free = (0_u32..).zip(&waits_for).filter(|(_, count)| **count == 0);
    let mut next: BinaryHeap<Reverse<u32>> = free.map(|(rank, _)| Reverse(rank)).collect();
    let mut places = vec![NONE; texts];
    let mut place = 0;
    while let Some(Reverse(outer)) = next.pop() {
        places[outer as usize] = place;
        place += 1;
        let start = inside.partition_point(|(other, _)| *other < outer);
        for (_, inner) in inside[start..].iter().take_while(|(other, _)| *other == outer) {
            waits_for[*inner as usize] -= 1;
            if waits_for[*inner as usize] == 0 {
                next.push(Reverse(*inner));
            }
        }
    }
    debug_assert_eq!(
        place as usize, texts,
        "a larger text lies inside no smaller one, so that there is no circle"
    );
    // In a release build, texts in a circle come last, in the keeper's order.
    for unplaced in places.iter_mut().filter(|place| **place == NONE) {
        *unplaced = place;
        place += 1;
    }
    places
}

/// True if the pair of these two texts is in `pairs`, which are sorted.
fn is_pair(pairs: &[ScoredPair], texts: (u32, u32)) -> bool {
    pairs
        .binary_search_by_key(&texts, |pair| (pair.a, pair.b))
        .is_ok()
}

/// The pairs of a removed text and its representative's text that are not in `pairs`, sorted.
pub(crate) fn unmeasured(
    staying: &Staying,
    pairs: &[ScoredPair],
    exact_groups: &ExactGroups,
) -> Vec<ScoredPair> {
    let of_texts = (0..)
        .take(staying.representatives.len())
        .filter(|&document| exact_groups.first(document) == document)
        .map(|text| (text, exact_groups.first(staying.representative(text))))
        .filter(|(text, representative)| text != representative);
    let mut missing: Vec<ScoredPair> = of_texts
        .map(|(a, b)| ScoredPair::new(a, b, 0.0, None))
        .filter(|pair| !is_pair(pairs, (pair.a, pair.b)))
        .collect();
    missing.sort_unstable_by_key(|pair| (pair.a, pair.b));
    missing.dedup_by_key(|pair| (pair.a, pair.b));
    missing
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use crate::candidates::pair::{Contained, ScoredPair};
    use crate::cluster::{Components, MergeCenter};
    use crate::engine::compiled::CompiledOptions;
    use crate::engine::document_rows::DocumentKind;
    use crate::engine::options::{Action, Deletion, Options};
    use crate::engine::outcome::{Outcome, Reason};
    use crate::engine::verified_pairs::VerifiedPairs;
    use crate::keep::facts::DocumentFacts;
    use crate::keep::{Canonical, Keeper, Longest, Weighted};

    /// The outcome for documents with these contents and lengths, and with these pairs. The third number of a pair is
    /// its similarity in hundredths.
    fn outcome(options: Options, contents: &[u128], lengths: &[u64], pairs: &[(u32, u32, u32)]) -> Outcome {
        let options = options.with_actions(Action::Delete, Action::Delete);
        let compiled = Arc::new(CompiledOptions::new(options).unwrap());
        let pair = |&(a, b, hundredths)| ScoredPair::new(a, b, f64::from(hundredths) / 100.0, None);
        let facts: Vec<DocumentFacts<'_>> = lengths
            .iter()
            .map(|&chars| DocumentFacts {
                chars,
                ..DocumentFacts::default()
            })
            .collect();
        let documents = contents
            .iter()
            .map(|&content| (DocumentKind::Full, content, content as u64));
        VerifiedPairs::from_pairs(compiled, documents, pairs.iter().map(pair).collect()).cluster(&facts[..])
    }

    fn longest() -> Options {
        Options::default().with_keeper(Arc::new(Longest))
    }

    fn representatives(outcome: &Outcome) -> Vec<u32> {
        let decisions = outcome.decisions.iter();
        decisions.map(|decision| decision.representative).collect()
    }

    const CHAIN: [(u32, u32, u32); 4] = [(0, 1, 90), (1, 2, 90), (2, 3, 90), (3, 4, 85)];

    #[test]
    fn of_a_chain_every_second_document_stays_for_its_neighbors() {
        let contents = [0, 1, 2, 3, 4];
        let found = outcome(longest(), &contents, &[5, 4, 3, 2, 1], &CHAIN);
        assert_eq!(representatives(&found), [0, 0, 2, 2, 4]);
        assert_eq!(found.clusters.len(), 2);
        assert_eq!(found.decisions[4].reason, Reason::Unique);
        // With another keeper other documents stay. A removed document is represented by the most similar of them.
        let found = outcome(longest(), &contents, &[1, 2, 5, 3, 4], &CHAIN);
        assert_eq!(representatives(&found), [0, 2, 2, 2, 4]);
        let similarity = |document: usize| match found.decisions[document].reason {
            Reason::NearDuplicate { similarity } => similarity,
            _ => None,
        };
        assert_eq!([similarity(1), similarity(3)], [Some(0.9), Some(0.9)]);
    }

    #[test]
    fn a_clustering_groups_and_decides_nothing() {
        let options = longest().with_clustering(Arc::new(Components::DEFAULT));
        let found = outcome(options, &[0, 1, 2, 3, 4], &[5, 4, 3, 2, 1], &CHAIN);
        assert_eq!(representatives(&found), [0, 0, 2, 2, 4]);
        assert_eq!(found.clusters.group(0), [0, 1, 2, 3, 4]);
        assert!(found.decisions.iter().all(|decision| decision.cluster == 0));
        assert_eq!(found.decisions[4].reason, Reason::BesideRepresentative);
    }

    #[test]
    fn a_copy_goes_with_its_text_and_the_best_copy_stays_for_it() {
        // Documents 1 and 3 have the same text; 3 is preferred to all others.
        let found = outcome(longest(), &[0, 1, 2, 1], &[3, 1, 2, 9], &[(0, 1, 90), (1, 2, 85)]);
        assert_eq!(representatives(&found), [3, 3, 3, 3]);
        assert_eq!(found.decisions[1].reason, Reason::ExactDuplicate { of: 3 });
        // If another document represents the text, its copies are removed as near-duplicates.
        let found = outcome(longest(), &[0, 1, 2, 1], &[9, 1, 2, 3], &[(0, 1, 90), (1, 2, 85)]);
        assert_eq!(representatives(&found), [0, 0, 2, 0]);
        assert_eq!(
            found.decisions[3].reason,
            Reason::NearDuplicate {
                similarity: Some(0.9)
            }
        );
    }

    #[test]
    fn a_text_stands_for_what_lies_inside_it_and_never_the_other_way_round() {
        let compiled = Arc::new(CompiledOptions::new(longest()).unwrap());
        let documents = (0..4).map(|content| (DocumentKind::Full, content, content as u64));
        let inside = |a, b, contained| ScoredPair::new(a, b, 0.9, None).with_contained(contained);
        // 0 lies inside 1 and 2; 1 inside 2; 3 has the size of 2 and is preferred by the keeper.
        let pairs = vec![
            inside(0, 1, Contained::First),
            inside(0, 2, Contained::First),
            inside(1, 2, Contained::First),
            inside(2, 3, Contained::Both),
        ];
        let chars = [9, 8, 1, 2];
        let facts = chars.map(|chars| DocumentFacts {
            chars,
            ..DocumentFacts::default()
        });
        let found = VerifiedPairs::from_pairs(compiled, documents, pairs).cluster(&facts[..]);
        // 2 is represented by 3. 1 lies inside no staying document, and contains 0.
        assert_eq!(representatives(&found), [1, 1, 3, 3]);
    }

    #[test]
    fn transitive_deletion_leaves_one_of_each_cluster_and_no_pair() {
        let transitive = longest().with_deletion(Deletion::Transitive);
        let components = transitive.clone().with_clustering(Arc::new(Components::DEFAULT));
        let found = outcome(components, &[0, 1, 2, 3, 4], &[5, 4, 3, 2, 1], &CHAIN);
        assert_eq!(representatives(&found), [0; 5]);
        assert_eq!(
            found.decisions[4].reason,
            Reason::NearDuplicate { similarity: None },
            "others found the pairs, and nobody measured this one"
        );
        // Merge-center makes two clusters; their members 1 and 3 are a pair.
        let pairs = [(0, 1, 95), (2, 3, 94), (1, 3, 90)];
        let merge_center = transitive.with_clustering(Arc::new(MergeCenter::DEFAULT));
        let apart = outcome(merge_center.clone(), &[0, 1, 2, 3], &[4, 3, 2, 1], &pairs);
        assert_eq!(representatives(&apart), [0, 0, 2, 2]);
        let united = outcome(merge_center, &[0, 1, 2, 3], &[1, 3, 2, 4], &pairs);
        assert_eq!(representatives(&united), [3, 3, 3, 3]);
        assert_eq!(united.clusters.len(), 2, "clusters stay as they are");
    }

    proptest! {
        /// Each removed document is in a verified pair with a staying document or is a copy of it; no two staying
        /// documents are a pair.
        #[test]
        fn what_stays_covers_all_and_is_in_no_pair(
            contents in prop::collection::vec(0_u128..30, 30),
            lengths in prop::collection::vec(0_u64..9, 30),
            pairs in prop::collection::vec((0_u32..30, 0_u32..30, 80_u32..100), 0..80),
            keeper in 0..3_usize,
        ) {
            let keepers: [Arc<dyn Keeper>; 3] = [Arc::new(Longest), Arc::new(Weighted::DEFAULT), Arc::new(Canonical)];
            let options = Options::default().with_keeper(keepers[keeper].clone());
            let found = outcome(options, &contents, &lengths, &pairs);
            let text = |document: u32| found.exact_groups.first(document);
            for decision in &found.decisions {
                let (document, representative) = (decision.document, decision.representative);
                let stays = decision.action == Action::Keep;
                prop_assert_eq!(stays, document == representative);
                prop_assert_eq!(found.decisions[representative as usize].action, Action::Keep);
                let (a, b) = (text(document).min(text(representative)), text(document).max(text(representative)));
                prop_assert!(a == b || found.pairs.iter().any(|pair| (pair.a, pair.b) == (a, b)));
            }
            let stays = |one: u32| found.decisions.iter().any(|d| d.action == Action::Keep && text(d.document) == one);
            for pair in &found.pairs {
                prop_assert!(!(stays(pair.a) && stays(pair.b)), "{:?}", pair);
            }
        }
    }
}
