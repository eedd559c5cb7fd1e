//! Small drawings that stand inside a row of a table.

use crate::write::report::markup::Html;

use super::{Percent, Pixels};

/// Width that even the smallest share gets, in percent: what is there can be seen.
const VISIBLE: f64 = 0.5;
/// Height of the bars in pixels.
const HEIGHT: f64 = 14.0;

/// A bar for a share from 0 to 1, on a track that shows the whole.
pub(in crate::write::report) fn share_bar(html: &mut Html, share: f64) {
    frame(html, |html| {
        span(html, "track", 0.0, 100.0);
        if share > 0.0 {
            span(html, "bar", 0.0, (share.min(1.0) * 100.0).max(VISIBLE));
        }
    });
}

/// One step of a funnel, in shares from 0 to 1: what is left after it, and behind that what it took away.
pub(in crate::write::report) fn step_bar(html: &mut Html, left: f64, taken: f64, kept: bool) {
    frame(html, |html| {
        let left = left.clamp(0.0, 1.0) * 100.0;
        if left > 0.0 {
            span(html, if kept { "bar" } else { "rest" }, 0.0, left.max(VISIBLE));
        }
        if taken > 0.0 {
            let width = (taken.min(1.0) * 100.0).max(VISIBLE);
            span(html, "taken", left.min(100.0 - width).max(0.0), width);
        }
    });
}

/// A strip of dots for figures from `from` to 1.
pub(in crate::write::report) fn strip(html: &mut Html, from: f64, values: impl Iterator<Item = f64>) {
    // Dots keep clear of both ends by their radius, whatever the width.
    const CLEAR: f64 = 4.0;
    frame(html, |html| {
        let (middle, radius) = (Pixels(HEIGHT / 2.0), Pixels(3.5));
        html.shape(
            "line",
            &[
                ("class", &"rule"),
                ("x1", &"0"),
                ("x2", &"100%"),
                ("y1", &middle),
                ("y2", &middle),
            ],
        );
        for value in values.filter(|value| value.is_finite()) {
            let place = ((value - from) / (1.0 - from)).clamp(0.0, 1.0);
            let x = Percent(CLEAR + place * (100.0 - 2.0 * CLEAR));
            html.shape(
                "circle",
                &[("class", &"dot"), ("cx", &x), ("cy", &middle), ("r", &radius)],
            );
        }
    });
}

/// The figures stand in the cells beside the drawing: readers of the text alone lose nothing.
fn frame(html: &mut Html, body: impl FnOnce(&mut Html)) {
    html.within(
        "svg",
        &[
            ("class", &"inline"),
            ("width", &"100%"),
            ("height", &HEIGHT),
            ("aria-hidden", &"true"),
        ],
        body,
    );
}

fn span(html: &mut Html, class: &'static str, x: f64, width: f64) {
    html.shape(
        "rect",
        &[
            ("class", &class),
            ("x", &Percent(x)),
            ("width", &Percent(width)),
            ("y", &"1"),
            ("height", &Pixels(HEIGHT - 2.0)),
        ],
    );
}
