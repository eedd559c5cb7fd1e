//! Shared by the center algorithms: the choice of centers, and the state of a vertex.

use crate::cluster::clustering::Edge;
use crate::cluster::graph::averages;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Parameter;
use crate::strategy::value::choice;

/// The rule for which of two new documents becomes the center of the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preference {
    /// The document of the smaller vertex.
    #[default]
    First,
    /// The document that is on average more similar to its neighbors; among equals, that of the smaller vertex.
    Average,
}

/// The [`Preference`] as a parameter of the center algorithms.
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

/// The score of each vertex; the vertex with the larger score becomes the center. `None` if the smaller vertex becomes
/// the center.
pub(crate) fn scores(by: Preference, copies: &[u32], edges: &[Edge]) -> Option<Vec<f64>> {
    (by == Preference::Average).then(|| averages(copies, edges))
}

/// The state of a vertex in the center algorithms. It changes at most once, from new to center or member.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Role {
    New,
    Center,
    Member,
}

impl Role {
    /// The state of each vertex before the first pair. Identical documents are the most similar pairs, so a vertex with
    /// copies is a center from the start.
    pub(crate) fn at_first(copies: &[u32]) -> Vec<Self> {
        copies
            .iter()
            .map(|&copies| if copies > 1 { Self::Center } else { Self::New })
            .collect()
    }

    /// Makes a center and its member of two new vertices, and returns them in that order. The vertex with the larger
    /// score is the center; if there are no scores or they are equal, `u`, the smaller vertex.
    pub(crate) fn start(roles: &mut [Self], scores: Option<&[f64]>, u: u32, v: u32) -> (u32, u32) {
        // Equal scores leave `u` the center.
        let second = scores.is_some_and(|scores| scores[v as usize] > scores[u as usize]);
        let (center, member) = if second { (v, u) } else { (u, v) };
        roles[center as usize] = Self::Center;
        roles[member as usize] = Self::Member;
        (center, member)
    }
}
