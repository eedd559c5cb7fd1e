//! Which documents stay, by cluster.

use std::collections::BTreeMap;

use crate::cluster::clusters::Clusters;
use crate::engine::document_rows::DocumentKind;
use crate::engine::options::{Action, Options};
use crate::engine::outcome::{Decision, Reason};
use crate::keep::facts::{DocumentFacts, FactSource, host};
use crate::keep::keeper::Member;

/// The data that decisions are made from.
pub(crate) struct Decider<'a, S: ?Sized> {
    pub(crate) options: &'a Options,
    pub(crate) kinds: &'a [DocumentKind],
    pub(crate) contents: &'a [u128],
    pub(crate) facts: &'a S,
    /// The verified similarity of two documents; none if their pair was not found.
    pub(crate) similarity: &'a dyn Fn(u32, u32) -> Option<f64>,
}

impl<S: FactSource + ?Sized> Decider<'_, S> {
    /// A decision for each document, by its number.
    pub(crate) fn decide(&self, clusters: &Clusters) -> Vec<Decision> {
        let alone = |(document, kind): (u32, &DocumentKind)| Decision {
            document,
            cluster: document,
            representative: document,
            action: Action::Keep,
            reason: if *kind == DocumentKind::Empty {
                Reason::Empty
            } else {
                Reason::Unique
            },
        };
        let mut decisions: Vec<Decision> = (0..).zip(self.kinds).map(alone).collect();
        let mut decided = vec![false; self.kinds.len()];
        for group in clusters.iter() {
            // Where clusters overlap, a document belongs to the first one.
            let members: Vec<u32> = group
                .iter()
                .copied()
                .filter(|&document| !decided[document as usize])
                .collect();
            for &document in &members {
                decided[document as usize] = true;
            }
            self.decide_group(&members, &mut decisions);
        }
        decisions
    }

    fn decide_group(&self, group: &[u32], decisions: &mut [Decision]) {
        let options = self.options;
        let facts = |document| {
            let facts = self.facts.facts(document);
            let date = facts
                .date
                .filter(|&date| options.latest_date.is_none_or(|latest| date <= latest));
            DocumentFacts { date, ..facts }
        };
        let mut members: Vec<Member<'_>> = group
            .iter()
            .map(|&document| Member {
                document,
                facts: facts(document),
            })
            .collect();
        let because = options.keeper.order(&mut members);
        let Some(representative) = members.first().map(|member| member.document) else {
            return;
        };
        let cluster = group.iter().copied().min().unwrap_or(representative);

        // The first member that stays of each content.
        let mut staying: BTreeMap<u128, u32> = BTreeMap::new();
        let mut kept = 0;
        let mut kept_of_host: BTreeMap<&str, u32> = BTreeMap::new();
        for member in &members {
            let document = member.document;
            let content = self.contents[document as usize];
            let of_host = kept_of_host.entry(host(member.facts.url)).or_default();
            let room = kept < options.max_keep && options.max_per_host.is_none_or(|most| *of_host < most);
            let (action, reason) = if let Some(&of) = staying.get(&content) {
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
                let similarity = (self.similarity)(representative, document);
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
                staying.entry(content).or_insert(document);
            }
            decisions[document as usize] = Decision {
                document,
                cluster,
                representative,
                action,
                reason,
            };
        }
    }
}
