//! The member with the least around its text.

use crate::keep::criterion::{Criterion, key_of, order_by};
use crate::keep::facts::DocumentFacts;
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::Strategy;

/// The member with less advertising and boilerplate around its text, then the more popular one, then the first in the input.
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

/// What is compared, in this order.
const ORDER: &[Criterion] = &[Criterion::Clutter, Criterion::Popularity];

impl Keeper for Cleanest {
    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        order_by(ORDER, members)
    }

    fn key(&self, facts: &DocumentFacts<'_>, out: &mut Vec<u8>) {
        key_of(ORDER, facts, out);
    }
}
