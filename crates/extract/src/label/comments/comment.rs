//! A comment of a page.

/// A reader's comment, or a post of a thread.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Comment {
    /// Name of the writer, if the page shows it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub author: Option<String>,
    /// Day of writing as `YYYY-MM-DD`; `None` if the page does not give it with its year.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub date: Option<String>,
    /// Depth in the tree of comments: 0 for a comment on the page itself.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zero"))]
    pub depth: usize,
    /// Index in the list of the comment that this one answers; `None` if the page does not show it. Always less than the index of
    /// this one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub reply_to: Option<usize>,
    /// Whether it opens the thread: the question, or the post that the others answer.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_false"))]
    pub first: bool,
    /// Its text, one line a paragraph.
    pub text: String,
}

#[cfg(feature = "serde")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_zero(value: &usize) -> bool {
    *value == 0
}

#[cfg(feature = "serde")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_false(value: &bool) -> bool {
    !*value
}
