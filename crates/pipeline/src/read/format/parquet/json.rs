//! Conversion of column values to JSON.

use std::borrow::Cow;
use std::cell::Cell;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal128Type, Decimal256Type, Float16Type, Float32Type,
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType, Time64MicrosecondType,
    Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, MapArray, StructArray};
use arrow_schema::{DataType, TimeUnit};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::{SignedDuration, Timestamp, civil};
use serde::Serialize;

use super::field::Field;
use crate::record::mend::{Flaw, Mended};

/// Deepest nesting of types that is converted. Columns nested more deeply are left out.
const DEPTH: usize = 32;

/// Columns of files written by this program that hold JSON as text.
const JSON: &[&str] = &["content", "extra", "elements"];

/// Returns the index of a row's value in the values of a dictionary array. `None` if it is null.
///
/// `normalized_keys` of Arrow would list the keys of all rows again for each row.
pub(crate) fn dictionary_key(array: &dyn Array, row: usize) -> Option<usize> {
    use DataType as T;
    let keys = array.as_any_dictionary().keys();
    if !keys.is_valid(row) {
        return None;
    }
    match keys.data_type() {
        T::Int8 => usize::try_from(keys.as_primitive::<Int8Type>().value(row)).ok(),
        T::Int16 => usize::try_from(keys.as_primitive::<Int16Type>().value(row)).ok(),
        T::Int32 => usize::try_from(keys.as_primitive::<Int32Type>().value(row)).ok(),
        T::Int64 => usize::try_from(keys.as_primitive::<Int64Type>().value(row)).ok(),
        T::UInt8 => Some(usize::from(keys.as_primitive::<UInt8Type>().value(row))),
        T::UInt16 => Some(usize::from(keys.as_primitive::<UInt16Type>().value(row))),
        T::UInt32 => usize::try_from(keys.as_primitive::<UInt32Type>().value(row)).ok(),
        T::UInt64 => usize::try_from(keys.as_primitive::<UInt64Type>().value(row)).ok(),
        other => {
            debug_assert!(false, "keys of a dictionary are integers, not {other}");
            None
        }
    }
}

/// Returns `true` if values of a type can be written as JSON.
pub(crate) fn is_supported(of: &DataType, depth: usize) -> bool {
    use DataType as T;
    let inner = |of: &DataType| depth < DEPTH && is_supported(of, depth + 1);
    match of {
        T::Null | T::Boolean | T::Utf8 | T::Binary | T::FixedSizeBinary(_) | T::Date32 | T::Date64 => true,
        T::Int8 | T::Int16 | T::Int32 | T::Int64 | T::UInt8 | T::UInt16 | T::UInt32 | T::UInt64 => true,
        T::Float16 | T::Float32 | T::Float64 | T::Decimal128(..) | T::Decimal256(..) => true,
        // Types of tables in memory. Files are read without their Arrow metadata and have only
        // `LargeBinary`, for bytes beside lossy texts.
        T::LargeUtf8 | T::Utf8View | T::LargeBinary | T::BinaryView => true,
        T::LargeList(item) | T::FixedSizeList(item, _) => inner(item.data_type()),
        T::Dictionary(_, values) => inner(values),
        T::Timestamp(..) | T::Time32(TimeUnit::Millisecond) => true,
        T::Time64(TimeUnit::Microsecond | TimeUnit::Nanosecond) => true,
        T::List(item) => inner(item.data_type()),
        T::Struct(members) => members.iter().all(|member| inner(member.data_type())),
        T::Map(entries, _) => match entries.data_type() {
            T::Struct(entry) => entry.len() == 2 && entry.iter().all(|part| inner(part.data_type())),
            _ => false,
        },
        _ => false,
    }
}

/// Representation of texts in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Texts {
    /// As text types. Invalid UTF-8 is an error.
    Strict,
    /// As bytes of type `Binary`, with invalid UTF-8 replaced by U+FFFD. Columns of real bytes have type `LargeBinary`.
    Lossy,
}

/// Writes the values of one row.
pub(crate) struct Values {
    /// `true` if the file was written by this program, so that some texts are JSON.
    pub(crate) own: bool,
    /// `true` if columns that are not known fields are written without loss, so that a column of the same
    /// type can be restored: bytes always as base64, and numbers that JSON lacks as texts such as `NaN`.
    pub(crate) exact: bool,
    pub(crate) texts: Texts,
    /// Repairs so far.
    pub(crate) mended: Cell<Mended>,
}

impl Values {
    /// Returns a writer of values for human readers. Texts must be valid UTF-8.
    pub(crate) fn plain() -> Self {
        Values {
            own: false,
            exact: false,
            texts: Texts::Strict,
            mended: Cell::default(),
        }
    }

    /// Writes a field of a row, unless its value is missing.
    pub(crate) fn field(&self, field: &Field, array: &dyn Array, row: usize, to: &mut Vec<u8>) {
        if !field.is_bytes {
            // Known fields are parsed as parts of a record, so they are written in their plain form even
            // with `exact`.
            let exact = self.exact && !field.is_read;
            let values = Values {
                exact,
                mended: Cell::new(self.mended.get()),
                ..*self
            };
            values.member(&field.name, array, row, to);
            self.mended.set(values.mended.get());
        } else if array.is_valid(row) {
            let bytes = match array.data_type() {
                DataType::FixedSizeBinary(_) => array.as_fixed_size_binary().value(row),
                DataType::LargeBinary => array.as_binary::<i64>().value(row),
                _ => array.as_binary::<i32>().value(row),
            };
            // HTML stays bytes, because its charset is not known here.
            name("html_base64", to);
            string(&STANDARD.encode(bytes), to);
        }
    }

    /// Writes a member of an object. Returns `false`, and writes nothing, if the value is missing.
    pub(crate) fn member(&self, name: &str, array: &dyn Array, row: usize, to: &mut Vec<u8>) -> bool {
        let before = to.len();
        self::name(name, to);
        // Texts of these columns are JSON already. They are embedded, not quoted.
        let text = match self.own && JSON.contains(&name) {
            true => self.text(array, row),
            false => None,
        };
        let written = match text {
            Some(text) => json(&text, to),
            None => self.value(array, row, to),
        };
        if !written {
            to.truncate(before);
        }
        written
    }

    /// Returns the text of a row, or `None` if the column is not a text column or the value is missing.
    fn text<'a>(&self, array: &'a dyn Array, row: usize) -> Option<Cow<'a, str>> {
        match array.data_type() {
            _ if !array.is_valid(row) => None,
            DataType::Utf8 => Some(Cow::Borrowed(array.as_string::<i32>().value(row))),
            DataType::Binary if self.texts == Texts::Lossy => {
                Some(self.lossy(array.as_binary::<i32>().value(row)))
            }
            _ => None,
        }
    }

    /// Decodes bytes that are declared as text, and notes invalid UTF-8.
    fn lossy<'a>(&self, bytes: &'a [u8]) -> Cow<'a, str> {
        let mut mended = self.mended.get();
        let invalid = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty());
        invalid.for_each(|_| mended.note(Flaw::InvalidUtf8));
        self.mended.set(mended);
        String::from_utf8_lossy(bytes)
    }

    /// Writes bytes: as text if they are valid UTF-8, because many programs store texts as bytes, else as
    /// base64. With `exact`, always as base64.
    fn bytes(&self, value: &[u8], to: &mut Vec<u8>) -> bool {
        match simdutf8::basic::from_utf8(value) {
            Ok(text) if !self.exact => string(text, to),
            _ => string(&STANDARD.encode(value), to),
        }
    }

    /// Writes a real number. Infinity and NaN are not JSON and are skipped, or written as text with `exact`.
    fn real(&self, value: f64, to: &mut Vec<u8>) -> bool {
        match value.is_finite() {
            true => put(&value, to),
            false => self.exact && string(no_number(value), to),
        }
    }

    /// Writes a value. Returns `false` if it is missing. Recursion follows nested types, at most [`DEPTH`] deep.
    fn value(&self, array: &dyn Array, row: usize, to: &mut Vec<u8>) -> bool {
        use DataType as T;
        if !array.is_valid(row) {
            return false;
        }
        match array.data_type() {
            T::Boolean => put(&array.as_boolean().value(row), to),
            T::Utf8 => string(array.as_string::<i32>().value(row), to),
            T::Binary if self.texts == Texts::Lossy => {
                string(&self.lossy(array.as_binary::<i32>().value(row)), to)
            }
            T::Binary => self.bytes(array.as_binary::<i32>().value(row), to),
            T::FixedSizeBinary(_) => self.bytes(array.as_fixed_size_binary().value(row), to),
            T::Int8 => number::<Int8Type>(array, row, to),
            T::Int16 => number::<Int16Type>(array, row, to),
            T::Int32 => number::<Int32Type>(array, row, to),
            T::Int64 => number::<Int64Type>(array, row, to),
            T::UInt8 => number::<UInt8Type>(array, row, to),
            T::UInt16 => number::<UInt16Type>(array, row, to),
            T::UInt32 => number::<UInt32Type>(array, row, to),
            T::UInt64 => number::<UInt64Type>(array, row, to),
            T::Float16 => self.real(f64::from(array.as_primitive::<Float16Type>().value(row)), to),
            // As `f32` the number has its shortest digits: 0.1, not 0.10000000149011612.
            T::Float32 => {
                let value = array.as_primitive::<Float32Type>().value(row);
                match value.is_finite() {
                    true => put(&value, to),
                    false => self.real(value.into(), to),
                }
            }
            T::Float64 => self.real(array.as_primitive::<Float64Type>().value(row), to),
            // Decimals keep all their digits, which `f64` would not.
            T::Decimal128(..) => {
                text_number(&array.as_primitive::<Decimal128Type>().value_as_string(row), to)
            }
            T::Decimal256(..) => {
                text_number(&array.as_primitive::<Decimal256Type>().value_as_string(row), to)
            }
            T::LargeUtf8 => string(array.as_string::<i64>().value(row), to),
            T::Utf8View => string(array.as_string_view().value(row), to),
            T::LargeBinary => self.bytes(array.as_binary::<i64>().value(row), to),
            T::BinaryView => self.bytes(array.as_binary_view().value(row), to),
            T::Dictionary(..) => {
                let key = dictionary_key(array, row);
                key.is_some_and(|key| self.value(array.as_any_dictionary().values(), key, to))
            }
            T::List(_) => self.list(&array.as_list::<i32>().value(row), to),
            T::LargeList(_) => self.list(&array.as_list::<i64>().value(row), to),
            T::FixedSizeList(..) => self.list(&array.as_fixed_size_list().value(row), to),
            T::Struct(_) => self.object(array.as_struct(), row, to),
            T::Map(..) => self.map(array.as_map(), row, to),
            // A time outside the range of ISO 8601 is missing, or a raw number with `exact`.
            _ => match time(array, row) {
                Some(time) => string(&time, to),
                None => self.exact && raw_time(array, row).is_some_and(|time| put(&time, to)),
            },
        }
    }

    /// Writes a list.
    fn list(&self, items: &dyn Array, to: &mut Vec<u8>) -> bool {
        to.push(b'[');
        for item in 0..items.len() {
            if item > 0 {
                to.push(b',');
            }
            // Items are identified by their position, so a missing one is written as `null`.
            if !self.value(items, item, to) {
                to.extend_from_slice(b"null");
            }
        }
        to.push(b']');
        true
    }

    /// Writes an object without its missing members.
    fn object(&self, array: &StructArray, row: usize, to: &mut Vec<u8>) -> bool {
        to.push(b'{');
        for (field, column) in array.fields().iter().zip(array.columns()) {
            self.member(field.name(), column, row, to);
        }
        to.push(b'}');
        true
    }

    /// Writes a map: as an object if its keys are texts, else as a list of pairs.
    fn map(&self, array: &MapArray, row: usize, to: &mut Vec<u8>) -> bool {
        let entries = array.value(row);
        let (keys, values) = (entries.column(0).as_ref(), entries.column(1).as_ref());
        // Lossy texts have the type `Binary`.
        if self.texts == Texts::Strict && *keys.data_type() != DataType::Utf8
            || ![DataType::Utf8, DataType::Binary].contains(keys.data_type())
        {
            return self.pairs(keys, values, to);
        }
        to.push(b'{');
        for entry in 0..entries.len() {
            // With `exact`, keys without a value are kept; otherwise they are left out like missing
            // members.
            if let Some(key) = self.text(keys, entry)
                && !self.member(&key, values, entry, to)
                && self.exact
            {
                name(&key, to);
                to.extend_from_slice(b"null");
            }
        }
        to.push(b'}');
        true
    }

    /// Writes a list of pairs of key and value.
    fn pairs(&self, keys: &dyn Array, values: &dyn Array, to: &mut Vec<u8>) -> bool {
        to.push(b'[');
        for entry in 0..keys.len() {
            to.extend_from_slice(if entry > 0 { b",[" } else { b"[" });
            for (number, array) in [keys, values].into_iter().enumerate() {
                if number > 0 {
                    to.push(b',');
                }
                if !self.value(array, entry, to) {
                    to.extend_from_slice(b"null");
                }
            }
            to.push(b']');
        }
        to.push(b']');
        true
    }
}

/// Writes the key of the next member of an object.
fn name(name: &str, to: &mut Vec<u8>) {
    // No JSON value ends with `{`, so after one this is the first member.
    if to.last() != Some(&b'{') {
        to.push(b',');
    }
    string(name, to);
    to.push(b':');
}

/// Returns the name of a number that JSON cannot represent.
fn no_number(value: f64) -> &'static str {
    match value {
        f64::INFINITY => "Infinity",
        f64::NEG_INFINITY => "-Infinity",
        _ => "NaN",
    }
}

/// Returns the raw number of a date or time, for values outside of the range of ISO 8601.
fn raw_time(array: &dyn Array, row: usize) -> Option<i64> {
    use DataType as T;
    Some(match array.data_type() {
        T::Date32 => array.as_primitive::<Date32Type>().value(row).into(),
        T::Date64 => array.as_primitive::<Date64Type>().value(row),
        T::Time32(_) => array.as_primitive::<Time32MillisecondType>().value(row).into(),
        T::Time64(TimeUnit::Microsecond) => array.as_primitive::<Time64MicrosecondType>().value(row),
        T::Time64(_) => array.as_primitive::<Time64NanosecondType>().value(row),
        T::Timestamp(TimeUnit::Second, _) => array.as_primitive::<TimestampSecondType>().value(row),
        T::Timestamp(TimeUnit::Millisecond, _) => array.as_primitive::<TimestampMillisecondType>().value(row),
        T::Timestamp(TimeUnit::Microsecond, _) => array.as_primitive::<TimestampMicrosecondType>().value(row),
        T::Timestamp(TimeUnit::Nanosecond, _) => array.as_primitive::<TimestampNanosecondType>().value(row),
        _ => return None,
    })
}

/// Writes a string with quotes and escapes.
fn string(text: &str, to: &mut Vec<u8>) -> bool {
    put(text, to)
}

/// Writes a value as JSON. Returns `false` if it has no JSON form.
fn put<T: Serialize + ?Sized>(value: &T, to: &mut Vec<u8>) -> bool {
    serde_json::to_writer(to, value).is_ok()
}

/// Writes an integer of a column of this type.
fn number<T: ArrowPrimitiveType<Native: Serialize>>(array: &dyn Array, row: usize, to: &mut Vec<u8>) -> bool {
    put(&array.as_primitive::<T>().value(row), to)
}

/// Writes a number given as text.
fn text_number(text: &str, to: &mut Vec<u8>) -> bool {
    json(text, to)
}

/// Writes JSON given as text. Text that is not JSON is written as a string.
fn json(text: &str, to: &mut Vec<u8>) -> bool {
    if serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok() {
        // Between tokens, line breaks are white space. Without them a record stays one line.
        to.extend(text.bytes().filter(|byte| !matches!(byte, b'\n' | b'\r')));
        true
    } else {
        string(text, to)
    }
}

/// Returns a date, a time of day or a timestamp in ISO 8601. Timestamps with a zone are in UTC. `None` if the value is out of range.
fn time(array: &dyn Array, row: usize) -> Option<String> {
    use DataType as T;
    let day = |days: i64| {
        let epoch = civil::date(1970, 1, 1);
        let span = jiff::Span::new().try_days(days).ok()?;
        Some(epoch.checked_add(span).ok()?.to_string())
    };
    let of_day = |duration| Some(civil::Time::midnight().checked_add(duration).ok()?.to_string());
    match array.data_type() {
        T::Date32 => day(array.as_primitive::<Date32Type>().value(row).into()),
        // Date64 counts milliseconds of whole days.
        T::Date64 => day(array.as_primitive::<Date64Type>().value(row) / 86_400_000),
        T::Time32(_) => {
            let value = array.as_primitive::<Time32MillisecondType>().value(row);
            of_day(SignedDuration::from_millis(value.into()))
        }
        T::Time64(TimeUnit::Microsecond) => {
            let value = array.as_primitive::<Time64MicrosecondType>().value(row);
            of_day(SignedDuration::from_micros(value))
        }
        T::Time64(_) => of_day(SignedDuration::from_nanos(
            array.as_primitive::<Time64NanosecondType>().value(row),
        )),
        T::Timestamp(unit, zone) => {
            let stamp = match unit {
                TimeUnit::Second => {
                    Timestamp::from_second(array.as_primitive::<TimestampSecondType>().value(row))
                }
                TimeUnit::Millisecond => {
                    Timestamp::from_millisecond(array.as_primitive::<TimestampMillisecondType>().value(row))
                }
                TimeUnit::Microsecond => {
                    Timestamp::from_microsecond(array.as_primitive::<TimestampMicrosecondType>().value(row))
                }
                TimeUnit::Nanosecond => {
                    let value = array.as_primitive::<TimestampNanosecondType>().value(row);
                    Timestamp::from_nanosecond(value.into())
                }
            };
            let stamp = stamp.ok()?.to_string();
            Some(match zone {
                Some(_) => stamp,
                // Without a zone the time is local, which `Z` would contradict.
                None => stamp.trim_end_matches('Z').to_owned(),
            })
        }
        _ => None,
    }
}
