//! Decides which lines of comments hold their writers and dates: those at the place that most comments share.
//!
//! A name in a quotation or a mention, and a day inside the text, may look surer than the writer and the date of the comment, but
//! they are at other places in other comments. At the shared place, a name needs no markup: names of guests are often no links.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::blocks::block::Block;
use crate::label::comments::body::Bodies;
use crate::label::comments::items::Items;
use crate::label::comments::names::Role;
use crate::label::comments::roles::role_of;
use crate::label::comments::signs::{Sign, name, name_is_marked};
use crate::label::extractor::PageView;
use dehusk_html::tree::NodeId;

/// Minimum share of the comments that have a writer or a date at a shared place, and minimum number of comments.
const MIN_SHARE: f64 = 0.7;
const MIN_COMMENTS: usize = 3;
/// Minimum share of the comments that have a name without other evidence at a place. `MAX_WITH_EVIDENCE`:
/// maximum share of comments that have other evidence.
const MIN_UNMARKED: f64 = 0.9;
const MAX_WITH_EVIDENCE: f64 = 0.3;
/// Maximum words of a name without other evidence.
const MAX_WORDS: u32 = 4;
/// Lowest rank of a writer or date that counts. Dates of changes have a lower one.
const MIN_RANK: u8 = 2;

/// The places that most comments share, as paths from the comment's element down.
#[derive(Debug, Default)]
pub(crate) struct SharedPlaces {
    writers: BTreeSet<u64>,
    dates: BTreeSet<u64>,
}

/// The number of comments that have a place, and the last of them.
#[derive(Clone, Copy, Default)]
struct Count {
    items: usize,
    last: Option<u32>,
}

impl Count {
    fn add(&mut self, item: u32) {
        self.items += usize::from(self.last.replace(item) != Some(item));
    }
}

impl SharedPlaces {
    /// Finds the shared places outside of the texts of comments.
    pub(crate) fn find(view: &PageView<'_>, items: &Items, bodies: &Bodies, signs: &[Sign]) -> SharedPlaces {
        let mut writers: BTreeMap<u64, Count> = BTreeMap::new();
        let mut dates: BTreeMap<u64, Count> = BTreeMap::new();
        for (item, i, block) in beside_texts(view, items, bodies) {
            let place = bodies.place(block.context);
            let sign = &signs[i];
            if sign.writer.as_ref().is_some_and(|writer| writer.rank >= MIN_RANK) {
                writers.entry(place).or_default().add(item);
            }
            if sign.date.as_ref().is_some_and(|date| date.rank >= MIN_RANK) {
                dates.entry(place).or_default().add(item);
            }
        }
        let least = (MIN_SHARE * bodies.count() as f64).max(MIN_COMMENTS as f64);
        let shared = |counts: BTreeMap<u64, Count>| {
            let shared = counts
                .into_iter()
                .filter(|(_, count)| count.items as f64 >= least);
            shared.map(|(place, _)| place).collect()
        };
        SharedPlaces {
            writers: shared(writers),
            dates: shared(dates),
        }
    }

    /// Whether most comments have a writer at this place.
    pub(crate) fn has_writer(&self, place: u64) -> bool {
        self.writers.contains(&place)
    }

    /// Whether most comments have a date at this place.
    pub(crate) fn has_date(&self, place: u64) -> bool {
        self.dates.contains(&place)
    }

    /// Returns the writers of comments that have no evidence of a writer, by comment: the name at the place
    /// where the other comments have theirs, or, if hardly any comment has evidence, the first highlighted
    /// name that nearly all comments have.
    pub(crate) fn unmarked(
        &self,
        view: &PageView<'_>,
        (items, bodies, signs): (&Items, &Bodies, &[Sign]),
        is_signed: &dyn Fn(u32) -> bool,
    ) -> BTreeMap<u32, String> {
        let mut found: BTreeMap<u32, String> = BTreeMap::new();
        let mut seen: BTreeSet<(u32, u64)> = BTreeSet::new();
        if !self.writers.is_empty() {
            for (item, i, block) in beside_texts(view, items, bodies) {
                let place = bodies.place(block.context);
                // Lines after the first one at the place are about the member.
                if !is_signed(item)
                    && self.has_writer(place)
                    && seen.insert((item, place))
                    && let Some(name) = unmarked_name(view, items, block, &signs[i])
                {
                    found.entry(item).or_insert(name);
                }
            }
            return found;
        }
        let mut signed: BTreeSet<u32> = BTreeSet::new();
        // By place: the number of comments, the different names, and the name of each comment.
        let mut places: BTreeMap<u64, (usize, BTreeMap<u32, String>)> = BTreeMap::new();
        for (item, i, block) in beside_texts(view, items, bodies) {
            if is_signed(item) {
                signed.insert(item);
                continue;
            }
            let place = bodies.place(block.context);
            if !seen.insert((item, place)) || !name_is_marked(view, block) {
                continue;
            }
            if let Some(name) = unmarked_name(view, items, block, &signs[i]) {
                let (_, names) = places.entry(place).or_insert_with(|| (i, BTreeMap::new()));
                names.insert(item, name);
            }
        }
        let all = bodies.count() as f64;
        // Only if hardly any comment has other evidence of its writer.
        if signed.len() as f64 > MAX_WITH_EVIDENCE * all || bodies.count() < MIN_COMMENTS {
            return found;
        }
        let is_shared = |names: &BTreeMap<u32, String>| {
            // A label is equal in all comments, whereas names differ.
            let different: BTreeSet<&String> = names.values().collect();
            names.len() as f64 >= MIN_UNMARKED * (all - signed.len() as f64) && different.len() > 1
        };
        let shared = places.into_values().filter(|(_, names)| is_shared(names));
        shared
            .min_by_key(|(first, _)| *first)
            .map_or(found, |(_, names)| names)
    }
}

/// Returns the visible blocks in comments and outside of their texts, each with its comment and number.
fn beside_texts<'v>(
    view: &'v PageView<'_>,
    items: &'v Items,
    bodies: &'v Bodies,
) -> impl Iterator<Item = (u32, usize, &'v Block)> {
    let blocks = view.table.blocks().iter().enumerate();
    blocks.filter_map(|(i, block)| {
        let item = items.owner(block.context)?;
        let is_beside = !view.is_hidden(block) && bodies.around(block.context).is_none();
        is_beside.then_some((item, i, block))
    })
}

/// Returns the name that a short line consists of; `None` for lines with a label, a number alone, or another role.
fn unmarked_name(view: &PageView<'_>, items: &Items, block: &Block, sign: &Sign) -> Option<String> {
    let text = view.table.text(block);
    let is_name = block.words <= MAX_WORDS
        && sign.date.is_none()
        && !sign.of_member
        && !text.contains(':')
        && text.chars().any(char::is_alphabetic)
        && !text.ends_with('.');
    let top = view.table.contexts()[items.top(block.context) as usize].element;
    let has_other_role = |&node: &NodeId| matches!(role_of(view, top, node).0, Role::Control | Role::Date);
    if !is_name || view.table.nodes(block).iter().any(has_other_role) {
        return None;
    }
    name(text)
}
