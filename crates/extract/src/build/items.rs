//! Items of lists: their numbers, check boxes, and items that only wrap a list; terms that share a meaning.

use crate::document::{Block, Inline, Item, List, Span};
use crate::label::comments::names::NameClass;
use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

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

/// Whether the check box at the start of an item is ticked; `None` if there is no check box.
pub(super) fn check_box(dom: &Dom<'_>, item: NodeId) -> Option<bool> {
    let mut at = item;
    // The box may stand in a label or a paragraph: `<li><label><input type=checkbox>`.
    for _ in 0..4 {
        let children = dom.children(at);
        at = children
            .into_iter()
            .find(|&child| !(dom.is_text(child) && dom.text(child).trim().is_empty()))?;
        if dom.html_tag(at) == Some(Tag::INPUT) {
            let kind = dom.known_attr(at, AttrName::TYPE)?;
            return kind
                .trim()
                .eq_ignore_ascii_case("checkbox")
                .then(|| dom.attr(at, "checked").is_some());
        }
        if !matches!(dom.html_tag(at), Some(Tag::LABEL | Tag::P | Tag::SPAN)) {
            return None;
        }
    }
    None
}

/// Whether the only content of an item is a list. Editors nest a list below the previous item this way.
pub(super) fn wraps_list(dom: &Dom<'_>, item: NodeId) -> bool {
    let mut has_list = false;
    dom.children(item).all(|child| match dom.html_tag(child) {
        Some(Tag::UL | Tag::OL) => {
            has_list = true;
            true
        }
        Some(_) => false,
        None if dom.is_text(child) => dom.text(child).trim().is_empty(),
        None => dom.tag(child).is_none(),
    }) && has_list
}

/// Whether the element before an item is also an item.
pub(super) fn follows_item(dom: &Dom<'_>, item: NodeId) -> bool {
    let tree = dom.tree();
    let mut before = std::iter::successors(tree.prev_sibling(item), |at| tree.prev_sibling(*at));
    let element = before.find(|at| !(dom.is_text(*at) && dom.text(*at).trim().is_empty()));
    element.is_some_and(|at| dom.html_tag(at) == Some(Tag::LI))
}

/// Whether most of the first items of a list have class names of posts or comments, since forums write
/// threads as lists. Other items, such as advertisements, may lie between.
pub(super) fn holds_posts(dom: &Dom<'_>, list: NodeId) -> bool {
    const MAX_ITEMS: usize = 8;
    const MAX_CLASS: usize = 512;
    let is_post = |item: &NodeId| {
        let names = dom.short_attr(*item, "class", MAX_CLASS).unwrap_or_default();
        let mut names = names.split_ascii_whitespace();
        names.any(|name| {
            let class = NameClass::of(&name.to_ascii_lowercase());
            // Outlines have items that are named as topics.
            class.is_comment() || class.is_post() && !class.is_forum()
        })
    };
    let items = dom.children(list);
    let items: Vec<NodeId> = items
        .filter(|&item| dom.html_tag(item) == Some(Tag::LI))
        .take(MAX_ITEMS)
        .collect();
    2 * items.iter().filter(|item| is_post(item)).count() > items.len()
}

/// Adds an ended item to its list.
///
/// If the item only `wraps` a list, this list is nested below the previous item. Without a previous item,
/// its items join the list.
pub(super) fn add_item(list: &mut List, mut item: Item, wraps: bool) {
    if wraps && !list.ordered {
        if let Some(before) = list.items.last_mut() {
            // Two nested lists in a row below one item are one list.
            if let Some(Block::List(last)) = before.blocks.last_mut()
                && let [Block::List(inner)] = item.blocks.as_mut_slice()
                && !last.ordered
                && !inner.ordered
            {
                return last.items.append(&mut inner.items);
            }
            return before.blocks.append(&mut item.blocks);
        }
        if let [Block::List(inner)] = item.blocks.as_mut_slice()
            && !inner.ordered
        {
            return list.items.append(&mut inner.items);
        }
    }
    if item.checked.is_some() {
        drop_box_sign(&mut item.blocks);
    }
    if !item.blocks.is_empty() {
        list.items.push(item);
    }
}

/// Removes the sign of a box before the text of an item with a check box: recipe plug-ins write one for readers who hear the page.
fn drop_box_sign(blocks: &mut [Block]) {
    const BOXES: [char; 5] = ['▢', '□', '☐', '☑', '☒'];
    if let Some(Block::Paragraph { inlines, .. }) = blocks.first_mut()
        && let Some(Inline::Text(text)) = inlines.first_mut()
        && let Some(rest) = text.trim_start().strip_prefix(BOXES)
    {
        *text = rest.trim_start().to_owned();
    }
}

/// Returns a list whose items show their own numbers as an ordered list without these: some pages write the number of a step in an
/// element before its text, and style it as a circle.
///
/// All items, two or more, must begin with a paragraph of their number alone, counted from that of the list on, and have more.
pub(super) fn numbered(mut list: List) -> List {
    let (first, step) = (list.start.unwrap_or(1), if list.reversed { -1 } else { 1 });
    let mut number = first;
    let is_numbered = list.items.len() > 1
        && list.items.iter().all(|item| {
            number = item.value.unwrap_or(number);
            let fits = item.blocks.len() > 1 && item.checked.is_none() && is_number(&item.blocks[0], number);
            number = number.saturating_add(step);
            fits
        });
    if is_numbered {
        for item in &mut list.items {
            item.blocks.remove(0);
        }
        list.ordered = true;
        list.style = None;
    }
    list
}

/// Whether a block is a paragraph of a number alone: `3`, `03`, `3.` or `3)`. A rank (`#3`) is content.
fn is_number(block: &Block, number: i32) -> bool {
    let Block::Paragraph { inlines, .. } = block else {
        return false;
    };
    let mut text = String::new();
    for inline in inlines {
        match inline {
            Inline::Text(part) => text.push_str(part),
            Inline::Span(span) => match &**span {
                Span::Marked { inlines, .. } => match inlines.as_slice() {
                    [Inline::Text(part)] => text.push_str(part),
                    _ => return false,
                },
                _ => return false,
            },
        }
    }
    let digits = text.trim().trim_end_matches(['.', ')']);
    digits.bytes().all(|b| b.is_ascii_digit()) && digits.parse() == Ok(number)
}

/// Whether an `li` without a list around it can be written as a list item: one paragraph, followed by
/// nothing but lists. Other such elements hold whole parts of a page.
pub(super) fn is_simple(item: &Item) -> bool {
    match item.blocks.split_first() {
        Some((Block::Paragraph { .. }, lists)) => lists.iter().all(|block| matches!(block, Block::List(_))),
        _ => false,
    }
}

/// Whether the element before a term is also a term, so that both share one meaning.
pub(super) fn follows_term(dom: &Dom<'_>, term: NodeId) -> bool {
    let tree = dom.tree();
    let mut before = std::iter::successors(tree.prev_sibling(term), |at| tree.prev_sibling(*at));
    let element = before.find(|at| dom.tag(*at).is_some());
    element.is_some_and(|at| dom.html_tag(at) == Some(Tag::DT))
}

#[cfg(test)]
mod tests {
    use crate::{Options, Page, extract};

    #[track_caller]
    fn markdown(body: &str) -> String {
        let options = Options::default()
            .with_extractor("all-text")
            .unwrap()
            .with_markdown(true);
        extract(&Page::decoded(body), &options).markdown.unwrap()
    }

    #[test]
    fn numbers_of_steps_stand_once() {
        let steps = "<li><div>1</div><p>Cut</p><li><div>2</div><p>Boil</p>";
        let cards = "<li><p><b>01</b></p>Cut<li><p><b>02</b></p>Boil";
        for list in [format!("<ol>{steps}</ol>"), format!("<ul>{cards}</ul>")] {
            assert_eq!(markdown(&list), "1. Cut\n2. Boil\n", "{list}");
        }
        // Numbers that do not count the items, and items of nothing else, are content.
        for (list, wanted) in [
            (
                "<ol><li><div>7</div><p>Cut</p><li><div>3</div><p>Boil</p></ol>",
                ["1. 7\n", "2. 3\n"],
            ),
            ("<ol><li><p>1</p><li><p>2</p></ol>", ["1. 1\n", "2. 2\n"]),
            ("<ul><li><div>1</div><p>Cut</p></ul>", ["- 1\n", "Cut\n"]),
        ] {
            let got = markdown(list);
            assert!(wanted.iter().all(|part| got.contains(part)), "{list}: {got}");
        }
    }
}
