//! Links to licences without `rel`, and names of licences in short lines.

use dehusk_html::tree::{AttrName, Tag};

use super::super::candidate::{Candidates, Field};
use super::super::licence;
use super::facts::Facts;

/// Maximum number of links that are checked.
const MAX_LINKS: usize = 5_000;
/// Maximum words of a line that names the licence of the page.
const MAX_WORDS: u32 = 40;

/// Adds the licences in links to Creative Commons and in short lines.
pub(super) fn licences(facts: &Facts<'_, '_>, out: &mut Candidates) {
    // Searches of the source exclude most pages.
    let source = facts.dom.source().as_bytes();
    if memchr::memmem::find(source, b"creativecommons.org/").is_some() {
        for id in facts.dom.tree().ids_of(Tag::A).take(MAX_LINKS) {
            let href = facts.dom.known_attr(id, AttrName::HREF);
            let name = href
                .filter(|href| href.contains("creativecommons.org/"))
                .and_then(|href| licence::name(&href));
            out.one(Field::Licence, name, ("licence-link", "href"), Some(id), 0.7);
        }
    }
    if memchr::memmem::find(source, b"CC").is_some()
        && [&b"CC BY"[..], b"CC-BY", b"CC0"]
            .iter()
            .any(|name| memchr::memmem::find(source, name).is_some())
    {
        for block in facts
            .table
            .blocks()
            .iter()
            .filter(|block| block.words <= MAX_WORDS && !block.hidden)
        {
            let text = facts.table.text(block);
            if memchr::memmem::find(text.as_bytes(), b"CC").is_some() {
                out.one(
                    Field::Licence,
                    licence::of_text(text),
                    ("licence-line", "text"),
                    Some(block.element),
                    0.6,
                );
            }
        }
    }
}
