//! Pairs with identical documents spelled out.

use std::cmp::Ordering;

use crate::document::ScoredPair;
use crate::fold::Identical;

/// Lists the pairs of all documents from the pairs of distinct ones, without storing them.
pub(crate) struct AllPairs<'a> {
    pairs: &'a [ScoredPair],
    identical: &'a Identical,
    most: usize,
    /// For each group of identical documents, the member that stands for it where not all pairs are listed.
    hubs: Vec<u32>,
    /// (document, its neighbor, number of their pair) for both directions of every pair, sorted.
    neighbors: Vec<(u32, u32, u32)>,
    /// Documents that begin pairs, ascending: those in pairs or in groups of identical ones.
    documents: std::vec::IntoIter<u32>,
    /// Pairs of the current document, the last one first.
    queue: Vec<ScoredPair>,
}

impl<'a> AllPairs<'a> {
    /// In groups of more than `most` members, pairs are listed with the first member by `order`.
    pub(crate) fn new(
        pairs: &'a [ScoredPair],
        identical: &'a Identical,
        most: usize,
        order: impl Fn(u32, u32) -> Ordering,
    ) -> Self {
        let hub = |group: &[u32]| group.iter().copied().min_by(|&a, &b| order(a, b));
        let groups = identical.groups().iter();
        let hubs = groups.map(|group| hub(group).unwrap_or_default()).collect();
        let mut neighbors: Vec<(u32, u32, u32)> = (0..)
            .zip(pairs)
            .flat_map(|(number, pair)| [(pair.a, pair.b, number), (pair.b, pair.a, number)])
            .collect();
        neighbors.sort_unstable();
        let mut documents: Vec<u32> = neighbors.iter().map(|&(document, ..)| document).collect();
        documents.extend(identical.groups().iter().flatten());
        documents.sort_unstable();
        documents.dedup();
        Self {
            pairs,
            identical,
            most,
            hubs,
            neighbors,
            documents: documents.into_iter(),
            queue: Vec::new(),
        }
    }

    /// The documents that are identical to the first of them, and their hub.
    fn group<'g>(&self, first: &'g [u32; 1]) -> (&'g [u32], u32)
    where
        'a: 'g,
    {
        match self.identical.groups().position(first[0]) {
            Some(number) => (self.identical.groups().group(number), self.hubs[number]),
            None => (first, first[0]),
        }
    }

    /// Queues the pairs in which `document` is the smaller number.
    fn queue_pairs(&mut self, document: u32) {
        let first = self.identical.first(document);
        let own = [first];
        let (group, hub) = self.group(&own);
        let identical = ScoredPair {
            a: document,
            b: document,
            similarity: 1.0,
            estimate: Some(1.0),
        };
        // In large groups every pair has the hub of a group.
        if group.len() <= self.most || document == hub {
            self.queue
                .extend(group.iter().map(|&b| ScoredPair { b, ..identical }));
        } else {
            self.queue.push(ScoredPair { b: hub, ..identical });
        }
        let start = self
            .neighbors
            .partition_point(|&(neighbor_of, ..)| neighbor_of < first);
        for &(neighbor_of, neighbor, number) in &self.neighbors[start..] {
            if neighbor_of != first {
                break;
            }
            let pair = ScoredPair {
                a: document,
                ..self.pairs[number as usize]
            };
            let alone = [neighbor];
            let (others, other_hub) = self.group(&alone);
            if group.len() + others.len() <= self.most || document == hub {
                self.queue
                    .extend(others.iter().map(|&b| ScoredPair { b, ..pair }));
            } else {
                self.queue.push(ScoredPair { b: other_hub, ..pair });
            }
        }
        self.queue.retain(|pair| pair.b > document);
        self.queue.sort_unstable_by_key(|pair| std::cmp::Reverse(pair.b));
    }
}

impl Iterator for AllPairs<'_> {
    type Item = ScoredPair;

    fn next(&mut self) -> Option<ScoredPair> {
        loop {
            if let Some(pair) = self.queue.pop() {
                return Some(pair);
            }
            let document = self.documents.next()?;
            self.queue_pairs(document);
        }
    }
}
