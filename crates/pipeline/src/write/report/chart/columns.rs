//! Charts of columns: histograms over classes of equal width on paper.

use crate::write::report::markup::Html;
use crate::write::report::number;

use super::axis::Axis;
use super::{Percent, Pixels, Scale};

/// Left and right end of the plot in percent; figures of the axis stand on its left.
const LEFT: f64 = 9.0;
const RIGHT: f64 = 97.5;
/// Upper and lower end of the plot in pixels.
const TOP: f64 = 34.0;
const BOTTOM: f64 = 196.0;
/// Height of the whole drawing in pixels.
const HEIGHT: f64 = 240.0;
/// Widest column in percent: a few of them are no wall.
const WIDEST: f64 = 12.0;
/// Columns up to which each carries its count.
const LABELLED: usize = 10;

/// A chart of columns.
pub(in crate::write::report) struct Chart<'a> {
    /// What it shows, in one sentence, for those who hear the page.
    pub(in crate::write::report) label: &'a str,
    /// What is counted: the title of the vertical axis.
    pub(in crate::write::report) counted: &'static str,
    /// Title of the horizontal axis.
    pub(in crate::write::report) across: &'static str,
    /// Scale of the counts.
    pub(in crate::write::report) scale: Scale,
    /// Part of its class that a column fills, 0 to 1.
    pub(in crate::write::report) fill: f64,
    /// The columns, from left to right.
    pub(in crate::write::report) columns: Vec<Column>,
    /// What is written below the horizontal axis.
    pub(in crate::write::report) ticks: Vec<Tick>,
    /// A line across the columns, if there is something to mark.
    pub(in crate::write::report) mark: Option<Mark>,
}

/// One column.
pub(in crate::write::report) struct Column {
    /// Its height.
    pub(in crate::write::report) count: u64,
    /// What appears when the pointer rests on it.
    pub(in crate::write::report) tip: String,
}

/// A figure below the horizontal axis.
pub(in crate::write::report) struct Tick {
    /// Where, in columns from the left end of the plot.
    pub(in crate::write::report) at: f64,
    /// The figure.
    pub(in crate::write::report) text: String,
}

/// An upright line with a word on top.
pub(in crate::write::report) struct Mark {
    /// Where, in columns from the left end of the plot.
    pub(in crate::write::report) at: f64,
    /// The word.
    pub(in crate::write::report) text: &'static str,
}

/// Draws the chart.
pub(in crate::write::report) fn draw(html: &mut Html, chart: &Chart<'_>) {
    let max = chart.columns.iter().map(|column| column.count).max().unwrap_or(0);
    let axis = Axis::new(chart.scale, max);
    let x = |at: f64| LEFT + (RIGHT - LEFT) * at / chart.columns.len().max(1) as f64;
    let y = |count: u64| BOTTOM - (BOTTOM - TOP) * axis.height(count);
    let (width, height) = ("100%", HEIGHT);
    html.within(
        "svg",
        &[
            ("class", &"chart"),
            ("width", &width),
            ("height", &height),
            ("role", &"img"),
            ("aria-label", &chart.label),
        ],
        |html| {
            for tick in &axis.ticks {
                rule(html, "grid", y(*tick));
                label(html, "end", LEFT - 1.5, y(*tick) + 4.0, &number::compact(*tick));
            }
            for (i, column) in chart.columns.iter().enumerate() {
                let (start, end) = (x(i as f64), x(i as f64 + 1.0));
                html.within("g", &[("class", &"column")], |html| {
                    html.element("title", &[], &column.tip);
                    rect(html, "reach", start, end - start, TOP, BOTTOM - TOP);
                    if column.count > 0 {
                        let width = ((end - start) * chart.fill).min(WIDEST);
                        let top = y(column.count).min(BOTTOM - 1.5);
                        rect(html, "bar", (start + end - width) / 2.0, width, top, BOTTOM - top);
                    }
                });
                if column.count > 0 && chart.columns.len() <= LABELLED {
                    let text = if column.count < 10_000 {
                        number::count(column.count)
                    } else {
                        number::compact(column.count)
                    };
                    label(html, "value", (start + end) / 2.0, y(column.count) - 6.0, &text);
                }
            }
            rule(html, "base", BOTTOM);
            for tick in &chart.ticks {
                let place = Percent(x(tick.at));
                html.shape(
                    "line",
                    &[
                        ("class", &"base"),
                        ("x1", &place),
                        ("x2", &place),
                        ("y1", &Pixels(BOTTOM)),
                        ("y2", &Pixels(BOTTOM + 4.0)),
                    ],
                );
                label(html, "middle", x(tick.at), BOTTOM + 18.0, &tick.text);
            }
            if let Some(mark) = &chart.mark {
                let place = Percent(x(mark.at));
                for class in ["halo", "mark"] {
                    let (top, base) = (Pixels(TOP - 8.0), Pixels(BOTTOM));
                    html.shape(
                        "line",
                        &[
                            ("class", &class),
                            ("x1", &place),
                            ("x2", &place),
                            ("y1", &top),
                            ("y2", &base),
                        ],
                    );
                }
                label(html, "marked", x(mark.at), TOP - 13.0, mark.text);
            }
            label(html, "start", 0.0, 12.0, chart.counted);
            label(html, "end", RIGHT, HEIGHT - 6.0, chart.across);
        },
    );
}

fn rect(html: &mut Html, class: &'static str, x: f64, width: f64, y: f64, height: f64) {
    html.shape(
        "rect",
        &[
            ("class", &class),
            ("x", &Percent(x)),
            ("width", &Percent(width)),
            ("y", &Pixels(y)),
            ("height", &Pixels(height)),
        ],
    );
}

fn rule(html: &mut Html, class: &'static str, y: f64) {
    let y = Pixels(y);
    html.shape(
        "line",
        &[
            ("class", &class),
            ("x1", &Percent(LEFT)),
            ("x2", &Percent(RIGHT)),
            ("y1", &y),
            ("y2", &y),
        ],
    );
}

fn label(html: &mut Html, class: &'static str, x: f64, y: f64, text: &str) {
    html.element(
        "text",
        &[("class", &class), ("x", &Percent(x)), ("y", &Pixels(y))],
        text,
    );
}
