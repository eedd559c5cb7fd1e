//! Keepers: they choose the main document of a cluster.

pub(crate) mod criterion;
pub(crate) mod facts;
pub(crate) mod field_value;
pub(crate) mod keeper;
pub(crate) mod methods;
pub(crate) mod order_key;
pub(crate) mod preferred;

pub use facts::{DocumentFacts, FactSource};
pub use field_value::FieldValue;
pub use keeper::{CloneKeeper, Keeper, Member};
pub use methods::*;
