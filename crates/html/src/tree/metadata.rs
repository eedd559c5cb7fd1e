//! Elements that may hold metadata. The parser records them, so that they need not be searched for among all nodes.

use super::attr_name::AttrName;
use super::dom::Dom;
use super::node::{Attr, NodeId, NodeKind};
use super::tag::Tag;

/// The [attributes](AttrName::bit) that mark an element as metadata, as a bit set.
pub const METADATA_MARKS: u32 = AttrName::REL.bit()
    | AttrName::ITEMPROP.bit()
    | AttrName::ITEMTYPE.bit()
    | AttrName::PROPERTY.bit()
    | AttrName::PUBDATE.bit()
    | AttrName::TYPEOF.bit();

/// Whether an HTML element may hold metadata, by its tag or by its numbered attribute names, given as a bit set.
#[inline]
pub(crate) fn may_hold_metadata(tag: Tag, names: u32) -> bool {
    let by_tag = matches!(tag, Tag::BASE | Tag::META | Tag::SCRIPT | Tag::TIME | Tag::TITLE);
    by_tag || names & METADATA_MARKS != 0
}

impl Dom<'_> {
    /// Elements that may hold metadata, in document order, without the contents of templates.
    ///
    /// These are `base`, `meta`, `script`, `time`, `title`, and elements with an attribute `rel`,
    /// `itemprop`, `itemtype`, `property`, `pubdate` or `typeof`. Each comes with the set of those of its
    /// attribute names that have a constant, as [bits](AttrName::bit).
    pub fn metadata_elements(&self) -> impl Iterator<Item = (NodeId, u32)> {
        let moved = self
            .tree
            .reordered
            .then(|| self.in_document_order(&self.metadata));
        let noted = if moved.is_some() { &[][..] } else { &*self.metadata };
        // One of the two is empty.
        let all = noted.iter().copied().chain(moved.into_iter().flatten());
        all.filter_map(|id| {
            // The list may hold detached and changed elements, so each is checked.
            let node = self.node(id);
            let add = |names, attr: &Attr| names | attr.known.bit();
            let names = self.attrs_of(id).iter().fold(0, add);
            (node.kind == NodeKind::Element && may_hold_metadata(node.tag, names)).then_some((id, names))
        })
    }

    /// Sorts those of `nodes` that are in the document, outside of templates, into document order. Only
    /// subtrees with such a node are entered.
    fn in_document_order(&self, nodes: &[NodeId]) -> Vec<NodeId> {
        const WANTED: u8 = 1;
        const HOLDS_WANTED: u8 = 2;
        let mut marks = vec![0; self.len()];
        for &id in nodes {
            marks[id.index()] |= WANTED;
            // Marks the way up, so that the walk below enters only subtrees with a wanted node.
            let above = self.ancestors(id).map(NodeId::index);
            for above in above {
                // The ancestors of a marked node are marked already.
                if marks[above] & HOLDS_WANTED != 0 {
                    break;
                }
                marks[above] |= HOLDS_WANTED;
            }
        }
        let mut found = Vec::with_capacity(nodes.len());
        let mut next = Some(NodeId::DOCUMENT);
        while let Some(at) = next {
            let (mark, node) = (marks[at.index()], self.node(at));
            if mark & WANTED != 0 {
                found.push(at);
            }
            let enters = mark & HOLDS_WANTED != 0 && node.kind != NodeKind::Fragment;
            let inside = if enters { node.first_child() } else { None };
            next = inside.or_else(|| self.tree.after_subtree(NodeId::DOCUMENT, at));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::may_hold_metadata;
    use crate::{NodeId, Parser};

    #[test]
    fn elements_are_found_as_a_walk_finds_them() {
        for page in [
            "<title>a</title><meta name=b><p>c<a rel=d>e<time>f",
            "<svg><title>a</title><script></script></svg><p ITEMPROP=b><a href=c>",
            "<table><p itemprop=a><tr><td>b<time></table><template><time></template>",
            "<table><a rel=a><b itemprop=b><tr><i itemtype=c><time><meta></table><time>d",
            "<p><b itemtype=a><i>b<p>c</b>d<body itemprop=e><html rel=f>",
            "<a rel=a><p><a rel=b><div itemprop=c><template><meta></template><time></div></a><script></script>",
        ] {
            let (dom, _) = Parser::default().parse(page);
            let found: Vec<NodeId> = dom.metadata_elements().map(|(id, _)| id).collect();
            let walk = dom.preorder(NodeId::DOCUMENT).filter(|&id| {
                let names = dom
                    .attrs_of(id)
                    .iter()
                    .fold(0, |names, attr| names | attr.known.bit());
                dom.tag(id).is_some_and(|tag| may_hold_metadata(tag, names))
            });
            assert_eq!(found, walk.collect::<Vec<_>>(), "{page}");
            assert!(
                !found.is_empty() && dom.in_document_order(&found) == found,
                "{page}"
            );
        }
    }
}
