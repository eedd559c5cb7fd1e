//! Sites: what pages of one site have in common, learnt from a few of them.
//!
//! A page taken apart is a [`Sample`]: elements, lines, and what the page-level extractor says of each line. A [`Template`]
//! is learnt from 3 to 50 samples of one site and one layout:
//!
//! 1. The trees of all pages are laid over one another. Elements that stand for the same part of the site, by their path of
//!    tags, ids and classes, take one role; names of single pages are not seen, near-equal sets of classes are joined, and
//!    columns without names are told apart by their place.
//! 2. Each line is compared with the other pages: it repeats at its place, or it is a link, or it is free.
//! 3. Containers are chosen: the disjoint parts of the role tree in which free text outweighs what repeats, each at a price,
//!    by exact dynamic programming. Labels and headings that repeat amid free text hardly count against a container.
//! 4. Parts inside containers are cut when evidence adds up: parts that stand once in every container or record (posts of
//!    a thread are records), links, repetition, a place before or after the text, names, what page-level extractors say.
//! 5. Within what is kept, a single line goes that the page-level extractor is surer to drop than the evidence is to keep the part.
//!
//! All evidence adds up in log odds, those of the page-level extractor included. On sites on which it is unsure of
//! everything, its odds count from what it likes best.
//!
//! On a page, a template's verdict overrides that of the page-level extractor where the template fires; where the layout is
//! unknown, or the containers miss nearly all of what the page alone keeps, the page-level verdict stands. So
//! weak evidence changes nothing.
//!
//! ```
//! use dehusk_extract::{Options, Page, site};
//!
//! let page = |text: &str| format!("<nav><a href=/>Home</a></nav><div class=box><p>{text}</p></div><div class=end>The end</div>");
//! let pages: Vec<String> = ["One river rose overnight.", "Two towns were built.", "Three ships came in today."]
//!     .iter().map(|t| page(t)).collect();
//! let options = Options::default();
//! let samples: Vec<_> = pages.iter().map(|p| site::sample(&Page::decoded(p), &options)).collect();
//! let template = site::Template::learn(&samples.iter().collect::<Vec<_>>());
//! let got = site::extract(&Page::decoded(&page("Four roads were closed.")), &options, &[&template]);
//! assert_eq!(got.text.trim(), "Four roads were closed.");
//! ```
//!
//! Cost of learning is linear in the text of the pages, except that elements of one parent role with different names are
//! compared pairwise. Memory is bounded by the samples: about 40 bytes for every element above a line, and the text.

pub mod lcs;
pub mod methods;

pub(crate) mod apply;
#[cfg(feature = "rules")]
mod export;
mod hash;
mod learn;
mod sample;
mod tags;
pub(crate) mod template;
#[cfg(feature = "template-files")]
mod template_file;

#[cfg(test)]
mod tests;

pub use apply::{NAME, RemovedLine, TemplateFit, TemplateUse, best_of};
#[cfg(feature = "rules")]
pub use export::to_rules;
pub use learn::settings::Settings;
pub use sample::Sample;
pub use template::{Origin, Template, TemplatePart};
#[cfg(feature = "template-files")]
pub use template_file::{FORMAT, TemplateError};
