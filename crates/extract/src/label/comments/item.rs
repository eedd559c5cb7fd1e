//! What one comment says.

use std::collections::BTreeMap;

use super::Comment;
use super::names::{Role, role};
use super::regions::Regions;
use crate::analysis::blocks::Block;
use crate::analysis::metadata;
use crate::label::extractor::PageView;
use dehusk_html::tree::{NodeId, Tag};

/// Words up to which a line may be furniture of a comment: its writer, its date, what to click.
const FURNITURE: u32 = 12;
/// Characters of a writer's name.
const MAX_NAME: usize = 60;
/// Elements between a text and its comment that are looked at.
const MAX_ABOVE: usize = 32;

/// Reads all comments, in document order.
pub(crate) fn read(view: &PageView<'_>, regions: &Regions) -> Vec<Comment> {
    let mut comments: BTreeMap<u32, Comment> = BTreeMap::new();
    for (i, block) in view.table.blocks().iter().enumerate().filter(|(_, b)| !b.hidden) {
        let Some(item) = regions.item_of(view, i) else {
            continue;
        };
        let comment = comments.entry(item).or_default();
        add(view, item, block, comment);
    }
    for (&item, comment) in &mut comments {
        let mut above = regions.above(view, item);
        while let Some(outer) = above {
            comment.depth += 1;
            above = regions.above(view, outer);
        }
    }
    let said = |comment: &Comment| comment.text.chars().any(char::is_alphanumeric);
    comments.into_values().filter(said).collect()
}

/// Adds one block to the comment that it stands in.
fn add(view: &PageView<'_>, item: u32, block: &Block, comment: &mut Comment) {
    let element = view.table.contexts()[item as usize].element;
    let text = view.table.text(block);
    if block.words <= FURNITURE {
        let mut part = Role::Text;
        for &node in view.table.nodes(block) {
            let (role, at) = role_of(view, element, node);
            part = part.max(role);
            let said = view.dom.text(node);
            let said = said.trim();
            match role {
                Role::Author if comment.author.is_none() && comment.text.is_empty() => {
                    let name = said.trim_end_matches([':', ',']).trim();
                    if !name.is_empty()
                        && name.chars().count() <= MAX_NAME
                        && name.chars().any(char::is_alphabetic)
                    {
                        comment.author = Some(name.split_whitespace().collect::<Vec<_>>().join(" "));
                    }
                }
                Role::Date if comment.date.is_none() => {
                    let written = at.and_then(|at| {
                        let marks = ["datetime", "content", "title"].into_iter();
                        marks
                            .filter_map(|mark| view.dom.attr(at, mark))
                            .find_map(|v| metadata::date(&v))
                    });
                    comment.date = written.or_else(|| metadata::date(said));
                }
                _ => {}
            }
        }
        let linked = block.link_density() > 0.5 && block.words <= FURNITURE / 2;
        let control = matches!(
            view.dom.html_tag(block.element),
            Some(Tag::BUTTON | Tag::LABEL | Tag::OPTION)
        );
        if part != Role::Text || linked || control {
            return;
        }
        if let Some(date) = metadata::date(text).filter(|_| comment.date.is_none() && comment.text.is_empty())
        {
            comment.date = Some(date);
            return;
        }
    }
    if !comment.text.is_empty() {
        comment.text.push('\n');
    }
    comment.text.push_str(text);
}

/// Whether a block names a writer or a date by its markup.
pub(crate) fn is_signature(view: &PageView<'_>, block: &Block) -> bool {
    let signs = |&node: &NodeId| matches!(role_of(view, NodeId::DOCUMENT, node).0, Role::Author | Role::Date);
    block.words <= FURNITURE && view.table.nodes(block).iter().any(signs)
}

/// What a text is by the elements between it and its comment, and the element that says so.
fn role_of(view: &PageView<'_>, item: NodeId, node: NodeId) -> (Role, Option<NodeId>) {
    let dom = view.dom;
    for at in dom.ancestors(node).take_while(|&at| at != item).take(MAX_ABOVE) {
        let marked = match dom.html_tag(at) {
            Some(Tag::TIME) => Some(Role::Date),
            Some(Tag::CITE) => Some(Role::Author),
            Some(Tag::BUTTON | Tag::FORM | Tag::LABEL) => Some(Role::Husk),
            // A link that goes by the name of its target says more than what stands around it.
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
