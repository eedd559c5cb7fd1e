//! Warnings about a page: limits that acted, fallbacks taken, damage seen.

use std::fmt;

/// Kind of a [`Warning`], by which reports count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum WarningKind {
    /// A warning of decoding or parsing. Later stages also use the kinds `StepsLimit` and `Deadline` when they stop early.
    Html(dehusk_html::WarningKind),
    /// The page contains no text.
    NoText,
    /// The page has text, but the extractor kept none of it.
    NoMainText,
    /// More than half of the words that may be main text are as likely to be boilerplate.
    DoubtfulText,
    /// The extractor abstained and another one answered.
    Fallback,
    /// There are templates for the page's site, but none fits the page.
    UnknownLayout,
    /// There is a hand-written rule for the page, but it found nothing.
    RuleSilent,
    /// A hand-written rule was stopped because it took too many steps or found too many nodes.
    RuleLimit,
    /// A JSON-LD script could not be read and was skipped.
    BrokenJson,
    /// The layout given for the page belongs to another page, or to another version of it.
    LayoutMismatch,
    /// The page declares another language than its text has. The language of the text is reported.
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
        WarningKind::DoubtfulText,
        WarningKind::Fallback,
        WarningKind::UnknownLayout,
        WarningKind::RuleSilent,
        WarningKind::RuleLimit,
        WarningKind::BrokenJson,
        WarningKind::LayoutMismatch,
        WarningKind::LanguageConflict,
        WarningKind::OutputLimit,
    ];

    /// Name used in records and reports, such as `depth-limit`.
    pub fn name(self) -> &'static str {
        match self {
            WarningKind::Html(kind) => kind.name(),
            WarningKind::NoText => "no-text",
            WarningKind::NoMainText => "no-main-text",
            WarningKind::DoubtfulText => "doubtful-text",
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

/// A warning about a page. Extraction cannot fail; warnings report what went wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Warning {
    /// Kind of the warning.
    pub kind: WarningKind,
    /// Description of the event, as one sentence without a full stop.
    pub message: String,
}

impl Warning {
    /// Creates a warning; `message` is one sentence without a full stop.
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
