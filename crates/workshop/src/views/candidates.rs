//! The two choices of parts of an unsure layout side by side, with a button to take one of them.

use dehusk_pipeline::Error;
use dehusk_pipeline::extract::site::{Candidate, Sample, Template, TemplatePart};
use dehusk_pipeline::markup::Html;

use super::changes::direction;
use super::shell::{self, MAX_CHARS, count, hidden};
use crate::changes::{self, LineKind};
use crate::crawl::{LayoutMark, SitePages};
use crate::fields::Fields;
use crate::reply::Reply;
use crate::workshop::Workshop;

/// Number of pages whose texts are shown: those on which the candidates differ most.
const PAGES: usize = 3;
/// Maximum number of parts that are listed of a candidate.
const MAX_PARTS: usize = 12;
/// Maximum number of characters of a line that are shown.
const MAX_LINE: usize = 400;

/// Shows the two candidates of a layout.
pub(crate) fn show(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    let host = fields.text("host");
    let pages = workshop.crawl.looked_at(host, &workshop.options);
    let number = fields.number("layout").unwrap_or(0);
    // Layouts are numbered from 1. The number 0 gets an index that no layout has.
    let at = number.wrapping_sub(1);
    let Some(layout) = pages.layouts.get(at) else {
        return Err(Error::usage(format!("`{host}` has no layout {number}")));
    };
    let template = workshop.template_of(host, &pages, at);
    let candidates = template.map(Template::candidates).unwrap_or_default();
    let trail = [(host, workshop.link("/site", &[("host", host)]))];
    Ok(Reply::Page(shell::page(
        workshop,
        "Two candidates",
        &trail,
        |html| {
            html.within("p", &[("class", &"where")], |html| {
                html.text(format!("Layout {number} below "));
                html.exact(&layout.path, 100);
                html.text(format!(", {}", count(layout.pages.len(), "page", "pages")));
            });
            let [first, second] = candidates.as_slice() else {
                html.element(
                    "p",
                    &[],
                    "There is nothing to choose: all samples of its pages have the same main text, or there are too few pages for samples.",
                );
                return;
            };
            html.element(
                "p",
                &[],
                "Which parts are main text depends on the pages that are learnt from. Take the candidate whose text is right: it becomes a \
                 rule for the pages of this layout. That can be taken back, and nothing is saved before you save it.",
            );
            scope(html, workshop, host, &pages, at);
            html.within("div", &[("class", &"pair")], |html| {
                for (n, own, other) in [(1, first, second), (2, second, first)] {
                    html.within(
                        "section",
                        &[
                            ("class", &"candidate"),
                            ("aria-label", &format_args!("Candidate {n}")),
                        ],
                        |html| {
                            candidate(html, (n, own), other);
                            take(html, workshop, host, (number, pages.numbers.len()), n);
                        },
                    );
                }
            });
            texts(html, workshop, &pages, at, (first, second));
        },
    )))
}

/// Warns if a choice would affect more pages than those of the layout.
fn scope(html: &mut Html, workshop: &Workshop, host: &str, pages: &SitePages, at: usize) {
    let first = pages.layouts[at]
        .pages
        .first()
        .and_then(|page| pages.numbers.get(*page));
    let mark = first.map(|number| workshop.layout_mark(host, *number));
    if mark == Some(LayoutMark::Nothing) {
        html.element(
            "p",
            &[("class", &"alarm")],
            "Neither the addresses nor the outermost elements distinguish these pages from those of other layouts. The rule is tried on all \
             pages of the folder: look at what it changes there before you save it.",
        );
    }
}

/// Writes how a candidate was chosen, and the parts that it alone keeps.
fn candidate(html: &mut Html, (n, own): (usize, &Candidate), other: &Candidate) {
    html.element("h2", &[], format!("Candidate {n}"));
    let share = format!("{:.0} % of the samples of its pages choose it", 100.0 * own.sure);
    let words = own.template.kept_tokens() / f64::from(own.template.pages().max(1));
    html.element(
        "p",
        &[],
        match n {
            1 => format!("{share}, and so do all pages together. It keeps {words:.0} words a page."),
            _ => format!("{share}. It keeps {words:.0} words a page."),
        },
    );
    let (parts, others) = (own.template.parts(), other.template.parts());
    // A part inside another part that this candidate alone keeps is not listed again.
    let alone = |at: usize| parts[at].kept && !others[at].kept;
    let telling = |(at, part): &(usize, &TemplatePart<'_>)| {
        alone(*at) && part.tokens > 0.0 && !part.parent.is_some_and(alone)
    };
    let mut found: Vec<&TemplatePart<'_>> = parts
        .iter()
        .enumerate()
        .filter(telling)
        .map(|(_, part)| part)
        .collect();
    found.sort_by(|a, b| b.tokens.total_cmp(&a.tokens));
    if found.is_empty() {
        html.element(
            "p",
            &[("class", &"note")],
            "It keeps nothing that the other one drops.",
        );
        return;
    }
    html.element("p", &[], "It alone keeps:");
    html.within("ul", &[("class", &"parts")], |html| {
        for part in found.iter().take(MAX_PARTS) {
            html.within("li", &[], |html| {
                html.exact(&part.path, MAX_CHARS);
                html.text(format!(
                    " on {}, {:.0} words on each",
                    count(part.pages as usize, "page", "pages"),
                    part.tokens / f64::from(part.pages.max(1))
                ));
                if !part.example.is_empty() {
                    html.within("span", &[("class", &"note sample")], |html| {
                        html.prose(part.example, 120);
                    });
                }
            });
        }
        if found.len() > MAX_PARTS {
            html.element("li", &[], format!("and {} smaller ones", found.len() - MAX_PARTS));
        }
    });
}

/// Writes the button that takes a candidate. `looked` is the number of analyzed pages. With other pages,
/// the candidates may be others.
fn take(html: &mut Html, workshop: &Workshop, host: &str, (layout, looked): (usize, usize), n: usize) {
    // Rules need a host, so nothing can be taken for pages without an address.
    if host.is_empty() {
        return;
    }
    let to = workshop.link("/candidates", &[]);
    html.within("form", &[("method", &"post"), ("action", &to)], |html| {
        let (layout, looked) = (layout.to_string(), looked.to_string());
        hidden(html, &[("host", host), ("layout", &layout), ("looked", &looked)]);
        html.element(
            "button",
            &[("name", &"candidate"), ("value", &n)],
            format!("Take candidate {n}"),
        );
    });
}

/// Writes the texts of both candidates on the pages on which they differ most.
fn texts(
    html: &mut Html,
    workshop: &Workshop,
    pages: &SitePages,
    at: usize,
    (first, second): (&Candidate, &Candidate),
) {
    let differing = |sample: &Sample| {
        let (a, b) = (first.template.kept(sample), second.template.kept(sample));
        a.iter().zip(&b).filter(|(a, b)| a != b).count()
    };
    let mut shown: Vec<(usize, usize)> = pages.layouts[at]
        .pages
        .iter()
        .filter_map(|page| Some((*page, differing(pages.samples.get(*page)?))))
        .filter(|(_, blocks)| *blocks > 0)
        .collect();
    shown.sort_by_key(|(page, blocks)| (std::cmp::Reverse(*blocks), *page));
    for (page, _) in shown.into_iter().take(PAGES) {
        let (number, sample) = (pages.numbers[page], &pages.samples[page]);
        html.within("h3", &[], |html| {
            let to = workshop.link(&format!("/page/{number}"), &[]);
            html.within("a", &[("href", &to)], |html| {
                html.prose(workshop.crawl.name(number), 200);
            });
        });
        let text = |candidate: &Candidate| sample.text_of(&candidate.template.kept(sample));
        versus(html, &changes::near(&text(first), &text(second)));
    }
}

/// Writes two texts side by side. Common lines are in both columns. Where the texts differ, the lines of
/// each are side by side.
fn versus(html: &mut Html, lines: &[(LineKind, String)]) {
    html.within("div", &[("class", &"versus")], |html| {
        for run in lines.chunk_by(|a, b| is_common(a.0) == is_common(b.0)) {
            let of = |kind: LineKind| run.iter().filter(move |line| line.0 == kind).map(|line| &line.1);
            let (mut left, mut right) = (of(LineKind::Gone), of(LineKind::New));
            // Lines are paired in order. The rest of the longer side stands beside empty cells.
            if !is_common(run[0].0) {
                loop {
                    let row = (left.next(), right.next());
                    if row == (None, None) {
                        break;
                    }
                    html.within("div", &[("class", &"row")], |html| {
                        cell(html, 1, row.0);
                        cell(html, 2, row.1);
                    });
                }
                continue;
            }
            for (kind, line) in run {
                let line = if *kind == LineKind::Gap { "⋮" } else { line };
                html.within("div", &[("class", &"row same")], |html| {
                    html.within("div", &[("dir", &direction(line))], |html| {
                        html.prose(line, MAX_LINE);
                    });
                    // Both columns show the same text, and screen readers read it once.
                    let hidden: [(&str, &dyn std::fmt::Display); 2] =
                        [("dir", &direction(line)), ("aria-hidden", &"true")];
                    html.within("div", &hidden, |html| html.prose(line, MAX_LINE));
                });
            }
        }
    });
}

/// Whether a line is in both texts, or stands for such lines.
fn is_common(kind: LineKind) -> bool {
    matches!(kind, LineKind::Same | LineKind::Gap)
}

/// Writes a line that only candidate `n` keeps, or an empty cell.
fn cell(html: &mut Html, n: usize, line: Option<&String>) {
    let Some(line) = line else {
        html.within("div", &[("class", &"none")], |_| {});
        return;
    };
    html.within("div", &[("class", &"only"), ("dir", &direction(line))], |html| {
        html.within("span", &[("class", &"sign")], |html| {
            html.element("span", &[("class", &"hidden")], "Only candidate ");
            html.text(n);
        });
        html.text(" ");
        html.prose(line, MAX_LINE);
    });
}
