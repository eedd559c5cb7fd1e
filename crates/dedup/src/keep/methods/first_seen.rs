//! The first member in the input.

use crate::keep::criterion::order_by;
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::Strategy;

/// The member that comes first in the input. Nothing else counts; for dates see [`Oldest`](super::Oldest).
#[derive(Clone, Copy, Debug, Default)]
pub struct FirstSeen;

impl Strategy for FirstSeen {
    fn name(&self) -> &'static str {
        "first-seen"
    }

    fn summary(&self) -> &'static str {
        "the first in the input"
    }
}

impl Keeper for FirstSeen {
    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        order_by(&[], members)
    }
}
