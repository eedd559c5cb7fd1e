//! One comment of a page.

/// What one reader wrote.
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
    /// Comments that this one stands in: 0 for those that answer the page itself.
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
