//! The result type of the programs.

/// The result of any part of this program. The error's message is shown to the user at the terminal.
pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
