//! Templates and their differences as readable text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use dehusk_extract::site::{Template, TemplatePart};

use crate::write::terminal::printable;

/// Maximum number of repeated lines that are shown of a part.
const MAX_LINES: usize = 3;

/// A template as text: its origin, the places of its fields, containers, cuts with their reasons, and
/// repeated parts outside of containers. If there is a second choice of parts, its differences follow.
pub fn show(template: &Template) -> String {
    let mut out = String::new();
    let origin = &template.origin;
    let _ = writeln!(
        out,
        "site     {} (layout {})",
        printable(&origin.site),
        origin.layout
    );
    let _ = writeln!(out, "pages    {}", template.pages());
    if let Some(sure) = template.sure() {
        let _ = writeln!(
            out,
            "sure     {:.0} % of samples of its pages choose these parts",
            100.0 * sure
        );
    }
    if let Some(doubt) = template.doubt() {
        let _ = writeln!(out, "doubt    not applied, since {doubt}");
    }
    let _ = writeln!(out, "method   {}", printable(&origin.method));
    if let Some(newest) = &origin.newest {
        let _ = writeln!(out, "newest   {}", printable(newest));
    }
    let parts = template.parts();
    let pages = f64::from(template.pages().max(1));
    let fields = template.fields();
    if !fields.is_empty() {
        let _ = writeln!(out, "\nfields");
    }
    for field in fields {
        let attribute = field
            .attribute
            .map_or_else(String::new, |name| format!(" [{name}]"));
        let _ = writeln!(
            out,
            "  {:<8} {}{}\n    on {:.0} % of pages, {} different values, {} of {} as the page states, confidence {:.2}, such as \"{}\"",
            field.field.name(),
            printable(&field.css),
            printable(&attribute),
            100.0 * f64::from(field.pages) / pages,
            field.values,
            field.agree,
            field.agree + field.against,
            field.confidence,
            printable(field.example)
        );
    }
    // Lists the parts that `wanted` selects under a title.
    let list = |out: &mut String, title: &str, wanted: &dyn Fn(&TemplatePart<'_>) -> bool| {
        let _ = writeln!(out, "\n{title}");
        let mut any = false;
        for part in parts.iter().filter(|p| wanted(p)) {
            any = true;
            let support = 100.0 * f64::from(part.pages) / pages;
            let _ = writeln!(
                out,
                "  {}\n    {}: on {support:.0} % of pages, {:.0} words a page, {:.0} % repeated, {:.0} % links, {:.0} % kept by the \
                 page alone",
                printable(&part.path),
                part.reason,
                part.tokens / pages,
                100.0 * part.repeated,
                100.0 * part.linked,
                100.0 * part.voted
            );
            for (line, on) in part.lines.iter().take(MAX_LINES) {
                let _ = writeln!(out, "    \"{}\" on {on}", printable(line));
            }
        }
        if !any {
            let _ = writeln!(out, "  none");
        }
    };
    list(&mut out, "main text", &|p| p.container);
    // A cut is a dropped part whose parent is kept. Dropped parts below it have no row of their own.
    let kept = |p: &TemplatePart<'_>| p.parent.is_some_and(|above| parts[above].kept);
    list(&mut out, "cut out of them", &|p| !p.kept && kept(p));
    list(&mut out, "repeated outside", &|p| {
        p.reason == "outside-containers" && !p.lines.is_empty()
    });
    if let [_, second] = template.candidates().as_slice() {
        let _ = writeln!(
            out,
            "\nsecond choice, of {:.0} % of samples of its pages",
            100.0 * second.sure
        );
        for line in diff(template, &second.template).lines() {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}

/// The differences between two templates, one a line.
///
/// A part that only one of them has is marked `-` or `+`. A part that they decide differently is marked
/// `!`. Two parts correspond if elements of one would be matched to the other on a page. A part whose
/// difference follows from that of its parent has no line. Returns an empty text if there is no difference.
pub fn diff(a: &Template, b: &Template) -> String {
    let (old, new) = (ComparedTemplate::of(a), ComparedTemplate::of(b));
    // Correspondence is looked up both ways, because the counterpart of a part may itself match a third
    // part better.
    let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
    pairs.extend((0..).zip(b.counterparts(a)).filter_map(|(i, j)| Some((i, j?))));
    pairs.extend((0..).zip(a.counterparts(b)).filter_map(|(j, i)| Some((i?, j))));
    let known: [BTreeSet<usize>; 2] = [
        pairs.iter().map(|p| p.0).collect(),
        pairs.iter().map(|p| p.1).collect(),
    ];
    let mut lines = Vec::new();
    for (mark, side, known) in [('-', &old, &known[0]), ('+', &new, &known[1])] {
        // Parts without pages are skipped: their elements match other parts better.
        let rows = (0..side.parts.len()).filter(|i| side.parts[*i].pages > 0 && !known.contains(i));
        lines.extend(side.lines(
            mark,
            rows.map(|i| (i, ([side.parts[i].kept; 2], verdict(&side.parts[i])))),
        ));
    }
    let mut changed = BTreeMap::new();
    for (i, j) in pairs {
        let (before, after) = (&old.parts[i], &new.parts[j]);
        if (before.kept, before.container) != (after.kept, after.container) {
            let words = format!("{} -> {}", verdict(before), verdict(after));
            // A part may be in several pairs. It gets one line, from the first pair.
            changed.entry(i).or_insert(([before.kept, after.kept], words));
        }
    }
    lines.extend(old.lines('!', changed.into_iter()));
    lines.sort();
    lines.into_iter().map(|(_, line)| line).collect()
}

/// What a template does with a part, in words.
fn verdict(part: &TemplatePart<'_>) -> String {
    match (part.kept, part.container) {
        (true, true) => "container".to_owned(),
        (true, false) => "kept".to_owned(),
        (false, _) => format!("dropped, {}", part.reason),
    }
}

/// One of two compared templates.
struct ComparedTemplate<'t> {
    pages: f64,
    parts: Vec<TemplatePart<'t>>,
}

impl<'t> ComparedTemplate<'t> {
    /// The parts of a template, and its number of pages.
    fn of(template: &'t Template) -> ComparedTemplate<'t> {
        ComparedTemplate {
            pages: f64::from(template.pages().max(1)),
            parts: template.parts(),
        }
    }

    /// Lines about parts, each with the steps of its path as sort key.
    ///
    /// `rows` yields parts in ascending order: index, whether the old and the new template keep the part,
    /// and the words to show.
    fn lines(
        &self,
        mark: char,
        rows: impl Iterator<Item = (usize, ([bool; 2], String))>,
    ) -> Vec<(Vec<String>, String)> {
        // For each part, the part whose line covers it.
        let mut line_of: BTreeMap<usize, usize> = BTreeMap::new();
        let mut lines: BTreeMap<usize, ([bool; 2], String, u64)> = BTreeMap::new();
        for (i, (kept, words)) in rows {
            let part = &self.parts[i];
            // Parents have smaller indices than their children, so the line of the parent is known.
            let above = part.parent.and_then(|p| line_of.get(&p).copied());
            let head = above.filter(|head| {
                // A part has its own line if it is kept differently from its parent's line, or is a
                // container.
                let follows = lines.get(head).is_some_and(|(above, ..)| *above == kept);
                follows && !part.container
            });
            match head.and_then(|head| lines.get_mut(&head)) {
                Some((_, _, more)) => *more += 1,
                None => {
                    lines.insert(i, (kept, words, 0));
                }
            }
            line_of.insert(i, head.unwrap_or(i));
        }
        let line = |(i, (_, words, more)): (usize, ([bool; 2], String, u64))| {
            let part = &self.parts[i];
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a number of words for people, rounded"
            )]
            let words_on_each = (part.tokens / f64::from(part.pages.max(1))).round() as u64;
            let mut line = format!(
                "{mark} {}: {words}; on {:.0} % of pages, {} on each",
                printable(&part.path),
                100.0 * f64::from(part.pages) / self.pages,
                counted(words_on_each, "word"),
            );
            if more > 0 {
                line.push_str(&format!("; with {} in it", counted(more, "part")));
            }
            line.push('\n');
            (part.path.split('/').map(str::to_owned).collect(), line)
        };
        lines.into_iter().map(line).collect()
    }
}

/// `1 page`, `2 pages`.
pub(super) fn counted(n: impl Into<u64>, what: &str) -> String {
    let n = n.into();
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
