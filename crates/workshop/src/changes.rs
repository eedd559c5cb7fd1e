//! Changes of extracted texts that rules cause.

use std::ops::Range;

use dehusk_pipeline::Error;
use dehusk_pipeline::extract::Options;
use dehusk_pipeline::site::Store;
use similar::{ChangeTag, TextDiff};

use crate::crawl::Crawl;
use crate::look;

/// Number of unchanged lines that are shown around a change.
const CONTEXT: usize = 1;
/// Maximum number of lines that are shown of a page.
const MAX_LINES: usize = 200;

/// Kind of a line of a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineKind {
    Same,
    Gone,
    New,
    /// Stands for omitted lines.
    Gap,
}

/// The changes on a page.
pub(crate) struct PageChange {
    pub(crate) number: usize,
    pub(crate) lines: Vec<(LineKind, String)>,
    /// Number of removed lines.
    pub(crate) gone: usize,
    /// Number of added lines.
    pub(crate) new: usize,
}

/// The changes on several pages.
#[derive(Default)]
pub(crate) struct Changes {
    /// Number of pages that were compared.
    pub(crate) looked_at: usize,
    /// Number of pages that could not be read.
    pub(crate) unread: usize,
    pub(crate) pages: Vec<PageChange>,
}

/// Compares the texts that two stores extract from pages. Pages with equal texts are only counted.
pub(crate) fn compare(
    crawl: &Crawl,
    numbers: &[usize],
    stores: (&Store, &Store),
    options: &Options,
) -> Changes {
    let mut changes = Changes::default();
    for number in numbers {
        changes.looked_at += 1;
        match texts(crawl, *number, stores, options) {
            Ok((before, after)) if before != after => {
                changes.pages.push(difference(*number, &before, &after));
            }
            Ok(_) => {}
            Err(_) => changes.unread += 1,
        }
    }
    changes
}

/// The texts of a page by both stores, with a line for each field.
fn texts(
    crawl: &Crawl,
    number: usize,
    (before, after): (&Store, &Store),
    options: &Options,
) -> Result<(String, String), Error> {
    let record = crawl.read(number)?;
    Ok((
        look::fields_and_text(&record, before, options)?,
        look::fields_and_text(&record, after, options)?,
    ))
}

/// The changes between two texts of a page.
fn difference(number: usize, before: &str, after: &str) -> PageChange {
    let lines = lines(before, after);
    let count = |kind: LineKind| lines.iter().filter(|(known, _)| *known == kind).count();
    let (gone, new) = (count(LineKind::Gone), count(LineKind::New));
    PageChange {
        number,
        gone,
        new,
        lines: near_changes(lines),
    }
}

/// Returns the lines of the difference of two texts. White space around lines and empty lines are left out.
pub(crate) fn lines(before: &str, after: &str) -> Vec<(LineKind, String)> {
    let solid = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect()
    };
    let (before, after) = (solid(before), solid(after));
    let before: Vec<&str> = before.iter().map(String::as_str).collect();
    let after: Vec<&str> = after.iter().map(String::as_str).collect();
    let diff = TextDiff::from_slices(&before, &after);
    diff.iter_all_changes()
        .map(|change| {
            let kind = match change.tag() {
                ChangeTag::Equal => LineKind::Same,
                ChangeTag::Delete => LineKind::Gone,
                ChangeTag::Insert => LineKind::New,
            };
            (kind, change.value().to_owned())
        })
        .collect()
}

/// Returns the changed lines of the difference of two texts, with their context.
pub(crate) fn near(before: &str, after: &str) -> Vec<(LineKind, String)> {
    near_changes(lines(before, after))
}

/// Maximum length in bytes of lines that are compared word by word.
const MAX_COMPARED: usize = 4000;
/// Two lines count as similar if at least one word in `ALIKE` is common to both.
const ALIKE: usize = 3;

/// Returns, for each line, the byte ranges that differ from its counterpart. Removed lines are paired with
/// the added lines directly after them, in order. A line without a similar counterpart has no ranges.
pub(crate) fn changed_words(lines: &[(LineKind, String)]) -> Vec<Vec<Range<usize>>> {
    let mut out = vec![Vec::new(); lines.len()];
    // Number of successive lines of a kind.
    let run = |from: usize, kind: LineKind| {
        let rest = lines.get(from..).unwrap_or_default();
        rest.iter().take_while(|(known, _)| *known == kind).count()
    };
    let mut at = 0;
    while at < lines.len() {
        let gone = run(at, LineKind::Gone);
        let new = run(at + gone, LineKind::New);
        for pair in 0..gone.min(new) {
            let (old, now) = (at + pair, at + gone + pair);
            if let Some((a, b)) = words_that_differ(&lines[old].1, &lines[now].1) {
                out[old] = a;
                out[now] = b;
            }
        }
        // At least one line forward: an unchanged line is in no run.
        at += (gone + new).max(1);
    }
    out
}

/// Byte ranges of a line, ascending.
type Ranges = Vec<Range<usize>>;

/// The ranges in which two lines differ; `None` if the lines are too long or not similar.
fn words_that_differ(before: &str, after: &str) -> Option<(Ranges, Ranges)> {
    if before.len().max(after.len()) > MAX_COMPARED {
        return None;
    }
    let diff = TextDiff::from_words(before, after);
    let words = diff
        .iter_all_changes()
        .filter(|change| !change.value().trim().is_empty());
    let (same, other) = words.fold((0_usize, 0_usize), |(same, other), change| match change.tag() {
        // An equal word is in both lines, so it counts twice.
        ChangeTag::Equal => (same + 2, other),
        _ => (same, other + 1),
    });
    if same * ALIKE < same + other {
        return None;
    }
    let (mut gone, mut new) = (Ranges::new(), Ranges::new());
    // Offsets in both lines. The changes cover both lines completely and in order.
    let (mut a, mut b) = (0, 0);
    for change in diff.iter_all_changes() {
        let length = change.value().len();
        match change.tag() {
            ChangeTag::Equal => (a, b) = (a + length, b + length),
            ChangeTag::Delete => {
                add(&mut gone, a..a + length);
                a += length;
            }
            ChangeTag::Insert => {
                add(&mut new, b..b + length);
                b += length;
            }
        }
    }
    Some((gone, new))
}

/// Adds a range, or extends the last one if the two are adjacent.
fn add(ranges: &mut Ranges, range: Range<usize>) {
    match ranges.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => ranges.push(range),
    }
}

/// Returns the changed lines with their context. Gaps stand for other lines.
fn near_changes(lines: Vec<(LineKind, String)>) -> Vec<(LineKind, String)> {
    let changed: Vec<bool> = lines.iter().map(|(kind, _)| *kind != LineKind::Same).collect();
    let near = |at: usize| {
        let from = at.saturating_sub(CONTEXT);
        changed[from..changed.len().min(at + CONTEXT + 1)].contains(&true)
    };
    let mut out: Vec<(LineKind, String)> = Vec::new();
    for (at, line) in lines.into_iter().enumerate() {
        if out.len() >= MAX_LINES {
            out.push((LineKind::Gap, "more".to_owned()));
            break;
        }
        if near(at) {
            out.push(line);
        } else if out.last().is_none_or(|(kind, _)| *kind != LineKind::Gap) {
            out.push((LineKind::Gap, String::new()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_lines_are_shown_with_their_neighbors() {
        let before = "a\nb\n\nc\nd\ne\nf\n";
        let change = difference(3, before, "a\nb\nc\nx\ne\nf");
        let told: Vec<String> = change
            .lines
            .iter()
            .map(|(kind, line)| format!("{kind:?} {line}"))
            .collect();
        assert_eq!(told, ["Gap ", "Same c", "Gone d", "New x", "Same e", "Gap "]);
        assert_eq!((change.number, change.gone, change.new), (3, 1, 1));
    }

    #[test]
    fn words_that_differ_are_told() {
        let line = |kind: LineKind, text: &str| (kind, text.to_owned());
        let lines = [
            line(LineKind::Same, "a"),
            line(LineKind::Gone, "the river rose in the night"),
            line(LineKind::Gone, "gone for good"),
            line(LineKind::New, "the brook rose in the late night"),
            line(LineKind::New, "other words altogether"),
            line(LineKind::New, "more"),
        ];
        let words = changed_words(&lines);
        let told: Vec<Vec<&str>> = lines
            .iter()
            .zip(&words)
            .map(|((_, text), ranges)| ranges.iter().map(|range| &text[range.clone()]).collect())
            .collect();
        assert_eq!(
            told,
            [
                vec![],
                vec!["river"],
                vec![],
                vec!["brook", "late "],
                vec![],
                vec![]
            ] as [Vec<&str>; 6]
        );
        assert!(changed_words(&[]).is_empty());
    }
}
