//! Keeps the most popular member.

use crate::keep::criterion::{Criterion, key_of, order_by};
use crate::keep::facts::DocumentFacts;
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::Strategy;

/// The most popular member, then the one with the earliest date, then the first in the input.
#[derive(Clone, Copy, Debug, Default)]
pub struct Popularity;

impl Strategy for Popularity {
    fn name(&self) -> &'static str {
        "popularity"
    }

    fn summary(&self) -> &'static str {
        "the most popular, then the earliest date"
    }
}

/// The criteria, in order of precedence.
const ORDER: &[Criterion] = &[Criterion::Popularity, Criterion::Oldest];

impl Keeper for Popularity {
    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        order_by(ORDER, members)
    }

    fn key(&self, facts: &DocumentFacts<'_>, out: &mut Vec<u8>) {
        key_of(ORDER, facts, out);
    }
}
