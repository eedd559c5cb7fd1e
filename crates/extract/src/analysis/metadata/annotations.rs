//! Metadata in links and in elements with microdata attributes.

use std::borrow::Cow;

use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

use super::clean_text::{clean, clean_text};
use super::elements::MetadataElements;
use super::kind::PageKind;

/// Most subjects of a page.
const MAX_TAGS: usize = 50;
/// Most characters of a subject.
const MAX_TAG: usize = 100;

/// Subjects in their order, without duplicates.
#[derive(Default)]
pub(super) struct Tags {
    tags: Vec<String>,
    /// Those with characters outside of ASCII, lower-cased.
    lower: Vec<String>,
}

impl Tags {
    pub(super) fn add(&mut self, tag: &str) {
        let Some(tag) = clean(Cow::Borrowed(tag)).filter(|tag| tag.chars().count() <= MAX_TAG) else {
            return;
        };
        if self.tags.len() >= MAX_TAGS {
            return;
        }
        let lower = (!tag.is_ascii()).then(|| tag.to_lowercase());
        let key = lower.as_deref().unwrap_or(&tag);
        let mut known = self.tags.iter().chain(&self.lower);
        if !known.any(|known| known.eq_ignore_ascii_case(key)) {
            self.tags.push(tag.into_owned());
            self.lower.extend(lower);
        }
    }

    /// Adds the subjects of a list with commas or semicolons.
    pub(super) fn add_list(&mut self, list: &str) {
        for tag in list.split([',', ';', '，', '、']) {
            self.add(tag);
        }
    }

    pub(super) fn finish(self) -> Vec<String> {
        self.tags
    }
}

/// Metadata in links and microdata: the first value of each kind.
#[derive(Default)]
pub(super) struct Annotations {
    /// `link rel=canonical`, as written.
    pub(super) canonical: Option<String>,
    /// `link rel=image_src`, as written.
    pub(super) image: Option<String>,
    /// `itemprop=dateModified`, as written.
    pub(super) modified: Option<String>,
    /// Texts of links with `rel=tag`.
    pub(super) tags: Vec<String>,
    /// Kind of the first item of microdata that has one.
    pub(super) kind: Option<PageKind>,
}

impl Annotations {
    pub(super) fn read(dom: &Dom<'_>, elements: &MetadataElements) -> Annotations {
        let mut annotations = Annotations::default();
        let mut tags = Tags::default();
        let mut searches_left = 200;
        for &marked in &elements.marked {
            let id = marked.element;
            let Some(tag) = dom.html_tag(id) else { continue };
            if tag == Tag::LINK || tag == Tag::A {
                if !marked.has_rel() {
                    continue;
                }
                let Some(rel) = dom.known_attr(id, AttrName::REL) else {
                    continue;
                };
                let has = |word: &str| rel.split_ascii_whitespace().any(|w| w.eq_ignore_ascii_case(word));
                let address = || {
                    dom.known_attr(id, AttrName::HREF)
                        .and_then(|href| clean_text(&href))
                };
                if tag == Tag::LINK && annotations.canonical.is_none() && has("canonical") {
                    annotations.canonical = address();
                } else if tag == Tag::LINK && annotations.image.is_none() && has("image_src") {
                    annotations.image = address();
                } else if tag == Tag::A && searches_left > 0 && has("tag") {
                    searches_left -= 1;
                    tags.add(&short_text(dom, id));
                }
            }
            if annotations.kind.is_none()
                && marked.has_itemtype()
                && let Some(types) = dom.known_attr(id, AttrName::ITEMTYPE)
            {
                let short = |name: &str| name.rsplit(['/', ':']).next().map(str::to_owned);
                let mut kinds = types.split_ascii_whitespace().filter_map(short);
                // Many sites mark every page as a `WebPage`; the items in it are more specific.
                annotations.kind = kinds
                    .find_map(|name| PageKind::of_schema_org(&name))
                    .filter(|kind| *kind > PageKind::Listing);
            }
            if annotations.modified.is_none()
                && marked.has_itemprop()
                && dom
                    .known_attr(id, AttrName::ITEMPROP)
                    .is_some_and(|v| v.eq_ignore_ascii_case("dateModified"))
            {
                let value = dom.known_attr(id, AttrName::DATETIME);
                let value = value.or_else(|| dom.known_attr(id, AttrName::CONTENT));
                annotations.modified = value.and_then(|value| clean_text(&value));
            }
        }
        annotations.tags = tags.finish();
        annotations
    }
}

/// The beginning of an element's text, long enough to tell whether it is a subject. As elements nest, reading all of it would be
/// quadratic.
fn short_text(dom: &Dom<'_>, id: NodeId) -> String {
    let mut out = String::new();
    for node in dom.preorder(id).take(100) {
        if dom.is_text(node) {
            out.push_str(&dom.text(node));
        }
        if out.len() > 4 * MAX_TAG {
            break;
        }
    }
    out
}
