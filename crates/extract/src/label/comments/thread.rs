//! Decides whether a page with comments is a thread, whose subject they are, or a post that they follow.
//!
//! The share of comments in a page is weak evidence, as short posts with many comments are common. Strong evidence is a text
//! beside them. A post has sentences before the first comment, in an element of another kind than the comments. The opening of a
//! thread is written, signed and dated like its answers, lies in a forum by its names or by the path to it that the page shows, or is no
//! more than a headline with a link.
//!
//! Of 101 labelled pages with comments where it matters, this keeps them on all but one of the pages that
//! declare themselves threads, and follows the kind of page on the others. It costs score on test sets that
//! count comments of blogs as main text.

use crate::analysis::blocks::block::{Block, BlockKind};
use crate::analysis::metadata::kind::PageKind;
use crate::label::comments::names::{is_called_forum, names_path};
use crate::label::comments::regions::Regions;
use crate::label::extractor::PageView;
use crate::label::labels::{Labels, Verdict};
use dehusk_html::tree::Tag;

/// Minimum words of sentences that are the text of a post. Fewer are a headline or a note.
const MIN_BODY: u32 = 5;

/// Minimum cells of a table of facts that readers comment on.
const MIN_CELLS: u32 = 6;

/// Minimum words of a sentence: of a line that ends like one, and of any other line.
const MIN_SENTENCE: u32 = 4;
const MIN_LINE: u32 = 12;

/// Share of linked words from which a line counts as links.
const MOSTLY_LINKS: f64 = 0.5;

/// Minimum probability of a line that was not kept, to count as text of a short post.
const MIN_CHANCE: f32 = 0.3;

/// The evidence that a page is a thread or a post.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    /// Whether the page declares itself a thread or a question with answers, or shows that it lies in a forum.
    says_thread: bool,
    /// Characters of kept blocks outside of comments. `forum`: the part of them in elements with names of
    /// forums.
    outside: u32,
    forum: u32,
    /// Sentences before the first comment and outside of forum elements, as numbers of blocks, and their words.
    body: Vec<usize>,
    words: u32,
    /// Kept sentences before the first comment in forum elements, as numbers of blocks.
    post: Vec<usize>,
    /// Words of kept sentences after the first comment, outside of comments.
    behind: u32,
    /// Whether an element around the text is named as a question.
    is_question: bool,
    /// Cells of kept tables before the first comment.
    cells: u32,
}

impl Evidence {
    /// Collects the evidence for a thread or for a post. `is_inside` says whether a block lies in a comment.
    pub(crate) fn of(
        view: &PageView<'_>,
        labels: &Labels,
        regions: &Regions,
        is_inside: &dyn Fn(usize) -> bool,
    ) -> Evidence {
        let mut evidence = Evidence {
            says_thread: view.metadata.stated.kind.is_some_and(PageKind::is_thread) || lies_in_forum(view),
            ..Evidence::default()
        };
        let counts = view.table.counts();
        let asks = names_of_questions(view);
        let mut before_comments = true;
        for (i, block) in view
            .table
            .blocks()
            .iter()
            .enumerate()
            .filter(|(_, block)| !view.is_hidden(block))
        {
            // From the first comment on, text is not the post any more, but may be an answer.
            if is_inside(i) {
                before_comments = false;
                continue;
            }
            let kept = labels.verdicts.get(i).is_some_and(|verdict| verdict.kept);
            let in_forum = regions.is_in_thread(block.context);
            if kept {
                evidence.outside += block.chars;
                evidence.forum += if in_forum { block.chars } else { 0 };
            }
            if kept && before_comments && block.kind == BlockKind::TableCell {
                evidence.cells += 1;
            }
            // Beside many comments, all lines of a short post may have been dropped.
            let may_be_text = kept || chance(labels, i) >= MIN_CHANCE;
            let words = counts[i].tokens;
            let is_sentence = counts[i].ends && words >= MIN_SENTENCE || words >= MIN_LINE;
            if before_comments && may_be_text && !in_forum && is_sentence && is_prose(block) {
                evidence.body.push(i);
                evidence.is_question |= is_in_question(view, &asks, block);
                evidence.words += words;
            } else if before_comments && kept && in_forum && is_sentence && is_prose(block) {
                evidence.post.push(i);
            } else if !before_comments && kept && is_sentence && is_prose(block) {
                evidence.behind += words;
            }
        }
        evidence
    }

    /// Whether the comments are the subject of the page.
    pub(crate) fn is_thread(&self) -> bool {
        let has_text = self.words >= MIN_BODY || self.cells >= MIN_CELLS;
        // Answers may themselves be marked as comments. Otherwise they are kept text after the first comment, and the comments
        // are remarks on them.
        let is_answered = self.is_question && self.behind < MIN_BODY;
        self.says_thread || !has_text || is_answered || self.forum > 0 && 2 * self.forum >= self.outside
    }

    /// Returns the numbers of the blocks of the text that opens a thread and lies outside of the comments: the text in forum elements, else
    /// the text before the first comment. Empty if absent.
    pub(crate) fn opening(&self) -> &[usize] {
        match (self.post.is_empty(), self.words >= MIN_BODY) {
            (false, _) => &self.post,
            (true, true) => &self.body,
            (true, false) => &[],
        }
    }

    /// Returns the number of words of the text before the comments, in sentences outside of forum elements.
    pub(crate) fn words(&self) -> u32 {
        self.words
    }

    /// Returns the numbers of the blocks of the text before the comments.
    pub(crate) fn body(&self) -> &[usize] {
        &self.body
    }

    /// Keeps the text of a post whose lines were all dropped. Beside many comments, a short text looks like boilerplate.
    pub(crate) fn keep_body(&self, labels: &mut Labels) {
        if self.body.iter().any(|&i| labels.verdicts[i].kept) {
            return;
        }
        for &i in &self.body {
            labels.verdicts[i] = Verdict::keep("text-of-post");
        }
    }
}

/// Whether the path to the page (`Home > Forums > Engines`) has a link that is called a forum. Content management systems write threads
/// as articles with comments, and only the path distinguishes the two.
fn lies_in_forum(view: &PageView<'_>) -> bool {
    const MAX_PATHS: usize = 8;
    const MAX_NODES: usize = 64;
    const MAX_BYTES: usize = 40;
    // Each distinct name is read once: many elements share one.
    let is_path: Vec<bool> = view.table.all_names().map(names_path).collect();
    let dom = view.dom;
    let paths = view.table.contexts().iter().filter(|c| is_path[c.names()]);
    let mut links = paths
        .take(MAX_PATHS)
        .flat_map(|context| dom.preorder(context.element).take(MAX_NODES))
        .filter(|&node| dom.html_tag(node) == Some(Tag::A));
    links.any(|link| {
        let texts = dom
            .preorder(link)
            .take(MAX_NODES)
            .filter(|&node| dom.is_text(node));
        let text: String = texts.map(|node| dom.raw_text(node)).collect();
        text.len() <= MAX_BYTES && is_called_forum(&text)
    })
}

/// Whether an element around a block is named as a question. `asks` has the answer for each distinct name.
fn is_in_question(view: &PageView<'_>, asks: &[bool], block: &Block) -> bool {
    let contexts = view.table.contexts();
    let above = std::iter::successors(contexts.get(block.context as usize), |context| {
        contexts.get(context.parent? as usize)
    });
    const LEVELS: usize = 6;
    above.take(LEVELS).any(|context| asks[context.names()])
}

/// Returns for each distinct name of elements whether it names a question.
fn names_of_questions(view: &PageView<'_>) -> Vec<bool> {
    let is_question = |names: &str| {
        names
            .split(|c: char| !c.is_alphanumeric())
            .any(|name| name == "question")
    };
    view.table.all_names().map(is_question).collect()
}

/// Returns the probability of a block to be main text; 0 if the method computes none.
fn chance(labels: &Labels, block: usize) -> f32 {
    let chances = labels.chances.as_ref();
    chances
        .and_then(|chances| chances.get(block))
        .copied()
        .unwrap_or(0.0)
}

/// Whether a block is prose: neither a heading nor mostly links, nor an item of a list or a table, such as
/// the rules of a forum beside its threads.
fn is_prose(block: &Block) -> bool {
    block.heading == 0
        && !matches!(
            block.kind,
            BlockKind::ListItem | BlockKind::TableCell | BlockKind::Caption
        )
        && block.link_density() < MOSTLY_LINKS
}
