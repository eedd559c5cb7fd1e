//! Sorts the elements with metadata by the kind of data that they may hold.

use dehusk_html::budget::Meter;
use dehusk_html::tree::{AttrName, Dom, METADATA_MARKS, NodeId, Tag};

/// Elements that may hold metadata, in document order.
#[derive(Default)]
pub(super) struct MetadataElements {
    /// `meta`.
    pub(super) metas: Vec<NodeId>,
    /// `script` with a `type`.
    pub(super) scripts: Vec<NodeId>,
    /// Elements with `rel`, `itemprop`, `itemtype`, `property`, `pubdate` or `typeof`, and every `time`.
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
    /// The attributes of [`METADATA_MARKS`] that it has, as bits.
    marks: u32,
}

impl Marked {
    /// Whether it has an attribute of [`METADATA_MARKS`].
    pub(super) fn has(self, attr: AttrName) -> bool {
        self.marks & attr.bit() != 0
    }
}

impl MetadataElements {
    pub(super) fn of(dom: &Dom<'_>, meter: &mut Meter<'_>) -> MetadataElements {
        // Capacities that suffice for most pages.
        let mut out = MetadataElements {
            metas: Vec::with_capacity(32),
            scripts: Vec::with_capacity(64),
            marked: Vec::with_capacity(64),
            ..MetadataElements::default()
        };
        for (id, names) in dom.metadata_elements() {
            if !meter.step(1) {
                break;
            }
            out.add(dom, id, names);
        }
        out
    }

    #[inline]
    fn add(&mut self, dom: &Dom<'_>, id: NodeId, names: u32) {
        let tag = dom.html_tag(id);
        match tag {
            Some(Tag::TITLE) if self.title.is_none() => self.title = Some(id),
            Some(Tag::META) => self.metas.push(id),
            Some(Tag::SCRIPT) => self.scripts.push(id),
            Some(Tag::BASE) if self.base.is_none() && dom.attr(id, "href").is_some() => {
                self.base = Some(id);
            }
            _ => {}
        }
        let marks = match tag {
            // `property` of a `meta` is a name of OpenGraph, which is read with the other names of `meta`.
            Some(Tag::META) => names & METADATA_MARKS & !AttrName::PROPERTY.bit(),
            _ => names & METADATA_MARKS,
        };
        if marks != 0 || tag == Some(Tag::TIME) {
            self.marked.push(Marked { element: id, marks });
        }
    }
}
