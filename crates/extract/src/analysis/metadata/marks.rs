//! What links and marked elements of a page say about it.

use std::collections::BTreeSet;

use dehusk_html::tree::{Dom, NodeId, Tag};

use super::kind::PageKind;
use super::sweep::Sweep;
use super::tidy::tidy;

/// Subjects that are taken of one page.
const MAX_TAGS: usize = 50;
/// Characters of one of them.
const MAX_TAG: usize = 100;

/// Subjects in the order in which they come, none twice.
#[derive(Default)]
pub(super) struct Tags {
    tags: Vec<String>,
    /// The same, lower-cased.
    known: BTreeSet<String>,
}

impl Tags {
    pub(super) fn add(&mut self, tag: &str) {
        let Some(tag) = tidy(tag).filter(|tag| tag.chars().count() <= MAX_TAG) else {
            return;
        };
        if self.tags.len() < MAX_TAGS && self.known.insert(tag.to_lowercase()) {
            self.tags.push(tag);
        }
    }

    /// Adds what stands between commas or semicolons.
    pub(super) fn add_list(&mut self, list: &str) {
        for tag in list.split([',', ';', '，', '、']) {
            self.add(tag);
        }
    }

    pub(super) fn finish(self) -> Vec<String> {
        self.tags
    }
}

/// What links and marked elements say, the first of each kind.
#[derive(Default)]
pub(super) struct Marks {
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

impl Marks {
    pub(super) fn read(dom: &Dom<'_>, sweep: &Sweep) -> Marks {
        let mut marks = Marks::default();
        let mut tags = Tags::default();
        let mut looks = 200;
        for &id in &sweep.marked {
            let Some(tag) = dom.html_tag(id) else { continue };
            if tag == Tag::LINK || tag == Tag::A {
                let Some(rel) = dom.attr(id, "rel") else { continue };
                let has = |word: &str| rel.split_ascii_whitespace().any(|w| w.eq_ignore_ascii_case(word));
                let address = || dom.attr(id, "href").and_then(|href| tidy(&href));
                if tag == Tag::LINK && marks.canonical.is_none() && has("canonical") {
                    marks.canonical = address();
                } else if tag == Tag::LINK && marks.image.is_none() && has("image_src") {
                    marks.image = address();
                } else if tag == Tag::A && looks > 0 && has("tag") {
                    looks -= 1;
                    tags.add(&short_text(dom, id));
                }
            }
            if marks.kind.is_none()
                && let Some(types) = dom.attr(id, "itemtype")
            {
                let short = |name: &str| name.rsplit(['/', ':']).next().map(str::to_owned);
                let mut kinds = types.split_ascii_whitespace().filter_map(short);
                // Every page of many sites is a `WebPage`: what stands in it says more.
                marks.kind = kinds
                    .find_map(|name| PageKind::of_schema_org(&name))
                    .filter(|kind| *kind > PageKind::Listing);
            }
            if marks.modified.is_none()
                && dom
                    .attr(id, "itemprop")
                    .is_some_and(|v| v.eq_ignore_ascii_case("dateModified"))
            {
                let value = dom.attr(id, "datetime").or_else(|| dom.attr(id, "content"));
                marks.modified = value.and_then(|value| tidy(&value));
            }
        }
        marks.tags = tags.finish();
        marks
    }
}

/// The beginning of an element's text, long enough to tell whether it is a subject. Elements nest, so that a look below one
/// must not cost the whole page.
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
