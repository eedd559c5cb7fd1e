//! How lists and tables name a page or a document.

use super::section::{ID_CHARS, TEXT_CHARS, URL_CHARS};
use crate::write::report::markup::Html;

/// Title, and below it address and id; an id that equals the address is left out.
pub(super) fn name(html: &mut Html, title: Option<&str>, url: Option<&str>, id: &str) {
    title_of(html, title, TEXT_CHARS);
    html.within("div", &[("class", &"where")], |html| {
        if let Some(url) = url {
            html.address(url, URL_CHARS);
            html.text(" ");
        }
        if url != Some(id) {
            html.exact(id, ID_CHARS);
        }
    });
}

/// The title alone, `limit` characters of it.
pub(super) fn title_of(html: &mut Html, title: Option<&str>, limit: usize) {
    match title.map(str::trim).filter(|title| !title.is_empty()) {
        Some(title) => html.within("span", &[("class", &"title")], |html| html.prose(title, limit)),
        None => html.element("span", &[("class", &"title untitled")], "No title"),
    }
}
