//! The statistics of a collection.

use std::sync::Arc;

use dehusk_dedup::{DescriptiveWords, Statistics};

/// What is known of a collection, as far as methods ask for it.
#[derive(Clone, Default)]
pub(crate) struct CorpusStats {
    pub(crate) statistics: Option<Arc<Statistics>>,
    pub(crate) descriptive: Option<Arc<DescriptiveWords>>,
}
