//! Preferred sources, which take precedence over the order of any keeper.

use std::sync::Arc;

use crate::keep::criterion::ONLY;
use crate::keep::facts::DocumentFacts;
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::{Parameter, Strategy};

/// Orders members by [preference](crate::DocumentFacts::preference) first, then by a keeper.
#[derive(Clone)]
pub(crate) struct Preferred(pub(crate) Arc<dyn Keeper>);

impl Strategy for Preferred {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn summary(&self) -> &'static str {
        self.0.summary()
    }

    fn parameters(&self) -> &'static [Parameter] {
        self.0.parameters()
    }

    fn argument(&self) -> Option<String> {
        self.0.argument()
    }
}

/// The rank of documents from no preferred source.
const LAST: u32 = u32::MAX;

/// The rank of a member's source; documents from no preferred source come last.
fn rank(member: &Member<'_>) -> u32 {
    member.facts.preference.unwrap_or(LAST)
}

impl Keeper for Preferred {
    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        // The keeper sees all members, because some keepers compare each member with all others. The sort is stable, so
        // within a source the keeper's order remains.
        let because = self.0.order(members);
        if members.iter().all(|member| member.facts.preference.is_none()) {
            return because;
        }
        members.sort_by_key(rank);
        match members {
            [first, second, ..] if rank(first) < rank(second) => "preferred source",
            // The keeper's reason was for its own first two members. If it compares members alone, it is
            // asked again about these two.
            [first, second, ..] if self.0.compares_alone() => self.0.order(&mut [*first, *second]),
            [_, _, ..] => "best of the preferred source",
            _ => ONLY,
        }
    }

    fn compares_alone(&self) -> bool {
        self.0.compares_alone()
    }

    fn key(&self, facts: &DocumentFacts<'_>, out: &mut Vec<u8>) {
        // Written first, so that the preference decides before the keeper's key.
        out.extend_from_slice(&facts.preference.unwrap_or(LAST).to_be_bytes());
        self.0.key(facts, out);
    }

    fn field(&self) -> Option<&str> {
        self.0.field()
    }
}
