//! Rows of keys in columns: two documents with an equal key in a column are candidates.

use crate::candidates::join::group::{GroupLimit, KEY_BITS};

/// Number of bytes of a key in a file.
pub(crate) const KEY_BYTES: usize = KEY_BITS as usize / 8;

/// Rows of keys of [`KEY_BITS`] bits. Documents with an equal key in a column are candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyColumns {
    /// Number of columns, 1 or more.
    pub columns: u32,
    /// Largest group of documents with an equal key in which all pairs are compared.
    pub limit: GroupLimit,
    /// The layout of keys in a row.
    pub layout: Layout,
    /// True if a document asks by [some](crate::candidates::Index::asked) of its keys only, that is, looks up the
    /// documents that have these keys. Two documents are then candidates if the one with fewer keys asks by a key that
    /// the other one has.
    pub asked: bool,
}

/// The layout of a document's keys in its row. An empty row has no keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One key per column. Keys are packed without gaps, the key of column 0 in the uppermost bits of the first word.
    One,
    /// Any number of keys in a single column: one in the upper bits of each word, ascending and without repetitions.
    Any,
}

impl KeyColumns {
    /// The keys of a row in column number `column`.
    pub fn keys<'r>(&self, row: &'r [u64], column: u32) -> impl Iterator<Item = u64> + use<'r> {
        let (one, any) = match self.layout {
            Layout::One => ((!row.is_empty()).then(|| Self::key(row, column)), &[][..]),
            Layout::Any => (None, row),
        };
        one.into_iter()
            .chain(any.iter().map(|word| word >> (u64::BITS - KEY_BITS)))
    }

    /// The key of a row in column number `column`, for rows with [one](Layout::One) key per column.
    #[must_use]
    #[inline]
    pub fn key(row: &[u64], column: u32) -> u64 {
        // A key of 48 bits spans at most two words.
        let bit = column as usize * KEY_BITS as usize;
        let (place, shift) = (bit / 64, bit % 64);
        // A key beyond the row's end is read as 0.
        let word = |place: usize| row.get(place).copied().unwrap_or(0);
        let upper = word(place) << shift;
        let lower = match shift + KEY_BITS as usize {
            // With a shift of more than 16 bits, the rest of the key is at the top of the next word.
            end if end > 64 => word(place + 1) >> (64 - shift),
            _ => 0,
        };
        (upper | lower) >> (u64::BITS - KEY_BITS)
    }

    /// Appends the row of these keys to `out`. With [`Layout::One`] the first key is that of column 0. With
    /// [`Layout::Any`] keys must ascend.
    pub fn pack(layout: Layout, keys: impl IntoIterator<Item = u64>, out: &mut Vec<u64>) {
        if layout == Layout::Any {
            out.extend(keys.into_iter().map(|key| key << (u64::BITS - KEY_BITS)));
            return;
        }
        // `word` is filled from its uppermost bit; `free` is the number of bits that are left.
        let (mut word, mut free) = (0, u64::BITS);
        for key in keys {
            if free > KEY_BITS {
                free -= KEY_BITS;
                word |= key << free;
            } else {
                let over = KEY_BITS - free;
                out.push(word | key >> over);
                free = u64::BITS - over;
                // A shift by 64 bits would overflow.
                word = if over == 0 { 0 } else { key << free };
            }
        }
        // The last word is incomplete; its lower bits are 0.
        if free < u64::BITS {
            out.push(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::random::SplitMix64;

    #[test]
    fn keys_come_back_from_their_columns() {
        let mut random = SplitMix64::new(4);
        for columns in 1..40_u32 {
            let keys: Vec<u64> = (0..columns).map(|_| random.number() >> 16).collect();
            let mut row = vec![7];
            KeyColumns::pack(Layout::One, keys.iter().copied(), &mut row);
            let row = &row[1..];
            assert_eq!(row.len() as u32, (columns * KEY_BITS).div_ceil(64));
            let of = |layout| KeyColumns {
                columns,
                limit: GroupLimit::NONE,
                layout,
                asked: false,
            };
            for (column, &key) in (0..).zip(&keys) {
                assert_eq!(KeyColumns::key(row, column), key, "column {column} of {columns}");
                assert!(of(Layout::One).keys(row, column).eq([key]));
            }
            assert_eq!(of(Layout::One).keys(&[], 0).count(), 0);
            let mut any = Vec::new();
            KeyColumns::pack(Layout::Any, keys.iter().copied(), &mut any);
            assert!(of(Layout::Any).keys(&any, 0).eq(keys));
        }
    }
}
