//! The walk over the kept part of a page.

use crate::analysis::blocks::elements::is_phrasing;
use crate::analysis::blocks::words::{collapsed, skip_white};
use crate::build::builder::Builder;
use crate::build::kept_nodes::KeptNodes;
use crate::build::media::{self, KeptMedia, Media};
use crate::build::notes::{self, FoundNote, Notes};
use crate::build::{code, formula};
use crate::label::extractor::PageView;
use crate::label::labels::Labels;
use crate::label::scratch::WritingBuffers;
use dehusk_html::budget::Meter;
use dehusk_html::tree::{Dom, Namespace, Node, NodeId, NodeKind, Tag};

/// A node costs one budget step, and one more for every 64 open elements.
const DEPTH_STEP: usize = 64;

/// Walks over the kept part of a page and reports it to `builder`, images only with `images`.
pub(super) fn walk(view: &PageView<'_>, labels: &Labels, images: bool, builder: &mut Builder<'_>) {
    let dom = view.dom;
    let WritingBuffers { marks, open, decoded } = view.scratch.writing.take();
    let mut kept = KeptNodes::none_of(dom, marks);
    for (_, block) in labels.kept(view.table) {
        for (number, node) in view.table.numbered_nodes(block) {
            if !labels.cuts(node) {
                kept.add_text(dom, node, number);
            }
        }
    }
    // After the texts, since media are selected by the kept nodes around them.
    let mut media = media::kept_media(view, labels, &kept, images);
    for found in &media {
        kept.add_media(dom, found.root);
        // MathJax draws the formula before its script; only the script's source is written.
        if dom.html_tag(found.node) == Some(Tag::SCRIPT) {
            formula::drawings(dom, found.node)
                .into_iter()
                .for_each(|copy| kept.remove(copy));
        }
    }
    // `whole` finds media by binary search.
    media.sort_by_key(|found| found.root);
    let notes = notes::find(view, labels);
    // Notes are written after the text, wherever they are on the page.
    notes.found.iter().for_each(|note| kept.remove(note.root));
    let mut walk = Walk {
        view,
        labels,
        builder,
        kept,
        media,
        notes,
        open,
        decoded,
        meter: view.budget.meter("writing"),
    };
    walk.part(NodeId::DOCUMENT);
    // Text outside of all blocks has no element; each of its lines is written as a paragraph.
    for line in labels.body.iter().flat_map(|body| body.lines()) {
        walk.builder.paragraph(line);
    }
    for FoundNote { number, root } in std::mem::take(&mut walk.notes.found) {
        // A note is written as a whole, even if its blocks were dropped.
        for node in dom.preorder(root).filter(|node| dom.is_text(*node)) {
            if !labels.cuts(node) {
                walk.kept.add(dom, node);
            }
        }
        walk.kept.restore(root);
        // A note inside a sentence is its own call, which must not be written inside the note.
        walk.notes.calls.remove(&root);
        walk.builder.begin_note(root, number);
        walk.part(root);
        walk.builder.end_note(dom, root);
    }
    let buffers = WritingBuffers {
        marks: walk.kept.into_memory(),
        open: walk.open,
        decoded: walk.decoded,
    };
    view.scratch.writing.replace(buffers.if_short());
}

struct Walk<'a, 'v, 'u> {
    view: &'a PageView<'v>,
    labels: &'a Labels,
    builder: &'a mut Builder<'u>,
    kept: KeptNodes,
    /// Kept images, players and formulas, sorted by the element that they replace.
    media: Vec<KeptMedia>,
    notes: Notes,
    /// Open elements, innermost last.
    open: Vec<(NodeId, Tag)>,
    /// Buffer for text whose character references are resolved.
    decoded: String,
    meter: Meter<'a>,
}

impl Walk<'_, '_, '_> {
    /// Walks over the kept part of `root`, which must contain kept nodes.
    fn part(&mut self, root: NodeId) {
        let dom = self.view.dom;
        let has_classes = self.labels.classes.is_some() && root == NodeId::DOCUMENT;
        let mut classed = self.labels.classed_nodes(self.view.table).peekable();
        // White space between two kept texts of a line is also reported.
        let mut at = root;
        loop {
            if !self.meter.step(1 + self.open.len() / DEPTH_STEP) {
                break;
            }
            let mut node = dom.node(at);
            let next = if self.kept.holds(at) {
                let mut is_whole = true;
                if let Some((namespace, tag)) = node.element() {
                    is_whole = self.whole(at, namespace, tag);
                    if !is_whole {
                        let tag = node.acting_tag().unwrap_or(tag);
                        self.builder.open(dom, at, tag);
                        self.open.push((at, tag));
                    }
                } else if dom.is_text(at) {
                    if has_classes {
                        // Skip classed texts inside formulas and notes, which the walk did not visit.
                        while let Some((node, class)) = classed.next_if(|(node, _)| *node <= at) {
                            if node == at {
                                self.builder.class(class);
                            }
                        }
                    }
                    match self.kept.number(at) {
                        Some(number) => self.builder.words(self.view.table.words(number)),
                        None => self.builder.text(dom.text_in(at, &mut self.decoded)),
                    }
                } else {
                    is_whole = false;
                }
                let inside = if is_whole { None } else { node.first_child() };
                inside.or_else(|| dom.tree().after_subtree(root, at))
            } else if let Some(&number) = self.notes.calls.get(&at).filter(|_| at != root) {
                // A note inside the sentence. Its text follows later; here is its reference.
                self.builder.note(number);
                dom.tree().after_subtree(root, at)
            } else {
                match separator(dom, at, node, self.labels, &self.kept, &mut self.decoded) {
                    Separator::None if node.first_child().is_none() && node.kind() == NodeKind::Element => {
                        // A row of empty elements of one tag separates nothing, and is skipped in one step.
                        let is_passed = |id: NodeId| !self.kept.holds(id) && !self.labels.cuts(id);
                        let (last, passed) = dom.tree().pass_row(at, is_passed);
                        node = dom.node(last);
                        at = last;
                        self.meter.step(passed);
                    }
                    Separator::None => {}
                    Separator::Line => self.builder.line_break(),
                    Separator::Media => self.builder.unseen(),
                    Separator::Space => self.builder.space(),
                }
                // After a node that is not entered, the walk continues under the same parent, so nothing
                // needs to be closed.
                if let Some(next) = node.next_sibling().filter(|_| at != root) {
                    at = next;
                    continue;
                }
                dom.tree().after_subtree(root, at)
            };
            let Some(next) = next else { break };
            let parent = dom.parent(next);
            self.close_to(|id| Some(id) == parent);
            at = next;
        }
        self.close_to(|_| false);
    }

    /// Closes open elements up to the innermost one for which `stays` holds.
    fn close_to(&mut self, stays: impl Fn(NodeId) -> bool) {
        while let Some((id, tag)) = self.open.pop_if(|(id, _)| !stays(*id)) {
            self.builder.close(self.view.dom, id, tag);
            // The reference follows the words that call the note.
            if !self.notes.worded.is_empty()
                && self.notes.worded.contains(&id)
                && let Some(number) = self.notes.calls.get(&id)
            {
                self.builder.note(*number);
            }
        }
    }

    /// Handles elements that are written as a whole or left out: images, players, formulas, code, ruby
    /// text, note references, back links. Returns whether `at` was such an element.
    fn whole(&mut self, at: NodeId, namespace: Namespace, tag: Tag) -> bool {
        let dom = self.view.dom;
        if self.kept.is_media(at) {
            let found = self.media.binary_search_by_key(&at, |found| found.root);
            match found.ok().and_then(|i| media::read(dom, self.media[i].node)) {
                Some(Media::Sign(sign)) => self.builder.text(&sign),
                Some(Media::Image(image)) => self.builder.image(image),
                Some(Media::Player(player)) => self.builder.player(player),
                Some(Media::Formula(formula)) => self.builder.formula(formula),
                None => {}
            }
            return true;
        }
        if !self.notes.back.is_empty() && self.notes.back.contains(&at) {
            // The texts around a back link must not merge into one word.
            self.builder.space();
            return true;
        }
        if !self.notes.copies.is_empty() && self.notes.copies.contains(&at) {
            return true;
        }
        // The names of the tags below mean something else in SVG and MathML.
        if namespace != Namespace::Html {
            return false;
        }
        if !self.notes.calls.is_empty()
            && let Some(number) = self.notes.calls.get(&at)
            && !self.notes.worded.contains(&at)
        {
            self.builder.note(*number);
            return true;
        }
        // These elements may state the source of the formula that they draw.
        if matches!(tag, Tag::SPAN | Tag::DIV) || tag.index() >= Tag::ALL.len() {
            return match formula::stated(dom, at) {
                Some(formula) => {
                    self.builder.formula(formula);
                    true
                }
                None => false,
            };
        }
        if matches!(tag, Tag::CODE | Tag::PRE)
            && let Some(formula) = formula::marked(dom, at)
        {
            self.builder.formula(formula);
            return true;
        }
        match tag {
            Tag::TABLE if code::is_code_table(dom, at) => {
                let is_kept = |node: NodeId| self.kept.holds(node) && !self.labels.cuts(node);
                let code = code::code_text(dom, at, is_kept);
                self.builder.code(code::code_language(dom, at), code);
                true
            }
            Tag::PRE | Tag::LISTING | Tag::XMP | Tag::PLAINTEXT => {
                // Line numbers beside the code, in a `pre` of their own.
                if code::is_gutter(dom, at) {
                    return true;
                }
                if !code::is_code(dom, at) {
                    return false;
                }
                let is_kept = |node: NodeId| self.kept.holds(node) && !self.labels.cuts(node);
                let code = code::code_text(dom, at, is_kept);
                self.builder.code(code::code_language(dom, at), code);
                true
            }
            Tag::RUBY => match ruby(dom, at) {
                Some(parts) => {
                    self.builder.ruby(parts);
                    true
                }
                None => false,
            },
            _ => false,
        }
    }
}

/// Base texts of a `ruby` element with their readings; `None` if it has no readings.
fn ruby(dom: &Dom<'_>, ruby: NodeId) -> Option<Vec<(String, String)>> {
    let mut parts: Vec<(String, String)> = vec![Default::default()];
    let mut walk = dom.preorder(ruby);
    walk.next();
    while let Some(node) = walk.next() {
        match dom.html_tag(node) {
            Some(Tag::RP) => walk.skip_subtree(node),
            Some(Tag::RT) => {
                let reading = collapsed(&dom.text_below(node)).replace('\0', "\u{FFFD}");
                walk.skip_subtree(node);
                if let Some((_, last)) = parts.last_mut() {
                    last.push_str(&reading);
                }
            }
            _ if dom.is_text(node) => {
                let base = collapsed(&dom.text(node)).replace('\0', "\u{FFFD}");
                if base.is_empty() {
                    continue;
                }
                // Base texts join until a reading follows; the next base text begins a new part.
                match parts.last_mut() {
                    Some((last, reading)) if reading.is_empty() => last.push_str(&base),
                    _ => parts.push((base, String::new())),
                }
            }
            _ => {}
        }
    }
    let has_readings = parts.iter().any(|(_, reading)| !reading.is_empty());
    // A reading before the first base text has nothing to stand above.
    (has_readings && !parts[0].0.is_empty()).then_some(parts)
}

/// Separator of the texts before and after a node without kept text.
enum Separator {
    None,
    Line,
    Space,
    /// An image or a player that is not written.
    Media,
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
        NodeKind::Element
            if matches!(
                node.html_tag(),
                Some(Tag::IMG | Tag::VIDEO | Tag::AUDIO | Tag::IFRAME | Tag::EMBED)
            ) =>
        {
            return Separator::Media;
        }
        NodeKind::Element if is_blank_element(dom, at, node, decoded) => return Separator::Space,
        kind if kind.is_text() && is_gap(dom, at, kind, kept, decoded) => return Separator::Space,
        _ => {}
    }
    // The texts around a cut node must not merge into one word.
    if labels.cuts(at) {
        Separator::Space
    } else {
        Separator::None
    }
}

/// Whether a phrasing element without kept text holds only white space and so separates words, such as a
/// no-break space in a `span`.
#[inline]
fn is_blank_element(dom: &Dom<'_>, id: NodeId, node: &Node, decoded: &mut String) -> bool {
    node.first_child().is_some()
        && node.html_tag().is_some_and(is_phrasing)
        && holds_white_space(dom, id, decoded)
}

/// Whether an element has text that consists of white space.
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

/// Whether a blank text separates two words of a line. The block table does not contain such texts.
fn is_gap(dom: &Dom<'_>, id: NodeId, kind: NodeKind, kept: &KeptNodes, decoded: &mut String) -> bool {
    let is_white = |text: &str| skip_white(text, 0) == text.len();
    dom.parent(id).is_some_and(|p| kept.holds(p))
        && (kind == NodeKind::Blank || is_white(dom.text_in(id, decoded)))
}
