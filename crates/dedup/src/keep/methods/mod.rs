//! Keepers: which member of a cluster is its main document.

use std::sync::Arc;

use crate::keep::keeper::Keeper;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::find;

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

/// The keeper of that name, with its default parameters.
///
/// # Errors
/// If there is none; the error lists the known names.
pub fn named(name: &str) -> Result<Arc<dyn Keeper>, BuildError> {
    find(ALL, "keeper", name).map(Keeper::shared)
}

#[cfg(test)]
mod tests;
