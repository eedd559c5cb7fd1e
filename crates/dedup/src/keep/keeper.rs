//! What a keeper is.

use std::sync::Arc;

use crate::keep::facts::Facts;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;

/// A member of a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member<'a> {
    /// The document's number.
    pub document: u32,
    /// What is known of it.
    pub facts: Facts<'a>,
}

/// A keeper with its parameters.
pub trait Keeper: Strategy {
    /// A copy behind a shared pointer, as options hold it.
    fn shared(&self) -> Arc<dyn Keeper>;

    /// A copy with one parameter changed, by name.
    ///
    /// # Errors
    /// If there is no such parameter, or if the value is out of its range.
    fn set(&self, parameter: &str, value: &str) -> Result<Arc<dyn Keeper>, BuildError> {
        let _ = value;
        Err(BuildError::unknown_parameter(
            self.name(),
            parameter,
            self.parameters(),
        ))
    }

    /// Sorts the members of a cluster, the one to keep first. The order is total: it depends on the members alone.
    /// Returns why the first one comes before the second, as a noun phrase such as "earliest date".
    fn order(&self, members: &mut [Member<'_>]) -> &'static str;
}
