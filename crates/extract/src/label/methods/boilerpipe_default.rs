//! `boilerpipe-default`: fuses blocks of equal text density, then applies the tree on text densities.
//!
//! Boilerpipe's `DefaultExtractor`. Between the two steps the original runs a proximity fusion. That merges content blocks only, and no
//! block is content before the tree is applied, so it changes nothing and is omitted.

use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::Labels;
use crate::label::methods::boilerpipe::RunList;
use crate::label::methods::boilerpipe::rules::DensityRules;

/// The extractor `boilerpipe-default`.
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
        let mut runs = RunList::new(view.dom, view.table);
        runs.fuse_equal();
        let tree = DensityRules::default();
        runs.classify(|prev, current, next| tree.decide(prev, current, next));
        runs.labels(self.name(), |_| None)
    }
}
