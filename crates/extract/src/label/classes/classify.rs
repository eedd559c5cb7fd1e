//! Classifies every block.

use crate::analysis::blocks::block::BlockKind;
use crate::analysis::metadata::date;
use crate::label::classes::class::BlockClass;
use crate::label::classes::phrases;
use crate::label::comments::names::Role;
use crate::label::comments::regions::Regions;
use crate::label::comments::roles;
use crate::label::extractor::PageView;
use crate::label::model::line_tokens::normalized_words;
use crate::label::model::lines::{Line, lines};
use crate::label::model::name_groups::has_group;
use crate::label::model::title_line::{MIN_TITLE, find_title_line};
use dehusk_html::tree::{NodeId, Tag};

/// Maximum number of characters of a line whose words can mark it as other than body text.
const MAX_CHARS: u32 = 300;
/// Maximum number of words of a byline or a date.
const MAX_SIGNATURE: u32 = 20;
/// Minimum number of words of the line with which the body begins. Bylines and dates precede it.
const MIN_BODY: u32 = 20;
/// Link density at or above which a line points elsewhere.
const MOSTLY_LINKS: f32 = 0.5;
/// Number of ancestors of a line whose names are considered.
const LEVELS: usize = 4;

/// Returns the class of every block. `kept` holds whether an extractor keeps each block.
pub(crate) fn classes(view: &PageView<'_>, kept: &[bool]) -> Vec<BlockClass> {
    let lines = lines(view.dom, view.table);
    let page = Classifier {
        title: Some(find_title_line(view, &lines))
            .filter(|(_, alike)| *alike >= MIN_TITLE)
            .and_then(|(line, _)| lines.get(line)),
        author: Author::of(view.metadata.author.as_deref().unwrap_or_default()),
        regions: Regions::find(view),
        kept,
        view,
    };
    let is_body = |line: &&Line| page.is_kept(line) && line.counts.tokens >= MIN_BODY;
    let first_body = lines.iter().position(|line| is_body(&line)).unwrap_or(0);
    let mut out = vec![BlockClass::Other; view.table.blocks().len()];
    for (i, line) in lines.iter().enumerate() {
        // Within the body, names and dates belong to the content, as in a list of changes.
        let class = match page.class(line) {
            BlockClass::Byline | BlockClass::Date if i > first_body && page.is_kept(line) => BlockClass::Body,
            class => class,
        };
        out[line.blocks()].fill(class);
    }
    out
}

/// Facts about the page that the classes depend on.
struct Classifier<'p> {
    view: &'p PageView<'p>,
    /// The title line; `None` if no line is similar enough.
    title: Option<&'p Line>,
    author: Option<Author>,
    regions: Regions,
    kept: &'p [bool],
}

impl Classifier<'_> {
    /// Returns whether the first block of a line is kept.
    fn is_kept(&self, line: &Line) -> bool {
        self.kept.get(line.blocks().start) == Some(&true)
    }

    /// Returns the class of a line.
    fn class(&self, line: &Line) -> BlockClass {
        // Comments first: they may repeat the title or name an author.
        let known = if self.regions.item_of(self.view, line.blocks().start).is_some() {
            Some(BlockClass::Comment)
        } else if self
            .title
            .is_some_and(|title| title.counts.hash() == line.counts.hash())
        {
            Some(BlockClass::Title)
        } else if line.chars <= MAX_CHARS {
            self.short_line(line)
        } else {
            None
        };
        known.unwrap_or_else(|| match self.is_kept(line) {
            true => BlockClass::Body,
            false => self.by_names(line).unwrap_or(BlockClass::Other),
        })
    }

    /// Classifies a short line by its markup and its words.
    fn short_line(&self, line: &Line) -> Option<BlockClass> {
        let blocks = &self.view.table.blocks()[line.blocks()];
        let texts: Vec<&str> = blocks.iter().map(|block| self.view.table.text(block)).collect();
        let text = texts.join(" ");
        let lower = text.to_lowercase();
        let says = phrases::find(&lower, line.counts.tokens).map(|found| (found.class, &lower[found.end..]));
        let class = says.map(|(class, _)| class);
        if line.kind == BlockKind::Caption || self.is_in(line, Tag::FIGURE) {
            return Some(match class {
                Some(BlockClass::Credit) => BlockClass::Credit,
                _ => BlockClass::Caption,
            });
        }
        // Headings and cells of tables may name people and dates of the content.
        if matches!(line.heading, 1..) || line.tables > 0 && line.kind == BlockKind::TableCell {
            return class.filter(|class| matches!(class, BlockClass::Related | BlockClass::Promotion));
        }
        // A phrase such as "by" is not enough: a name or a date has to follow it.
        if line.counts.tokens <= MAX_SIGNATURE && !line.counts.ends {
            let role = self.role(line);
            match says {
                Some((BlockClass::Byline, rest)) if is_name(&text, rest) => return Some(BlockClass::Byline),
                Some((BlockClass::Date, rest))
                    if date::iso(rest.trim_matches(|c: char| !c.is_alphanumeric())).is_some() =>
                {
                    return Some(BlockClass::Date);
                }
                _ if role == Role::Author || self.names_author(&text) => return Some(BlockClass::Byline),
                _ if role == Role::Date || line.counts.digits > 0 && date::iso(&text).is_some() => {
                    return Some(BlockClass::Date);
                }
                _ => {}
            }
        }
        match class? {
            BlockClass::Byline | BlockClass::Date => None,
            // A sentence of the text may begin with the same words.
            BlockClass::Related
                if line.link_density < MOSTLY_LINKS && (line.counts.ends || self.is_kept(line)) =>
            {
                None
            }
            BlockClass::Notice if self.is_kept(line) => None,
            BlockClass::Credit if line.counts.ends && line.counts.tokens > MAX_SIGNATURE => None,
            class => Some(class),
        }
    }

    /// Classifies a line that is not kept by the names of the elements around it.
    fn by_names(&self, line: &Line) -> Option<BlockClass> {
        let table = self.view.table;
        let contexts = table.contexts();
        let above = std::iter::successors(Some(line.context), |&at| contexts[at as usize].parent);
        let found = above.take(LEVELS).fold(0, |all, at| {
            all | self.view.name_traits()[contexts[at as usize].names()].groups
        });
        let has = |group| has_group(found, group);
        if has("comment") {
            Some(BlockClass::Comment)
        } else if has("related") {
            Some(BlockClass::Related)
        } else if has("ad") || has("share") || has("form") {
            Some(BlockClass::Promotion)
        } else {
            None
        }
    }

    /// Returns whether a line is in an element with this tag, a few levels up.
    fn is_in(&self, line: &Line, tag: Tag) -> bool {
        let contexts = self.view.table.contexts();
        let above = std::iter::successors(Some(line.context), |&at| contexts[at as usize].parent);
        above
            .take(LEVELS)
            .any(|at| self.view.dom.html_tag(contexts[at as usize].element) == Some(tag))
    }

    /// Returns the role that markup states for the first text of a line.
    fn role(&self, line: &Line) -> Role {
        let view = self.view;
        let block = &view.table.blocks()[line.blocks().start];
        let node = view.table.nodes(block).first();
        node.map_or(Role::Text, |&node| roles::role_of(view, NodeId::DOCUMENT, node).0)
    }

    /// Returns whether a line consists of the author's name and at most two other words.
    fn names_author(&self, text: &str) -> bool {
        let Some(author) = &self.author else {
            return false;
        };
        let words = normalized_words(text);
        words.split(' ').count() <= author.count + 2 && words.contains(&author.words)
    }
}

/// The name of the author.
struct Author {
    /// Its words, normalized like those of lines.
    words: String,
    /// Number of words. Computed once, since a page may name any number of authors and have any number of lines.
    count: usize,
}

impl Author {
    /// Normalizes a name. Returns `None` if it has no words.
    fn of(name: &str) -> Option<Author> {
        let words = normalized_words(name);
        let count = words.split(' ').count();
        (!words.is_empty()).then_some(Author { words, count })
    }
}

/// Returns whether the text after a word such as "by" looks like a name: it begins with a capital letter, or its script has no capitals.
/// `rest` is the rest of the line, lower-cased.
fn is_name(text: &str, rest: &str) -> bool {
    // Lower-casing preserves the number of words, but not the number of bytes.
    let words = rest.split_whitespace().count();
    let rest = text.split_whitespace().rev().take(words);
    let first = rest
        .last()
        .and_then(|word| word.chars().find(|c| c.is_alphanumeric()));
    first.is_some_and(|c| !c.is_lowercase() && !c.is_numeric())
}
