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
    /// Feature rows of the model, of its first pass or of its refinement.
    pub(crate) rows: RefCell<RowBuffers>,
    /// Buffers for the evaluation of trees.
    pub(crate) walk: RefCell<WalkBuffers>,
    /// Votes of a cheaper method on the lines.
    pub(crate) votes: RefCell<VoteBuffers>,
    /// Buffers for writing a page.
    pub(crate) writing: RefCell<WritingBuffers>,
    /// Traits of class and id of elements, by the number of the distinct name. Computed on demand.
    pub(crate) name_traits: OnceCell<Vec<NameTraits>>,
    /// Per node of the page: what its markup states about the texts below it. Computed on demand and empty until then. Cached because
    /// many texts ask for it, and names and attribute lists may be long.
    pub(crate) markup_roles: RefCell<Vec<Option<MarkupRole>>>,
    /// Whether most words of the page are hidden. Computed on demand.
    pub(crate) is_mostly_hidden: OnceCell<bool>,
}

/// Buffers of the walk that writes the kept part of a page.
#[derive(Debug, Default)]
pub(crate) struct WritingBuffers {
    /// Marks of each node, as bits.
    pub(crate) marks: Vec<u32>,
    /// The open elements.
    pub(crate) open: Vec<(NodeId, Tag)>,
    /// A text whose character references are resolved.
    pub(crate) decoded: String,
}

impl WritingBuffers {
    /// Returns the buffers, or empty ones if they are long, so that a rare long page does not hold its memory forever.
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

/// Maximum capacity of buffers that are kept.
const MAX_KEPT: usize = 1 << 18;

impl Scratch {
    /// Clears everything that was computed for the previous page.
    pub(crate) fn begin_page(&mut self) {
        self.name_traits = OnceCell::new();
        self.markup_roles.get_mut().clear();
        self.is_mostly_hidden = OnceCell::new();
    }
}

/// The role that the markup of one element states for the texts below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MarkupRole {
    /// No statement: the parent element decides.
    Unknown,
    /// The text of a comment, regardless of the names of outer elements.
    MarkedText,
    /// A stated role.
    Known(Role),
}
