//! One comment of a page.

/// A reader's comment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Comment {
    /// Name of the writer, if the page marks it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub author: Option<String>,
    /// Day of writing as `YYYY-MM-DD`, if the page marks it so that it can be read.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub date: Option<String>,
    /// Number of comments that this one is nested in: 0 for a comment on the page itself.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zero"))]
    pub depth: usize,
    /// Its text, one line a paragraph.
    pub text: String,
}

#[cfg(feature = "serde")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_zero(value: &usize) -> bool {
    *value == 0
}
