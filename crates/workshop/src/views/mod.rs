//! Pages of the workshop.

pub(crate) mod candidates;
pub(crate) mod changes;
pub(crate) mod clusters;
pub(crate) mod learn;
pub(crate) mod measures;
pub(crate) mod methods;
pub(crate) mod page;
mod part;
pub(crate) mod shell;
pub(crate) mod site;
pub(crate) mod sites;
