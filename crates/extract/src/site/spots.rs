//! Spots: elements of a page that may contain a field, with their values and with the values that the page's
//! own metadata give.

use std::collections::{HashMap, HashSet};

use dehusk_html::narrow;
use dehusk_html::tree::{Dom, NodeId};

use super::hash::hash_name;
use super::place::{Mark, Place, is_plain_tag, nth_of_type};
use crate::analysis::metadata::candidate::{Candidate, Field};
use crate::analysis::metadata::date::{day_number, day_of};
use crate::analysis::metadata::values::{PLACED, is_marked_writer, may_be_title, value_key, values_in};
use crate::label::extractor::PageView;

/// Maximum number of words of a block, and of bytes of an element, that may contain a value among other
/// words.
const MAX_WORDS: u32 = 45;
const MAX_BYTES: usize = 700;
/// Maximum number of text nodes of a block, and of nodes of an element.
const MAX_NODES: usize = 12;
const MAX_BELOW: usize = 60;
/// Number of elements above a block that are examined, too, since they often contain nothing but its text;
/// and number of elements on the path of a place.
const AROUND: usize = 2;
pub(super) const LEVELS: usize = 12;
/// Maximum number of spots of a field. Pages with more are lists of articles.
const MAX_SPOTS: usize = 300;
/// Maximum characters of a value that are stored for display.
const MAX_SHOWN: usize = 60;
/// Maximum bytes of an attribute that may be a date.
const MAX_ATTR: usize = 60;
/// Minimum confidence of a value in machine-readable data that counts as known.
const KNOWN: f32 = 0.8;
/// Sources of machine-readable data.
const MACHINE: &[&str] = &["json-ld", "meta", "microdata", "rdfa"];

/// An element at or above a spot.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct SpotNode {
    pub(super) parent: Option<u32>,
    pub(super) tag: String,
    pub(super) marks: Vec<Mark>,
    /// Position among its siblings of the same tag.
    pub(super) nth: Option<u16>,
}

/// An element, or an attribute of one, with a value of a field.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Spot {
    pub(super) node: u32,
    pub(super) attribute: Option<String>,
    /// Index of the field in [`PLACED`].
    pub(super) field: u8,
    /// Hash of the value. Values that mean the same have equal hashes.
    pub(super) key: u64,
    /// Beginning of the value.
    pub(super) shown: String,
    /// Approximate number of bytes of the element's text besides the value.
    pub(super) rest: u16,
    /// Whether machine-readable data of the page have the same value; `None` if they have none.
    pub(super) agrees: Option<bool>,
    /// Confidence of the page's own metadata in this value, from all sources; 0 if they lack it.
    pub(super) support: f32,
}

/// The spots of a page in document order, and the elements above them.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Spots {
    pub(super) nodes: Vec<SpotNode>,
    pub(super) spots: Vec<Spot>,
}

impl Spots {
    /// Finds the spots of an analyzed page.
    pub(super) fn of(view: &PageView<'_>) -> Spots {
        let mut out = Spots::default();
        let mut numbers: HashMap<NodeId, u32> = HashMap::new();
        let known: Vec<Known<'_>> = PLACED.iter().map(|&field| Known::of(view, field)).collect();
        let mut counts = [0; PLACED.len()];
        let elements = short_elements(view);
        if !view.budget.charge("places of fields", elements.len() * 8) {
            return out;
        }
        for element in elements {
            let text = text_of(view.dom, element);
            let reading = view.metadata.reading.get();
            let marked = is_marked_writer(view.dom, element);
            let mut add = |out: &mut Spots,
                           at: usize,
                           attribute: Option<String>,
                           (text, values): (&str, Vec<String>)| {
                let (Some(first), Some(count)) = (values.first(), counts.get_mut(at)) else {
                    return;
                };
                // Fields are counted separately: many dates do not displace the title.
                if *count >= MAX_SPOTS {
                    return;
                }
                *count += 1;
                let (agrees, support) = known.get(at).map_or((None, 0.0), |known| known.judge(&values));
                let node = out.node(view.dom, element, &mut numbers, LEVELS);
                out.spots.push(Spot {
                    node,
                    attribute,
                    field: narrow::to_u8(at),
                    key: hash_name(&value_key(PLACED[at], &values)),
                    shown: first.chars().take(MAX_SHOWN).collect(),
                    rest: rest_of(text, &values),
                    agrees,
                    support,
                });
            };
            // One element may be a spot of several fields.
            for (at, &field) in PLACED.iter().enumerate() {
                if field == Field::Title && !may_be_title(view.dom, element) {
                    continue;
                }
                if let Some(text) = &text {
                    add(
                        &mut out,
                        at,
                        None,
                        (text.as_str(), values_in(field, text, marked, reading)),
                    );
                }
                // Only dates are read from attributes, such as `datetime`.
                if matches!(field, Field::Date | Field::Modified) {
                    for (name, value) in dated_attributes(view.dom, element) {
                        add(
                            &mut out,
                            at,
                            Some(name),
                            (value.as_str(), values_in(field, &value, false, reading)),
                        );
                    }
                }
            }
        }
        out
    }

    /// Returns the number of an element among the stored ones. Stores it, and up to `levels` elements above
    /// it, if needed.
    fn node(
        &mut self,
        dom: &Dom<'_>,
        element: NodeId,
        numbers: &mut HashMap<NodeId, u32>,
        levels: usize,
    ) -> u32 {
        if let Some(&known) = numbers.get(&element) {
            return known;
        }
        // Bounded by `levels`, so that deep pages cannot exhaust the stack.
        let above = dom
            .parent(element)
            .filter(|&at| dom.tag(at).is_some() && levels > 0);
        let parent = above.map(|at| self.node(dom, at, numbers, levels - 1));
        let tag = dom.name(element);
        let number = narrow::to_u32(self.nodes.len());
        self.nodes.push(SpotNode {
            parent,
            tag: if is_plain_tag(tag) {
                tag.to_owned()
            } else {
                String::new()
            },
            marks: Mark::of(dom, element),
            nth: nth_of_type(dom, element),
        });
        numbers.insert(element, number);
        number
    }

    /// Returns the memory in bytes, without spare capacity.
    pub(super) fn bytes(&self) -> usize {
        let nodes: usize = self
            .nodes
            .iter()
            .map(|node| size_of::<SpotNode>() + node.tag.len() + node.marks.len() * (size_of::<Mark>() + 12))
            .sum();
        let spots: usize = self
            .spots
            .iter()
            .map(|spot| size_of::<Spot>() + spot.shown.len())
            .sum();
        nodes + spots
    }
}

/// The values of a field that the page's own metadata have.
struct Known<'p> {
    field: Field,
    /// Keys of the values in machine-readable data.
    machine: HashSet<String>,
    days: Vec<u32>,
    candidates: Vec<(&'p Candidate, String)>,
    /// The title that the page-level decision takes.
    title: Option<String>,
    /// The names of the site, which is not the author of its pages.
    names: Vec<String>,
    /// The day of publication, for the date of the last change.
    published: Option<String>,
}

impl<'p> Known<'p> {
    /// Collects what the page's own metadata contain of a field.
    fn of(view: &PageView<'p>, field: Field) -> Known<'p> {
        let metadata = view.metadata;
        let keyed = |text: &String| value_key(Field::Title, std::slice::from_ref(text));
        let names: Vec<String> = [&metadata.site_name, &metadata.publisher]
            .into_iter()
            .flatten()
            .map(keyed)
            .collect();
        let of_field = metadata
            .candidates
            .iter()
            .filter(|candidate| candidate.field == field);
        let candidates: Vec<(&Candidate, String)> = of_field
            .map(|candidate| (candidate, value_key(field, &candidate.values)))
            .collect();
        let mut machine = HashSet::new();
        let mut days = Vec::new();
        for (candidate, _) in &candidates {
            // Values of other sources support a spot, but do not confirm it.
            if candidate.confidence < KNOWN || !MACHINE.contains(&candidate.source) {
                continue;
            }
            for value in &candidate.values {
                let key = value_key(field, std::slice::from_ref(value));
                // A user name, one ASCII word, need not be the name that the page shows.
                if field == Field::Authors
                    && (names.contains(&key) || !value.contains(' ') && value.is_ascii())
                {
                    continue;
                }
                days.extend(day_number(value));
                machine.insert(key);
            }
        }
        Known {
            field,
            machine,
            days,
            candidates,
            title: metadata.title.as_ref().map(keyed),
            names,
            published: (field == Field::Modified)
                .then(|| metadata.date.as_deref().map(|date| day_of(date).to_owned()))
                .flatten(),
        }
    }

    /// Returns whether machine-readable data confirm the values (`None`: they do not decide), and the
    /// confidence of the page's own metadata in them.
    fn judge(&self, values: &[String]) -> (Option<bool>, f32) {
        let key = value_key(self.field, values);
        // On most pages the day of change is that of publication. Such a value does not distinguish the two
        // places.
        if self.published.as_ref() == Some(&key) {
            return (None, 0.0);
        }
        let same = self.candidates.iter().filter(|(_, other)| *other == key);
        let support = same
            .map(|(candidate, _)| candidate.confidence)
            .fold(0.0, f32::max);
        let one = |value: &String| {
            self.machine
                .contains(&value_key(self.field, std::slice::from_ref(value)))
        };
        // The title is compared with the decision of the page level, other fields with machine-readable data.
        let agrees = match self.field {
            Field::Title => self.title.as_ref().map(|title| *title == key),
            _ if self.machine.is_empty() => None,
            Field::Authors if self.names.contains(&key) => Some(false),
            Field::Authors => Some(values.iter().any(one)),
            _ if values.iter().any(one) => Some(true),
            // The day before or after may be the same instant in another time zone, so it decides nothing.
            _ if values
                .iter()
                .filter_map(|value| day_number(value))
                .any(|day| self.days.iter().any(|own| own.abs_diff(day) == 1)) =>
            {
                None
            }
            _ => Some(false),
        };
        (agrees, support)
    }
}

/// Number of bytes of a text besides its values. White space between words can be longer than 65,535 bytes.
fn rest_of(text: &str, values: &[String]) -> u16 {
    let rest = text
        .trim()
        .len()
        .saturating_sub(values.iter().map(String::len).sum());
    u16::try_from(rest).unwrap_or(u16::MAX)
}

/// Returns the elements of short visible lines, and the elements around them, in document order.
fn short_elements(view: &PageView<'_>) -> Vec<NodeId> {
    let (dom, table) = (view.dom, view.table);
    let mut wanted = vec![false; dom.len()];
    for block in table.blocks() {
        if block.hidden || block.words > MAX_WORDS || block.words == 0 {
            continue;
        }
        for &node in table.nodes(block).iter().take(MAX_NODES) {
            // Elements within the line, from each text up to its block.
            let inline = dom
                .ancestors(node)
                .take_while(|&at| at != block.element)
                .take(LEVELS);
            for at in inline {
                wanted[at.index()] = true;
            }
        }
        let around = std::iter::once(block.element).chain(dom.ancestors(block.element));
        for at in around.take(1 + AROUND) {
            wanted[at.index()] = true;
        }
    }
    let all = dom.preorder(NodeId::DOCUMENT);
    all.filter(|&at| wanted[at.index()] && dom.tag(at).is_some())
        .collect()
}

/// Returns the text of an element; `None` if it is long.
fn text_of(dom: &Dom<'_>, element: NodeId) -> Option<String> {
    let mut out = String::new();
    for (seen, node) in dom.preorder(element).enumerate() {
        if seen > MAX_BELOW || out.len() > MAX_BYTES {
            return None;
        }
        if dom.is_text(node) {
            out.push_str(&dom.text(node));
        }
    }
    Some(out)
}

/// Returns the attributes of an element that may be dates.
fn dated_attributes(dom: &Dom<'_>, element: NodeId) -> Vec<(String, String)> {
    let is_dated = |name: &str| {
        let name = name.to_ascii_lowercase();
        matches!(name.as_str(), "datetime" | "title" | "content")
            || name.starts_with("data-") && ["date", "time", "publish"].iter().any(|word| name.contains(word))
    };
    let plain = |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    dom.attributes(element)
        .filter(|(name, value)| value.len() <= MAX_ATTR && plain(name) && is_dated(name))
        .map(|(name, value)| (name.to_owned(), value.into_owned()))
        .collect()
}

/// Returns the values of a field at a place of the page, with their element: the first element at the place
/// that has a value. `None` if absent.
pub(super) fn values_at(
    view: &PageView<'_>,
    elements: &[NodeId],
    field: Field,
    place: &Place,
) -> Option<(Vec<String>, NodeId)> {
    let dom = view.dom;
    let reading = view.metadata.reading.get();
    let mut at_place = elements.iter().copied().filter(|&at| place.is_at(dom, at));
    at_place.find_map(|at| {
        if field == Field::Title && !may_be_title(dom, at) {
            return None;
        }
        let (text, marked) = match &place.attribute {
            Some(name) => (dom.short_attr(at, name, MAX_ATTR)?.into_owned(), false),
            None => (text_of(dom, at)?, is_marked_writer(dom, at)),
        };
        let values = values_in(field, &text, marked, reading);
        (!values.is_empty()).then_some((values, at))
    })
}

/// Returns the elements in which places are looked for, in document order.
pub(super) fn elements(view: &PageView<'_>) -> Vec<NodeId> {
    match view.budget.charge("places of fields", view.dom.len() / 4) {
        true => short_elements(view),
        false => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::rest_of;

    #[test]
    fn a_very_long_line_is_not_taken_for_its_value_alone() {
        let space = " ".repeat(0x10000);
        let value = ["5 March 2021".to_owned()];
        assert_eq!(rest_of(" 5 March 2021 ", &value), 0);
        assert_eq!(rest_of("Posted 5 March 2021", &value), 7);
        assert_eq!(rest_of(&format!("Posted{space}5 March 2021"), &value), u16::MAX);
    }
}
