//! Agreement between parent and page process.

/// A hash of everything that decides the result of a page: the program, its version and its settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fingerprint(pub(super) u64);

impl Fingerprint {
    /// Returns the fingerprint of settings given as text.
    pub(crate) fn of(settings: &str) -> Self {
        let text = format!("{} {settings}", env!("CARGO_PKG_VERSION"));
        Fingerprint(xxhash_rust::xxh3::xxh3_64(text.as_bytes()))
    }
}
