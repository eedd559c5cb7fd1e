//! Warnings: limits that acted, fallbacks, damage.

use std::fmt;

/// Kind of a [`Warning`]: what reports count by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum WarningKind {
    /// What decoding and parsing warn of. The kinds `StepsLimit` and `Deadline` also tell that a later stage stopped.
    Html(dehusk_html::WarningKind),
    /// The page holds no text at all.
    NoText,
    /// There is text, but the method found no main text in it.
    NoMainText,
    /// The method abstained and another one answered.
    Fallback,
    /// Templates of the page's site are known, but none fits the page.
    UnknownLayout,
    /// There is a rule by hand for the page, but it finds nothing.
    RuleSilent,
    /// A rule by hand was stopped: it took too many steps or found too many nodes.
    RuleLimit,
    /// A JSON-LD script could not be read and was skipped.
    BrokenJson,
    /// The layout that was given for the page is of another one, or of another version of it.
    LayoutMismatch,
    /// The page declares another language than that of its text, which was taken.
    LanguageConflict,
    /// A form of the result would have been much longer than the page and was cut.
    OutputLimit,
}

impl WarningKind {
    /// All kinds.
    pub const ALL: &[WarningKind] = &[
        WarningKind::Html(dehusk_html::WarningKind::BytesLimit),
        WarningKind::Html(dehusk_html::WarningKind::DepthLimit),
        WarningKind::Html(dehusk_html::WarningKind::FormattingLimit),
        WarningKind::Html(dehusk_html::WarningKind::ReopenedLimit),
        WarningKind::Html(dehusk_html::WarningKind::NamesLimit),
        WarningKind::Html(dehusk_html::WarningKind::Unclosed),
        WarningKind::Html(dehusk_html::WarningKind::NodesLimit),
        WarningKind::Html(dehusk_html::WarningKind::AttributesLimit),
        WarningKind::Html(dehusk_html::WarningKind::AttributeBytesLimit),
        WarningKind::Html(dehusk_html::WarningKind::StepsLimit),
        WarningKind::Html(dehusk_html::WarningKind::Deadline),
        WarningKind::Html(dehusk_html::WarningKind::MalformedCharset),
        WarningKind::Html(dehusk_html::WarningKind::CharsetConflict),
        WarningKind::Html(dehusk_html::WarningKind::Binary),
        WarningKind::NoText,
        WarningKind::NoMainText,
        WarningKind::Fallback,
        WarningKind::UnknownLayout,
        WarningKind::RuleSilent,
        WarningKind::RuleLimit,
        WarningKind::BrokenJson,
        WarningKind::LayoutMismatch,
        WarningKind::LanguageConflict,
        WarningKind::OutputLimit,
    ];

    /// Name in records and reports, such as `depth-limit`.
    pub fn name(self) -> &'static str {
        match self {
            WarningKind::Html(kind) => kind.name(),
            WarningKind::NoText => "no-text",
            WarningKind::NoMainText => "no-main-text",
            WarningKind::Fallback => "fallback",
            WarningKind::UnknownLayout => "unknown-layout",
            WarningKind::RuleSilent => "rule-silent",
            WarningKind::RuleLimit => "rule-limit",
            WarningKind::BrokenJson => "broken-json",
            WarningKind::LayoutMismatch => "layout-mismatch",
            WarningKind::LanguageConflict => "language-conflict",
            WarningKind::OutputLimit => "output-limit",
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for WarningKind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl From<dehusk_html::WarningKind> for WarningKind {
    fn from(kind: dehusk_html::WarningKind) -> Self {
        WarningKind::Html(kind)
    }
}

/// A warning about a page. A page cannot fail; warnings tell what went wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Warning {
    /// Its kind.
    pub kind: WarningKind,
    /// What happened on this page, as one sentence without a full stop.
    pub message: String,
}

impl Warning {
    /// A warning; its message is one sentence without a full stop.
    pub fn new(kind: impl Into<WarningKind>, message: impl Into<String>) -> Self {
        Warning {
            kind: kind.into(),
            message: message.into(),
        }
    }
}

impl From<dehusk_html::Warning> for Warning {
    fn from(warning: dehusk_html::Warning) -> Self {
        Warning::new(warning.kind, warning.message)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_the_parser_is_listed() {
        let parsed: Vec<WarningKind> = dehusk_html::WarningKind::ALL
            .iter()
            .copied()
            .map(WarningKind::Html)
            .collect();
        assert!(WarningKind::ALL.starts_with(&parsed));
        assert!(WarningKind::ALL.is_sorted());
    }
}
