//! One row of features, and what writes it column by column.

/// Length of a row. Entries after the last column stay 0.
pub(crate) const STRIDE: usize = 256;

/// The features of a line. The trees tell those apart that differ once they are [`rounded`].
pub(crate) type FeatureRow = [f32; STRIDE];

/// A row without features.
pub(crate) const EMPTY: FeatureRow = [0.0; STRIDE];

/// Number of rows that exist at the same time. The rows of all lines would take several hundred times the bytes of the page. A batch
/// is large enough to fill the groups of rows that are walked down the trees together, even after most lines took the early exit.
pub(crate) const BATCH: usize = 128;

/// A feature as the trees compare it: the upper half of its bits, as a number that is in the order of the features.
pub(crate) type FeatureKey = i16;

/// The key of a feature.
pub(crate) fn key_of(feature: f32) -> FeatureKey {
    let bits = (feature.to_bits() >> 16) as i16;
    let size = bits & i16::MAX;
    if bits < 0 { -size } else { size }
}

/// A feature with the eight binary digits that its key tells, cut off behind them.
pub(crate) fn rounded(feature: f32) -> f32 {
    // There is one zero.
    f32::from_bits(feature.to_bits() & 0xFFFF_0000) + 0.0
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

/// Writes features into a row, from its first entry on.
pub(crate) struct RowWriter<'r> {
    row: &'r mut FeatureRow,
    /// The next column. As every byte is the number of a place, no bound is checked; models with more columns are refused.
    at: u8,
}

impl<'r> RowWriter<'r> {
    pub(crate) fn new(row: &'r mut FeatureRow) -> Self {
        RowWriter { row, at: 0 }
    }
}

impl Row for RowWriter<'_> {
    #[inline]
    fn put_named(&mut self, _: &str, _: &str, value: f32) {
        self.row[usize::from(self.at)] = value;
        self.at = self.at.wrapping_add(1);
    }

    #[inline]
    fn put_all<'n>(&mut self, _: &str, _: impl IntoIterator<Item = &'n str>, values: &[f32]) {
        let start = usize::from(self.at);
        let end = start + values.len();
        if let Some(places) = self.row.get_mut(start..end) {
            places.copy_from_slice(values);
        }
        self.at = end as u8;
    }
}

/// Names of the columns.
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
        fn small_numbers_keep_their_value(number in -256_i16..=256) {
            prop_assert_eq!(rounded(f32::from(number)), f32::from(number));
        }
    }
}
