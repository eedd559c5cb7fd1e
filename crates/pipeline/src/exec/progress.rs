//! Reports of how far the work is.

/// Receives how far a run is. All methods do nothing unless implemented.
pub trait Progress: Sync {
    /// A stage begins; `total` is the number of bytes it will read, if that is known.
    fn stage(&self, name: &'static str, total: Option<u64>) {
        let _ = (name, total);
    }

    /// More records and bytes of the stage are done.
    fn advance(&self, records: u64, bytes: u64) {
        let _ = (records, bytes);
    }
}

/// Ignores all reports.
impl Progress for () {}
