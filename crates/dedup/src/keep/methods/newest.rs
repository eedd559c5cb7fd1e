//! Keeps the member with the latest date.

use crate::keep::criterion::{Criterion, key_of, order_by};
use crate::keep::facts::DocumentFacts;
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::Strategy;

/// The member with the latest date, then the first in the input. Members without a date come last.
#[derive(Clone, Copy, Debug, Default)]
pub struct Newest;

impl Strategy for Newest {
    fn name(&self) -> &'static str {
        "newest"
    }

    fn summary(&self) -> &'static str {
        "the latest date, those without one last"
    }
}

/// The criteria, in order of precedence.
const ORDER: &[Criterion] = &[Criterion::Newest];

impl Keeper for Newest {
    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        order_by(ORDER, members)
    }

    fn key(&self, facts: &DocumentFacts<'_>, out: &mut Vec<u8>) {
        key_of(ORDER, facts, out);
    }
}
