#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

#[cfg(feature = "archive")]
pub use dehusk_archive as archive;
pub use dehusk_dedup as dedup;
pub use dehusk_extract as extract;
pub use dehusk_html as html;
#[cfg(feature = "lab")]
pub use dehusk_lab as lab;
pub use dehusk_normalize as normalize;
#[cfg(feature = "pipeline")]
pub use dehusk_pipeline as pipeline;
