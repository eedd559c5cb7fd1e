//! The page as it is shown, for programs that display it together with the verdict on each block.

use crate::analysis::blocks::elements::is_phrasing;
use crate::analysis::blocks::table::BlockTable;
use dehusk_html::narrow;
use dehusk_html::tree::{Dom, NodeId, Tag};

/// One event of a walk over what a page shows, in document order.
///
/// Every [`Open`](VisibleNode::Open) is followed by its [`Close`](VisibleNode::Close). Scripts, styles and
/// elements without text are left out.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "kind", rename_all = "kebab-case")
)]
pub enum VisibleNode {
    /// An element begins.
    Open {
        /// Local name, lower-cased.
        name: String,
    },
    /// The innermost open element ends.
    Close,
    /// Text, with white space as in the page.
    Text {
        /// Index of its block; `None` for white space between blocks.
        block: Option<usize>,
        /// The text; NUL is replaced by U+FFFD.
        text: String,
    },
    /// A line break.
    Break,
    /// An image.
    Image {
        /// Alternative text; empty if absent.
        alt: String,
    },
}

/// Lists the visible nodes of a page.
pub(crate) fn visible_nodes(dom: &Dom<'_>, table: &BlockTable) -> Vec<VisibleNode> {
    // For text nodes: the index of their block plus one. For elements: 1 if they hold text of a block.
    let mut marks = vec![0_u32; dom.len()];
    for (i, block) in table.blocks().iter().enumerate() {
        for &node in table.nodes(block) {
            marks[node.index()] = narrow::to_u32(i) + 1;
            for ancestor in dom.ancestors(node) {
                // The ancestors of a marked element are marked already.
                if std::mem::replace(&mut marks[ancestor.index()], 1) == 1 {
                    break;
                }
            }
        }
    }
    let mut parts = Vec::new();
    let mut open: Vec<NodeId> = Vec::new();
    let mut at = NodeId::DOCUMENT;
    loop {
        let mark = marks[at.index()];
        if dom.is_text(at) {
            let text = dom.text(at).replace('\0', "\u{FFFD}");
            let parent = dom.parent(at).map_or(0, |parent| marks[parent.index()]);
            // White space counts only between texts, not between elements without text.
            if mark > 0 || parent > 0 && text.trim().is_empty() {
                let block = mark.checked_sub(1).map(|i| i as usize);
                parts.push(VisibleNode::Text { block, text });
            }
        } else if dom.html_tag(at) == Some(Tag::BR) {
            parts.push(VisibleNode::Break);
        } else if dom.html_tag(at) == Some(Tag::IMG) {
            let alt = dom.attr(at, "alt").unwrap_or_default().replace('\0', "\u{FFFD}");
            parts.push(VisibleNode::Image { alt });
        } else if mark > 0 && dom.tag(at).is_some() {
            parts.push(VisibleNode::Open {
                name: dom.name(at).to_owned(),
            });
            open.push(at);
        } else if let Some(text) = blank_text(dom, at) {
            parts.push(VisibleNode::Text { block: None, text });
        }
        let inside = (mark > 0).then(|| dom.tree().first_child(at)).flatten();
        let next = inside.or_else(|| dom.tree().after_subtree(NodeId::DOCUMENT, at));
        let Some(next) = next else { break };
        let parent = dom.parent(next);
        // Close the elements that do not contain the next node.
        while open.last().is_some_and(|id| Some(*id) != parent) {
            parts.push(VisibleNode::Close);
            open.pop();
        }
        at = next;
    }
    parts.extend(open.iter().map(|_| VisibleNode::Close));
    parts
}

/// Text of a phrasing element that holds only white space, as code highlighters write indentation; `None`
/// for other elements.
fn blank_text(dom: &Dom<'_>, element: NodeId) -> Option<String> {
    if !dom.html_tag(element).is_some_and(is_phrasing) {
        return None;
    }
    let mut children = dom.children(element);
    let only = children.next().filter(|&child| dom.is_text(child))?;
    let text = dom.text(only);
    (children.next().is_none() && text.trim().is_empty()).then(|| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Page, extract};

    #[test]
    fn white_space_between_marked_words_stays() {
        let html = "<pre><b>fpm</b><i> </i><b>clean</b>\n<b>fpm</b></pre>";
        let got = extract(&Page::decoded(html), &Options::default().with_visible_nodes(true));
        let text = |part: &VisibleNode| match part {
            VisibleNode::Text { text, .. } => text.clone(),
            _ => String::new(),
        };
        let shown: String = got.visible_nodes.unwrap_or_default().iter().map(text).collect();
        assert_eq!(shown, "fpm clean\nfpm");
    }

    #[test]
    fn every_text_has_its_block_and_every_element_ends() {
        let html = "<title>t</title><div><p>One <b>two</b><br><img alt=x> three</p> <script>s</script><i></i></div>four";
        let options = Options::default().with_visible_nodes(true).with_blocks(true);
        let got = extract(&Page::decoded(html), &options);
        let (blocks, parts) = (
            got.blocks.unwrap_or_default(),
            got.visible_nodes.unwrap_or_default(),
        );
        let mut texts = vec![String::new(); blocks.len()];
        let mut depth = 0_i32;
        for part in &parts {
            match part {
                VisibleNode::Open { .. } => depth += 1,
                VisibleNode::Close => depth -= 1,
                VisibleNode::Text {
                    block: Some(block),
                    text,
                } => texts[*block].push_str(text),
                VisibleNode::Text { block: None, text } => assert_eq!(text.trim(), ""),
                VisibleNode::Break => {}
                VisibleNode::Image { alt } => assert_eq!(alt, "x"),
            }
            assert!(depth >= 0);
        }
        assert_eq!(depth, 0);
        let collapsed: Vec<String> = texts
            .iter()
            .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        let wanted: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
        assert_eq!(collapsed, wanted);
        assert!(
            !parts
                .iter()
                .any(|part| matches!(part, VisibleNode::Open { name } if name == "i" || name == "script"))
        );
        let votes: Vec<&str> = blocks[0].votes.iter().map(|(name, _)| *name).collect();
        assert!(
            !votes.contains(&"default") && !votes.contains(&"all-text"),
            "{votes:?}"
        );
    }
}
