//! Names of pages and documents in lists and tables.

use super::section::{ID_CHARS, TEXT_CHARS, URL_CHARS};
use crate::write::report::markup::Html;

/// Writes title, address and id. The id is omitted if it equals the address.
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

/// Writes at most `limit` characters of the title.
pub(super) fn title_of(html: &mut Html, title: Option<&str>, limit: usize) {
    match title.map(str::trim).filter(|title| !title.is_empty()) {
        Some(title) => html.within("span", &[("class", &"title")], |html| html.prose(title, limit)),
        None => html.element("span", &[("class", &"title untitled")], "No title"),
    }
}
