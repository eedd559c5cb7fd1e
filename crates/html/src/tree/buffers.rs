//! Reuse of a tree's memory for the next page.

use super::dom::Dom;
use super::node::{Attr, Node, NodeId};

/// Memory of a tree that is no longer needed, for reuse by
/// [`Parser::parse_with_buffers`](crate::Parser::parse_with_buffers).
#[derive(Debug, Default)]
pub struct TreeBuffers {
    pub(super) nodes: Vec<Node>,
    pub(super) attrs: Vec<Attr>,
    pub(super) side: String,
    pub(super) names: Vec<Box<str>>,
    pub(super) metadata: Vec<NodeId>,
}

/// Largest memory of a tree, in bytes, that is kept for reuse, so that one long page does not occupy memory for good.
const MAX_KEPT: usize = 4 << 20;

impl Dom<'_> {
    /// Returns the tree's memory for the next page. A tree of more than 4 MiB is freed instead.
    pub fn into_buffers(self) -> TreeBuffers {
        let Dom {
            tree,
            mut attrs,
            mut side,
            mut names,
            mut metadata,
            ..
        } = self;
        let mut nodes = tree.nodes;
        // The other vectors are small compared with these.
        let bytes =
            nodes.capacity() * size_of::<Node>() + attrs.capacity() * size_of::<Attr>() + side.capacity();
        if bytes > MAX_KEPT {
            return TreeBuffers::default();
        }
        nodes.clear();
        attrs.clear();
        side.clear();
        names.clear();
        metadata.clear();
        TreeBuffers {
            nodes,
            attrs,
            side,
            names,
            metadata,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::limits::Limits;
    use crate::{NodeId, Parser};

    fn parse<'s>(buffers: TreeBuffers, source: &'s str) -> Dom<'s> {
        let budget = Budget::start(&Limits::default(), source.len());
        Parser::default().parse_with_buffers(buffers, source, &budget).0
    }

    #[test]
    fn the_second_tree_lies_in_the_memory_of_the_first_and_equals_a_new_one() {
        let first = "<x-a b=c>one</x-a>\0<p>two".repeat(200);
        let second = "<p class=d>three &amp; four<x-b>five".repeat(100);
        let dom = parse(TreeBuffers::default(), &first);
        let kept = (
            dom.tree.nodes.as_ptr(),
            dom.tree.nodes.capacity(),
            dom.attrs.as_ptr(),
            dom.attrs.capacity(),
        );
        let dom = parse(dom.into_buffers(), &second);
        let used = (
            dom.tree.nodes.as_ptr(),
            dom.tree.nodes.capacity(),
            dom.attrs.as_ptr(),
            dom.attrs.capacity(),
        );
        assert_eq!(used, kept);
        let (new, _) = Parser::default().parse(&second);
        assert_eq!(format!("{dom:?}"), format!("{new:?}"));
        assert_eq!(
            dom.text_content(NodeId::DOCUMENT),
            new.text_content(NodeId::DOCUMENT)
        );
    }

    #[test]
    fn the_memory_of_a_huge_tree_is_freed() {
        let source = "<br>".repeat(1 + MAX_KEPT / size_of::<Node>());
        assert_eq!(
            parse(TreeBuffers::default(), &source)
                .into_buffers()
                .nodes
                .capacity(),
            0
        );
    }
}
