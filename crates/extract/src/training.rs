//! What a program needs to train the model of the extractor `default`: the features of the lines of a page, and every step from them to
//! the decision, so that held-out pages are decided in training as in use.
//!
//! The model is three files: `lines.model` holds the trees that decide about each line by its own features
//! ([`Features`]), `words.model` the log odds of words and short lines ([`WordOdds`]), `refinement.model` the trees that
//! correct doubtful lines by the chances of the lines around them ([`LineContext`]).

use std::ops::Range;

use crate::analyze::analyze_page;
use crate::label::classes::classes;
use crate::label::model::row::{RowBuffers, feature_of};
use crate::options::Options;
use crate::page::Page;
use crate::site::learn::evidence;
use crate::site::learn::roles::Roles;
use crate::site::learn::stats::{self, SiteStats};
use crate::site::{Sample, template};

pub use crate::label::classes::{BlockClass, begins_as_promotion};
pub use crate::label::model::features::Features;
pub use crate::label::model::lexicon::WordOdds;
pub use crate::label::model::line_tokens::{LineTokens, normalized_words};
pub use crate::label::model::refinement::LineContext;
pub use crate::label::model::select::{at_least, best_threshold, confidence, select};
pub use crate::label::model::tree_file::EarlyExit;

/// The lines of a page with their features and texts.
#[derive(Debug)]
pub struct PageLines {
    /// A row for each line.
    pub features: Features,
    /// Texts of the lines.
    pub texts: Vec<String>,
    /// What each line is, whatever extractors keep.
    pub classes: Vec<BlockClass>,
}

/// Measures the lines of a decoded page.
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

/// A line of a page of a site, as templates read it.
#[derive(Clone, Debug)]
pub struct SiteLine<'s> {
    /// Text, white space collapsed.
    pub text: &'s str,
    /// What it weighs: the square root of its words.
    pub weight: f64,
    /// Whether most of it is links.
    pub linked: bool,
    /// The role that it belongs to, if any.
    pub role: Option<u32>,
}

/// What the learner of templates sees of a site: the evidence for each role, and which lines have which role.
#[derive(Debug)]
pub struct SiteEvidence<'s> {
    /// A row for each role, with a figure for each of [`site_columns`].
    pub rows: Vec<Vec<f32>>,
    /// The visible lines of each page.
    pub lines: Vec<Vec<SiteLine<'s>>>,
}

/// Names of the features of a role.
pub fn site_columns() -> Vec<String> {
    evidence::columns()
}

/// Reads pages of a site as [`Template::learn`](crate::site::Template::learn) does.
pub fn site_evidence<'s>(pages: &[&'s Sample]) -> SiteEvidence<'s> {
    let roles = Roles::learn(pages);
    let mut stats = SiteStats::default();
    template::read(&roles, &mut stats, pages);
    let evidence = evidence::Evidence::new(&roles, &stats);
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
