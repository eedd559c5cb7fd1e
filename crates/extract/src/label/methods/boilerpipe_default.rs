//! `boilerpipe-default`: blocks of equal text density are joined, then the tree on text densities decides.
//!
//! Boilerpipe's `DefaultExtractor`. Between the two steps the original runs a proximity fusion, which merges content blocks
//! only; as nothing is content before the tree has been asked, it changes nothing and is left out.

use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::Labels;
use crate::label::methods::boilerpipe::RunList;
use crate::label::methods::boilerpipe::rules::DensityRules;

#[derive(Debug)]
pub(crate) struct BoilerpipeDefault;

impl Extractor for BoilerpipeDefault {
    fn name(&self) -> &'static str {
        "boilerpipe-default"
    }

    fn summary(&self) -> &'static str {
        "text density and link density of neighboring blocks, for pages of any kind (Kohlschütter et al., 2010)"
    }

    fn label(&self, view: &PageView<'_>) -> Labels {
        let mut chain = RunList::new(view.dom, view.table);
        chain.fuse_equal();
        let tree = DensityRules::default();
        chain.classify(|prev, current, next| tree.decide(prev, current, next));
        chain.labels(self.name(), |_| None)
    }
}
