//! One row of features, and what writes it column by column.

/// Length of a row. Entries after the last column stay 0.
pub(crate) const STRIDE: usize = 256;

/// The features of a line.
pub(crate) type FeatureRow = [f32; STRIDE];

/// A row without features.
pub(crate) const EMPTY: FeatureRow = [0.0; STRIDE];

/// Number of rows that exist at the same time. The rows of all lines would take several hundred times the bytes of the page. A batch
/// is large enough to fill the groups of rows that are walked down the trees together, even after most lines took the early exit.
pub(crate) const BATCH: usize = 128;

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
