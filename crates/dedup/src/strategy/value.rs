//! Parsing and checking of parameter values.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::strategy::build_error::BuildError;

/// Parses a number and checks its range. NaN is in no range, so it is rejected too.
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

/// Parses one of a few words.
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

/// Parses `true` or `false`.
pub(crate) fn flag(parameter: &'static str, text: &str) -> Result<bool, BuildError> {
    choice(parameter, text, &[("true", true), ("false", false)])
}

/// An error if a number that was set by code is out of its range.
pub(crate) fn within<T: PartialOrd + Display>(
    parameter: &'static str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<(), BuildError> {
    if range.contains(&value) {
        return Ok(());
    }
    let wanted = format!("a number from {} to {}", range.start(), range.end());
    Err(BuildError::value(parameter, value, wanted))
}

/// An error if a number that was set by code is less than `least`.
pub(crate) fn at_least(parameter: &'static str, value: impl Into<u64>, least: u64) -> Result<(), BuildError> {
    let value = value.into();
    if value >= least {
        return Ok(());
    }
    Err(BuildError::value(parameter, value, format!("{least} or more")))
}
