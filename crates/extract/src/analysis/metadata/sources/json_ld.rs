//! JSON-LD of schema.org.

use std::borrow::Cow;
use std::collections::HashMap;

use super::super::candidate::{Candidates, Field};
use super::super::clean_text::clean_text;
use super::super::elements::MetadataElements;
use super::super::kind::{ARTICLES, PageKind, short};
use super::super::tags::Tags;
use super::super::{date, licence, person};
use crate::analysis::json::{self, Object, Value};
use crate::warning::{Warning, WarningKind};
use dehusk_html::budget::Meter;
use dehusk_html::tree::character_reference::decode_text;
use dehusk_html::tree::{AttrName, Dom, NodeId};

/// Facts from JSON-LD that are not candidates.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct JsonLd {
    /// Title of the first article.
    pub(in super::super) headline: Option<String>,
    pub(in super::super) kind: Option<PageKind>,
    /// Bodies of the articles, unchanged: text or HTML.
    pub(in super::super) bodies: Vec<String>,
}

/// Name of the source.
const NAME: &str = "json-ld";

/// Members that are read from all scripts. Other members are read only if the script has an `articleBody`.
const NAMES: &[&str] = &[
    "@type",
    "@id",
    "@context",
    "@graph",
    "@vocab",
    "mainEntity",
    "mainEntityOfPage",
    "headline",
    "name",
    "author",
    "creator",
    "publisher",
    "datePublished",
    "dateCreated",
    "uploadDate",
    "dateModified",
    "description",
    "image",
    "url",
    "contentUrl",
    "keywords",
    "articleSection",
    "recipeCategory",
    "license",
    "itemListElement",
    "item",
];

/// The start of the type of a script with JSON-LD.
const JSON_LD: &[u8] = b"application/ld+json";

/// Bytes of JSON that count as one step of the budget.
const JSON_STEP: usize = 8;

/// Maximum number of objects that are read on one page.
const MAX_OBJECTS: usize = 10_000;

/// Reads every JSON-LD script. A script that cannot be parsed, even after repairs, is skipped with a warning.
pub(in super::super) fn read(
    dom: &Dom<'_>,
    elements: &MetadataElements,
    meter: &mut Meter<'_>,
    warnings: &mut Vec<Warning>,
    out: &mut Candidates,
) -> JsonLd {
    let mut found = JsonLd::default();
    let scripts = scripts(dom, elements, meter);
    let mut values = Vec::with_capacity(scripts.len());
    for (id, text) in &scripts {
        let text = strip_wrapping(text);
        if text.is_empty() {
            continue;
        }
        let has_body = memchr::memmem::find(text.as_bytes(), b"articleBody").is_some();
        // Other members are skipped while parsing. An article with a body may be at any depth, so then all
        // members are kept.
        let is_kept = |name: &str| has_body || NAMES.contains(&name);
        match parse(text, is_kept, meter) {
            Ok(value) => {
                if has_body {
                    collect_bodies(&value, &mut found.bodies);
                }
                values.push((*id, value));
            }
            Err(error) => {
                let message = format!("a JSON-LD script was skipped: {error}");
                warnings.push(Warning::new(WarningKind::BrokenJson, message));
            }
        }
    }
    // After all scripts are parsed: an `@id` may refer to an object of another script.
    let mut graph = Graph::of(&values);
    for (id, value) in &values {
        graph.collect(*id, value, &mut found, out);
    }
    found
}

/// Returns the scripts with JSON-LD and their texts, as far as the budget goes.
pub(in super::super) fn scripts<'d>(
    dom: &'d Dom<'_>,
    elements: &MetadataElements,
    meter: &mut Meter<'_>,
) -> Vec<(NodeId, Cow<'d, str>)> {
    let scripts = elements.scripts.iter().filter(|&&id| is_json_ld(dom, id));
    scripts
        .map(|&id| (id, dom.text_below(id)))
        .take_while(|(_, text)| meter.step(1 + text.len() / JSON_STEP))
        .collect()
}

/// Parses the text of a script, after repairs if it is malformed.
pub(in super::super) fn parse<'t>(
    text: &'t str,
    is_kept: impl Fn(&str) -> bool,
    meter: &mut Meter<'_>,
) -> Result<Value<'t>, serde_json::Error> {
    json::read(text, &is_kept).or_else(|error| {
        // Repairs read the whole script once more.
        let repaired = meter.step(text.len() / JSON_STEP).then(|| json::repaired(text));
        repaired
            .and_then(|text| json::read_owned(&text, &is_kept).ok())
            .ok_or(error)
    })
}

/// Whether a script is JSON-LD.
fn is_json_ld(dom: &Dom<'_>, script: NodeId) -> bool {
    let mut attrs = dom.attrs_of(script).iter();
    let Some(kind) = attrs.find(|attr| attr.is(AttrName::TYPE)) else {
        return false;
    };
    // Most types are shorter, and a shorter attribute cannot be an encoding of this type.
    dom.attr_bytes(kind).0.len() >= JSON_LD.len() && {
        let kind = dom.attr_value(kind);
        let name = kind.trim().as_bytes().get(..JSON_LD.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(JSON_LD))
    }
}

/// Removes marks of CDATA and comments that old systems put around scripts.
pub(in super::super) fn strip_wrapping(text: &str) -> &str {
    let mut text = text.trim();
    for mark in ["<!--", "//<![CDATA[", "/*<![CDATA[*/", "<![CDATA["] {
        text = text.strip_prefix(mark).unwrap_or(text).trim_start();
    }
    for mark in ["-->", "//]]>", "/*]]>*/", "]]>"] {
        text = text.strip_suffix(mark).unwrap_or(text).trim_end();
    }
    text.trim_end_matches(';')
}

/// The objects of all scripts of a page.
struct Graph<'v, 't> {
    /// Objects by their `@id`, if they have more members than `@id` and `@type`.
    by_id: HashMap<&'v str, &'v Object<'t>>,
    seen: usize,
}

impl<'v, 't> Graph<'v, 't> {
    fn of(values: &'v [(NodeId, Value<'t>)]) -> Self {
        let mut by_id = HashMap::new();
        let mut seen = 0;
        // Reversed wherever values are added, so that the stack returns them in document order.
        let mut pending: Vec<&Value<'_>> = values.iter().rev().map(|(_, value)| value).collect();
        while let Some(value) = pending.pop() {
            seen += 1;
            if seen > MAX_OBJECTS {
                break;
            }
            match value {
                Value::Array(items) => pending.extend(items.iter().rev()),
                Value::Object(object) => {
                    if let Some(id) = object.get("@id").and_then(Value::as_str)
                        && object.members().any(|(name, _)| name != "@id" && name != "@type")
                    {
                        // The first object with an id counts.
                        by_id.entry(id).or_insert(object);
                    }
                    pending.extend(object.values().filter(|value| value.is_nested()).rev());
                }
                _ => {}
            }
        }
        Graph { by_id, seen: 0 }
    }

    /// Returns the object that a value is or refers to; `None` if it is not an object.
    fn object(&self, value: &'v Value<'t>) -> Option<&'v Object<'t>> {
        let Value::Object(object) = value else { return None };
        // An object with nothing but an id and a type stands for the object of that id.
        let refers = !object.members().any(|(name, _)| name != "@id" && name != "@type");
        let id = object.get("@id").and_then(Value::as_str).filter(|_| refers);
        Some(id.and_then(|id| self.by_id.get(id).copied()).unwrap_or(object))
    }

    /// Reads the objects in arrays, `@graph` and main entities, without recursion.
    fn collect(&mut self, place: NodeId, value: &'v Value<'t>, found: &mut JsonLd, out: &mut Candidates) {
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            self.seen += 1;
            if self.seen > MAX_OBJECTS {
                return;
            }
            match value {
                Value::Array(items) => pending.extend(items.iter().rev()),
                Value::Object(object) => {
                    if let Some(inner) = object.get("@graph") {
                        pending.push(inner);
                    }
                    // Other vocabularies use the same names for other things.
                    if is_schema_org(object.get("@context")) {
                        self.read_object(place, object, found, out);
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

    fn read_object(&self, place: NodeId, object: &'v Object<'t>, found: &mut JsonLd, out: &mut Candidates) {
        let kinds = types(object);
        let kind = kinds.iter().find_map(|name| PageKind::of_schema_org(name));
        found.kind = PageKind::more_specific(found.kind, kind);
        let text = |name: &str| object.get(name).and_then(Value::as_str).and_then(unescape);
        let place = Some(place);
        // Of the site, only the name is a fact about the page.
        if kinds.contains(&"WebSite") {
            out.one(Field::SiteName, text("name"), (NAME, "WebSite.name"), place, 0.9);
            return;
        }
        if kinds.contains(&"BreadcrumbList") {
            out.list(
                Field::Categories,
                self.breadcrumbs(object),
                (NAME, "BreadcrumbList"),
                place,
                0.5,
            );
            return;
        }
        let is_article = has_type(object, ARTICLES);
        // The confidence that an object of this type describes the page: a video or an image is often just a part of it.
        let about = match kind {
            _ if is_article => 1.0,
            Some(PageKind::Recipe) => 0.98,
            Some(PageKind::Website | PageKind::Listing) => 0.9,
            Some(
                PageKind::Article
                | PageKind::Event
                | PageKind::Book
                | PageKind::Job
                | PageKind::Audio
                | PageKind::Question,
            ) => 0.85,
            Some(PageKind::Video) => 0.7,
            _ if kinds.contains(&"ClaimReview") || kinds.contains(&"CreativeWork") => 0.85,
            _ => return,
        };
        let (headline, other) = (text("headline"), text("name"));
        if is_article && found.headline.is_none() {
            found.headline = headline.clone().or_else(|| other.clone());
        }
        out.one(Field::Title, headline, (NAME, "headline"), place, 0.75 * about);
        out.one(Field::Title, other, (NAME, "name"), place, 0.6 * about);
        // The author of a recipe may differ from the author of the page about it.
        let written = if kind == Some(PageKind::Recipe) {
            1.03
        } else {
            about
        };
        for (member, trust) in [("author", 0.93), ("creator", 0.85)] {
            self.people(object.get(member), member, trust * written, place, out);
        }
        // Systems date every page of a site, even if readers see no date: such a date needs a second source.
        let web_page = !is_article && matches!(kind, Some(PageKind::Website | PageKind::Listing));
        let dated = if web_page { 0.55 } else { 1.0 };
        for (member, trust) in [
            ("datePublished", 0.97),
            ("dateCreated", 0.85),
            ("uploadDate", 0.8),
        ] {
            out.one(
                Field::Date,
                text(member).and_then(|date| date::stamp(&date, date::Reading::default())),
                (NAME, member),
                place,
                trust * about * dated,
            );
        }
        let modified = text("dateModified").and_then(|date| date::stamp(&date, date::Reading::default()));
        out.one(
            Field::Modified,
            modified,
            (NAME, "dateModified"),
            place,
            0.95 * about,
        );
        out.one(
            Field::Description,
            text("description"),
            (NAME, "description"),
            place,
            0.6 * about,
        );
        out.one(
            Field::Image,
            address(object.get("image")),
            (NAME, "image"),
            place,
            0.7 * about,
        );
        out.list(
            Field::Tags,
            tags(object.get("keywords")),
            (NAME, "keywords"),
            place,
            0.9 * about,
        );
        for member in ["articleSection", "recipeCategory"] {
            out.list(
                Field::Categories,
                tags(object.get(member)),
                (NAME, member),
                place,
                0.9 * about,
            );
        }
        let publisher = object.get("publisher").and_then(|value| self.name(value));
        if let Some((name, _)) = publisher {
            out.one(
                Field::SiteName,
                Some(name.clone()),
                (NAME, "publisher"),
                place,
                0.55,
            );
            out.one(
                Field::Publisher,
                Some(name),
                (NAME, "publisher"),
                place,
                0.95 * about,
            );
        }
        // A name, an address, or an object with an address.
        let licence = object.get("license");
        let licence = licence
            .and_then(Value::as_str)
            .map(str::to_owned)
            .or_else(|| address(licence));
        out.one(
            Field::Licence,
            licence.and_then(|text| licence::name(&text)),
            (NAME, "license"),
            place,
            0.9 * about,
        );
    }

    /// Returns the names of the items of a breadcrumb trail, without the first one, which is the site, and
    /// the last one, which is the page.
    fn breadcrumbs(&self, object: &'v Object<'t>) -> Vec<String> {
        let Some(Value::Array(items)) = object.get("itemListElement") else {
            return Vec::new();
        };
        let name = |value: &'v Value<'t>| {
            let item = self.object(value)?;
            let inner = || item.get("item").and_then(|inner| self.name(inner));
            item.get("name")
                .and_then(Value::as_str)
                .and_then(unescape)
                .or_else(|| inner().map(|(name, _)| name))
        };
        let names: Vec<String> = items.iter().filter_map(name).collect();
        // Without two names, the range is invalid and `get` returns `None`.
        let inner = names.get(1..names.len().saturating_sub(1)).unwrap_or_default();
        inner.to_vec()
    }

    /// Returns the name of a person or an organization, and whether it is an organization.
    fn name(&self, value: &'v Value<'t>) -> Option<(String, bool)> {
        match value {
            // An address is not a name.
            Value::String(name) => Some((unescape(name).filter(|name| !name.contains("://"))?, false)),
            Value::Object(_) => {
                let object = self.object(value)?;
                let name = match object.get("name")? {
                    Value::Array(all) => all.first().and_then(Value::as_str),
                    name => name.as_str(),
                };
                // An object without a type counts as a person.
                let organization = types(object)
                    .iter()
                    .any(|kind| *kind != "Person" && *kind != "Thing");
                Some((
                    name.filter(|name| !name.contains("://")).and_then(unescape)?,
                    organization,
                ))
            }
            _ => None,
        }
    }

    /// Adds the persons, or the organizations if no person is named.
    fn people(
        &self,
        value: Option<&'v Value<'t>>,
        told: &'static str,
        confidence: f32,
        place: Option<NodeId>,
        out: &mut Candidates,
    ) {
        let items = match value {
            Some(Value::Array(items)) => items.as_slice(),
            Some(one) => std::slice::from_ref(one),
            None => return,
        };
        let (mut persons, mut organizations) = (Vec::new(), Vec::new());
        for (name, organization) in items.iter().filter_map(|item| self.name(item)) {
            // Only persons are cleaned and split: the name of an organization may hold `and` or a comma.
            let names = person::names(&name);
            if organization {
                organizations.push(name);
            } else {
                persons.extend(names);
            }
        }
        person::distinct(&mut persons);
        person::distinct(&mut organizations);
        // A person is a better answer than the newspaper that printed the text.
        let alone = persons.is_empty();
        out.list(Field::Authors, persons, (NAME, told), place, confidence);
        if alone {
            out.list(
                Field::Authors,
                organizations,
                (NAME, "organization"),
                place,
                0.57 * confidence,
            );
        }
    }
}

/// Collects the bodies of all articles at any depth: an article may be an item of a list, a part of a page
/// or its subject. Forum postings are left out, since their body is the first post only.
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
                    // The body may be a list of paragraphs.
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

/// Whether a context is that of schema.org. A missing context counts as one, since objects inside a graph
/// have none of their own.
pub(in super::super) fn is_schema_org(context: Option<&Value<'_>>) -> bool {
    match context {
        None => true,
        Some(Value::String(s)) => is_schema_url(s),
        Some(Value::Object(o)) => o.get("@vocab").and_then(Value::as_str).is_some_and(is_schema_url),
        Some(Value::Array(all)) => all.iter().any(|v| v.as_str().is_some_and(is_schema_url)),
        Some(_) => false,
    }
}

/// Whether an address is that of schema.org: `http` or `https`, with or without a slash at the end.
fn is_schema_url(url: &str) -> bool {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))
        .unwrap_or("");
    rest.strip_suffix('/').unwrap_or(rest) == "schema.org"
}

/// Whether an object has one of these types.
fn has_type(object: &Object<'_>, kinds: &[&str]) -> bool {
    let one = |name: &str| kinds.contains(&short(name));
    match object.get("@type") {
        Some(Value::String(name)) => one(name),
        Some(Value::Array(all)) => all.iter().any(|name| name.as_str().is_some_and(one)),
        _ => false,
    }
}

/// Returns the types of an object, without their addresses.
fn types<'v>(object: &'v Object<'_>) -> Vec<&'v str> {
    match object.get("@type") {
        Some(Value::String(name)) => vec![short(name)],
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).map(short).collect(),
        _ => Vec::new(),
    }
}

/// Returns the address of an image, or of the first of several.
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

/// Returns subjects from a list, or from a text with commas.
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

/// Returns the text without HTML escapes, which some systems write into JSON; `None` if it is blank.
pub(in super::super) fn unescape(text: &str) -> Option<String> {
    match text.contains('&') {
        true => clean_text(&decode_text(text)),
        false => clean_text(text),
    }
}
