//! Numbers of the items of a list.

use crate::document::List;
use dehusk_html::tree::{Dom, NodeId, Tag};

/// Number of an item; `None` if it continues the numbering of the kept items.
///
/// Items that are not kept are counted, too, so that kept items have the numbers of the page.
pub(super) fn item_value(
    dom: &Dom<'_>,
    item: NodeId,
    list: &List,
    passed: &mut Option<(NodeId, i32)>,
    first: i32,
) -> Option<i32> {
    let step = if list.reversed { -1 } else { 1 };
    let value = |id: NodeId| dom.attr(id, "value")?.trim().parse::<i32>().ok();
    let (mut at, mut number) = match *passed {
        Some((last, number)) => (dom.tree().next_sibling(last), number.saturating_add(step)),
        None => (
            dom.parent(item).and_then(|parent| dom.tree().first_child(parent)),
            first,
        ),
    };
    let expected = match list.items.is_empty() {
        true => first,
        false => passed.map_or(first, |(_, number)| number.saturating_add(step)),
    };
    // The walk over the siblings since the last opened item also counts the items that are not kept.
    while let Some(sibling) = at {
        if dom.html_tag(sibling) == Some(Tag::LI) {
            number = value(sibling).unwrap_or(number);
            if sibling == item {
                break;
            }
            number = number.saturating_add(step);
        }
        at = dom.tree().next_sibling(sibling);
    }
    *passed = Some((item, number));
    (number != expected).then_some(number)
}
