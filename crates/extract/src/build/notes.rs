//! Footnotes: which elements of the kept text call a note, and which element holds each note. Some pages
//! write a note inside its sentence, and a style sheet draws it in the margin.

use std::collections::{BTreeMap, HashMap, HashSet};

use memchr::memmem;

use crate::analysis::blocks::elements::is_phrasing;
use crate::build::formula::fragment_decoded;
use crate::build::note_label::{is_call_text, label_of, meaning, own_number};
use crate::label::extractor::PageView;
use crate::label::labels::Labels;
use dehusk_html::narrow;
use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

/// Longest id, class and link target that is examined, in bytes.
const MOST: usize = 256;
/// Maximum number of levels between a link and its text, and between the target of a reference and the note around it.
const MAX_STEPS: usize = 4;
/// Maximum number of notes of a page.
const MAX_NOTES: usize = 10_000;

/// Notes referenced by kept text.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Note number of each calling element. A note inside a sentence is its own call.
    pub(super) calls: BTreeMap<NodeId, u32>,
    /// Calls that are words of the sentence: the reference is added after them. Other calls are replaced.
    pub(super) worded: HashSet<NodeId>,
    /// Notes, sorted by number.
    pub(super) found: Vec<FoundNote>,
    /// Elements that are left out of notes: links back to the references.
    pub(super) back: HashSet<NodeId>,
    /// Elements after a reference that repeat the text of the note, as a pop-up for the pointer.
    pub(super) copies: HashSet<NodeId>,
}

/// A note found in the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FoundNote {
    pub(super) number: u32,
    /// Element that holds the note.
    pub(super) root: NodeId,
}

/// A link, or an element with a description, that may reference a note.
struct Candidate {
    link: NodeId,
    target: String,
    /// Whether its markup declares it a note reference.
    told: bool,
    /// Whether its text is a number or a sign, not words of the sentence.
    is_mark: bool,
    /// Whether it names its note in `aria-describedby`.
    described: bool,
}

/// Finds the notes that links of the kept text call, and the notes inside its sentences.
pub(super) fn find(view: &PageView<'_>, labels: &Labels) -> Notes {
    let beside = beside_text(view, labels);
    let mut notes = called(view, labels);
    if !beside.is_empty() {
        notes.add_beside(view.dom, &beside);
    }
    notes
}

/// Finds the notes that links of the kept text call.
fn called(view: &PageView<'_>, labels: &Labels) -> Notes {
    let dom = view.dom;
    let candidates = candidates(view, labels);
    if candidates.is_empty() || !view.budget.charge("notes", dom.len()) {
        return Notes::default();
    }
    let wanted: HashSet<&str> = candidates
        .iter()
        .map(|candidate| candidate.target.as_str())
        .collect();
    let mut targets: HashMap<String, NodeId> = HashMap::new();
    for id in dom.tree().ids() {
        let Some(tag) = dom.html_tag(id) else { continue };
        let names = [
            dom.known_attr(id, AttrName::ID),
            if tag == Tag::A {
                dom.known_attr(id, AttrName::NAME)
            } else {
                None
            },
        ];
        // As in browsers, the first element of an id wins.
        for name in names.into_iter().flatten() {
            if wanted.contains(&*name) {
                targets.entry(name.into_owned()).or_insert(id);
            }
        }
    }
    // Ids that back links may point to.
    let mut call_ids: HashSet<String> = HashSet::new();
    for candidate in &candidates {
        for at in std::iter::once(candidate.link).chain(dom.ancestors(candidate.link).take(2)) {
            let is_small = matches!(dom.html_tag(at), Some(Tag::A | Tag::SUP | Tag::SPAN));
            let id = dom.short_attr(at, "id", MOST).filter(|_| is_small);
            let name = dom.short_attr(at, "name", MOST).filter(|_| is_small);
            call_ids.extend([id, name].into_iter().flatten().map(std::borrow::Cow::into_owned));
        }
        // Some back links point to an anchor just before or after the reference.
        for anchor in anchors_beside(dom, candidate.link) {
            let names = [
                dom.short_attr(anchor, "id", MOST),
                dom.short_attr(anchor, "name", MOST),
            ];
            call_ids.extend(names.into_iter().flatten().map(std::borrow::Cow::into_owned));
        }
    }
    // For each examined element, the number of its note; `None` if it is not a note.
    let mut numbers: HashMap<NodeId, Option<u32>> = HashMap::new();
    let mut notes = Notes::default();
    // For each note, the number shown by its first reference; `None` for a sign such as `*`.
    let mut own: Vec<Option<u32>> = Vec::new();
    for candidate in &candidates {
        let Some(root) = targets
            .get(&candidate.target)
            .and_then(|target| root(dom, *target))
        else {
            continue;
        };
        // Each target is examined once, even if it is not a note.
        let number = match numbers.get(&root) {
            Some(number) => *number,
            None => {
                // The note is moved after the text, so it must not contain its reference or lie inside of
                // it.
                let is_note = notes.found.len() < MAX_NOTES
                    && !dom.ancestors(candidate.link).any(|at| at == root)
                    && !dom.ancestors(root).any(|at| at == candidate.link)
                    && is_note(dom, candidate, root, &call_ids);
                let number = is_note.then(|| {
                    let number = narrow::to_u32(notes.found.len()) + 1;
                    notes.found.push(FoundNote { number, root });
                    own.push(own_number(&dom.text_below(candidate.link)));
                    number
                });
                numbers.insert(root, number);
                number
            }
        };
        if let Some(number) = number {
            notes.calls.insert(candidate.link, number);
            notes.copies.extend(copy_behind(dom, candidate.link, root));
            if !candidate.is_mark {
                notes.worded.insert(candidate.link);
            }
        }
    }
    // Nested notes are not supported: the inner note would be cut out of the outer one.
    let nested = notes.found.iter().any(|note| {
        dom.ancestors(note.root)
            .any(|at| numbers.get(&at).is_some_and(Option::is_some))
    });
    if nested {
        return Notes::default();
    }
    for note in &notes.found {
        find_back(dom, note.root, &call_ids, &mut notes.back);
        notes.back.extend(label_of(dom, note.root));
    }
    notes.renumber(&own);
    notes
}

/// Class names of notes inside a sentence, from Tufte CSS, its descendants and LaTeXML.
const BESIDE: [&str; 4] = ["sidenote", "marginnote", "margin-note", "ltx_role_footnote"];

/// Notes inside sentences of the kept text, in document order.
fn beside_text(view: &PageView<'_>, labels: &Labels) -> Vec<NodeId> {
    let dom = view.dom;
    let source = dom.source().as_bytes();
    if !BESIDE
        .iter()
        .any(|name| memmem::find(source, name.as_bytes()).is_some())
    {
        return Vec::new();
    }
    let mut found: Vec<NodeId> = Vec::new();
    for (_, block) in labels.kept(view.table) {
        for &node in view.table.nodes(block) {
            let above = dom
                .ancestors(node)
                .take(MAX_STEPS)
                .take_while(|at| dom.html_tag(*at).is_some_and(is_phrasing));
            let outermost = above.filter(|at| is_beside(dom, *at)).last();
            if let Some(note) = outermost
                && found.last() != Some(&note)
                && found.len() < MAX_NOTES
            {
                found.push(note);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a class name marks an element as a note inside a sentence.
fn is_beside(dom: &Dom<'_>, id: NodeId) -> bool {
    let class = dom.short_attr(id, "class", MOST).unwrap_or_default();
    dom.html_tag(id) != Some(Tag::LABEL) && class.split_ascii_whitespace().any(|name| BESIDE.contains(&name))
}

impl Notes {
    /// Adds notes inside sentences but those that a link calls or a note holds. Marks that only repeat the number are left out.
    fn add_beside(&mut self, dom: &Dom<'_>, notes: &[NodeId]) {
        let mut next = self.found.iter().map(|note| note.number).max().unwrap_or(0) + 1;
        let mut known: HashSet<NodeId> = self.found.iter().map(|note| note.root).collect();
        for &root in notes {
            let mut around = dom.ancestors(root).chain([root]);
            if self.found.len() >= MAX_NOTES || around.any(|at| known.contains(&at)) {
                continue;
            }
            known.insert(root);
            self.calls.insert(root, next);
            self.found.push(FoundNote { number: next, root });
            next += 1;
            for at in dom.preorder(root).skip(1) {
                let class = dom.short_attr(at, "class", MOST).unwrap_or_default();
                if class
                    .split_ascii_whitespace()
                    .any(|name| matches!(name, "ltx_note_mark" | "ltx_tag_note" | "sidenote-number"))
                {
                    self.back.insert(at);
                }
            }
        }
    }

    /// Gives the notes the numbers that the page shows, because its text may mention them. Notes called by
    /// signs get the numbers after the largest. If two notes show the same number (chapters that each count
    /// from 1), the notes keep their order of appearance as numbers.
    fn renumber(&mut self, own: &[Option<u32>]) {
        let mut known = HashSet::new();
        if !own.iter().flatten().all(|number| known.insert(*number)) {
            return;
        }
        let mut next = known.into_iter().max().map_or(1, |most| most + 1);
        let numbers: Vec<u32> = own
            .iter()
            .map(|own| {
                own.unwrap_or_else(|| {
                    next += 1;
                    next - 1
                })
            })
            .collect();
        for (note, number) in self.found.iter_mut().zip(&numbers) {
            note.number = *number;
        }
        for number in self.calls.values_mut() {
            // Calls hold the order of appearance, counted from 1, which is an index into `numbers` plus 1.
            *number = numbers[*number as usize - 1];
        }
        self.found.sort_by_key(|note| note.number);
    }
}

/// Links of the kept text to other places of the page that look like note references, and described
/// elements.
fn candidates(view: &PageView<'_>, labels: &Labels) -> Vec<Candidate> {
    let dom = view.dom;
    let mut found: Vec<Candidate> = Vec::new();
    // `last` skips further text nodes of one element: `<a><b>1</b><i>a</i></a>` is one candidate.
    let mut last = None;
    let has_descriptions = memmem::find(dom.source().as_bytes(), DESCRIBED.as_bytes()).is_some();
    for (_, block) in labels.kept(view.table) {
        if block.link_chars == 0 && !has_descriptions || found.len() >= MAX_NOTES {
            continue;
        }
        for &node in view.table.nodes(block) {
            if has_descriptions && let Some((link, target)) = described(dom, node) {
                if last.replace(link) != Some(link) && !labels.cuts(link) {
                    let is_mark = is_mark(dom, link);
                    found.push(Candidate {
                        link,
                        target,
                        told: true,
                        is_mark,
                        described: true,
                    });
                }
                continue;
            }
            let Some(link) = dom
                .ancestors(node)
                .take(MAX_STEPS)
                .find(|at| dom.html_tag(*at) == Some(Tag::A))
            else {
                continue;
            };
            if last.replace(link) == Some(link) || labels.cuts(link) {
                continue;
            }
            let Some(href) = dom.short_attr(link, "href", MOST) else {
                continue;
            };
            let target = match href.trim().strip_prefix('#') {
                Some(target) => target.to_owned(),
                None => {
                    // The page's own address with a fragment, absolute or as a path: `/p#n1` on
                    // `https://a.example/p`.
                    let Some((page, target)) = href.trim().split_once('#') else {
                        continue;
                    };
                    let own = view.url.and_then(|url| url.split('#').next());
                    if !own.is_some_and(|own| own == page || own.ends_with(page) && page.starts_with('/')) {
                        continue;
                    }
                    target.to_owned()
                }
            };
            if target.is_empty() {
                continue;
            }
            let target = fragment_decoded(&target);
            let told = is_told(dom, link);
            let is_mark = is_mark(dom, link);
            // Words that are linked to a note have an id for the link back, unlike most links of a table of contents.
            if told || is_mark || dom.known_attr(link, AttrName::ID).is_some() {
                found.push(Candidate {
                    link,
                    target,
                    told,
                    is_mark,
                    described: false,
                });
            }
        }
    }
    found
}

/// Attribute that holds the id of the element that describes this one.
const DESCRIBED: &str = "aria-describedby";

/// Nearest inline element around a text, other than a link, whose description is one id; and that id.
fn described(dom: &Dom<'_>, node: NodeId) -> Option<(NodeId, String)> {
    let is_in_line = |tag| is_phrasing(tag) && tag != Tag::A && tag != Tag::INPUT || tag == Tag::BUTTON;
    let above = dom.ancestors(node).take(MAX_STEPS);
    let mut above = above.take_while(|at| dom.html_tag(*at).is_some_and(is_in_line));
    above.find_map(|at| {
        let ids = dom.short_attr(at, DESCRIBED, MOST)?;
        let mut ids = ids.split_ascii_whitespace();
        let id = ids.next()?;
        ids.next().is_none().then(|| (at, id.to_owned()))
    })
}

/// Whether the text of a reference stands for the note alone: a number or a sign, or words such as `note 3`.
fn is_mark(dom: &Dom<'_>, call: NodeId) -> bool {
    /// Maximum number of bytes and nodes of such a text.
    const MAX_BYTES: usize = 32;
    const MAX_NODES: usize = 32;
    let mut text = String::new();
    for (i, node) in dom.preorder(call).enumerate() {
        if dom.is_text(node) {
            text.push_str(&dom.text(node));
        }
        if i > MAX_NODES || text.trim().len() > MAX_BYTES {
            return false;
        }
    }
    const NAMES: &[&str] = &[
        "note",
        "footnote",
        "endnote",
        "fn",
        "nb",
        "nota",
        "anm",
        "anmerkung",
        "fußnote",
        "примечание",
        "сноска",
        "прим",
    ];
    let is_name = || {
        let text = text.to_lowercase();
        let mut words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let name = words
            .next()
            .map(|name| name.trim_end_matches(|c: char| c.is_ascii_digit()));
        name.is_some_and(|name| NAMES.contains(&name))
            && words.all(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
    };
    is_call_text(&text) || is_name()
}

/// Whether the markup of a link declares it a note reference.
fn is_told(dom: &Dom<'_>, link: NodeId) -> bool {
    for at in std::iter::once(link).chain(dom.ancestors(link).take(2)) {
        let raised = || {
            dom.html_tag(at) == Some(Tag::SUP)
                || at == link
                    && dom
                        .preorder(link)
                        .take(MAX_STEPS)
                        .any(|id| dom.html_tag(id) == Some(Tag::SUP))
        };
        if raised() && is_call_text(&dom.text_below(link)) {
            return true;
        }
        // As GitHub writes it, the description of a link is the heading of the notes: `footnote-label`.
        let heading = dom.short_attr(at, DESCRIBED, MOST).filter(|_| at == link);
        if heading.is_some_and(|id| names_notes(&id)) {
            return true;
        }
        for name in ["role", "epub:type", "rel", "class"] {
            let value = dom.short_attr(at, name, MOST).unwrap_or_default();
            let says = value.split_ascii_whitespace().any(|word| {
                [
                    "noteref",
                    "footnote-ref",
                    "footnote-anchor",
                    "footnoteref",
                    "fnref",
                ]
                .iter()
                .any(|name| word.contains(name))
                    || word == "footnote"
            });
            if says && dom.html_tag(at).is_some_and(is_phrasing) {
                return true;
            }
        }
    }
    false
}

/// Whether an id names a part of the page with notes.
fn names_notes(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("footnote")
        || name.contains("endnote")
        || name.split(['-', '_']).any(|part| part == "notes")
}

/// Element that holds the note at a link target: the target itself, or the block that begins with it. `None` if there is no such block.
fn root(dom: &Dom<'_>, target: NodeId) -> Option<NodeId> {
    let is_block = |id: NodeId| {
        matches!(
            dom.html_tag(id),
            Some(Tag::LI | Tag::P | Tag::DIV | Tag::ASIDE | Tag::DD | Tag::TR | Tag::SECTION)
        )
    };
    if is_block(target) {
        return Some(target);
    }
    // `<dt id=n1>1<dd>A note`: the number is a term, and the note its meaning.
    if dom.html_tag(target) == Some(Tag::DT) {
        return meaning(dom, target);
    }
    // A `span` of three or more words is the note itself, not its number.
    if dom.html_tag(target) == Some(Tag::SPAN) && dom.text_below(target).split_whitespace().nth(2).is_some() {
        return Some(target);
    }
    let is_mark = |id: NodeId| dom.html_tag(id).is_some_and(is_phrasing);
    if !is_mark(target) {
        return None;
    }
    let mut block = dom.ancestors(target).take(MAX_STEPS).find(|at| !is_mark(*at))?;
    if dom.html_tag(block) == Some(Tag::DT) {
        return meaning(dom, block);
    }
    // In a table of notes, the first cell of a row has the number.
    if matches!(dom.html_tag(block), Some(Tag::TH | Tag::TD)) {
        block = dom.parent(block)?;
    }
    // Text before the target, other than a number, shows that the block is more than the note.
    (is_block(block) && begins_with(dom, block, target)).then_some(block)
}

/// Whether nothing but a number or a sign precedes an element in a block.
fn begins_with(dom: &Dom<'_>, block: NodeId, element: NodeId) -> bool {
    const MAX_BYTES: usize = 32;
    let mut before = String::new();
    for node in dom.preorder(block).take_while(|node| *node < element) {
        if dom.is_text(node) {
            before.push_str(&dom.text(node));
        }
        if before.trim_start().len() > MAX_BYTES {
            return false;
        }
    }
    let before = before.trim();
    before.is_empty() || is_call_text(before)
}

/// Whether the target of a reference is a note.
///
/// Two of several signs must agree, and the note must contain no headings and not too much text.
fn is_note(dom: &Dom<'_>, call: &Candidate, root: NodeId, call_ids: &HashSet<String>) -> bool {
    /// Maximum number of nodes and bytes of a note.
    const MAX_NODES: usize = 2000;
    const MAX_BYTES: usize = 20_000;
    let mut bytes = 0;
    let mut leads_back = label_of(dom, root).is_some_and(|label| {
        dom.preorder(label)
            .take(MAX_STEPS)
            .any(|at| leads_to(dom, at, call_ids))
    });
    for (i, node) in dom.preorder(root).enumerate() {
        if i > MAX_NODES || bytes > MAX_BYTES {
            return false;
        }
        if dom.is_text(node) {
            bytes += dom.raw_text(node).trim().len();
        }
        match dom.html_tag(node) {
            Some(tag)
                if tag.heading_level().is_some() || matches!(tag, Tag::ARTICLE | Tag::MAIN | Tag::NAV) =>
            {
                return false;
            }
            Some(Tag::A) => leads_back |= leads_to(dom, node, call_ids),
            _ => {}
        }
    }
    if bytes == 0 {
        return false;
    }
    let says = |name: &str| {
        let name = name.to_ascii_lowercase();
        ["fn", "ftn", "note", "cite", "ref", "bib", "endnote"]
            .iter()
            .any(|part| {
                name.starts_with(part)
                    || name.contains(&format!("-{part}"))
                    || name.contains(&format!("_{part}"))
            })
            || name.contains("footnote")
    };
    let named = says(&call.target)
        || std::iter::once(root)
            .chain(dom.ancestors(root).take(2))
            .any(|at| {
                ["class", "role", "epub:type"].iter().any(|attribute| {
                    let value = dom.short_attr(at, attribute, MOST).unwrap_or_default();
                    value.split_ascii_whitespace().any(|word| {
                        word.contains("footnote")
                            || word.contains("endnote")
                            || word == "notes"
                            || word == "references"
                    })
                })
            });
    if call.described {
        // Most descriptions belong to form controls; a note must be marked as one.
        let role = dom.short_attr(root, "role", MOST).unwrap_or_default();
        return matches!(&*role, "note" | "tooltip" | "doc-footnote" | "doc-endnote") || named;
    }
    // Two signs must agree: a link back, the markup or text of the reference, the name of the target.
    leads_back && (call.told || call.is_mark || named)
        || call.told && named
        || named && is_bracketed(dom, call.link)
}

/// Whether the text of a link is enclosed in square brackets.
fn is_bracketed(dom: &Dom<'_>, link: NodeId) -> bool {
    let text = dom.text_below(link);
    let text = text.trim();
    text.starts_with('[') && text.ends_with(']')
}

/// Empty anchors beside a reference, or beside the `sup` or `span` around it: back links may target them.
fn anchors_beside(dom: &Dom<'_>, link: NodeId) -> Vec<NodeId> {
    let around = dom
        .parent(link)
        .filter(|at| matches!(dom.html_tag(*at), Some(Tag::SUP | Tag::SPAN)));
    let mut anchors = Vec::new();
    for at in std::iter::once(link).chain(around) {
        for beside in [dom.tree().prev_sibling(at), dom.tree().next_sibling(at)] {
            let Some(beside) = beside.filter(|id| matches!(dom.html_tag(*id), Some(Tag::A | Tag::SPAN)))
            else {
                continue;
            };
            let inside = dom.preorder(beside).take(MAX_STEPS);
            if dom
                .preorder(beside)
                .take(2 * MAX_STEPS)
                .all(|id| !dom.is_text(id))
            {
                anchors.extend(inside);
            }
        }
    }
    anchors
}

/// Element after a call that repeats the note, or its start up to an ellipsis: a pop-up for the pointer.
fn copy_behind(dom: &Dom<'_>, call: NodeId, note: NodeId) -> Option<NodeId> {
    /// Maximum number of siblings after a call that are compared.
    const MAX_BEHIND: usize = 3;
    /// Maximum number of bytes of a note that are compared.
    const MAX_BYTES: usize = 2000;
    /// Minimum number of bytes before an ellipsis.
    const MIN_BYTES: usize = 8;
    let words = |id: NodeId| {
        let mut words = String::new();
        for node in dom.preorder(id).filter(|node| dom.is_text(*node)) {
            words.extend(dom.text(node).chars().filter(|c| !c.is_whitespace()));
            if words.len() > MAX_BYTES {
                break;
            }
        }
        words
    };
    let around = dom.parent(call).filter(|at| dom.html_tag(*at) == Some(Tag::SUP));
    let mut note_words = None;
    for at in std::iter::once(call).chain(around) {
        let behind = std::iter::successors(dom.tree().next_sibling(at), |at| dom.tree().next_sibling(*at));
        for copy in behind.take(MAX_BEHIND) {
            if dom.is_text(copy) && !dom.text(copy).trim().is_empty() {
                break;
            }
            if !dom.html_tag(copy).is_some_and(is_phrasing) {
                continue;
            }
            let copied = words(copy);
            let (begun, is_cut) = match copied.split_once('…') {
                Some((begun, _)) if begun.len() >= MIN_BYTES => (begun, true),
                _ => (&*copied, false),
            };
            let note_words: &String = note_words.get_or_insert_with(|| words(note));
            // Characters around the repeated words are the number of the note and its back link.
            let are_marks = |text: &str| !text.contains(char::is_alphabetic);
            let is_copy = !begun.is_empty()
                && note_words.find(begun).is_some_and(|at| {
                    are_marks(&note_words[..at]) && (is_cut || are_marks(&note_words[at + begun.len()..]))
                });
            if is_copy {
                return Some(copy);
            }
        }
    }
    None
}

/// Whether a link points to a note reference.
fn leads_to(dom: &Dom<'_>, link: NodeId, call_ids: &HashSet<String>) -> bool {
    let Some(href) = dom.short_attr(link, "href", MOST) else {
        return false;
    };
    let target = href
        .trim()
        .rsplit_once('#')
        .map(|(_, target)| fragment_decoded(target));
    target.is_some_and(|target| call_ids.contains(&target))
}

/// Collects the back links in a note: links to references, arrows, and wrappers named `backlink`.
fn find_back(dom: &Dom<'_>, root: NodeId, call_ids: &HashSet<String>, back: &mut HashSet<NodeId>) {
    for node in dom.preorder(root) {
        if dom.html_tag(node) != Some(Tag::A) {
            continue;
        }
        let text = dom.text_below(node);
        let text = text.trim();
        let is_arrow = !text.is_empty()
            && text.chars().all(is_arrow)
            && dom
                .short_attr(node, "href", MOST)
                .is_some_and(|href| href.contains('#'));
        if !(leads_to(dom, node, call_ids) || is_arrow) {
            continue;
        }
        back.insert(node);
        // Wikipedia wraps all back links of a note, with a sign before them, in one element.
        for at in dom.ancestors(node).take_while(|at| *at != root).take(3) {
            if dom
                .short_attr(at, "class", MOST)
                .is_some_and(|class| class.contains("backlink"))
            {
                back.insert(at);
            }
        }
    }
}

fn is_arrow(c: char) -> bool {
    matches!(
        c,
        '↩' | '↵' | '⏎' | '↑' | '^' | '⤴' | '⇑' | '▲' | '\u{FE0E}' | '\u{FE0F}' | '\u{A0}' | '↲' | '↖'
    )
}
