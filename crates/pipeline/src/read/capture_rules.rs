//! Settings for reading captures in crawl archives.

/// Settings for reading captures in crawl archives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Captures {
    /// Treatment of records with a wrong digest.
    pub digests: Digests,
    /// `true` if texts of pages (WET) are read in addition to pages, as main texts that are already extracted.
    pub texts: bool,
}

/// Treatment of records whose digest does not match their header.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Digests {
    /// The page is used with a warning if the digest of its payload is correct or unknown. Otherwise it is rejected.
    #[default]
    Warn,
    /// The page is rejected.
    Require,
    /// The digest is ignored.
    Ignore,
}
