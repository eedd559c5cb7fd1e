//! Memory that extractors use from page to page.

use std::cell::RefCell;

use crate::label::model::row::FeatureRow;

/// Buffers that one page leaves to the next.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Rows of the first pass of the model.
    pub(crate) rows: RefCell<Vec<FeatureRow>>,
    /// Rows of its refinement.
    pub(crate) refined_rows: RefCell<Vec<FeatureRow>>,
}

/// At least `size` rows from a buffer. Give them back when they are done with.
pub(crate) fn take_rows(buffer: &RefCell<Vec<FeatureRow>>, size: usize) -> Vec<FeatureRow> {
    let mut rows = buffer.take();
    if rows.len() < size {
        rows.resize(size, crate::label::model::row::EMPTY);
    }
    rows
}
