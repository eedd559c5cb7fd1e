//! Templates of sites: what pages of one site have in common, learnt from a few of them.
//!
//! A [`Sample`] is a page as elements and lines with the labels of the page-level extractor. A [`Template`] is learnt from 3 to 50
//! samples of one site and one layout:
//!
//! 1. The trees of all pages are merged. Elements with the same path of tags, ids and classes are the same part of the site and share
//!    a role. Names of single pages are ignored, nearly equal sets of classes are joined, and columns without names are distinguished
//!    by their position.
//! 2. Each line is compared with the other pages: it repeats at its place, or it is a link, or it is free.
//! 3. Containers are chosen: the disjoint parts of the tree of roles in which free text outweighs what repeats, each at a
//!    price, by exact dynamic programming. Labels and headings that repeat inside free text count little against a container.
//! 4. Parts inside containers are cut if the weights for a cut exceed those against it. Weights for a cut are those of a part that
//!    occurs once in every container or record (posts of a thread are records), of links, of repetition, of a place before or after
//!    the text, of names, and of the page-level labels.
//! 5. A single line of a part that is kept is dropped if the page-level odds against it exceed the template's odds for the part.
//!
//! Weights are log odds, and so are the page-level labels. On sites where the page-level extractor is unsure of everything, its log odds
//! are raised, since some text of the site must be main text.
//!
//! On a page, a template overrides the page-level extractor if it fires: if most of the page's words are in parts it knows, and its
//! containers hold some of what the page-level extractor keeps.
//!
//! ```
//! use dehusk_extract::site::{Sample, Template};
//! use dehusk_extract::{Options, Overrides, Page, extract_with};
//!
//! let page = |text: &str| format!("<nav><a href=/>Home</a></nav><div class=box><p>{text}</p></div><div class=end>The end</div>");
//! let pages: Vec<String> = ["One river rose overnight.", "Two towns were built.", "Three ships came in today."]
//!     .iter().map(|t| page(t)).collect();
//! let options = Options::default();
//! let samples: Vec<_> = pages.iter().map(|p| Sample::new(&Page::decoded(p), &options)).collect();
//! let template = Template::learn(&samples.iter().collect::<Vec<_>>());
//! let new = page("Four roads were closed.");
//! let got = extract_with(&Page::decoded(&new), &options, &Overrides::default().with_templates(&[&template]));
//! assert_eq!(got.text.trim(), "Four roads were closed.");
//! ```
//!
//! Cost of learning is linear in the text of the pages, except that sets of names of elements with one parent role are compared
//! pairwise. Memory is bounded by the samples: about 40 bytes for every element with lines, and the text.

pub mod lcs;
pub mod methods;

pub(crate) mod apply;
#[cfg(feature = "rules")]
mod export;
mod hash;
pub(crate) mod learn;
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
pub use learn::evidence::SiteTrees;
pub use sample::Sample;
pub use template::{Origin, Template, TemplatePart};
#[cfg(feature = "template-files")]
pub use template_file::{FORMAT, TemplateError};
