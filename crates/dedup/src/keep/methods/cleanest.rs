//! Keeps the member with the least advertising and boilerplate.

use crate::keep::criterion::{Criterion, key_of, order_by};
use crate::keep::facts::DocumentFacts;
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::Strategy;

/// The member with the least advertising and boilerplate, then the most popular, then the first in the input.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cleanest;

impl Strategy for Cleanest {
    fn name(&self) -> &'static str {
        "cleanest"
    }

    fn summary(&self) -> &'static str {
        "the least advertising and boilerplate, then the most popular"
    }
}

/// The criteria, in order of precedence.
const ORDER: &[Criterion] = &[Criterion::Clutter, Criterion::Popularity];

impl Keeper for Cleanest {
    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        order_by(ORDER, members)
    }

    fn key(&self, facts: &DocumentFacts<'_>, out: &mut Vec<u8>) {
        key_of(ORDER, facts, out);
    }
}
