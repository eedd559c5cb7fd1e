//! What the programs fail with.

/// What any part of this program may fail with: the message is for the person at the terminal.
pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
