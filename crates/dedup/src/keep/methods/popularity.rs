//! The most popular member.

use crate::keep::criterion::{Criterion, order_by};
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::Strategy;

/// The more popular member, then the one of the earlier date, then the first in the input.
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

impl Keeper for Popularity {
    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        order_by(&[Criterion::Popularity, Criterion::Oldest], members)
    }
}
