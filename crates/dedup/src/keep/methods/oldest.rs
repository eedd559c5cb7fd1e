//! Keeps the member with the earliest date.

use crate::keep::criterion::{Criterion, key_of, order_by};
use crate::keep::facts::DocumentFacts;
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::Strategy;

/// The member with the earliest date, then the first in the input. Members without a date come last.
#[derive(Clone, Copy, Debug, Default)]
pub struct Oldest;

impl Strategy for Oldest {
    fn name(&self) -> &'static str {
        "oldest"
    }

    fn summary(&self) -> &'static str {
        "the earliest date, those without one last"
    }
}

/// The criteria, in order of precedence.
const ORDER: &[Criterion] = &[Criterion::Oldest];

impl Keeper for Oldest {
    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        order_by(ORDER, members)
    }

    fn key(&self, facts: &DocumentFacts<'_>, out: &mut Vec<u8>) {
        key_of(ORDER, facts, out);
    }
}
