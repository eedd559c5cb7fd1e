//! MERGE-CENTER.

use crate::cluster::center_rule::{BY, Preference, Role, preference, scores};
use crate::cluster::clustering::{Clustering, Edge};
use crate::cluster::clusters::Clusters;
use crate::cluster::size_limit::{MAX_SIZE, max_size};
use crate::cluster::union_find::UnionFind;
use crate::numeric::narrow;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::flag;

/// MERGE-CENTER (Hassanzadeh, Chiang, Lee, Miller, PVLDB 2009): like CENTER, but a pair of a center and a member of
/// another cluster, or of two centers, merges their clusters. Pairs of two members, or of a member and a new document,
/// are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergeCenter {
    merge_centers: bool,
    max_size: u32,
    by: Preference,
}

impl MergeCenter {
    /// The defaults: pairs of two centers merge, clusters of any size.
    pub const DEFAULT: Self = Self {
        merge_centers: true,
        max_size: u32::MAX,
        by: Preference::First,
    };

    /// Whether a pair of two centers merges their clusters (default yes; implementations differ).
    #[must_use]
    pub const fn with_merge_centers(mut self, merge_centers: bool) -> Self {
        self.merge_centers = merge_centers;
        self
    }

    /// The rule for which of two new documents becomes the center, default [`Preference::First`].
    #[must_use]
    pub const fn with_preference(mut self, by: Preference) -> Self {
        self.by = by;
        self
    }

    /// Largest size of a cluster, 1 or more, default any; identical documents count once. Pairs that would make a
    /// cluster too large are skipped.
    #[must_use]
    pub const fn with_max_size(mut self, max_size: u32) -> Self {
        self.max_size = max_size;
        self
    }
}

impl Strategy for MergeCenter {
    fn name(&self) -> &'static str {
        "merge-center"
    }

    fn summary(&self) -> &'static str {
        "as center, but clusters merge where a center is similar to another one's member"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[
                Parameter::new(
                    "merge_centers",
                    "true",
                    "a pair of two centers merges their clusters, true or false",
                ),
                BY,
                MAX_SIZE,
            ]
        }
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "merge_centers" => *self = self.with_merge_centers(flag("merge_centers", value)?),
            "by" => *self = self.with_preference(preference(value)?),
            "max_size" => *self = self.with_max_size(max_size(value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Clustering for MergeCenter {
    fn max_size(&self) -> u32 {
        self.max_size
    }

    fn cluster(&self, copies: &[u32], edges: &[Edge]) -> Clusters {
        let mut roles = Role::at_first(copies);
        let mut sets = UnionFind::new(narrow::to_u32(copies.len())); // vertices are numbered with 32 bits
        let scores = scores(self.by, copies, edges);
        // Identical documents are a center and its members, so a center with copies has a member.
        let has_member = |vertex: u32| copies[vertex as usize] > 1;
        for &Edge { u, v, .. } in edges {
            let linked = match (roles[u as usize], roles[v as usize]) {
                (Role::New, Role::New) => {
                    Role::start(&mut roles, scores.as_deref(), u, v);
                    true
                }
                (Role::Center, Role::New) => {
                    roles[v as usize] = Role::Member;
                    true
                }
                (Role::New, Role::Center) => {
                    roles[u as usize] = Role::Member;
                    true
                }
                (Role::Center, Role::Member) | (Role::Member, Role::Center) => true,
                // The copies of a center are members of its cluster, and similar to the other center: a pair of member
                // and center.
                (Role::Center, Role::Center) => self.merge_centers || has_member(u) || has_member(v),
                (Role::Member, _) | (_, Role::Member) => false,
            };
            if linked {
                // A pair that would make the cluster too large changes the roles all the same.
                sets.unite_within(u, v, self.max_size);
            }
        }
        Clusters::from_labels(&sets.labels())
    }
}
