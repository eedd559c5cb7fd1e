//! `all-text`: everything a page shows.

use super::{Extractor, Labels, Verdict, View};

/// Keeps every block that is not hidden. The baseline that the other methods have to beat, and the last resort of
/// `default`.
pub(super) struct AllText;

impl Extractor for AllText {
    fn name(&self) -> &'static str {
        "all-text"
    }

    fn summary(&self) -> &'static str {
        "every block that is not hidden, boilerplate included"
    }

    fn label(&self, view: &View<'_>) -> Labels {
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
