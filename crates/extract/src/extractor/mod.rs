//! Extractors: methods that label every block of a page as kept or dropped.

mod all_text;
mod boilerpipe_article;
mod default;
mod readability;

pub(crate) use readability::reads_as_article;

use crate::block::{Block, BlockTable};
use crate::dom::Dom;
use crate::limits::Deadline;
use crate::warning::Warning;

/// Every extractor, in the order in which help lists them.
pub static ALL: &[&dyn Extractor] = &[
    DEFAULT,
    &readability::Readability,
    &boilerpipe_article::BoilerpipeArticle,
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
    /// How much of the text is right, 0 to 1: estimated F1 of the words kept.
    pub confidence: f64,
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
            confidence: 0.0,
            abstained: None,
            warnings: Vec::new(),
        }
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

    /// Characters of the blocks kept.
    pub fn kept_chars(&self, table: &BlockTable) -> usize {
        self.kept(table).map(|(_, b)| b.chars as usize).sum()
    }
}

#[cfg(test)]
mod tests;
