//! Keeps the first member in the input.

use crate::keep::criterion::{Criterion, key_of, order_by};
use crate::keep::facts::DocumentFacts;
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::Strategy;

/// The member that comes first in the input. Dates do not matter; for these see [`Oldest`](super::Oldest).
#[derive(Clone, Copy, Debug, Default)]
pub struct FirstSeen;

impl Strategy for FirstSeen {
    fn name(&self) -> &'static str {
        "first-seen"
    }

    fn summary(&self) -> &'static str {
        "the first in the input"
    }
}

/// The criteria, in order of precedence: only the tie-break.
const ORDER: &[Criterion] = &[];

impl Keeper for FirstSeen {
    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        order_by(ORDER, members)
    }

    fn key(&self, facts: &DocumentFacts<'_>, out: &mut Vec<u8>) {
        key_of(ORDER, facts, out);
    }
}
