//! Reports of how far the work is.

/// How much a stage will do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Total {
    /// Bytes to read.
    Bytes(u64),
    /// Documents to work on.
    Documents(u64),
    /// Pairs of documents to compare.
    Pairs(u64),
}

/// Receives how far a run is. All methods do nothing unless implemented.
pub trait Progress: Sync {
    /// Whether anybody looks. If not, totals that take time are not counted.
    fn is_watched(&self) -> bool {
        false
    }

    /// A stage begins, which will do so much, if that is known.
    fn stage(&self, name: &'static str, total: Option<Total>) {
        let _ = (name, total);
    }

    /// More records, or what the total counts, and bytes of the stage are done.
    fn advance(&self, records: u64, bytes: u64) {
        let _ = (records, bytes);
    }
}

/// Ignores all reports.
impl Progress for () {}
