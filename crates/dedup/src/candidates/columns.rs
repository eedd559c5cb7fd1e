//! Rows of keys, of which one equal key makes two documents candidates.

use crate::candidates::join::group::GroupLimit;

/// Rows of 32-bit keys. Documents with an equal key in a column are candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyColumns {
    /// Number of columns, 1 or more.
    pub columns: u32,
    /// Largest group of documents with an equal key in which all pairs are compared.
    pub limit: GroupLimit,
    /// Where the keys stand in a row.
    pub layout: Layout,
}

/// Where the keys of a document stand in its row. An empty row has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One key in each column: two to a word, the earlier one in the upper half.
    One,
    /// Any number of keys in a single column: one in the upper half of each word, ascending, each once.
    Any,
}

impl KeyColumns {
    /// The keys of a row in a column.
    pub fn keys<'r>(&self, row: &'r [u64], column: u32) -> impl Iterator<Item = u32> + use<'r> {
        let (one, any) = match self.layout {
            Layout::One => ((!row.is_empty()).then(|| Self::key(row, column)), &[][..]),
            Layout::Any => (None, row),
        };
        one.into_iter().chain(any.iter().map(|word| (word >> 32) as u32))
    }

    /// The key of a row in a column, where there is one in each.
    #[must_use]
    #[inline]
    pub fn key(row: &[u64], column: u32) -> u32 {
        let word = row.get(column as usize / 2).copied().unwrap_or(0);
        if column.is_multiple_of(2) {
            (word >> 32) as u32
        } else {
            word as u32
        }
    }
}
