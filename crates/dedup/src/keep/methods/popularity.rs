//! The most popular member.

use crate::keep::criterion::{Criterion, order_by};
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::Strategy;

/// The more popular member, then the earlier one; then the shorter and the alphabetically first URL.
#[derive(Clone, Copy, Debug, Default)]
pub struct Popularity;

impl Strategy for Popularity {
    fn name(&self) -> &'static str {
        "popularity"
    }

    fn summary(&self) -> &'static str {
        "what is more popular, then the earlier one"
    }
}

impl Keeper for Popularity {
    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        order_by(&[Criterion::Popularity, Criterion::Date], members)
    }
}
