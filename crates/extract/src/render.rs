//! The kept blocks as text and as Markdown.
//!
//! Both writers hear the same walk over the kept part of the tree: elements without kept text are not entered, so their
//! markup leaves no trace.

mod markdown;
mod plain;
mod walk;

use crate::extractor::{Labels, View};

/// Plain text: one line a paragraph, heading, list item or table row, an empty line between blocks.
pub(crate) fn text(view: &View<'_>, labels: &Labels) -> String {
    let mut writer = plain::Plain::default();
    walk::walk(view, labels, &mut writer);
    bounded(writer.finish(), view)
}

/// CommonMark with tables. `links` writes the targets of links, resolved against `url` where they are relative.
pub(crate) fn markdown(view: &View<'_>, labels: &Labels, links: bool, url: Option<&str>) -> String {
    let mut writer = markdown::Markdown::new(links.then_some(url));
    walk::walk(view, labels, &mut writer);
    bounded(writer.finish(), view)
}

/// Output is at most four times the page, so that nesting and spans cannot blow it up.
fn bounded(mut out: String, view: &View<'_>) -> String {
    let most = view.dom.source().len().saturating_mul(4) + 64;
    if out.len() > most {
        out.truncate(out.floor_char_boundary(most));
    }
    out
}

#[cfg(test)]
mod tests;
