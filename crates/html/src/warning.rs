//! What a page made the extractor do without, or do differently.

use std::fmt;

/// Kind of a [`Warning`]: what reports count by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Code {
    /// The page was longer than [`Limits::bytes`](crate::Limits::bytes); the rest was cut off.
    BytesLimit,
    /// Elements below [`Limits::depth`](crate::Limits::depth) became siblings.
    DepthLimit,
    /// Unclosed formatting elements past [`Limits::formatting`](crate::Limits::formatting) were ignored.
    FormattingLimit,
    /// Unclosed formatting elements would have been opened again more often than once for each 16 bytes of the page; from
    /// there on they ended with their block.
    ReopenedLimit,
    /// The page used more than 4,096 tag names that HTML does not know; the rest share one name.
    NamesLimit,
    /// [`Limits::nodes`](crate::Limits::nodes) was reached; from there on tags were ignored and text kept.
    NodesLimit,
    /// Attributes past [`Limits::attributes`](crate::Limits::attributes) of one element were dropped.
    AttributesLimit,
    /// Attribute values were cut to [`Limits::attribute_bytes`](crate::Limits::attribute_bytes).
    AttributeBytesLimit,
    /// [`Limits::time`](crate::Limits::time) ran out; what had been parsed by then was used.
    Deadline,
    /// Bytes that are invalid in the page's charset became U+FFFD.
    Malformed,
    /// Different places name different charsets.
    CharsetConflict,
    /// The bytes are no text: an image, an archive, another binary file.
    Binary,
    /// The page holds no text at all.
    NoText,
    /// There is text, but the method found no main text in it.
    NoMainText,
    /// The method abstained and the next one of the chain answered.
    Fallback,
    /// Templates of the page's site are known, but none fits the page.
    UnknownLayout,
    /// A rule by hand is there for the page, but finds nothing on it.
    RuleSilent,
    /// A rule by hand was given up on the page: it took too many steps or found too many nodes.
    RuleLimit,
    /// A JSON-LD script could not be read and was skipped.
    BrokenJson,
    /// The rendered text was longer than four times the page and was cut.
    OutputLimit,
}

impl Code {
    /// All kinds.
    pub const ALL: &[Code] = &[
        Code::BytesLimit,
        Code::DepthLimit,
        Code::FormattingLimit,
        Code::ReopenedLimit,
        Code::NamesLimit,
        Code::NodesLimit,
        Code::AttributesLimit,
        Code::AttributeBytesLimit,
        Code::Deadline,
        Code::Malformed,
        Code::CharsetConflict,
        Code::Binary,
        Code::NoText,
        Code::NoMainText,
        Code::Fallback,
        Code::UnknownLayout,
        Code::RuleSilent,
        Code::RuleLimit,
        Code::BrokenJson,
        Code::OutputLimit,
    ];

    /// Name in records and reports, such as `depth-limit`.
    pub fn name(self) -> &'static str {
        match self {
            Code::BytesLimit => "bytes-limit",
            Code::DepthLimit => "depth-limit",
            Code::FormattingLimit => "formatting-limit",
            Code::ReopenedLimit => "reopened-limit",
            Code::NamesLimit => "names-limit",
            Code::NodesLimit => "nodes-limit",
            Code::AttributesLimit => "attributes-limit",
            Code::AttributeBytesLimit => "attribute-bytes-limit",
            Code::Deadline => "deadline",
            Code::Malformed => "malformed-charset",
            Code::CharsetConflict => "charset-conflict",
            Code::Binary => "binary",
            Code::NoText => "no-text",
            Code::NoMainText => "no-main-text",
            Code::Fallback => "fallback",
            Code::UnknownLayout => "unknown-layout",
            Code::RuleSilent => "rule-silent",
            Code::RuleLimit => "rule-limit",
            Code::BrokenJson => "broken-json",
            Code::OutputLimit => "output-limit",
        }
    }
}

/// One remark about a page. A page cannot fail; what went wrong with it is told here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// What kind of remark it is.
    pub code: Code,
    /// The figures of this page, in one sentence without a full stop.
    pub message: String,
}

impl Warning {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Warning {
            code,
            message: message.into(),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.name(), self.message)
    }
}
