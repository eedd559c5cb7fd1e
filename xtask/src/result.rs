//! The error type of the driver.

/// Result of any part of this program. The error is a message for the user at the terminal.
pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
