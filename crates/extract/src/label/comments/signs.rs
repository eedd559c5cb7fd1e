//! Writers and dates of comments, from the short lines that hold them.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::blocks::block::Block;
use crate::analysis::metadata::date::{Form, Reading};
use crate::analysis::metadata::kind::PageKind;
use crate::analysis::metadata::{date, has_byline_phrase, without_byline};
use crate::label::comments::names::{
    Role, has_time, is_no_name, is_profile, is_weekday, names_guest_book, says_edited, says_joined,
    says_speaks, says_when, says_writer,
};
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
/// Maximum letters beside a date that counts as alone in its line: a weekday, or a word such as "posted".
const MAX_ALONE: usize = 14;
/// The rank of a date in an attribute.
pub(crate) const ATTRIBUTE: u8 = 7;
/// The rank of a date with a time.
const TIMED: u8 = 5;
/// Maximum words of a writer's name without markup.
const MAX_GUEST_WORDS: u32 = 4;
/// Maximum words of a label in a line of its own, such as "Joined:".
const MAX_LABEL: u32 = 4;

/// The date of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DateSign {
    /// The day as `YYYY-MM-DD`; `None` if the line gives it without a year or relative to now.
    pub(crate) day: Option<String>,
    /// Certainty that it is the day of writing, from 1 for the date of a change to [`ATTRIBUTE`].
    pub(crate) rank: u8,
    /// The first two numbers of a date in numbers whose year is last: day and month, in an order that the page decides.
    numbers: Option<(u32, u32)>,
    /// Whether a class or id names it a date.
    pub(crate) is_named: bool,
}

/// The writer of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WriterSign {
    pub(crate) name: String,
    /// Certainty that it is the name of the writer, from 2 for a line right before a date to 6 for a link in
    /// an element that is named as the author.
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
        reading: view.metadata.reading.get(),
        labels: link_labels(view),
        is_guest_book: names_guest_book(view.title.unwrap_or(""), view.url.unwrap_or("")),
        dates: BTreeMap::new(),
        profiles: BTreeMap::new(),
        long: BTreeMap::new(),
    };
    let blocks = view.table.blocks();
    let mut out: Vec<Sign> = Vec::with_capacity(blocks.len());
    let mut label = false;
    let mut writer_label = false;
    for block in blocks {
        let mut sign = Sign::default();
        if !view.is_hidden(block) && block.words <= MAX_WORDS && block.chars <= MAX_CHARS {
            let text = view.table.text(block);
            sign.writer = reader.writer(block);
            // The next short line after a label is the name.
            if writer_label && sign.writer.is_none() && block.words <= MAX_GUEST_WORDS {
                sign.writer = name(text).map(|name| WriterSign { name, rank: 3 });
            }
            writer_label = reader.is_guest_book && says_writer(text);
            sign.of_member = says_joined(text);
            if !label && !sign.of_member {
                sign.date = reader.date(block, text);
            }
            // The next short line has the date of the label, which is not the date of a comment.
            label = sign.of_member && block.words <= MAX_LABEL && !text.chars().any(date::is_digit);
        } else if !view.is_hidden(block) {
            // A text in between parts a label from the lines that follow.
            (label, writer_label) = (false, false);
        }
        out.push(sign);
    }
    if reader.is_guest_book {
        add_guests(view, &mut out);
    } else if !view.metadata.stated.kind.is_some_and(PageKind::is_thread) {
        add_writers_before_dates(view, reader.reading, &mut out);
    }
    settle_order(&mut out);
    out
}

/// Adds the writers of a guest book without markup: a short line in bold letters, directly or one line above a date.
fn add_guests(view: &PageView<'_>, signs: &mut [Sign]) {
    const NEAR: usize = 2;
    let blocks = view.table.blocks();
    for i in 0..signs.len() {
        let block = &blocks[i];
        let is_short = !view.is_hidden(block) && block.words <= MAX_GUEST_WORDS && block.link_words == 0;
        if !is_short || signs[i].is_any() || signs[i].of_member {
            continue;
        }
        // The next sign within two lines is a date without a writer.
        let mut after = signs[i + 1..].iter().take(NEAR);
        let is_before_date = after
            .find(|sign| sign.is_any())
            .is_some_and(|sign| sign.date.is_some() && sign.writer.is_none());
        if is_before_date && name_is_marked(view, block) {
            signs[i].writer = name(view.table.text(block)).map(|name| WriterSign { name, rank: 2 });
        }
    }
}

/// Returns the text nodes of a line with digits, joined by spaces. `None` for a line of one node or of many.
/// In the text of the line, a name and a date may touch.
fn parted_text(view: &PageView<'_>, block: &Block) -> Option<String> {
    let nodes = view.table.nodes(block);
    let is_parted = (2..=MAX_NODES).contains(&nodes.len())
        && view.table.text(block).bytes().any(|byte| byte.is_ascii_digit());
    is_parted.then(|| {
        let texts: Vec<_> = nodes.iter().map(|&node| view.dom.text(node)).collect();
        texts.join(" ")
    })
}

/// Adds the writers of posts without markup: short lines, or beginnings of lines, right before a date with a time, several of them on a
/// page that names no other writers in this way.
fn add_writers_before_dates(view: &PageView<'_>, reading: Reading<'_>, signs: &mut [Sign]) {
    const MIN_POSTS: usize = 3;
    const MIN_NAMES: usize = 2;
    let is_timed = |sign: &Sign| sign.date.as_ref().is_some_and(|date| date.rank >= TIMED);
    let all = signs.iter().filter(|sign| is_timed(sign)).count();
    // Forums name their members above or beside the line with the time.
    let signed = signs.iter().filter(|sign| sign.writer.is_some()).count();
    if all < MIN_POSTS || 2 * signed > all {
        return;
    }
    let blocks = view.table.blocks();
    let may_be_name = |i: usize| {
        let block = &blocks[i];
        !view.is_hidden(block)
            && block.words <= MAX_GUEST_WORDS
            && !matches!(block.heading, 1..=3)
            && !signs[i].is_any()
            && !signs[i].of_member
            && !view.table.text(block).ends_with(['.', '!', '?', ':'])
    };
    let mut found: Vec<(usize, String)> = Vec::new();
    for i in (0..signs.len()).filter(|&i| is_timed(&signs[i]) && signs[i].writer.is_none()) {
        let parted = parted_text(view, &blocks[i]);
        let text = parted.as_deref().unwrap_or_else(|| view.table.text(&blocks[i]));
        let before = date::find(text, reading).map_or("", |date| &text[..date.range.start]);
        // A colon ends a label: `Current time: Friday, 22 November 2019 10:15`.
        let own = name(before).filter(|_| !before.contains(':')).filter(|name| {
            name.split(' ').count() <= MAX_GUEST_WORDS as usize
                && name.starts_with(char::is_alphabetic)
                && !is_weekday(name)
        });
        match own {
            Some(name) => found.push((i, name)),
            None if i > 0 && may_be_name(i - 1) => {
                let name = name(view.table.text(&blocks[i - 1]));
                found.extend(name.map(|name| (i - 1, name)));
            }
            None => {}
        }
    }
    let names: BTreeSet<&str> = found.iter().map(|(_, name)| name.as_str()).collect();
    if found.len() >= MIN_POSTS && names.len() >= MIN_NAMES {
        for (i, name) in found {
            signs[i].writer = Some(WriterSign { name, rank: 2 });
        }
    }
}

/// Reads all numeric dates of the page in one order. Dates such as 24/4/2014, which have only one reading,
/// decide it if they agree.
fn settle_order(signs: &mut [Sign]) {
    const MONTHS: u32 = 12;
    let numbers = || {
        let dates = signs.iter().filter_map(|sign| sign.date.as_ref());
        dates.filter_map(|date| date.numbers)
    };
    let is_day_first = numbers().any(|(first, _)| first > MONTHS);
    let is_month_first = numbers().any(|(_, second)| second > MONTHS);
    if is_day_first == is_month_first {
        return;
    }
    for date in signs.iter_mut().filter_map(|sign| sign.date.as_mut()) {
        // Dates with one reading are left as they are.
        if let (Some((first, second)), Some(day)) = (date.numbers, &mut date.day)
            && first <= MONTHS
            && second <= MONTHS
        {
            let (month, number) = if is_month_first {
                (first, second)
            } else {
                (second, first)
            };
            let year = day.split('-').next().unwrap_or_default();
            *day = format!("{year}-{month:02}-{number:02}");
        }
    }
}

/// Returns the texts of links to members that are not names, such as "View profile" or the initial of an
/// avatar. Either the links to its addresses have at least three other texts, which are the names, or the
/// text leads to at least three addresses that do not contain it.
fn link_labels(view: &PageView<'_>) -> BTreeSet<String> {
    const MAX_LINKS: usize = 4000;
    const MAX_INSIDE: usize = 8;
    const MIN_NAMES: usize = 3;
    let dom = view.dom;
    let mut texts: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for link in dom.tree().ids_of(Tag::A).take(MAX_LINKS) {
        let href = dom
            .short_attr(link, "href", MAX_ATTR)
            .filter(|href| is_profile(href));
        let mut inside = dom
            .preorder(link)
            .take(MAX_INSIDE)
            .filter(|&node| dom.is_text(node));
        let text = inside.find_map(|node| Some(dom.raw_text(node).trim()).filter(|text| !text.is_empty()));
        if let (Some(href), Some(text)) = (href, text)
            && text.len() <= 4 * MAX_NAME
        {
            let texts = texts.entry(href.into_owned()).or_default();
            if texts.len() < MAX_INSIDE {
                texts.insert(text);
            }
        }
    }
    // Per text, the other texts of links to the same addresses. An address has at most `MAX_INSIDE` texts, so
    // that the number of pairs is linear in the number of links.
    let mut others: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (text, other) in texts.values().flat_map(|texts| {
        texts
            .iter()
            .flat_map(|text| texts.iter().map(move |other| (text, other)))
    }) {
        let others = others.entry(text).or_default();
        if text != other && others.len() < MIN_NAMES {
            others.insert(other);
        }
    }
    let mut labels: BTreeSet<String> = others
        .into_iter()
        .filter(|(_, others)| others.len() >= MIN_NAMES)
        .map(|(label, _)| label.to_owned())
        .collect();
    // A text such as `Report` leads to a different address in each post. A name occurs in its addresses.
    let mut addresses: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
    for (href, texts) in &texts {
        let href = href.to_lowercase();
        for &text in texts {
            let (count, is_in_address) = addresses.entry(text).or_default();
            *count += 1;
            let first = text
                .split(|c: char| !c.is_alphanumeric())
                .find(|part| !part.is_empty());
            *is_in_address |= first.is_some_and(|first| href.contains(&first.to_lowercase()));
        }
    }
    let verbs = addresses
        .into_iter()
        .filter(|(_, (count, is_in_address))| *count >= MIN_NAMES && !is_in_address);
    labels.extend(verbs.map(|(text, _)| text.to_owned()));
    labels
}

/// Reads signs. Results are cached per element, since an element may contain any number of texts.
struct Reader<'v> {
    view: &'v PageView<'v>,
    reading: Reading<'v>,
    /// Texts of links to members that are not names.
    labels: BTreeSet<String>,
    /// Whether the page names itself a guest book, so that names need no markup.
    is_guest_book: bool,
    dates: BTreeMap<NodeId, Option<String>>,
    profiles: BTreeMap<NodeId, bool>,
    /// By element named as a writer, whether it has more text than a name.
    long: BTreeMap<NodeId, bool>,
}

impl Reader<'_> {
    /// Returns the date of a line: from an attribute, from its words, or a date without a day.
    fn date(&mut self, block: &Block, text: &str) -> Option<DateSign> {
        let nodes = self.view.table.nodes(block).iter().take(MAX_NODES);
        let mut named = false;
        // A date in an attribute is surest, so it is tried before the words of the line.
        for &node in nodes {
            if let Some(day) = self.date_above(node) {
                return Some(DateSign {
                    day: Some(day),
                    rank: if says_edited(text) { 1 } else { ATTRIBUTE },
                    numbers: None,
                    is_named: false,
                });
            }
            named |= self.role(node) == Role::Date;
        }
        let by_name = u8::from(named);
        // Name and date may touch: `<b>Ann</b><span>24 April 2014</span>`.
        let found = date::find(text, self.reading);
        let parted = found.is_none().then(|| parted_text(self.view, block)).flatten();
        let text = parted.as_deref().unwrap_or(text);
        if let Some(found) = found.or_else(|| date::find(text, self.reading)) {
            let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count();
            let (before, after) = (&text[..found.range.start], &text[found.range.end..]);
            let beside = letters(before) + letters(after);
            // A time beside the date makes it the date of a post. Alone in its line, a date is surer than
            // beside other words.
            let rank = match has_time(before) || has_time(after) {
                _ if says_edited(before) => 1,
                // `12/30/2017, edited 12/31/2017`
                _ if says_edited(after) && !is_remark(after) && date::find(after, self.reading).is_none() => {
                    1
                }
                true => TIMED,
                false if beside <= MAX_ALONE => 4,
                false => 3,
            };
            let is_in_numbers = matches!(found.form, Form::Numbers | Form::ShortYear);
            return (beside <= MAX_BESIDE).then(|| DateSign {
                numbers: is_in_numbers
                    .then(|| numbers(&text[found.range.clone()]))
                    .flatten(),
                day: Some(found.day),
                // The day of a change stays one, whatever its element is called.
                rank: if rank > 1 { rank + by_name } else { rank },
                is_named: named,
            });
        }
        // Without a full date, the line may still sign a comment, but gives no day.
        let vague = says_when(text) || date::names_day(text);
        (vague || named && text.chars().any(date::is_digit)).then_some(DateSign {
            day: None,
            rank: 2 + by_name,
            numbers: None,
            is_named: named,
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
        let line = view.table.text(block);
        let says = says_speaks(line) || self.speaks_before_date(line);
        let is_edited = says_edited(line);
        for &node in view.table.nodes(block).iter().take(MAX_NODES) {
            let text = view.dom.text(node);
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            let phrase = has_byline_phrase(text);
            let Some(name) = name(text).filter(|_| !self.labels.contains(text)) else {
                after_phrase = phrase;
                continue;
            };
            // `Last edited by Ann on 24 April`
            if is_edited && self.is_in_edit_note(line, text) {
                continue;
            }
            let role = self.role(node);
            let link = self.is_profile_above(node);
            let is_guest = || {
                self.is_guest_book
                    && !is_weekday(&name)
                    && name.split(' ').count() <= MAX_GUEST_WORDS as usize
            };
            // The role comes from markup, and `link` says that the text leads to the page of a member. Rank 0
            // is not a writer.
            let rank = match (role, link) {
                // A menu of the member may open at the name.
                (Role::Control, true) if name.chars().count() > 1 => 2,
                (Role::Control | Role::Date, _) => 0,
                (Role::Author, true) => 6,
                (Role::Author, false) if phrase || after_phrase => 5,
                (Role::Author, false) => 4,
                (Role::Text, true) => 4,
                (Role::Text, false) if after_phrase => 3,
                // `Ann says:`
                (Role::Text, false) if says && is_marked(view.dom, node) => 3,
                (Role::Text, false) if phrase && block.words <= 8 => 2,
                // `Ann - 24 April 2014`
                (Role::Text, false) if is_guest() && starts_before_date(line, text, self.reading) => 2,
                (Role::Text, false) => 0,
            };
            after_phrase = false;
            if rank > best.as_ref().map_or(0, |best| best.rank) {
                best = Some(WriterSign { name, rank });
            }
        }
        best
    }

    /// Whether a text of a line that says that something was changed is the name of the member who changed it: it follows the words for a
    /// change, or the line has no other date than that of the change.
    fn is_in_edit_note(&self, line: &str, text: &str) -> bool {
        let before = line.find(text).map_or("", |at| &line[..at]);
        says_edited(before)
            || date::find(line, self.reading).is_some_and(|found| {
                let after = &line[found.range.end..];
                says_edited(after) && !is_remark(after) && date::find(after, self.reading).is_none()
            })
    }

    /// Whether a line introduces a speaker and then gives a date, as in `Ann wrote on 24 April 2014`.
    fn speaks_before_date(&self, line: &str) -> bool {
        const MAX_BETWEEN: usize = 3;
        let Some(found) = date::find(line, self.reading) else {
            return false;
        };
        let before = &line[..found.range.start];
        let ends = before.rmatch_indices(' ').map(|(at, _)| at).take(MAX_BETWEEN + 1);
        std::iter::once(before.len())
            .chain(ends)
            .any(|end| says_speaks(&before[..end]))
    }

    /// Returns the role of a text by the elements close to it. A control or date far above is ignored, such as a control that
    /// covers all editable parts. So is a name on an element with more text than the lines about a member: `comment byuser`.
    fn role(&mut self, node: NodeId) -> Role {
        let (role, at) = role_of(self.view, NodeId::DOCUMENT, node);
        let is_close = |at| {
            let mut above = self.view.dom.ancestors(node).take(LEVELS);
            above.any(|above| above == at)
        };
        match (role, at) {
            (Role::Control | Role::Date, at) if !at.is_some_and(is_close) => Role::Text,
            (Role::Author, Some(at)) if self.is_long(at) => Role::Text,
            _ => role,
        }
    }

    /// Whether an element has more text than the lines about a member.
    fn is_long(&mut self, at: NodeId) -> bool {
        const MAX_INSIDE: usize = 200;
        const MAX_BYTES: usize = 500;
        let dom = self.view.dom;
        *self.long.entry(at).or_insert_with(|| {
            let mut bytes = 0;
            let texts = dom
                .preorder(at)
                .take(MAX_INSIDE)
                .filter(|&node| dom.is_text(node));
            texts.map(|node| dom.raw_text(node).trim().len()).any(|len| {
                bytes += len;
                bytes > MAX_BYTES
            })
        })
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

/// Whether all texts of a line lie in elements that highlight them, or in links.
pub(crate) fn name_is_marked(view: &PageView<'_>, block: &Block) -> bool {
    let mut nodes = view.table.nodes(block).iter();
    nodes.all(|&node| is_marked(view.dom, node))
}

/// Whether a text is a remark in brackets, such as `(edited)` after a date.
fn is_remark(text: &str) -> bool {
    text.trim_start().starts_with(['(', '['])
}

/// Returns the first two numbers of a date.
fn numbers(date: &str) -> Option<(u32, u32)> {
    let mut parts = date
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty());
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Whether a text begins a line that has a date after its first words.
fn starts_before_date(line: &str, text: &str, reading: Reading<'_>) -> bool {
    const MAX_BEFORE: usize = 40;
    let first = text.split_whitespace().next().unwrap_or_default();
    line.starts_with(first)
        && date::find(line, reading).is_some_and(|found| (1..=MAX_BEFORE).contains(&found.range.start))
}

/// Whether a text lies in an element that highlights it, or in a link.
fn is_marked(dom: &Dom<'_>, node: NodeId) -> bool {
    let above = dom.parent(node).and_then(|above| dom.html_tag(above));
    matches!(
        above,
        Some(
            Tag::B
                | Tag::STRONG
                | Tag::A
                | Tag::EM
                | Tag::I
                | Tag::DT
                | Tag::TH
                | Tag::H4
                | Tag::H5
                | Tag::H6
        )
    )
}

/// Returns the name that a text consists of, without introductory words; `None` if it is not a name.
pub(crate) fn name(text: &str) -> Option<String> {
    // A name has at most four bytes for each of its `MAX_NAME` characters. The rest of a long text is not
    // searched.
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
    let mut name = before_mark.unwrap_or_default().trim_matches(marks);
    if before_date.len() < text.len() {
        name = without_weekday(name);
    }
    let fits = name.chars().count() <= MAX_NAME
        && name.chars().any(char::is_alphanumeric)
        && !name.ends_with(['?', '!', ';'])
        && !is_no_name(name)
        && !name.starts_with('#');
    fits.then(|| name.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Removes the day of the week, and the preposition before it, from the words between a name and a date: `Ann on Sat`.
fn without_weekday(name: &str) -> &str {
    const BEFORE: &[&str] = &["on", "am", "le", "el", "op"];
    let Some((rest, _)) = name
        .rsplit_once(char::is_whitespace)
        .filter(|(_, last)| is_weekday(last.trim_end_matches(',')))
    else {
        return name;
    };
    let rest = rest.trim_end_matches([' ', ',']);
    match rest.rsplit_once(char::is_whitespace) {
        Some((name, last)) if BEFORE.contains(&last) => name.trim_end(),
        _ => rest,
    }
}
