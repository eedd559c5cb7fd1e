//! Rows of a table, decoded by worker threads.

use crate::record::mend::Mended;

/// Callback for rows. It receives the row as a line of JSON with its repairs, or the reason why the row cannot be decoded.
pub type Visit<'v> = dyn FnMut(Result<(&[u8], Mended), &str>) + 'v;

/// Some rows of a file.
pub trait Rows: Send + Sync {
    /// Returns the number of rows. Exactly this number of rows is visited, even if some are damaged.
    fn count(&self) -> usize;

    /// Returns the number of file bytes attributed to the rows.
    fn bytes(&self) -> u64;

    /// Returns the bit set of the [columns](crate::read::columns::Columns) in the file.
    fn columns(&self) -> u16;

    /// Decodes the rows and visits each.
    fn each(&self, wanted: Wanted, visit: &mut Visit<'_>);
}

/// Selection of columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// All columns.
    All,
    /// Columns that comparing documents needs.
    Documents,
}
