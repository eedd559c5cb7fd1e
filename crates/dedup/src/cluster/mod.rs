//! Clusterings: from verified pairs to groups.

use std::sync::Arc;

use rayon::prelude::*;

use crate::clusters::Clusters;
use crate::error::BuildError;
use crate::graph::averages;
use crate::strategy::{Parameter, Strategy, choice, find, number};

mod articulation;
mod center;
mod components;
mod greedy_degree;
mod leader;
mod merge_center;
mod ricochet_bsr;
mod ricochet_cr;
mod ricochet_ocr;
mod ricochet_sr;
mod star;

pub use articulation::Articulation;
pub use center::Center;
pub use components::Components;
pub use greedy_degree::GreedyDegree;
pub use leader::Leader;
pub use merge_center::MergeCenter;
pub use ricochet_bsr::RicochetBsr;
pub use ricochet_cr::RicochetCr;
pub use ricochet_ocr::RicochetOcr;
pub use ricochet_sr::RicochetSr;
pub use star::{Centrality, Star};

/// Every clustering, in the order in which help texts list them.
pub static ALL: &[&dyn Clustering] = &[
    &Components::DEFAULT,
    &Center::DEFAULT,
    &MergeCenter::DEFAULT,
    &Star::DEFAULT,
    &RicochetSr,
    &RicochetBsr,
    &RicochetCr,
    &RicochetOcr,
    &Articulation,
    &Leader,
    &GreedyDegree,
];

/// A pair of similar vertices, with `u < v`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The smaller vertex.
    pub u: u32,
    /// The larger vertex.
    pub v: u32,
    /// How similar they are, above 0 and up to 1.
    pub similarity: f64,
}

/// Sorts edges as clusterings expect them: the most similar first, then by vertices.
pub fn sort_edges(edges: &mut [Edge]) {
    edges.par_sort_unstable_by(|a, b| {
        b.similarity
            .total_cmp(&a.similarity)
            .then((a.u, a.v).cmp(&(b.u, b.v)))
    });
}

/// A clustering with its parameters.
pub trait Clustering: Strategy {
    /// A copy behind a shared pointer, as options hold it.
    fn shared(&self) -> Arc<dyn Clustering>;

    /// A copy with one parameter changed, by name.
    ///
    /// # Errors
    /// If there is no such parameter, or if the value is out of its range.
    fn set(&self, parameter: &str, value: &str) -> Result<Arc<dyn Clustering>, BuildError> {
        let _ = value;
        Err(BuildError::unknown_parameter(
            self.name(),
            parameter,
            self.parameters(),
        ))
    }

    /// True if a vertex may be in several clusters.
    fn overlaps(&self) -> bool {
        false
    }

    /// Groups the vertices `0..copies.len()`, each of which is in some cluster of the result. `edges` come as
    /// [`sort_edges`] sorts them, and none has an end that is no vertex.
    ///
    /// A vertex stands for so many identical documents, 1 or more, which are as many vertices of equal neighbors with
    /// similarity 1 among them. They are not spelled out, but count: the most similar pairs of all are theirs, and they
    /// are neighbors like others.
    fn cluster(&self, copies: &[u32], edges: &[Edge]) -> Clusters;
}

/// The clustering of that name, with its default parameters.
///
/// # Errors
/// If there is none; the error lists the known names.
pub fn named(name: &str) -> Result<Arc<dyn Clustering>, BuildError> {
    find(ALL, "clustering", name).map(Clustering::shared)
}

/// The parameter of clusterings whose clusters can be bounded.
const MAX_SIZE: Parameter = Parameter {
    name: "max_size",
    default: "any",
    help: "largest size of a cluster, 1 or more, or any",
};

fn max_size(value: &str) -> Result<u32, BuildError> {
    if value == "any" {
        Ok(u32::MAX)
    } else {
        number("max_size", value, 1..=u32::MAX)
    }
}

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
const BY: Parameter = Parameter {
    name: "by",
    default: "first",
    help: "which of two new documents becomes the center: first, or average: the one more similar to its neighbors",
};

fn preference(value: &str) -> Result<Preference, BuildError> {
    choice(
        "by",
        value,
        &[("first", Preference::First), ("average", Preference::Average)],
    )
}

/// The vertices by which one is preferred as a center, the larger score first; none if the smaller vertex is.
fn scores(by: Preference, copies: &[u32], edges: &[Edge]) -> Option<Vec<f64>> {
    (by == Preference::Average).then(|| averages(copies, edges))
}

/// What the center algorithms know of a vertex.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    New,
    Center,
    Member,
}

impl Role {
    /// What each vertex is before the first pair. Identical documents are the most similar pairs of all: their first one is
    /// a center already.
    fn at_first(copies: &[u32]) -> Vec<Self> {
        copies
            .iter()
            .map(|&copies| if copies > 1 { Self::Center } else { Self::New })
            .collect()
    }

    /// Makes a center and its member of two new vertices, and gives them in that order: the one with the larger score is the
    /// center, else `u`, which has the smaller number.
    fn start(roles: &mut [Self], scores: Option<&[f64]>, u: u32, v: u32) -> (u32, u32) {
        let second = scores.is_some_and(|scores| scores[v as usize] > scores[u as usize]);
        let (center, member) = if second { (v, u) } else { (u, v) };
        roles[center as usize] = Self::Center;
        roles[member as usize] = Self::Member;
        (center, member)
    }
}

#[cfg(test)]
mod tests;
