//! Reusable memory of the search for a candidate: the records of each element.

use crate::label::class_lists::ClassLists;
use dehusk_html::tree::Tag;

/// Properties of an element that do not depend on its content.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementTraits {
    pub(super) tag: Tag,
    pub(super) names: ClassLists,
    /// Whether one of its children contains lines.
    pub(super) has_block_child: bool,
    /// Whether it is inside a table or code.
    pub(super) in_table_or_code: bool,
}

/// Counts over the content of an element.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct ContentCounts {
    pub(super) chars: u32,
    pub(super) linked: u32,
    pub(super) commas: u32,
    /// Characters in headings; `lists`: in lists.
    pub(super) headings: u32,
    pub(super) lists: u32,
    pub(super) paragraphs: u32,
    pub(super) items: u32,
    /// Whether it contains header cells or a caption.
    pub(super) data: bool,
}

/// Record of an element that contains lines, during the search for a candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// Number of the parent; an invalid number at the root.
    pub(super) parent: u32,
    pub(super) traits: ElementTraits,
    /// Whether it is excluded, because class, id or role of the element or of an ancestor mark it as not content. Class and id are
    /// ignored inside tables and code.
    pub(super) excluded: bool,
    pub(super) place: Place,
    /// Characters in it; `linked`: characters in links.
    pub(super) chars: u32,
    pub(super) linked: u32,
    /// Score; `f32::MIN` if no line contributes to it.
    pub(super) score: f32,
    /// Counts of the lines directly in it.
    pub(super) own: OwnCounts,
}

impl Candidate {
    /// Returns the record of an element before anything is counted.
    pub(super) fn new(parent: u32, traits: ElementTraits) -> Candidate {
        Candidate {
            parent,
            traits,
            excluded: false,
            place: Place::Outside,
            chars: 0,
            linked: 0,
            score: f32::MIN,
            own: OwnCounts::default(),
        }
    }
}

/// Counts of the lines directly in an element.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct OwnCounts {
    pub(super) chars: u32,
    pub(super) linked: u32,
    pub(super) commas: u32,
}

/// Position of an element relative to the chosen ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Outside,
    /// The element is chosen.
    Chosen,
    /// Inside a chosen element.
    Inside,
    /// Inside a chosen element, and removed as clutter.
    Clutter,
}

/// Reusable memory of the search for a candidate.
#[derive(Debug, Default)]
pub(crate) struct CandidateBuffers {
    pub(super) elements: Vec<Candidate>,
    /// Counts of the content of each chosen element.
    pub(super) contents: Vec<ContentCounts>,
    /// Whether each line is kept, by the last attempt and by the one before.
    pub(super) kept: [Vec<bool>; 2],
}
