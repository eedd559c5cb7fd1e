//! The role of a text inside a comment, by its markup: text, a writer's name, a date, or a control.

use crate::analysis::blocks::block::Block;
use crate::label::comments::names::{Role, role};
use crate::label::extractor::PageView;
use dehusk_html::tree::{NodeId, Tag};

/// Most words of a block that may be the writer, the date or a control of a comment.
pub(crate) const MAX_SIGNATURE_WORDS: u32 = 12;
/// Most elements between a text and its comment that are looked at.
const MAX_ABOVE: usize = 32;

/// Whether a block is marked as a writer's name or a date.
pub(crate) fn is_signature(view: &PageView<'_>, block: &Block) -> bool {
    let signs = |&node: &NodeId| matches!(role_of(view, NodeId::DOCUMENT, node).0, Role::Author | Role::Date);
    block.words <= MAX_SIGNATURE_WORDS && view.table.nodes(block).iter().any(signs)
}

/// The role of a text by the elements between it and its comment, and the element that tells it.
pub(crate) fn role_of(view: &PageView<'_>, item: NodeId, node: NodeId) -> (Role, Option<NodeId>) {
    let dom = view.dom;
    for at in dom.ancestors(node).take_while(|&at| at != item).take(MAX_ABOVE) {
        let marked = match dom.html_tag(at) {
            Some(Tag::TIME) => Some(Role::Date),
            Some(Tag::CITE) => Some(Role::Author),
            Some(Tag::BUTTON | Tag::FORM | Tag::LABEL) => Some(Role::Control),
            _ => match dom.attr(at, "itemprop").as_deref() {
                Some("author" | "name" | "creator") => Some(Role::Author),
                Some("datePublished" | "dateCreated" | "dateModified") => Some(Role::Date),
                Some("text" | "description" | "commentText" | "articleBody") => return (Role::Text, None),
                _ => None,
            },
        };
        let named = || {
            let mut names = dom.attr(at, "class").unwrap_or_default().to_ascii_lowercase();
            if let Some(id) = dom.attr(at, "id") {
                names.push(' ');
                names.push_str(&id.to_ascii_lowercase());
            }
            role(&names)
        };
        if let Some(role) = marked.or_else(named) {
            return (role, Some(at));
        }
    }
    (Role::Text, None)
}
