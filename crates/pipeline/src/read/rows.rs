//! Rows of a table, which threads decode.

use crate::record::mend::Mended;

/// Takes rows: each as a line of JSON with what was mended in it, or why it cannot be decoded.
pub type Visit<'v> = dyn FnMut(Result<(&[u8], Mended), &str>) + 'v;

/// Some rows of a file.
pub trait Rows: Send + Sync {
    /// How many there are. So many are visited, whatever is broken.
    fn count(&self) -> usize;

    /// Bytes of the file that they stand for.
    fn bytes(&self) -> u64;

    /// Which [columns](crate::read::columns::Columns) the file has, by bits.
    fn columns(&self) -> u16;

    /// Decodes the rows and visits each.
    fn each(&self, wanted: Wanted, visit: &mut Visit<'_>);
}

/// Which columns are of use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// All.
    All,
    /// Those of documents that are compared.
    Documents,
}
