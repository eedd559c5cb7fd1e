//! A field of rows and its column.

/// A field of rows.
pub(super) struct Field {
    /// Number of its column.
    pub(super) column: usize,
    pub(super) name: String,
    /// Whether it is HTML in bytes.
    pub(super) is_bytes: bool,
}
