//! The longest member.

use crate::keep::criterion::{Criterion, order_by};
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::Strategy;

/// The member with the longest text, then the one of the earlier date, then the first in the input.
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

impl Keeper for Longest {
    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        order_by(&[Criterion::Length, Criterion::Oldest], members)
    }
}
