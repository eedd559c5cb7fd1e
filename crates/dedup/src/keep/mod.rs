//! Keepers: which member of a cluster is its main document.

pub(crate) mod criterion;
pub(crate) mod facts;
pub(crate) mod keeper;
pub(crate) mod methods;

pub use facts::{DocumentFacts, FactSource};
pub use keeper::{CloneKeeper, Keeper, Member};
pub use methods::*;
