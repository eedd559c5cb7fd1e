//! One page in, everything known about it out.

use std::ops::Range;

use crate::block::{Block, BlockTable};
use crate::comments::{self, Comment};
use crate::content::{Element, Table};
use crate::extractor::{self, Labels, View};
use crate::metadata::{self, Metadata};
use crate::options::Options;
use crate::parts::{self, Part};
use crate::render;
use crate::rules::Fields;
use dehusk_html::decode::{self, Charset, Decoded};
use dehusk_html::limits::Deadline;
use dehusk_html::warning::{Code, Warning};

/// One page as it came from a server or an archive.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    content: Content<'a>,
    content_type: Option<&'a str>,
    charset: Option<&'a str>,
    url: Option<&'a str>,
}

#[derive(Clone, Copy, Debug)]
enum Content<'a> {
    Bytes(&'a [u8]),
    Text(&'a str),
}

impl<'a> Page<'a> {
    /// A page whose charset is to be found out.
    pub fn new(bytes: &'a [u8]) -> Self {
        Page {
            content: Content::Bytes(bytes),
            content_type: None,
            charset: None,
            url: None,
        }
    }

    /// A page that has been decoded already; what it says about its charset is ignored.
    pub fn decoded(text: &'a str) -> Self {
        Page {
            content: Content::Text(text),
            content_type: None,
            charset: None,
            url: None,
        }
    }

    /// The HTTP header `Content-Type`, whose charset comes before that of `<meta>`.
    pub fn with_content_type(self, content_type: Option<&'a str>) -> Self {
        Page { content_type, ..self }
    }

    /// A charset known from elsewhere; comes before all but a byte order mark.
    pub fn with_charset(self, charset: Option<&'a str>) -> Self {
        Page { charset, ..self }
    }

    /// Address of the page, if it is known.
    pub fn url(&self) -> Option<&'a str> {
        self.url
    }

    /// The page as text, decoded as [`extract`] does it.
    pub fn text(&self, options: &Options) -> String {
        self.decode(options).text.into_owned()
    }

    fn decode(&self, options: &Options) -> Decoded<'a> {
        match self.content {
            Content::Bytes(bytes) => {
                decode::decode(bytes, self.charset, self.content_type, options.limits.bytes)
            }
            Content::Text(text) => decode::from_text(text, options.limits.bytes),
        }
    }

    /// Address of the page: resolves relative links and names the site where the page does not.
    pub fn with_url(self, url: Option<&'a str>) -> Self {
        Page { url, ..self }
    }
}

/// What [`extract`] found in a page.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Extracted {
    /// Main text: one line a paragraph, heading, list item or table row, an empty line between blocks. Valid UTF-8
    /// without NUL; empty if nothing was found, and then a warning says why.
    pub text: String,
    /// Main text as Markdown, if [`Options::with_markdown`] asked for it.
    pub markdown: Option<String>,
    /// Main text as HTML of structure alone, if [`Options::with_html`] asked for it. It needs no sanitizing.
    pub html: Option<String>,
    /// Main content as typed elements in document order, if [`Options::with_content`] asked for them.
    pub content: Option<Vec<Element>>,
    /// Data tables of the main content in document order, if [`Options::with_tables`] asked for them.
    pub tables: Option<Vec<Table>>,
    /// What readers wrote, in document order, if [`Options::with_comments`] asked for it.
    pub comments: Option<Vec<Comment>>,
    /// Title, author, date and the like.
    pub metadata: Metadata,
    /// How the bytes were read.
    pub charset: Charset,
    /// Name of the extractor that gave the text: with `default`, the one that answered.
    pub method: &'static str,
    /// How much of the text is right, 0 to 1: estimated F1 of the words kept.
    pub confidence: f64,
    /// Characters of the blocks kept, white space collapsed, and of main text that stands in no block.
    pub kept_chars: usize,
    /// Characters of all blocks of the page, and of main text that stands in none.
    pub all_chars: usize,
    /// Limits hit, fallbacks taken, damage seen.
    pub warnings: Vec<Warning>,
    /// A record for every block, if [`Options::with_blocks`] asked for them.
    pub blocks: Option<Vec<BlockRecord>>,
    /// The page as it is shown, if [`Options::with_parts`] asked for it.
    pub parts: Option<Vec<Part>>,
}

/// What became of one block, and why.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BlockRecord {
    /// Number in document order, from 0.
    pub i: usize,
    /// `paragraph`, `heading`, `list-item`, `table-cell`, `code`, `quote`, `caption` or `text`.
    pub kind: &'static str,
    /// Tags from the root, with ids and classes: `html/body/div#main.post/p`.
    pub path: String,
    /// Where the block lies in the decoded source, in bytes; `None` if the parser composed all of its text.
    pub range: Option<Range<usize>>,
    /// Text, white space collapsed.
    pub text: String,
    /// Whether it is part of the main text.
    pub kept: bool,
    /// Why.
    pub reason: &'static str,
    /// Figures the decision rests on, by name.
    pub scores: Vec<(&'static str, f64)>,
    /// What each method makes of it, by name; those that abstain are left out, and so are methods that choose nothing.
    pub votes: Vec<(&'static str, bool)>,
}

/// Finds the main text of a page.
///
/// Never fails and never panics: any bytes give text, perhaps empty, and warnings. Cost is linear in the page's length,
/// and bounded by [`Limits`](crate::Limits).
pub fn extract(page: &Page<'_>, options: &Options) -> Extracted {
    extract_as(page, options, |view| {
        (options.extractor.label(view), Fields::default())
    })
}

/// As [`extract`], with another answer than that of the extractor alone, and fields that come before the page's own.
pub(crate) fn extract_as(
    page: &Page<'_>,
    options: &Options,
    answer: impl FnOnce(&View<'_>) -> (Labels, Fields),
) -> Extracted {
    look(page, options, |view, mut warnings, charset| {
        let (mut labels, fields) = answer(view);
        let comments = comments::apart(view, &mut labels);
        if options.no_tables {
            render::leave_tables(view, &mut labels);
        }
        let mut extracted = finish(view, &labels, page.url, &mut warnings, charset);
        extracted.comments = comments;
        let known = &mut extracted.metadata;
        for (to, from) in [
            (&mut known.title, fields.title),
            (&mut known.author, fields.author),
            (&mut known.date, fields.date),
        ] {
            *to = from.or_else(|| to.take());
        }
        extracted
    })
}

/// Decodes and parses a page and reads its blocks and metadata, then does `work` with what was found, the warnings so far
/// and the charset.
pub(crate) fn look<T>(
    page: &Page<'_>,
    options: &Options,
    work: impl FnOnce(&View<'_>, Vec<Warning>, Charset) -> T,
) -> T {
    let decoded = page.decode(options);
    let deadline = Deadline::start(&options.limits, decoded.text.len());
    let (dom, hits) =
        crate::analysis::noscript::parse_shown(options.front, &decoded.text, options.limits, &deadline);
    let mut warnings = decoded.warnings;
    warnings.extend(hits);
    let table = BlockTable::fill(&dom);
    let metadata = metadata::read(&dom, &table, page.url, &mut warnings);
    let view = View {
        dom: &dom,
        table: &table,
        title: metadata.title.as_deref(),
        metadata: &metadata,
        options,
        deadline: &deadline,
    };
    work(&view, warnings, decoded.charset)
}

fn finish(
    view: &View<'_>,
    labels: &Labels,
    url: Option<&str>,
    warnings: &mut Vec<Warning>,
    charset: Charset,
) -> Extracted {
    let (table, options) = (view.table, view.options);
    warnings.extend(labels.warnings.iter().cloned());
    let kept_chars = labels.kept_chars(table);
    let all_chars = table.chars() + labels.body_chars();
    if all_chars == 0 {
        warnings.push(Warning::new(Code::NoText, "the page shows no text"));
    } else if kept_chars == 0 {
        let mut message = format!("`{}` kept none of {all_chars} characters", labels.method);
        if let Some(why) = &labels.abstained {
            message.push_str(": ");
            message.push_str(why);
        }
        warnings.push(Warning::new(Code::NoMainText, message));
    }
    let rendered = render::render(view, labels, url);
    let blocks = options.blocks.then(|| records(view, labels));
    if view.deadline.passed() && !warnings.iter().any(|w| w.code == Code::Deadline) {
        warnings.push(Warning::new(Code::Deadline, "time ran out after parsing"));
    }
    Extracted {
        text: rendered.text,
        markdown: rendered.markdown,
        html: rendered.html,
        content: rendered.content,
        tables: rendered.tables,
        comments: None,
        metadata: view.metadata.clone().with_language_of(table, labels),
        charset,
        method: labels.method,
        confidence: labels.confidence,
        kept_chars,
        all_chars,
        warnings: std::mem::take(warnings),
        blocks,
        parts: options.parts.then(|| parts::read(view.dom, view.table)),
    }
}

/// Whether a page looks like an article: Readability's pre-check, by the lengths of the visible paragraphs. Cheaper than
/// [`extract`], as nothing but the tree is built.
pub fn is_article(page: &Page<'_>, options: &Options) -> bool {
    let decoded = page.decode(options);
    let deadline = Deadline::start(&options.limits, decoded.text.len());
    let (dom, _) =
        crate::analysis::noscript::parse_shown(options.front, &decoded.text, options.limits, &deadline);
    extractor::reads_as_article(&dom)
}

fn records(view: &View<'_>, labels: &Labels) -> Vec<BlockRecord> {
    let asked = view.options.extractor.name();
    let voters = extractor::ALL
        .iter()
        .filter(|voter| !matches!(voter.name(), "default" | "all-text") && voter.name() != asked);
    let votes: Vec<_> = voters
        .take_while(|_| !view.deadline.passed())
        .map(|voter| (voter.name(), voter.label(view)))
        .filter(|(_, labels)| labels.abstained.is_none())
        .collect();
    let votes_on = |i: usize| {
        let on = |labels: &Labels| labels.verdicts.get(i).is_some_and(|verdict| verdict.kept);
        votes.iter().map(|(name, labels)| (*name, on(labels))).collect()
    };
    let blocks = view.table.blocks().iter().zip(&labels.verdicts).enumerate();
    blocks
        .map(|(i, (block, verdict))| BlockRecord {
            i,
            kind: block.kind.name(),
            path: view.table.path(view.dom, block),
            range: view.table.source_range(view.dom, block),
            text: view.table.text(block).to_owned(),
            kept: verdict.kept,
            reason: verdict.reason,
            scores: scores(block, labels.chances.as_ref().and_then(|c| c.get(i))),
            votes: votes_on(i),
        })
        .collect()
}

fn scores(block: &Block, chance: Option<&f32>) -> Vec<(&'static str, f64)> {
    let mut scores = vec![
        ("words", block.words.into()),
        ("link_density", block.link_density()),
        ("text_density", block.text_density()),
    ];
    scores.extend(chance.map(|&c| ("chance", c.into())));
    scores
}
