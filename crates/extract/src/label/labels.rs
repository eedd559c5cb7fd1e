//! The result of extractors: a verdict for every block.

use crate::analysis::blocks::block::Block;
use crate::analysis::blocks::table::BlockTable;
use crate::label::classes::class::BlockClass;
use crate::warning::Warning;
use dehusk_html::tree::NodeId;

/// Reason for dropping a block that no rule is about.
pub(crate) const UNLIKELY: &str = "unlikely-main-text";

/// Whether a block is kept, and the reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Whether the block is part of the main text.
    pub kept: bool,
    /// The reason, as a few words with hyphens.
    pub reason: &'static str,
}

impl Verdict {
    /// Creates a verdict that keeps a block.
    pub fn keep(reason: &'static str) -> Self {
        Verdict { kept: true, reason }
    }

    /// Creates a verdict that drops a block.
    pub fn drop(reason: &'static str) -> Self {
        Verdict { kept: false, reason }
    }
}

/// The result of an extractor for one page.
#[derive(Clone, Debug)]
pub struct Labels {
    /// Name of the method that produced the result.
    pub method: &'static str,
    /// One verdict for each block, in document order.
    pub verdicts: Vec<Verdict>,
    /// Main text outside all blocks, such as a body that only a script contains: one paragraph per line. It follows the kept blocks.
    pub body: Option<String>,
    /// Estimated F1 of the kept words, 0 to 1.
    pub confidence: f64,
    /// Probability of each block to be main text, 0 to 1; `None` if the method does not compute it.
    pub chances: Option<Vec<f32>>,
    /// Class of each block, if requested.
    pub(crate) classes: Option<Vec<BlockClass>>,
    /// Per node: whether it is omitted even from kept blocks. `None` if no node is.
    pub(crate) cut: Option<Vec<bool>>,
    /// Number of kept blocks that a manual rule took out, wholly or in part.
    pub(crate) removed_by_rule: usize,
    /// The reason why the method abstained; `None` if it trusts its result.
    pub abstained: Option<String>,
    /// Warnings about how the result was found.
    pub warnings: Vec<Warning>,
}

impl Labels {
    /// Creates the result of `method`: one verdict for each block, in order. Blocks without a verdict are dropped.
    pub fn new(method: &'static str, verdicts: Vec<Verdict>) -> Self {
        Labels {
            method,
            verdicts,
            body: None,
            confidence: 0.0,
            chances: None,
            classes: None,
            cut: None,
            removed_by_rule: 0,
            abstained: None,
            warnings: Vec::new(),
        }
    }

    /// Returns whether a node is omitted from kept blocks.
    pub(crate) fn cuts(&self, node: NodeId) -> bool {
        self.cut.as_ref().is_some_and(|cut| cut[node.index()])
    }

    /// Returns the text nodes of kept blocks whose class is not body text, in document order, except omitted nodes.
    pub(crate) fn classed_nodes<'t>(
        &'t self,
        table: &'t BlockTable,
    ) -> impl Iterator<Item = (NodeId, BlockClass)> {
        let kept = self.kept(table).filter_map(|(i, block)| {
            // If no classes were requested, this yields nothing.
            let class = *self.classes.as_ref()?.get(i)?;
            (class != BlockClass::Body).then_some((block, class))
        });
        kept.flat_map(|(block, class)| table.nodes(block).iter().map(move |&node| (node, class)))
            .filter(|(node, _)| !self.cuts(*node))
    }

    /// Returns whether each block is kept.
    pub(crate) fn kept_blocks(&self) -> Vec<bool> {
        self.verdicts.iter().map(|verdict| verdict.kept).collect()
    }

    /// Returns the kept blocks with their numbers.
    pub fn kept<'t>(&self, table: &'t BlockTable) -> impl Iterator<Item = (usize, &'t Block)> + Clone {
        table
            .blocks()
            .iter()
            .enumerate()
            // Blocks beyond the last verdict are dropped.
            .zip(&self.verdicts)
            .filter(|(_, v)| v.kept)
            .map(|(b, _)| b)
    }

    /// Returns the number of characters of the kept blocks and of main text outside all blocks.
    pub fn kept_chars(&self, table: &BlockTable) -> usize {
        self.kept(table).map(|(_, b)| b.chars as usize).sum::<usize>() + self.body_chars()
    }

    /// Returns the number of characters of main text outside all blocks.
    pub(crate) fn body_chars(&self) -> usize {
        let lines = self.body.iter().flat_map(|body| body.lines());
        lines.map(|line| line.chars().count()).sum()
    }

    /// Returns the kept texts, in order.
    pub(crate) fn texts<'t>(&'t self, table: &'t BlockTable) -> impl Iterator<Item = &'t str> + Clone {
        self.kept(table)
            .map(|(_, b)| table.text(b))
            .chain(self.body.as_deref())
    }
}
