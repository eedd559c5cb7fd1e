//! Strategies and their tables: names, help texts, and parameters that are set by name.

use std::sync::Arc;

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

    /// Changes a parameter by name. Returns false if there is no such parameter.
    ///
    /// # Errors
    /// If the value is out of its range.
    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        let _ = (parameter, value);
        Ok(false)
    }

    /// The text after the name and a colon, for a strategy that takes one argument instead of `PARAMETER=VALUE,...`.
    /// Default: `None`.
    fn argument(&self) -> Option<String> {
        None
    }

    /// Sets the [argument](Self::argument). Called only for strategies that have one.
    ///
    /// # Errors
    /// If the argument does not have the form that the strategy reads.
    fn set_argument(&mut self, text: &str) -> Result<(), BuildError> {
        let _ = text;
        Ok(())
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

impl Parameter {
    /// A parameter with this name, default and help text.
    #[must_use]
    pub const fn new(name: &'static str, default: &'static str, help: &'static str) -> Self {
        Self { name, default, help }
    }
}

/// A family of strategies: a table whose members are found by name.
pub trait Family: Strategy + 'static {
    /// Name of the family in messages, for example `signature`.
    const NAME: &'static str;

    /// Every member with its default parameters, in the order in which help texts list them.
    fn all() -> &'static [&'static Self];

    /// A copy of the strategy.
    fn boxed(&self) -> Box<Self>;

    /// A copy behind a shared pointer, in which form options hold it.
    fn shared(&self) -> Arc<Self> {
        self.boxed().into()
    }

    /// The member with this name, with its default parameters.
    ///
    /// # Errors
    /// If there is no such member; the error lists the known names.
    fn named(name: &str) -> Result<Arc<Self>, BuildError> {
        let all = Self::all();
        match all.iter().find(|member| member.name() == name) {
            Some(member) => Ok(member.shared()),
            None => {
                let known = all.iter().map(|member| member.name()).collect();
                Err(BuildError::unknown_name(Self::NAME, name, known))
            }
        }
    }

    /// The member described by `NAME`, `NAME:parameter=value,...` or, for a strategy with an
    /// [argument](Strategy::argument), `NAME:argument`.
    ///
    /// # Errors
    /// If there is no such member or parameter, or if a value is out of its range.
    fn parse(text: &str) -> Result<Arc<Self>, BuildError> {
        // Everything after the first colon belongs to the parameters, whose values may contain colons.
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let mut member = Self::named(name)?;
        // An argument is one text: commas and equals signs in it have no meaning.
        if member.argument().is_some() {
            return member.with_argument(parameters);
        }
        for parameter in parameters.split(',').filter(|parameter| !parameter.is_empty()) {
            // A parameter without a value gets the empty one, which the strategy rejects with its own
            // message.
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            member = member.set(name, value)?;
        }
        Ok(member)
    }

    /// A copy with another [argument](Strategy::argument).
    ///
    /// # Errors
    /// If the argument does not have the form that the strategy reads.
    fn with_argument(&self, text: &str) -> Result<Arc<Self>, BuildError> {
        let mut copy = self.boxed();
        copy.set_argument(text)?;
        Ok(copy.into())
    }

    /// A copy with one parameter changed, by name.
    ///
    /// # Errors
    /// If there is no such parameter, or if the value is out of its range.
    fn set(&self, parameter: &str, value: &str) -> Result<Arc<Self>, BuildError> {
        let mut copy = self.boxed();
        if copy.change(parameter, value)? {
            return Ok(copy.into());
        }
        // The error lists the known names, in case the name was misspelt.
        let known = self.parameters().iter().map(|known| known.name).collect();
        Err(BuildError::unknown_parameter(self.name(), parameter, known))
    }
}
