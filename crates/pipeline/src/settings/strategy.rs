//! Settings that choose a strategy of `dehusk_dedup` and its parameters.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use dehusk_dedup::{Family, Parameter};

use super::value::{Names, SettingValue};

/// A strategy with its parameters (`minhash` or `minhash:width=200,seed=7`) or its argument
/// (`field:score`).
pub struct Chosen<T: ?Sized> {
    strategy: Arc<T>,
    set: BTreeMap<&'static str, String>,
}

impl<T: ?Sized> Clone for Chosen<T> {
    fn clone(&self) -> Self {
        Chosen {
            strategy: Arc::clone(&self.strategy),
            set: self.set.clone(),
        }
    }
}

impl<T: Family + ?Sized> Chosen<T> {
    /// The strategy of this name, with default parameters.
    pub fn named(name: &str) -> Result<Self, String> {
        let strategy = T::named(name).map_err(|e| e.to_string())?;
        Ok(Chosen {
            strategy,
            set: BTreeMap::new(),
        })
    }

    /// Sets one parameter.
    pub fn with(mut self, parameter: &str, value: &str) -> Result<Self, String> {
        self.strategy = self.strategy.set(parameter, value).map_err(|e| e.to_string())?;
        // Values are kept as given for `describe`: the strategy itself does not return them.
        let known = self
            .strategy
            .parameters()
            .iter()
            .find(|known| known.name == parameter);
        self.set.extend(known.map(|known| (known.name, value.to_owned())));
        Ok(self)
    }

    /// Whether the strategy has this parameter.
    pub fn has(&self, parameter: &str) -> bool {
        self.strategy
            .parameters()
            .iter()
            .any(|known| known.name == parameter)
    }

    /// The strategy.
    pub fn strategy(&self) -> Arc<T> {
        Arc::clone(&self.strategy)
    }

    /// Name and all parameters, including defaults, in the form in which users type them.
    pub fn describe(&self) -> String {
        if let Some(argument) = self.strategy.argument() {
            return format!("{}:{argument}", self.strategy.name());
        }
        let value = |known: &Parameter| {
            self.set
                .get(known.name)
                .map_or(known.default, String::as_str)
                .to_owned()
        };
        let parameters: Vec<String> = self
            .strategy
            .parameters()
            .iter()
            .map(|known| format!("{}={}", known.name, value(known)))
            .collect();
        let colon = if parameters.is_empty() { "" } else { ":" };
        format!("{}{colon}{}", self.strategy.name(), parameters.join(","))
    }
}

impl<T: Family + ?Sized> FromStr for Chosen<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let mut chosen: Self = Chosen::named(name.trim())?;
        if chosen.strategy.argument().is_some() {
            let strategy = chosen.strategy.with_argument(parameters.trim());
            chosen.strategy = strategy.map_err(|e| e.to_string())?;
            return Ok(chosen);
        }
        for parameter in parameters
            .split(',')
            .map(str::trim)
            .filter(|parameter| !parameter.is_empty())
        {
            let Some((name, value)) = parameter.split_once('=') else {
                return Err(format!("`{parameter}` is not of the form PARAMETER=VALUE"));
            };
            chosen = chosen.with(name.trim(), value.trim())?;
        }
        Ok(chosen)
    }
}

impl<T: Family + ?Sized> fmt::Debug for Chosen<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}

impl<T: Family + ?Sized> SettingValue for Chosen<T> {
    fn names() -> Names {
        Names::WithParameters(T::all().iter().map(|member| member.name()).collect())
    }
}
