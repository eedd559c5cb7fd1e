//! `all-text`: everything that a page shows.

use crate::label::extractor::{Extractor, PageView};
use crate::label::labels::{Labels, Verdict};

/// Keeps every block that is not hidden. The baseline for all other methods, and the last resort of `default`.
#[derive(Debug)]
pub(crate) struct AllText;

impl Extractor for AllText {
    fn name(&self) -> &'static str {
        "all-text"
    }

    fn summary(&self) -> &'static str {
        "every block that is not hidden, boilerplate included"
    }

    fn label(&self, view: &PageView<'_>) -> Labels {
        let blocks = view.table.blocks().iter();
        let verdicts = blocks
            .map(|b| {
                if b.hidden {
                    Verdict::drop("hidden")
                } else {
                    Verdict::keep("shown")
                }
            })
            .collect();
        Labels::new(self.name(), verdicts)
    }
}
