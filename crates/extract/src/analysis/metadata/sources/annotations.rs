//! Links with `rel`, and elements with microdata or RDFa.

use std::borrow::Cow;

use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

use super::super::candidate::{Candidates, Field};
use super::super::clean_text::clean_text;
use super::super::elements::{Marked, MetadataElements};
use super::super::kind::{PageKind, short};
use super::super::surroundings::short_attr;
use super::super::tags::{MAX_TAG, Tags};
use super::super::{date, licence, person};

/// Name of the source of links.
const REL: &str = "rel";

/// A syntax that marks elements as properties of items.
pub(in super::super) struct Syntax {
    /// Name of the source.
    pub(in super::super) name: &'static str,
    /// The attribute with the names of the properties that an element gives.
    pub(in super::super) property: AttrName,
    /// The attribute with the types of the item that an element is.
    pub(in super::super) types: AttrName,
}

pub(in super::super) const MICRODATA: Syntax = Syntax {
    name: "microdata",
    property: AttrName::ITEMPROP,
    types: AttrName::ITEMTYPE,
};
pub(in super::super) const RDFA: Syntax = Syntax {
    name: "rdfa",
    property: AttrName::PROPERTY,
    types: AttrName::TYPEOF,
};

/// Maximum number of elements whose texts are read: elements nest, so each may contain the whole page.
const MAX_SEARCHES: usize = 200;
/// Maximum number of nodes of an element that are read for its text.
const MAX_NODES: usize = 100;
/// Maximum number of elements above an element that are searched.
const MAX_ABOVE: usize = 16;
/// Maximum bytes of an attribute with a date.
const MAX_DATE: usize = 100;

/// Facts from links and marked items that are not candidates.
#[derive(Default)]
pub(in super::super) struct Annotations {
    /// `link rel=canonical`, as written.
    pub(in super::super) canonical: Option<String>,
    /// Kind of the first item of microdata or RDFa that is more specific than a page or a list.
    pub(in super::super) kind: Option<PageKind>,
}

impl Annotations {
    pub(in super::super) fn read(
        dom: &Dom<'_>,
        elements: &MetadataElements,
        reading: date::Reading<'_>,
        out: &mut Candidates,
    ) -> Annotations {
        let mut reader = Reader {
            dom,
            reading,
            out,
            found: Annotations::default(),
            tags: Tags::default(),
            tags_at: None,
            searches: MAX_SEARCHES,
            dates: 0,
        };
        // In document order, since the first canonical link and the first dates count most.
        for &marked in &elements.marked {
            reader.link(marked);
            for syntax in [&MICRODATA, &RDFA] {
                reader.item(marked, syntax);
            }
        }
        let Reader {
            found,
            tags,
            tags_at,
            out,
            ..
        } = reader;
        out.list(Field::Tags, tags.finish(), (REL, "tag"), tags_at, 0.8);
        found
    }
}

struct Reader<'p, 'd, 's> {
    dom: &'p Dom<'d>,
    reading: date::Reading<'p>,
    out: &'s mut Candidates,
    found: Annotations,
    tags: Tags,
    tags_at: Option<NodeId>,
    /// Number of elements whose texts may still be read.
    searches: usize,
    /// Number of dates found so far.
    dates: u8,
}

impl Reader<'_, '_, '_> {
    /// Returns the beginning of an element's text: enough to see whether it is a name or a subject.
    fn short_text(&mut self, id: NodeId) -> String {
        let mut text = String::new();
        if self.searches == 0 {
            return text;
        }
        self.searches -= 1;
        for node in self.dom.preorder(id).take(MAX_NODES) {
            if self.dom.is_text(node) {
                text.push_str(&self.dom.text(node));
            }
            if text.len() > 4 * MAX_TAG {
                break;
            }
        }
        text
    }

    /// Whether an element is part of a comment, a review or an answer by readers.
    fn is_readers(&self, id: NodeId) -> bool {
        const ITEMS: [&str; 4] = ["Comment", "Review", "Answer", "UserComments"];
        self.dom.ancestors(id).take(MAX_ABOVE).any(|at| {
            let of_item = |types: Cow<'_, str>| {
                types
                    .split_ascii_whitespace()
                    .any(|name| ITEMS.contains(&short(name)))
            };
            [AttrName::ITEMTYPE, AttrName::TYPEOF]
                .into_iter()
                .any(|attr| short_attr(self.dom, at, attr).is_some_and(of_item))
        })
    }

    /// Reads a `link` or an `a` with `rel`.
    fn link(&mut self, marked: Marked) {
        let id = marked.element;
        let (Some(tag @ (Tag::LINK | Tag::A)), true) = (self.dom.html_tag(id), marked.has(AttrName::REL))
        else {
            return;
        };
        let Some(rel) = self.dom.known_attr(id, AttrName::REL) else {
            return;
        };
        let has = |word: &str| rel.split_ascii_whitespace().any(|w| w.eq_ignore_ascii_case(word));
        let href = || {
            self.dom
                .known_attr(id, AttrName::HREF)
                .and_then(|href| clean_text(&href))
        };
        if has("license") {
            let name = href().and_then(|href| licence::name(&href));
            self.out
                .one(Field::Licence, name, (REL, "license"), Some(id), 0.9);
        }
        if tag == Tag::LINK {
            if has("canonical") && self.found.canonical.is_none() {
                self.found.canonical = href();
            } else if has("image_src") {
                self.out
                    .one(Field::Image, href(), (REL, "image_src"), Some(id), 0.65);
            }
        } else if has("tag") {
            // Systems mark categories with `tag`, too: a category has the word in `rel` or in its address.
            let category = has("category")
                || href().is_some_and(|href| href.contains("/category/") || href.contains("/categories/"));
            let text = self.short_text(id);
            if category {
                let mut categories = Tags::default();
                categories.add(&text);
                self.out.list(
                    Field::Categories,
                    categories.finish(),
                    (REL, "category"),
                    Some(id),
                    0.6,
                );
            } else {
                self.tags_at.get_or_insert(id);
                self.tags.add(&text);
            }
        }
    }

    /// Reads an element with microdata or RDFa: the kind of an item, and values of properties.
    fn item(&mut self, marked: Marked, syntax: &Syntax) {
        let (dom, id) = (self.dom, marked.element);
        if self.found.kind.is_none()
            && marked.has(syntax.types)
            && let Some(types) = dom.known_attr(id, syntax.types)
        {
            let mut kinds = types.split_ascii_whitespace().map(short);
            // Many sites mark every page as a `WebPage`; the items in it are more specific.
            let kind = kinds.find_map(PageKind::of_schema_org);
            self.found.kind = kind.filter(|kind| *kind > PageKind::Listing);
        }
        if !marked.has(syntax.property) {
            return;
        }
        let Some(props) = dom.known_attr(id, syntax.property) else {
            return;
        };
        // Hostile elements may have thousands of names.
        for prop in props.split_ascii_whitespace().take(4) {
            let Some((told, field, confidence)) = property(syntax, prop) else {
                continue;
            };
            let (told, place) = ((syntax.name, told), Some(id));
            // Comments have dates and writers of their own.
            if matches!(field, Field::Date | Field::Modified | Field::Authors) && self.is_readers(id) {
                continue;
            }
            match field {
                Field::Date | Field::Modified => {
                    // Threads mark the date of every post: the first one is that of the page.
                    let confidence = confidence - 0.04 * f32::from(self.dates.min(5));
                    self.dates = self.dates.saturating_add(1);
                    let value = [AttrName::DATETIME, AttrName::CONTENT]
                        .into_iter()
                        .find_map(|name| dom.known_attr(id, name));
                    let value = match value {
                        Some(value) => value[..value.floor_char_boundary(MAX_DATE)].to_owned(),
                        None => self.short_text(id),
                    };
                    self.out
                        .one(field, date::stamp(&value, self.reading), told, place, confidence);
                }
                // The search for a name inside the element is as long as one for a text, so it needs the same budget.
                Field::Authors if self.searches == 0 => {}
                Field::Authors => {
                    // Microdata nests the name: `<span itemprop=author><b itemprop=name>Ann Lee</b></span>`.
                    let has_name = |n: &NodeId| {
                        let name = short_attr(dom, *n, syntax.property);
                        name.is_some_and(|value| {
                            value.split_ascii_whitespace().any(|word| short(word) == "name")
                        })
                    };
                    let named = dom.preorder(id).skip(1).take(MAX_NODES).find(has_name);
                    let content = dom.known_attr(named.unwrap_or(id), AttrName::CONTENT);
                    let text = match content {
                        Some(content) => content.into_owned(),
                        None => self.short_text(named.unwrap_or(id)),
                    };
                    self.out
                        .list(field, person::names(&text), told, place, confidence);
                }
                Field::Tags | Field::Categories => {
                    let text = match dom.known_attr(id, AttrName::CONTENT) {
                        Some(content) => content.into_owned(),
                        None => self.short_text(id),
                    };
                    let mut tags = Tags::default();
                    tags.add_list(&text);
                    self.out.list(field, tags.finish(), told, place, confidence);
                }
                _ => {
                    let address = [AttrName::HREF, AttrName::CONTENT]
                        .into_iter()
                        .find_map(|name| dom.known_attr(id, name));
                    let value = address.and_then(|value| clean_text(&value));
                    let value = if field == Field::Licence {
                        value.and_then(|text| licence::name(&text))
                    } else {
                        value
                    };
                    self.out.one(field, value, told, place, confidence);
                }
            }
        }
    }
}

/// Returns the name of a property, its field and its confidence; `None` for other properties.
///
/// Names of RDFa may have a prefix or an address before them, and may come from a vocabulary of documents,
/// such as Dublin Core.
fn property(syntax: &Syntax, name: &str) -> Option<(&'static str, Field, f32)> {
    #[rustfmt::skip]
    const PROPERTIES: &[(&str, Field, f32)] = &[
        ("author", Field::Authors, 0.8),
        ("creator", Field::Authors, 0.7),
        ("datePublished", Field::Date, 0.9),
        ("dateCreated", Field::Date, 0.85),
        ("uploadDate", Field::Date, 0.7),
        ("dateModified", Field::Modified, 0.9),
        ("keywords", Field::Tags, 0.75),
        ("articleSection", Field::Categories, 0.7),
        ("recipeCategory", Field::Categories, 0.8),
        ("license", Field::Licence, 0.9),
    ];
    /// Names in Dublin Core and SIOC, which RDFa alone uses.
    #[rustfmt::skip]
    const OF_DOCUMENTS: &[(&str, Field, f32)] = &[
        ("issued", Field::Date, 0.9),
        ("created", Field::Date, 0.85),
        ("date", Field::Date, 0.8),
        ("modified", Field::Modified, 0.9),
        ("has_creator", Field::Authors, 0.8),
        ("subject", Field::Tags, 0.7),
    ];
    let is_rdfa = syntax.property == AttrName::PROPERTY;
    let (prefix, name) = match name.rsplit_once(['/', ':', '#']).filter(|_| is_rdfa) {
        Some((prefix, name)) => (prefix, name),
        None => ("", name),
    };
    let find = |list: &[(&'static str, Field, f32)]| {
        let mut rows = list.iter();
        rows.find(|(known, ..)| name.eq_ignore_ascii_case(known)).copied()
    };
    // `date` without a vocabulary may be the date of anything.
    find(PROPERTIES).or_else(|| find(OF_DOCUMENTS).filter(|_| !prefix.is_empty()))
}
