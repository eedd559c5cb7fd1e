//! Keepers: which member of a cluster is its main document.

use crate::keep::keeper::{CloneKeeper, Keeper};
use crate::strategy::entry::Family;

mod canonical;
mod cleanest;
pub(crate) mod first_seen;
mod longest;
mod popularity;
mod weighted;

pub use canonical::Canonical;
pub use cleanest::Cleanest;
pub use first_seen::FirstSeen;
pub use longest::Longest;
pub use popularity::Popularity;
pub use weighted::Weighted;

/// Every keeper, in the order in which help texts list them.
pub static ALL: &[&dyn Keeper] = &[
    &FirstSeen,
    &Popularity,
    &Cleanest,
    &Longest,
    &Canonical,
    &Weighted::DEFAULT,
];

impl Family for dyn Keeper {
    const NAME: &'static str = "keeper";

    fn all() -> &'static [&'static Self] {
        ALL
    }

    fn boxed(&self) -> Box<Self> {
        CloneKeeper::boxed(self)
    }
}

#[cfg(test)]
mod tests;
