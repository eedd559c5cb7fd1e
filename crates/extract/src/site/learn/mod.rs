//! Learning a site. The steps in order: roles, sums over their lines, containers, cuts.

pub(super) mod confidence;
pub(super) mod containers;
pub(super) mod cuts;
mod merge;
pub(super) mod names;
pub(super) mod regions;
pub(super) mod roles;
pub(super) mod settings;
pub(super) mod stats;
