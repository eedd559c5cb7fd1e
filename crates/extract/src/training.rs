//! Interface for programs that train the model of the extractor `default`.
//!
//! It gives the features of the lines of a page, and every step from features to the decision, so that training decides held-out pages
//! exactly as extraction does.
//!
//! The model consists of three files. `lines.model` contains the trees that classify each line by its own
//! features ([`Features`]). `words.model` contains the log odds of words and short lines ([`WordOdds`]).
//! `refinement.model` contains the trees that correct doubtful lines by the probabilities of the lines around
//! them ([`LineContext`]).

use std::ops::Range;

use crate::analyze::analyze_page;
use crate::label::classes::classes;
use crate::label::model::row::{RowBuffers, feature_of};
use crate::options::Options;
use crate::page::Page;
use crate::site::learn::evidence;
use crate::site::learn::roles::Roles;
use crate::site::learn::stats;
use crate::site::{Sample, template};

pub use crate::label::classes::{BlockClass, begins_as_promotion};
pub use crate::label::model::features::Features;
pub use crate::label::model::lexicon::WordOdds;
pub use crate::label::model::line_tokens::{LineTokens, normalized_words};
pub use crate::label::model::refinement::LineContext;
pub use crate::label::model::select::{at_least, best_threshold, confidence, select};
pub use crate::label::model::tree_file::EarlyExit;

/// Lines of a page with their features, texts and classes.
#[derive(Debug)]
pub struct PageLines {
    /// Feature matrix, one row per line.
    pub features: Features,
    /// Text of each line.
    pub texts: Vec<String>,
    /// Class of each line, independent of what extractors keep.
    pub classes: Vec<BlockClass>,
}

/// Computes the lines of a decoded page at the address `url`.
///
/// ```
/// use dehusk_extract::training::page_lines;
///
/// let page = page_lines("<h1>Rivers</h1><p>The river rose overnight.", None);
/// assert_eq!(page.texts, ["Rivers", "The river rose overnight."]);
/// assert_eq!(page.features.rows.len(), 2 * page.features.width());
/// ```
pub fn page_lines(html: &str, url: Option<&str>) -> PageLines {
    let page = Page::decoded(html).with_url(url);
    analyze_page(&page, &Options::default(), |view, _, _| {
        let features = Features::of(view);
        let text = |blocks: &Range<usize>| {
            let blocks = &view.table.blocks()[blocks.clone()];
            let texts: Vec<&str> = blocks.iter().map(|block| view.table.text(block)).collect();
            texts.join(" ")
        };
        let texts = features.blocks.iter().map(text).collect();
        let classes = classes(view, &[]);
        let classes = features
            .blocks
            .iter()
            .map(|blocks| classes[blocks.start])
            .collect();
        PageLines {
            features,
            texts,
            classes,
        }
    })
}

/// A line of a page, as the template learner reads it.
#[derive(Clone, Debug)]
pub struct SiteLine<'s> {
    /// Text, with white space collapsed.
    pub text: &'s str,
    /// Weight: the square root of its number of words.
    pub weight: f64,
    /// Whether most of its text is in links.
    pub linked: bool,
    /// Index of its role; `None` if it has no role.
    pub role: Option<u32>,
}

/// Input of the template learner for one site: the features of each role, and the lines of each page with their roles.
#[derive(Debug)]
pub struct SiteEvidence<'s> {
    /// One row per role, with one value per column of [`site_columns`].
    pub rows: Vec<Vec<f32>>,
    /// Visible lines of each page.
    pub lines: Vec<Vec<SiteLine<'s>>>,
}

/// Names of the features of a role.
pub fn site_columns() -> Vec<String> {
    evidence::columns()
}

/// Reads pages of a site like [`Template::learn`](crate::site::Template::learn) does.
pub fn site_evidence<'s>(pages: &[&'s Sample]) -> SiteEvidence<'s> {
    let roles = Roles::learn(pages);
    let stats = template::stats_of(&roles, pages);
    let evidence = evidence::Evidence::new(&roles, &stats);
    // Rows have a fixed width; the columns of sites come first.
    let width = evidence::columns().len();
    let (all, mut rows) = ((0..roles.list.len()).collect::<Vec<_>>(), RowBuffers::default());
    let rows = evidence.rows(&all, &mut rows).iter();
    let rows = rows.map(|row| row[..width].iter().map(|&key| feature_of(key)).collect());
    let lines = pages.iter().map(|page| {
        let assigned = roles.assign(page);
        let line = |line| SiteLine {
            text: page.text(line),
            weight: stats::weight(line),
            linked: stats::is_linked(line),
            role: assigned[line.element as usize].role,
        };
        stats::visible(page).map(line).collect()
    });
    SiteEvidence {
        rows: rows.collect(),
        lines: lines.collect(),
    }
}
