//! Reads the comments: text, writer, date, depth, and the comment that is answered.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::blocks::block::{Block, BlockKind, Boundary};
use crate::analysis::metadata::date;
use crate::label::comments::body::Bodies;
use crate::label::comments::comment::Comment;
use crate::label::comments::items::Items;
use crate::label::comments::names::{Role, is_edit_note, level, names_reply};
use crate::label::comments::roles::{MAX_SIGNATURE_WORDS, role_of};
use crate::label::comments::signs::{ATTRIBUTE, Sign, WriterSign};
use crate::label::comments::writers::SharedPlaces;
use crate::label::extractor::PageView;
use dehusk_html::tree::{NodeId, Tag};

/// Maximum bytes of an id or an address; longer ones are ignored.
const MAX_ATTR: usize = 300;
/// Maximum number of nodes at the start of a quotation that are searched for a link.
const MAX_FRONT: usize = 24;
/// Maximum number of ancestors of a text that are searched for its link.
const LEVELS: usize = 4;

/// Added to the rank of a writer or date at the place that most comments share. Greater than any rank, so
/// that the place decides first.
const SHARED: u8 = 10;

/// Lowest rank of a writer whose name, as the first line of a comment, is not part of its text.
const MIN_SURE: u8 = 4;

/// A comment that is being read.
#[derive(Default)]
struct Draft<'v> {
    text: String,
    /// A line of its text that many comments share. It becomes the text if the comment has no other line:
    /// some comments are only a word of thanks.
    spare: Option<&'v str>,
    writer: (u8, String),
    date: (u8, Option<String>),
    /// The comment that it answers, by a link.
    answers: Option<u32>,
}

/// Reads all comments, in document order. Each comes with its item: the context of its first element.
pub(crate) fn read(view: &PageView<'_>, items: &Items, signs: &[Sign]) -> Vec<(u32, Comment)> {
    let bodies = Bodies::learn(view, items, signs);
    let targets = targets(view, items);
    let shared = SharedPlaces::find(view, items, &bodies, signs);
    let repeated = repeated(view, items);
    let mut drafts: BTreeMap<u32, Draft<'_>> = BTreeMap::new();
    for (i, block) in view.shown_blocks() {
        let Some(item) = items.of_block(view, i) else {
            continue;
        };
        let draft = drafts.entry(item).or_default();
        let is_repeated = repeated.binary_search(&view.table.counts()[i].hash()).is_ok();
        if is_repeated && !signs[i].is_any() {
            if draft.spare.is_none() && bodies.around(block.context).is_some() {
                draft.spare = Some(view.table.text(block));
            }
            continue;
        }
        add(view, items, (&bodies, &shared), (item, block, &signs[i]), draft);
        if draft.answers.is_none() {
            let answered = answered(view, block, &targets);
            // Only an earlier comment can be answered.
            draft.answers = answered.filter(|&answered| answered < item);
        }
    }
    // Weighed like an attribute of an element beside the text; see `add`.
    for (item, day) in empty_times(view, items) {
        if let Some(draft) = drafts.get_mut(&item).filter(|draft| draft.date.0 < 1 + ATTRIBUTE) {
            draft.date = (1 + ATTRIBUTE, Some(day));
        }
    }
    let is_signed = |item: u32| drafts.get(&item).is_some_and(|draft| draft.writer.0 > 0);
    // Names without other evidence are only for comments that have no writer yet.
    for (item, name) in shared.unmarked(view, (items, &bodies, signs), &is_signed) {
        if let Some(draft) = drafts.get_mut(&item) {
            draft.writer = (1, name);
        }
    }
    for draft in drafts.values_mut() {
        if let Some(spare) = draft.spare.filter(|_| draft.text.is_empty()) {
            draft.text.push_str(spare);
        }
    }
    drafts.retain(|_, draft| draft.text.chars().any(char::is_alphanumeric));
    // Drafts without text are gone: from here on, the place of a draft is its index in the result.
    let places: BTreeMap<u32, usize> = drafts.keys().copied().zip(0..).collect();
    let levels = levels(view, drafts.keys().copied());
    let mut out: Vec<(u32, Comment)> = Vec::with_capacity(drafts.len());
    let mut open: Vec<usize> = Vec::new();
    for (place, (item, draft)) in drafts.into_iter().enumerate() {
        let above = |out: &[(u32, Comment)], place: usize| out[place].1.depth + 1;
        let enclosing = items
            .enclosing(view, item)
            .and_then(|outer| places.get(&outer).copied());
        let (mut depth, mut reply_to) = (0, None);
        // Nested elements outweigh levels in the names of classes.
        if let Some(outer) = enclosing {
            (depth, reply_to) = (above(&out, outer), Some(outer));
        } else if let Some(levels) = &levels {
            depth = levels[place];
            // Skipped levels are closed: a comment is at most one level below the previous one.
            open.truncate(depth);
            depth = open.len();
            reply_to = open.last().copied();
            open.push(place);
        }
        let answers = draft.answers.and_then(|answered| places.get(&answered).copied());
        let comment = Comment {
            author: Some(draft.writer.1).filter(|name| !name.is_empty()),
            date: draft.date.1,
            depth,
            reply_to: answers.filter(|&answered| answered < place).or(reply_to),
            first: false,
            text: draft.text,
        };
        out.push((item, comment));
    }
    out
}

/// Returns the hashes of short lines that occur in many comments, such as names of buttons, labels and the subject. Ascending.
fn repeated(view: &PageView<'_>, items: &Items) -> Vec<u64> {
    const MAX_WORDS: u32 = 10;
    const MIN_TIMES: usize = 3;
    const MIN_SHARE: f64 = 0.4;
    let mut seen: BTreeMap<u64, (usize, Option<u32>)> = BTreeMap::new();
    let mut all = BTreeSet::new();
    for (i, block) in view.shown_blocks() {
        let Some(item) = items.of_block(view, i) else {
            continue;
        };
        all.insert(item);
        if block.words <= MAX_WORDS {
            let (times, last) = seen.entry(view.table.counts()[i].hash()).or_default();
            // Repetitions within one comment count once.
            *times += usize::from(last.replace(item) != Some(item));
        }
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the fraction is dropped, and a share of a length fits where the length does"
    )]
    let least = MIN_TIMES.max((MIN_SHARE * all.len() as f64) as usize);
    let seen = seen.into_iter().filter(|(_, (times, _))| *times >= least);
    seen.map(|(hash, _)| hash).collect()
}

/// Returns the days of `time` elements without text, which scripts fill in, each with the comment that the element lies in.
fn empty_times(view: &PageView<'_>, items: &Items) -> Vec<(u32, String)> {
    let dom = view.dom;
    let contexts = view.table.contexts();
    let elements: BTreeMap<NodeId, u32> = contexts
        .iter()
        .zip(0..)
        .map(|(context, at)| (context.element, at))
        .collect();
    let times = dom.tree().ids_of(Tag::TIME);
    let empty = times.filter(|&time| dom.tree().first_child(time).is_none());
    let dated = empty.filter_map(|time| {
        // The nearest element with a context: the empty `time` itself has none.
        let around = dom
            .ancestors(time)
            .take(LEVELS)
            .find_map(|above| elements.get(&above))?;
        let day = date::iso(&dom.short_attr(time, "datetime", MAX_ATTR)?)?;
        Some((items.owner(*around)?, day))
    });
    dated.collect()
}

/// Adds a block to its comment.
fn add(
    view: &PageView<'_>,
    items: &Items,
    (bodies, shared): (&Bodies, &SharedPlaces),
    (item, block, sign): (u32, &Block, &Sign),
    draft: &mut Draft<'_>,
) {
    let body = bodies.around(block.context);
    let is_body = body.is_some();
    let top = body.unwrap_or_else(|| items.top(block.context));
    // Names and dates inside the text count only if nothing beside it has any. Exception: lines before the
    // first line of the text are about the comment.
    let is_head = draft.text.is_empty();
    let weight = |rank: u8, is_shared: bool| match is_body {
        true if !is_head => 1,
        false if is_shared => SHARED + rank,
        _ => 1 + rank,
    };
    let place = bodies.place(block.context);
    if let Some(writer) = &sign.writer
        && (is_head || !is_body)
    {
        let weight = weight(writer.rank, shared.has_writer(place));
        if weight > draft.writer.0 {
            draft.writer = (weight, writer.name.clone());
        }
    }
    if let Some(date) = &sign.date
        && date.day.is_some()
    {
        let is_shared = shared.has_date(place) && date.rank > 1;
        // A day in the text has no class that names it a date.
        let weight = weight(date.rank, is_shared) + u8::from(date.is_named && is_body);
        if weight > draft.date.0 {
            draft.date = (weight, date.day.clone());
        }
    }
    if bodies.is_member_signature(block.context)
        || bodies.has(item) && !is_body
        || !is_text(view, top, (block, sign), is_body, is_head)
    {
        return;
    }
    if !draft.text.is_empty() {
        draft.text.push(if block.boundary == Boundary::Phrase {
            ' '
        } else {
            '\n'
        });
    }
    draft.text.push_str(view.table.text(block));
}

/// Whether a block is part of the text of its comment, and neither a signature nor a control.
fn is_text(
    view: &PageView<'_>,
    top: u32,
    (block, sign): (&Block, &Sign),
    is_body: bool,
    is_first: bool,
) -> bool {
    let text = view.table.text(block);
    if is_edit_note(text, sign.date.is_some() || block.link_words > 0) {
        return false;
    }
    // `Re: the cellar by Ann: 5:23 on 24 April`
    if !is_body && sign.date.is_some() && sign.writer.as_ref().is_some_and(|writer| writer.rank > 2) {
        return false;
    }
    if block.words > MAX_SIGNATURE_WORDS {
        return true;
    }
    let is_control = matches!(
        view.dom.html_tag(block.element),
        Some(Tag::BUTTON | Tag::LABEL | Tag::OPTION)
    );
    // The whole comment may be its text, with a link to the writer as its first line.
    let is_name = |writer: &WriterSign| writer.rank >= MIN_SURE && writer.name == text;
    if is_first && block.link_words == block.words && sign.writer.as_ref().is_some_and(is_name) {
        return false;
    }
    // Only names inside the text count: the elements around the text may have names of a control just because the text can be
    // edited.
    let top = view.table.contexts()[top as usize].element;
    let roles = view
        .table
        .nodes(block)
        .iter()
        .map(|&node| role_of(view, top, node).0);
    // The strongest role of its texts decides, in the order of the enum: text, control, date, author.
    match roles.max() {
        _ if is_control => false,
        Some(Role::Text) | None => is_body || !sign.is_any() && !sign.of_member && !is_linked(block),
        Some(Role::Control) => false,
        Some(Role::Date | Role::Author) => is_body && !sign.is_any(),
    }
}

/// Whether a short block is mostly links, such as buttons.
fn is_linked(block: &Block) -> bool {
    block.link_density() > 0.5 && block.words <= MAX_SIGNATURE_WORDS / 2
}

/// Maps each id inside a comment to that comment.
fn targets(view: &PageView<'_>, items: &Items) -> BTreeMap<String, u32> {
    let mut targets = BTreeMap::new();
    for (context, at) in view.table.contexts().iter().zip(0_u32..) {
        if let Some(item) = items.owner(at)
            && let Some(id) = view.dom.short_attr(context.element, "id", MAX_ATTR)
        {
            targets.entry(id.trim().to_owned()).or_insert(item);
        }
    }
    targets
}

/// Returns the comment that a block answers, according to a link of the block. In a quotation, any link at its start counts; in
/// another line, only a link that names a reply.
fn answered(view: &PageView<'_>, block: &Block, targets: &BTreeMap<String, u32>) -> Option<u32> {
    if targets.is_empty() {
        return None;
    }
    let target = |link: NodeId| {
        let href = view.dom.short_attr(link, "href", MAX_ATTR)?;
        targets.get(href.split_once('#')?.1.trim()).copied()
    };
    if block.kind == BlockKind::Quote {
        // The link may be an arrow without text.
        let quote = view
            .dom
            .ancestors(block.element)
            .take(LEVELS)
            .find(|&at| view.dom.html_tag(at) == Some(Tag::BLOCKQUOTE));
        let inside = view.dom.preorder(quote.unwrap_or(block.element)).take(MAX_FRONT);
        let mut links = inside.filter(|&node| view.dom.html_tag(node) == Some(Tag::A));
        return links.find_map(target);
    }
    if block.link_words == 0 {
        return None;
    }
    let mut nodes = view.table.nodes(block).iter();
    let link = nodes.find_map(|&node| link(view, node))?;
    let class = view.dom.short_attr(link, "class", MAX_ATTR).unwrap_or_default();
    target(link).filter(|_| names_reply(&class, view.table.text(block)))
}

/// Returns the link that contains a text.
fn link(view: &PageView<'_>, node: NodeId) -> Option<NodeId> {
    let mut above = view.dom.ancestors(node).take(LEVELS);
    above.find(|&at| view.dom.html_tag(at) == Some(Tag::A))
}

/// Returns the depths that the names of the comments' elements give, shifted so that the least is 0; `None` unless all elements
/// have one.
fn levels(view: &PageView<'_>, items: impl Iterator<Item = u32>) -> Option<Vec<usize>> {
    let level_of = |item: u32| level(view.table.names(&view.table.contexts()[item as usize]));
    let levels: Option<Vec<usize>> = items.map(level_of).collect();
    let mut levels = levels?;
    let least = levels.iter().copied().min()?;
    levels.iter_mut().for_each(|level| *level -= least);
    Some(levels)
}
