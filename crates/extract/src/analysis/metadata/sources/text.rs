//! Bylines and dates in the visible lines around the main text.

use std::collections::BTreeSet;
use std::ops::Range;

use dehusk_html::fnv;
use dehusk_html::narrow;
use dehusk_html::tree::{AttrName, Tag};

use super::super::candidate::{Candidates, Field};
use super::super::decide::{BYLINE, DATE_LINE, SEVERAL_LINES};
use super::super::surroundings::{NearLine, Zone, inline_names, short_attr};
use super::super::{byline_phrases, date, names, person};
use super::facts::Facts;
use crate::analysis::blocks::block::Block;

/// Maximum number of text nodes of a line that are read.
const MAX_NODES: usize = 24;
/// Maximum bytes of a title with a date.
const MAX_TITLE: usize = 60;
/// Maximum number of dates of a line: publication and change, and one more.
const MAX_DATES: usize = 3;
/// Maximum characters of a pseudonym of one word.
const MAX_HANDLE: usize = 24;
/// Maximum number of writers that a line names.
const MAX_WRITERS: usize = 8;

/// Maximum number of blocks between a headline and a line that belongs to it. The names of the elements
/// around both do not matter.
const CLOSE: u32 = 12;

/// Returns a factor for the confidence of a line by its place: the same form of a date is right more often
/// under the headline.
pub(super) fn place_trust(line: &NearLine) -> f32 {
    let mut trust = match (line.zone, line.distance) {
        (Zone::Head, _) => 1.0,
        (Zone::Above, Some(0..=4)) => 0.95,
        (Zone::Above, Some(_)) => 0.85,
        (Zone::Above, None) => 0.85,
        (Zone::Body, _) => 0.9,
        (Zone::Below, _) => 0.75,
        (Zone::Marked, _) => 0.7,
    };
    if line.apart {
        trust *= 0.5;
    }
    if line.own & names::TEASER != 0 {
        trust *= 0.5;
    } else if line.around & names::TEASER != 0 {
        trust *= 0.85;
    }
    if (line.own | line.around) & names::COMMENT != 0 {
        trust *= 0.5;
    }
    if line.hidden {
        trust *= 0.85;
    }
    trust
}

/// Returns the factor for a line with a writer. Between headline and text, the names of the elements around
/// it say little: many pages put their byline into an `aside`, or into a part with links to share the page.
fn writer_trust(line: &NearLine) -> f32 {
    let is_close = matches!(line.zone, Zone::Head | Zone::Body)
        && line.distance.is_some_and(|distance| distance <= CLOSE)
        && (line.own | line.around) & names::COMMENT == 0;
    let trust = place_trust(line);
    if is_close { trust.max(0.8) } else { trust }
}

/// Returns the factor for a line with a date. At the headline, the names of elements say little of a date, too.
fn date_trust(facts: &Facts<'_, '_>, line: &NearLine) -> f32 {
    const AT_HEADLINE: u32 = 4;
    let is_of_other = line.apart && facts.surroundings.lists_articles;
    let is_close = matches!(line.zone, Zone::Head | Zone::Above | Zone::Body)
        && !is_of_other
        && line.distance.is_some_and(|distance| distance <= AT_HEADLINE)
        && (line.own | line.around) & names::COMMENT == 0;
    let trust = place_trust(line);
    if is_close { trust.max(0.7) } else { trust }
}

/// Minimum number of lines of one form with different days that make a list of other texts.
const MIN_LISTED: usize = 3;
/// Factor for the confidence in dates of such lines.
const LISTED: f32 = 0.6;

/// A date in a line near the text.
struct LineDate<'l> {
    line: &'l NearLine,
    field: Field,
    value: String,
    told: &'static str,
    trust: f32,
    /// The form of the line, see [`form_of_line`].
    form: u64,
}

/// Lowers the trust in the dates of lines of one form if at least [`MIN_LISTED`] of these lines have different days.
fn doubt_listed(dates: &mut [LineDate<'_>]) {
    let mut days: BTreeSet<(u64, String)> = BTreeSet::new();
    let mut last = None;
    for found in dates.iter() {
        // A line may also have the day of a change.
        if last.replace(found.line.block) != Some(found.line.block) {
            days.insert((found.form, date::day_of(&found.value).to_owned()));
        }
    }
    let many = |form: u64| {
        days.range((form, String::new())..)
            .take_while(|(other, _)| *other == form)
            .count()
            >= MIN_LISTED
    };
    for found in dates.iter_mut().filter(|found| many(found.form)) {
        found.trust *= LISTED;
    }
}

/// Returns a hash of the tags of the three elements around a block, and of the names of two of them.
fn form_of_line(facts: &Facts<'_, '_>, block: &Block) -> u64 {
    let mut hash = fnv::START;
    let around = std::iter::once(block.element).chain(facts.dom.ancestors(block.element));
    for (level, at) in around.take(3).enumerate() {
        let class = short_attr(facts.dom, at, AttrName::CLASS).filter(|_| level < 2);
        let texts = [facts.dom.name(at), "/", class.as_deref().unwrap_or_default()];
        hash = texts
            .iter()
            .flat_map(|text| text.bytes())
            .fold(hash, |hash, byte| fnv::extend(hash, byte.into()));
    }
    hash
}

/// Adds the dates of the lines near the text.
pub(super) fn dates(facts: &Facts<'_, '_>, out: &mut Candidates) {
    let mut dates: Vec<LineDate<'_>> = Vec::new();
    for line in &facts.surroundings.lines {
        let block = &facts.table.blocks()[line.block];
        let text = facts.table.text(block);
        titled(facts, line, block, &mut dates);
        if !text.chars().any(date::is_digit) {
            continue;
        }
        let nodes = facts.table.nodes(block).iter().take(MAX_NODES);
        let inline = nodes.fold(0, |all, &node| all | inline_names(facts.dom, block, node));
        let mut from = 0;
        for _ in 0..MAX_DATES {
            let Some(found) = date::find_any(&text[from..], facts.reading) else {
                break;
            };
            let (before, after) = (
                &text[from..from + found.range.start],
                &text[from + found.range.end..],
            );
            let to = from + found.range.end;
            let left = left_over(text, from + found.range.start..to);
            let label = label_of(before, after);
            // The surest mark first. `left` is the number of letters beside the date.
            let (told, mut trust) = if (line.own | inline) & names::DATE != 0 {
                ("named", 0.9)
            } else if left <= 12 {
                ("alone", 0.86)
            } else if (line.own | inline) & (names::META | names::AUTHOR | names::AUTHOR_LINK) != 0 {
                ("named around", 0.82)
            } else if line.around & names::DATE != 0 && left <= 60 {
                ("in a named part", 0.8)
            } else if label.is_some() && left <= 40 {
                ("after a label", 0.8)
            } else if left <= 40 {
                ("short line", 0.7)
            } else {
                ("in a sentence", 0.3)
            };
            trust *= date_trust(facts, line);
            if left > 100 {
                trust *= 0.6;
            }
            // A year of two digits needs further evidence: `1.4.18` may be a version.
            trust *= match found.form {
                form if form.is_short() && (label.is_some() || told == "named") => 0.8,
                date::Form::ShortYear if told == "alone" => 0.8,
                date::Form::ShortYear => 0.4,
                date::Form::BareYear if left == 0 => 0.6,
                date::Form::BareYear => {
                    from = to;
                    continue;
                }
                date::Form::Numbers if found.ambiguous => 0.9,
                date::Form::Lunar => 0.7,
                _ => 1.0,
            };
            if block.link_density() > 0.6 {
                trust *= 0.7;
            }
            // Words at the date say more than the names of elements.
            let changed = match label {
                Some(label) => label == Label::Changed,
                None => before.trim().is_empty() && inline & names::MODIFIED != 0,
            };
            let field = if changed { Field::Modified } else { Field::Date };
            let value = date::with_time(&text[from..], found);
            dates.push(LineDate {
                line,
                field,
                value,
                told,
                trust,
                form: form_of_line(facts, block),
            });
            from = to;
        }
    }
    if dates.len() >= MIN_LISTED {
        doubt_listed(&mut dates);
    }
    for found in dates {
        let mark = (DATE_LINE, found.told);
        add(
            out,
            facts,
            found.line,
            found.field,
            vec![found.value],
            mark,
            found.trust,
        );
    }
}

/// Attributes that hold the date of an element with the class of a date:
/// `<abbr class=published title="2024-03-05T10:00">`, `<span class=timestamp data-utime=1709633400>`.
const DATED: [&str; 5] = [
    "title",
    "data-utime",
    "data-timestamp",
    "data-datetime",
    "data-date",
];

/// Adds the dates in [`DATED`] of inline elements.
fn titled<'l>(facts: &Facts<'_, '_>, line: &'l NearLine, block: &Block, dates: &mut Vec<LineDate<'l>>) {
    for &node in facts.table.nodes(block).iter().take(MAX_NODES) {
        let above = facts.dom.ancestors(node).take_while(|&at| at != block.element);
        for at in above.take(2) {
            let named = short_attr(facts.dom, at, AttrName::CLASS).map_or(0, |class| names::of(&class));
            if named & names::DATE == 0 {
                continue;
            }
            let value = |name: &&str| {
                let value = facts.dom.short_attr(at, name, MAX_TITLE)?;
                let day = date::stamp(&value, facts.reading)?;
                (date::DatePrecision::of(&day) >= Some(date::DatePrecision::Day)).then_some(day)
            };
            if let Some(day) = DATED.iter().find_map(value) {
                dates.push(LineDate {
                    line,
                    field: Field::Date,
                    value: day,
                    told: "attribute of a part",
                    trust: 0.9 * place_trust(line),
                    form: form_of_line(facts, block),
                });
            }
        }
    }
}

/// Returns the number of letters of a line outside of a date.
pub(in super::super) fn left_over(text: &str, date: Range<usize>) -> usize {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count();
    letters(&text[..date.start]) + letters(&text[date.end..])
}

/// Meaning of the words beside a date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Label {
    Published,
    Changed,
}

/// Returns the label of a date in the words before it, such as `Last updated:` or `Stand:`, or in the words
/// after it in languages that put the verb there.
fn label_of(before: &str, after: &str) -> Option<Label> {
    const CHANGED_NEXT: &[&str] = &["更新", "に更新", "修正", "수정", "업데이트"];
    const CHANGED_LATER: &[&str] = &["güncelle"];
    const MAX_WORDS: usize = 3;
    let after = after.trim_start_matches([' ', '\u{a0}', '(', '（']);
    // The word may also be the label of the next date: `公開：2024年3月4日 更新：2024年3月5日`.
    let ends = |rest: &str| {
        !rest
            .trim_start()
            .starts_with(|c: char| matches!(c, ':' | '：' | '日') || date::is_digit(c))
    };
    if CHANGED_NEXT
        .iter()
        .any(|word| after.strip_prefix(word).is_some_and(ends))
    {
        return Some(Label::Changed);
    }
    label_before(before).or_else(|| {
        let mut words = after.split_whitespace().take(MAX_WORDS);
        words
            .any(|word| CHANGED_LATER.iter().any(|stem| word.starts_with(stem)))
            .then_some(Label::Changed)
    })
}

/// Whether the words before a date say that the text was changed on it.
pub(in super::super) fn says_changed(before: &str) -> bool {
    label_before(before) == Some(Label::Changed)
}

/// Returns the label of a date in the words before it; the last label counts.
fn label_before(before: &str) -> Option<Label> {
    const CHANGED: &[&str] = &[
        "updated",
        "modified",
        "revised",
        "edited",
        "aktualisiert",
        "geändert",
        "mis à jour",
        "modifié",
        "actualizado",
        "atualizado",
        "aggiornato",
        "bijgewerkt",
        "gewijzigd",
        "aktualiz",
        "обновлен",
        "изменен",
        "оновлен",
        "zmodyfikowan",
        "uppdaterad",
        "oppdatert",
        "opdateret",
        "päivitetty",
        "güncelle",
        "frissítve",
        "更新",
        "수정",
        "تحديث",
        "ενημέρωση",
        "cập nhật",
        "letzte änderung",
        "last update",
        "reviewed",
    ];
    const PUBLISHED: &[&str] = &[
        "publi",
        "posted",
        "veröffentlicht",
        "erstellt am",
        "stand:",
        "date:",
        "datum:",
        "дата:",
        "опубликован",
        "опубліковано",
        "pubbli",
        "yayın",
        "発",
        "公開",
    ];
    const MAX_TAIL: usize = 30;
    let start = before.char_indices().rev().take(MAX_TAIL).last();
    let lower = before[start.map_or(0, |(at, _)| at)..].to_lowercase();
    let last = |words: &[&str]| words.iter().filter_map(|word| lower.rfind(word)).max();
    match (last(CHANGED), last(PUBLISHED)) {
        (None, None) => None,
        (changed, published) if changed > published => Some(Label::Changed),
        _ => Some(Label::Published),
    }
}

/// Maximum number of blocks between two lines that name one writer each.
const NEXT: usize = 4;

/// Adds the writers of the lines near the text. Lines of one form that follow each other name the writers
/// of one text, so that their names are also added together.
pub(super) fn bylines(facts: &Facts<'_, '_>, out: &mut Candidates) {
    let mut group: Option<Group<'_>> = None;
    for line in &facts.surroundings.lines {
        let block = &facts.table.blocks()[line.block];
        // Quotations and pictures have the names of their own speakers and photographers.
        if block.heading == 1 || is_quoted(facts, block) {
            continue;
        }
        let Some((names, told, confidence)) =
            byline(facts, line, block).filter(|(names, ..)| !names.is_empty())
        else {
            continue;
        };
        // Lines of one list have the same zone, mark and confidence, and stand close together.
        let confidence = writer_trust(line) * confidence;
        let follows = |group: &Group<'_>| {
            group.told == told
                && group.last.zone == line.zone
                && group.confidence == confidence
                && line.block.saturating_sub(group.last.block) <= NEXT
        };
        match group.take_if(|group| follows(group)) {
            Some(mut known) => {
                known.names.extend(names.iter().cloned());
                known.last = line;
                group = Some(known);
            }
            None => {
                if let Some(done) = group.replace(Group {
                    first: line,
                    last: line,
                    told,
                    confidence,
                    names: names.clone(),
                }) {
                    done.add(facts, out);
                }
            }
        }
        add(
            out,
            facts,
            line,
            Field::Authors,
            names,
            (BYLINE, told),
            confidence,
        );
    }
    if let Some(done) = group {
        done.add(facts, out);
    }
}

/// Whether a block lies in a quotation or in the caption of a picture.
fn is_quoted(facts: &Facts<'_, '_>, block: &Block) -> bool {
    const LEVELS: usize = 6;
    let around = std::iter::once(block.element).chain(facts.dom.ancestors(block.element));
    around
        .take(LEVELS)
        .any(|at| matches!(facts.dom.html_tag(at), Some(Tag::BLOCKQUOTE | Tag::FIGCAPTION)))
}

/// Lines of one form that follow each other.
struct Group<'l> {
    first: &'l NearLine,
    last: &'l NearLine,
    told: &'static str,
    confidence: f32,
    names: Vec<String>,
}

impl Group<'_> {
    /// Adds the names of several lines as one candidate.
    fn add(mut self, facts: &Facts<'_, '_>, out: &mut Candidates) {
        person::distinct(&mut self.names);
        // A line below the name of a writer often has the writer's job.
        self.names.retain(|name| !person::is_job(name));
        let persons = self.names.iter().all(|name| person::reads_as_name(name));
        let several = self.first.block != self.last.block && (2..=MAX_WRITERS).contains(&self.names.len());
        if several && persons {
            // A little more than for the first name alone, which the list contains.
            let confidence = self.confidence + 0.01;
            let told = (BYLINE, SEVERAL_LINES);
            add(
                out,
                facts,
                self.first,
                Field::Authors,
                self.names,
                told,
                confidence,
            );
        }
    }
}

/// Returns the writers that a line names, the mark or phrase that introduces them, and the confidence in it
/// under the headline.
///
/// The surest form is tried first: marked names, a marked line, a phrase at the beginning, a phrase inside the line.
fn byline(facts: &Facts<'_, '_>, line: &NearLine, block: &Block) -> Option<(Vec<String>, &'static str, f32)> {
    let text = facts.table.text(block);
    let has_phrase = || byline_phrases::prefix(text).is_some();
    let marked = marked_writers(facts, block);
    if !marked.is_empty() && !has_phrase() && is_teaser(line, block, &marked) {
        return None;
    }
    if !marked.is_empty() {
        // Single words that are links to profiles often belong to menus, unless words such as "posted by" introduce them.
        let words = match marked.iter().all(|name| !name.contains(' ')) {
            true if has_phrase() => 0.95,
            true => 0.72,
            false => 1.0,
        };
        let confidence = if has_phrase() { 0.93 } else { 0.84 };
        return Some((marked, "link or class", words * confidence));
    }
    // Longer lines with the class of a writer describe the writer.
    let is_named = line.own & names::AUTHOR != 0 && line.own & names::PORTRAIT == 0 && block.words <= 16;
    if !is_named && block.words > 20 {
        return None;
    }
    let plain = without_date(text, facts.reading);
    if is_named {
        let confidence = if has_phrase() { 0.92 } else { 0.8 };
        let names = without_label(person::without_byline(plain));
        let found = writers(person::before_place(names));
        if !found.is_empty() {
            return Some((found, "class", confidence));
        }
        if !has_phrase() {
            let is_near = line.zone == Zone::Head && line.distance.is_some_and(|distance| distance <= NEAR);
            // If a date was cut off, the word may be a day of the week.
            let is_alone =
                plain.len() == text.len() && names.starts_with(char::is_uppercase) && !names.contains('.');
            let handle = handle(names).filter(|_| is_near && is_alone);
            return Some((handle.into_iter().collect(), "class of a word", HANDLE));
        }
    }
    if is_in_named_part(line, block) {
        let name = plain.trim_end_matches([',', ' ']);
        let found = writers(name);
        if found.len() == 1 && person::reads_as_name(name) {
            return Some((found, "in a named part", 0.72));
        }
    }
    if let Some(end) = byline_phrases::prefix(plain) {
        // A phrase at the start of a long line may begin a sentence.
        let confidence = if block.words <= 8 { 0.85 } else { 0.7 };
        let names = person::without_byline(&plain[end..]);
        let found = writers(person::before_place(names));
        if !found.is_empty() {
            return Some((found, "phrase", confidence));
        }
        let is_near = line.zone == Zone::Head && line.distance.is_some_and(|distance| distance <= NEAR);
        let handle = handle(names).filter(|_| is_named || is_near);
        return Some((handle.into_iter().collect(), "phrase before a word", HANDLE));
    }
    // `Posted on 5 March by Ann Lee`: `by` inside a line often means something else.
    let at = inner_phrase(plain)?;
    Some((writers(&plain[at..]), "phrase in a line", 0.45))
}

/// Whether a short line at the headline lies in a part whose names mark a writer.
fn is_in_named_part(line: &NearLine, block: &Block) -> bool {
    const MAX_NAME_WORDS: u32 = 5;
    line.around & names::AUTHOR != 0
        && (line.own | line.around) & (names::COMMENT | names::TEASER) == 0
        && line.own & names::PORTRAIT == 0
        && block.words <= MAX_NAME_WORDS
        && line.zone == Zone::Head
        && line.distance.is_some_and(|distance| distance <= CLOSE)
}

/// Maximum number of blocks between the headline and a line with a pseudonym, and the confidence in one.
const NEAR: u32 = 3;
const HANDLE: f32 = 0.66;

/// Returns the pseudonym after a byline phrase: one word, with nothing after it but a time.
fn handle(text: &str) -> Option<String> {
    const AFTER: &[&str] = &["on", "at", "am", "um", "le", "el", "il", "em", "dne", "w", "в"];
    let mut words = text.split_whitespace();
    let first = words.next()?;
    let ends = words.all(|word| AFTER.contains(&word) || !word.chars().any(char::is_alphabetic));
    let is_word = first.chars().any(char::is_alphabetic) && first.chars().count() <= MAX_HANDLE;
    let mut found = person::names(first);
    let is_name = found.len() == 1 && ends && is_word;
    found.pop().filter(|_| is_name)
}

/// Returns the text after a label of one word: `Interview: Ann Lee`.
fn without_label(text: &str) -> &str {
    const MAX_LABEL: usize = 20;
    match text.split_once(':') {
        Some((label, rest))
            if label.chars().count() <= MAX_LABEL
                && label.chars().all(char::is_alphabetic)
                && !rest.trim().is_empty() =>
        {
            rest.trim_start()
        }
        _ => text,
    }
}

/// Whether a line that names writers is a link to another text, with the title of that text beside the names.
fn is_teaser(line: &NearLine, block: &Block, names: &[String]) -> bool {
    /// Minimum words beside the names.
    const MIN_TITLE: u32 = 4;
    const MIN_LINKED: f64 = 0.9;
    let words: usize = names.iter().map(|name| name.split_whitespace().count()).sum();
    !matches!(line.zone, Zone::Head | Zone::Body)
        && block.link_density() > MIN_LINKED
        && block.words >= narrow::to_u32(words) + MIN_TITLE
}

/// Returns the byte where the name begins in `Posted on 5 March by Ann Lee`.
fn inner_phrase(text: &str) -> Option<usize> {
    const PHRASES: &[&str] = &[
        " by ", " By ", " von ", " par ", " por ", " przez ", " av ", "文/", "文／", "文●",
    ];
    PHRASES
        .iter()
        .filter_map(|phrase| text.find(phrase).map(|at| at + phrase.len()))
        .min()
}

/// Returns the names in a text that read as names of persons.
pub(in super::super) fn writers(text: &str) -> Vec<String> {
    let mut found = person::names(text);
    // The first part that does not read as a name begins another sentence.
    let until = found
        .iter()
        .position(|name| !person::reads_as_name(name))
        .unwrap_or(found.len());
    found.truncate(until.min(MAX_WRITERS));
    found
}

/// Returns the part of a line before a date, or after it if the line begins with one.
pub(in super::super) fn without_date<'t>(text: &'t str, reading: date::Reading<'_>) -> &'t str {
    let Some(found) = date::find(text, reading) else {
        return text;
    };
    let before = text[..found.range.start].trim_end_matches(|c: char| !c.is_alphanumeric() && c != '.');
    match before.chars().filter(|c| c.is_alphabetic()).count() {
        // `On 5 March 2024 by Ann Lee`
        0..=9 if byline_phrases::prefix(before).is_none() => {
            let after = text[found.range.end..].trim_start_matches(|c: char| !c.is_alphanumeric());
            // `Ann Lee 5 March 2024, 10:30`
            match after.chars().any(char::is_alphabetic) || !person::reads_as_name(before) {
                true => after,
                false => before,
            }
        }
        _ => before,
    }
}

/// Returns the names in inline elements that a class, `rel` or the address of a link marks as names of writers.
fn marked_writers(facts: &Facts<'_, '_>, block: &Block) -> Vec<String> {
    let (mut found, mut alone) = (Vec::new(), None);
    let line = facts.table.text(block);
    let introduced = byline_phrases::prefix(line).map(|end| line[end..].trim_start());
    let nodes = facts.table.nodes(block).iter().take(MAX_NODES);
    for &node in nodes {
        let names = inline_names(facts.dom, block, node);
        // `dateline-author` contains the word of a date, too. A link to a writer is not a date.
        let is_date = names & names::DATE != 0 && names & names::AUTHOR_LINK == 0;
        if names & (names::AUTHOR | names::AUTHOR_LINK) == 0 || is_date || names & names::PORTRAIT != 0 {
            continue;
        }
        let text = facts.dom.text(node);
        let named = person::names(&text);
        // A single word may be the pseudonym of a writer, if a link leads to the writer.
        let handle = |name: &String| {
            names & names::AUTHOR_LINK != 0 && !name.contains(' ') && name.chars().count() <= MAX_HANDLE
        };
        // A marked word may be a pseudonym without a link, if the line has little else, or if "posted by" precedes it.
        let begins = |name: &String| name.chars().next().is_some_and(char::is_uppercase);
        let is_introduced = || introduced.is_some_and(|rest| rest.starts_with(text.trim()));
        let is_alone = names & names::AUTHOR != 0 && alone.is_none() && (block.words <= 4 || is_introduced());
        for name in named {
            if person::reads_as_name(&name) || handle(&name) {
                found.push(name);
            } else if is_alone && begins(&name) && name.chars().count() <= MAX_HANDLE {
                alone = Some(name);
            }
        }
    }
    if found.is_empty() {
        found.extend(alone);
    }
    person::distinct(&mut found);
    found.truncate(MAX_WRITERS);
    found
}

/// Adds a candidate from a line.
pub(super) fn add(
    out: &mut Candidates,
    facts: &Facts<'_, '_>,
    line: &NearLine,
    field: Field,
    values: Vec<String>,
    (source, told): (&'static str, &'static str),
    confidence: f32,
) {
    let element = facts.table.blocks().get(line.block).map(|block| block.element);
    out.at_distance(
        field,
        values,
        (source, told),
        (element, line.distance),
        confidence,
    );
}
