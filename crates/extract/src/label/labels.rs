//! What extractors answer: a verdict for every block.

use crate::analysis::blocks::block::Block;
use crate::analysis::blocks::table::BlockTable;
use crate::label::classes::class::BlockClass;
use crate::warning::Warning;
use dehusk_html::tree::NodeId;

/// Whether a block is kept, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Whether it is part of the main text.
    pub kept: bool,
    /// Why, as a few words with hyphens.
    pub reason: &'static str,
}

impl Verdict {
    /// Keeps a block.
    pub fn keep(reason: &'static str) -> Self {
        Verdict { kept: true, reason }
    }

    /// Drops a block.
    pub fn drop(reason: &'static str) -> Self {
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
    /// Main text that is in no block, such as a body that only a script holds: one paragraph per line. It follows the kept blocks.
    pub body: Option<String>,
    /// How much of the text is right, 0 to 1: estimated F1 of the words kept.
    pub confidence: f64,
    /// Chance of each block to be main text, 0 to 1, from methods that weigh it.
    pub chances: Option<Vec<f32>>,
    /// What each block is, if that was asked.
    pub(crate) classes: Option<Vec<BlockClass>>,
    /// Nodes that are left out even of kept blocks, if there are any.
    pub(crate) cut: Option<Vec<bool>>,
    /// Why the method does not trust its answer, if it does not.
    pub abstained: Option<String>,
    /// Warnings about how the answer was found.
    pub warnings: Vec<Warning>,
}

impl Labels {
    /// The answer of `method`: one verdict for each block, in order. A block without one is dropped.
    pub fn new(method: &'static str, verdicts: Vec<Verdict>) -> Self {
        Labels {
            method,
            verdicts,
            body: None,
            confidence: 0.0,
            chances: None,
            classes: None,
            cut: None,
            abstained: None,
            warnings: Vec::new(),
        }
    }

    /// Whether a node is left out of a block that is kept.
    pub(crate) fn cuts(&self, node: NodeId) -> bool {
        self.cut.as_ref().is_some_and(|cut| cut[node.index()])
    }

    /// The texts that are written, in document order, whose blocks are of another class than body text.
    pub(crate) fn classed_nodes<'t>(
        &'t self,
        table: &'t BlockTable,
    ) -> impl Iterator<Item = (NodeId, BlockClass)> {
        let kept = self.kept(table).filter_map(|(i, block)| {
            let class = *self.classes.as_ref()?.get(i)?;
            (class != BlockClass::Body).then_some((block, class))
        });
        kept.flat_map(|(block, class)| table.nodes(block).iter().map(move |&node| (node, class)))
            .filter(|(node, _)| !self.cuts(*node))
    }

    /// Whether each block is kept.
    pub(crate) fn kept_blocks(&self) -> Vec<bool> {
        self.verdicts.iter().map(|verdict| verdict.kept).collect()
    }

    /// Blocks kept, with their numbers.
    pub fn kept<'t>(&self, table: &'t BlockTable) -> impl Iterator<Item = (usize, &'t Block)> + Clone {
        table
            .blocks()
            .iter()
            .enumerate()
            .zip(&self.verdicts)
            .filter(|(_, v)| v.kept)
            .map(|(b, _)| b)
    }

    /// Characters of the kept blocks and of main text that is in no block.
    pub fn kept_chars(&self, table: &BlockTable) -> usize {
        self.kept(table).map(|(_, b)| b.chars as usize).sum::<usize>() + self.body_chars()
    }

    /// Characters of the main text that is in no block.
    pub fn body_chars(&self) -> usize {
        let lines = self.body.iter().flat_map(|body| body.lines());
        lines.map(|line| line.chars().count()).sum()
    }

    /// The texts kept, in order.
    pub(crate) fn texts<'t>(&'t self, table: &'t BlockTable) -> impl Iterator<Item = &'t str> + Clone {
        self.kept(table)
            .map(|(_, b)| table.text(b))
            .chain(self.body.as_deref())
    }
}
