//! Errors in settings. Normalization itself cannot fail; only names, orders of passes and lists can be wrong.

use std::fmt;

/// Error: a name is in no table. The message lists the known names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct UnknownName {
    family: &'static str,
    name: String,
    known: Vec<&'static str>,
}

impl UnknownName {
    pub(crate) fn new(family: &'static str, name: &str, known: Vec<&'static str>) -> Self {
        Self {
            family,
            name: name.to_owned(),
            known,
        }
    }

    /// Kind of name: `profile`, `pass`, `number mode`, `locale`, `stop word language` or `abbreviation language`.
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.family
    }

    /// The unknown name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Known names, in the order of their table.
    #[must_use]
    pub fn known(&self) -> &[&'static str] {
        &self.known
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown {} `{}`; known: {}",
            self.family,
            self.name,
            self.known.join(", ")
        )
    }
}

impl std::error::Error for UnknownName {}

/// Error: a custom profile is invalid. The message names the passes and gives the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct ProfileError {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
enum Kind {
    Unknown(UnknownName),
    Twice {
        pass: &'static str,
    },
    Order {
        earlier: &'static str,
        later: &'static str,
        reason: &'static str,
    },
}

impl ProfileError {
    pub(crate) fn twice(pass: &'static str) -> Self {
        Self {
            kind: Kind::Twice { pass },
        }
    }

    pub(crate) fn order(earlier: &'static str, later: &'static str, reason: &'static str) -> Self {
        Self {
            kind: Kind::Order {
                earlier,
                later,
                reason,
            },
        }
    }

    /// The pass at fault: the unknown or repeated pass, or the pass that comes too late.
    #[must_use]
    pub fn pass(&self) -> &str {
        match &self.kind {
            Kind::Unknown(unknown) => unknown.name(),
            Kind::Twice { pass } => pass,
            Kind::Order { earlier, .. } => earlier,
        }
    }

    /// For a wrong order, the two passes in their required order; `None` for other errors.
    #[must_use]
    pub fn wanted_order(&self) -> Option<(&'static str, &'static str)> {
        match self.kind {
            Kind::Order { earlier, later, .. } => Some((earlier, later)),
            _ => None,
        }
    }

    /// Known names, if a name was unknown; empty for other errors.
    #[must_use]
    pub fn known(&self) -> &[&'static str] {
        match &self.kind {
            Kind::Unknown(unknown) => unknown.known(),
            _ => &[],
        }
    }
}

impl From<UnknownName> for ProfileError {
    fn from(unknown: UnknownName) -> Self {
        Self {
            kind: Kind::Unknown(unknown),
        }
    }
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Unknown(unknown) => unknown.fmt(f),
            Kind::Twice { pass } => write!(f, "pass `{pass}` is named twice; each pass runs once"),
            Kind::Order {
                earlier,
                later,
                reason,
            } => {
                write!(f, "pass `{earlier}` must come before `{later}`: {reason}")
            }
        }
    }
}

impl std::error::Error for ProfileError {}
