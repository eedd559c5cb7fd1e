//! The role of a text inside a comment, by its markup: text, a writer's name, a date, or a control.

use crate::analysis::blocks::block::Block;
use crate::label::comments::names::{Role, role};
use crate::label::extractor::PageView;
use crate::label::scratch::MarkupRole;
use dehusk_html::tree::{Dom, NodeId, Tag};

/// Maximum words of a block that may be the writer, the date or a control of a comment.
pub(crate) const MAX_SIGNATURE_WORDS: u32 = 12;
/// Maximum number of elements above a text that are searched.
const MAX_ABOVE: usize = 32;

/// Whether a block is marked as a writer's name or a date.
pub(crate) fn is_signature(view: &PageView<'_>, block: &Block) -> bool {
    let signs = |&node: &NodeId| matches!(role_of(view, NodeId::DOCUMENT, node).0, Role::Author | Role::Date);
    block.words <= MAX_SIGNATURE_WORDS && view.table.nodes(block).iter().any(signs)
}

/// Returns the role of a text by the elements between it and its comment, and the element that has this role; `None` if no
/// element has one.
pub(crate) fn role_of(view: &PageView<'_>, item: NodeId, node: NodeId) -> (Role, Option<NodeId>) {
    let mut known = view.scratch.markup_roles.borrow_mut();
    if known.is_empty() {
        known.resize(view.dom.len(), None);
    }
    let ancestors = view.dom.ancestors(node).take_while(|&at| at != item);
    for at in ancestors.take(MAX_ABOVE) {
        // Many texts share the elements around them, whose roles are cached.
        let role = match known.get_mut(at.index()) {
            Some(known) => *known.get_or_insert_with(|| markup_role(view.dom, at)),
            None => markup_role(view.dom, at),
        };
        match role {
            MarkupRole::Unknown => {}
            MarkupRole::MarkedText => return (Role::Text, None),
            MarkupRole::Known(role) => return (role, Some(at)),
        }
    }
    (Role::Text, None)
}

/// Returns the role that tag, microdata and names of an element give to the texts below it.
fn markup_role(dom: &Dom<'_>, at: NodeId) -> MarkupRole {
    // In the order of trust: tag, microdata, names.
    match dom.html_tag(at) {
        Some(Tag::TIME) => return MarkupRole::Known(Role::Date),
        Some(Tag::CITE) => return MarkupRole::Known(Role::Author),
        Some(Tag::BUTTON | Tag::FORM | Tag::LABEL) => return MarkupRole::Known(Role::Control),
        _ => {}
    }
    match dom.attr(at, "itemprop").as_deref() {
        Some("author" | "name" | "creator") => return MarkupRole::Known(Role::Author),
        Some("datePublished" | "dateCreated" | "dateModified") => return MarkupRole::Known(Role::Date),
        Some("text" | "description" | "commentText" | "articleBody") => return MarkupRole::MarkedText,
        _ => {}
    }
    let mut names = dom.attr(at, "class").unwrap_or_default().to_ascii_lowercase();
    if let Some(id) = dom.attr(at, "id") {
        names.push(' ');
        names.push_str(&id.to_ascii_lowercase());
    }
    role(&names).map_or(MarkupRole::Unknown, MarkupRole::Known)
}
