//! Finds posts and comments by their structure: similar elements, each with a text, its writer and its date.
//!
//! Elements are similar if they share a class or an id without its number, or if they are siblings. Of all sets of similar
//! elements, the one whose signed members hold most of the text is taken. Of sets with nearly the same text, the one with the
//! most members that have both a writer and a date wins, then the outermost one, so that signatures lie inside its members. Lists
//! of teasers are signed and dated, too, but each teaser begins with a headline of its own that links away.
//!
//! Time is linear in the contexts of the page times the names of each, at most [`MAX_NAMES`].

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::analysis::blocks::block::Block;
use crate::analysis::metadata::kind::PageKind;
use crate::label::comments::names::{NameClass, is_parity, without_number};
use crate::label::comments::regions::{RegionFeatures, Regions, is_control, is_marked};
use crate::label::comments::signs::Sign;
use crate::label::extractor::PageView;
use dehusk_html::narrow;
use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

/// Maximum number of names of an element that are read, and maximum bytes of a name.
const MAX_NAMES: usize = 8;
const MAX_NAME: usize = 64;
/// Minimum number of members of a set that are signed and have a text.
const MIN_SIGNED: u32 = 2;
/// Minimum share of signed members among those with a text. Also the minimum share of members with both a
/// writer and a date among the signed ones, which is required if no name identifies the set.
const MIN_SHARE: f64 = 0.6;
/// Share of signed members at or above which the members without writer and date are not posts.
const NEARLY_ALL_SIGNED: f64 = 0.75;
/// Minimum words of text of a member, on average: with other evidence of a thread, and without.
const MIN_MEAN_WORDS: u32 = 4;
const MIN_MEAN_WORDS_ALONE: u32 = 8;
/// At most one in this many members has a headline of its own that links away, if the posts are the only
/// evidence of a thread.
const MAX_HEADLINES: usize = 5;
/// Maximum number of dates in a member. More dates belong to several posts.
const MAX_DATES: u32 = 8;
/// Share of the largest text from which another set counts as having the same text.
const NEARLY_ALL: f64 = 0.93;
/// Share of the largest text that a set named as posts must hold to be chosen. Other lists, such as of related threads, may be
/// longer.
const NAMED_ENOUGH: f64 = 0.2;
/// Minimum words of a linked line that may be a headline.
const MIN_HEADLINE: u32 = 4;
/// Minimum words of a linked line that is text.
pub(crate) const MIN_LINKED_TEXT: u32 = 15;
/// Maximum words of a form that readers write in.
const MAX_FORM: u32 = 60;
/// Maximum number of lines at the beginning of a member that are searched for its headline.
const LEAD: usize = 10;

/// Sums over the blocks of a context.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// Words of lines that are neither signatures nor links.
    words: u32,
    dates: u32,
    writers: u32,
}

impl Sums {
    fn add(&mut self, other: Sums) {
        self.words += other.words;
        self.dates += other.dates;
        self.writers += other.writers;
    }

    /// Subtracts the sums of a nested member.
    fn without(self, inner: Sums) -> Sums {
        Sums {
            words: self.words.saturating_sub(inner.words),
            dates: self.dates.saturating_sub(inner.dates),
            writers: self.writers.saturating_sub(inner.writers),
        }
    }

    fn is_signed(self) -> bool {
        self.dates > 0 || self.writers > 0
    }
}

/// Measurements of the page.
pub(crate) struct Structure<'v> {
    view: &'v PageView<'v>,
    features: &'v RegionFeatures,
    regions: &'v Regions,
    sums: Vec<Sums>,
    /// By context, whether it lies in a control. A form is a control if it holds few words: some forms contain all posts, so that
    /// moderators can mark them.
    controls: Vec<bool>,
    /// By context, the first visible block in it.
    first_block: Vec<Option<u32>>,
    signs: &'v [Sign],
}

/// A set of similar elements. Each member has the contexts of its elements: one, or several siblings.
struct Candidate {
    members: Vec<Vec<u32>>,
    /// Whether microdata mark most members as comments or answers.
    is_marked: bool,
    is_named: bool,
    is_reply: bool,
    depth: u32,
    /// Counts over members with a text. `signed`: members with a writer or a date. `both`: members with both.
    /// `words`: words of the signed members.
    signed: u32,
    both: u32,
    words: u32,
}

impl Candidate {
    /// Whether most signed members have both a writer and a date.
    fn has_both(&self) -> bool {
        f64::from(self.both) >= MIN_SHARE * f64::from(self.signed)
    }
}

impl<'v> Structure<'v> {
    pub(crate) fn of(view: &'v PageView<'v>, regions: &'v Regions, signs: &'v [Sign]) -> Structure<'v> {
        let features = regions.features();
        let contexts = view.table.contexts();
        let controls = controls(view, features);
        let mut sums = vec![Sums::default(); contexts.len()];
        let mut first_block = vec![None; contexts.len()];
        for (i, block) in view.shown_blocks() {
            let at = block.context as usize;
            first_block[at] = first_block[at].or(Some(narrow::to_u32(i)));
            let sign = &signs[i];
            // A link without an end tag may contain all that follows.
            let is_link = is_linked(block) && block.words < MIN_LINKED_TEXT;
            let is_text = !sign.is_any() && !sign.of_member && !is_link;
            sums[at].add(Sums {
                words: if is_text && !controls[at] {
                    view.table.counts()[i].tokens
                } else {
                    0
                },
                // Dates of changes (rank 1) do not count: only some posts have one.
                dates: u32::from(sign.date.as_ref().is_some_and(|date| date.rank > 1)),
                writers: u32::from(sign.writer.is_some()),
            });
        }
        // Parents precede their children, so in reverse order the sums of children are complete.
        for (i, context) in contexts.iter().enumerate().rev() {
            if let Some(parent) = context.parent.map(|parent| parent as usize) {
                let inner = sums[i];
                sums[parent].add(inner);
                first_block[parent] = match (first_block[parent], first_block[i]) {
                    (Some(a), Some(b)) => Some(u32::min(a, b)),
                    (a, b) => a.or(b),
                };
            }
        }
        Structure {
            view,
            features,
            regions,
            sums,
            controls,
            first_block,
            signs,
        }
    }

    /// Whether a context contains a writer or a date.
    pub(crate) fn is_signed(&self, context: u32) -> bool {
        self.sums[context as usize].is_signed()
    }

    /// Returns the number of words of text in a context.
    pub(crate) fn words(&self, context: u32) -> u32 {
        self.sums[context as usize].words
    }

    /// Returns the posts of the page, in document order, each as the contexts of its elements; empty if none are found.
    pub(crate) fn posts(&self) -> Vec<Vec<u32>> {
        let says_thread = self.view.metadata.stated.kind.is_some_and(PageKind::is_thread);
        let all = self.by_name().into_iter().chain(self.by_place());
        let mut all: Vec<Candidate> = all
            .filter_map(|candidate| self.weighed(candidate, says_thread))
            .collect();
        let most = |all: &[Candidate]| all.iter().map(|candidate| candidate.words).max().unwrap_or(0);
        let enough = NAMED_ENOUGH * f64::from(most(&all));
        let is_sure = |candidate: &Candidate| {
            candidate.is_named && candidate.has_both() && f64::from(candidate.words) >= enough
        };
        // Microdata outweigh names, and names outweigh structure alone.
        if all.iter().any(|candidate| candidate.is_marked) {
            all.retain(|candidate| candidate.is_marked);
        } else if all.iter().any(is_sure) {
            all.retain(|candidate| candidate.is_named);
        }
        let most = most(&all);
        // Sets with nearly the same text are the same posts at different depths.
        all.retain(|candidate| f64::from(candidate.words) >= NEARLY_ALL * f64::from(most));
        // Sets by name come first in the list, so they win ties.
        let best = all.into_iter().min_by_key(|candidate| {
            (
                Reverse(candidate.both),
                candidate.depth,
                Reverse(candidate.signed),
            )
        });
        best.map_or_else(Vec::new, |best| best.members)
    }

    /// Returns the sets of elements that share a name.
    fn by_name(&self) -> Vec<Candidate> {
        let contexts = self.view.table.contexts();
        let mut sets: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for (i, context) in contexts.iter().enumerate() {
            if self.sums[i].words == 0 || !self.may_be_post(i) {
                continue;
            }
            let names = self.view.table.names(context).split_ascii_whitespace();
            for name in names.take(MAX_NAMES).filter(|name| name.len() <= MAX_NAME) {
                let members = sets.entry(without_number(name)).or_default();
                // Two names of an element may differ in their number alone.
                let member = narrow::to_u32(i);
                if members.last() != Some(&member) {
                    members.push(member);
                }
            }
        }
        let sets = sets
            .into_iter()
            .filter(|(name, members)| !name.is_empty() && members.len() >= 2);
        sets.map(|(name, members)| {
            let class = NameClass::of(name);
            Candidate {
                is_marked: false,
                is_named: class.is_comment() || class.is_post(),
                is_reply: class.is_comment() || class.is_reply(),
                depth: members
                    .iter()
                    .map(|&member| self.features.depth(member))
                    .min()
                    .unwrap_or(0),
                members: members.into_iter().map(|member| vec![member]).collect(),
                signed: 0,
                both: 0,
                words: 0,
            }
        })
        .collect()
    }

    /// Returns the sets of siblings. A post begins with a signed element similar to the first signed one, and contains all
    /// siblings up to the next such element: name, text and buttons of a post may be rows of a table.
    fn by_place(&self) -> Vec<Candidate> {
        let contexts = self.view.table.contexts();
        let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (i, context) in contexts.iter().enumerate() {
            if let Some(parent) = context.parent
                && !self.controls[i]
            {
                children.entry(parent).or_default().push(narrow::to_u32(i));
            }
        }
        let mut out = Vec::new();
        for row in children.into_values().filter(|row| row.len() >= 2) {
            let signed = || row.iter().copied().filter(|&at| self.is_signed(at));
            // A writer begins a post more often than a date, which may be below the text.
            let named = signed().find(|&at| self.sums[at as usize].writers > 0);
            let Some(first) = named.or_else(|| signed().next()) else {
                continue;
            };
            // A kind that occurs once, such as the byline of an article beside its comments, is not the kind
            // of the posts.
            let of_kind = |kind| signed().filter(|&at| self.kind(at) == kind).count();
            let first = match of_kind(self.kind(first)) {
                1 => self.commonest(signed()).unwrap_or(first),
                _ => first,
            };
            let kind = self.kind(first);
            let begins = |at: u32| {
                self.is_signed(at)
                    && self.kind(at) == kind
                    && (named.is_none() || self.sums[at as usize].writers > 0)
            };
            let mut members: Vec<Vec<u32>> = Vec::new();
            for &at in &row {
                if begins(at) {
                    members.push(vec![at]);
                } else if let Some(last) = members.last_mut() {
                    last.push(at);
                }
            }
            if members.len() >= 2 {
                out.push(Candidate {
                    is_marked: false,
                    is_named: false,
                    is_reply: false,
                    depth: self.features.depth(first),
                    members,
                    signed: 0,
                    both: 0,
                    words: 0,
                });
            }
        }
        out
    }

    /// Returns the first of the elements whose kind is the commonest among them and occurs at least twice.
    fn commonest(&self, elements: impl Iterator<Item = u32>) -> Option<u32> {
        let mut kinds: BTreeMap<(Option<Tag>, &str), (u32, u32)> = BTreeMap::new();
        for at in elements {
            kinds.entry(self.kind(at)).or_insert((0, at)).0 += 1;
        }
        let kinds = kinds.into_values().filter(|(count, _)| *count >= 2);
        kinds
            .max_by_key(|&(count, at)| (count, Reverse(at)))
            .map(|(_, at)| at)
    }

    /// Returns the tag of an element and its first name that does not alternate between rows, without its
    /// number. Siblings of equal kind are similar.
    fn kind(&self, at: u32) -> (Option<Tag>, &str) {
        let context = &self.view.table.contexts()[at as usize];
        let mut names = self.view.table.names(context).split_ascii_whitespace();
        let name = names.find(|name| !is_parity(name)).unwrap_or("");
        (self.features.tag(at as usize), without_number(name))
    }

    /// Whether an element may be a post: it does not contain the page by its tag, and is not in a control.
    fn may_be_post(&self, i: usize) -> bool {
        let tag = self.features.tag(i);
        let holds_page = matches!(tag, None | Some(Tag::HTML | Tag::BODY | Tag::MAIN | Tag::NAV));
        !holds_page && !self.controls[i]
    }

    /// Returns a set with its counts, or `None` if its members are not posts.
    fn weighed(&self, mut candidate: Candidate, says_thread: bool) -> Option<Candidate> {
        candidate.members = self.without_parts(candidate.members);
        let own = self.own_sums(&candidate.members);
        let with_text: Vec<Sums> = own.iter().copied().filter(|own| own.words > 0).collect();
        let good = || {
            let fits = |own: &&Sums| own.is_signed() && own.dates <= MAX_DATES;
            with_text.iter().filter(fits)
        };
        candidate.signed = narrow::to_u32(good().count());
        candidate.words = good().map(|own| own.words).sum();
        candidate.both = narrow::to_u32(good().filter(|own| own.dates > 0 && own.writers > 0).count());
        let signed = f64::from(candidate.signed);
        if candidate.signed < MIN_SIGNED || signed < MIN_SHARE * with_text.len() as f64 {
            return None;
        }
        if candidate.has_both() && signed >= NEARLY_ALL_SIGNED * with_text.len() as f64 {
            // Boxes beside the posts may share their names: a notice above them, an advertisement, the head of the table.
            let is_post: Vec<bool> = own.iter().map(|own| own.words == 0 || own.is_signed()).collect();
            let members = std::mem::take(&mut candidate.members).into_iter().zip(is_post);
            candidate.members = members
                .filter(|(_, is_post)| *is_post)
                .map(|(member, _)| member)
                .collect();
        }
        let members = &candidate.members;
        let contexts = self.view.table.contexts();
        let marked = members.iter().filter(|member| {
            let element = contexts[member[0] as usize].element;
            is_marked(self.view.dom, element, true)
        });
        candidate.is_marked = 2 * marked.count() > members.len();
        let in_forum = || {
            members
                .iter()
                .filter(|member| self.regions.is_in_thread(member[0]))
                .count()
        };
        // The less evidence of a thread the page gives, the more the members have to show.
        let fits = if candidate.is_marked || candidate.is_reply {
            true
        } else if says_thread || 2 * in_forum() > members.len() {
            (candidate.is_named || candidate.has_both())
                && candidate.words >= MIN_MEAN_WORDS * candidate.signed
                && (says_thread || !self.are_teasers(members, candidate.is_named))
        } else {
            // The posts are the only evidence of a thread: signed teasers and boxes of an article are similar elements, too.
            candidate.has_both()
                && candidate.words >= MIN_MEAN_WORDS_ALONE * candidate.signed
                && !members.iter().any(|member| self.features.has_title(member[0]))
                && self.has_few_headlines(members)
        };
        fits.then_some(candidate)
    }

    /// Drops members that are parts of others: a member inside of another one, if either of them has no other text, or if the
    /// inner one is not signed. A comment nested in a comment has a text and a signature of its own.
    fn without_parts(&self, members: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
        let own = self.own_sums(&members);
        let mut around: Vec<usize> = Vec::new();
        // Members are in document order, so `around` is a stack of the members that contain the current one.
        let mut is_part = vec![false; members.len()];
        for (i, member) in members.iter().enumerate() {
            let holds = |outer: usize| {
                members[outer]
                    .iter()
                    .any(|&at| self.features.holds(at, member[0]))
            };
            while around.last().is_some_and(|&outer| !holds(outer)) {
                around.pop();
            }
            if let Some(&outer) = around.last() {
                is_part[i] = own[outer].words == 0 || own[i].words == 0 || !own[i].is_signed();
            }
            if !is_part[i] {
                around.push(i);
            }
        }
        let kept = members.into_iter().zip(is_part).filter(|(_, is_part)| !is_part);
        kept.map(|(member, _)| member).collect()
    }

    /// Returns the sums of each member, without the members inside of it.
    fn own_sums(&self, members: &[Vec<u32>]) -> Vec<Sums> {
        let mut own: Vec<Sums> = Vec::with_capacity(members.len());
        // Members are in document order, so `around` is a stack of the members that contain the current one.
        let mut around: Vec<usize> = Vec::new();
        for (i, member) in members.iter().enumerate() {
            let mut sums = Sums::default();
            for &element in member {
                sums.add(self.sums[element as usize]);
            }
            let holds = |outer: usize| {
                members[outer]
                    .iter()
                    .any(|&at| self.features.holds(at, member[0]))
            };
            while around.last().is_some_and(|&outer| !holds(outer)) {
                around.pop();
            }
            // Only the innermost member around this one loses its sums: members further out have lost them
            // with that member.
            if let Some(&outer) = around.last() {
                own[outer] = own[outer].without(sums);
            }
            around.push(i);
            own.push(sums);
        }
        own
    }

    /// Whether most members begin with headlines that link away, most of them different.
    fn are_teasers(&self, members: &[Vec<u32>], is_named: bool) -> bool {
        let headlines = self.headlines(members, is_named);
        let count = headlines.values().sum::<usize>();
        // At least three of five headlines are different: posts repeat the subject of their thread.
        2 * count > members.len() && 5 * headlines.len() >= 3 * count
    }

    /// Whether few members begin with a headline of their own that links away. The posts of a thread may all have its subject as a
    /// headline, which counts once. If most of them have it, other headlines are subjects that single posts changed.
    fn has_few_headlines(&self, members: &[Vec<u32>]) -> bool {
        let headlines = self.headlines(members, false);
        let most = headlines.values().max().copied().unwrap_or(0);
        headlines.len() <= (members.len() / MAX_HEADLINES).max(1) || 2 * most > members.len()
    }

    /// Returns the headlines that link away at the beginning of members, each with the number of its members.
    fn headlines(&self, members: &[Vec<u32>], is_named: bool) -> BTreeMap<String, usize> {
        let headlines = members
            .iter()
            .filter_map(|member| self.headline(member[0], is_named));
        let mut counts = BTreeMap::new();
        for headline in headlines {
            *counts.entry(headline).or_default() += 1;
        }
        counts
    }

    /// Returns the linked headline at the beginning of a member: a heading, or, unless names identify the elements as posts, a
    /// long line.
    fn headline(&self, member: u32, is_named: bool) -> Option<String> {
        let view = self.view;
        let first = self.first_block[member as usize]? as usize;
        let blocks = view.table.blocks().iter().zip(self.signs).skip(first).take(LEAD);
        let inside = blocks.take_while(|(block, _)| self.features.holds(member, block.context));
        let (headline, _) = inside
            // A writer or a date may also be a heading and a link.
            .filter(|(block, sign)| !view.is_hidden(block) && !sign.is_any() && is_linked(block))
            .find(|(block, _)| block.heading > 0 || !is_named && block.words >= MIN_HEADLINE)?;
        let node = *view.table.nodes(headline).last()?;
        let link = view
            .dom
            .ancestors(node)
            .find(|&at| view.dom.html_tag(at) == Some(Tag::A))?;
        let target = view.dom.known_attr(link, AttrName::HREF)?;
        let text = view.table.text(headline).to_lowercase();
        // Answers repeat the subject of the thread after `Re:`.
        let text = text.trim_start_matches("re:").trim();
        (!target.trim_start().starts_with('#')).then(|| text.to_owned())
    }
}

/// Returns by context whether it lies in a control.
fn controls(view: &PageView<'_>, features: &RegionFeatures) -> Vec<bool> {
    let contexts = view.table.contexts();
    let mut words = vec![0_u32; contexts.len()];
    for (_, block) in view.shown_blocks() {
        words[block.context as usize] += block.words;
    }
    // Parents precede their children, so each sum is complete before it is passed up.
    for (i, context) in contexts.iter().enumerate().rev() {
        if let Some(parent) = context.parent {
            words[parent as usize] += words[i];
        }
    }
    let mut controls: Vec<bool> = Vec::with_capacity(contexts.len());
    for (i, context) in contexts.iter().enumerate() {
        let above = context.parent.is_some_and(|parent| controls[parent as usize]);
        let tag = features.tag(i);
        let is_one = match tag {
            Some(Tag::FORM) => words[i] <= MAX_FORM && is_written_in(view.dom, context.element),
            tag => is_control(tag),
        };
        controls.push(above || is_one);
    }
    controls
}

/// Whether a form has a field to write in.
fn is_written_in(dom: &Dom<'_>, form: NodeId) -> bool {
    const MAX_NODES: usize = 400;
    let mut inside = dom.preorder(form).take(MAX_NODES);
    inside.any(|node| matches!(dom.html_tag(node), Some(Tag::TEXTAREA | Tag::INPUT)))
}

/// Whether a block is mostly links.
fn is_linked(block: &Block) -> bool {
    const MOSTLY: f64 = 0.6;
    block.link_density() > MOSTLY
}
