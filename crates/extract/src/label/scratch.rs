//! Buffers that extractors reuse from page to page.

use std::cell::RefCell;

use crate::label::comments::names::Role;
use crate::label::model::row::FeatureRow;
use crate::label::model::tree_walk::WalkBuffers;
use crate::label::model::vote_buffers::VoteBuffers;

/// Buffers that are reused for the next page.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Rows of the first pass of the model.
    pub(crate) rows: RefCell<Vec<FeatureRow>>,
    /// Rows of its refinement.
    pub(crate) refined_rows: RefCell<Vec<FeatureRow>>,
    /// What rows go down the trees in.
    pub(crate) walk: RefCell<WalkBuffers>,
    /// Votes of a cheaper method on the lines.
    pub(crate) votes: RefCell<VoteBuffers>,
    /// For each node of the page, what its markup says of the texts below it, once that was asked; empty until then. It is asked for many
    /// texts, and names and lists of attributes may be long.
    pub(crate) markup_roles: RefCell<Vec<Option<MarkupRole>>>,
}

impl Scratch {
    /// Forgets what is known of the last page.
    pub(crate) fn begin_page(&mut self) {
        self.markup_roles.get_mut().clear();
    }
}

/// What the markup of one element says of the role of a text below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MarkupRole {
    /// Nothing: the element above it is asked.
    Unknown,
    /// It is the text of a comment, whatever the elements above are called.
    MarkedText,
    /// It has this role.
    Known(Role),
}

/// Takes at least `size` rows from a buffer. The caller puts them back when they are no longer needed.
pub(crate) fn take_rows(buffer: &RefCell<Vec<FeatureRow>>, size: usize) -> Vec<FeatureRow> {
    let mut rows = buffer.take();
    if rows.len() < size {
        rows.resize(size, crate::label::model::row::EMPTY);
    }
    rows
}
