//! Strips: charts one line high, in the rows of tables.

use super::svg::{Percent, Pixels, dot, line, rect, strip_frame};
use crate::write::report::markup::Html;

/// Minimum width of a bar in percent, so that a share above 0 is visible.
const MIN_PERCENT: f64 = 0.5;
/// Height of the bars in pixels.
const HEIGHT: f64 = 14.0;

/// A bar for a share from 0 to 1, over a track of the full width.
pub(crate) fn share_bar(html: &mut Html, share: f64) {
    strip_frame(html, "inline", HEIGHT, |html| {
        span(html, "track", 0.0, 100.0);
        if share > 0.0 {
            span(html, "bar", 0.0, (share.min(1.0) * 100.0).max(MIN_PERCENT));
        }
    });
}

/// One step of a funnel, in shares from 0 to 1: `left` remains after the step. The bar right of it shows
/// `taken`, which the step removed.
pub(crate) fn step_bar(html: &mut Html, left: f64, taken: f64, kept: bool) {
    strip_frame(html, "inline", HEIGHT, |html| {
        let left = left.clamp(0.0, 1.0) * 100.0;
        if left > 0.0 {
            span(
                html,
                if kept { "bar" } else { "rest" },
                0.0,
                left.max(MIN_PERCENT),
            );
        }
        if taken > 0.0 {
            let width = (taken.min(1.0) * 100.0).max(MIN_PERCENT);
            // A bar of the minimum width must not leave the strip on the right.
            span(html, "taken", left.min(100.0 - width).max(0.0), width);
        }
    });
}

/// A strip of dots for values from `from` to 1.
pub(crate) fn strip(html: &mut Html, from: f64, values: impl Iterator<Item = f64>) {
    // Margin so that dots at both ends are not cut off.
    const MARGIN_PERCENT: f64 = 4.0;
    strip_frame(html, "inline", HEIGHT, |html| {
        let (middle, radius) = (Pixels(HEIGHT / 2.0), Pixels(3.5));
        line(html, "rule", [&"0", &"100%"], [&middle, &middle]);
        for value in values.filter(|value| value.is_finite()) {
            let place = ((value - from) / (1.0 - from)).clamp(0.0, 1.0);
            let x = Percent(MARGIN_PERCENT + place * (100.0 - 2.0 * MARGIN_PERCENT));
            dot(html, "dot", &x, &middle, &radius);
        }
    });
}

/// A strip for a share from 0 to 1 with its confidence interval.
pub fn interval(html: &mut Html, value: f64, low: f64, high: f64) {
    let percent = |share: f64| format!("{:.1}%", 100.0 * share.clamp(0.0, 1.0));
    strip_frame(html, "strip", HEIGHT, |html| {
        let (start, end) = (percent(0.0), percent(1.0));
        line(html, "track", [&start, &end], [&"7", &"7"]);
        let (low, high, at) = (percent(low), percent(high), percent(value));
        line(html, "range", [&low, &high], [&"7", &"7"]);
        dot(html, "dot", &at, &"7", &"3.5");
    });
}

/// A bar of the strip, in percent of its width.
fn span(html: &mut Html, class: &'static str, x: f64, width: f64) {
    rect(
        html,
        class,
        [&Percent(x), &Percent(width)],
        [&"1", &Pixels(HEIGHT - 2.0)],
    );
}
