//! The keys of new documents, for lookups among the keys of a collection that is stored column by column.

use rayon::prelude::*;

use crate::candidates::columns::KeyColumns;
use crate::candidates::join::group::{Keyed, sort_by_keys};

/// The keys of new documents, by column.
pub struct KeyProbe {
    columns: Vec<Vec<Keyed>>,
}

/// A key, and the new documents that have it in a column.
#[derive(Clone, Copy, Debug)]
pub struct ProbeGroup<'p>(&'p [Keyed]);

impl KeyProbe {
    /// The keys of new documents. Documents are numbered from 0 in the order of `rows`.
    #[must_use]
    pub fn new(layout: KeyColumns, rows: &[&[u64]]) -> Self {
        let column = |column: u32| {
            let keys = (0..).zip(rows).flat_map(|(member, row)| {
                let keys = layout.keys(row, column);
                keys.map(move |key| Keyed {
                    key,
                    member,
                    // A new document looks up all its keys.
                    asks: true,
                })
            });
            let mut words: Vec<Keyed> = keys.collect();
            sort_by_keys(&mut words, &mut Vec::new());
            words
        };
        Self {
            columns: (0..layout.columns).into_par_iter().map(column).collect(),
        }
    }

    /// The distinct keys of a column, ascending. Empty if there is no such column.
    pub fn column(&self, column: u32) -> impl Iterator<Item = ProbeGroup<'_>> {
        let words = self.columns.get(column as usize).map_or(&[][..], Vec::as_slice);
        words.chunk_by(|a, b| a.key == b.key).map(ProbeGroup)
    }
}

impl<'p> ProbeGroup<'p> {
    /// The key.
    #[must_use]
    pub fn key(self) -> u64 {
        self.0.first().map_or(0, |word| word.key)
    }

    /// The numbers of the new documents that have the key, ascending.
    pub fn documents(self) -> impl ExactSizeIterator<Item = u32> + 'p {
        self.0.iter().map(|word| word.member)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::columns::Layout;
    use crate::candidates::join::group::GroupLimit;

    #[test]
    fn equal_keys_stand_together() {
        let layout = KeyColumns {
            columns: 1,
            limit: GroupLimit::NONE,
            layout: Layout::Any,
            asked: false,
        };
        let rows = [vec![3, 7], vec![7], vec![], vec![9]].map(|keys: Vec<u64>| {
            let mut row = Vec::new();
            KeyColumns::pack(Layout::Any, keys, &mut row);
            row
        });
        let rows: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
        let probe = KeyProbe::new(layout, &rows);
        let groups: Vec<(u64, Vec<u32>)> = probe
            .column(0)
            .map(|group| (group.key(), group.documents().collect()))
            .collect();
        assert_eq!(groups, [(3, vec![0]), (7, vec![0, 1]), (9, vec![3])]);
        assert_eq!(probe.column(1).count(), 0, "there is no such column");
    }
}
