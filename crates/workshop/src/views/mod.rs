//! Pages of the workshop.

pub(crate) mod changes;
pub(crate) mod learn;
pub(crate) mod methods;
pub(crate) mod page;
pub(crate) mod shell;
pub(crate) mod site;
pub(crate) mod sites;
