//! Labels of notes: what is left of them where the number is written anew.

use crate::document::{Block, Inline};

/// Drops what is left of the label of a note where the number in it was a link back: brackets, or a sign before the text.
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
    // A text may begin with an ellipsis, or with a sign right before a word.
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
