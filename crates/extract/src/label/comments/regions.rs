//! Finds the elements that hold one comment each, by microdata and names.

use std::collections::BTreeMap;

use crate::analysis::blocks::block::Context;
use crate::analysis::metadata::kind::PageKind;
use crate::label::comments::names::{NameClass, without_number};
use crate::label::comments::roles::is_signature;
use crate::label::extractor::PageView;
use crate::label::labels::Labels;
use dehusk_html::narrow;
use dehusk_html::tree::{AttrName, Dom, NodeId, Tag};

/// Minimum share of a region's text that elements of one name must hold to be its comments.
const MIN_SHARE: f64 = 0.5;

/// Size of a group with one element, which may be a comment only if it has a writer or a date.
const SINGLE: usize = 1;

/// The elements that hold one comment each.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    /// By context, whether it lies in an element with a name of forums.
    threads: Vec<bool>,
    /// By context, whether it lies in an element named as a container of comments.
    around: Vec<bool>,
    /// By context, the context of the innermost comment that it lies in.
    items: Vec<Option<u32>>,
    features: RegionFeatures,
}

/// Whether an element around a kept block has a name of comments or is marked as a comment.
pub(crate) fn may_hold(view: &PageView<'_>, labels: &Labels) -> bool {
    let traits = view.name_traits();
    any_around_kept(view, labels, |context| {
        // A cheap test first: most names have no part of a name of comments.
        let by_name = traits[context.names()].may_be_comment && has_comment(view.table.names(context));
        by_name || is_marked(view.dom, context.element, true)
    })
}

/// Whether the page declares itself a thread, or several elements around kept blocks have the same name of posts.
pub(crate) fn may_be_thread(view: &PageView<'_>, labels: &Labels) -> bool {
    const MIN_POSTS: u32 = 3;
    if view.metadata.stated.kind.is_some_and(PageKind::is_thread) {
        return true;
    }
    let traits = view.name_traits();
    let mut posts: BTreeMap<&str, u32> = BTreeMap::new();
    any_around_kept(view, labels, |context| {
        // A cheap test first, as in `may_hold`.
        if !traits[context.names()].may_be_post {
            return false;
        }
        let mut names = view.table.names(context).split_ascii_whitespace();
        names.any(|name| {
            if !NameClass::of(name).is_post() {
                return false;
            }
            let count = posts.entry(without_number(name)).or_default();
            *count += 1;
            *count >= MIN_POSTS
        })
    })
}

/// Whether an element around a kept block meets a condition, which is asked once for each element until it holds.
pub(crate) fn any_around_kept(
    view: &PageView<'_>,
    labels: &Labels,
    mut is_met: impl FnMut(&Context) -> bool,
) -> bool {
    let contexts = view.table.contexts();
    // Contexts already visited, where the walk upwards ends: most blocks share most of their ancestors.
    let mut seen = vec![false; contexts.len()];
    for (_, block) in labels.kept(view.table) {
        let mut at = Some(block.context);
        while let Some(i) = at {
            if std::mem::replace(&mut seen[i as usize], true) {
                break;
            }
            let context = &contexts[i as usize];
            if is_met(context) {
                return true;
            }
            at = context.parent;
        }
    }
    false
}

/// Whether one of these names is a name of comments, or of replies in threads.
fn has_comment(names: &str) -> bool {
    let mut classes = names.split_ascii_whitespace().map(NameClass::of);
    classes.any(|class| class.is_comment() || class.is_post() && class.is_reply())
}

/// Whether microdata mark an element as a comment. Answers to questions are comments if readers give them (`by_readers`), but not
/// if the site does, as in lists of frequent questions.
pub(crate) fn is_marked(dom: &Dom<'_>, element: NodeId, by_readers: bool) -> bool {
    let mut attrs = dom.attrs_of(element).iter();
    // Most elements have no microdata: one walk over the attributes spares two look-ups.
    if !attrs.any(|attr| attr.is(AttrName::ITEMPROP) || attr.is(AttrName::ITEMTYPE)) {
        return false;
    }
    let is = |name: AttrName, test: &dyn Fn(&str) -> bool| {
        dom.known_attr(element, name)
            .is_some_and(|value| test(value.trim()))
    };
    is(AttrName::ITEMPROP, &|v| v == "comment")
        || is(AttrName::ITEMTYPE, &|v| {
            let name = v.rsplit('/').next().unwrap_or("");
            let comment = matches!(name, "Comment" | "UserComments") || by_readers && name == "Answer";
            comment && v.contains("schema.org")
        })
}

/// Whether a page declares that readers answer the questions on it.
fn is_asked_by_readers(view: &PageView<'_>) -> bool {
    view.metadata.stated.kind == Some(PageKind::Question)
        && view.table.contexts().iter().any(|context| {
            let kind = view.dom.known_attr(context.element, AttrName::ITEMTYPE);
            kind.is_some_and(|kind| kind.trim().ends_with("/QAPage"))
        })
}

/// Whether an element never holds comments, whatever its name.
fn holds_no_comments(tag: Option<Tag>) -> bool {
    matches!(
        tag,
        None | Some(
            Tag::HTML
                | Tag::BODY
                | Tag::MAIN
                | Tag::NAV
                | Tag::A
                | Tag::BUTTON
                | Tag::FORM
                | Tag::SPAN
                | Tag::LABEL
                | Tag::H1
                | Tag::H2
                | Tag::H3
                | Tag::H4
                | Tag::H5
                | Tag::H6
                | Tag::P
                | Tag::EM
                | Tag::STRONG
                | Tag::TIME
        )
    )
}

/// Whether an element is a control, such as the form in which readers write comments.
pub(crate) fn is_control(tag: Option<Tag>) -> bool {
    matches!(
        tag,
        Some(Tag::FORM | Tag::BUTTON | Tag::LABEL | Tag::SELECT | Tag::NAV)
    )
}

/// Measurements of each context.
#[derive(Debug, Default)]
pub(crate) struct RegionFeatures {
    /// By context, characters of the visible blocks in it, without those of controls.
    chars: Vec<u32>,
    depth: Vec<u32>,
    /// By context, whether it contains an `h1`.
    has_title: Vec<bool>,
    tags: Vec<Option<Tag>>,
    /// By context, the number of the last context inside it, or its own number.
    ends: Vec<u32>,
}

impl RegionFeatures {
    /// Returns the last context inside one, or its own number.
    pub(crate) fn end(&self, context: u32) -> u32 {
        self.ends[context as usize]
    }

    /// Whether a context contains an `h1`.
    pub(crate) fn has_title(&self, context: u32) -> bool {
        self.has_title[context as usize]
    }

    /// Returns the number of contexts above a context.
    pub(crate) fn depth(&self, context: u32) -> u32 {
        self.depth[context as usize]
    }

    pub(crate) fn tag(&self, context: usize) -> Option<Tag> {
        self.tags[context]
    }

    /// Whether `inner` is `outer` itself or lies in it.
    pub(crate) fn holds(&self, outer: u32, inner: u32) -> bool {
        (outer..=self.ends[outer as usize]).contains(&inner)
    }

    pub(crate) fn of(view: &PageView<'_>) -> RegionFeatures {
        let contexts = view.table.contexts();
        let tags: Vec<_> = contexts.iter().map(|c| view.dom.html_tag(c.element)).collect();
        let mut controls = vec![false; contexts.len()];
        let mut depth = vec![0; contexts.len()];
        for (i, context) in contexts.iter().enumerate() {
            let above = context.parent.map(|p| p as usize);
            controls[i] = is_control(tags[i]) || above.is_some_and(|p| controls[p]);
            depth[i] = above.map_or(0, |p| depth[p] + 1);
        }
        let (mut chars, mut has_title) = (vec![0; contexts.len()], vec![false; contexts.len()]);
        for (_, block) in view.shown_blocks() {
            let at = block.context as usize;
            has_title[at] |= block.heading == 1;
            if !controls[at] {
                chars[at] += block.chars;
            }
        }
        // Parents precede their children, so in reverse order the values of children are complete.
        let mut ends: Vec<u32> = (0..narrow::to_u32(contexts.len())).collect();
        for (i, context) in contexts.iter().enumerate().rev() {
            if let Some(p) = context.parent.map(|p| p as usize) {
                ends[p] = ends[p].max(ends[i]);
                chars[p] += chars[i];
                has_title[p] |= has_title[i];
            }
        }
        RegionFeatures {
            chars,
            depth,
            has_title,
            tags,
            ends,
        }
    }
}

/// The kinds of names that an element has.
struct NamesFound {
    comment: bool,
    forum: bool,
}

impl NamesFound {
    fn of(names: &str) -> NamesFound {
        let classes = names.split_ascii_whitespace().map(NameClass::of);
        let nothing = NamesFound {
            comment: false,
            forum: false,
        };
        classes.fold(nothing, |found, class| NamesFound {
            comment: found.comment || class.is_comment(),
            forum: found.forum || class.is_forum(),
        })
    }
}

impl Regions {
    /// Finds comments by microdata, or else by the names of elements; on pages that declare themselves threads, also posts.
    pub(crate) fn find(view: &PageView<'_>) -> Regions {
        let contexts = view.table.contexts();
        let features = RegionFeatures::of(view);
        let by_readers = is_asked_by_readers(view);
        let of_names: Vec<NamesFound> = view.table.all_names().map(NamesFound::of).collect();
        let marked = contexts
            .iter()
            .map(|c| is_marked(view.dom, c.element, by_readers));
        let mut chosen: Vec<bool> = marked.collect();
        let mut around = vec![false; contexts.len()];
        // Names count only if no element is marked by microdata.
        if !chosen.contains(&true) {
            let roots = outermost(contexts, |i| {
                of_names[contexts[i].names()].comment
                    && !features.has_title[i]
                    && !holds_no_comments(features.tags[i])
            });
            for (i, is) in items(view, &features, &roots, NameClass::is_comment, SINGLE)
                .into_iter()
                .enumerate()
            {
                chosen[i] = is;
            }
            if chosen.contains(&true) {
                around = roots;
            }
            if view.metadata.stated.kind.is_some_and(PageKind::is_thread) {
                let roots = outermost(contexts, |i| contexts[i].parent.is_none());
                let mut posts = items(view, &features, &roots, NameClass::is_post, SINGLE + 1);
                // The other posts reply to the first one, so it is not a comment unless it is named as a
                // reply.
                let first = posts.iter().position(|&is| is);
                if let Some(first) = first
                    && !view
                        .table
                        .names(&contexts[first])
                        .split_ascii_whitespace()
                        .any(|n| NameClass::of(n).is_reply())
                {
                    posts[first] = false;
                }
                for (i, is) in posts.into_iter().enumerate() {
                    chosen[i] |= is;
                }
            }
        }
        // Parents precede their children, so the mark reaches all descendants.
        for (i, context) in contexts.iter().enumerate() {
            around[i] |= context.parent.is_some_and(|parent| around[parent as usize]);
        }
        let mut threads: Vec<bool> = Vec::with_capacity(contexts.len());
        let mut items: Vec<Option<u32>> = Vec::with_capacity(contexts.len());
        for (i, context) in contexts.iter().enumerate() {
            let above = context.parent.and_then(|p| items[p as usize]);
            items.push(if chosen[i] { Some(narrow::to_u32(i)) } else { above });
            let above = context.parent.is_some_and(|p| threads[p as usize]);
            threads.push(above || of_names[context.names()].forum);
        }
        Regions {
            threads,
            around,
            items,
            features,
        }
    }

    /// Returns the measurements of each context.
    pub(crate) fn features(&self) -> &RegionFeatures {
        &self.features
    }

    /// Returns the contexts that hold one comment each, in document order.
    pub(crate) fn items(&self) -> impl Iterator<Item = u32> {
        let items = self.items.iter().zip(0_u32..);
        items.filter_map(|(item, at)| (*item == Some(at)).then_some(at))
    }

    /// Returns the context of the innermost comment that contains a block.
    pub(crate) fn item_of(&self, view: &PageView<'_>, block: usize) -> Option<u32> {
        self.items[view.table.blocks()[block].context as usize]
    }

    /// Whether a block lies in an element named as a container of comments.
    pub(crate) fn is_around(&self, view: &PageView<'_>, block: usize) -> bool {
        self.around[view.table.blocks()[block].context as usize]
    }

    /// Whether a context lies in an element with a name of forums.
    pub(crate) fn is_in_thread(&self, context: u32) -> bool {
        self.threads[context as usize]
    }
}

/// Returns by context whether it fits and lies in no other context that fits.
fn outermost(contexts: &[Context], fits: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut inside = vec![false; contexts.len()];
    let mut out = vec![false; contexts.len()];
    for (i, context) in contexts.iter().enumerate() {
        let above = context.parent.is_some_and(|p| inside[p as usize]);
        out[i] = !above && fits(i);
        inside[i] = above || out[i];
    }
    out
}

/// Elements of the same tag and name, which may be the comments of a region.
struct NameGroup {
    members: Vec<u32>,
    /// Characters in its outermost members.
    chars: u32,
    depth: u32,
    fits: bool,
}

/// Returns by context whether it holds one comment.
///
/// Candidates are the groups that hold most of the text in `roots`. Groups whose name fits are preferred, then groups of several
/// members, then outer ones.
fn items(
    view: &PageView<'_>,
    features: &RegionFeatures,
    roots: &[bool],
    fits: impl Fn(NameClass) -> bool,
    min_members: usize,
) -> Vec<bool> {
    let contexts = view.table.contexts();
    let mut inside = vec![false; contexts.len()];
    let mut groups: BTreeMap<(&str, &str), NameGroup> = BTreeMap::new();
    let mut all = 0;
    for (i, context) in contexts.iter().enumerate() {
        inside[i] = roots[i] || context.parent.is_some_and(|p| inside[p as usize]);
        all += if roots[i] { features.chars[i] } else { 0 };
        if !inside[i]
            || features.chars[i] == 0
            || holds_no_comments(features.tags[i])
            || is_control(features.tags[i])
        {
            continue;
        }
        let tag = view.dom.name(context.element);
        // Elements with these tags may be comments without any name of their own.
        let without_name = match features.tags[i] {
            Some(Tag::LI | Tag::ARTICLE | Tag::TR | Tag::DD) => Some(""),
            _ => None,
        };
        let names = view
            .table
            .names(context)
            .split_ascii_whitespace()
            .map(without_number);
        for name in names.filter(|name| !name.is_empty()).chain(without_name) {
            let class = NameClass::of(name);
            if class.is_container() || name.is_empty() && i == 0 {
                continue;
            }
            let group = groups.entry((tag, name)).or_insert_with(|| NameGroup {
                members: Vec::new(),
                chars: 0,
                depth: features.depth[i],
                fits: fits(class),
            });
            // Two names of an element may differ in their number alone.
            let member = narrow::to_u32(i);
            if group.members.last() != Some(&member) {
                group.members.push(member);
            }
        }
    }
    for group in groups.values_mut() {
        // Members are in document order, so the members inside an outermost one follow it directly.
        let mut last: Option<u32> = None;
        for &member in &group.members {
            if last.is_none_or(|last| member > features.ends[last as usize]) {
                group.chars += features.chars[member as usize];
                group.depth = group.depth.min(features.depth[member as usize]);
                last = Some(member);
            }
        }
    }
    let least = MIN_SHARE * f64::from(all);
    let enough = |group: &&NameGroup| f64::from(group.chars) >= least && group.members.len() >= min_members;
    // A group whose name does not fit needs several members, and is never taken for the posts of a thread
    // (`min_members` above 1).
    let best = groups
        .values()
        .filter(enough)
        .filter(|group| group.fits || (group.members.len() > SINGLE && min_members == SINGLE))
        .min_by_key(|group| {
            (
                !group.fits,
                group.members.len() == 1,
                group.depth,
                group.members.len(),
            )
        });
    let mut out = vec![false; contexts.len()];
    let Some(best) = best else { return out };
    if !best.fits || best.members.len() == SINGLE {
        // The name does not distinguish comments from notices here, so half of the elements must have a writer or a date.
        let has_signature = has_signature(view, &inside);
        let count = best
            .members
            .iter()
            .filter(|&&member| has_signature[member as usize])
            .count();
        if 2 * count < best.members.len() || count == 0 {
            return out;
        }
    }
    for &member in &best.members {
        out[member as usize] = true;
    }
    out
}

/// Returns by context whether it contains a text that is marked as a writer's name or a date. Only contexts `inside` are
/// searched.
fn has_signature(view: &PageView<'_>, inside: &[bool]) -> Vec<bool> {
    let contexts = view.table.contexts();
    let mut out = vec![false; contexts.len()];
    for block in view
        .table
        .blocks()
        .iter()
        .filter(|b| !view.is_hidden(b) && inside[b.context as usize])
    {
        out[block.context as usize] |= is_signature(view, block);
    }
    // Parents precede their children, so each entry is complete before it is passed up.
    for (i, context) in contexts.iter().enumerate().rev() {
        if let Some(parent) = context.parent {
            out[parent as usize] |= out[i];
        }
    }
    out
}
