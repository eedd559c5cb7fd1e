//! Errors of settings. Documents never cause them.

use std::fmt;

/// The reason why a setting is rejected. The message names the setting, its value and the possible values.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildError {
    message: String,
    parameter: Option<String>,
    known: Vec<&'static str>,
    needs_statistics: bool,
}

impl BuildError {
    /// The name of the wrong setting, as users type it. For an unknown strategy, the family, such as `signature`.
    /// `None` if statistics are missing.
    #[must_use]
    pub fn parameter(&self) -> Option<&str> {
        self.parameter.as_deref()
    }

    /// The possible names, if an unknown name was given; else empty.
    #[must_use]
    pub fn known(&self) -> &[&'static str] {
        &self.known
    }

    /// True if a method that needs the statistics of the collection was built without them.
    #[must_use]
    pub fn needs_statistics(&self) -> bool {
        self.needs_statistics
    }

    fn new(parameter: &str, message: String) -> Self {
        Self {
            message,
            parameter: Some(parameter.to_owned()),
            known: Vec::new(),
            needs_statistics: false,
        }
    }

    fn with_known(self, known: Vec<&'static str>) -> Self {
        Self { known, ..self }
    }

    pub(crate) fn unknown_name(family: &str, name: &str, known: Vec<&'static str>) -> Self {
        let message = format!("unknown {family} `{name}`; known: {}", known.join(", "));
        Self::new(family, message).with_known(known)
    }

    pub(crate) fn unknown_parameter(strategy: &str, name: &str, known: Vec<&'static str>) -> Self {
        let those = match &known[..] {
            [] => "it has none".to_owned(),
            known => format!("known: {}", known.join(", ")),
        };
        let message = format!("`{strategy}` has no parameter `{name}`; {those}");
        Self::new(name, message).with_known(known)
    }

    /// The error of a wrong value. `wanted` completes "... is not ", for example "a number from 0 to 1".
    pub(crate) fn value(parameter: &str, value: impl fmt::Display, wanted: impl fmt::Display) -> Self {
        Self::new(
            parameter,
            format!("`{parameter}` is {value}, which is not {wanted}"),
        )
    }

    /// The error that `text` is not a valid argument of `strategy`. `wanted` completes "it takes ...".
    pub(crate) fn argument(strategy: &str, text: &str, wanted: &str) -> Self {
        let given = if text.is_empty() {
            format!("`{strategy}`")
        } else {
            format!("`{strategy}:{text}`")
        };
        Self::new(strategy, format!("{given} is incomplete: it takes {wanted}"))
    }

    pub(crate) fn indivisible(bands: u32, width: u32) -> Self {
        let message =
            format!("`bands` is {bands}, which does not divide the signature width {width}; give `rows` too");
        Self::new("bands", message)
    }

    pub(crate) fn too_wide(bands: u32, rows: u32, width: u32) -> Self {
        let values = u64::from(bands) * u64::from(rows);
        let message = format!(
            "`bands` is {bands} and `rows` is {rows}, which together take {values} values of a signature of width {width}"
        );
        Self::new("bands", message)
    }

    /// The error that `reader` of `family` cannot read signatures by `signature`, which have the form `form`.
    pub(crate) fn form(family: &str, reader: &str, wanted: &str, signature: &str, form: &str) -> Self {
        let message = format!("{family} by `{reader}` needs {wanted}, but `{signature}` makes {form}");
        Self::new(family, message)
    }

    /// The error that candidates by `method` miss pairs that `similarity` finds. `known` are the methods that do not.
    pub(crate) fn too_few(method: &str, similarity: &str, known: Vec<&'static str>) -> Self {
        let message = format!(
            "candidates by `{method}` miss a document that lies inside a larger one, which similarity by `{similarity}` looks for: leave \
             `candidates` out, or choose one of {}",
            known.join(", ")
        );
        Self::new("candidates", message).with_known(known)
    }

    pub(crate) fn statistics(strategy: &str) -> Self {
        Self {
            message: format!("`{strategy}` compares documents with their collection: give its statistics"),
            parameter: None,
            known: Vec::new(),
            needs_statistics: true,
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BuildError {}
