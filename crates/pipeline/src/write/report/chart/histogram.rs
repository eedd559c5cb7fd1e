//! Histograms: columns of equal width over an axis of counts. A histogram is as wide as its parent element.

use super::count_axis::{CountAxis, CountScale};
use super::svg::{Percent, Pixels, label, line, rect};
use crate::write::report::markup::Html;
use crate::write::report::number;

/// Left edge of the plot in percent. The labels of the axis are left of it.
const LEFT: f64 = 9.0;
/// Right edge of the plot in percent.
const RIGHT: f64 = 97.5;
/// Upper edge of the plot in pixels.
const TOP: f64 = 34.0;
/// Lower edge of the plot in pixels.
const BOTTOM: f64 = 196.0;
/// Height of the whole drawing in pixels.
const HEIGHT: f64 = 240.0;
/// Maximum width of a column in percent, so that few columns do not fill the plot.
const WIDEST: f64 = 12.0;
/// Maximum number of columns for which counts are written above the columns.
const LABELLED: usize = 10;

/// A histogram.
pub(crate) struct Histogram<'a> {
    /// Description of the histogram in one sentence, for screen readers.
    pub(crate) label: &'a str,
    /// Title of the vertical axis: the counted items.
    pub(crate) counted: &'static str,
    /// Title of the horizontal axis.
    pub(crate) across: &'static str,
    /// Scale of the counts.
    pub(crate) scale: CountScale,
    /// Fraction of the width of its bin that a column fills, from 0 to 1.
    pub(crate) fill: f64,
    /// The columns, from left to right.
    pub(crate) columns: Vec<Column>,
    /// Ticks below the horizontal axis.
    pub(crate) ticks: Vec<Tick>,
    /// A vertical line over the columns that marks a value.
    pub(crate) marker: Option<Marker>,
}

/// One column.
pub(crate) struct Column {
    /// Count, which decides its height.
    pub(crate) count: u64,
    /// Tooltip.
    pub(crate) tip: String,
}

/// A tick below the horizontal axis.
pub(crate) struct Tick {
    /// Position, in columns from the left edge of the plot.
    pub(crate) at: f64,
    /// The label.
    pub(crate) text: String,
}

/// A vertical line with a label above it.
pub(crate) struct Marker {
    /// Position, in columns from the left edge of the plot.
    pub(crate) at: f64,
    /// The label.
    pub(crate) text: &'static str,
}

/// Draws a histogram.
pub(crate) fn draw(html: &mut Html, histogram: &Histogram<'_>) {
    let max = histogram
        .columns
        .iter()
        .map(|column| column.count)
        .max()
        .unwrap_or(0);
    let axis = CountAxis::new(histogram.scale, max);
    let x = |at: f64| LEFT + (RIGHT - LEFT) * at / histogram.columns.len().max(1) as f64;
    let y = |count: u64| BOTTOM - (BOTTOM - TOP) * axis.height(count);
    let (width, height) = ("100%", HEIGHT);
    html.within(
        "svg",
        &[
            ("class", &"chart"),
            ("width", &width),
            ("height", &height),
            ("role", &"img"),
            ("aria-label", &histogram.label),
        ],
        |html| {
            for tick in &axis.ticks {
                rule(html, "grid", y(*tick));
                label(
                    html,
                    "end",
                    &Percent(LEFT - 1.5),
                    y(*tick) + 4.0,
                    &number::compact(*tick),
                );
            }
            for (i, column) in histogram.columns.iter().enumerate() {
                let (start, end) = (x(i as f64), x(i as f64 + 1.0));
                html.within("g", &[("class", &"column")], |html| {
                    html.element("title", &[], &column.tip);
                    // An invisible column of full height: the tooltip also appears above a low bar.
                    draw_column(html, "reach", (start, end - start), TOP);
                    if column.count > 0 {
                        let width = ((end - start) * histogram.fill).min(WIDEST);
                        // At least 1.5 pixels high, so that a count above 0 can be seen.
                        let top = y(column.count).min(BOTTOM - 1.5);
                        draw_column(html, "bar", ((start + end - width) / 2.0, width), top);
                    }
                });
                if column.count > 0 && histogram.columns.len() <= LABELLED {
                    let text = if column.count < 10_000 {
                        number::count(column.count)
                    } else {
                        number::compact(column.count)
                    };
                    label(
                        html,
                        "value",
                        &Percent((start + end) / 2.0),
                        y(column.count) - 6.0,
                        &text,
                    );
                }
            }
            rule(html, "base", BOTTOM);
            for tick in &histogram.ticks {
                let place = Percent(x(tick.at));
                let (top, end) = (Pixels(BOTTOM), Pixels(BOTTOM + 4.0));
                line(html, "base", [&place, &place], [&top, &end]);
                label(html, "middle", &place, BOTTOM + 18.0, &tick.text);
            }
            if let Some(marker) = &histogram.marker {
                let place = Percent(x(marker.at));
                // A wide line in the color of the background below the marker separates it from bars.
                for class in ["halo", "mark"] {
                    let (top, base) = (Pixels(TOP - 8.0), Pixels(BOTTOM));
                    line(html, class, [&place, &place], [&top, &base]);
                }
                label(html, "marked", &place, TOP - 13.0, marker.text);
            }
            label(html, "start", &Percent(0.0), 12.0, histogram.counted);
            label(html, "end", &Percent(RIGHT), HEIGHT - 6.0, histogram.across);
        },
    );
}

/// A horizontal line over the width of the plot.
fn rule(html: &mut Html, class: &'static str, y: f64) {
    let y = Pixels(y);
    line(html, class, [&Percent(LEFT), &Percent(RIGHT)], [&y, &y]);
}

/// A rectangle from the base line up to `top`.
fn draw_column(html: &mut Html, class: &'static str, (left, width): (f64, f64), top: f64) {
    rect(
        html,
        class,
        [&Percent(left), &Percent(width)],
        [&Pixels(top), &Pixels(BOTTOM - top)],
    );
}
