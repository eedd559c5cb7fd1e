//! Text that a page holds only as the state of its program: JSON from which scripts draw the page.
//!
//! The state is read from scripts that are JSON, from JSON that a script assigns or passes to `JSON.parse`, and from the rows of
//! React's server components as Next.js streams them. The record with the page's title is the subject of the page; its body is the
//! field or list with the most prose in it. Without such a record there is no body.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::label::extractor::PageView;
use dehusk_html::tree::{Dom, NodeId, Tag};

/// Most bytes of scripts that are read on one page.
const MAX_BYTES: usize = 16 << 20;
/// Most places in scripts that are tried as the beginning of JSON.
const MAX_TRIES: usize = 64;
/// Most values that are read.
const MAX_VALUES: usize = 1_000_000;
/// Least words of a string that is prose.
const MIN_PROSE_WORDS: usize = 8;
/// Least characters of prose of a body.
pub(crate) const MIN_CHARS: usize = 400;

/// Body of the record with the page's title: text or HTML, one paragraph per line.
pub(crate) fn body(view: &PageView<'_>) -> Option<String> {
    let title = normalized_words(view.title?);
    if title.is_empty() {
        return None;
    }
    let mut best: Option<String> = None;
    for value in states(view.dom) {
        let found = Leaves::of(&value).body(&title);
        if let Some(found) = found.filter(|found| best.as_ref().is_none_or(|best| best.len() < found.len())) {
            best = Some(found);
        }
    }
    best
}

/// Every JSON value that a script of the page holds.
fn states(dom: &Dom<'_>) -> Vec<Value> {
    let mut out = Vec::new();
    let (mut bytes, mut tries) = (0, 0);
    // Several scripts hold the rows of server components, so these are joined first.
    let mut rows = String::new();
    for id in dom
        .preorder(NodeId::DOCUMENT)
        .filter(|&id| dom.html_tag(id) == Some(Tag::SCRIPT))
    {
        let kind = dom
            .attr(id, "type")
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        if kind.contains("ld+json") || dom.attr(id, "src").is_some() {
            continue;
        }
        let text = dom.text_content(id);
        bytes += text.len();
        if bytes > MAX_BYTES {
            break;
        }
        if kind.contains("json") {
            out.extend(serde_json::from_str(text.trim()).ok());
            continue;
        }
        if let Some(pushed) = text.trim_start().strip_prefix("self.__next_f.push(") {
            if let Some(Value::Array(row)) = first_value(pushed)
                && let Some(Value::String(piece)) = row.get(1)
            {
                rows.push_str(piece);
            }
            continue;
        }
        assigned_values(&text, &mut tries, &mut out);
    }
    out.extend(server_rows(&rows));
    out
}

/// The JSON value that a text begins with.
fn first_value(text: &str) -> Option<Value> {
    serde_json::Deserializer::from_str(text).into_iter().next()?.ok()
}

/// JSON that a script assigns or passes to `JSON.parse`.
fn assigned_values(text: &str, tries: &mut usize, out: &mut Vec<Value>) {
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'=', b'(', &text.as_bytes()[at..]) {
        at += found + 1;
        let rest = text[at..].trim_start();
        let parsed = text[..at].ends_with("JSON.parse(");
        let fits = if parsed {
            rest.starts_with('"')
        } else {
            rest.starts_with(['{', '['])
        };
        // The first member of a JSON object or list is quoted, or a list or an object itself; in program text it is mostly not.
        let inner = rest.get(1..).unwrap_or("").trim_start();
        if !fits || !parsed && !inner.starts_with(['"', '{', '[']) {
            continue;
        }
        if *tries >= MAX_TRIES {
            return;
        }
        *tries += 1;
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let Some(Ok(value)) = values.next() else { continue };
        at = text.len() - rest.len() + values.byte_offset();
        match value {
            Value::String(inner) => out.extend(serde_json::from_str(&inner).ok()),
            value => out.push(value),
        }
    }
}

/// Rows of server components, `NUMBER:JSON` a line or `NUMBER:TLENGTH,TEXT`, as one list.
fn server_rows(rows: &str) -> Option<Value> {
    let mut out = Vec::new();
    let mut rest = rows;
    while let Some(end) = memchr::memchr2(b':', b'\n', rest.as_bytes()) {
        let (number, row) = (rest[..end].trim_start(), &rest[end + 1..]);
        let numbered = !number.is_empty() && number.bytes().all(|b| b.is_ascii_hexdigit());
        if rest.as_bytes()[end] == b'\n' || !numbered {
            // This is not the beginning of a row, so go on at the next line.
            let line_end = memchr::memchr(b'\n', &rest.as_bytes()[end..]);
            rest = line_end.map_or("", |at| &rest[end + at + 1..]);
            continue;
        }
        if let Some((length, text)) = row.strip_prefix('T').and_then(|row| row.split_once(','))
            && let Ok(length) = usize::from_str_radix(length, 16)
        {
            let end = text.floor_char_boundary(length.min(text.len()));
            out.push(Value::String(text[..end].to_owned()));
            rest = &text[end..];
        } else {
            let (line, after) = row.split_once('\n').unwrap_or((row, ""));
            out.extend(serde_json::from_str(line).ok());
            rest = after;
        }
    }
    (!out.is_empty()).then_some(Value::Array(out))
}

/// An object or a list of a JSON value.
struct Container<'v> {
    parent: Option<u32>,
    /// Its key in the object that holds it; empty in a list.
    key: &'v str,
}

/// One string that may be text.
struct Leaf<'v> {
    container: u32,
    key: &'v str,
    text: &'v str,
    prose: bool,
}

/// The strings of a JSON value, and the objects and lists that hold them.
struct Leaves<'v> {
    containers: Vec<Container<'v>>,
    all: Vec<Leaf<'v>>,
}

/// Keys whose value is text even if it is a single word.
const TEXT_KEYS: &[&str] = &[
    "text", "title", "heading", "content", "value", "html", "body", "caption", "quote", "headline",
];

/// Most containers around a title that may be its record.
const MAX_ABOVE: usize = 4;

impl<'v> Leaves<'v> {
    /// The strings of a value, in order.
    fn of(value: &'v Value) -> Self {
        let mut out = Leaves {
            containers: Vec::new(),
            all: Vec::new(),
        };
        let mut pending: Vec<(&Value, Option<u32>, &str)> = vec![(value, None, "")];
        for _ in 0..MAX_VALUES {
            let Some((value, parent, key)) = pending.pop() else {
                break;
            };
            let number = out.containers.len() as u32;
            match value {
                Value::Object(fields) => {
                    out.containers.push(Container { parent, key });
                    pending.extend(
                        fields
                            .iter()
                            .rev()
                            .map(|(key, value)| (value, Some(number), key.as_str())),
                    );
                }
                Value::Array(items) => {
                    out.containers.push(Container { parent, key });
                    // A list of texts is read under the key of the list.
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

    /// The containers around a leaf, the innermost first. The JSON parser bounds their number.
    fn ancestors(&self, leaf: &Leaf<'_>) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(leaf.container), |&c| self.containers[c as usize].parent)
    }

    /// The key of the record's field that holds a leaf; `None` outside of the record.
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

    /// The body of the innermost record that has the title and enough prose: its field with the most prose.
    fn body(&self, title: &str) -> Option<String> {
        let mut prose = vec![0_usize; self.containers.len()];
        for leaf in self.all.iter().filter(|leaf| leaf.prose) {
            let chars = leaf.text.chars().count();
            self.ancestors(leaf)
                .for_each(|container| prose[container as usize] += chars);
        }
        let titled = self
            .all
            .iter()
            .filter(|leaf| leaf.text.len() < MAX_TITLE && normalized_words(leaf.text) == title);
        let records = titled.filter_map(|leaf| {
            let mut nearest = self.ancestors(leaf).take(MAX_ABOVE);
            nearest.find(|&container| prose[container as usize] >= MIN_CHARS)
        });
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
        // Some states hold each paragraph twice, for two sizes of screens.
        lines.retain(|line| line.len() < MIN_REPEATED || seen.insert(*line));
        // A field that consists mostly of names and labels, such as the variants of a product, is no text.
        let all: usize = lines.iter().map(|line| line.chars().count()).sum();
        (2 * chars >= all).then(|| lines.join("\n"))
    }
}

/// Most bytes of a title.
const MAX_TITLE: usize = 1000;
/// Least bytes of a line that is left out if it repeats.
const MIN_REPEATED: usize = 40;

/// Lower-cased words with one space between.
fn normalized_words(text: &str) -> String {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Whether a string is program text, a style or an address.
fn is_program(text: &str) -> bool {
    let start = text.trim_start();
    start.starts_with(['{', '[', '@']) && !start.starts_with("[...")
        || start.starts_with("http") && !start.contains(' ')
        || ["function(", "function (", "=>", "<svg", "<style", "};"]
            .iter()
            .any(|mark| text.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROSE_OF: &str = "The river rose by two meters in one night, and the lower streets of the town were under water by noon.";

    fn record(body: &str) -> String {
        format!(
            r#"{{"menu":["Home page","All the news"],"article":{{"id":7,"title":"The river rose","body":{body},
            "related":[{{"title":"Something else","teaser":"One more story that this page does not tell at all, only names it."}}]}}}}"#
        )
    }

    fn found(value: &str, title: &str) -> Option<String> {
        Leaves::of(&serde_json::from_str(value).unwrap()).body(&normalized_words(title))
    }

    #[test]
    fn the_record_with_the_title_has_the_body() {
        let paragraphs = format!(
            "[{}]",
            vec![format!("{{\"type\":\"p\",\"text\":\"{PROSE_OF}\"}}"); 5].join(",")
        );
        let text = found(&record(&paragraphs), "The River Rose").unwrap();
        assert_eq!(text, PROSE_OF, "each paragraph once");
        let html = format!("\"<p>{}</p>\"", [PROSE_OF; 5].join("</p><p>"));
        assert!(
            found(&record(&html), "The river rose")
                .unwrap()
                .starts_with("<p>The river rose by")
        );
        assert_eq!(found(&record(&html), "Another title"), None);
        assert_eq!(
            found(
                &record("\"Too short to be a body, whatever it says.\""),
                "The river rose"
            ),
            None
        );
    }

    #[test]
    fn state_is_read_wherever_scripts_hold_it() {
        let state = record(&format!("\"{}\"", [PROSE_OF; 5].join(" ")));
        let quoted = serde_json::to_string(&state).unwrap();
        let rows = serde_json::to_string(&format!(
            "1:{}\n2:T{:x},{PROSE_OF}3:[]\n",
            state.replace('\n', " "),
            PROSE_OF.len()
        ))
        .unwrap();
        for script in [
            format!("<script type='application/json'>{state}</script>"),
            format!("<script>window.__STATE__ = {state}; run();</script>"),
            format!("<script>var a=(1),b={{}};s=JSON.parse({quoted})</script>"),
            format!("<script>self.__next_f.push([1,{rows}])</script>"),
        ] {
            let page = crate::Page::decoded(&script);
            let seen = crate::analyze::analyze_page(&page, &crate::Options::default(), |view, _, _| {
                states(view.dom)
                    .iter()
                    .filter_map(|v| Leaves::of(v).body("the river rose"))
                    .count()
            });
            assert_eq!(seen, 1, "{script}");
        }
    }

    #[test]
    fn scripts_that_are_no_json_are_passed_over() {
        for script in [
            "={={={",
            "a = {b: 1}",
            "x = [\"",
            "self.__next_f.push(",
            "JSON.parse(\"{\\\"\")",
            "= {\"a\":",
            "T",
        ] {
            let mut out = Vec::new();
            assigned_values(script, &mut 0, &mut out);
            assert!(out.is_empty(), "{script}");
            let _ = server_rows(script);
        }
        assert!(server_rows("é:T3,äöü\n1:Tfff,x").is_some());
    }
}
