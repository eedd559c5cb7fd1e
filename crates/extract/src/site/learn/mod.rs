//! Learning a site: roles, what the pages say of them, and what is made of it.

pub(super) mod containers;
pub(super) mod cuts;
pub(super) mod evidence;
pub(super) mod names;
pub(super) mod roles;
pub(super) mod settings;
