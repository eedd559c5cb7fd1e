//! Rows of features, and the writers that fill them column by column.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x16, i16x32};

/// Length of a row. Entries after the last column stay 0.
pub(crate) const STRIDE: usize = 256;

/// Features of a line. The trees distinguish two values only if they differ after [`rounded`].
pub(crate) type FeatureRow = [f32; STRIDE];

/// A row of zeros.
pub(crate) const EMPTY: FeatureRow = [0.0; STRIDE];

/// Number of rows in memory at a time. The rows of all lines would take several hundred times the bytes of the page. A batch is large
/// enough to fill the groups of rows that are walked down the trees together, even after most lines took the early exit.
pub(crate) const BATCH: usize = 256;

/// A feature as the trees compare it: the upper 16 bits of the float, mapped to an integer of the same order.
/// One instruction compares two keys in place of each float; the rounding costs .0005 in F1 (docs/train.md).
pub(crate) type FeatureKey = i16;

/// Returns the key of a feature.
pub(crate) fn key_of(feature: f32) -> FeatureKey {
    let bits = (feature.to_bits() >> 16) as i16;
    let size = bits & i16::MAX;
    if bits < 0 { -size } else { size }
}

/// Truncates a feature to the eight significant binary digits that its key represents.
pub(crate) fn rounded(feature: f32) -> f32 {
    // Adding 0 turns -0 into +0.
    f32::from_bits(feature.to_bits() & 0xFFFF_0000) + 0.0
}

/// Returns the [`rounded`] value of all features with this key.
pub(crate) fn feature_of(key: FeatureKey) -> f32 {
    let size = f32::from_bits(u32::from(key.unsigned_abs()) << 16);
    if key < 0 { -size } else { size }
}

/// Keys of the features of a line.
pub(crate) type KeyRow = [FeatureKey; STRIDE];

/// Number of rows whose features are written before they are converted to keys: few enough to stay in the cache, and enough for the
/// stores of the first rows to have completed when they are read again, sixteen features at a time.
pub(crate) const STAGED: usize = 8;

/// Reusable memory for rows while they are written. Its previous contents do not matter.
#[derive(Debug)]
pub(crate) struct RowBuffers {
    staged: StagedRows,
    keys: Vec<KeyRow>,
}

/// Rows that are not converted to keys yet. Aligned so that no vector load crosses a cache line.
#[derive(Debug)]
#[repr(align(64))]
struct StagedRows([FeatureRow; STAGED]);

impl Default for RowBuffers {
    fn default() -> Self {
        RowBuffers {
            staged: StagedRows([EMPTY; STAGED]),
            keys: Vec::new(),
        }
    }
}

impl RowBuffers {
    /// Returns the keys of `rows` rows. `put` writes the features of the row with the given index.
    pub(crate) fn fill(&mut self, rows: usize, mut put: impl FnMut(&mut RowWriter<'_>, usize)) -> &[KeyRow] {
        dispatch!(Level::new(), simd => self.fill_with(simd, rows, &mut put))
    }

    /// Like [`fill`](RowBuffers::fill), with a given SIMD level.
    #[inline(always)]
    pub(crate) fn fill_with<S: Simd>(
        &mut self,
        simd: S,
        rows: usize,
        mut put: impl FnMut(&mut RowWriter<'_>, usize),
    ) -> &[KeyRow] {
        if self.keys.len() < rows {
            self.keys.resize(rows, [0; STRIDE]);
        }
        let keys = &mut self.keys[..rows];
        let mut row = 0;
        for keys in keys.chunks_mut(STAGED) {
            let mut width = 0;
            for features in self.staged.0.iter_mut().take(keys.len()) {
                let mut writer = RowWriter::new(features);
                put(&mut writer, row);
                width = writer.width();
                row += 1;
            }
            // Converted only now, when the stores of the first rows have completed.
            for (features, keys) in self.staged.0.iter().zip(keys) {
                put_keys(simd, features, width, keys);
            }
        }
        keys
    }
}

/// Writes the keys of at least the first `width` features of a row, rounded up to whole vectors; see [`key_of`].
#[inline(always)]
fn put_keys<S: Simd>(simd: S, features: &FeatureRow, width: usize, out: &mut KeyRow) {
    let (halves, keys) = (features.as_chunks::<16>().0, out.as_chunks_mut::<32>().0);
    let pairs = halves.as_chunks::<2>().0.iter().zip(keys);
    for ([low, high], out) in pairs.take(width.div_ceil(32)) {
        let halves = |features| f32x16::load_array_ref(simd, features).bitcast::<i16x32<S>>();
        // In little-endian order, the odd 16-bit lanes are the upper halves of the floats.
        let bits = halves(low).unzip_high(halves(high));
        // -1 for negative features, else 0. `(x ^ -1) - -1` is `-x` in two's complement.
        let signs = bits >> 15;
        let keys = ((bits & i16x32::splat(simd, i16::MAX)) ^ signs) - signs;
        keys.store_array(out);
    }
}

/// Receives features, column by column.
pub(crate) trait Row {
    /// Adds a feature. Its name is `prefix-name`, or `name` if the prefix is empty.
    fn put_named(&mut self, prefix: &str, name: &str, value: f32);

    fn put(&mut self, name: &str, value: f32) {
        self.put_named("", name, value);
    }

    /// Adds several features, one for each name.
    fn put_all<'n>(&mut self, prefix: &str, names: impl IntoIterator<Item = &'n str>, values: &[f32]) {
        for (name, value) in names.into_iter().zip(values) {
            self.put_named(prefix, name, *value);
        }
    }

    fn flag(&mut self, name: &str, value: bool) {
        self.put(name, f32::from(u8::from(value)));
    }
}

/// Writes features into a row, starting with its first entry.
pub(crate) struct RowWriter<'r> {
    row: &'r mut FeatureRow,
    /// Index of the next column. Every `u8` is a valid index, so no bounds check is needed; models with more columns are rejected.
    at: u8,
}

impl<'r> RowWriter<'r> {
    pub(crate) fn new(row: &'r mut FeatureRow) -> Self {
        RowWriter { row, at: 0 }
    }

    /// Returns the number of columns written. At least one must have been written.
    fn width(&self) -> usize {
        // After 256 columns `at` has wrapped to 0, which this turns back into 256.
        usize::from(self.at.wrapping_sub(1)) + 1
    }
}

impl Row for RowWriter<'_> {
    #[inline]
    fn put_named(&mut self, _: &str, _: &str, value: f32) {
        self.row[usize::from(self.at)] = value;
        self.at = self.at.wrapping_add(1);
    }

    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "256 columns wrap to 0, which `width` undoes"
    )]
    fn put_all<'n>(&mut self, _: &str, _: impl IntoIterator<Item = &'n str>, values: &[f32]) {
        let start = usize::from(self.at);
        let end = start + values.len();
        if let Some(places) = self.row.get_mut(start..end) {
            places.copy_from_slice(values);
        }
        self.at = end as u8;
    }
}

/// Collects the names of the columns.
#[derive(Default)]
pub(crate) struct ColumnNames(pub(crate) Vec<String>);

impl Row for ColumnNames {
    fn put_named(&mut self, prefix: &str, name: &str, _: f32) {
        self.0.push(if prefix.is_empty() {
            name.to_owned()
        } else {
            format!("{prefix}-{name}")
        });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![
            any::<f32>(),
            -1.0_f32..1.0,
            Just(0.0),
            Just(-0.0),
            Just(f32::INFINITY)
        ]
    }

    proptest! {
        #[test]
        fn keys_are_in_the_order_of_rounded_features(a in number(), b in number()) {
            prop_assert_eq!(Some(key_of(a).cmp(&key_of(b))), rounded(a).partial_cmp(&rounded(b)));
        }

        #[test]
        fn keys_are_the_same_side_by_side(number in number(), numbers in proptest::collection::vec(number(), 1..40)) {
            let mut buffers = RowBuffers::default();
            let first = |i: usize| if i.is_multiple_of(2) { number } else { i as f32 };
            let rows = buffers.fill(19, |row, i| {
                row.put("", first(i));
                row.put_all("", [], &numbers);
            });
            for (i, row) in rows.iter().enumerate() {
                prop_assert_eq!(row[0], key_of(first(i)));
                prop_assert_eq!(feature_of(row[0]), rounded(first(i)));
                let keys: Vec<FeatureKey> = numbers.iter().map(|&number| key_of(number)).collect();
                prop_assert_eq!(&row[1..=keys.len()], &keys[..]);
            }
        }

        #[test]
        fn small_numbers_keep_their_value(number in -256_i16..=256) {
            prop_assert_eq!(rounded(f32::from(number)), f32::from(number));
        }
    }
}
