//! `boilerpipe-canola`: the decision tree learned on the Canola corpus, without filters around it.
//!
//! Boilerpipe's `CanolaExtractor`.

use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::Labels;
use crate::label::methods::boilerpipe::RunList;
use crate::label::methods::boilerpipe::rules::canola;

/// The extractor `boilerpipe-canola`.
#[derive(Debug)]
pub(crate) struct BoilerpipeCanola;

impl Extractor for BoilerpipeCanola {
    fn name(&self) -> &'static str {
        "boilerpipe-canola"
    }

    fn summary(&self) -> &'static str {
        "word counts and link density of neighboring blocks, tuned on the Canola corpus (Kohlschütter et al., 2010)"
    }

    fn label(&self, view: &PageView<'_>) -> Labels {
        let mut runs = RunList::new(view.dom, view.table);
        runs.classify(canola);
        runs.labels(self.name(), |_| None)
    }
}
