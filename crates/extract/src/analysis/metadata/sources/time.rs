//! `<time datetime>`.

use std::collections::HashSet;

use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

use super::super::candidate::{Candidates, Field};
use super::super::surroundings::{is_apart, short_attr};
use super::super::{date, names};
use super::facts::Facts;
use super::text::says_changed;

/// Name of the source.
const NAME: &str = "time";

/// Maximum number of elements that are read: pages with more are lists of other texts.
const MAX_TIMES: usize = 40;
/// Maximum bytes of a date.
const MAX_DATE: usize = 100;

/// Adds the dates in `datetime`, with their elements.
pub(super) fn times(facts: &Facts<'_, '_>, out: &mut Candidates) {
    let dom = facts.dom;
    let heading = facts.surroundings.heading;
    let inside: HashSet<NodeId> = heading
        .into_iter()
        .flat_map(|heading| dom.ancestors(heading))
        .collect();
    let marked = facts.elements.marked.iter();
    let times = marked
        .filter(|marked| dom.html_tag(marked.element) == Some(Tag::TIME) || marked.has(AttrName::PUBDATE));
    // Beside a time of publication, a time with the class `updated` is that of a change.
    let has_published = times.clone().take(MAX_TIMES).any(|marked| {
        let own = own_names(dom, marked.element);
        own & names::DATE != 0 && own & names::MODIFIED == 0
    });
    let mut seen = 0;
    for marked in times.take(MAX_TIMES) {
        let id = marked.element;
        let Some(value) = dom.known_attr(id, AttrName::DATETIME) else {
            continue;
        };
        // A year or a month alone may be that of a period.
        let value = date::stamp(&value[..value.floor_char_boundary(MAX_DATE)], facts.reading);
        let Some(day) =
            value.filter(|value| date::DatePrecision::of(value) >= Some(date::DatePrecision::Day))
        else {
            continue;
        };
        let mut found = 0;
        for at in std::iter::once(id).chain(dom.ancestors(id)).take(6) {
            for attr in [AttrName::CLASS, AttrName::ID] {
                if let Some(value) = short_attr(dom, at, attr) {
                    found |= names::of(&value);
                }
            }
        }
        let mut confidence = if marked.has(AttrName::PUBDATE) { 0.95 } else { 0.88 };
        // The first date is more often that of the page than the following ones.
        confidence -= 0.06 * f32::from(u8::try_from(seen.min(5)).unwrap_or(5));
        seen += 1;
        if heading.is_some() && is_apart(dom, id, &inside) {
            confidence *= 0.48;
        }
        if found & names::TEASER != 0 {
            confidence *= 0.65;
        }
        if found & names::COMMENT != 0 {
            confidence *= 0.5;
        }
        let own = own_names(dom, id);
        // On many pages, the only time has the class `updated` and is the time of publication.
        let is_alone = own & names::DATE != 0 && found & names::META == 0 && !has_published;
        let changed = own & names::MODIFIED != 0 && !is_alone || says_changed(&text_before(dom, id));
        let (field, told) = match changed {
            true => (Field::Modified, "datetime of a change"),
            false => (Field::Date, "datetime"),
        };
        out.one(field, Some(day), (NAME, told), Some(id), confidence);
    }
}

/// Returns the classes of the names in the `class` of an element.
fn own_names(dom: &Dom<'_>, element: NodeId) -> u32 {
    short_attr(dom, element, AttrName::CLASS).map_or(0, |class| names::of(&class))
}

/// Returns the text before an element, in the nearest element around it that has any: `Last updated on` before a date.
fn text_before(dom: &Dom<'_>, element: NodeId) -> String {
    const MAX_LEVELS: usize = 3;
    const MAX_NODES: usize = 40;
    const MAX_TEXT: usize = 200;
    for around in dom.ancestors(element).take(MAX_LEVELS) {
        let mut text = String::new();
        let before = dom
            .preorder(around)
            .take(MAX_NODES)
            .take_while(|&node| node != element);
        for node in before.filter(|&node| dom.is_text(node)) {
            text.push_str(&dom.text(node));
            text.push(' ');
            if text.len() > MAX_TEXT {
                break;
            }
        }
        if !text.trim().is_empty() {
            return text;
        }
    }
    String::new()
}
