//! Charts in SVG: histograms over counts, plots over two axes, and strips for the cells of tables.
//!
//! Colors and type are set by the style sheet of the page through classes. Histograms and strips measure across in percent and
//! down in pixels, so that they fit any screen with letters of the same size; plots are scaled as a whole.

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
