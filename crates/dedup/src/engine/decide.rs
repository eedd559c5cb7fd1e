//! The decision about each document, and its reason.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::candidates::pair::{Contained, ScoredPair};
use crate::cluster::clusters::Clusters;
use crate::engine::decider::Decider;
use crate::engine::document_rows::DocumentKind;
use crate::engine::known_similarity::similarity;
use crate::engine::options::Action;
use crate::engine::outcome::{Decision, Reason};
use crate::engine::staying::{Staying, first_clusters};
use crate::keep::facts::{FactSource, host};
use crate::numeric::narrow;

/// Number of groups whose decisions are collected before they are stored.
const GROUPS: usize = 1 << 14;
/// Number of these groups in a task of one thread.
const GROUPS_OF_THREAD: usize = 256;

impl<S: FactSource + ?Sized> Decider<'_, S> {
    /// The decision about each document, by document number. `clusters` may overlap: a document belongs to the first
    /// cluster that contains it.
    pub(crate) fn decide(&self, staying: &Staying, clusters: &Clusters) -> Vec<Decision> {
        let cluster_of = first_clusters(self.kinds.len(), clusters);
        // A cluster is named by its smallest document, even if that document belongs to an earlier cluster.
        let cluster = |document: u32| {
            let number = cluster_of[document as usize] as usize;
            clusters.group(number).first().copied()
        };
        let alone = |(document, kind): (usize, &DocumentKind)| {
            let document = narrow::to_u32(document); // documents are numbered with 32 bits
            let cluster = cluster(document);
            Decision {
                document,
                cluster: cluster.unwrap_or(document),
                representative: document,
                action: Action::Keep,
                reason: match (kind, cluster) {
                    (DocumentKind::Empty, _) => Reason::Empty,
                    (_, Some(_)) => Reason::BesideRepresentative,
                    (_, None) => Reason::Unique,
                },
            }
        };
        let kinds = self.kinds.par_iter().enumerate();
        // First every document is decided as if it represented only itself; groups overwrite this below.
        let mut decisions: Vec<Decision> = kinds.map(alone).collect();
        let placed = staying.placed();
        let groups: Vec<&[(u32, u32)]> = placed.chunk_by(|a, b| a.0 == b.0).collect();
        // Threads compute the decisions of some groups; then this thread stores them.
        for groups in groups.chunks(GROUPS) {
            let decide = |decided: &mut Vec<(u32, Action, Reason)>, placed: &&[(u32, u32)]| {
                let group: Vec<u32> = placed.iter().map(|(_, document)| *document).collect();
                self.decide_group(&group, placed[0].0, decided);
            };
            let decided: Vec<Vec<(u32, Action, Reason)>> = groups
                .par_chunks(GROUPS_OF_THREAD)
                .map(|groups| {
                    let mut decided = Vec::new();
                    groups.iter().for_each(|group| decide(&mut decided, group));
                    decided
                })
                .collect();
            for (document, action, reason) in decided.into_iter().flatten() {
                let decision = &mut decisions[document as usize];
                decision.representative = staying.representative(document);
                (decision.action, decision.reason) = (action, reason);
            }
        }
        decisions
    }

    /// The verified pair of the contents of two documents, if there is one.
    fn pair(&self, a: u32, b: u32) -> Option<&ScoredPair> {
        // Pairs are between the first documents of contents.
        let (a, b) = (self.exact_groups.first(a), self.exact_groups.first(b));
        let key = (a.min(b), a.max(b));
        let place = self.pairs.binary_search_by_key(&key, |pair| (pair.a, pair.b));
        place.ok().map(|place| &self.pairs[place])
    }

    /// Appends the decisions about a group: the document `representative`, which stays, and the documents that it
    /// represents.
    fn decide_group(&self, group: &[u32], representative: u32, decisions: &mut Vec<(u32, Action, Reason)>) {
        let options = self.options;
        let (mut members, mut because) = self.members(group);
        // The representative may come after others of its group in the keeper's order, for two reasons.
        // Some keepers score a document in comparison with its group, and the representative was chosen
        // from a larger group. With transitive deletion, a document before it may have been removed as a
        // duplicate of a third document.
        let place = members
            .iter()
            .position(|member| member.document == representative);
        if let Some(place) = place.filter(|place| *place > 0) {
            let contained = self
                .pair(representative, members[0].document)
                .map(ScoredPair::contained);
            because = match contained {
                Some(Contained::First | Contained::Second) => "contains the others",
                _ => "best of all documents that pairs connect",
            };
            // The representative moves to the front; the others keep their order.
            members[..=place].rotate_right(1);
        }

        // For each text (content and text hash), the first member that is not deleted.
        let mut staying: BTreeMap<(u128, u64), u32> = BTreeMap::new();
        let mut kept = 0;
        let mut kept_of_host: BTreeMap<&str, u32> = BTreeMap::new();
        for member in &members {
            let document = member.document;
            let text = (self.contents[document as usize], self.exacts[document as usize]);
            let of_host = kept_of_host.entry(host(member.facts.url)).or_default();
            // Limits count the representative and the documents kept beside it, but no copies.
            let room = kept < options.max_keep && options.max_per_host.is_none_or(|most| *of_host < most);
            // The order of the tests matters: a copy of a kept text is an exact duplicate even where there
            // is room.
            let (action, reason) = if let Some(&of) = staying.get(&text) {
                (options.identical, Reason::ExactDuplicate { of })
            } else if document == representative {
                (Action::Keep, Reason::Representative { because })
            } else if room {
                (Action::Keep, Reason::BesideRepresentative)
            } else {
                let similarity = similarity(
                    self.pairs,
                    self.measured,
                    self.exact_groups,
                    representative,
                    document,
                );
                (options.near, Reason::NearDuplicate { similarity })
            };
            if matches!(
                reason,
                Reason::Representative { .. } | Reason::BesideRepresentative
            ) {
                kept += 1;
                *of_host += 1;
            }
            // A deleted document cannot be the one that copies refer to.
            if action != Action::Delete {
                staying.entry(text).or_insert(document);
            }
            decisions.push((document, action, reason));
        }
    }
}
