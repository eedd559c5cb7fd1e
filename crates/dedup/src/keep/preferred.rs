//! Preferred sources, which come before the order of any keeper.

use std::sync::Arc;

use crate::keep::criterion::ONLY;
use crate::keep::facts::DocumentFacts;
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::{Parameter, Strategy};

/// A keeper behind the preferences of documents: it orders those of equal [preference](crate::DocumentFacts::preference).
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

/// The rank of documents of no preferred source.
const LAST: u32 = u32::MAX;

/// Documents of no preferred source come last.
fn rank(member: &Member<'_>) -> u32 {
    member.facts.preference.unwrap_or(LAST)
}

impl Keeper for Preferred {
    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        // The keeper sees all members, as some compare each with all. The sort is stable and keeps its order within a source.
        let because = self.0.order(members);
        if members.iter().all(|member| member.facts.preference.is_none()) {
            return because;
        }
        members.sort_by_key(rank);
        match members {
            [first, second, ..] if rank(first) < rank(second) => "preferred source",
            [first, second, ..] if self.0.compares_alone() => self.0.order(&mut [*first, *second]),
            [_, _, ..] => "best of the preferred source",
            _ => ONLY,
        }
    }

    fn compares_alone(&self) -> bool {
        self.0.compares_alone()
    }

    fn key(&self, facts: &DocumentFacts<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(&facts.preference.unwrap_or(LAST).to_be_bytes());
        self.0.key(facts, out);
    }

    fn field(&self) -> Option<&str> {
        self.0.field()
    }
}
