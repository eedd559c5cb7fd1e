//! Keeps the longest member.

use crate::keep::criterion::{Criterion, key_of, order_by};
use crate::keep::facts::DocumentFacts;
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::Strategy;

/// The member with the longest text, then the one with the earliest date, then the first in the input.
#[derive(Clone, Copy, Debug, Default)]
pub struct Longest;

impl Strategy for Longest {
    fn name(&self) -> &'static str {
        "longest"
    }

    fn summary(&self) -> &'static str {
        "the longest text, then the earliest date"
    }
}

/// The criteria, in order of precedence.
const ORDER: &[Criterion] = &[Criterion::Length, Criterion::Oldest];

impl Keeper for Longest {
    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        order_by(ORDER, members)
    }

    fn key(&self, facts: &DocumentFacts<'_>, out: &mut Vec<u8>) {
        key_of(ORDER, facts, out);
    }
}
