//! Where comments stand: the elements that hold one each.

use std::collections::BTreeMap;

use crate::analysis::blocks::block::Context;
use crate::analysis::metadata::kind::PageKind;
use crate::label::comments::names::NameClass;
use crate::label::comments::roles::is_signature;
use crate::label::extractor::PageView;
use crate::label::labels::Labels;
use dehusk_html::tree::{Dom, NodeId, Tag};

/// Share of a region's text that the items of one kind must hold to be its comments.
const MOST: f64 = 0.5;

/// Items that page furniture has no part in, so few that one alone may be a comment.
const ALONE: usize = 1;

/// The elements that hold one comment each.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    /// Whether each context lies in an element that is named as those of forums.
    threads: Vec<bool>,
    /// For each context the context of the innermost comment that it lies in.
    items: Vec<Option<u32>>,
}

/// Whether a kept block may be a comment by the names of the elements above it.
pub(crate) fn may_hold(view: &PageView<'_>, labels: &Labels) -> bool {
    let contexts = view.table.contexts();
    // What was found for each context: most blocks share most of what is above them.
    let mut seen = vec![false; contexts.len()];
    let mut names_seen = vec![false; view.table.all_names().len()];
    for (_, block) in labels.kept(view.table) {
        let mut at = Some(block.context);
        while let Some(i) = at {
            if std::mem::replace(&mut seen[i as usize], true) {
                break;
            }
            let context = &contexts[i as usize];
            let classes = || {
                view.table
                    .names(context)
                    .split_ascii_whitespace()
                    .map(NameClass::of)
            };
            let new = !std::mem::replace(&mut names_seen[context.names()], true);
            if new && classes().any(|class| class.comment() || class.post() && class.answer())
                || is_marked(view.dom, context.element, true)
            {
                return true;
            }
            at = context.parent;
        }
    }
    false
}

/// Whether microdata call an element a comment. Answers to questions are comments where readers give them: lists of
/// questions that a site answers itself are none.
fn is_marked(dom: &Dom<'_>, element: NodeId, asked: bool) -> bool {
    let attrs = dom.attrs_of(element);
    if attrs.is_empty() {
        return false;
    }
    let is = |name: &str, test: &dyn Fn(&str) -> bool| {
        dom.attr(element, name).is_some_and(|value| test(value.trim()))
    };
    is("itemprop", &|v| v == "comment")
        || is("itemtype", &|v| {
            let name = v.rsplit('/').next().unwrap_or("");
            let comment = matches!(name, "Comment" | "UserComments") || asked && name == "Answer";
            comment && v.contains("schema.org")
        })
}

/// Whether a page calls itself one of questions that readers answer.
fn is_asked_by_readers(view: &PageView<'_>) -> bool {
    view.metadata.kind == Some(PageKind::Question)
        && view.table.contexts().iter().any(|context| {
            let kind = view.dom.attr(context.element, "itemtype");
            kind.is_some_and(|kind| kind.trim().ends_with("/QAPage"))
        })
}

/// Elements that hold no comments, whatever their names say.
fn is_frame(tag: Option<Tag>) -> bool {
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

/// Elements that readers write with.
fn is_control(tag: Option<Tag>) -> bool {
    matches!(
        tag,
        Some(Tag::FORM | Tag::BUTTON | Tag::LABEL | Tag::SELECT | Tag::NAV)
    )
}

/// What is known of each context.
struct RegionFeatures {
    /// Characters of the visible lines below, those of controls left out.
    chars: Vec<u32>,
    depth: Vec<u32>,
    /// Whether a heading of the first level lies below.
    titled: Vec<bool>,
    tags: Vec<Option<Tag>>,
    /// Number of the last context below each, or its own.
    ends: Vec<u32>,
}

impl RegionFeatures {
    fn of(view: &PageView<'_>) -> RegionFeatures {
        let contexts = view.table.contexts();
        let tags: Vec<_> = contexts.iter().map(|c| view.dom.html_tag(c.element)).collect();
        let mut controls = vec![false; contexts.len()];
        let mut depth = vec![0; contexts.len()];
        for (i, context) in contexts.iter().enumerate() {
            let above = context.parent.map(|p| p as usize);
            controls[i] = is_control(tags[i]) || above.is_some_and(|p| controls[p]);
            depth[i] = above.map_or(0, |p| depth[p] + 1);
        }
        let (mut chars, mut titled) = (vec![0; contexts.len()], vec![false; contexts.len()]);
        for block in view.table.blocks().iter().filter(|b| !b.hidden) {
            let at = block.context as usize;
            titled[at] |= block.heading == 1;
            if !controls[at] {
                chars[at] += block.chars;
            }
        }
        let mut ends: Vec<u32> = (0..contexts.len() as u32).collect();
        for (i, context) in contexts.iter().enumerate().rev() {
            if let Some(p) = context.parent.map(|p| p as usize) {
                ends[p] = ends[p].max(ends[i]);
                chars[p] += chars[i];
                titled[p] |= titled[i];
            }
        }
        RegionFeatures {
            chars,
            depth,
            titled,
            tags,
            ends,
        }
    }
}

impl Regions {
    /// Finds comments by microdata, else by the names of elements; on pages that call themselves threads also posts.
    pub(crate) fn find(view: &PageView<'_>) -> Regions {
        let contexts = view.table.contexts();
        let features = RegionFeatures::of(view);
        let asked = is_asked_by_readers(view);
        let marked = contexts.iter().map(|c| is_marked(view.dom, c.element, asked));
        let mut chosen: Vec<bool> = marked.collect();
        if !chosen.contains(&true) {
            let comment = |context: &Context| {
                let mut names = view.table.names(context).split_ascii_whitespace();
                names.any(|name| NameClass::of(name).comment())
            };
            let named: Vec<bool> = contexts.iter().map(comment).collect();
            let roots = outermost(contexts, |i| {
                named[i] && !features.titled[i] && !is_frame(features.tags[i])
            });
            for (i, is) in items(view, &features, &roots, NameClass::comment, ALONE)
                .into_iter()
                .enumerate()
            {
                chosen[i] = is;
            }
            if matches!(view.metadata.kind, Some(PageKind::Forum | PageKind::Question)) {
                let roots = outermost(contexts, |i| contexts[i].parent.is_none());
                let mut posts = items(view, &features, &roots, NameClass::post, ALONE + 1);
                // The first post is what the others answer, unless its name says that it answers, too.
                let first = posts.iter().position(|&is| is);
                if let Some(first) = first
                    && !view
                        .table
                        .names(&contexts[first])
                        .split_ascii_whitespace()
                        .any(|n| NameClass::of(n).answer())
                {
                    posts[first] = false;
                }
                for (i, is) in posts.into_iter().enumerate() {
                    chosen[i] |= is;
                }
            }
        }
        let mut threads: Vec<bool> = Vec::with_capacity(contexts.len());
        let mut items: Vec<Option<u32>> = Vec::with_capacity(contexts.len());
        for (i, context) in contexts.iter().enumerate() {
            let above = context.parent.and_then(|p| items[p as usize]);
            items.push(if chosen[i] { Some(i as u32) } else { above });
            let above = context.parent.is_some_and(|p| threads[p as usize]);
            let mut names = view.table.names(context).split_ascii_whitespace();
            threads.push(above || names.any(|name| NameClass::of(name).forum()));
        }
        Regions { threads, items }
    }

    /// Context of the innermost comment that a block stands in.
    pub(crate) fn item_of(&self, view: &PageView<'_>, block: usize) -> Option<u32> {
        self.items[view.table.blocks()[block].context as usize]
    }

    /// Whether a block stands in an element that is named as those of forums.
    pub(crate) fn in_thread(&self, view: &PageView<'_>, block: usize) -> bool {
        self.threads[view.table.blocks()[block].context as usize]
    }

    /// Context of the comment that holds this one.
    pub(crate) fn enclosing(&self, view: &PageView<'_>, item: u32) -> Option<u32> {
        let parent = view.table.contexts()[item as usize].parent?;
        self.items[parent as usize]
    }
}

/// Contexts that fit and lie in none that fits.
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

/// Elements of one name: a kind of item that a region may consist of.
struct Kind {
    members: Vec<u32>,
    /// Characters below members that lie in no other.
    chars: u32,
    depth: u32,
    fits: bool,
}

/// The elements that hold one item each: of those kinds that hold most of the text below `roots`, the outermost whose name
/// fits, else the outermost.
fn items(
    view: &PageView<'_>,
    features: &RegionFeatures,
    roots: &[bool],
    fits: impl Fn(NameClass) -> bool,
    fewest: usize,
) -> Vec<bool> {
    let contexts = view.table.contexts();
    let mut inside = vec![false; contexts.len()];
    let mut kinds: BTreeMap<(&str, &str), Kind> = BTreeMap::new();
    let mut all = 0;
    for (i, context) in contexts.iter().enumerate() {
        inside[i] = roots[i] || context.parent.is_some_and(|p| inside[p as usize]);
        all += if roots[i] { features.chars[i] } else { 0 };
        if !inside[i] || features.chars[i] == 0 || is_frame(features.tags[i]) || is_control(features.tags[i])
        {
            continue;
        }
        let tag = view.dom.name(context.element);
        let bare = match features.tags[i] {
            Some(Tag::LI | Tag::ARTICLE | Tag::TR | Tag::DD) => Some(""),
            _ => None,
        };
        let names = view
            .table
            .names(context)
            .split_ascii_whitespace()
            .map(kind_of_name);
        for name in names.filter(|name| !name.is_empty()).chain(bare) {
            let class = NameClass::of(name);
            if class.several() || name.is_empty() && i == 0 {
                continue;
            }
            let kind = kinds.entry((tag, name)).or_insert_with(|| Kind {
                members: Vec::new(),
                chars: 0,
                depth: features.depth[i],
                fits: fits(class),
            });
            if kind.members.last() != Some(&(i as u32)) {
                kind.members.push(i as u32);
            }
        }
    }
    for kind in kinds.values_mut() {
        // Members come in document order: those below the last outermost one follow it.
        let mut last: Option<u32> = None;
        for &member in &kind.members {
            if last.is_none_or(|last| member > features.ends[last as usize]) {
                kind.chars += features.chars[member as usize];
                kind.depth = kind.depth.min(features.depth[member as usize]);
                last = Some(member);
            }
        }
    }
    let most = MOST * f64::from(all);
    let enough = |kind: &&Kind| f64::from(kind.chars) >= most && kind.members.len() >= fewest;
    let best = kinds
        .values()
        .filter(enough)
        .filter(|kind| kind.fits || (kind.members.len() > ALONE && fewest == ALONE))
        .min_by_key(|kind| {
            (
                !kind.fits,
                kind.members.len() == 1,
                kind.depth,
                kind.members.len(),
            )
        });
    let mut out = vec![false; contexts.len()];
    let Some(best) = best else { return out };
    if !best.fits || best.members.len() == ALONE {
        // Nothing but who wrote it, or when, tells a comment from a notice.
        let signed = signed(view, &inside);
        let count = best
            .members
            .iter()
            .filter(|&&member| signed[member as usize])
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

/// Below which of the contexts `inside` a text is marked as a writer's name or a date.
fn signed(view: &PageView<'_>, inside: &[bool]) -> Vec<bool> {
    let contexts = view.table.contexts();
    let mut out = vec![false; contexts.len()];
    for block in view
        .table
        .blocks()
        .iter()
        .filter(|b| !b.hidden && inside[b.context as usize])
    {
        out[block.context as usize] |= is_signature(view, block);
    }
    for (i, context) in contexts.iter().enumerate().rev() {
        if let Some(parent) = context.parent {
            out[parent as usize] |= out[i];
        }
    }
    out
}

/// A class or id without the number at its end.
fn kind_of_name(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '_'))
}
