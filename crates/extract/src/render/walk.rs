//! The walk over the kept part of a page.

use crate::analysis::blocks::elements::{is_in_sentence, is_phrasing};
use crate::analysis::blocks::words::skip_white;
use crate::label::extractor::PageView;
use crate::label::labels::Labels;
use crate::label::scratch::WritingBuffers;
use crate::render::kept_nodes::KeptNodes;
use crate::render::media::{self, Media};
use crate::render::writer::Writer;
use dehusk_html::tree::{Dom, Node, NodeId, NodeKind, Tag};

/// Open elements that a node costs a step for.
const DEPTH_STEP: usize = 64;

/// Walks over the kept part of a page and calls `writer`, for images only if `images` is set.
pub(super) fn walk(view: &PageView<'_>, labels: &Labels, images: bool, writer: &mut dyn Writer) {
    let dom = view.dom;
    let WritingBuffers {
        marks,
        mut open,
        mut decoded,
    } = view.scratch.writing.take();
    let mut kept = KeptNodes::none_of(dom, marks);
    for (_, block) in labels.kept(view.table) {
        for (number, node) in view.table.numbered_nodes(block) {
            if !labels.cuts(node) {
                kept.add_text(dom, node, number);
            }
        }
    }
    let mut media = media::kept_media(view, labels, &kept, images);
    media.retain(|node| !labels.cuts(*node));
    for &node in &media {
        kept.add_media(dom, node);
    }
    let mut media = media.into_iter();
    let mut next_media = media.next();
    let has_classes = labels.classes.is_some();
    let mut classed = labels.classed_nodes(view.table).peekable();
    // White space between two kept texts of a line is written, too.
    let mut at = NodeId::DOCUMENT;
    let mut meter = view.budget.meter("writing");
    loop {
        if !meter.step(1 + open.len() / DEPTH_STEP) {
            break;
        }
        let mut node = dom.node(at);
        let next = if kept.holds(at) {
            let is_media = next_media == Some(at);
            if is_media {
                next_media = media.next();
                match media::read(dom, at) {
                    Some(Media::Image(image)) => writer.image(&image),
                    Some(Media::Formula(formula)) => writer.formula(&formula),
                    None => {}
                }
            } else if let Some((_, tag)) = node.element() {
                // What is part of a sentence is written as a span of it.
                let tag = if is_in_sentence(dom, at, tag) {
                    Tag::SPAN
                } else {
                    tag
                };
                writer.open(dom, at, tag);
                open.push((at, tag));
            } else if dom.is_text(at) {
                if has_classes && let Some((_, class)) = classed.next_if(|(node, _)| *node == at) {
                    writer.class(class);
                }
                match kept.number(at) {
                    Some(number) => writer.words(dom, at, view.table.words(number), &mut decoded),
                    None => writer.text(dom.text_in(at, &mut decoded)),
                }
            }
            let inside = if is_media { None } else { node.first_child() };
            inside.or_else(|| dom.tree().after_subtree(NodeId::DOCUMENT, at))
        } else {
            match separator(dom, at, node, labels, &kept, &mut decoded) {
                Separator::None if node.first_child().is_none() && node.kind() == NodeKind::Element => {
                    let is_passed = |id: NodeId| !kept.holds(id) && !labels.cuts(id);
                    let (last, passed) = dom.tree().pass_row(at, is_passed);
                    node = dom.node(last);
                    at = last;
                    meter.step(passed);
                }
                Separator::None => {}
                Separator::Line => writer.line_break(),
                Separator::Space => writer.text(" "),
                Separator::Text if node.kind() == NodeKind::Blank => writer.blank(dom, at),
                Separator::Text => writer.text(dom.text_in(at, &mut decoded)),
            }
            // Past what is not entered the walk goes on in the same parent, and closes nothing.
            if let Some(next) = node.next_sibling() {
                at = next;
                continue;
            }
            dom.tree().after_subtree(NodeId::DOCUMENT, at)
        };
        let Some(next) = next else { break };
        let parent = dom.parent(next);
        while let Some(&(id, tag)) = open.last().filter(|(id, _)| Some(*id) != parent) {
            writer.close(dom, id, tag);
            open.pop();
        }
        at = next;
    }
    while let Some((id, tag)) = open.pop() {
        writer.close(dom, id, tag);
    }
    // Text that is in no block has no element: each of its lines is written as a paragraph.
    for line in labels.body.iter().flat_map(|body| body.lines()) {
        writer.open(dom, NodeId::DOCUMENT, Tag::P);
        writer.text(line);
        writer.close(dom, NodeId::DOCUMENT, Tag::P);
    }
    let buffers = WritingBuffers {
        marks: kept.into_memory(),
        open,
        decoded,
    };
    view.scratch.writing.replace(buffers.if_short());
}

/// What a node without kept text leaves between the texts before and after it.
enum Separator {
    None,
    Line,
    Space,
    /// Its own text.
    Text,
}

#[inline]
fn separator(
    dom: &Dom<'_>,
    at: NodeId,
    node: &Node,
    labels: &Labels,
    kept: &KeptNodes,
    decoded: &mut String,
) -> Separator {
    match node.kind() {
        NodeKind::Element if node.html_tag() == Some(Tag::BR) => return Separator::Line,
        NodeKind::Element if is_blank_element(dom, at, node, decoded) => return Separator::Space,
        kind if kind.is_text() && is_gap(dom, at, kind, kept, decoded) => return Separator::Text,
        _ => {}
    }
    // The texts before and after what is cut remain two words.
    if labels.cuts(at) {
        Separator::Space
    } else {
        Separator::None
    }
}

/// Whether a phrasing element without kept text holds white space alone, and so separates words, such as a no-break space in a `span`.
#[inline]
fn is_blank_element(dom: &Dom<'_>, id: NodeId, node: &Node, decoded: &mut String) -> bool {
    node.first_child().is_some()
        && node.html_tag().is_some_and(is_phrasing)
        && holds_white_space(dom, id, decoded)
}

/// Whether all text of an element is white space, and there is some.
fn holds_white_space(dom: &Dom<'_>, id: NodeId, decoded: &mut String) -> bool {
    let mut some = false;
    for node in dom.preorder(id).filter(|&node| dom.is_text(node)) {
        let text = dom.text_in(node, decoded);
        if !text.chars().all(char::is_whitespace) {
            return false;
        }
        some |= !text.is_empty();
    }
    some
}

/// Whether a blank text separates two words of a line. The block table does not hold such texts.
fn is_gap(dom: &Dom<'_>, id: NodeId, kind: NodeKind, kept: &KeptNodes, decoded: &mut String) -> bool {
    let is_white = |text: &str| skip_white(text, 0) == text.len();
    dom.parent(id).is_some_and(|p| kept.holds(p))
        && (kind == NodeKind::Blank || is_white(dom.text_in(id, decoded)))
}
