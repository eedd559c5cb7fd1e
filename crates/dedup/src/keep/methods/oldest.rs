//! The member of the earliest date.

use crate::keep::criterion::{Criterion, order_by};
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::Strategy;

/// The member of the earliest date; members without a date come last. Then the first in the input.
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

impl Keeper for Oldest {
    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        order_by(&[Criterion::Oldest], members)
    }
}
