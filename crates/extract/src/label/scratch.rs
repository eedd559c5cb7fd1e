//! Buffers that extractors reuse from page to page.

use std::cell::{OnceCell, RefCell};

use crate::label::comments::names::Role;
use crate::label::model::name_groups::NameTraits;
use crate::label::model::row::RowBuffers;
use crate::label::model::tree_walk::WalkBuffers;
use crate::label::model::vote_buffers::VoteBuffers;
use dehusk_html::tree::{NodeId, Tag};

/// Buffers that are reused for the next page.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// Rows of the model, of its first pass or of its refinement.
    pub(crate) rows: RefCell<RowBuffers>,
    /// What rows go down the trees in.
    pub(crate) walk: RefCell<WalkBuffers>,
    /// Votes of a cheaper method on the lines.
    pub(crate) votes: RefCell<VoteBuffers>,
    /// What a page is written in.
    pub(crate) writing: RefCell<WritingBuffers>,
    /// What class and id of elements tell, by the number of these names, once that was asked.
    pub(crate) name_traits: OnceCell<Vec<NameTraits>>,
    /// For each node of the page, what its markup says of the texts below it, once that was asked; empty until then. It is asked for many
    /// texts, and names and lists of attributes may be long.
    pub(crate) markup_roles: RefCell<Vec<Option<MarkupRole>>>,
}

/// Buffers of the walk that writes the kept part of a page.
#[derive(Debug, Default)]
pub(crate) struct WritingBuffers {
    /// What is known of each node.
    pub(crate) marks: Vec<u32>,
    /// The open elements.
    pub(crate) open: Vec<(NodeId, Tag)>,
    /// A text whose character references are resolved.
    pub(crate) decoded: String,
}

impl WritingBuffers {
    /// These, or none if they are long: a rare long page should not hold its memory for ever.
    pub(crate) fn if_short(self) -> Self {
        let most = self
            .marks
            .capacity()
            .max(self.open.capacity())
            .max(self.decoded.capacity());
        if most > MAX_KEPT {
            WritingBuffers::default()
        } else {
            self
        }
    }
}

/// Longest buffers of writing that are kept.
const MAX_KEPT: usize = 1 << 18;

impl Scratch {
    /// Forgets what is known of the last page.
    pub(crate) fn begin_page(&mut self) {
        self.name_traits = OnceCell::new();
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
