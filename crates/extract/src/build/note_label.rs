//! Labels of notes: numbers and signs of references, and remains of a label at the start of a note.

use crate::document::{Block, Inline};
use dehusk_html::tree::{Dom, NodeId, Tag};

/// Maximum number of nodes between a term and its meaning.
const MAX_STEPS: usize = 4;

/// Drops the remains of the label of a note whose number was a back link and is gone: empty brackets, or a
/// sign before the text.
pub(super) fn drop_label(blocks: &mut Vec<Block>) {
    let is_bracket = |c: char| matches!(c, '[' | ']' | '(' | ')');
    let Some(Block::Paragraph { inlines, .. }) = blocks.first_mut() else {
        return;
    };
    let Some(Inline::Text(text)) = inlines.first_mut() else {
        return;
    };
    let trimmed = text.trim_start();
    let unbracketed = trimmed
        .strip_prefix(['[', '('])
        .map(str::trim_start)
        .and_then(|rest| rest.strip_prefix([']', ')']))
        .unwrap_or(trimmed);
    let label = unbracketed
        .strip_prefix(['.', ':', ')', ']'])
        .unwrap_or(unbracketed);
    // Without white space after it, the sign belongs to the text, as in an ellipsis.
    let rest = match label.chars().next() {
        Some(c) if !c.is_whitespace() => unbracketed,
        _ => label,
    };
    let rest = rest.trim_start();
    if rest.len() < trimmed.len() {
        *text = rest.to_owned();
    }
    let is_label_alone = inlines.len() == 1
        && matches!(&inlines[0], Inline::Text(text) if text.trim().chars().all(|c| is_bracket(c) || c.is_whitespace()));
    if is_label_alone && blocks.len() > 1 {
        blocks.remove(0);
    }
}

/// Number shown by a note reference; `None` if it is not a number.
pub(super) fn own_number(text: &str) -> Option<u32> {
    let digit = |c: char| match c {
        '¹' => Some('1'),
        '²' => Some('2'),
        '³' => Some('3'),
        '⁰' | '⁴'..='⁹' => char::from_digit(c as u32 - '⁰' as u32, 10),
        c => c.is_ascii_digit().then_some(c),
    };
    let inner = text.trim().trim_matches(['[', ']', '(', ')', '.']).trim();
    let digits: Option<String> = inner.chars().map(digit).collect();
    // References have at most four characters.
    digits.filter(|digits| digits.len() <= 4)?.parse().ok()
}

/// Whether a text looks like a note reference: a number, a letter or a sign, with or without brackets.
pub(super) fn is_call_text(text: &str) -> bool {
    let text = text.trim();
    let inner = text
        .trim_start_matches(['[', '('])
        .trim_end_matches([']', ')', '.'])
        .trim();
    let inner = inner
        .strip_prefix("note ")
        .or_else(|| inner.strip_prefix("nb "))
        .unwrap_or(inner);
    let count = inner.chars().count();
    (1..=4).contains(&count)
        && (inner.chars().all(|c| c.is_ascii_digit())
            || inner
                .chars()
                .all(|c| matches!(c, '*' | '†' | '‡' | '§' | '¶' | '⁎'))
            || inner.chars().all(|c| matches!(c, '⁰'..='⁹' | '¹' | '²' | '³'))
            || count == 1 && inner.chars().all(|c| c.is_ascii_lowercase())
            || inner.chars().all(|c| matches!(c, 'i' | 'v' | 'x')))
}

/// The `dd` of a `dt` that is the label of a note; `None` if the `dt` is not a label or no `dd` follows it.
pub(super) fn meaning(dom: &Dom<'_>, term: NodeId) -> Option<NodeId> {
    let tree = dom.tree();
    let behind = std::iter::successors(tree.next_sibling(term), |&at| tree.next_sibling(at));
    let next = behind.take(MAX_STEPS).find(|&at| dom.tag(at).is_some())?;
    (dom.html_tag(next) == Some(Tag::DD) && is_call_text(&dom.text_below(term))).then_some(next)
}

/// The label of a note in a `dd`: the `dt` before it. `None` if that is not a label.
pub(super) fn label_of(dom: &Dom<'_>, note: NodeId) -> Option<NodeId> {
    let tree = dom.tree();
    let before = std::iter::successors(tree.prev_sibling(note), |&at| tree.prev_sibling(at));
    let term = before.take(MAX_STEPS).find(|&at| dom.tag(at).is_some())?;
    (dom.html_tag(note) == Some(Tag::DD)
        && dom.html_tag(term) == Some(Tag::DT)
        && meaning(dom, term) == Some(note))
    .then_some(term)
}
