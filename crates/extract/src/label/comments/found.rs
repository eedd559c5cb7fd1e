//! Finds the comments of a page: by microdata and names, and by structure.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::blocks::block::Block;
use crate::analysis::metadata::date::day_of;
use crate::analysis::metadata::kind::PageKind;
use crate::label::comments::body::Bodies;
use crate::label::comments::comment::Comment;
use crate::label::comments::item;
use crate::label::comments::items::Items;
use crate::label::comments::names::NameClass;
use crate::label::comments::posts::Structure;
use crate::label::comments::regions::Regions;
use crate::label::comments::signs::{DateSign, Sign, WriterSign, signs};
use crate::label::comments::thread::Evidence;
use crate::label::extractor::PageView;
use crate::label::labels::Labels;
use dehusk_html::tree::{AttrName, Tag};

/// Minimum words of a post besides those of a comment nested in it.
const MIN_OWN: u32 = 2;

/// Posts outside of the named comments win if they have more than this number of times the words.
const FEW: u32 = 3;

/// The comments of a page.
pub(crate) struct Found {
    items: Items,
    /// The post that opens the thread; `None` if it is not one of the items.
    first: Option<u32>,
    /// In document order.
    pub(crate) comments: Vec<Comment>,
}

impl Found {
    /// Whether a block lies in a comment other than the opening post of the thread.
    pub(crate) fn is_reply(&self, view: &PageView<'_>, block: usize) -> bool {
        let item = self.items.of_block(view, block);
        item.is_some() && item != self.first
    }

    /// Returns the number of comments with a shown block that meets a condition.
    pub(crate) fn count_with(&self, view: &PageView<'_>, is_met: impl Fn(&Block) -> bool) -> usize {
        let blocks = view.shown_blocks().filter(|(_, block)| is_met(block));
        let items: BTreeSet<u32> = blocks.filter_map(|(i, _)| self.items.of_block(view, i)).collect();
        items.len()
    }
}

/// Finds the comments of a page. `regions` has those found by microdata and names.
pub(crate) fn find(view: &PageView<'_>, labels: &Labels, regions: &Regions) -> Found {
    let signs = signs(view);
    let structure = Structure::of(view, regions, &signs);
    let items = items(view, regions, &structure);
    let mut found = Found {
        first: None,
        comments: Vec::new(),
        items,
    };
    if found.items.is_empty() {
        return found;
    }
    let mut comments = item::read(view, &found.items, &signs);
    let is_inside = |block: usize| found.items.of_block(view, block).is_some();
    let evidence = Evidence::of(view, labels, regions, &is_inside);
    if evidence.is_thread() && !has_page_before(view) {
        let replies = comments
            .first()
            .is_some_and(|(item, _)| is_named_reply(view, *item));
        // The answers to a question need no names of replies. A kept text before them is the question.
        let is_question = view.metadata.stated.kind == Some(PageKind::Question);
        let is_kept = |&i: &usize| labels.verdicts[i].kept;
        let answers = replies || is_question && evidence.body().iter().any(is_kept);
        if answers && !evidence.opening().is_empty() {
            if let Some(opening) = opening(view, labels, &evidence, (&found.items, &signs)) {
                // The opening becomes the first comment, so all indexes move by one.
                for (_, comment) in &mut comments {
                    comment.reply_to = comment.reply_to.map(|answered| answered + 1);
                }
                comments.insert(0, (u32::MAX, opening));
            }
        } else if let Some((item, comment)) = comments.first_mut()
            && !answers
        {
            comment.first = true;
            found.first = Some(*item);
        }
    }
    found.comments = comments.into_iter().map(|(_, comment)| comment).collect();
    found
}

/// Parts of the posts of a thread, as numbers of blocks.
#[derive(Debug, Default)]
pub(crate) struct PostParts {
    /// Lines of posts beside their texts: what a forum shows about its members, and their signatures.
    /// Headings, the subject above the first text, and longer lines are not included.
    pub(crate) beside: Vec<usize>,
    /// The visible text of each post, without quotations and lines that name a writer or a date.
    pub(crate) texts: Vec<Vec<usize>>,
}

/// Finds the parts of posts.
pub(crate) fn post_parts(view: &PageView<'_>, regions: &Regions) -> PostParts {
    const MIN_SUBJECT: u32 = 4;
    const MAX_TOKENS: u32 = 12;
    let signs = signs(view);
    let structure = Structure::of(view, regions, &signs);
    let items = items(view, regions, &structure);
    if items.is_empty() {
        return PostParts::default();
    }
    let bodies = Bodies::learn(view, &items, &signs);
    let counts = view.table.counts();
    let quotes: Vec<bool> = view.table.all_names().map(names_quotation).collect();
    let contexts = view.table.contexts();
    let is_quoted = |context: u32, body: u32| {
        let mut above = std::iter::successors(Some(context), |&at| contexts[at as usize].parent);
        // Ancestors have lower numbers, so this stops at the body.
        above.by_ref().take_while(|&at| at > body).any(|at| {
            let context = &contexts[at as usize];
            quotes[context.names()] || view.dom.html_tag(context.element) == Some(Tag::BLOCKQUOTE)
        })
    };
    let mut has_text = false;
    let mut beside = Vec::new();
    let mut texts: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (i, block) in view.table.blocks().iter().enumerate() {
        let Some(item) = items.owner(block.context) else {
            continue;
        };
        let body = bodies.around(block.context);
        let is_text = body.is_some();
        has_text |= is_text;
        // Until the first text of a post, a longer line may be the subject of the thread.
        let is_subject = !has_text && counts[i].tokens >= MIN_SUBJECT && !signs[i].is_any();
        let is_beside = bodies.has(item) && !is_text && counts[i].tokens <= MAX_TOKENS && !is_subject;
        if block.heading == 0 && (is_beside || bodies.is_member_signature(block.context)) {
            beside.push(i);
        } else if let Some(body) = body
            && !signs[i].is_any()
            && !view.is_hidden(block)
            && !is_quoted(block.context, body)
        {
            texts.entry(item).or_default().push(i);
        }
    }
    PostParts {
        beside,
        texts: texts.into_values().collect(),
    }
}

/// Whether a class or an id names a quotation.
fn names_quotation(names: &str) -> bool {
    let mut words = names.split(|c: char| !c.is_alphanumeric());
    words.any(|word| word.starts_with("quot") || word == "blockquote" || word.starts_with("ipsquote"))
}

/// Returns the elements of comments: the posts found by structure, and those named comments that are neither posts nor parts of
/// posts.
///
/// If no named comment meets a post, the posts are something else, such as teasers, and only the named comments count. Posts with
/// far more words win nevertheless: then the named comments belong to a box beside them.
fn items(view: &PageView<'_>, regions: &Regions, structure: &Structure<'_>) -> Items {
    let contexts = view.table.contexts();
    let named: Vec<u32> = regions.items().collect();
    let mut starts = vec![None; contexts.len()];
    let posts = structure.posts();
    for post in &posts {
        for &element in post {
            starts[element as usize] = Some(post[0]);
        }
    }
    let by_structure = Items::new(view, &starts);
    // Prefix sums of `starts`, to count the posts inside of a context in constant time.
    let mut before = vec![0_u32; contexts.len() + 1];
    for i in 0..contexts.len() {
        before[i + 1] = before[i] + u32::from(starts[i].is_some());
    }
    // Number of posts inside of a context.
    let inside = |at: u32| before[regions.features().end(at) as usize + 1] - before[at as usize + 1];
    let meets = |&at: &u32| by_structure.owner(at).is_some() || inside(at) > 0;
    if !named.is_empty() && !named.iter().any(meets) {
        let words =
            |elements: &mut dyn Iterator<Item = u32>| elements.map(|at| structure.words(at)).sum::<u32>();
        if FEW * words(&mut named.iter().copied()) < words(&mut posts.iter().flatten().copied()) {
            return by_structure;
        }
        starts.fill(None);
        for at in named {
            starts[at as usize] = Some(at);
        }
        return Items::new(view, &starts);
    }
    for at in named {
        let is_apart = match by_structure.owner(at) {
            None => inside(at) == 0,
            Some(post) if post == at => false,
            Some(post) => structure.is_signed(at) && structure.words(post) >= structure.words(at) + MIN_OWN,
        };
        if is_apart && starts[at as usize].is_none() {
            starts[at as usize] = Some(at);
        }
    }
    Items::new(view, &starts)
}

/// Whether a class of the comment's element names comments or replies.
fn is_named_reply(view: &PageView<'_>, item: u32) -> bool {
    let names = view.table.names(&view.table.contexts()[item as usize]);
    let mut classes = names.split_ascii_whitespace().map(NameClass::of);
    classes.any(|class| class.is_comment() || class.is_reply())
}

/// Whether the page links to a previous page, so that its first post does not open the thread.
fn has_page_before(view: &PageView<'_>) -> bool {
    const MAX_LINKS: usize = 400;
    let mut links = view.dom.tree().ids_of(Tag::LINK).take(MAX_LINKS);
    links.any(|link| {
        let rel = view.dom.known_attr(link, AttrName::REL);
        rel.is_some_and(|rel| matches!(rel.trim().to_ascii_lowercase().as_str(), "prev" | "previous"))
    })
}

/// Returns the post that opens a thread and lies outside of the list of answers: the text before them, with the nearest writer
/// and date, else those of the page.
fn opening(
    view: &PageView<'_>,
    labels: &Labels,
    evidence: &Evidence,
    (items, signs): (&Items, &[Sign]),
) -> Option<Comment> {
    let blocks = view.table.blocks();
    let body = evidence.opening();
    let last = *body.last()?;
    // Notices of the site are above the title.
    let title = (0..last)
        .rev()
        .find(|&i| blocks[i].heading == 1 && !view.is_hidden(&blocks[i]));
    let first = *body.iter().find(|&&i| title.is_none_or(|title| i > title))?;
    let mut opening = Comment {
        first: true,
        ..Comment::default()
    };
    let is_text = |i: usize| labels.verdicts[i].kept || body.binary_search(&i).is_ok();
    for i in (first..=last).filter(|&i| is_text(i) && !view.is_hidden(&blocks[i])) {
        if !opening.text.is_empty() {
            opening.text.push('\n');
        }
        opening.text.push_str(view.table.text(&blocks[i]));
    }
    const NEAR: usize = 20;
    // Lines of the same height, such as a name and a verb after it, are equally near.
    const SAME: usize = 2;
    // The lines above come first, from the nearest one upwards; then the lines below, up to the first
    // comment.
    let above = (first.saturating_sub(NEAR)..first).rev();
    let below = (last + 1..signs.len()).take(NEAR / 2);
    let near = above.chain(below.take_while(|&i| items.of_block(view, i).is_none()));
    let (mut writer, mut date) = (None::<(usize, &WriterSign)>, None::<&DateSign>);
    for i in near {
        if let Some(sign) = &signs[i].writer
            && writer.is_none_or(|(at, best)| {
                sign.rank > best.rank || sign.rank == best.rank && i < at && at - i <= SAME
            })
        {
            writer = Some((i, sign));
        }
        // A date of a change may be nearer.
        if let Some(sign) = &signs[i].date
            && sign.day.is_some()
            && date.is_none_or(|best| sign.rank > best.rank)
        {
            date = Some(sign);
        }
    }
    let writer = writer.map(|(_, writer)| writer.name.clone());
    let date = date.and_then(|date| date.day.clone());
    opening.author = writer.or_else(|| view.metadata.author.clone());
    opening.date = date.or_else(|| view.metadata.date.as_deref().map(|date| day_of(date).to_owned()));
    Some(opening)
}
