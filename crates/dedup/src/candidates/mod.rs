//! Candidate methods: they choose the pairs of documents to compare.

pub(crate) mod columns;
pub(crate) mod fingerprints;
pub(crate) mod frequencies;
pub(crate) mod input;
pub(crate) mod join;
pub(crate) mod method;
pub(crate) mod methods;
pub(crate) mod pair;
pub(crate) mod postings;

pub use columns::{KeyColumns, Layout};
pub use fingerprints::{HammingPlan, masks, within_window};
pub use input::{CappedGroups, Check, Further, JoinCounts, JoinInput};
pub use join::group::{GroupLimit, KEY_BITS, Share};
pub use join::probe::{KeyProbe, ProbeGroup};
pub use join::spill::{Spill, SpillError, SpillFile};
pub use method::{Candidates, CloneCandidates, Index};
pub use methods::*;
pub use pair::{Contained, ScoredPair};
