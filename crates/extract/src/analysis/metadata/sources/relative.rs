//! Lines with a date as a distance from the day on which the page was fetched: `3 days ago`.

use super::super::candidate::{Candidates, Field};
use super::super::surroundings::inline_names;
use super::super::{date, names};
use super::facts::Facts;
use super::text::{add, left_over, place_trust, says_changed};

/// Name of the source.
const NAME: &str = "relative-date";

/// Maximum number of text nodes of a line that are read.
const MAX_NODES: usize = 8;
/// Maximum number of letters of a line besides its date.
const MAX_LEFT: usize = 40;

/// Adds the relative dates of the lines near the text, if the day on which the page was fetched is known.
pub(super) fn dates(facts: &Facts<'_, '_>, out: &mut Candidates) {
    let Some(captured) = facts.received.captured.as_deref() else {
        return;
    };
    for line in &facts.surroundings.lines {
        let block = &facts.table.blocks()[line.block];
        let text = facts.table.text(block);
        let Some(found) = date::relative(text, captured) else {
            continue;
        };
        let nodes = facts.table.nodes(block).iter().take(MAX_NODES);
        let inline = nodes.fold(0, |all, &node| all | inline_names(facts.dom, block, node));
        let left = left_over(text, found.range.clone());
        let (told, trust) = if (line.own | inline) & names::DATE != 0 && left <= MAX_LEFT {
            ("named", 0.8)
        } else if found.is_distance && left <= 12 {
            ("alone", 0.75)
        } else if found.is_distance
            && (line.own | inline) & (names::META | names::AUTHOR) != 0
            && left <= MAX_LEFT
        {
            ("named around", 0.7)
        } else {
            continue;
        };
        let changed = says_changed(&text[..found.range.start]) || inline & names::MODIFIED != 0;
        let field = if changed { Field::Modified } else { Field::Date };
        let confidence = trust * place_trust(line);
        add(
            out,
            facts,
            line,
            field,
            vec![found.date],
            (NAME, told),
            confidence,
        );
    }
}
