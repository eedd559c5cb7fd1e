//! The pre-check whether a page is an article, by the lengths of its paragraphs, without building a result.

use crate::label::methods::readability::page_context::PageContext;
use dehusk_html::tree::{NodeId, Tag};

/// Minimum number of characters of a paragraph that counts.
const MIN_CHARS: u32 = 140;
/// Bound that the sum of the square roots of the excess lengths must exceed.
const MIN_SCORE: f64 = 20.0;

/// Returns whether paragraphs of these lengths, in characters, make an article.
pub(crate) fn is_enough(lengths: impl Iterator<Item = u32>) -> bool {
    let mut score = 0.0;
    for chars in lengths.filter(|&n| n >= MIN_CHARS) {
        score += f64::from(chars - MIN_CHARS).sqrt();
        if score > MIN_SCORE {
            return true;
        }
    }
    false
}

/// Returns whether the visible paragraphs of a page, except those in list items, make an article.
pub(crate) fn is_article(page: &PageContext<'_>) -> bool {
    let dom = page.dom;
    let order: Vec<NodeId> = dom.preorder(NodeId::DOCUMENT).collect();
    let mut texts = page.texts.clone();
    // Children come last to first, so each text is put before the texts that follow it.
    for &id in order.iter().rev() {
        if let Some(parent) = dom.parent(id) {
            texts[parent.index()] = texts[id.index()].then(texts[parent.index()]);
        }
    }
    // Paragraphs inside list items and anything inside hidden elements do not count.
    let (mut in_item, mut hidden) = (vec![false; dom.len()], vec![false; dom.len()]);
    let mut lengths = Vec::new();
    for &id in &order {
        let (i, names) = (id.index(), page.names(id));
        if let Some(parent) = dom.parent(id).map(NodeId::index) {
            in_item[i] = in_item[parent];
            hidden[i] = hidden[parent] || names.hidden;
        }
        let counts = match dom.html_tag(id) {
            Some(Tag::PRE | Tag::ARTICLE) => true,
            Some(Tag::P) => !in_item[i],
            Some(Tag::DIV) => dom.children(id).any(|c| dom.html_tag(c) == Some(Tag::BR)),
            tag => {
                in_item[i] |= tag == Some(Tag::LI);
                false
            }
        };
        if counts && !hidden[i] && !names.unlikely() {
            lengths.push(texts[i].chars);
        }
    }
    is_enough(lengths.into_iter())
}
