//! How captures in archives of crawls are read.

/// How captures in archives of crawls are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Captures {
    /// What a wrong digest means.
    pub digests: Digests,
    /// Whether texts of pages (WET) are read beside pages, as main texts that are extracted already.
    pub texts: bool,
}

/// What it means that a record has another digest than its head says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Digests {
    /// The page is used with a warning if its payload has the right digest, or none is known; else it is rejected.
    #[default]
    Warn,
    /// It is rejected.
    Require,
    /// Nothing.
    Ignore,
}
