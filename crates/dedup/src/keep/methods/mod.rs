//! Keepers, one file each: they choose the main document of a cluster.

use crate::keep::keeper::{CloneKeeper, Keeper};
use crate::strategy::entry::Family;

mod canonical;
mod cleanest;
mod field;
pub(crate) mod first_seen;
mod longest;
mod newest;
mod oldest;
mod popularity;
mod weighted;

pub use canonical::Canonical;
pub use cleanest::Cleanest;
pub use field::Field;
pub use first_seen::FirstSeen;
pub use longest::Longest;
pub use newest::Newest;
pub use oldest::Oldest;
pub use popularity::Popularity;
pub use weighted::Weighted;

/// Every keeper, in the order in which help texts list them. All of them break ties by the order of the input.
pub static ALL: &[&dyn Keeper] = &[
    &FirstSeen,
    &Oldest,
    &Newest,
    &Popularity,
    &Cleanest,
    &Longest,
    &Field::DEFAULT,
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
