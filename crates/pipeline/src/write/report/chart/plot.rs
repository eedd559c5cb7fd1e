//! Plots: points, lines and columns over two numeric axes. A plot has a fixed size and is scaled as a whole.

use std::fmt::Write;

use super::scale::{Scale, short};
use super::svg::{Pixels, dot, label, rect};
use crate::write::report::markup::Html;

/// Width and height of a plot, in units of the drawing.
const LARGE: (f64, f64) = (640.0, 380.0);
/// Width and height of plots that stand side by side.
const SMALL: (f64, f64) = (320.0, 190.0);
/// Left margin for the labels of the axis, in units of the drawing.
const LEFT: f64 = 46.0;
/// Right margin in the same units.
const RIGHT: f64 = 12.0;
/// Upper margin in the same units.
const TOP: f64 = 24.0;
/// Lower margin for the labels of the axis, in the same units.
const BOTTOM: f64 = 38.0;

/// One item of a plot.
#[derive(Clone, Debug)]
pub enum Mark {
    /// A line through points.
    Line {
        /// Class in the style sheet.
        class: &'static str,
        /// Its points, from left to right.
        points: Vec<(f64, f64)>,
    },
    /// A point with a short label and a tooltip.
    Dot {
        /// Class in the style sheet.
        class: &'static str,
        /// Its coordinates.
        at: (f64, f64),
        /// Label beside the point; omitted if there is no room.
        label: String,
        /// Tooltip.
        tip: String,
    },
    /// Columns of width 1, with left edges at 0, 1, 2 and so on.
    Columns {
        /// Class in the style sheet.
        class: &'static str,
        /// Heights of the columns; a column of height 0 is not drawn.
        heights: Vec<f64>,
    },
    /// A vertical line with a label.
    Upright {
        /// Its horizontal coordinate.
        at: f64,
        /// The label above it.
        label: String,
    },
}

/// A plot.
pub struct Plot<'a> {
    /// Description of the plot, for screen readers.
    pub label: &'a str,
    /// Title of the horizontal axis.
    pub across: &'a str,
    /// Title of the vertical axis.
    pub up: &'a str,
    /// Horizontal scale.
    pub x: Scale,
    /// Vertical scale.
    pub y: Scale,
    /// The items, drawn from back to front.
    pub marks: Vec<Mark>,
    /// Ticks of the horizontal axis. If empty, the ticks of its scale are used.
    pub ticks: Vec<(f64, String)>,
    /// Whether it has the size of plots that stand side by side.
    pub small: bool,
}

impl Plot<'_> {
    /// Draws the plot.
    pub fn draw(&self, html: &mut Html) {
        let (width, height) = if self.small { SMALL } else { LARGE };
        let view = format!("0 0 {width} {height}");
        let class = if self.small { "plot small" } else { "plot" };
        html.within(
            "svg",
            &[
                ("class", &class),
                ("viewBox", &view),
                ("role", &"img"),
                ("aria-label", &self.label),
            ],
            |html| self.parts(html, width, height),
        );
    }

    /// Draws axes and marks into a drawing of this size.
    fn parts(&self, html: &mut Html, width: f64, height: f64) {
        let (right, bottom) = (width - RIGHT, height - BOTTOM);
        let x = |value: f64| LEFT + (right - LEFT) * self.x.position(value);
        let y = |value: f64| bottom - (bottom - TOP) * self.y.position(value);
        for (value, text) in self.y.ticks() {
            segment(html, "grid", (LEFT, y(value)), (right, y(value)));
            label(html, "end", &Pixels(LEFT - 6.0), y(value) + 4.0, &text);
        }
        let ticks = if self.ticks.is_empty() {
            self.x.ticks()
        } else {
            self.ticks.clone()
        };
        for (value, text) in ticks {
            segment(html, "base", (x(value), bottom), (x(value), bottom + 4.0));
            label(html, "middle", &Pixels(x(value)), bottom + 17.0, &text);
        }
        segment(html, "base", (LEFT, bottom), (right, bottom));
        label(html, "start", &Pixels(0.0), 12.0, self.up);
        label(html, "end", &Pixels(right), height - 4.0, self.across);
        // Places of labels as left edge, base line and width. Labels must cover neither the title of the
        // axis nor a dot.
        let mut taken = vec![(0.0, 12.0, letters_width(self.up.chars().count()))];
        taken.extend(self.marks.iter().filter_map(|mark| match mark {
            Mark::Dot { at: (a, b), .. } => Some((x(*a) - 4.0, y(*b) + 4.0, 8.0)),
            _ => None,
        }));
        for mark in &self.marks {
            match mark {
                Mark::Columns { class, heights } => {
                    for (place, &value) in heights.iter().enumerate().filter(|(_, value)| **value > 0.0) {
                        let (from, to) = (x(place as f64), x(place as f64 + 1.0));
                        let top = y(value).min(bottom - 1.5);
                        html.within("g", &[], |html| {
                            html.element("title", &[], short(value));
                            let gap = ((to - from) * 0.1).min(3.0);
                            let (left, width) = (from + gap, (to - from - 2.0 * gap).max(0.5));
                            rect(
                                html,
                                class,
                                [&Pixels(left), &Pixels(width)],
                                [&Pixels(top), &Pixels(bottom - top)],
                            );
                        });
                    }
                }
                Mark::Line { class, points } => {
                    let mut path = String::new();
                    for (place, &(a, b)) in points.iter().enumerate() {
                        let letter = if place == 0 { 'M' } else { 'L' };
                        // Writing to a string cannot fail.
                        let _ = write!(path, "{letter}{} {}", Pixels(x(a)), Pixels(y(b)));
                    }
                    html.shape("path", &[("class", class), ("d", &path)]);
                }
                Mark::Upright { at, label: text } => {
                    segment(html, "upright", (x(*at), TOP), (x(*at), bottom));
                    label(html, "middle strong", &Pixels(x(*at)), TOP - 6.0, text);
                }
                Mark::Dot {
                    class,
                    at: (a, b),
                    label: text,
                    tip,
                } => {
                    let (at_x, at_y) = (x(*a), y(*b));
                    html.within("g", &[], |html| {
                        html.element("title", &[], tip);
                        dot(html, class, &Pixels(at_x), &Pixels(at_y), &"4");
                    });
                    // A label without room is left out; the tooltip still has its text.
                    if !text.is_empty()
                        && let Some((place_x, place_y)) =
                            place(&mut taken, at_x, at_y, text.chars().count(), right)
                    {
                        label(html, "tag", &Pixels(place_x), place_y, text);
                    }
                }
            }
        }
    }
}

/// Position for a label of `letters` characters beside the point (`x`, `y`) that overlaps none of the
/// places in `taken`, to which it is added. Returns `None` if all positions are taken.
fn place(taken: &mut Vec<(f64, f64, f64)>, x: f64, y: f64, letters: usize, right: f64) -> Option<(f64, f64)> {
    let width = letters_width(letters);
    // Right of the point first, then left, above and below, then farther away.
    let spots = [
        (7.0, 4.0),
        (-width - 5.0, 4.0),
        (-width / 2.0, -8.0),
        (-width / 2.0, 17.0),
        (7.0, -7.0),
        (7.0, 15.0),
        (-width - 5.0, -7.0),
        (-width - 5.0, 15.0),
        (-width / 2.0, -20.0),
        (-width / 2.0, 29.0),
        (7.0, 27.0),
        (-width - 5.0, 27.0),
        (-width / 2.0, 41.0),
    ];
    for (dx, dy) in spots {
        let (at, base) = (x + dx, y + dy);
        let inside = at >= LEFT && at + width <= right + 8.0 && base > TOP - 10.0;
        // 11 units are the height of a line.
        let free = taken.iter().all(|&(other, line, wide)| {
            at + width < other || other + wide < at || (base - line).abs() > 11.0
        });
        if inside && free {
            taken.push((at, base, width));
            return Some((at, base));
        }
    }
    None
}

/// Estimated width of a label with this number of characters, at the letter size of the style sheet.
fn letters_width(letters: usize) -> f64 {
    6.6 * letters as f64 + 3.0
}

/// A straight line between two points.
fn segment(html: &mut Html, class: &'static str, from: (f64, f64), to: (f64, f64)) {
    html.shape(
        "line",
        &[
            ("class", &class),
            ("x1", &Pixels(from.0)),
            ("y1", &Pixels(from.1)),
            ("x2", &Pixels(to.0)),
            ("y2", &Pixels(to.1)),
        ],
    );
}
