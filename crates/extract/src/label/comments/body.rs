//! Finds the element of each comment that holds its text: the same place in all comments.
//!
//! The place of an element is its path from the comment down: tags and first names, the latter without numbers. Of the places
//! that hold most of the words of all comments, the deepest one is taken, so that ranks, counters, signatures and buttons beside
//! it are left out.

use std::collections::BTreeMap;

use crate::analysis::blocks::block::Context;
use crate::label::comments::items::Items;
use crate::label::comments::names::{is_parity, without_number};
use crate::label::comments::posts::MIN_LINKED_TEXT;
use crate::label::comments::signs::Sign;
use crate::label::extractor::PageView;
use dehusk_html::fnv;
use dehusk_html::narrow;
use dehusk_html::tree::Tag;

/// Minimum share of all words that are at the place, and minimum share of the comments that have the place.
const MIN_WORDS: f64 = 0.75;
const MIN_ITEMS: f64 = 0.7;
/// Minimum words of a line from which the place is learnt, unless it ends like a sentence. Labels of members are shorter.
const MIN_LINE: u32 = 6;
/// Minimum number of comments from which a place is learnt.
const MIN_LEARNT: usize = 2;

/// The contexts that hold the texts of comments.
#[derive(Debug, Default)]
pub(crate) struct Bodies {
    /// By context, the element of the text of the comment that it lies in; `None` outside of texts.
    inside: Vec<Option<u32>>,
    /// By item, whether the comment has the place.
    has: Vec<bool>,
    /// By context, whether it lies in the signature that a member shows below all posts.
    signatures: Vec<bool>,
    /// By context in a comment, its path from the comment's element down.
    places: Vec<u64>,
    /// Number of comments.
    count: usize,
}

/// Counts over the elements at one place. `items`: number of comments that have the place. `last`: the last
/// of them.
#[derive(Default)]
struct Place {
    words: u32,
    items: usize,
    last: Option<u32>,
    depth: u32,
}

impl Bodies {
    /// Learns the place of the texts of comments.
    pub(crate) fn learn(view: &PageView<'_>, items: &Items, signs: &[Sign]) -> Bodies {
        let contexts = view.table.contexts();
        let signatures = signatures(view, items);
        let mut words = vec![0_u32; contexts.len()];
        let mut all = 0;
        for (i, block) in view.shown_blocks() {
            let counts = &view.table.counts()[i];
            let is_text = (counts.tokens >= MIN_LINE || counts.ends)
                && (block.link_density() < 0.5 || block.words >= MIN_LINKED_TEXT);
            let is_text = is_text && !signatures[block.context as usize];
            if is_text && items.owner(block.context).is_some() && !signs[i].is_any() {
                words[block.context as usize] += counts.tokens;
                all += counts.tokens;
            }
        }
        // Words of a nested comment count for that comment only.
        for (i, context) in contexts.iter().enumerate().rev() {
            if let Some(parent) = context.parent
                && items.owner(narrow::to_u32(i)).is_some()
                && !items.is_top(narrow::to_u32(i))
            {
                words[parent as usize] += words[i];
            }
        }
        let mut places: BTreeMap<u64, Place> = BTreeMap::new();
        // Per context: the hash of its path from the comment's element down, and the length of the path.
        let mut way = vec![(0_u64, 0_u32); contexts.len()];
        // Like `way`, with the position of rows and cells without a name, which differ in nothing else. Other
        // elements without a name are mostly paragraphs.
        let mut numbered = vec![0_u64; contexts.len()];
        let mut children = vec![0_u64; contexts.len()];
        let mut known = BTreeMap::new();
        let mut count = 0;
        for (i, context) in contexts.iter().enumerate() {
            let at = narrow::to_u32(i);
            let Some(item) = items.owner(at) else { continue };
            count += usize::from(item == at);
            let tag = view.dom.html_tag(context.element);
            let name = first_name(view, context);
            let number = known.len() as u64;
            let name = *known
                .entry((view.dom.name(context.element), name))
                .or_insert(number);
            let (above, depth) = match context.parent {
                Some(parent) if !items.is_top(at) => way[parent as usize],
                _ => (fnv::START, 0),
            };
            way[i] = if item == at {
                // The opening post and the others may differ in their tags, so the path begins below the comment's element.
                (above, 1)
            } else {
                (fnv::extend(above, name), depth + 1)
            };
            let (above, position) = match context.parent {
                Some(parent) if !items.is_top(at) => {
                    let position = &mut children[parent as usize];
                    *position += 1;
                    (numbered[parent as usize], *position)
                }
                _ => (fnv::START, 0),
            };
            numbered[i] = match item == at {
                true => above,
                false if is_cell(tag) && first_name(view, context).is_empty() => {
                    fnv::extend(fnv::extend(above, name), position)
                }
                false => fnv::extend(above, name),
            };
            // The comment's element itself is not a candidate: it also contains the parts beside the text.
            if item == at || words[i] == 0 || !may_be_body(tag) {
                continue;
            }
            let place = places.entry(way[i].0).or_default();
            place.words += words[i];
            place.depth = way[i].1;
            place.items += usize::from(place.last != Some(item));
            place.last = Some(item);
        }
        let fits = |place: &&Place| {
            f64::from(place.words) >= MIN_WORDS * f64::from(all)
                && place.items as f64 >= MIN_ITEMS * count as f64
        };
        let best = places
            .iter()
            .filter(|(_, place)| fits(place))
            .max_by_key(|(_, place)| place.depth)
            .map(|(&way, _)| way);
        let mut bodies = Bodies {
            inside: vec![None; contexts.len()],
            has: vec![false; contexts.len()],
            signatures,
            places: way.iter().map(|way| way.0).collect(),
            count,
        };
        let Some(best) = best.filter(|_| count >= MIN_LEARNT) else {
            return bodies;
        };
        // If several elements of a comment have the place, such as the rows of a table, only one of them may
        // contain the text.
        let mut rows: BTreeMap<u64, Place> = BTreeMap::new();
        for i in (0..contexts.len()).filter(|&i| way[i].0 == best && words[i] > 0) {
            let item = items.owner(narrow::to_u32(i));
            let row = rows.entry(numbered[i]).or_default();
            row.words += words[i];
            row.items += usize::from(row.last != item);
            row.last = item;
        }
        let row = rows.iter().find(|(_, row)| fits(row)).map(|(&row, _)| row);
        let name = (0..contexts.len()).find(|&i| way[i].0 == best);
        let name = name.map_or("", |i| first_name(view, &contexts[i]));
        let is_place = |i: usize| way[i].0 == best && row.is_none_or(|row| numbered[i] == row);
        bodies.mark(view, items, is_place, |_| true);
        // The opening post of a thread may have another structure than the others, with its text in an element of the same name.
        if !name.is_empty() {
            let has = bodies.has.clone();
            let is_named = |i: usize| first_name(view, &contexts[i]) == name;
            bodies.mark(view, items, is_named, |item| !has[item as usize]);
        }
        bodies
    }

    /// Marks the contexts that `is_body` accepts and everything inside them, in the comments that `is_asked`
    /// accepts.
    fn mark(
        &mut self,
        view: &PageView<'_>,
        items: &Items,
        is_body: impl Fn(usize) -> bool,
        is_asked: impl Fn(u32) -> bool,
    ) {
        // Parents precede their children, so the entry of the parent exists.
        for (i, context) in view.table.contexts().iter().enumerate() {
            let at = narrow::to_u32(i);
            let Some(item) = items.owner(at).filter(|&item| is_asked(item)) else {
                continue;
            };
            let above = context.parent.filter(|_| !items.is_top(at));
            let above = above.and_then(|parent| self.inside[parent as usize]);
            self.inside[i] = above.or_else(|| is_body(i).then_some(at));
            self.has[item as usize] |= self.inside[i].is_some();
        }
    }

    /// Returns the element of the text that a context lies in; `None` if it is outside of the text of its comment.
    pub(crate) fn around(&self, context: u32) -> Option<u32> {
        self.inside[context as usize]
    }

    /// Returns the path of a context from its comment's element down, as a hash. Contexts of different comments with equal paths are
    /// at the same place.
    pub(crate) fn place(&self, context: u32) -> u64 {
        self.places[context as usize]
    }

    /// Returns the number of comments.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Whether a context lies in the signature that a member shows below all posts.
    pub(crate) fn is_member_signature(&self, context: u32) -> bool {
        self.signatures[context as usize]
    }

    /// Whether the element of the text of a comment is known.
    pub(crate) fn has(&self, item: u32) -> bool {
        self.has[item as usize]
    }
}

/// Returns by context whether it lies in the signature of a member. Each distinct name is searched once, since names may be long
/// and occur often.
fn signatures(view: &PageView<'_>, items: &Items) -> Vec<bool> {
    let named: Vec<bool> = view
        .table
        .all_names()
        .map(|names| names.contains("signature"))
        .collect();
    let contexts = view.table.contexts();
    let mut inside: Vec<bool> = Vec::with_capacity(contexts.len());
    for (i, context) in contexts.iter().enumerate() {
        let is_top = items.is_top(narrow::to_u32(i));
        let above = !is_top && context.parent.is_some_and(|parent| inside[parent as usize]);
        inside.push(above || !is_top && named[context.names()] && items.owner(narrow::to_u32(i)).is_some());
    }
    inside
}

/// Returns the first class of an element, else its id, without a number at the end. Classes that alternate between rows are
/// skipped.
fn first_name<'v>(view: &PageView<'v>, context: &Context) -> &'v str {
    let mut names = view.table.names(context).split_ascii_whitespace();
    let name = names.find(|name| !is_parity(name));
    without_number(name.unwrap_or(""))
}

fn is_cell(tag: Option<Tag>) -> bool {
    matches!(tag, Some(Tag::TR | Tag::TD | Tag::TH))
}

/// Whether an element may hold a whole text, and not just one of its paragraphs.
fn may_be_body(tag: Option<Tag>) -> bool {
    matches!(
        tag,
        Some(
            Tag::DIV
                | Tag::TD
                | Tag::TR
                | Tag::DD
                | Tag::ARTICLE
                | Tag::SECTION
                | Tag::BLOCKQUOTE
                | Tag::SPAN
                | Tag::MAIN
                | Tag::CENTER
                | Tag::TABLE
        )
    )
}
