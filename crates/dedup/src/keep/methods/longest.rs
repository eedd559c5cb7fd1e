//! The longest member.

use crate::keep::criterion::{Criterion, order_by};
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::Strategy;

/// The member with the longest text, then the earlier one; then the shorter and the alphabetically first URL.
#[derive(Clone, Copy, Debug, Default)]
pub struct Longest;

impl Strategy for Longest {
    fn name(&self) -> &'static str {
        "longest"
    }

    fn summary(&self) -> &'static str {
        "the longest text, then the earlier one"
    }
}

impl Keeper for Longest {
    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        order_by(&[Criterion::Length, Criterion::Date], members)
    }
}
