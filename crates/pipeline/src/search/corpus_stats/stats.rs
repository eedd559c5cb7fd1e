//! The statistics of a collection.

use std::sync::Arc;

use dehusk_dedup::{DescriptiveWords, Statistics};

/// Statistics of a collection; fields are `None` if no method needs them.
#[derive(Clone, Default)]
pub(crate) struct CorpusStats {
    pub(crate) statistics: Option<Arc<Statistics>>,
    pub(crate) descriptive: Option<Arc<DescriptiveWords>>,
}
