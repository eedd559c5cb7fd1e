//! Pairs with identical documents expanded.

use std::cmp::Ordering;

use crate::candidates::pair::ScoredPair;
use crate::engine::exact_groups::ExactGroups;

/// The pairs of all documents from the pairs of distinct ones, in no order. In groups of more than `most` members, pairs are
/// listed with the first member by `order` only.
pub(crate) fn expand_copies(
    pairs: &[ScoredPair],
    exact_groups: &ExactGroups,
    most: usize,
    order: impl Fn(u32, u32) -> Ordering,
) -> Vec<ScoredPair> {
    let groups = Groups::new(exact_groups, order);
    let mut all = Vec::with_capacity(pairs.len());
    for &pair in pairs {
        if !groups.stands_for_others(pair.a) && !groups.stands_for_others(pair.b) {
            all.push(pair);
            continue;
        }
        let (alone_a, alone_b) = ([pair.a], [pair.b]);
        let (group_a, hub_a) = groups.of(&alone_a);
        let (group_b, hub_b) = groups.of(&alone_b);
        let every = group_a.len() + group_b.len() <= most;
        for &a in group_a {
            let partners = if every || a == hub_a {
                group_b
            } else {
                std::slice::from_ref(&hub_b)
            };
            all.extend(partners.iter().map(|&b| pair.between(a, b)));
        }
    }
    let identical = |a, b| ScoredPair::new(a, b, 1.0, Some(1.0));
    for (group, &hub) in exact_groups.groups().iter().zip(&groups.hubs) {
        if group.len() <= most {
            for (number, &a) in group.iter().enumerate() {
                all.extend(group[number + 1..].iter().map(|&b| identical(a, b)));
            }
        } else {
            let others = group.iter().filter(|&&other| other != hub);
            all.extend(others.map(|&other| identical(hub, other)));
        }
    }
    all
}

/// Groups of identical documents, known by their first ones.
struct Groups<'a> {
    exact_groups: &'a ExactGroups,
    /// For each group, the member that stands for it where not all pairs are listed.
    hubs: Vec<u32>,
    /// A bit for each document up to the last one that is the first of a group.
    firsts: Vec<u64>,
}

impl<'a> Groups<'a> {
    fn new(exact_groups: &'a ExactGroups, order: impl Fn(u32, u32) -> Ordering) -> Self {
        let hub = |group: &[u32]| group.iter().copied().min_by(|&a, &b| order(a, b));
        let firsts = || exact_groups.groups().iter().filter_map(|group| group.first());
        let length = firsts().max().map_or(0, |last| *last as usize / 64 + 1);
        let mut bits = vec![0; length];
        for first in firsts() {
            bits[*first as usize / 64] |= 1 << (first % 64);
        }
        Self {
            exact_groups,
            hubs: exact_groups
                .groups()
                .iter()
                .map(|group| hub(group).unwrap_or_default())
                .collect(),
            firsts: bits,
        }
    }

    /// True if a document, which is no copy, has copies.
    fn stands_for_others(&self, first: u32) -> bool {
        let bits = self.firsts.get(first as usize / 64).copied().unwrap_or(0);
        bits >> (first % 64) & 1 == 1
    }

    /// The documents that are identical to the first of them, and their hub.
    fn of<'g>(&self, first: &'g [u32; 1]) -> (&'g [u32], u32)
    where
        'a: 'g,
    {
        let groups = self.exact_groups.groups();
        let number = self
            .stands_for_others(first[0])
            .then(|| groups.position(first[0]));
        match number.flatten() {
            Some(number) => (groups.group(number), self.hubs[number]),
            None => (first, first[0]),
        }
    }
}
