//! What all tables of strategies share: names, help texts and parameters that can be set by name.

use crate::strategy::build_error::BuildError;

/// An entry of a table of strategies.
pub trait Strategy: Send + Sync {
    /// The name as users type it.
    fn name(&self) -> &'static str;

    /// One line for help texts.
    fn summary(&self) -> &'static str;

    /// The parameters that can be set by name.
    fn parameters(&self) -> &'static [Parameter] {
        &[]
    }
}

/// A parameter of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name as users type it.
    pub name: &'static str,
    /// The default, as text that the strategy accepts.
    pub default: &'static str,
    /// Unit, range and effect, in one line.
    pub help: &'static str,
}

/// The entry of that name. `family` is what the table holds, in the words of an error message.
pub(crate) fn find<'a, S: Strategy + ?Sized>(
    table: &[&'a S],
    family: &'static str,
    name: &str,
) -> Result<&'a S, BuildError> {
    table
        .iter()
        .copied()
        .find(|entry| entry.name() == name)
        .ok_or_else(|| {
            BuildError::unknown_name(family, name, table.iter().map(|entry| entry.name()).collect())
        })
}
