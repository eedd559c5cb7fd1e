//! Extractors: methods that label every block of a page as kept or dropped.

mod all_text;
mod boilerpipe;
mod boilerpipe_article;
mod boilerpipe_canola;
mod boilerpipe_default;
mod boilerpipe_largest;
mod boilerpipe_numwords;
mod default;
mod density;
mod keywords;
mod markup;
mod readability;
mod sentences;

pub use boilerpipe::rules::{DensityRules, NumWordsRules};
pub(crate) use boilerpipe_article::BoilerpipeArticle;
pub use density::DensityTree;
pub(crate) use readability::{NameLists, Readability, name_lists, reads_as_article};
pub use sentences::SentenceRules;

use crate::block::{Block, BlockTable};
use crate::metadata::Metadata;
use crate::options::Options;
pub use crate::parameter::{MethodError, Parameter};
use dehusk_html::limits::Deadline;
use dehusk_html::tree::{Dom, NodeId};
use dehusk_html::warning::Warning;

/// Every extractor, in the order in which help lists them.
pub static ALL: &[&dyn Extractor] = &[
    DEFAULT,
    &readability::Readability,
    &boilerpipe_article::BoilerpipeArticle,
    &boilerpipe_default::BoilerpipeDefault,
    &boilerpipe_largest::BoilerpipeLargest,
    &boilerpipe_numwords::BoilerpipeNumwords,
    &boilerpipe_canola::BoilerpipeCanola,
    &density::Density,
    &markup::Markup,
    &sentences::Sentences,
    &keywords::Keywords,
    &all_text::AllText,
];

/// The one that is used unless another is asked for.
pub(crate) static DEFAULT: &dyn Extractor = &default::Default;

/// The extractor with this name.
pub fn find(name: &str) -> Option<&'static dyn Extractor> {
    ALL.iter().copied().find(|e| e.name() == name)
}

/// A method that labels blocks.
pub trait Extractor: Sync {
    /// Name as users type it.
    fn name(&self) -> &'static str;

    /// What it does, in one line for help.
    fn summary(&self) -> &'static str;

    /// Parameters that can be set behind its name: `NAME:PARAMETER=VALUE,...`.
    fn parameters(&self) -> &'static [Parameter] {
        &[]
    }

    /// Sets one of them. What is wrong with the value is told if it cannot have it.
    fn set(&self, _: &mut Options, parameter: &str, _: &str) -> Result<(), String> {
        Err(format!("there is no parameter `{parameter}`"))
    }

    /// Labels every block of a page. A method that does not trust itself with a page abstains: see [`Labels::abstained`].
    fn label(&self, view: &View<'_>) -> Labels;
}

/// What an extractor sees of a page.
#[derive(Debug)]
pub struct View<'a> {
    /// The tree.
    pub dom: &'a Dom<'a>,
    /// Its blocks.
    pub table: &'a BlockTable,
    /// The page's title, the site's name taken off.
    pub title: Option<&'a str>,
    pub(crate) metadata: &'a Metadata,
    pub(crate) options: &'a Options,
    pub(crate) deadline: &'a Deadline,
}

/// What becomes of one block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Whether it is part of the main text.
    pub kept: bool,
    /// Why, as a few words with hyphens.
    pub reason: &'static str,
}

impl Verdict {
    pub(crate) fn keep(reason: &'static str) -> Self {
        Verdict { kept: true, reason }
    }

    pub(crate) fn drop(reason: &'static str) -> Self {
        Verdict { kept: false, reason }
    }
}

/// An extractor's answer for one page.
#[derive(Clone, Debug)]
pub struct Labels {
    /// Name of the method that answered.
    pub method: &'static str,
    /// One verdict for each block, in order.
    pub verdicts: Vec<Verdict>,
    /// Main text that stands in no block, such as the body that only a script holds: one paragraph a line. It follows the
    /// blocks kept.
    pub body: Option<String>,
    /// How much of the text is right, 0 to 1: estimated F1 of the words kept.
    pub confidence: f64,
    /// Chance of each block to be main text, 0 to 1, from methods that weigh it.
    pub chances: Option<Vec<f32>>,
    /// Texts and other nodes of the page that are left out even of blocks that are kept, if there are any.
    pub(crate) cut: Option<Vec<bool>>,
    /// Why the method does not stand by its answer, if it does not.
    pub abstained: Option<String>,
    /// What should be told about the way to the answer.
    pub warnings: Vec<Warning>,
}

impl Labels {
    pub(crate) fn new(method: &'static str, verdicts: Vec<Verdict>) -> Self {
        Labels {
            method,
            verdicts,
            body: None,
            confidence: 0.0,
            chances: None,
            cut: None,
            abstained: None,
            warnings: Vec::new(),
        }
    }

    /// Whether a node is left out of a block that is kept.
    pub(crate) fn cuts(&self, node: NodeId) -> bool {
        self.cut.as_ref().is_some_and(|cut| cut[node.index()])
    }

    /// Whether each block is kept.
    pub(crate) fn kept_blocks(&self) -> Vec<bool> {
        self.verdicts.iter().map(|verdict| verdict.kept).collect()
    }

    /// Blocks kept, with their numbers.
    pub fn kept<'t>(&self, table: &'t BlockTable) -> impl Iterator<Item = (usize, &'t Block)> {
        table
            .blocks()
            .iter()
            .enumerate()
            .zip(&self.verdicts)
            .filter(|(_, v)| v.kept)
            .map(|(b, _)| b)
    }

    /// Characters of the blocks kept and of the text that stands in none.
    pub fn kept_chars(&self, table: &BlockTable) -> usize {
        self.kept(table).map(|(_, b)| b.chars as usize).sum::<usize>() + self.body_chars()
    }

    /// Characters of the main text that stands in no block.
    pub fn body_chars(&self) -> usize {
        let lines = self.body.iter().flat_map(|body| body.lines());
        lines.map(|line| line.chars().count()).sum()
    }

    /// The texts kept, in order.
    pub(crate) fn texts<'t>(&'t self, table: &'t BlockTable) -> impl Iterator<Item = &'t str> {
        self.kept(table)
            .map(|(_, b)| table.text(b))
            .chain(self.body.as_deref())
    }
}

#[cfg(test)]
mod tests;
