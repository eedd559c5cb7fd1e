//! `boilerpipe-numwords`: the decision tree on word counts, without filters around it.
//!
//! Boilerpipe's `NumWordsRulesExtractor`.

use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::Labels;
use crate::label::methods::boilerpipe::RunList;
use crate::label::methods::boilerpipe::rules::NumWordsRules;

/// The extractor `boilerpipe-numwords`.
#[derive(Debug)]
pub(crate) struct BoilerpipeNumwords;

impl Extractor for BoilerpipeNumwords {
    fn name(&self) -> &'static str {
        "boilerpipe-numwords"
    }

    fn summary(&self) -> &'static str {
        "blocks with many words and few links, or beside such blocks (Kohlschütter et al., 2010)"
    }

    fn label(&self, view: &PageView<'_>) -> Labels {
        let mut runs = RunList::new(view.dom, view.table);
        let tree = NumWordsRules::default();
        runs.classify(|prev, current, next| tree.decide(prev, current, next));
        runs.labels(self.name(), |_| None)
    }
}
