//! The best methods, as a table and as plots.

use dehusk_pipeline::chart::{Mark, Plot, Scale, interval};
use dehusk_pipeline::markup::Html;
use dehusk_pipeline::number::count;

use crate::compare::{Mode, Results, Row, View, study_name};
use crate::report::cells::{brief, figure, framed, heads, number};

/// Writes the leaderboard.
pub(super) fn table(html: &mut Html, _: &Results, view: &View) {
    // Costs are measured for all rows or for none.
    let costs = view.rows.iter().any(|row| row.signing.is_some());
    // The first degree of truth has the main columns.
    let others: Vec<&str> = view
        .set
        .degrees
        .iter()
        .skip(1)
        .map(|degree| degree.name.as_str())
        .collect();
    framed(html, "", |html| {
        let mut columns = vec![
            ("", true),
            ("Method", false),
            ("Mode", false),
            ("Precision", true),
            ("Recall", true),
            ("F1", true),
            ("", false),
            ("p", true),
            ("Best F1", true),
            ("at", true),
        ];
        let names: Vec<String> = others.iter().map(|name| format!("F1, {name}")).collect();
        columns.extend(names.iter().map(|name| (name.as_str(), true)));
        columns.extend([
            ("Closure F1", true),
            ("B-cubed F1", true),
            ("URL F1", true),
            ("Compared", true),
            ("Bytes", true),
        ]);
        if costs {
            columns.extend([("µs CPU", true), ("Peak MB", true)]);
        }
        heads(html, &columns);
        html.within("tbody", &[], |html| {
            for (rank, row) in view.rows.iter().enumerate() {
                let class = if rank == 0 { "best" } else { "" };
                html.within("tr", &[("class", &class)], |html| {
                    line(html, rank + 1, row, view, &others, costs);
                });
            }
        });
    });
}

/// Writes the cells of a row.
fn line(html: &mut Html, rank: usize, row: &Row, view: &View, others: &[&str], costs: bool) {
    number(html, rank);
    html.within("th", &[("scope", &"row")], |html| html.prose(&row.name, 60));
    html.element("td", &[("class", &"soft")], row.mode.name());
    number(html, figure(row.pairs.precision));
    number(html, figure(row.pairs.recall));
    html.element("td", &[("class", &"number strong")], figure(row.pairs.f1));
    html.within("td", &[("class", &"figure")], |html| {
        if let Some([_, _, f1]) = row.intervals {
            html.within(
                "span",
                &[(
                    "title",
                    &format_args!("{} to {}", figure(f1.low), figure(f1.high)),
                )],
                |html| {
                    interval(html, row.pairs.f1, f1.low, f1.high);
                },
            );
        }
    });
    number(
        html,
        row.difference.map_or_else(String::new, |(_, p)| {
            if p <= 0.001 { "<.001".to_owned() } else { figure(p) }
        }),
    );
    // The best point of the curve. Of equal points, the smallest threshold is chosen. A single point is no
    // curve.
    let best = row.curve.iter().filter(|_| row.curve.len() > 1);
    let best = best.max_by(|a, b| a.pairs.f1.total_cmp(&b.pairs.f1).then(b.at.total_cmp(&a.at)));
    number(
        html,
        best.map_or_else(String::new, |point| figure(point.pairs.f1)),
    );
    number(html, best.map_or_else(String::new, |point| point.at.to_string()));
    for name in others {
        let score = row.degrees.iter().find(|(degree, _)| degree == name);
        number(html, score.map_or_else(String::new, |(_, prf)| figure(prf.f1)));
    }
    number(html, figure(row.closure.pairs.f1));
    number(
        html,
        row.closure
            .b_cubed
            .map_or_else(String::new, |scores| figure(scores.f1)),
    );
    number(html, figure(row.closure.urls.f1));
    number(
        html,
        row.candidates
            .map_or_else(|| "–".to_owned(), |(pairs, _)| count(pairs)),
    );
    number(html, brief(row.bytes));
    if costs {
        number(html, micros(row, view).map_or_else(String::new, brief));
        let peak = row
            .signing
            .and_then(|cost| cost.peak)
            .max(row.searching.and_then(|cost| cost.peak));
        number(
            html,
            peak.map_or_else(String::new, |bytes| count(bytes.div_ceil(1_000_000))),
        );
    }
}

/// Processor time per document, in microseconds. `None` if costs were not measured.
fn micros(row: &Row, view: &View) -> Option<f64> {
    let cost = row.signing?.and(row.searching?);
    Some(1e6 * cost.cpu / view.set.documents.max(1) as f64)
}

/// Style class of the dots of a mode.
fn class(mode: Mode) -> &'static str {
    match mode {
        Mode::Alone => "dot-b",
        Mode::Verified => "dot-a",
    }
}

/// Writes the legend of colors.
fn key(html: &mut Html) {
    html.within("ul", &[("class", &"key")], |html| {
        html.element("li", &[("class", &"a")], "verified");
        html.element("li", &[("class", &"d")], "alone");
    });
}

/// A dot for each row for which `at` returns coordinates, labelled by rank and name.
fn dots(view: &View, at: impl Fn(&Row) -> Option<(f64, f64)>) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (rank, row) in view.rows.iter().enumerate() {
        let Some(at) = at(row) else { continue };
        marks.push(Mark::Dot {
            class: class(row.mode),
            at,
            label: format!("{} {}", rank + 1, row.name),
            tip: format!(
                "{}. {}, {}: precision {}, recall {}, F1 {}",
                rank + 1,
                row.name,
                row.mode.name(),
                figure(row.pairs.precision),
                figure(row.pairs.recall),
                figure(row.pairs.f1)
            ),
        });
    }
    marks
}

/// Draws precision over recall.
pub(super) fn plot(html: &mut Html, _: &Results, view: &View) {
    let mut marks = Vec::new();
    let exact = view.rows.iter().find(|row| row.name == study_name("shingles"));
    let scores = || {
        let curve = exact
            .iter()
            .flat_map(|row| row.curve.iter().map(|point| point.pairs));
        view.rows.iter().map(|row| row.pairs).chain(curve)
    };
    if let Some(row) = exact {
        marks.push(Mark::Line {
            class: "line-a",
            points: row
                .curve
                .iter()
                .map(|point| (point.pairs.recall, point.pairs.precision))
                .collect(),
        });
    }
    marks.extend(dots(view, |row| Some((row.pairs.recall, row.pairs.precision))));
    html.within("figure", &[("class", &"wide")], |html| {
        Plot {
            label: "Precision over recall of every row",
            across: "recall",
            up: "precision",
            x: Scale::fitted(scores().map(|pairs| pairs.recall)),
            y: Scale::fitted(scores().map(|pairs| pairs.precision)),
            marks,
            ticks: Vec::new(),
            small: false,
        }
        .draw(html);
        key(html);
    });
}

/// Draws F1 over processor time.
pub(super) fn costs(html: &mut Html, _: &Results, view: &View) {
    let all: Vec<f64> = view.rows.iter().filter_map(|row| micros(row, view)).collect();
    if all.is_empty() {
        html.element("p", &[("class", &"nothing")], "Costs were not measured.");
        return;
    }
    html.within("figure", &[("class", &"wide")], |html| {
        Plot {
            label: "F1 over processor time per document",
            across: "µs of processor time per document",
            up: "F1",
            x: Scale::log(all.into_iter()),
            y: Scale::fitted(view.rows.iter().map(|row| row.pairs.f1)),
            marks: dots(view, |row| Some((micros(row, view)?, row.pairs.f1))),
            ticks: Vec::new(),
            small: false,
        }
        .draw(html);
        key(html);
    });
    if let (Some(shared), Some(peak)) = (view.shared, view.peak) {
        html.element(
            "p",
            &[("class", &"note")],
            format_args!(
                "Shared by all rows: {} s by the clock, {} s of processor time for reading, tokens, shingles, statistics, true pairs and \
                 the exact join. The process never held more than {} MB.",
                brief(shared.seconds),
                brief(shared.cpu),
                brief(peak as f64 / 1e6)
            ),
        );
    }
}
