//! Execution: ordered threads, cancellation, panics that cost a single record, progress, time.

pub(crate) mod background;
pub(crate) mod baton;
pub(crate) mod both;
pub(crate) mod cancel;
pub mod clock;
pub(crate) mod disk;
pub(crate) mod file_id;
pub(crate) mod ordered_pool;
pub(crate) mod panic_guard;
pub(crate) mod progress;
pub(crate) mod read_files;
pub(crate) mod regular_file;
