//! JSON-LD of schema.org.

use std::collections::HashSet;

use super::annotations::Tags;
use super::clean_text::clean_text;
use super::elements::MetadataElements;
use super::kind::{ARTICLES, PageKind, short};
use crate::analysis::json::{self, Object, Value};
use crate::warning::{Warning, WarningKind};
use dehusk_html::budget::Meter;
use dehusk_html::tree::{AttrName, Dom, NodeId};

/// Metadata in the JSON-LD of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct JsonLd {
    pub(super) headline: Option<String>,
    pub(super) author: Option<String>,
    pub(super) date: Option<String>,
    pub(super) modified: Option<String>,
    pub(super) description: Option<String>,
    pub(super) image: Option<String>,
    pub(super) tags: Vec<String>,
    pub(super) kind: Option<PageKind>,
    pub(super) site_name: Option<String>,
    /// Bodies of the articles, unchanged: text or HTML.
    pub(super) bodies: Vec<String>,
}

/// Members that are read in all scripts.
const NAMES: &[&str] = &[
    "@type",
    "@context",
    "@graph",
    "@vocab",
    "mainEntity",
    "mainEntityOfPage",
    "headline",
    "name",
    "author",
    "datePublished",
    "dateCreated",
    "dateModified",
    "description",
    "image",
    "url",
    "contentUrl",
    "keywords",
];

/// What the type of a script with JSON-LD begins with.
const JSON_LD: &[u8] = b"application/ld+json";

/// Bytes of JSON that are read in a step.
const JSON_STEP: usize = 8;

/// Most objects that are read on one page.
const MAX_OBJECTS: usize = 10_000;

/// Reads every JSON-LD script; one that cannot be read is skipped with a warning.
pub(super) fn read(
    dom: &Dom<'_>,
    elements: &MetadataElements,
    meter: &mut Meter<'_>,
    warnings: &mut Vec<Warning>,
) -> JsonLd {
    let mut out = JsonLd::default();
    let mut seen = 0;
    for &id in &elements.scripts {
        if !is_json_ld(dom, id) {
            continue;
        }
        let text = dom.text_below(id);
        let text = strip_wrapping(&text);
        if !meter.step(1 + text.len() / JSON_STEP) {
            break;
        }
        if text.is_empty() {
            continue;
        }
        let has_body = memchr::memmem::find(text.as_bytes(), b"articleBody").is_some();
        match json::read(text, |name| has_body || NAMES.contains(&name)) {
            Ok(value) => {
                collect(&value, &mut out, &mut seen);
                if has_body {
                    collect_bodies(&value, &mut out.bodies);
                }
            }
            Err(error) => {
                let message = format!("a JSON-LD script was skipped: {error}");
                warnings.push(Warning::new(WarningKind::BrokenJson, message));
            }
        }
    }
    out
}

/// Whether a script is JSON-LD.
fn is_json_ld(dom: &Dom<'_>, script: NodeId) -> bool {
    let mut attrs = dom.attrs_of(script).iter();
    let Some(kind) = attrs.find(|attr| attr.is(AttrName::TYPE)) else {
        return false;
    };
    // Most types are shorter, and no shorter one stands for this.
    dom.attr_bytes(kind).0.len() >= JSON_LD.len() && {
        let kind = dom.attr_value(kind);
        let name = kind.trim().as_bytes().get(..JSON_LD.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(JSON_LD))
    }
}

/// Removes CDATA and comment marks that old systems put around scripts.
fn strip_wrapping(text: &str) -> &str {
    let mut text = text.trim();
    for mark in ["<!--", "//<![CDATA[", "/*<![CDATA[*/", "<![CDATA["] {
        text = text.strip_prefix(mark).unwrap_or(text).trim_start();
    }
    for mark in ["-->", "//]]>", "/*]]>*/", "]]>"] {
        text = text.strip_suffix(mark).unwrap_or(text).trim_end();
    }
    text.trim_end_matches(';')
}

/// Reads the objects in arrays, `@graph` and main entities, without recursion.
fn collect(value: &Value<'_>, out: &mut JsonLd, seen: &mut usize) {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        *seen += 1;
        if *seen > MAX_OBJECTS {
            return;
        }
        match value {
            Value::Array(items) => pending.extend(items.iter().rev()),
            Value::Object(object) => {
                if let Some(inner) = object.get("@graph") {
                    pending.push(inner);
                }
                if is_schema_org(object.get("@context")) {
                    read_object(object, out);
                }
                for name in ["mainEntity", "mainEntityOfPage"] {
                    if let Some(inner @ Value::Object(_)) = object.get(name) {
                        pending.push(inner);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Collects the bodies of all articles at any depth: an article may be an item of a list, a part of a page or its subject. Forum
/// postings are left out, since their body is the first post only.
fn collect_bodies(value: &Value<'_>, out: &mut Vec<String>) {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(items) => pending.extend(items.iter().rev()),
            Value::Object(object) => {
                if has_type(object, ARTICLES)
                    && !has_type(object, &["DiscussionForumPosting"])
                    && is_schema_org(object.get("@context"))
                {
                    let parts = match object.get("articleBody") {
                        Some(Value::Array(parts)) => parts.as_slice(),
                        Some(one) => std::slice::from_ref(one),
                        None => &[],
                    };
                    let body = parts
                        .iter()
                        .filter_map(Value::as_str)
                        .collect::<Vec<_>>()
                        .join("\n");
                    if !body.trim().is_empty() {
                        out.push(body);
                    }
                }
                let inner = object.values().filter(|v| v.is_nested());
                pending.extend(inner.rev());
            }
            _ => {}
        }
    }
}

/// Whether a context is that of schema.org. Objects inside a graph have no context of their own.
fn is_schema_org(context: Option<&Value<'_>>) -> bool {
    match context {
        None => true,
        Some(Value::String(s)) => is_schema_url(s),
        Some(Value::Object(o)) => o.get("@vocab").and_then(Value::as_str).is_some_and(is_schema_url),
        Some(Value::Array(all)) => all.iter().any(|v| v.as_str().is_some_and(is_schema_url)),
        Some(_) => false,
    }
}

fn is_schema_url(url: &str) -> bool {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))
        .unwrap_or("");
    rest.strip_suffix('/').unwrap_or(rest) == "schema.org"
}

/// Whether an object is of one of these types.
fn has_type(object: &Object<'_>, kinds: &[&str]) -> bool {
    let one = |name: &str| kinds.contains(&short(name));
    match object.get("@type") {
        Some(Value::String(name)) => one(name),
        Some(Value::Array(all)) => all.iter().any(|name| name.as_str().is_some_and(one)),
        _ => false,
    }
}

fn read_object(object: &Object<'_>, out: &mut JsonLd) {
    let kinds = match object.get("@type") {
        Some(Value::String(name)) => vec![&**name],
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let kind = kinds
        .into_iter()
        .find_map(|name| PageKind::of_schema_org(short(name)));
    out.kind = PageKind::more_specific(out.kind, kind);
    let text = |name: &str| object.get(name).and_then(Value::as_str).and_then(unescape);
    if has_type(object, ARTICLES) {
        fill(&mut out.headline, || text("headline").or_else(|| text("name")));
        fill(&mut out.author, || names(object.get("author")));
        fill(&mut out.date, || {
            text("datePublished").or_else(|| text("dateCreated"))
        });
        fill(&mut out.modified, || text("dateModified"));
        fill(&mut out.description, || text("description"));
        fill(&mut out.image, || address(object.get("image")));
        if out.tags.is_empty() {
            out.tags = tags(object.get("keywords"));
        }
    } else if has_type(object, &["WebSite"]) {
        fill(&mut out.site_name, || text("name"));
    }
}

fn fill(field: &mut Option<String>, value: impl FnOnce() -> Option<String>) {
    if field.is_none() {
        *field = value();
    }
}

/// The address of an image, or of the first of several.
fn address(value: Option<&Value<'_>>) -> Option<String> {
    let mut value = value?;
    // No valid value is nested more deeply than a list of objects with a list of addresses.
    for _ in 0..4 {
        value = match value {
            Value::String(address) => return unescape(address),
            Value::Array(all) => all.first()?,
            Value::Object(image) => image.get("url").or_else(|| image.get("contentUrl"))?,
            _ => return None,
        };
    }
    None
}

/// Subjects: a list, or a text with commas.
fn tags(value: Option<&Value<'_>>) -> Vec<String> {
    let mut tags = Tags::default();
    match value {
        Some(Value::String(list)) => tags.add_list(&unescape(list).unwrap_or_default()),
        Some(Value::Array(all)) => {
            for tag in all.iter().filter_map(Value::as_str).filter_map(unescape) {
                tags.add(&tag);
            }
        }
        _ => {}
    }
    tags.finish()
}

/// Names of a person, an organization or several of them.
fn names(value: Option<&Value<'_>>) -> Option<String> {
    let items = match value? {
        Value::Array(items) => items.iter().collect(),
        one => vec![one],
    };
    let mut names: Vec<String> = Vec::new();
    let mut known = HashSet::new();
    for item in items {
        let name = match item {
            Value::String(name) => Some(&**name),
            Value::Object(person) => person.get("name").and_then(|n| match n {
                Value::Array(all) => all.first().and_then(Value::as_str),
                n => n.as_str(),
            }),
            _ => None,
        };
        if let Some(name) = name
            .filter(|n| !n.contains("://"))
            .and_then(unescape)
            .filter(|n| known.insert(n.clone()))
        {
            names.push(name);
        }
    }
    (!names.is_empty()).then(|| names.join("; "))
}

/// The text without HTML escapes, which some systems write into JSON.
fn unescape(text: &str) -> Option<String> {
    if !text.contains('&') {
        return clean_text(text);
    }
    let mut out = text.to_owned();
    for (from, to) in [
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#039;", "'"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", " "),
    ] {
        out = out.replace(from, to);
    }
    clean_text(&out.replace("&amp;", "&"))
}
