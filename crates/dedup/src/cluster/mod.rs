//! Clusterings: they group verified pairs.

pub(crate) mod center_rule;
pub(crate) mod clustering;
pub(crate) mod clusters;
pub(crate) mod graph;
pub(crate) mod independent_set;
pub(crate) mod methods;
pub(crate) mod ricochet;
pub(crate) mod size_limit;
pub(crate) mod union_find;

pub use center_rule::Preference;
pub use clustering::{CloneClustering, Clustering, Edge, sort_edges};
pub use clusters::Clusters;
pub use methods::*;
pub use union_find::UnionFind;
