//! `boilerpipe-largest`: the largest of the blocks with many words, and its neighbors.
//!
//! Boilerpipe's `LargestContentExtractor`: the tree on word counts, proximity fusion, the largest run.

use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::Labels;
use crate::label::methods::boilerpipe::rules::NumWordsRules;
use crate::label::methods::boilerpipe::{LARGEST, RunList};

/// The extractor `boilerpipe-largest`.
#[derive(Debug)]
pub(crate) struct BoilerpipeLargest;

impl Extractor for BoilerpipeLargest {
    fn name(&self) -> &'static str {
        "boilerpipe-largest"
    }

    fn summary(&self) -> &'static str {
        "the largest run of blocks with many words and few links (Kohlschütter et al., 2010)"
    }

    fn label(&self, view: &PageView<'_>) -> Labels {
        let mut runs = RunList::new(view.dom, view.table);
        let tree = NumWordsRules::default();
        runs.classify(|prev, current, next| tree.decide(prev, current, next));
        runs.fuse(false);
        runs.keep_largest();
        runs.labels(self.name(), |run| run.has(LARGEST).then_some("largest-block"))
    }
}
