//! Templates of sites: the common structure of the pages of one site, learned from a few of them.
//!
//! A [`Sample`] is a page as elements and lines with the labels of the page-level extractor. A [`Template`] is learned from 2 to 50 samples of one
//! site and one layout. The model has three parts:
//!
//! 1. **Roles.** The trees of all pages are merged. Elements with the same path of tags, ids and classes are the same part of the site and share a
//!    role. Names that occur on single pages are ignored, nearly equal sets of classes are joined, and columns without names are distinguished by
//!    their position. Texts divide what tags and names do not: a line that at least half of the pages have, among lines that vary, is a part of its own, and
//!    so is the section below a heading that they have, up to the next heading of its level.
//! 2. **Evidence.** For each role, a few small trees estimate the log odds that its lines are main text. Their features are the page-level odds of
//!    its lines and their variance; the share of its lines that at least half of the other pages have, in long runs such as menus and in short ones
//!    such as labels; the share that a few pages have; the share of links; its position on the page, its length and its frequency; and how sure the
//!    page level is about this site as a whole. The trees are grown on labelled sites and know no names.
//! 3. **Decision.** The log odds, weighted by the length of the role, are added up over the roles that are kept. Each change of the decision between
//!    a part and a part inside it has a price, since most parts are of one kind with their surroundings. The optimum is found exactly, by dynamic
//!    programming. Parts that are cut out of main text contain no main text again.
//!
//! On a page, a template overrides the page-level extractor if it fires, that is, if half of the page's words are in parts it knows. A template
//! abstains if it keeps hardly anything of what the page level keeps on the pages that it was learned from.
//!
//! ```
//! use dehusk_extract::site::{Sample, Template};
//! use dehusk_extract::{Options, Overrides, Page, extract_with};
//!
//! let page = |text: &str| format!("<nav><a href=/>Home</a></nav><div class=box><p>{text}</p></div><div class=end>The end</div>");
//! let pages = [
//!     "The river rose overnight after three days of rain, and the lower town was closed by noon.",
//!     "Two towns were built on the hill above the old weir, as the council had planned for years.",
//!     "Three ships came in today with timber from the north, and two more are waiting outside.",
//! ]
//! .map(page);
//! let options = Options::default();
//! let samples: Vec<_> = pages.iter().map(|p| Sample::new(&Page::decoded(p), &options)).collect();
//! let template = Template::learn(&samples.iter().collect::<Vec<_>>());
//! let new = page("Four roads were closed.");
//! let got = extract_with(&Page::decoded(&new), &options, &Overrides::default().with_templates(&[&template]));
//! assert_eq!(got.text.trim(), "Four roads were closed.");
//! ```
//!
//! The cost of learning is linear in the bytes of the pages: sets of names are compared with at most 256 others that share a name. Memory is bounded
//! by the samples: about 40 bytes for every element with lines, and the text.

pub mod lcs;
pub mod methods;

pub(crate) mod apply;
#[cfg(feature = "rules")]
mod export;
pub(crate) mod fields;
mod hash;
pub(crate) mod learn;
pub(crate) mod place;
mod sample;
mod spots;
mod tags;
pub(crate) mod template;
#[cfg(feature = "template-files")]
mod template_file;

#[cfg(test)]
mod tests;

pub use apply::{NAME, RemovedLine, TemplateFit, TemplateUse, best_of};
#[cfg(feature = "rules")]
pub use export::to_rules;
pub use fields::TemplateField;
pub use learn::evidence::SiteTrees;
pub use sample::Sample;
pub use template::{Candidate, Doubt, Origin, Template, TemplatePart};
#[cfg(feature = "template-files")]
pub use template_file::{FORMAT, TemplateError};
