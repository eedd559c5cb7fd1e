//! Connected components.

use std::sync::Arc;

use super::{Clustering, Edge};
use crate::clusters::Clusters;
use crate::strategy::Strategy;
use crate::union_find::UnionFind;

/// Connected components ("Partitioning" in Hassanzadeh, Chiang, Lee, Miller, PVLDB 2009): whatever hangs together by
/// pairs is one cluster. The baseline; it chains documents that are linked only through others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Components;

impl Strategy for Components {
    fn name(&self) -> &'static str {
        "components"
    }

    fn summary(&self) -> &'static str {
        "whatever hangs together by pairs; chains weak links"
    }
}

impl Clustering for Components {
    fn shared(&self) -> Arc<dyn Clustering> {
        Arc::new(*self)
    }

    fn cluster(&self, vertices: u32, edges: &[Edge]) -> Clusters {
        let mut sets = UnionFind::new(vertices);
        for edge in edges {
            sets.unite(edge.u, edge.v);
        }
        Clusters::from_labels(&sets.labels())
    }
}
