//! Which documents stay, by cluster.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::candidates::pair::ScoredPair;
use crate::engine::document_rows::DocumentKind;
use crate::engine::exact_groups::ExactGroups;
use crate::engine::options::{Action, Options};
use crate::engine::outcome::{Decision, Reason};
use crate::keep::facts::{DocumentFacts, FactSource, host};
use crate::keep::keeper::Member;

/// Groups whose decisions are made before they go to their places, and those of them that a thread takes at once.
const GROUPS: usize = 1 << 14;
const GROUPS_OF_THREAD: usize = 256;

/// The data that decisions are made from.
pub(crate) struct Decider<'a, S: ?Sized> {
    pub(crate) options: &'a Options,
    pub(crate) kinds: &'a [DocumentKind],
    pub(crate) contents: &'a [u128],
    pub(crate) exacts: &'a [u64],
    pub(crate) facts: &'a S,
    pub(crate) pairs: &'a [ScoredPair],
    pub(crate) exact_groups: &'a ExactGroups,
}

impl<S: FactSource + ?Sized> Decider<'_, S> {
    /// A decision for each document, by its number. `placed` are the documents of clusters, each behind the one that stays for it,
    /// sorted.
    pub(crate) fn decide(&self, placed: &[(u32, u32)]) -> Vec<Decision> {
        let alone = |(document, kind): (usize, &DocumentKind)| {
            let document = document as u32; // documents are numbered with 32 bits
            Decision {
                document,
                cluster: document,
                representative: document,
                action: Action::Keep,
                reason: if *kind == DocumentKind::Empty {
                    Reason::Empty
                } else {
                    Reason::Unique
                },
            }
        };
        let kinds = self.kinds.par_iter().enumerate();
        let mut decisions: Vec<Decision> = kinds.map(alone).collect();
        let groups: Vec<&[(u32, u32)]> = placed.chunk_by(|a, b| a.0 == b.0).collect();
        // Threads make the decisions of some groups, which then go to their places.
        for groups in groups.chunks(GROUPS) {
            let decide = |decided: &mut Vec<Decision>, placed: &&[(u32, u32)]| {
                let group: Vec<u32> = placed.iter().map(|(_, document)| *document).collect();
                self.decide_group(&group, placed[0].0, decided);
            };
            let decided: Vec<Vec<Decision>> = groups
                .par_chunks(GROUPS_OF_THREAD)
                .map(|groups| {
                    let mut decided = Vec::new();
                    groups.iter().for_each(|group| decide(&mut decided, group));
                    decided
                })
                .collect();
            for decision in decided.into_iter().flatten() {
                decisions[decision.document as usize] = decision;
            }
        }
        decisions
    }

    /// Some documents in the keeper's order, and why the first one comes before the second.
    pub(crate) fn members(&self, documents: &[u32]) -> (Vec<Member<'_>>, &'static str) {
        let options = self.options;
        let facts = |document| {
            let facts = self.facts.facts(document);
            let date = facts
                .date
                .filter(|&date| options.latest_date.is_none_or(|latest| date <= latest));
            DocumentFacts { date, ..facts }
        };
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

    /// The place of each document in the keeper's order.
    pub(crate) fn places(&self, documents: &[u32]) -> Vec<u32> {
        let mut numbers: Vec<(u32, u32)> = documents.iter().copied().zip(0..).collect();
        numbers.sort_unstable();
        let mut places = vec![0; documents.len()];
        for (place, member) in (0..).zip(self.members(documents).0) {
            if let Ok(number) = numbers.binary_search_by_key(&member.document, |(document, _)| *document) {
                places[numbers[number].1 as usize] = place;
            }
        }
        places
    }

    /// Appends the decisions on the documents of a group.
    fn decide_group(&self, group: &[u32], representative: u32, decisions: &mut Vec<Decision>) {
        let options = self.options;
        let (mut members, mut because) = self.members(group);
        // Scores that compare members with each other may differ in united clusters. The one that was to stay does.
        let place = members
            .iter()
            .position(|member| member.document == representative);
        if let Some(place) = place.filter(|place| *place > 0) {
            members[..=place].rotate_right(1);
            because = "best of its cluster before another one was united with it";
        }
        let cluster = group.iter().copied().min().unwrap_or(representative);

        // The first member that stays of each text.
        let mut staying: BTreeMap<(u128, u64), u32> = BTreeMap::new();
        let mut kept = 0;
        let mut kept_of_host: BTreeMap<&str, u32> = BTreeMap::new();
        for member in &members {
            let document = member.document;
            let text = (self.contents[document as usize], self.exacts[document as usize]);
            let of_host = kept_of_host.entry(host(member.facts.url)).or_default();
            let room = kept < options.max_keep && options.max_per_host.is_none_or(|most| *of_host < most);
            let (action, reason) = if let Some(&of) = staying.get(&text) {
                (options.identical, Reason::ExactDuplicate { of })
            } else if document == representative {
                let reason = if members.len() > 1 {
                    Reason::Representative { because }
                } else {
                    Reason::Unique
                };
                (Action::Keep, reason)
            } else if room {
                (Action::Keep, Reason::BesideRepresentative)
            } else {
                let similarity = similarity(self.pairs, self.exact_groups, representative, document);
                (options.near, Reason::NearDuplicate { similarity })
            };
            if matches!(
                reason,
                Reason::Unique | Reason::Representative { .. } | Reason::BesideRepresentative
            ) {
                kept += 1;
                *of_host += 1;
            }
            if action != Action::Delete {
                staying.entry(text).or_insert(document);
            }
            decisions.push(Decision {
                document,
                cluster,
                representative,
                action,
                reason,
            });
        }
    }
}

/// The verified similarity of two documents, 1 if their contents are equal; none if their pair is not among the pairs, which are sorted.
pub(crate) fn similarity(pairs: &[ScoredPair], exact_groups: &ExactGroups, a: u32, b: u32) -> Option<f64> {
    let (a, b) = (exact_groups.first(a), exact_groups.first(b));
    if a == b {
        return Some(1.0);
    }
    let place = pairs
        .binary_search_by_key(&(a.min(b), a.max(b)), |pair| (pair.a, pair.b))
        .ok()?;
    Some(pairs[place].similarity)
}
