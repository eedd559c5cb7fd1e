//! A field of rows and its column.

/// A field of rows.
pub(crate) struct Field {
    /// Number of its column.
    pub(crate) column: usize,
    pub(crate) name: String,
    /// Whether it is, or holds, one of the fields that we know.
    pub(crate) is_read: bool,
    /// Whether it is HTML in bytes.
    pub(crate) is_bytes: bool,
}
