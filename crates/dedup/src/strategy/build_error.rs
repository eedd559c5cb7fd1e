//! Settings that cannot work. Documents cannot fail; only options can, and the number of documents.

use std::fmt;

/// Why a setting is rejected. The text names the setting, its value and the possible values.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildError {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Name {
        family: &'static str,
        name: String,
        known: Vec<&'static str>,
    },
    Parameter {
        strategy: &'static str,
        name: String,
        known: Vec<&'static str>,
    },
    Value {
        parameter: &'static str,
        value: String,
        wanted: String,
    },
    Indivisible {
        bands: u32,
        width: u32,
    },
    TooWide {
        bands: u32,
        rows: u32,
        width: u32,
    },
    Statistics {
        strategy: &'static str,
    },
    Form {
        family: &'static str,
        reader: &'static str,
        wanted: &'static str,
        signature: &'static str,
        form: &'static str,
    },
}

impl BuildError {
    /// The setting that is at fault, as users type it; for an unknown name, its family, such as `signature`.
    #[must_use]
    pub fn parameter(&self) -> Option<&str> {
        match &self.kind {
            Kind::Name { family, .. } => Some(family),
            Kind::Parameter { name, .. } => Some(name),
            Kind::Value { parameter, .. } => Some(parameter),
            Kind::Indivisible { .. } | Kind::TooWide { .. } => Some("bands"),
            Kind::Form { family, .. } => Some(family),
            Kind::Statistics { .. } => None,
        }
    }

    /// The names that were possible, if an unknown name was given.
    #[must_use]
    pub fn known(&self) -> &[&'static str] {
        match &self.kind {
            Kind::Name { known, .. } | Kind::Parameter { known, .. } => known,
            _ => &[],
        }
    }

    /// True if a method that compares documents with their collection was built without its statistics.
    #[must_use]
    pub fn needs_statistics(&self) -> bool {
        matches!(self.kind, Kind::Statistics { .. })
    }

    pub(crate) fn unknown_name(family: &'static str, name: &str, known: Vec<&'static str>) -> Self {
        Self {
            kind: Kind::Name {
                family,
                name: name.to_owned(),
                known,
            },
        }
    }

    pub(crate) fn unknown_parameter(strategy: &'static str, name: &str, known: Vec<&'static str>) -> Self {
        Self {
            kind: Kind::Parameter {
                strategy,
                name: name.to_owned(),
                known,
            },
        }
    }

    /// `wanted` completes "... is not ", for example "a number from 0 to 1".
    pub(crate) fn value(
        parameter: &'static str,
        value: impl fmt::Display,
        wanted: impl Into<String>,
    ) -> Self {
        Self {
            kind: Kind::Value {
                parameter,
                value: value.to_string(),
                wanted: wanted.into(),
            },
        }
    }

    pub(crate) fn indivisible(bands: u32, width: u32) -> Self {
        Self {
            kind: Kind::Indivisible { bands, width },
        }
    }

    pub(crate) fn too_wide(bands: u32, rows: u32, width: u32) -> Self {
        Self {
            kind: Kind::TooWide { bands, rows, width },
        }
    }

    /// `reader`, of `family`, reads signatures of another form than `form`, the one of `signature`.
    pub(crate) fn form(
        family: &'static str,
        reader: &'static str,
        wanted: &'static str,
        signature: &'static str,
        form: &'static str,
    ) -> Self {
        Self {
            kind: Kind::Form {
                family,
                reader,
                wanted,
                signature,
                form,
            },
        }
    }

    pub(crate) fn statistics(strategy: &'static str) -> Self {
        Self {
            kind: Kind::Statistics { strategy },
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Name { family, name, known } => {
                write!(f, "unknown {family} `{name}`; known: {}", known.join(", "))
            }
            Kind::Parameter {
                strategy,
                name,
                known,
            } if known.is_empty() => {
                write!(f, "`{strategy}` has no parameter `{name}`; it has none")
            }
            Kind::Parameter {
                strategy,
                name,
                known,
            } => {
                write!(
                    f,
                    "`{strategy}` has no parameter `{name}`; known: {}",
                    known.join(", ")
                )
            }
            Kind::Value {
                parameter,
                value,
                wanted,
            } => write!(f, "`{parameter}` is {value}, which is not {wanted}"),
            Kind::Indivisible { bands, width } => {
                write!(
                    f,
                    "`bands` is {bands}, which does not divide the signature width {width}; give `rows` too"
                )
            }
            Kind::TooWide { bands, rows, width } => write!(
                f,
                "`bands` is {bands} and `rows` is {rows}, which together take {} values of a signature of width {width}",
                u64::from(*bands) * u64::from(*rows)
            ),
            Kind::Form {
                family,
                reader,
                wanted,
                signature,
                form,
            } => {
                write!(
                    f,
                    "{family} by `{reader}` needs {wanted}, but `{signature}` makes {form}"
                )
            }
            Kind::Statistics { strategy } => {
                write!(
                    f,
                    "`{strategy}` compares documents with their collection: give its statistics"
                )
            }
        }
    }
}

impl std::error::Error for BuildError {}
