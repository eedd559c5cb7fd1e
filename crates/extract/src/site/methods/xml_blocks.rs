//! Blocks of pages as XML without attributes, for `infholder`.

use super::tree::is_left_out;
use dehusk_html::tree::{Dom, NodeId, NodeKind, Tag};

/// A block of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The block as XML: closed tags, no attributes.
    pub xml: String,
    /// Its text, with one line per leaf.
    pub text: String,
}

impl Block {
    /// Returns the CRC-32 of the XML in UTF-8.
    pub fn crc32(&self) -> u32 {
        crc32fast::hash(self.xml.as_bytes())
    }
}

/// Returns whether an element continues the run of text around it.
fn is_inline(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::A
            | Tag::ABBR
            | Tag::B
            | Tag::BDI
            | Tag::BDO
            | Tag::BIG
            | Tag::BR
            | Tag::CITE
            | Tag::CODE
            | Tag::DATA
            | Tag::DFN
            | Tag::EM
            | Tag::FONT
            | Tag::I
            | Tag::IMG
            | Tag::KBD
            | Tag::MARK
            | Tag::Q
            | Tag::S
            | Tag::SAMP
            | Tag::SMALL
            | Tag::SPAN
            | Tag::STRIKE
            | Tag::STRONG
            | Tag::SUB
            | Tag::SUP
            | Tag::TIME
            | Tag::TT
            | Tag::U
            | Tag::VAR
            | Tag::WBR
    )
}

/// A leaf: its block, and the parent of its element.
struct Leaf {
    block: Block,
    parent: Option<NodeId>,
}

/// Returns the blocks of a page. Consecutive leaves shorter than `min_block` characters with one parent are
/// joined until they reach this length. A longer leaf or another parent ends the run.
pub(crate) fn blocks(dom: &Dom<'_>, min_block: usize) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    // Number of characters of the run at the end of `out`, and the parent of its leaves; `None` if the run is closed.
    let mut run: Option<(usize, Option<NodeId>)> = None;
    for leaf in leaves(dom) {
        let chars = leaf.block.text.chars().count();
        match (run, out.last_mut()) {
            (Some((sum, parent)), Some(last)) if chars < min_block && parent == leaf.parent => {
                last.xml.push_str(&leaf.block.xml);
                last.text.push('\n');
                last.text.push_str(&leaf.block.text);
                run = Some((sum + chars, parent)).filter(|(sum, _)| *sum < min_block);
            }
            _ => {
                run = Some((chars, leaf.parent)).filter(|_| chars < min_block);
                out.push(leaf.block);
            }
        }
    }
    out
}

/// Returns the leaves of a page: runs of text and inline elements within one block-level parent.
fn leaves(dom: &Dom<'_>) -> Vec<Leaf> {
    // Inline elements that contain a block-level element count as blocks.
    let mut holds = vec![false; dom.len()];
    for id in dom
        .preorder(NodeId::DOCUMENT)
        .filter(|&id| matches!(dom.kind(id), NodeKind::Element))
    {
        if dom.tag(id).is_none_or(|tag| !is_inline(tag)) {
            for above in dom.ancestors(id) {
                // All ancestors further up are marked already.
                if std::mem::replace(&mut holds[above.index()], true) {
                    break;
                }
            }
        }
    }
    let is_block = |id: NodeId| holds[id.index()] || dom.tag(id).is_none_or(|tag| !is_inline(tag));
    let mut out = Vec::new();
    let mut run = Run::default();
    let mut blocks: Vec<NodeId> = Vec::new();
    // Each element is taken twice: before its content, and (`leaving`) after it.
    let mut stack = vec![(NodeId::DOCUMENT, false)];
    while let Some((id, leaving)) = stack.pop() {
        if dom.is_text(id) {
            run.text(&dom.text(id));
            continue;
        }
        let element = matches!(dom.kind(id), NodeKind::Element);
        if element && !leaving && dom.tag(id).is_some_and(is_left_out) {
            continue;
        }
        if element && is_block(id) {
            // The run before a block ends where the block begins, and the last run in it where it ends.
            out.extend(run.end(dom, &blocks));
            if leaving {
                blocks.pop();
            } else {
                blocks.push(id);
            }
        } else if element {
            run.tag(dom, id, leaving);
        }
        if !leaving {
            stack.push((id, true));
            let children: Vec<NodeId> = dom.children(id).collect();
            stack.extend(children.into_iter().rev().map(|c| (c, false)));
        }
    }
    out.extend(run.end(dom, &blocks));
    out
}

/// A run of text and inline elements.
#[derive(Default)]
struct Run {
    xml: String,
    text: String,
}

impl Run {
    /// Appends text, with white space collapsed, and escaped in the XML.
    fn text(&mut self, text: &str) {
        for c in text.chars() {
            if c.is_whitespace() {
                for to in [&mut self.xml, &mut self.text] {
                    if !to.is_empty() && !to.ends_with(' ') {
                        to.push(' ');
                    }
                }
                continue;
            }
            self.text.push(c);
            match c {
                '&' => self.xml.push_str("&amp;"),
                '<' => self.xml.push_str("&lt;"),
                '>' => self.xml.push_str("&gt;"),
                c => self.xml.push(c),
            }
        }
    }

    /// Appends a start or end tag to the XML. Void elements have no end tag; `br` separates words of the
    /// text.
    fn tag(&mut self, dom: &Dom<'_>, id: NodeId, leaving: bool) {
        let void = matches!(dom.tag(id), Some(Tag::BR | Tag::IMG | Tag::WBR));
        if !leaving || !void {
            let slash = if leaving { "/" } else { "" };
            self.xml.push_str(&format!("<{slash}{}>", dom.name(id)));
        }
        if void
            && !leaving
            && dom.tag(id) == Some(Tag::BR)
            && !self.text.is_empty()
            && !self.text.ends_with(' ')
        {
            self.text.push(' ');
        }
    }

    /// Returns the leaf that ends here; `None` if it has no text.
    fn end(&mut self, dom: &Dom<'_>, blocks: &[NodeId]) -> Option<Leaf> {
        let run = std::mem::take(self);
        let text = run.text.trim_end();
        let &element = blocks.last().filter(|_| !text.is_empty())?;
        let name = dom.name(element);
        Some(Leaf {
            block: Block {
                xml: format!("<{name}>{}</{name}>", run.xml.trim_end()),
                text: text.to_owned(),
            },
            parent: blocks.len().checked_sub(2).map(|i| blocks[i]),
        })
    }
}
