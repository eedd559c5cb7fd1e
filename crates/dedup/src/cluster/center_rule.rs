//! Shared by the center algorithms: which document becomes a center, and the state of a document.

use crate::cluster::clustering::Edge;
use crate::cluster::graph::averages;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Parameter;
use crate::strategy::value::choice;

/// Which of two new documents becomes the center of the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preference {
    /// The smaller vertex.
    #[default]
    First,
    /// The one that is on average more similar to its neighbors; of equals, the smaller vertex.
    Average,
}

/// The parameter of the center algorithms that is a [`Preference`].
pub(crate) const BY: Parameter = Parameter::new(
    "by",
    "first",
    "which of two new documents becomes the center: first, or average: the one more similar to its neighbors",
);

pub(crate) fn preference(value: &str) -> Result<Preference, BuildError> {
    choice(
        "by",
        value,
        &[("first", Preference::First), ("average", Preference::Average)],
    )
}

/// The vertices by which one is preferred as a center, the larger score first; none if the smaller vertex is.
pub(crate) fn scores(by: Preference, copies: &[u32], edges: &[Edge]) -> Option<Vec<f64>> {
    (by == Preference::Average).then(|| averages(copies, edges))
}

/// The state of a vertex in the center algorithms.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Role {
    New,
    Center,
    Member,
}

impl Role {
    /// The state of each vertex before the first pair. Identical documents are the most similar pairs of all: their first one is
    /// a center already.
    pub(crate) fn at_first(copies: &[u32]) -> Vec<Self> {
        copies
            .iter()
            .map(|&copies| if copies > 1 { Self::Center } else { Self::New })
            .collect()
    }

    /// Makes a center and its member of two new vertices, and gives them in that order: the one with the larger score is the
    /// center, else `u`, which has the smaller number.
    pub(crate) fn start(roles: &mut [Self], scores: Option<&[f64]>, u: u32, v: u32) -> (u32, u32) {
        let second = scores.is_some_and(|scores| scores[v as usize] > scores[u as usize]);
        let (center, member) = if second { (v, u) } else { (u, v) };
        roles[center as usize] = Self::Center;
        roles[member as usize] = Self::Member;
        (center, member)
    }
}
