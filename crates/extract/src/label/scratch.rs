//! Buffers that extractors reuse from page to page.

use std::cell::RefCell;

use crate::label::model::row::FeatureRow;

/// Buffers that are reused for the next page.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Rows of the first pass of the model.
    pub(crate) rows: RefCell<Vec<FeatureRow>>,
    /// Rows of its refinement.
    pub(crate) refined_rows: RefCell<Vec<FeatureRow>>,
}

/// Takes at least `size` rows from a buffer. The caller puts them back when they are no longer needed.
pub(crate) fn take_rows(buffer: &RefCell<Vec<FeatureRow>>, size: usize) -> Vec<FeatureRow> {
    let mut rows = buffer.take();
    if rows.len() < size {
        rows.resize(size, crate::label::model::row::EMPTY);
    }
    rows
}
