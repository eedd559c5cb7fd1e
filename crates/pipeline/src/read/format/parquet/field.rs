//! A field of rows and its column.

/// A field of rows.
pub(crate) struct Field {
    /// Index of its column.
    pub(crate) column: usize,
    pub(crate) name: String,
    /// `true` if the field is, or contains, one of the known fields.
    pub(crate) is_read: bool,
    /// `true` if the field is HTML stored as bytes.
    pub(crate) is_bytes: bool,
}
