//! Finds the elements with metadata in one pass over the page.

use dehusk_html::budget::Meter;
use dehusk_html::tree::{Attr, AttrName, Dom, NodeId, Tag};

/// Elements that may hold metadata, in document order.
#[derive(Default)]
pub(super) struct MetadataElements {
    /// `meta`.
    pub(super) metas: Vec<NodeId>,
    /// `script` with a `type`.
    pub(super) scripts: Vec<NodeId>,
    /// Elements with `rel`, `itemprop`, `itemtype` or `pubdate`, and every `time`.
    pub(super) marked: Vec<NodeId>,
    /// The first `base` with an address.
    pub(super) base: Option<NodeId>,
    /// The first `title`.
    pub(super) title: Option<NodeId>,
}

impl MetadataElements {
    pub(super) fn of(dom: &Dom<'_>, meter: &mut Meter<'_>) -> MetadataElements {
        let mut out = MetadataElements::default();
        for id in dom.preorder(NodeId::DOCUMENT) {
            if !meter.step(1) {
                break;
            }
            let tag = dom.html_tag(id);
            // Most nodes of a page are texts, and elements without attributes.
            if !dom.has_attrs(id) && !matches!(tag, Some(Tag::TITLE | Tag::META | Tag::TIME)) {
                continue;
            }
            let attrs = dom.attrs_of(id);
            match tag {
                Some(Tag::TITLE) if out.title.is_none() => out.title = Some(id),
                Some(Tag::META) => out.metas.push(id),
                Some(Tag::SCRIPT) => out.scripts.push(id),
                Some(Tag::BASE) if out.base.is_none() && dom.attr(id, "href").is_some() => {
                    out.base = Some(id);
                }
                _ => {}
            }
            let tells = |attr: &Attr| {
                let names = [
                    AttrName::REL,
                    AttrName::ITEMPROP,
                    AttrName::ITEMTYPE,
                    AttrName::PUBDATE,
                ];
                names.into_iter().any(|name| attr.is(name))
            };
            if tag == Some(Tag::TIME) || attrs.iter().any(tells) {
                out.marked.push(id);
            }
        }
        out
    }
}
