//! What all tables of strategies share: names, help texts and parameters that can be set by name.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::error::BuildError;

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

/// Reads a number in a range.
pub(crate) fn number<T>(
    parameter: &'static str,
    text: &str,
    range: RangeInclusive<T>,
) -> Result<T, BuildError>
where
    T: FromStr + PartialOrd + Display,
{
    text.parse()
        .ok()
        .filter(|number| range.contains(number))
        .ok_or_else(|| {
            BuildError::value(
                parameter,
                text,
                format!("a number from {} to {}", range.start(), range.end()),
            )
        })
}

/// Reads one of a few words.
pub(crate) fn choice<T: Copy>(
    parameter: &'static str,
    text: &str,
    choices: &[(&'static str, T)],
) -> Result<T, BuildError> {
    choices
        .iter()
        .find(|(name, _)| *name == text)
        .map(|&(_, value)| value)
        .ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(|&(name, _)| name).collect();
            BuildError::value(parameter, text, format!("one of {}", names.join(", ")))
        })
}

/// Reads `true` or `false`.
pub(crate) fn flag(parameter: &'static str, text: &str) -> Result<bool, BuildError> {
    choice(parameter, text, &[("true", true), ("false", false)])
}
