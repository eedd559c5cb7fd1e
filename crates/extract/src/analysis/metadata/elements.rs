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
    let of = |attr: &Attr| match attr.known_name() {
        AttrName::REL => REL,
        AttrName::ITEMPROP => ITEMPROP,
        AttrName::ITEMTYPE => ITEMTYPE,
        AttrName::PUBDATE => PUBDATE,
        _ => 0,
    };
    attrs.iter().fold(0, |marks, attr| marks | of(attr))
}

impl MetadataElements {
    pub(super) fn of(dom: &Dom<'_>, meter: &mut Meter<'_>) -> MetadataElements {
        let mut out = MetadataElements::default();
        dom.each_element(|id| {
            let tag = dom.html_tag(id);
            // Most elements of a page have no attributes.
            if dom.has_attrs(id) || matches!(tag, Some(Tag::TITLE | Tag::META | Tag::TIME)) {
                out.add(dom, id, tag);
            }
            meter.step(1)
        });
        out
    }

    #[inline]
    fn add(&mut self, dom: &Dom<'_>, id: NodeId, tag: Option<Tag>) {
        match tag {
            Some(Tag::TITLE) if self.title.is_none() => self.title = Some(id),
            Some(Tag::META) => self.metas.push(id),
            Some(Tag::SCRIPT) => self.scripts.push(id),
            Some(Tag::BASE) if self.base.is_none() && dom.attr(id, "href").is_some() => {
                self.base = Some(id);
            }
            _ => {}
        }
        let marks = marks(dom.attrs_of(id));
        if marks != 0 || tag == Some(Tag::TIME) {
            self.marked.push(Marked { element: id, marks });
        }
    }
}
