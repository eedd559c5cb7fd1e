//! Writers and dates of comments, from the short lines that hold them.

use std::collections::BTreeMap;

use crate::analysis::blocks::block::Block;
use crate::analysis::metadata::{date, has_byline_phrase, without_byline};
use crate::label::comments::names::{Role, is_profile, says_edited, says_joined, says_speaks, says_when};
use crate::label::comments::roles::role_of;
use crate::label::extractor::PageView;
use dehusk_html::tree::{Dom, NodeId, Tag};

/// Maximum words and characters of a line that may be a signature: the name, the date and words beside them.
const MAX_WORDS: u32 = 24;
const MAX_CHARS: u32 = 200;
/// Maximum number of texts of a line that are searched.
const MAX_NODES: usize = 16;
/// Levels above a text that are searched for a date in an attribute or a link to a profile.
const LEVELS: usize = 4;
/// Maximum bytes of an attribute; longer ones are ignored.
const MAX_ATTR: usize = 300;
/// Maximum characters of a writer's name.
const MAX_NAME: usize = 60;
/// Maximum letters beside the date of a line. A longer line is a sentence that mentions a day.
const MAX_BESIDE: usize = 70;
/// Maximum letters beside a date that is alone in its line: those of a weekday or of "posted".
const MAX_ALONE: usize = 14;
/// The rank of a date in an attribute.
pub(crate) const ATTRIBUTE: u8 = 7;
/// Maximum words of a label in a line of its own, such as "Joined:".
const MAX_LABEL: u32 = 4;

/// The date of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DateSign {
    /// The day; `None` if the line gives it without a year or relative to now.
    pub(crate) day: Option<String>,
    /// Certainty that it is the day of writing; higher is surer.
    pub(crate) rank: u8,
}

/// The writer of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WriterSign {
    pub(crate) name: String,
    /// Certainty that it is the name of the writer; higher is surer.
    pub(crate) rank: u8,
}

/// Writer and date of one line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sign {
    pub(crate) date: Option<DateSign>,
    pub(crate) writer: Option<WriterSign>,
    /// Whether the line is about a member: the day of joining, or a similar one.
    pub(crate) of_member: bool,
}

impl Sign {
    /// Whether the line has a writer or a date.
    pub(crate) fn is_any(&self) -> bool {
        self.date.is_some() || self.writer.is_some()
    }
}

/// Reads the signs of every block, in the order of the blocks.
pub(crate) fn signs(view: &PageView<'_>) -> Vec<Sign> {
    let mut reader = Reader {
        view,
        dates: BTreeMap::new(),
        profiles: BTreeMap::new(),
    };
    let blocks = view.table.blocks();
    let mut out: Vec<Sign> = Vec::with_capacity(blocks.len());
    let mut label = false;
    for block in blocks {
        let mut sign = Sign::default();
        if !block.hidden && block.words <= MAX_WORDS && block.chars <= MAX_CHARS {
            let text = view.table.text(block);
            sign.writer = reader.writer(block);
            sign.of_member = says_joined(text);
            if !label && !sign.of_member {
                sign.date = reader.date(block, text);
            }
            // The date follows directly after its label.
            label = sign.of_member && block.words <= MAX_LABEL && !text.chars().any(date::is_digit);
        }
        out.push(sign);
    }
    out
}

/// Reads signs. Results of attributes are cached, since an element may hold any number of texts.
struct Reader<'v> {
    view: &'v PageView<'v>,
    dates: BTreeMap<NodeId, Option<String>>,
    profiles: BTreeMap<NodeId, bool>,
}

impl Reader<'_> {
    fn date(&mut self, block: &Block, text: &str) -> Option<DateSign> {
        let nodes = self.view.table.nodes(block).iter().take(MAX_NODES);
        let mut named = false;
        for &node in nodes {
            if let Some(day) = self.date_above(node) {
                return Some(DateSign {
                    day: Some(day),
                    rank: if says_edited(text) { 1 } else { ATTRIBUTE },
                });
            }
            named |= self.role(node) == Role::Date;
        }
        let by_name = u8::from(named);
        if let Some(found) = date::find(text, date::Reading::default()) {
            let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count();
            let beside = letters(&text[..found.range.start]) + letters(&text[found.range.end..]);
            let timed = text[found.range.end..].contains(':') || text[..found.range.start].contains(':');
            let rank = match timed {
                _ if says_edited(text) => 1,
                true => 5,
                false if beside <= MAX_ALONE => 4,
                false => 3,
            };
            return (beside <= MAX_BESIDE).then_some(DateSign {
                day: Some(found.day),
                rank: rank + by_name,
            });
        }
        let vague = says_when(text) || date::names_day(text);
        (vague || named && text.chars().any(date::is_digit)).then_some(DateSign {
            day: None,
            rank: 2 + by_name,
        })
    }

    /// Returns the day in an attribute of an element around a text.
    fn date_above(&mut self, node: NodeId) -> Option<String> {
        let dom = self.view.dom;
        dom.ancestors(node).take(LEVELS).find_map(|at| {
            let read = || {
                let is_time = dom.html_tag(at) == Some(Tag::TIME);
                let marks: &[&str] = match dom.html_tag(at) {
                    Some(Tag::TIME) => &["datetime", "content", "title"],
                    Some(
                        Tag::ABBR | Tag::SPAN | Tag::A | Tag::SMALL | Tag::P | Tag::DIV | Tag::B | Tag::I,
                    ) => &["content", "title", "data-datetime"],
                    _ => &[],
                };
                let value = |mark: &&str| dom.short_attr(at, mark, MAX_ATTR);
                let values = marks.iter().filter_map(value);
                // Titles of elements other than `time` describe the target of a link; few are dates as a whole.
                let day = |value: &str| match is_time {
                    true => date::iso(value),
                    false => date::iso(value).filter(|_| value.len() <= 48),
                };
                values.into_iter().find_map(|value| day(&value))
            };
            self.dates.entry(at).or_insert_with(read).clone()
        })
    }

    /// Returns the writer that a line names.
    fn writer(&mut self, block: &Block) -> Option<WriterSign> {
        let view = self.view;
        let mut best: Option<WriterSign> = None;
        let mut after_phrase = false;
        let says = says_speaks(view.table.text(block));
        for &node in view.table.nodes(block).iter().take(MAX_NODES) {
            let text = view.dom.text(node);
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            let phrase = has_byline_phrase(text);
            let Some(name) = name(text) else {
                after_phrase = phrase;
                continue;
            };
            let role = self.role(node);
            let link = self.is_profile_above(node);
            let rank = match (role, link) {
                (Role::Control | Role::Date, _) => 0,
                (Role::Author, true) => 6,
                (Role::Author, false) if phrase || after_phrase => 5,
                (Role::Author, false) => 4,
                (Role::Text, true) => 4,
                (Role::Text, false) if after_phrase => 3,
                // `Ann says:`
                (Role::Text, false) if says && is_marked(view.dom, node) => 3,
                (Role::Text, false) if phrase && block.words <= 8 => 2,
                (Role::Text, false) => 0,
            };
            after_phrase = false;
            if rank > best.as_ref().map_or(0, |best| best.rank) {
                best = Some(WriterSign { name, rank });
            }
        }
        best
    }

    /// Returns the role of a text by the elements close to it. A control or date far above is ignored, such as a control that
    /// covers all editable parts.
    fn role(&self, node: NodeId) -> Role {
        let (role, at) = role_of(self.view, NodeId::DOCUMENT, node);
        let is_close = |at| {
            self.view
                .dom
                .ancestors(node)
                .take(LEVELS)
                .any(|above| above == at)
        };
        match role {
            Role::Control | Role::Date if !at.is_some_and(is_close) => Role::Text,
            role => role,
        }
    }

    /// Whether a text lies in a link to the page of a member.
    fn is_profile_above(&mut self, node: NodeId) -> bool {
        let dom = self.view.dom;
        let link = dom
            .ancestors(node)
            .take(LEVELS)
            .find(|&at| dom.html_tag(at) == Some(Tag::A));
        link.is_some_and(|at| {
            let read = || {
                dom.short_attr(at, "href", MAX_ATTR)
                    .is_some_and(|href| is_profile(&href))
            };
            *self.profiles.entry(at).or_insert_with(read)
        })
    }
}

/// Whether a text lies in an element that highlights it, or in a link.
fn is_marked(dom: &Dom<'_>, node: NodeId) -> bool {
    let above = dom.parent(node).and_then(|above| dom.html_tag(above));
    matches!(above, Some(Tag::B | Tag::STRONG | Tag::A | Tag::EM | Tag::I))
}

/// Returns the name that a text consists of, without introductory words; `None` if it is not a name.
fn name(text: &str) -> Option<String> {
    let text = &text[..text.floor_char_boundary(4 * MAX_NAME)];
    let text = without_byline(text);
    let before_date =
        date::find(text, date::Reading::default()).map_or(text, |found| &text[..found.range.start]);
    let marks = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                ':' | ',' | '»' | '«' | '|' | '·' | '•' | '-' | '–' | '—' | '(' | '@' | '>' | '<' | '+'
            )
    };
    // `Ann » Mon Mar 05, 2012`
    let before_mark = before_date
        .trim_start_matches(marks)
        .split(['»', '|', '·', '•'])
        .next();
    let name = before_mark.unwrap_or_default().trim_matches(marks);
    let fits = name.chars().count() <= MAX_NAME
        && name.chars().any(char::is_alphanumeric)
        && !name.ends_with(['?', '!', ';'])
        && !name.starts_with('#');
    fits.then(|| name.split_whitespace().collect::<Vec<_>>().join(" "))
}
