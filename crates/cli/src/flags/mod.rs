//! Flags that several verbs share.

pub(crate) mod input;
pub(crate) mod names;
pub(crate) mod out;
pub(crate) mod running;
pub(crate) mod settings;
