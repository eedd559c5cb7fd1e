//! Parameters of extractors, as users set them: `density:link=0.3,next=12`.

use std::fmt;
use std::ops::{Deref, RangeInclusive};
use std::str::FromStr;
use std::sync::Arc;

/// One parameter of an extractor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Name as users type it.
    pub name: &'static str,
    /// Default, as users would type it.
    pub default: &'static str,
    /// Unit, range and effect, in one line.
    pub help: &'static str,
}

/// An extractor does not exist, lacks a parameter, or does not accept the value of a parameter.
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

/// A method of a table of methods, or another one: with other parameters, or of the caller.
pub enum Chosen<T: ?Sized + 'static> {
    /// A method of the table.
    Listed(&'static T),
    /// Another method.
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

/// Sets each parameter of `PARAMETER=VALUE,...` that the method of this name has.
pub(crate) fn set_each(
    (name, parameters): (&str, &[Parameter]),
    settings: &str,
    mut set: impl FnMut(&str, &str) -> Result<(), String>,
) -> Result<(), MethodError> {
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

/// Reads a number in a range.
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

/// The value that a list gives for a word.
pub(crate) fn one_of<T: Copy>(word: &str, known: &[(&str, T)]) -> Result<T, String> {
    let found = known.iter().find(|(name, _)| *name == word);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        format!("`{word}` is none of {}", names.join(", "))
    })
}
