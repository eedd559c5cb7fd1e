//! Drawings in SVG: points, lines and columns between two axes.
//!
//! Colors and type are set by the style sheet through classes; a drawing is as wide as its column of the page.

use std::fmt::{self, Write};

use dehusk_pipeline::markup::Html;

/// Width and height of a drawing, and of the smaller ones that stand side by side.
const LARGE: (f64, f64) = (640.0, 380.0);
const SMALL: (f64, f64) = (320.0, 190.0);
/// Room for the figures of the axes.
const LEFT: f64 = 46.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 38.0;

/// How values become places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scale {
    /// Evenly from one value to another.
    Linear(f64, f64),
    /// By logarithms, from one value above 0 to another.
    Log(f64, f64),
}

impl Scale {
    /// A logarithmic scale that holds all values above 0, from a power of ten to another.
    pub(super) fn log(values: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
        for value in values.filter(|value| *value > 0.0 && value.is_finite()) {
            low = low.min(value);
            high = high.max(value);
        }
        if high == 0.0 {
            return Self::Log(1.0, 10.0);
        }
        let power = |value: f64, up: bool| {
            let exponent = if up {
                value.log10().ceil()
            } else {
                value.log10().floor()
            };
            10_f64.powi(exponent as i32)
        };
        let (low, high) = (power(low, false), power(high, true));
        Self::Log(low, if high > low { high } else { low * 10.0 })
    }

    /// A part of 0 to 1 that holds all values, from a tenth to another.
    pub(super) fn fitted(values: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high) = (1.0_f64, 0.0_f64);
        for value in values {
            low = low.min(value);
            high = high.max(value);
        }
        let (low, high) = (
            (low * 10.0 - 1e-9).floor() / 10.0,
            (high * 10.0 + 1e-9).ceil() / 10.0,
        );
        let low = low.clamp(0.0, 0.9);
        Self::Linear(low, high.clamp(low + 0.1, 1.0))
    }

    /// 0 at the beginning, 1 at the end.
    fn share(self, value: f64) -> f64 {
        let share = match self {
            Self::Linear(from, to) => (value - from) / (to - from),
            Self::Log(from, to) => (value.max(from) / from).ln() / (to / from).ln(),
        };
        if share.is_finite() {
            share.clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    fn ticks(self) -> Vec<(f64, String)> {
        match self {
            Self::Linear(from, to) => {
                let step = nice((to - from) / 5.0);
                let first = (from / step - 1e-9).ceil() as i64;
                (first..)
                    .map(|number| number as f64 * step)
                    .take_while(|value| *value <= to + 1e-9)
                    .take(12)
                    .map(|value| (value, short(value)))
                    .collect()
            }
            Self::Log(from, to) => {
                let decades = (to / from).log10().round() as i32;
                let every = (decades / 6).max(0) + 1;
                (0..=decades)
                    .filter(|decade| decade % every == 0)
                    .map(|decade| {
                        let value = from * 10_f64.powi(decade);
                        (value, short(value))
                    })
                    .collect()
            }
        }
    }
}

/// The nearest of 1, 2 and 5 times a power of ten, not below.
fn nice(step: f64) -> f64 {
    if !(step > 0.0 && step.is_finite()) {
        return 1.0;
    }
    let power = 10_f64.powf(step.log10().floor());
    let times = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|times| times * power >= step * 0.999);
    times.unwrap_or(10.0) * power
}

/// A figure of an axis.
fn short(value: f64) -> String {
    let absolute = value.abs();
    if absolute > 0.0 && absolute < 0.001 {
        format!("{value:.0e}")
    } else if absolute >= 1e6 {
        format!("{}M", round(value / 1e6))
    } else if absolute >= 1e4 {
        format!("{}k", round(value / 1e3))
    } else {
        round(value)
    }
}

fn round(value: f64) -> String {
    let text = if value.abs() >= 10.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.3}")
    };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// One thing to draw.
pub(super) enum Mark {
    /// A line through points.
    Line {
        class: &'static str,
        points: Vec<(f64, f64)>,
    },
    /// A point with a short label, and a longer one when the pointer rests on it.
    Dot {
        class: &'static str,
        at: (f64, f64),
        label: String,
        tip: String,
    },
    /// Columns of equal width: left edges are 0, 1, 2 and so on.
    Columns { class: &'static str, heights: Vec<f64> },
    /// An upright line with a word.
    Upright { at: f64, label: String },
}

/// A drawing.
pub(super) struct Plot<'a> {
    /// What it shows, for those who hear the page.
    pub(super) label: &'a str,
    pub(super) across: &'a str,
    pub(super) up: &'a str,
    pub(super) x: Scale,
    pub(super) y: Scale,
    pub(super) marks: Vec<Mark>,
    /// Figures below the horizontal axis; those of the scale if there are none.
    pub(super) ticks: Vec<(f64, String)>,
    pub(super) small: bool,
}

/// A length with one decimal.
struct Length(f64);

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}", if self.0.is_finite() { self.0 } else { 0.0 })
    }
}

impl Plot<'_> {
    /// Draws it.
    pub(super) fn draw(&self, html: &mut Html) {
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

    fn parts(&self, html: &mut Html, width: f64, height: f64) {
        let (right, bottom) = (width - RIGHT, height - BOTTOM);
        let x = |value: f64| LEFT + (right - LEFT) * self.x.share(value);
        let y = |value: f64| bottom - (bottom - TOP) * self.y.share(value);
        for (value, text) in self.y.ticks() {
            line(html, "grid", (LEFT, y(value)), (right, y(value)));
            label(html, "end", LEFT - 6.0, y(value) + 4.0, &text);
        }
        let ticks = if self.ticks.is_empty() {
            self.x.ticks()
        } else {
            self.ticks.clone()
        };
        for (value, text) in ticks {
            line(html, "base", (x(value), bottom), (x(value), bottom + 4.0));
            label(html, "middle", x(value), bottom + 17.0, &text);
        }
        line(html, "base", (LEFT, bottom), (right, bottom));
        label(html, "start", 0.0, 12.0, self.up);
        label(html, "end", right, height - 4.0, self.across);
        let mut taken: Vec<(f64, f64, f64)> = Vec::new();
        for mark in &self.marks {
            match mark {
                Mark::Columns { class, heights } => {
                    for (place, &value) in heights.iter().enumerate().filter(|(_, value)| **value > 0.0) {
                        let (from, to) = (x(place as f64), x(place as f64 + 1.0));
                        let top = y(value).min(bottom - 1.5);
                        html.within("g", &[], |html| {
                            html.element("title", &[], short(value));
                            let gap = ((to - from) * 0.1).min(3.0);
                            html.shape(
                                "rect",
                                &[
                                    ("class", class),
                                    ("x", &Length(from + gap)),
                                    ("width", &Length((to - from - 2.0 * gap).max(0.5))),
                                    ("y", &Length(top)),
                                    ("height", &Length(bottom - top)),
                                ],
                            );
                        });
                    }
                }
                Mark::Line { class, points } => {
                    let mut path = String::new();
                    for (place, &(a, b)) in points.iter().enumerate() {
                        let letter = if place == 0 { 'M' } else { 'L' };
                        // Writing to a string cannot fail.
                        let _ = write!(path, "{letter}{} {}", Length(x(a)), Length(y(b)));
                    }
                    html.shape("path", &[("class", class), ("d", &path)]);
                }
                Mark::Upright { at, label: text } => {
                    line(html, "upright", (x(*at), TOP), (x(*at), bottom));
                    label(html, "middle strong", x(*at), TOP - 6.0, text);
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
                        html.shape(
                            "circle",
                            &[
                                ("class", class),
                                ("cx", &Length(at_x)),
                                ("cy", &Length(at_y)),
                                ("r", &"4"),
                            ],
                        );
                    });
                    if !text.is_empty()
                        && let Some((place_x, place_y)) =
                            place(&mut taken, at_x, at_y, text.chars().count(), right)
                    {
                        label(html, "tag", place_x, place_y, text);
                    }
                }
            }
        }
    }
}

/// A place for a label beside a point where no other label is; none if there is no such place.
fn place(taken: &mut Vec<(f64, f64, f64)>, x: f64, y: f64, letters: usize, right: f64) -> Option<(f64, f64)> {
    let width = 6.6 * letters as f64 + 3.0;
    let spots = [
        (7.0, 4.0),
        (-width - 5.0, 4.0),
        (-width / 2.0, -8.0),
        (-width / 2.0, 17.0),
        (7.0, -7.0),
        (7.0, 15.0),
        (-width - 5.0, -7.0),
        (-width - 5.0, 15.0),
    ];
    for (dx, dy) in spots {
        let (at, base) = (x + dx, y + dy);
        let inside = at >= LEFT && at + width <= right + 8.0 && base > TOP - 10.0;
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

fn line(html: &mut Html, class: &'static str, from: (f64, f64), to: (f64, f64)) {
    html.shape(
        "line",
        &[
            ("class", &class),
            ("x1", &Length(from.0)),
            ("y1", &Length(from.1)),
            ("x2", &Length(to.0)),
            ("y2", &Length(to.1)),
        ],
    );
}

fn label(html: &mut Html, class: &'static str, x: f64, y: f64, text: &str) {
    html.element(
        "text",
        &[("class", &class), ("x", &Length(x)), ("y", &Length(y))],
        text,
    );
}

/// A strip for a figure from 0 to 1 with the interval that holds it, to stand in a cell of a table.
pub(super) fn interval(html: &mut Html, value: f64, low: f64, high: f64) {
    let percent = |share: f64| format!("{:.1}%", 100.0 * share.clamp(0.0, 1.0));
    html.within(
        "svg",
        &[
            ("class", &"strip"),
            ("width", &"100%"),
            ("height", &"14"),
            ("aria-hidden", &"true"),
        ],
        |html| {
            let (start, end) = (percent(0.0), percent(1.0));
            html.shape(
                "line",
                &[
                    ("class", &"track"),
                    ("x1", &start),
                    ("x2", &end),
                    ("y1", &"7"),
                    ("y2", &"7"),
                ],
            );
            let (low, high, at) = (percent(low), percent(high), percent(value));
            html.shape(
                "line",
                &[
                    ("class", &"range"),
                    ("x1", &low),
                    ("x2", &high),
                    ("y1", &"7"),
                    ("y2", &"7"),
                ],
            );
            html.shape(
                "circle",
                &[("class", &"dot"), ("cx", &at), ("cy", &"7"), ("r", &"3.5")],
            );
        },
    );
}
