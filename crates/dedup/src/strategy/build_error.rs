//! Settings that cannot work. Documents cannot fail; only options can, and the number of documents.

use std::fmt;

/// Why a setting is rejected. The text names the setting, its value and the possible values.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildError {
    message: String,
    parameter: Option<String>,
    known: Vec<&'static str>,
    needs_statistics: bool,
}

impl BuildError {
    /// The setting that is at fault, as users type it; for an unknown name, its family, such as `signature`.
    #[must_use]
    pub fn parameter(&self) -> Option<&str> {
        self.parameter.as_deref()
    }

    /// The names that were possible, if an unknown name was given.
    #[must_use]
    pub fn known(&self) -> &[&'static str] {
        &self.known
    }

    /// True if a method that compares documents with their collection was built without its statistics.
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

    /// `wanted` completes "... is not ", for example "a number from 0 to 1".
    pub(crate) fn value(parameter: &str, value: impl fmt::Display, wanted: impl fmt::Display) -> Self {
        Self::new(
            parameter,
            format!("`{parameter}` is {value}, which is not {wanted}"),
        )
    }

    /// `text` is no argument of `strategy`. `wanted` completes "it takes ...".
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

    /// `reader`, of `family`, reads signatures of another form than `form`, the one of `signature`.
    pub(crate) fn form(family: &str, reader: &str, wanted: &str, signature: &str, form: &str) -> Self {
        let message = format!("{family} by `{reader}` needs {wanted}, but `{signature}` makes {form}");
        Self::new(family, message)
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
