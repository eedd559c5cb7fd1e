//! Drawings in SVG, sized by the page around them.
//!
//! Lengths across are percentages of the width at hand and lengths down are pixels, so that a drawing fits a telephone and
//! a wall without its letters growing or shrinking. Colors and type are set by the style sheet through classes.

mod axis;
mod bar;
mod columns;

use std::fmt;

pub(super) use axis::Scale;
pub(super) use bar::{share_bar, step_bar, strip};
pub(super) use columns::{Chart, Column, Mark, Tick, draw};

/// A length across, of the whole width.
struct Percent(f64);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}%", finite(self.0))
    }
}

/// A length down.
struct Pixels(f64);

impl fmt::Display for Pixels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}", finite(self.0))
    }
}

fn finite(length: f64) -> f64 {
    if length.is_finite() { length } else { 0.0 }
}

#[cfg(test)]
mod tests;
