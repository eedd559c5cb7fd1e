//! Elements that may hold metadata. The parser notes them, so that nobody has to look for them among all nodes.

use super::attr_name::AttrName;
use super::dom::Dom;
use super::node::{Attr, NodeId, NodeKind};
use super::tag::Tag;

/// Attributes that mark an element as a part of the metadata, as bits.
const MARKS: u32 =
    AttrName::REL.bit() | AttrName::ITEMPROP.bit() | AttrName::ITEMTYPE.bit() | AttrName::PUBDATE.bit();

/// Whether an HTML element may hold metadata: by its tag, or by the names of its attributes that have a number, as bits.
#[inline]
pub(crate) fn may_hold_metadata(tag: Tag, names: u32) -> bool {
    let by_tag = matches!(tag, Tag::BASE | Tag::META | Tag::SCRIPT | Tag::TIME | Tag::TITLE);
    by_tag || names & MARKS != 0
}

impl Dom<'_> {
    /// Elements that may hold metadata, in document order, contents of templates left out: `base`, `meta`, `script`, `time`, `title`, and
    /// those with an attribute `rel`, `itemprop`, `itemtype` or `pubdate`. With each comes the set of the names of its attributes that have
    /// a constant, as [bits](AttrName::bit).
    pub fn metadata_elements(&self) -> impl Iterator<Item = (NodeId, u32)> {
        // Nodes that were moved, or made in another way than by adding them at the end, make the tree count as reordered.
        let (noted, walk) = if self.tree.reordered {
            (&[][..], Some(self.preorder(NodeId::DOCUMENT)))
        } else {
            (&*self.metadata, None)
        };
        let all = noted.iter().copied().chain(walk.into_iter().flatten());
        all.filter_map(|id| {
            let node = self.node(id);
            let add = |names, attr: &Attr| names | attr.known.bit();
            let names = self.attrs_of(id).iter().fold(0, add);
            (node.kind == NodeKind::Element && may_hold_metadata(node.tag, names)).then_some((id, names))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{NodeId, Parser};

    #[test]
    fn elements_are_found_as_a_walk_finds_them() {
        for page in [
            "<title>a</title><meta name=b><p>c<a rel=d>e<time>f",
            "<svg><title>a</title><script></script></svg><p ITEMPROP=b><a href=c>",
            "<table><p itemprop=a><tr><td>b<time></table><template><time></template>",
            "<p><b itemtype=a><i>b<p>c</b>d<body itemprop=e><html rel=f>",
        ] {
            let (mut dom, _) = Parser::default().parse(page);
            let noted: Vec<(NodeId, u32)> = dom.metadata_elements().collect();
            assert!(!noted.is_empty());
            dom.tree.reordered = true;
            assert_eq!(noted, dom.metadata_elements().collect::<Vec<_>>(), "{page}");
        }
    }
}
