//! Rows of a table, which threads decode.

/// Some rows of a file.
pub trait Rows: Send + Sync {
    /// How many there are. So many are visited, whatever is broken.
    fn count(&self) -> usize;

    /// Bytes of the file that they stand for.
    fn bytes(&self) -> u64;

    /// Decodes the rows and visits each as a line of JSON, or says why it cannot be decoded.
    fn each(&self, wanted: Wanted, visit: &mut dyn FnMut(Result<&[u8], &str>));
}

/// Which columns are of use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// All.
    All,
    /// Those of documents that are compared.
    Documents,
}
