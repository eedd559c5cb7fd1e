//! CENTER.

use crate::cluster::center_rule::{BY, Preference, Role, preference, scores};
use crate::cluster::clustering::{Clustering, Edge};
use crate::cluster::clusters::Clusters;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::flag;

/// CENTER (Haveliwala, Gionis, Indyk, "Scalable techniques for clustering the web", 2000): one pass over the pairs, the
/// most similar first. For a pair of new documents one becomes a center and the other its member. A new document in a
/// pair with a center joins it. Other pairs are ignored. Clusters are stars around their centers.
///
/// Identical documents are a center and its members from the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Center {
    strict: bool,
    by: Preference,
}

impl Center {
    /// The defaults: not strict; in a pair of new documents the smaller vertex becomes the center.
    pub const DEFAULT: Self = Self {
        strict: false,
        by: Preference::First,
    };

    /// Whether a new document in a pair with a member becomes a center immediately (default no: it stays new, and may
    /// still join a center by a less similar pair).
    #[must_use]
    pub const fn with_strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// The rule for which of two new documents becomes the center, default [`Preference::First`].
    #[must_use]
    pub const fn with_preference(mut self, by: Preference) -> Self {
        self.by = by;
        self
    }
}

impl Strategy for Center {
    fn name(&self) -> &'static str {
        "center"
    }

    fn summary(&self) -> &'static str {
        "stars around centers, the most similar pairs first"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[
                Parameter::new(
                    "strict",
                    "false",
                    "a new document met together with a member becomes a center at once, true or false",
                ),
                BY,
            ]
        }
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "strict" => *self = self.with_strict(flag("strict", value)?),
            "by" => *self = self.with_preference(preference(value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Clustering for Center {
    fn cluster(&self, copies: &[u32], edges: &[Edge]) -> Clusters {
        let mut roles = Role::at_first(copies);
        // A vertex that joins no center is its own center.
        let mut centers: Vec<u32> = (0..).take(copies.len()).collect();
        let scores = scores(self.by, copies, edges);
        for &Edge { u, v, .. } in edges {
            match (roles[u as usize], roles[v as usize]) {
                (Role::New, Role::New) => {
                    let (center, member) = Role::start(&mut roles, scores.as_deref(), u, v);
                    centers[member as usize] = center;
                }
                (Role::Center, Role::New) => {
                    roles[v as usize] = Role::Member;
                    centers[v as usize] = u;
                }
                (Role::New, Role::Center) => {
                    roles[u as usize] = Role::Member;
                    centers[u as usize] = v;
                }
                // By default such a vertex stays new and waits for a less similar pair with a center.
                (Role::Member, Role::New) if self.strict => roles[v as usize] = Role::Center,
                (Role::New, Role::Member) if self.strict => roles[u as usize] = Role::Center,
                // Two members, two centers, and a member with a center keep their places.
                _ => {}
            }
        }
        Clusters::from_labels(&centers)
    }
}
