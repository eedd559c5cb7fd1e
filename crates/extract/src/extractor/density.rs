//! `density`: one of boilerpipe's two general decision trees, its thresholds open to the caller.
//!
//! Kohlschütter, Fankhauser, Nejdl, *Boilerplate Detection using Shallow Text Features*, WSDM 2010. With the defaults the
//! answer is that of the published tree on text densities, without the filters that boilerpipe's extractors put around it.

use super::boilerpipe::Chain;
use super::boilerpipe::rules::{DensityRules, NumWordsRules};
use super::{Extractor, Labels, View};

/// Which tree the extractor `density` asks, with its thresholds.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum DensityTree {
    /// The tree on text densities (words a line of 80 columns) and link densities. The default.
    Density(DensityRules),
    /// The tree on numbers of words and link densities.
    NumWords(NumWordsRules),
}

impl Default for DensityTree {
    fn default() -> Self {
        DensityTree::Density(DensityRules::default())
    }
}

pub(super) struct Density;

impl Extractor for Density {
    fn name(&self) -> &'static str {
        "density"
    }

    fn summary(&self) -> &'static str {
        "text density and link density of neighboring blocks, with thresholds to set (Kohlschütter et al., 2010)"
    }

    fn label(&self, view: &View<'_>) -> Labels {
        let mut chain = Chain::new(view.dom, view.table);
        match view.options.density {
            DensityTree::Density(rules) => chain.classify(|p, c, n| rules.decide(p, c, n)),
            DensityTree::NumWords(rules) => chain.classify(|p, c, n| rules.decide(p, c, n)),
        }
        chain.labels(self.name(), |_| None)
    }
}
