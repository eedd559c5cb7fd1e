//! The documents that stay: one of each cluster, and no two that are a verified pair.
//!
//! A clustering may leave a pair of two documents in two clusters, as merge-center does with two members, and a keeper may
//! choose just these two. So the documents that would stay are gone through in the keeper's order, the best first: one that is a verified
//! pair of another one that stays goes, and its cluster becomes part of that one's. Of several the best is chosen.
//! Only documents that stay are compared, so that nothing is chained: what is similar to a document that goes does not matter.
//!
//! A deviation from every published clustering, made here for all of them; the clusterings themselves know nothing of it.

use rayon::prelude::*;

use crate::candidates::pair::ScoredPair;
use crate::cluster::clusters::{Clusters, Groups};
use crate::engine::decide::Decider;
use crate::engine::exact_groups::ExactGroups;
use crate::keep::facts::FactSource;

/// No document.
const NONE: u32 = u32::MAX;

/// Which documents stay, and which document stays for each of the others.
pub(crate) struct KeptDocuments {
    /// As the clustering made them.
    clusters: Clusters,
    /// By cluster, the document that stayed first; none if all of its documents belong to earlier ones.
    leads: Vec<u32>,
    /// By document, one that stands for it: itself if it stays. Chains end at the one that stays.
    lead: Vec<u32>,
    /// By document that stays, the number of different texts that it stands for; empty if any number is allowed.
    texts: Vec<u32>,
    /// Most different texts of a cluster.
    most: u32,
    united: bool,
}

impl KeptDocuments {
    /// The best document of each cluster, and all that are in none.
    pub(crate) fn new<S: FactSource + ?Sized>(
        clusters: Clusters,
        documents: usize,
        exact_groups: &ExactGroups,
        decider: &Decider<'_, S>,
    ) -> Self {
        let most = decider.options.clustering.max_size();
        let mut kept = Self {
            leads: Vec::new(),
            lead: vec![NONE; documents],
            texts: Vec::new(),
            most,
            united: false,
            clusters,
        };
        if most < u32::MAX {
            kept.texts = vec![1; documents];
        }
        // Where clusters overlap, a document belongs to the first one.
        let mut firsts = Vec::new();
        if decider.options.clustering.overlaps() {
            firsts = vec![NONE; documents];
            for (number, group) in (0_u32..).zip(kept.clusters.iter()) {
                for &member in group {
                    let first = &mut firsts[member as usize];
                    *first = number.min(*first);
                }
            }
        }
        let own = |number: usize| {
            let (all, firsts) = (kept.clusters.group(number).iter().copied(), &firsts);
            all.filter(move |&member| {
                let first = firsts.get(member as usize);
                first.is_none_or(|&first| first as usize == number)
            })
        };
        let best = |number: usize| {
            let own: Vec<u32> = own(number).collect();
            decider.members(&own).0.first().map_or(NONE, |best| best.document)
        };
        let leads: Vec<u32> = (0..kept.clusters.len()).into_par_iter().map(best).collect();
        for (number, &best) in leads.iter().enumerate() {
            for member in own(number) {
                kept.lead[member as usize] = best;
            }
            if let Some(texts) = kept.texts.get_mut(best as usize) {
                let different = own(number).filter(|&member| exact_groups.first(member) == member);
                *texts = different.count() as u32;
            }
        }
        kept.leads = leads;
        for (document, lead) in (0..).zip(&mut kept.lead) {
            if *lead == NONE {
                *lead = document;
            }
        }
        kept
    }

    /// The document that stays for `document`.
    fn of(&self, mut document: u32) -> u32 {
        while self.lead[document as usize] != document {
            document = self.lead[document as usize];
        }
        document
    }

    /// The documents that stay.
    pub(crate) fn documents(&self) -> impl Iterator<Item = u32> {
        let all = (0..).zip(&self.lead);
        all.filter(|(document, lead)| document == *lead)
            .map(|(document, _)| document)
    }

    /// Lets go of documents that are a pair of a better one that stays, unless a cluster would become too large. Returns how many.
    pub(crate) fn unite<S: FactSource + ?Sized>(
        &mut self,
        pairs: &[ScoredPair],
        exact_groups: &ExactGroups,
        decider: &Decider<'_, S>,
    ) -> u64 {
        let staying = |text: u32| {
            let lead = self.of(text);
            (exact_groups.first(lead) == text).then_some(lead)
        };
        let both = |pair: &ScoredPair| Some([staying(pair.a)?, staying(pair.b)?]);
        let links: Vec<[u32; 2]> = pairs.par_iter().filter_map(both).collect();
        let mut documents: Vec<u32> = links.as_flattened().to_vec();
        documents.par_sort_unstable();
        documents.dedup();
        let places = decider.places(&documents);
        let mut order = vec![0; documents.len()];
        for (&document, &place) in documents.iter().zip(&places) {
            order[place as usize] = document;
        }
        let place = |document: u32| {
            documents
                .binary_search(&document)
                .map_or(0, |number| places[number])
        };
        let mut links: Vec<(u32, u32)> = links
            .iter()
            .map(|link| link.map(place))
            .map(|[a, b]| (a.max(b), a.min(b)))
            .collect();
        links.sort_unstable();
        let mut gone = 0;
        for links in links.chunk_by(|a, b| a.0 == b.0) {
            let document = order[links[0].0 as usize];
            let mut better = links.iter().map(|link| order[link.1 as usize]);
            let stays = better.find(|&better| {
                self.lead[better as usize] == better
                    && self.texts_of(better) + self.texts_of(document) <= self.most
            });
            if let Some(stays) = stays {
                let texts = self.texts_of(document);
                if let Some(all) = self.texts.get_mut(stays as usize) {
                    *all += texts;
                }
                self.lead[document as usize] = stays;
                gone += 1;
            }
        }
        self.united |= gone > 0;
        gone
    }

    fn texts_of(&self, document: u32) -> u32 {
        self.texts.get(document as usize).copied().unwrap_or(0)
    }

    /// All documents of clusters of two and more, by the document that stays, sorted.
    pub(crate) fn placed(&self) -> Vec<(u32, u32)> {
        let mut clustered = vec![false; self.lead.len()];
        for &member in self.clusters.iter().flatten() {
            clustered[member as usize] = true;
        }
        for (document, &lead) in (0_u32..).zip(&self.lead) {
            if lead != document {
                (clustered[document as usize], clustered[lead as usize]) = (true, true);
            }
        }
        let all = (0_u32..).zip(&clustered).filter(|(_, clustered)| **clustered);
        let mut placed: Vec<(u32, u32)> = all.map(|(document, _)| (self.of(document), document)).collect();
        placed.par_sort_unstable();
        placed
    }

    /// The clusters with those that were united.
    pub(crate) fn into_clusters(self) -> Clusters {
        if !self.united {
            return self.clusters;
        }
        // A group of its own for each document that stays, and for each cluster whose documents all belong to earlier ones.
        let mut members: Vec<(u32, u32, u32)> = Vec::new();
        for (number, (group, &lead)) in (0..).zip(self.clusters.iter().zip(&self.leads)) {
            let (lead, number) = match lead {
                NONE => (NONE, number),
                lead => (self.of(lead), 0),
            };
            members.extend(group.iter().map(|&member| (lead, number, member)));
        }
        for document in (0..).take(self.lead.len()) {
            let lead = self.of(document);
            // Those of clusters are there already; each comes once in the end.
            if lead != document {
                members.extend([lead, document].map(|member| (lead, 0, member)));
            }
        }
        members.par_sort_unstable();
        members.dedup();
        let mut groups = Groups::default();
        for group in members.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            groups.add(group.iter().map(|(_, _, member)| *member));
        }
        groups.into_clusters()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::candidates::pair::ScoredPair;
    use crate::cluster::{Components, MergeCenter};
    use crate::engine::compiled::CompiledOptions;
    use crate::engine::document_rows::DocumentKind;
    use crate::engine::options::Options;
    use crate::engine::outcome::Outcome;
    use crate::engine::verified_pairs::VerifiedPairs;
    use crate::keep::facts::DocumentFacts;

    /// Two clusters by merge-center, of documents 0 and 1 and of 2 and 3, where 1 and 3 are a pair. The dates decide who stays.
    fn outcome(options: Options, dates: [i64; 4]) -> Outcome {
        let pair = |a, b, similarity| ScoredPair::new(a, b, similarity, None);
        let pairs = vec![pair(0, 1, 0.95), pair(2, 3, 0.94), pair(1, 3, 0.9)];
        let compiled = Arc::new(CompiledOptions::new(options).unwrap());
        let documents = (0..4).map(|content| (DocumentKind::Full, content, content as u64));
        let facts = dates.map(|date| DocumentFacts {
            date: Some(date),
            ..DocumentFacts::default()
        });
        VerifiedPairs::from_pairs(compiled, documents, pairs).cluster(&facts[..])
    }

    fn representatives(outcome: &Outcome) -> Vec<u32> {
        outcome
            .decisions
            .iter()
            .map(|decision| decision.representative)
            .collect()
    }

    #[test]
    fn of_two_that_would_stay_and_are_a_pair_the_better_one_does() {
        let apart = outcome(Options::default(), [1, 2, 3, 4]);
        assert_eq!(representatives(&apart), [0, 0, 2, 2], "1 and 3 go anyway");
        assert_eq!(apart.clusters.len(), 2);
        let united = outcome(Options::default(), [4, 2, 3, 1]);
        assert_eq!(representatives(&united), [3, 3, 3, 3]);
        assert_eq!(united.clusters.group(0), [0, 1, 2, 3]);
        assert!(united.decisions.iter().all(|decision| decision.cluster == 0));
    }

    #[test]
    fn clusters_grow_no_larger_than_they_may() {
        let options = Options::default().with_clustering(Arc::new(MergeCenter::DEFAULT.with_max_size(3)));
        assert_eq!(representatives(&outcome(options, [4, 2, 3, 1])), [1, 1, 3, 3]);
    }

    #[test]
    fn a_clustering_that_leaves_no_pair_apart_is_left_as_it_is() {
        let options = Options::default().with_clustering(Arc::new(Components::DEFAULT));
        assert_eq!(representatives(&outcome(options, [1, 2, 3, 4])), [0; 4]);
    }
}
