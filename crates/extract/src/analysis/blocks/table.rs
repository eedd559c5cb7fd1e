//! The blocks of a page with their texts, nodes and contexts.

use std::ops::Range;

use crate::analysis::blocks::block::{Block, Context};
use crate::analysis::blocks::counts::Counts;
use crate::analysis::blocks::names::Names;
use dehusk_html::tree::{Dom, NodeId};

/// Every block of a page, in document order.
#[derive(Debug, Default)]
pub struct BlockTable {
    pub(super) text: String,
    pub(super) blocks: Vec<Block>,
    pub(super) counts: Vec<Counts>,
    pub(super) nodes: Vec<NodeId>,
    /// For each entry of `nodes`, its part of `text`.
    pub(super) node_texts: Vec<NodeText>,
    pub(super) contexts: Vec<Context>,
    pub(super) names: Names,
    pub(super) chars: usize,
    pub(super) media: Vec<Media>,
}

/// Part of the table's text that comes from one text node.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeText {
    /// End offset; the part starts at the end of the preceding node's part.
    pub(super) end: u32,
    pub(super) space_before: bool,
    pub(super) space_after: bool,
}

/// Words of a text node, with white space collapsed and trimmed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Words<'t> {
    pub(crate) text: &'t str,
    /// Whether the node has white space before the words.
    pub(crate) space_before: bool,
    /// Whether the node has white space after the words.
    pub(crate) space_after: bool,
}

/// An image, or an element that plays a video or sound or holds a formula.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Media {
    /// The image or the element.
    pub(crate) node: NodeId,
    /// Index of the first block that has not ended before the element.
    pub(crate) before: u32,
    /// Whether the element is not shown.
    pub(crate) hidden: bool,
}

/// Largest text capacity, in bytes, that is kept for the next page, so that one long page does not occupy
/// memory for good.
const MAX_KEPT: usize = 1 << 20;

impl BlockTable {
    /// Removes all contents but keeps the memory for the next page, unless it exceeds [`MAX_KEPT`].
    pub(super) fn clear(&mut self) {
        if self.text.capacity() > MAX_KEPT {
            *self = BlockTable::default();
        }
        self.text.clear();
        self.blocks.clear();
        self.counts.clear();
        self.nodes.clear();
        self.node_texts.clear();
        self.contexts.clear();
        self.names.clear();
        self.chars = 0;
        self.media.clear();
    }

    /// Blocks in document order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Text of a block, with white space collapsed and trimmed.
    pub fn text(&self, block: &Block) -> &str {
        &self.text[block.text.start as usize..block.text.end as usize]
    }

    /// Text nodes of a block in document order; nodes that hold only white space may be missing.
    pub fn nodes(&self, block: &Block) -> &[NodeId] {
        &self.nodes[block.nodes.start as usize..block.nodes.end as usize]
    }

    /// Text nodes of a block, like [`nodes`](BlockTable::nodes), each with its index in the table.
    pub(crate) fn numbered_nodes(&self, block: &Block) -> impl Iterator<Item = (u32, NodeId)> {
        block.nodes.clone().zip(self.nodes(block).iter().copied())
    }

    /// Words of the text node with index `number`.
    pub(crate) fn words(&self, number: u32) -> Words<'_> {
        let number = number as usize;
        let start = number
            .checked_sub(1)
            .map_or(0, |before| self.node_texts[before].end);
        let NodeText {
            end,
            space_before,
            space_after,
        } = self.node_texts[number];
        let text = &self.text[start as usize..end as usize];
        Words {
            // A space between the words of two nodes is stored at the start of the second node's part.
            text: text.strip_prefix(' ').unwrap_or(text),
            space_before,
            space_after,
        }
    }

    /// Number of characters of all blocks.
    pub fn chars(&self) -> usize {
        self.chars
    }

    /// Images, players and formulas in document order; none contains another.
    pub(crate) fn media(&self) -> &[Media] {
        &self.media
    }

    /// Counts of the text of each block.
    pub(crate) fn counts(&self) -> &[Counts] {
        &self.counts
    }

    /// Elements that hold blocks. A parent comes before its children.
    pub fn contexts(&self) -> &[Context] {
        &self.contexts
    }

    /// Class and id of a context's element, lower-cased, joined by a space; empty if it has neither.
    pub fn names(&self, context: &Context) -> &str {
        self.names.get(context.names())
    }

    /// Distinct names of contexts, in the order of their numbers.
    pub(crate) fn all_names(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.names.len()).map(|number| self.names.get(number))
    }

    /// Path of tags from the root, with ids and classes: `html/body/div#main.post/p`.
    pub fn path(&self, dom: &Dom<'_>, block: &Block) -> String {
        // From the block up to the root; written in reverse.
        let mut chain = Vec::new();
        let mut at = self.contexts.get(block.context as usize);
        while let Some(context) = at {
            chain.push(context.element);
            at = context.parent.and_then(|p| self.contexts.get(p as usize));
        }
        let mut out = String::new();
        for &element in chain.iter().rev() {
            if !out.is_empty() {
                out.push('/');
            }
            out.push_str(dom.name(element));
            if let Some(id) = dom.attr(element, "id").filter(|id| !id.trim().is_empty()) {
                out.push('#');
                out.push_str(id.trim());
            }
            for class in dom
                .attr(element, "class")
                .unwrap_or_default()
                .split_ascii_whitespace()
            {
                out.push('.');
                out.push_str(class);
            }
        }
        out
    }

    /// Byte range of a block in the decoded source, from its first text to its last; `None` if none of its
    /// text is in the source.
    pub fn source_range(&self, dom: &Dom<'_>, block: &Block) -> Option<Range<usize>> {
        let nodes = self.nodes(block);
        let first = nodes.iter().find_map(|&n| dom.source_range(n))?;
        let last = nodes.iter().rev().find_map(|&n| dom.source_range(n))?;
        // Moved parts of a page may be out of the order of the source.
        Some(first.start.min(last.start)..first.end.max(last.end))
    }
}
