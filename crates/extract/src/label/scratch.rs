//! Buffers that extractors reuse from page to page.

use std::cell::RefCell;

use crate::label::comments::names::Role;
use crate::label::model::row::RowBuffers;
use crate::label::model::tree_walk::WalkBuffers;
use crate::label::model::vote_buffers::VoteBuffers;

/// Buffers that are reused for the next page.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Rows of the model, of its first pass or of its refinement.
    pub(crate) rows: RefCell<RowBuffers>,
    /// What rows go down the trees in.
    pub(crate) walk: RefCell<WalkBuffers>,
    /// Votes of a cheaper method on the lines.
    pub(crate) votes: RefCell<VoteBuffers>,
    /// For each node of the page, what its markup says of the texts below it, once that was asked. It is asked for many texts, and names
    /// and lists of attributes may be long.
    pub(crate) markup_roles: RefCell<Vec<Option<MarkupRole>>>,
}

impl Scratch {
    /// Forgets what is known of the last page, for one with so many nodes.
    pub(crate) fn begin_page(&mut self, nodes: usize) {
        let roles = self.markup_roles.get_mut();
        roles.clear();
        roles.resize(nodes, None);
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
