//! What the search for a candidate writes down of each element, in memory that the next page uses again.

use crate::label::class_lists::ClassLists;
use dehusk_html::tree::Tag;

/// What is known of an element without its content.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementTraits {
    pub(super) tag: Tag,
    pub(super) names: ClassLists,
    /// Whether one of its children holds lines.
    pub(super) has_block_child: bool,
    /// Whether it stands in a table or in code.
    pub(super) in_table_or_code: bool,
}

/// Counts of what an element holds.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct ContentCounts {
    pub(super) chars: u32,
    pub(super) linked: u32,
    pub(super) commas: u32,
    /// Characters in headings and in lists.
    pub(super) headings: u32,
    pub(super) lists: u32,
    pub(super) paragraphs: u32,
    pub(super) items: u32,
    /// Whether it holds header cells or a caption.
    pub(super) data: bool,
}

/// One element that holds lines, while a candidate is sought.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The element around it; a number that no element has at the root.
    pub(super) parent: u32,
    pub(super) traits: ElementTraits,
    /// Whether it is left out, since class, id or role of it or of an element around it say that it is no content. Class and id do not
    /// count inside tables and code.
    pub(super) excluded: bool,
    pub(super) place: Place,
    /// Characters in it, and those of links.
    pub(super) chars: u32,
    pub(super) linked: u32,
    /// `f32::MIN` if no line gives it a score.
    pub(super) score: f32,
    /// Characters, links and commas of the lines that stand directly in it.
    pub(super) own: OwnCounts,
}

impl Candidate {
    /// An element of which nothing has been counted yet.
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

/// Counts of the lines that stand directly in an element.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct OwnCounts {
    pub(super) chars: u32,
    pub(super) linked: u32,
    pub(super) commas: u32,
}

/// Where an element is, seen from those that are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Outside,
    /// It is chosen.
    Chosen,
    /// Inside one that is chosen.
    Inside,
    /// Inside one that is chosen, and removed as clutter.
    Clutter,
}

/// Memory of the search for a candidate.
#[derive(Debug, Default)]
pub(crate) struct CandidateBuffers {
    pub(super) elements: Vec<Candidate>,
    /// What each chosen element holds.
    pub(super) contents: Vec<ContentCounts>,
    /// Whether each line is kept, of the last attempt and of the one before.
    pub(super) kept: [Vec<bool>; 2],
}
