//! Text that a page contains only as the state of its program: JSON from which scripts draw the page.
//!
//! The state is read from scripts that are JSON, from JSON that a script assigns or passes to `JSON.parse`, and from the rows of React's
//! server components as Next.js streams them. The record with the page's title is the subject of the page. Its body is the field or list
//! with the most prose in it. Without such a record there is no body, so scripts that cannot contain the title are not parsed.

mod leaves;
mod title;

use std::borrow::Cow;

use self::leaves::Leaves;
pub(crate) use self::title::MIN_CHARS;
use self::title::Title;
use crate::analysis::json::{self, Value};
use crate::label::extractor::PageView;
use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

/// Maximum number of bytes of scripts that are read on one page.
const MAX_BYTES: usize = 16 << 20;
/// Maximum number of offsets in scripts at which JSON is tried.
const MAX_TRIES: usize = 64;

/// Returns the body of the record with the page's title: text or HTML, one paragraph per line.
pub(crate) fn body(view: &PageView<'_>) -> Option<String> {
    let title = Title::of(view.title?)?;
    let mut best: Option<String> = None;
    for_each_state(view.dom, &title, |value| {
        let found = Leaves::of(value).body(&title);
        // Of the bodies of several values, the longest one counts.
        if let Some(found) = found.filter(|found| best.as_ref().is_none_or(|best| best.len() < found.len())) {
            best = Some(found);
        }
    });
    best
}

/// Calls `work` with every JSON value in a script of the page, except values that cannot contain the title.
fn for_each_state(dom: &Dom<'_>, title: &Title, mut work: impl FnMut(&Value<'_>)) {
    let (mut bytes, mut tries) = (0, 0);
    // Server components are spread over several scripts, so their rows are joined first.
    let mut rows = String::new();
    // Scripts without the title. They are scanned only if a later script may contain the title, because their tries count towards the
    // limit.
    let mut passed: Vec<Cow<'_, str>> = Vec::new();
    for id in dom
        .preorder(NodeId::DOCUMENT)
        .filter(|&id| dom.html_tag(id) == Some(Tag::SCRIPT))
    {
        let kind = dom.known_attr(id, AttrName::TYPE).unwrap_or_default();
        let kind = kind.trim().to_ascii_lowercase();
        if kind.contains("ld+json") || dom.known_attr(id, AttrName::SRC).is_some() {
            continue;
        }
        let text = dom.text_below(id);
        bytes += text.len();
        if bytes > MAX_BYTES {
            break;
        }
        if kind.contains("json") {
            if title.may_be_in(&text)
                && let Ok(value) = json::read(text.trim(), |_| true)
            {
                work(&value);
            }
        } else if let Some(pushed) = text.trim_start().strip_prefix("self.__next_f.push(") {
            if let Some((Value::Array(row), _)) = json::first(pushed)
                && let Some(piece) = row.get(1).and_then(Value::as_str)
            {
                rows.push_str(piece);
            }
        } else if title.may_be_in(&text) {
            for text in passed.drain(..) {
                assigned_values(&text, &mut tries, |_| ());
            }
            assigned_values(&text, &mut tries, |value| match value {
                Value::String(inner) => {
                    if let Ok(value) = json::read(inner, |_| true) {
                        work(&value);
                    }
                }
                value => work(value),
            });
        } else {
            passed.push(text);
        }
    }
    if title.may_be_in(&rows)
        && let Some(value) = server_rows(&rows)
    {
        work(&value);
    }
}

/// Calls `work` with the JSON values that a script assigns or passes to `JSON.parse`.
fn assigned_values(text: &str, tries: &mut usize, mut work: impl FnMut(&Value<'_>)) {
    // End of the last value.
    let mut end = 0;
    for found in memchr::memchr2_iter(b'=', b'(', text.as_bytes()) {
        let at = found + 1;
        let next = text.as_bytes().get(at).copied().unwrap_or(0);
        // A value, or white space before it. White space may be outside ASCII.
        let may_begin = matches!(next, b'{' | b'[' | b'"' | b' ' | b'\t'..=b'\r' | 0x80..);
        if found < end || !may_begin {
            continue;
        }
        let rest = text[at..].trim_start();
        let parsed = text[..at].ends_with("JSON.parse(");
        let fits = if parsed {
            rest.starts_with('"')
        } else {
            rest.starts_with(['{', '['])
        };
        // The first member of a JSON object or list is a quoted string, a list or an object. In program text this is rare.
        let inner = rest.get(1..).unwrap_or("").trim_start();
        if !fits || !parsed && !inner.starts_with(['"', '{', '[']) {
            continue;
        }
        if *tries >= MAX_TRIES {
            return;
        }
        *tries += 1;
        if let Some((value, bytes)) = json::first(rest) {
            end = text.len() - rest.len() + bytes;
            work(&value);
        }
    }
}

/// Parses the rows of server components, `NUMBER:JSON` on a line or `NUMBER:TLENGTH,TEXT`, into one list; `None` if absent.
fn server_rows(rows: &str) -> Option<Value<'_>> {
    let mut out = Vec::new();
    let mut rest = rows;
    while let Some(end) = memchr::memchr2(b':', b'\n', rest.as_bytes()) {
        let (number, row) = (rest[..end].trim_start(), &rest[end + 1..]);
        let numbered = !number.is_empty() && number.bytes().all(|b| b.is_ascii_hexdigit());
        if rest.as_bytes()[end] == b'\n' || !numbered {
            // Not the beginning of a row: skip to the next line.
            let line_end = memchr::memchr(b'\n', &rest.as_bytes()[end..]);
            rest = line_end.map_or("", |at| &rest[end + at + 1..]);
            continue;
        }
        // The length is a hexadecimal number of bytes.
        if let Some((length, text)) = row.strip_prefix('T').and_then(|row| row.split_once(','))
            && let Ok(length) = usize::from_str_radix(length, 16)
        {
            let end = text.floor_char_boundary(length.min(text.len()));
            out.push(Value::String(Cow::Borrowed(&text[..end])));
            rest = &text[end..];
        } else {
            let (line, after) = row.split_once('\n').unwrap_or((row, ""));
            out.extend(json::read(line, |_| true).ok());
            rest = after;
        }
    }
    (!out.is_empty()).then_some(Value::Array(out))
}

#[cfg(test)]
mod tests;
