//! Warnings of the decoder and the parser.

use std::fmt;

/// Kind of a [`Warning`], for programs to count and compare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum WarningKind {
    /// The page was longer than [`Limits::bytes`](crate::Limits::bytes); the rest was cut off.
    BytesLimit,
    /// Elements deeper than [`Limits::depth`](crate::Limits::depth) became siblings.
    DepthLimit,
    /// Unclosed formatting elements past [`Limits::formatting`](crate::Limits::formatting) were ignored.
    FormattingLimit,
    /// Unclosed formatting elements would have been copied into later blocks more often than once for every
    /// 16 bytes of the page, or with attributes of more than four times its length. After that, such
    /// elements ended with their block, or were copied without attributes.
    ReopenedLimit,
    /// The page used more than 4,096 tag names unknown to HTML; the rest share one name.
    NamesLimit,
    /// An element that holds only text, or a comment, had no end and would have contained the rest of the
    /// page with its tags. It was closed early ([`Parser::with_repairs`](crate::Parser::with_repairs)).
    Unclosed,
    /// [`Limits::nodes`](crate::Limits::nodes) was reached; further tags were ignored and text was kept.
    NodesLimit,
    /// Attributes past [`Limits::attributes`](crate::Limits::attributes) of one element were dropped.
    AttributesLimit,
    /// Attribute values were cut to [`Limits::attribute_bytes`](crate::Limits::attribute_bytes).
    AttributeBytesLimit,
    /// The page took more steps than [`Limits::steps`](crate::Limits::steps) allow; the result so far was used.
    StepsLimit,
    /// [`Limits::time`](crate::Limits::time) ran out; the result so far was used.
    Deadline,
    /// Bytes that are invalid in the page's charset became U+FFFD.
    MalformedCharset,
    /// The bytes contradict the charset that the page or its header names.
    CharsetConflict,
    /// The bytes are not text: an image, an archive or another binary file.
    Binary,
}

impl WarningKind {
    /// All kinds.
    pub const ALL: &[WarningKind] = &[
        WarningKind::BytesLimit,
        WarningKind::DepthLimit,
        WarningKind::FormattingLimit,
        WarningKind::ReopenedLimit,
        WarningKind::NamesLimit,
        WarningKind::Unclosed,
        WarningKind::NodesLimit,
        WarningKind::AttributesLimit,
        WarningKind::AttributeBytesLimit,
        WarningKind::StepsLimit,
        WarningKind::Deadline,
        WarningKind::MalformedCharset,
        WarningKind::CharsetConflict,
        WarningKind::Binary,
    ];

    /// Name in records and reports, such as `depth-limit`.
    pub fn name(self) -> &'static str {
        match self {
            WarningKind::BytesLimit => "bytes-limit",
            WarningKind::DepthLimit => "depth-limit",
            WarningKind::FormattingLimit => "formatting-limit",
            WarningKind::ReopenedLimit => "reopened-limit",
            WarningKind::NamesLimit => "names-limit",
            WarningKind::Unclosed => "unclosed",
            WarningKind::NodesLimit => "nodes-limit",
            WarningKind::AttributesLimit => "attributes-limit",
            WarningKind::AttributeBytesLimit => "attribute-bytes-limit",
            WarningKind::StepsLimit => "steps-limit",
            WarningKind::Deadline => "deadline",
            WarningKind::MalformedCharset => "malformed-charset",
            WarningKind::CharsetConflict => "charset-conflict",
            WarningKind::Binary => "binary",
        }
    }
}

/// A warning about a page. Decoding and parsing cannot fail; warnings report data that was lost or guessed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Warning {
    /// Kind of the warning.
    pub kind: WarningKind,
    /// Description of the event, as one sentence without a full stop.
    pub message: String,
}

impl Warning {
    pub(crate) fn new(kind: WarningKind, message: impl Into<String>) -> Self {
        Warning {
            kind,
            message: message.into(),
        }
    }

    /// Creates the warning that only the first `kept` of `all` bytes were read.
    pub(crate) fn cut(kept: usize, all: usize) -> Self {
        Warning::new(
            WarningKind::BytesLimit,
            format!("the page has {all} bytes; the first {kept} were read"),
        )
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.message)
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_written_by_their_names() {
        for kind in WarningKind::ALL {
            let written = serde_json::to_value(kind).expect("a name");
            assert_eq!(written, kind.name());
            assert_eq!(
                serde_json::from_value::<WarningKind>(written).expect("the name"),
                *kind
            );
        }
    }
}
