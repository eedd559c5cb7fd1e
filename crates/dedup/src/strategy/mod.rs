//! Shared by all families of strategies: names, help texts, parameters set by name, and errors of settings.

pub(crate) mod build_error;
pub(crate) mod entry;
pub(crate) mod value;

pub use build_error::BuildError;
pub use entry::{Family, Parameter, Strategy};
