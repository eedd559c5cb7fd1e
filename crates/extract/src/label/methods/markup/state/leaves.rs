//! The strings of a JSON value, and the body among them.

use std::collections::{BTreeMap, BTreeSet};

use dehusk_html::narrow;

use super::title::{MIN_CHARS, Title};
use crate::analysis::json::Value;

/// Maximum number of values that are read.
const MAX_VALUES: usize = 1_000_000;
/// Minimum number of words of a string that is prose.
const MIN_PROSE_WORDS: usize = 8;

/// An object or a list of a JSON value.
struct Container<'v> {
    parent: Option<u32>,
    /// Its key in the object that contains it; empty in a list.
    key: &'v str,
}

/// A string that may be text.
struct Leaf<'v> {
    container: u32,
    key: &'v str,
    text: &'v str,
    prose: bool,
}

/// The strings of a JSON value, and the objects and lists that contain them.
pub(super) struct Leaves<'v> {
    containers: Vec<Container<'v>>,
    all: Vec<Leaf<'v>>,
}

/// Keys whose value is text even if it is a single word.
const TEXT_KEYS: &[&str] = &[
    "text", "title", "heading", "content", "value", "html", "body", "caption", "quote", "headline",
];

/// Maximum number of containers around a title that may be its record.
const MAX_ABOVE: usize = 4;

impl<'v> Leaves<'v> {
    /// Collects the strings of a value, in order. Members of objects are sorted by name; of several members with one name the last counts.
    pub(super) fn of(value: &'v Value<'_>) -> Self {
        let mut out = Leaves {
            containers: Vec::new(),
            all: Vec::new(),
        };
        let mut pending: Vec<(&'v Value<'_>, Option<u32>, &'v str)> = vec![(value, None, "")];
        for _ in 0..MAX_VALUES {
            let Some((value, parent, key)) = pending.pop() else {
                break;
            };
            let number = narrow::to_u32(out.containers.len());
            match value {
                Value::Object(fields) => {
                    out.containers.push(Container { parent, key });
                    let start = pending.len();
                    // Reversed before the stable sort: of members with one name, the last one comes first and is kept. The sort is
                    // descending, since the stack is popped from its end.
                    let fields = fields.members().rev();
                    pending.extend(fields.map(|(key, value)| (value, Some(number), key)));
                    pending[start..].sort_by(|a, b| b.2.cmp(a.2));
                    let mut end = start;
                    for i in start..pending.len() {
                        if end == start || pending[end - 1].2 != pending[i].2 {
                            pending[end] = pending[i];
                            end += 1;
                        }
                    }
                    pending.truncate(end);
                }
                Value::Array(items) => {
                    out.containers.push(Container { parent, key });
                    // Items of a list have the key of the list.
                    pending.extend(items.iter().rev().map(|value| (value, Some(number), "")));
                }
                Value::String(text) => {
                    let Some(container) = parent else { continue };
                    let key = if key.is_empty() {
                        out.containers[container as usize].key
                    } else {
                        key
                    };
                    let words = text.split_whitespace().take(MIN_PROSE_WORDS).count();
                    if words > 1 || words == 1 && TEXT_KEYS.contains(&key) {
                        out.all.push(Leaf {
                            container,
                            key,
                            text,
                            prose: words >= MIN_PROSE_WORDS && !is_program(text),
                        });
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// Returns the containers around a leaf, innermost first. The JSON parser bounds their number.
    fn ancestors(&self, leaf: &Leaf<'_>) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(leaf.container), |&c| self.containers[c as usize].parent)
    }

    /// Returns the key of the record's field that contains a leaf; `None` outside the record.
    fn part(&self, leaf: &Leaf<'v>, record: u32) -> Option<&'v str> {
        let mut key = leaf.key;
        for container in self.ancestors(leaf) {
            if container == record {
                return Some(key);
            }
            key = self.containers[container as usize].key;
        }
        None
    }

    /// Returns the body of the innermost record that has the title and enough prose: its field with the most prose.
    pub(super) fn body(&self, title: &Title) -> Option<String> {
        let mut prose = vec![0_usize; self.containers.len()];
        for leaf in self.all.iter().filter(|leaf| leaf.prose) {
            let chars = leaf.text.chars().count();
            self.ancestors(leaf)
                .for_each(|container| prose[container as usize] += chars);
        }
        let titled = self.all.iter().filter(|leaf| title.is(leaf.text));
        let records = titled.filter_map(|leaf| {
            let mut nearest = self.ancestors(leaf).take(MAX_ABOVE);
            nearest.find(|&container| prose[container as usize] >= MIN_CHARS)
        });
        // Of several records with the title, the one with the most prose counts; of equal ones, the first.
        let record =
            records.max_by_key(|&container| (prose[container as usize], std::cmp::Reverse(container)))?;
        let mut parts: BTreeMap<&str, usize> = BTreeMap::new();
        for leaf in self.all.iter().filter(|leaf| leaf.prose) {
            if let Some(part) = self.part(leaf, record) {
                *parts.entry(part).or_default() += leaf.text.chars().count();
            }
        }
        let (body, &chars) = parts
            .iter()
            .max_by_key(|&(name, &chars)| (chars, std::cmp::Reverse(*name)))?;
        if chars < MIN_CHARS {
            return None;
        }
        let of_body = |leaf: &&Leaf<'v>| self.part(leaf, record) == Some(body) && !is_program(leaf.text);
        let mut seen = BTreeSet::new();
        let mut lines: Vec<&str> = self.all.iter().filter(of_body).map(|leaf| leaf.text).collect();
        // Some states contain each paragraph twice, for two screen sizes.
        lines.retain(|line| line.len() < MIN_REPEATED || seen.insert(*line));
        // A field that consists mostly of names and labels, such as the variants of a product, is not text.
        let all: usize = lines.iter().map(|line| line.chars().count()).sum();
        (2 * chars >= all).then(|| lines.join("\n"))
    }
}

/// Minimum length of a line whose repetitions are removed, in bytes.
const MIN_REPEATED: usize = 40;

/// Returns whether a string is program text, a style or an address.
fn is_program(text: &str) -> bool {
    let start = text.trim_start();
    start.starts_with(['{', '[', '@']) && !start.starts_with("[...")
        || start.starts_with("http") && !start.contains(' ')
        || ["function(", "function (", "=>", "<svg", "<style", "};"]
            .iter()
            .any(|mark| text.contains(mark))
}
