//! The earliest member.

use crate::keep::criterion::{Criterion, order_by};
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::Strategy;

/// The member that appeared earlier: known dates first, then popularity, then less advertising and boilerplate, then the
/// shorter and the alphabetically first URL.
#[derive(Clone, Copy, Debug, Default)]
pub struct FirstSeen;

impl Strategy for FirstSeen {
    fn name(&self) -> &'static str {
        "first-seen"
    }

    fn summary(&self) -> &'static str {
        "what appeared earlier, then the more popular, then the cleaner one"
    }
}

impl Keeper for FirstSeen {
    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        order_by(
            &[Criterion::Date, Criterion::Popularity, Criterion::Clutter],
            members,
        )
    }
}
