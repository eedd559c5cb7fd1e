//! SVG charts: histograms over counts, plots over two axes, and strips in table cells.
//!
//! Colors and fonts come from the style sheet of the page, through classes. Histograms and strips have widths in percent and heights in
//! pixels, so that they fit any screen with letters of constant size. Plots are scaled as a whole.

pub(crate) mod count_axis;
pub(crate) mod histogram;
mod plot;
mod scale;
pub(crate) mod strip;
mod svg;

pub use plot::{Mark, Plot};
pub use scale::Scale;
pub use strip::interval;

#[cfg(test)]
mod tests;
