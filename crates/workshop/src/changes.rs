//! What rules change on pages.

use dehusk_pipeline::Error;
use dehusk_pipeline::extract::Options;
use dehusk_pipeline::site::Store;
use similar::{ChangeTag, TextDiff};

use crate::crawl::Crawl;
use crate::look;

/// Lines around a change that are shown.
const CONTEXT: usize = 1;
/// Most lines that are shown of a page.
const MAX_LINES: usize = 200;

/// A line of a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineKind {
    Same,
    Gone,
    New,
    /// Lines are left out here.
    Gap,
}

/// What changes on a page.
pub(crate) struct PageChange {
    pub(crate) number: usize,
    pub(crate) lines: Vec<(LineKind, String)>,
    /// Lines that go and lines that come.
    pub(crate) gone: usize,
    pub(crate) new: usize,
}

/// What changes on pages.
#[derive(Default)]
pub(crate) struct Changes {
    /// Pages that were looked at.
    pub(crate) looked_at: usize,
    /// Pages that could not be read.
    pub(crate) unread: usize,
    pub(crate) pages: Vec<PageChange>,
}

/// Compares the texts that two stores give for pages.
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

fn texts(
    crawl: &Crawl,
    number: usize,
    (before, after): (&Store, &Store),
    options: &Options,
) -> Result<(String, String), Error> {
    let record = crawl.read(number)?;
    Ok((
        look::text(&record, before, options)?,
        look::text(&record, after, options)?,
    ))
}

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

/// All lines of two texts, without empty ones.
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

/// Changed lines with what is around them.
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
}
