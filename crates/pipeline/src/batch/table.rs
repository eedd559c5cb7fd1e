//! Arrays by column name: construction and reading of batches.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, Float64Array, Int32Array, Int64Array, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema};

use crate::error::Error;

/// Receives batches as they are finished.
pub(super) type Visit<'v> = dyn FnMut(RecordBatch) -> Result<(), Error> + 'v;

/// Returns a batch of these columns. All of them are nullable.
pub(super) fn batch(columns: Vec<(&str, DataType, ArrayRef)>) -> Result<RecordBatch, ArrowError> {
    let fields: Vec<Field> = columns
        .iter()
        .map(|(name, of, _)| Field::new(*name, of.clone(), true))
        .collect();
    let arrays = columns.into_iter().map(|(_, _, array)| array).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
}

/// Returns the error for rows that do not fit into a batch.
pub(super) fn unfit(error: &ArrowError) -> Error {
    Error::failed(format!("rows do not fit into a batch: {error}"))
}

/// Access to the required columns of a batch, with a check of their types.
#[derive(Clone, Copy)]
pub(super) struct Read<'b>(pub(super) &'b RecordBatch);

impl<'b> Read<'b> {
    /// Returns a column by its name.
    fn column(self, name: &str) -> Result<&'b ArrayRef, Error> {
        self.0.column_by_name(name).ok_or_else(|| {
            let schema = self.0.schema();
            let names: Vec<&str> = schema
                .fields()
                .iter()
                .map(|field| field.name().as_str())
                .collect();
            Error::usage(format!(
                "there is no column `{name}`; columns: {}",
                names.join(", ")
            ))
            .with_option("column")
        })
    }

    /// Returns the error for a column of another type.
    fn wrong(self, name: &str, array: &ArrayRef) -> Error {
        let message = format!("the column `{name}` is of the type {}", array.data_type());
        Error::usage(message).with_option("column")
    }

    /// Returns the error for a row whose value is missing or has another length.
    pub(super) fn without_value(self, name: &str, row: usize) -> Error {
        let message = format!("the column `{name}` has no value of the right length in row {row}");
        Error::usage(message).with_option("column")
    }

    /// Returns a column of 64-bit integers.
    pub(super) fn longs(self, name: &str) -> Result<&'b Int64Array, Error> {
        let array = self.column(name)?;
        array
            .as_primitive_opt::<Int64Type>()
            .ok_or_else(|| self.wrong(name, array))
    }

    /// Returns a column of 32-bit integers.
    pub(super) fn integers(self, name: &str) -> Result<&'b Int32Array, Error> {
        let array = self.column(name)?;
        array
            .as_primitive_opt::<Int32Type>()
            .ok_or_else(|| self.wrong(name, array))
    }

    /// Returns a column of 64-bit floating-point numbers.
    pub(super) fn reals(self, name: &str) -> Result<&'b Float64Array, Error> {
        let array = self.column(name)?;
        array
            .as_primitive_opt::<Float64Type>()
            .ok_or_else(|| self.wrong(name, array))
    }

    /// Returns a column of texts.
    pub(super) fn texts(self, name: &str) -> Result<Texts<'b>, Error> {
        let array = self.column(name)?;
        Texts::of(array).ok_or_else(|| self.wrong(name, array))
    }

    /// Returns a column of bytes.
    pub(super) fn bytes(self, name: &str) -> Result<Bytes<'b>, Error> {
        let array = self.column(name)?;
        Bytes::of(array).ok_or_else(|| self.wrong(name, array))
    }

    /// Returns the values of a list of a row, or `None` if it is null.
    pub(super) fn list(self, name: &str, row: usize) -> Result<Option<ArrayRef>, Error> {
        let array = self.column(name)?;
        match array.as_list_opt::<i32>() {
            Some(lists) => Ok(lists.is_valid(row).then(|| lists.value(row))),
            None => Err(self.wrong(name, array)),
        }
    }
}

/// A column of texts, in any Arrow type for texts.
#[derive(Clone, Copy)]
pub(super) struct Texts<'b>(&'b ArrayRef);

impl<'b> Texts<'b> {
    fn of(array: &'b ArrayRef) -> Option<Self> {
        use DataType as T;
        matches!(array.data_type(), T::Utf8 | T::LargeUtf8 | T::Utf8View).then_some(Texts(array))
    }

    pub(super) fn value(self, row: usize) -> Option<&'b str> {
        if !self.0.is_valid(row) {
            return None;
        }
        match self.0.data_type() {
            DataType::Utf8 => Some(self.0.as_string::<i32>().value(row)),
            DataType::LargeUtf8 => Some(self.0.as_string::<i64>().value(row)),
            DataType::Utf8View => Some(self.0.as_string_view().value(row)),
            _ => None,
        }
    }
}

/// A column of bytes, in any Arrow type for bytes.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'b>(&'b ArrayRef);

impl<'b> Bytes<'b> {
    pub(super) fn of(array: &'b ArrayRef) -> Option<Self> {
        use DataType as T;
        matches!(
            array.data_type(),
            T::Binary | T::LargeBinary | T::BinaryView | T::FixedSizeBinary(_)
        )
        .then_some(Bytes(array))
    }

    pub(super) fn len(self) -> usize {
        self.0.len()
    }

    pub(super) fn value(self, row: usize) -> Option<&'b [u8]> {
        if !self.0.is_valid(row) {
            return None;
        }
        match self.0.data_type() {
            DataType::Binary => Some(self.0.as_binary::<i32>().value(row)),
            DataType::LargeBinary => Some(self.0.as_binary::<i64>().value(row)),
            DataType::BinaryView => Some(self.0.as_binary_view().value(row)),
            DataType::FixedSizeBinary(_) => Some(self.0.as_fixed_size_binary().value(row)),
            _ => None,
        }
    }

    /// Returns the content hash of a row, which is stored as 16 bytes, big-endian. `None` if it is null or
    /// has another length.
    pub(super) fn content(self, row: usize) -> Option<u128> {
        let bytes: [u8; 16] = self.value(row)?.try_into().ok()?;
        Some(u128::from_be_bytes(bytes))
    }
}
