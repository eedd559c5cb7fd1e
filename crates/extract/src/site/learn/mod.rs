//! Learning a site, in order: roles, sums over their lines, the evidence for each role, the decision about all of them.

pub(super) mod decide;
pub(crate) mod evidence;
pub(crate) mod fields;
pub(super) mod leave_out;
mod merge;
mod repeated;
pub(crate) mod roles;
pub(crate) mod stats;
