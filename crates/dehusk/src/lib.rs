//! Raw web crawls to clean, unique documents: the front door of the libraries.
//!
//! Each module is a crate of its own, for programs that need no other.

#![forbid(unsafe_code)]

pub use dehusk_dedup as dedup;
pub use dehusk_extract as extract;
pub use dehusk_html as html;
pub use dehusk_normalize as normalize;
pub use dehusk_pipeline as pipeline;
