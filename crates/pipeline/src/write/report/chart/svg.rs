//! Lengths and shapes of charts.

use std::fmt::{self, Display};

use crate::write::report::markup::Html;

/// A horizontal length in percent of the whole width.
pub(super) struct Percent(pub(super) f64);

impl Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}%", finite(self.0))
    }
}

/// A length in pixels, or in units of a drawing with a `viewBox`.
pub(super) struct Pixels(pub(super) f64);

impl Display for Pixels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}", finite(self.0))
    }
}

/// The length, or 0 for NaN and infinities, which are not valid attributes.
fn finite(length: f64) -> f64 {
    if length.is_finite() { length } else { 0.0 }
}

/// A line; `x` and `y` each hold the coordinates of both ends.
pub(super) fn line(html: &mut Html, class: &'static str, x: [&dyn Display; 2], y: [&dyn Display; 2]) {
    html.shape(
        "line",
        &[
            ("class", &class),
            ("x1", x[0]),
            ("x2", x[1]),
            ("y1", y[0]),
            ("y2", y[1]),
        ],
    );
}

/// A rectangle: `x` is left edge and width, `y` is upper edge and height.
pub(super) fn rect(html: &mut Html, class: &'static str, x: [&dyn Display; 2], y: [&dyn Display; 2]) {
    html.shape(
        "rect",
        &[
            ("class", &class),
            ("x", x[0]),
            ("width", x[1]),
            ("y", y[0]),
            ("height", y[1]),
        ],
    );
}

/// A filled circle.
pub(super) fn dot(
    html: &mut Html,
    class: &'static str,
    x: &dyn Display,
    y: &dyn Display,
    radius: &dyn Display,
) {
    html.shape(
        "circle",
        &[("class", &class), ("cx", x), ("cy", y), ("r", radius)],
    );
}

/// A short text.
pub(super) fn label(html: &mut Html, class: &'static str, x: &dyn Display, y: f64, text: &str) {
    html.element("text", &[("class", &class), ("x", x), ("y", &Pixels(y))], text);
}

/// A strip as wide as its table cell. It is hidden from screen readers, which read the numbers in the cells
/// beside it.
pub(super) fn strip_frame(html: &mut Html, class: &'static str, height: f64, body: impl FnOnce(&mut Html)) {
    html.within(
        "svg",
        &[
            ("class", &class),
            ("width", &"100%"),
            ("height", &height),
            ("aria-hidden", &"true"),
        ],
        body,
    );
}
