//! New documents against stored ones with an equal key, where the stored keys are read once, in ascending order.

use rayon::prelude::*;

use crate::candidates::columns::KeyColumns;
use crate::candidates::join::group::GroupLimit;

/// The keys of new documents, to be looked up among those of a collection that is stored column by column.
///
/// A group of stored documents with an equal key is looked at up to the number of members in which all pairs would be
/// compared; members beyond that are passed over.
pub struct KeyProbe {
    /// By column, key and number of the new document, ascending.
    columns: Vec<Vec<u64>>,
    limit: GroupLimit,
}

impl KeyProbe {
    /// The keys of new documents, which are numbered from 0 in the order of their rows.
    #[must_use]
    pub fn new(layout: KeyColumns, rows: &[&[u64]]) -> Self {
        let column = |column: u32| {
            let keys = (0_u64..).zip(rows).flat_map(|(number, row)| {
                let keys = layout.keys(row, column);
                keys.map(move |key| u64::from(key) << 32 | number)
            });
            let mut words: Vec<u64> = keys.collect();
            words.sort_unstable();
            words
        };
        Self {
            columns: (0..layout.columns).into_par_iter().map(column).collect(),
            limit: layout.limit,
        }
    }

    /// A scan of a column.
    #[must_use]
    pub fn column(&self, column: u32) -> ColumnProbe<'_> {
        ColumnProbe {
            words: self.columns.get(column as usize).map_or(&[], Vec::as_slice),
            key: None,
            members: 0,
            limit: self.limit,
        }
    }
}

/// A scan of one column of stored keys.
pub struct ColumnProbe<'p> {
    /// Words from the first one on whose key is not below the last stored one.
    words: &'p [u64],
    key: Option<u32>,
    /// Stored documents with that key so far.
    members: usize,
    limit: GroupLimit,
}

impl<'p> ColumnProbe<'p> {
    /// The numbers of the new documents that have the key of the next stored document. Keys must ascend.
    pub fn next(&mut self, key: u32) -> impl Iterator<Item = u32> + use<'p> {
        self.members = if self.key == Some(key) {
            self.members + 1
        } else {
            1
        };
        self.key = Some(key);
        let below = self
            .words
            .iter()
            .take_while(|word| (**word >> 32) < u64::from(key));
        self.words = &self.words[below.count()..];
        let words = if self.limit.caps(self.members) {
            &[]
        } else {
            self.words
        };
        let same = words
            .iter()
            .take_while(move |word| **word >> 32 == u64::from(key));
        same.map(|word| *word as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::columns::Layout;

    #[test]
    fn equal_keys_meet_up_to_the_largest_group() {
        let layout = KeyColumns {
            columns: 1,
            limit: GroupLimit::new(2),
            layout: Layout::Any,
        };
        let word = |key: u64| key << 32;
        let rows = [vec![word(3), word(7)], vec![word(7)], vec![], vec![word(9)]];
        let rows: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
        let probe = KeyProbe::new(layout, &rows);
        let mut column = probe.column(0);
        let met: Vec<Vec<u32>> = [2, 3, 7, 7, 7, 9].map(|key| column.next(key).collect()).into();
        assert_eq!(met, [vec![], vec![0], vec![0, 1], vec![0, 1], vec![], vec![3]]);
        assert_eq!(probe.column(1).next(3).count(), 0, "there is no such column");
    }
}
