//! Inputs, their formats, and reading what was read before.

pub mod format;
pub(crate) mod inputs;
pub(crate) mod plain_text;
pub(crate) mod reread;
