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
    pub(super) marked: Vec<Marked>,
    /// The first `base` with an address.
    pub(super) base: Option<NodeId>,
    /// The first `title`.
    pub(super) title: Option<NodeId>,
}

/// An element that may be marked as a part of the metadata.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marked {
    pub(super) element: NodeId,
    /// Which of the attributes that mark elements it has.
    marks: u8,
}

const REL: u8 = 1;
const ITEMPROP: u8 = 2;
const ITEMTYPE: u8 = 4;
const PUBDATE: u8 = 8;

impl Marked {
    pub(super) fn has_rel(self) -> bool {
        self.marks & REL != 0
    }

    pub(super) fn has_itemprop(self) -> bool {
        self.marks & ITEMPROP != 0
    }

    pub(super) fn has_itemtype(self) -> bool {
        self.marks & ITEMTYPE != 0
    }

    pub(super) fn has_pubdate(self) -> bool {
        self.marks & PUBDATE != 0
    }
}

/// Which of the attributes that mark elements are among these.
#[inline]
fn marks(attrs: &[Attr]) -> u8 {
    const NAMES: [(AttrName, u8); 4] = [
        (AttrName::REL, REL),
        (AttrName::ITEMPROP, ITEMPROP),
        (AttrName::ITEMTYPE, ITEMTYPE),
        (AttrName::PUBDATE, PUBDATE),
    ];
    let of = |attr: &Attr| NAMES.iter().find(|(name, _)| attr.is(*name));
    attrs
        .iter()
        .filter_map(of)
        .fold(0, |marks, (_, mark)| marks | mark)
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
            let marks = marks(attrs);
            if marks != 0 || tag == Some(Tag::TIME) {
                out.marked.push(Marked { element: id, marks });
            }
        }
        out
    }
}
