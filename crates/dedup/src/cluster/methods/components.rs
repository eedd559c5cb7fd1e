//! Connected components.

use crate::cluster::clustering::{Clustering, Edge};
use crate::cluster::clusters::Clusters;
use crate::cluster::size_limit::{MAX_SIZE, max_size};
use crate::cluster::union_find::UnionFind;
use crate::numeric::narrow;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};

/// Connected components ("Partitioning" in Hassanzadeh, Chiang, Lee, Miller, PVLDB 2009): all documents that are
/// connected by pairs, directly or through others, form one cluster. This is the baseline; chains of pairs can connect
/// dissimilar documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Components {
    max_size: u32,
}

impl Components {
    /// The defaults: clusters of any size.
    pub const DEFAULT: Self = Self { max_size: u32::MAX };

    /// Largest size of a cluster, 1 or more, default any; identical documents count once. Pairs are processed from the
    /// most similar down. Pairs that would make a cluster too large are skipped, so a few weak links cannot connect
    /// everything.
    #[must_use]
    pub const fn with_max_size(mut self, max_size: u32) -> Self {
        self.max_size = max_size;
        self
    }
}

impl Strategy for Components {
    fn name(&self) -> &'static str {
        "components"
    }

    fn summary(&self) -> &'static str {
        "whatever hangs together by pairs; chains weak links"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[MAX_SIZE]
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "max_size" => *self = self.with_max_size(max_size(value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Clustering for Components {
    fn max_size(&self) -> u32 {
        self.max_size
    }

    fn cluster(&self, copies: &[u32], edges: &[Edge]) -> Clusters {
        let mut sets = UnionFind::new(narrow::to_u32(copies.len())); // vertices are numbered with 32 bits
        for edge in edges {
            sets.unite_within(edge.u, edge.v, self.max_size);
        }
        Clusters::from_labels(&sets.labels())
    }
}
