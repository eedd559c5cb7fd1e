//! Fields of the rows of a batch: one large field is read in place, the others become a line of JSON.

use std::borrow::Cow;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;

use super::table::Read;
use crate::error::Error;
use crate::read::columns::{Columns, FIELDS};
use crate::read::format::parquet::field::Field;
use crate::read::format::parquet::json::{Values, dictionary_key, is_supported};
use crate::record::{Reason, Rejection};

/// A batch, with the fields that its columns are read as.
pub(super) struct Fields<'b> {
    batch: &'b RecordBatch,
    fields: Vec<Field>,
    /// Index of the column of the large field, if it exists.
    large: Option<usize>,
}

/// A value of the large field.
pub(super) enum Large<'b> {
    Text(&'b str),
    Bytes(&'b [u8]),
}

impl<'b> Fields<'b> {
    /// Assigns the columns of a batch to fields; `columns` maps fields to columns with other names.
    ///
    /// `large` is the field that is left out of the lines of JSON. With `others`, columns with unknown names become fields, too.
    ///
    /// # Errors
    /// If a mapped column is missing, or a column has a type that cannot be read.
    pub(super) fn new(
        batch: &'b RecordBatch,
        columns: &Columns,
        large: &str,
        others: bool,
    ) -> Result<Self, Error> {
        let schema = batch.schema_ref();
        let known = || {
            let names = schema.fields().iter().map(|field| field.name().as_str());
            names.collect::<Vec<_>>().join(", ")
        };
        if let Some((_, theirs)) = columns
            .iter()
            .find(|(_, theirs)| schema.index_of(theirs).is_err())
        {
            let message = format!("there is no column `{theirs}`; columns: {}", known());
            return Err(Error::usage(message).with_option("column"));
        }
        let mut read = Fields {
            batch,
            fields: Vec::new(),
            large: None,
        };
        for (column, of) in schema.fields().iter().enumerate() {
            let given = columns
                .iter()
                .filter(|(_, theirs)| theirs == of.name())
                .map(|(ours, _)| ours);
            let mut names: Vec<&str> = given.collect();
            // If this name is a field that is mapped to another column, the mapping takes its place.
            if names.is_empty() && columns.of(of.name()).is_none() {
                names.push(of.name());
            }
            // Without `others`, only the columns that comparing documents needs are read.
            for name in names.into_iter().filter(|name| others || columns.compares(name)) {
                if name == large && is_text(of.data_type()) {
                    read.large = Some(column);
                } else if is_supported(of.data_type(), 0) && name != large {
                    let name = name.to_owned();
                    let is_bytes = false;
                    read.fields.push(Field {
                        column,
                        is_read: FIELDS.contains(&name.as_str()),
                        name,
                        is_bytes,
                    });
                } else {
                    let message = format!(
                        "the column `{}` is of the type {}, which cannot be read as `{name}`",
                        of.name(),
                        of.data_type()
                    );
                    return Err(Error::usage(message).with_help("cast it, or leave it out"));
                }
            }
        }
        Ok(read)
    }

    /// Returns the names of the columns, for messages.
    pub(super) fn names(&self) -> String {
        let schema = self.batch.schema();
        let names = schema.fields().iter().map(|field| field.name().clone());
        names.collect::<Vec<_>>().join(", ")
    }

    /// Returns `true` if a field other than the large one has a column.
    pub(super) fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|field| field.name == name)
    }

    /// Returns `true` if the large field has a column.
    pub(super) fn has_large(&self) -> bool {
        self.large.is_some()
    }

    /// Returns the large field of a row, or `None` if it is null.
    pub(super) fn large(&self, row: usize) -> Option<Large<'b>> {
        value(self.batch.column(self.large?).as_ref(), row)
    }

    /// Returns the other fields of a row as a JSON object. `more` is appended as a further member unless it
    /// is empty.
    pub(super) fn line(&self, row: usize, more: &str) -> Vec<u8> {
        let values = Values::plain();
        let mut line = vec![b'{'];
        for field in &self.fields {
            values.field(field, self.batch.column(field.column).as_ref(), row, &mut line);
        }
        if !more.is_empty() {
            if line.len() > 1 {
                line.push(b',');
            }
            line.extend_from_slice(more.as_bytes());
        }
        line.push(b'}');
        line
    }

    /// Returns the rejection of a row without a large field, from its columns `reason` and `message`.
    pub(super) fn rejection(&self, row: usize) -> Rejection {
        let text = |name| {
            let texts = Read(self.batch).texts(name).ok();
            texts.and_then(|texts| texts.value(row)).map(str::to_owned)
        };
        let reason = text("reason").and_then(|name| Reason::ALL.iter().find(|reason| reason.name() == name));
        Rejection {
            id: text("id"),
            url: text("url"),
            reason: reason.copied().unwrap_or(Reason::MissingContent),
            message: text("message").unwrap_or_else(|| "there is nothing in this row".to_owned()),
        }
    }

    /// Returns ranges of rows with about `bytes` bytes of the large field each, and at least one row.
    pub(super) fn parts(&self, bytes: usize) -> Vec<std::ops::Range<usize>> {
        let (mut parts, mut start, mut size) = (Vec::new(), 0, 0);
        for row in 0..self.batch.num_rows() {
            size += self.large(row).map_or(0, |large| large.len());
            if size >= bytes || row + 1 == self.batch.num_rows() {
                parts.push(start..row + 1);
                (start, size) = (row + 1, 0);
            }
        }
        parts
    }
}

impl<'b> Large<'b> {
    fn len(&self) -> usize {
        match self {
            Large::Text(text) => text.len(),
            Large::Bytes(bytes) => bytes.len(),
        }
    }

    /// Returns the value as text. Invalid UTF-8 becomes U+FFFD.
    pub(super) fn text(self) -> Cow<'b, str> {
        match self {
            Large::Text(text) => Cow::Borrowed(text),
            Large::Bytes(bytes) => String::from_utf8_lossy(bytes),
        }
    }
}

/// Returns `true` if a type holds texts or bytes.
fn is_text(of: &DataType) -> bool {
    use DataType as T;
    match of {
        T::Utf8 | T::LargeUtf8 | T::Utf8View | T::Binary | T::LargeBinary | T::BinaryView => true,
        // A Python list of `None` becomes a column of this type.
        T::Null => true,
        T::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// Returns a value of a column whose type [holds texts or bytes](is_text).
fn value(array: &dyn Array, row: usize) -> Option<Large<'_>> {
    use DataType as T;
    if !array.is_valid(row) {
        return None;
    }
    Some(match array.data_type() {
        T::Utf8 => Large::Text(array.as_string::<i32>().value(row)),
        T::LargeUtf8 => Large::Text(array.as_string::<i64>().value(row)),
        T::Utf8View => Large::Text(array.as_string_view().value(row)),
        T::Binary => Large::Bytes(array.as_binary::<i32>().value(row)),
        T::LargeBinary => Large::Bytes(array.as_binary::<i64>().value(row)),
        T::BinaryView => Large::Bytes(array.as_binary_view().value(row)),
        T::Dictionary(..) => {
            let key = dictionary_key(array, row)?;
            return value(array.as_any_dictionary().values().as_ref(), key);
        }
        _ => return None,
    })
}
