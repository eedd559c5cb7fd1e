//! Reads the comments: text, writer, date and depth.

use std::collections::BTreeMap;

use crate::analysis::blocks::block::Block;
use crate::analysis::metadata;
use crate::label::comments::comment::Comment;
use crate::label::comments::names::Role;
use crate::label::comments::regions::Regions;
use crate::label::comments::roles::{MAX_SIGNATURE_WORDS, role_of};
use crate::label::extractor::PageView;
use dehusk_html::tree::Tag;

/// Most bytes of an attribute with a date. The attribute is read for each block in its element.
const MAX_DATE: usize = 200;
/// Most characters of a writer's name.
const MAX_NAME: usize = 60;

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
        let mut enclosing = regions.enclosing(view, item);
        while let Some(outer) = enclosing {
            comment.depth += 1;
            enclosing = regions.enclosing(view, outer);
        }
    }
    let has_text = |comment: &Comment| comment.text.chars().any(char::is_alphanumeric);
    comments.into_values().filter(has_text).collect()
}

/// Adds a block to its comment.
fn add(view: &PageView<'_>, item: u32, block: &Block, comment: &mut Comment) {
    let element = view.table.contexts()[item as usize].element;
    let text = view.table.text(block);
    if block.words <= MAX_SIGNATURE_WORDS {
        let mut part = Role::Text;
        for &node in view.table.nodes(block) {
            let (role, at) = role_of(view, element, node);
            part = part.max(role);
            let text = view.dom.text(node);
            let text = text.trim();
            match role {
                Role::Author if comment.author.is_none() && comment.text.is_empty() => {
                    let name = text.trim_end_matches([':', ',']).trim();
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
                            .filter_map(|mark| view.dom.short_attr(at, mark, MAX_DATE))
                            .find_map(|v| metadata::date(&v))
                    });
                    comment.date = written.or_else(|| metadata::date(text));
                }
                _ => {}
            }
        }
        let linked = block.link_density() > 0.5 && block.words <= MAX_SIGNATURE_WORDS / 2;
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
