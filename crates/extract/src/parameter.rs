//! Parameters of extractors, as users set them: `density:link=0.3,next=12`.

use std::fmt;
use std::ops::{Deref, RangeInclusive};
use std::str::FromStr;
use std::sync::Arc;

/// Description of one parameter of an extractor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Name as users type it.
    pub name: &'static str,
    /// Default, as users would type it.
    pub default: &'static str,
    /// Unit, range and effect, in one line.
    pub help: &'static str,
}

/// Error: an extractor does not exist, lacks a parameter, or does not accept a parameter's value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MethodError {
    message: String,
}

impl MethodError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        MethodError {
            message: message.into(),
        }
    }
}

impl fmt::Display for MethodError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for MethodError {}

/// A method: one of the table, one of the table with other parameters, or one of the caller's.
pub enum Chosen<T: ?Sized + 'static> {
    /// A method of the table, with default parameters.
    Listed(&'static T),
    /// A method with other parameters, or one that the caller implements.
    Own(Arc<T>),
}

impl<T: ?Sized> Clone for Chosen<T> {
    fn clone(&self) -> Self {
        match self {
            Chosen::Listed(method) => Chosen::Listed(method),
            Chosen::Own(method) => Chosen::Own(Arc::clone(method)),
        }
    }
}

impl<T: ?Sized> Deref for Chosen<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Chosen::Listed(method) => method,
            Chosen::Own(method) => method,
        }
    }
}

/// Applies `PARAMETER=VALUE,...` to the method `name`: calls `set` for each setting, and fails for unknown parameters.
pub(crate) fn set_each(
    (name, parameters): (&str, &[Parameter]),
    settings: &str,
    mut set: impl FnMut(&str, &str) -> Result<(), String>,
) -> Result<(), MethodError> {
    // A comma at the end is allowed.
    for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
        let Some((parameter, value)) = setting.split_once('=') else {
            return Err(MethodError::new(format!(
                "`{setting}` is not of the form parameter=value"
            )));
        };
        let (parameter, value) = (parameter.trim(), value.trim());
        let known: Vec<&str> = parameters.iter().map(|known| known.name).collect();
        if !known.contains(&parameter) {
            let known = if known.is_empty() {
                "none".to_owned()
            } else {
                known.join(", ")
            };
            let message = format!("`{name}` has no parameter `{parameter}`; it has: {known}");
            return Err(MethodError::new(message));
        }
        set(parameter, value).map_err(|why| MethodError::new(format!("`{name}`, `{parameter}`: {why}")))?;
    }
    Ok(())
}

/// Parses a number and checks that it lies in `range`.
pub(crate) fn number<T>(text: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + fmt::Display,
{
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        format!(
            "`{text}` is not a number from {} to {}",
            range.start(),
            range.end()
        )
    })
}

/// Looks up `word` in a list of known words and returns its value.
pub(crate) fn one_of<T: Copy>(word: &str, known: &[(&str, T)]) -> Result<T, String> {
    let found = known.iter().find(|(name, _)| *name == word);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        format!("`{word}` is none of {}", names.join(", "))
    })
}
