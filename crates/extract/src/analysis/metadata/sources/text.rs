//! Bylines and dates in the visible lines around the main text.

use std::ops::Range;

use dehusk_html::tree::AttrName;

use super::super::candidate::{Candidates, Field};
use super::super::surroundings::{NearLine, Zone, inline_names, short_attr};
use super::super::{byline_phrases, date, names, person};
use super::facts::Facts;
use crate::analysis::blocks::block::Block;

/// Names of the sources.
const BYLINE: &str = "byline";
const DATE_LINE: &str = "date-line";

/// Maximum number of text nodes of a line that are read.
const MAX_NODES: usize = 24;
/// Maximum bytes of a title with a date.
const MAX_TITLE: usize = 60;
/// Maximum number of dates of a line: publication and change, and one more.
const MAX_DATES: usize = 3;
/// Maximum number of writers that a line names.
const MAX_WRITERS: usize = 8;

/// Returns a factor for the confidence of a line by its place: the same form of a date is right more often under the headline.
fn place_trust(line: &NearLine) -> f32 {
    let mut trust = match (line.zone, line.distance) {
        (Zone::Head, _) => 1.0,
        (Zone::Above, Some(0..=4)) => 0.95,
        (Zone::Above, Some(_)) => 0.85,
        (Zone::Above, None) => 0.85,
        (Zone::Body, _) => 0.9,
        (Zone::Below, _) => 0.75,
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
    trust
}

/// Adds the dates of the lines near the text.
pub(super) fn dates(facts: &Facts<'_, '_>, out: &mut Candidates) {
    for line in &facts.surroundings.lines {
        let block = &facts.table.blocks()[line.block];
        let text = facts.table.text(block);
        if !text.chars().any(date::is_digit) {
            continue;
        }
        titled(facts, line, block, out);
        let nodes = facts.table.nodes(block).iter().take(MAX_NODES);
        let inline = nodes.fold(0, |all, &node| all | inline_names(facts.dom, block, node));
        let mut from = 0;
        for _ in 0..MAX_DATES {
            let Some(found) = date::find(&text[from..], facts.reading) else {
                break;
            };
            let before = &text[from..from + found.range.start];
            let left = left_over(text, from + found.range.start..from + found.range.end);
            let (told, mut trust) = if (line.own | inline) & names::DATE != 0 {
                ("named", 0.9)
            } else if left <= 12 {
                ("alone", 0.86)
            } else if (line.own | inline) & (names::META | names::AUTHOR | names::AUTHOR_LINK) != 0 {
                ("named around", 0.82)
            } else if line.around & names::DATE != 0 && left <= 60 {
                ("in a named part", 0.8)
            } else if left <= 40 {
                ("short line", 0.7)
            } else {
                ("in a sentence", 0.3)
            };
            trust *= place_trust(line);
            if left > 100 {
                trust *= 0.6;
            }
            trust *= match found.form {
                date::Form::ShortYear if told == "named" || told == "alone" => 0.8,
                date::Form::ShortYear => 0.4,
                date::Form::Numbers if found.ambiguous => 0.9,
                _ => 1.0,
            };
            if block.link_density() > 0.6 {
                trust *= 0.7;
            }
            let changed = says_changed(before) || before.trim().is_empty() && inline & names::MODIFIED != 0;
            let field = if changed { Field::Modified } else { Field::Date };
            add(out, facts, line, field, vec![found.day], (DATE_LINE, told), trust);
            from += found.range.end;
        }
    }
}

/// Adds dates in the `title` of inline elements with a class of dates: `<abbr class=published title="2024-03-05T10:00">9
/// o'clock</abbr>`.
fn titled(facts: &Facts<'_, '_>, line: &NearLine, block: &Block, out: &mut Candidates) {
    for &node in facts.table.nodes(block).iter().take(MAX_NODES) {
        let above = facts.dom.ancestors(node).take_while(|&at| at != block.element);
        for at in above.take(2) {
            let named = || short_attr(facts.dom, at, AttrName::CLASS).map_or(0, |class| names::of(&class));
            let title = facts.dom.short_attr(at, "title", MAX_TITLE);
            let Some(title) = title.filter(|_| named() & names::DATE != 0) else {
                continue;
            };
            if let Some(day) = date::iso_as(&title, facts.reading) {
                let trust = 0.9 * place_trust(line);
                add(
                    out,
                    facts,
                    line,
                    Field::Date,
                    vec![day],
                    (DATE_LINE, "title of a part"),
                    trust,
                );
            }
        }
    }
}

/// Returns the number of letters of a line outside of a date.
fn left_over(text: &str, date: Range<usize>) -> usize {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count();
    letters(&text[..date.start]) + letters(&text[date.end..])
}

/// Whether the words before a date say that the text was changed on it.
fn says_changed(before: &str) -> bool {
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
    const MAX_TAIL: usize = 30;
    let start = before.char_indices().rev().take(MAX_TAIL).last();
    let lower = before[start.map_or(0, |(at, _)| at)..].to_lowercase();
    let last = CHANGED.iter().filter_map(|word| lower.rfind(word)).max();
    let published = ["publi", "posted", "veröffentlicht", "発", "公開"]
        .iter()
        .filter_map(|word| lower.rfind(word))
        .max();
    last.is_some_and(|at| published.is_none_or(|other| at > other))
}

/// Adds the writers of the lines near the text.
pub(super) fn bylines(facts: &Facts<'_, '_>, out: &mut Candidates) {
    for line in &facts.surroundings.lines {
        let block = &facts.table.blocks()[line.block];
        if block.heading == 1 {
            continue;
        }
        if let Some((names, told, confidence)) = byline(facts, line, block) {
            let confidence = place_trust(line) * confidence;
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
    }
}

/// Returns the writers that a line names, the mark or phrase that introduces them, and the confidence in it under the headline.
///
/// The surest form is tried first: marked names, a marked line, a phrase at the beginning, a phrase inside the line.
fn byline(facts: &Facts<'_, '_>, line: &NearLine, block: &Block) -> Option<(Vec<String>, &'static str, f32)> {
    let text = facts.table.text(block);
    let has_phrase = || byline_phrases::prefix(text).is_some();
    let marked = marked_writers(facts, block);
    if !marked.is_empty() {
        // Single words that are links to profiles often belong to menus.
        let words = match marked.iter().all(|name| !name.contains(' ')) {
            true => 0.72,
            false => 1.0,
        };
        let confidence = if has_phrase() { 0.93 } else { 0.84 };
        return Some((marked, "link or class", words * confidence));
    }
    let is_named = line.own & names::AUTHOR != 0 && line.own & names::PORTRAIT == 0 && block.words <= 16;
    if !is_named && block.words > 20 {
        return None;
    }
    let plain = without_date(text, facts.reading);
    if is_named {
        let confidence = if has_phrase() { 0.92 } else { 0.8 };
        return Some((writers(person::without_byline(plain)), "class", confidence));
    }
    if let Some(end) = byline_phrases::prefix(plain) {
        let confidence = if block.words <= 8 { 0.85 } else { 0.7 };
        return Some((
            writers(person::without_byline(&plain[end..])),
            "phrase",
            confidence,
        ));
    }
    let at = inner_phrase(plain)?;
    Some((writers(&plain[at..]), "phrase in a line", 0.45))
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
fn writers(text: &str) -> Vec<String> {
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
fn without_date<'t>(text: &'t str, reading: date::Reading<'_>) -> &'t str {
    let Some(found) = date::find(text, reading) else {
        return text;
    };
    let before = text[..found.range.start].trim_end_matches(|c: char| !c.is_alphanumeric() && c != '.');
    match before.chars().filter(|c| c.is_alphabetic()).count() {
        // `On 5 March 2024 by Ann Lee`
        0..=9 if byline_phrases::prefix(before).is_none() => {
            text[found.range.end..].trim_start_matches(|c: char| !c.is_alphanumeric())
        }
        _ => before,
    }
}

/// Returns the names in inline elements that are marked as the writer's, by class, `rel` or the address of a link.
fn marked_writers(facts: &Facts<'_, '_>, block: &Block) -> Vec<String> {
    let mut found = Vec::new();
    let nodes = facts.table.nodes(block).iter().take(MAX_NODES);
    for &node in nodes {
        let names = inline_names(facts.dom, block, node);
        if names & (names::AUTHOR | names::AUTHOR_LINK) == 0 || names & (names::DATE | names::PORTRAIT) != 0 {
            continue;
        }
        let text = facts.dom.text(node);
        let named = person::names(&text);
        // A single word may be the pseudonym of a writer, if a link leads to the writer.
        let handle = |name: &String| {
            names & names::AUTHOR_LINK != 0 && !name.contains(' ') && name.chars().count() <= 24
        };
        found.extend(
            named
                .into_iter()
                .filter(|name| person::reads_as_name(name) || handle(name)),
        );
    }
    person::distinct(&mut found);
    found.truncate(MAX_WRITERS);
    found
}

fn add(
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
