//! The values of a column of the user's tables, as an Arrow array. Rows have the values as JSON, in the
//! form that [`Values`](crate::read::format::parquet::json::Values) writes. Recursion is as deep as the
//! type.

use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, BooleanBuilder, FixedSizeBinaryBuilder, PrimitiveBuilder, StringBuilder,
};
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal128Type, Decimal256Type, Float16Type, Float32Type,
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType, Time64MicrosecondType,
    Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{ArrayRef, ListArray, MapArray, NullArray, StructArray};
use arrow_buffer::{NullBufferBuilder, i256};
use arrow_schema::{ArrowError, DataType, FieldRef, Fields, TimeUnit};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use jiff::civil::{Date, Time};
use serde_json::value::RawValue;

use super::values::Places;
use crate::record::json;

/// Builder for the values of one column.
pub(super) enum Cells {
    Null(usize),
    Bool(BooleanBuilder),
    Text(StringBuilder),
    Bytes(BinaryBuilder),
    FixedBytes(FixedSizeBinaryBuilder, usize),
    Numbers(Box<dyn Numbers>),
    List(FieldRef, Places, Box<Cells>),
    Struct(Fields, NullBufferBuilder, Vec<Cells>),
    /// Field of the entries; keys and values.
    Map(FieldRef, Places, Box<[Cells; 2]>),
}

/// Builder for numbers and for times, which are stored as numbers of units.
pub(super) trait Numbers: Send {
    /// Whether `value` is a number of the type. With `add`, the number is appended.
    fn number(&mut self, value: &str, add: bool) -> bool;

    /// Appends a null.
    fn null(&mut self);

    /// The array of all values.
    fn array(self: Box<Self>) -> ArrayRef;
}

/// A builder for one type, with the function that parses its values.
struct NumbersOf<T: ArrowPrimitiveType> {
    builder: PrimitiveBuilder<T>,
    of: DataType,
    read: fn(&DataType, &str) -> Option<T::Native>,
}

impl<T: ArrowPrimitiveType> Numbers for NumbersOf<T> {
    fn number(&mut self, value: &str, add: bool) -> bool {
        let number = (self.read)(&self.of, value);
        if let Some(number) = number.filter(|_| add) {
            self.builder.append_value(number);
        }
        number.is_some()
    }

    fn null(&mut self) {
        self.builder.append_null();
    }

    fn array(mut self: Box<Self>) -> ArrayRef {
        Arc::new(self.builder.finish())
    }
}

/// Empty cells for a type of numbers.
fn numbers<T: ArrowPrimitiveType>(
    of: &DataType,
    read: fn(&DataType, &str) -> Option<T::Native>,
) -> Option<Cells> {
    Some(Cells::Numbers(Box::new(NumbersOf::<T> {
        builder: PrimitiveBuilder::new().with_data_type(of.clone()),
        of: of.clone(),
        read,
    })))
}

/// An integer.
fn whole<N: std::str::FromStr>(_: &DataType, value: &str) -> Option<N> {
    value.parse().ok()
}

/// A real number. NaN and the infinities are strings, since JSON has no such numbers.
fn real(value: &str) -> Option<f64> {
    match value {
        "\"NaN\"" => Some(f64::NAN),
        "\"Infinity\"" => Some(f64::INFINITY),
        "\"-Infinity\"" => Some(f64::NEG_INFINITY),
        // A number that is too large for 64 bits would become infinite.
        _ => value.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

/// The nearest number of 32 bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the column asks for this precision"
)]
fn single(number: f64) -> f32 {
    number as f32
}

/// The digits of a decimal with `scale` digits after the point, as an integer: `1.5` with scale 2 is `150`.
/// Returns `None` if the value has more digits after the point.
fn unscaled(value: &str, scale: i8) -> Option<String> {
    let (whole, part) = value.split_once('.').unwrap_or((value, ""));
    if part.bytes().any(|byte| !byte.is_ascii_digit()) {
        return None;
    }
    match usize::try_from(scale) {
        Ok(scale) => {
            let fits = part.len() <= scale;
            fits.then(|| format!("{whole}{part}{}", "0".repeat(scale - part.len())))
        }
        Err(_) => {
            // With a negative scale, the last `-scale` digits are zeros that are not stored: `1200` with
            // scale -2 is `12`.
            if whole == "0" && part.is_empty() {
                return Some("0".to_owned());
            }
            let zeros = usize::from(scale.unsigned_abs());
            let kept = whole.len().checked_sub(zeros)?;
            let ends = whole.get(kept..)?.bytes().all(|byte| byte == b'0');
            (ends && part.is_empty()).then(|| whole[..kept].to_owned())
        }
    }
}

/// The scale of a decimal type; 0 for other types.
fn scale(of: &DataType) -> i8 {
    match of {
        DataType::Decimal128(_, scale) | DataType::Decimal256(_, scale) => *scale,
        _ => 0,
    }
}

/// The text of a JSON string that has no escapes.
fn plain(value: &str) -> Option<&str> {
    value.strip_prefix('"')?.strip_suffix('"')
}

/// Days since 1970-01-01; `None` unless the value has the form `YYYY-MM-DD`.
fn days(value: &str) -> Option<i64> {
    let text = plain(value)?;
    // A text with a time of day is refused, since the time would be lost.
    let date = text
        .parse::<Date>()
        .ok()
        .filter(|date| date.to_string() == text)?;
    let epoch = jiff::civil::date(1970, 1, 1);
    let span = date.since((jiff::Unit::Day, epoch)).ok()?;
    Some(span.get_days().into())
}

/// Nanoseconds since midnight.
fn nanos_of_day(value: &str) -> Option<i64> {
    let time: Time = plain(value)?.parse().ok()?;
    let whole = (i64::from(time.hour()) * 60 + i64::from(time.minute())) * 60 + i64::from(time.second());
    Some(whole * 1_000_000_000 + i64::from(time.subsec_nanosecond()))
}

/// Nanoseconds since 1970 of a time in UTC, with or without a final `Z`.
fn nanos(value: &str) -> Option<i128> {
    let text = plain(value)?;
    let stamp: Timestamp = match text.ends_with('Z') {
        true => text.parse().ok()?,
        false => format!("{text}Z").parse().ok()?,
    };
    Some(stamp.as_nanosecond())
}

/// A time as a number of units of `unit` nanoseconds. Returns `None` if it is not a whole number of units,
/// since writing it would lose digits.
fn units(nanos: i128, unit: i128) -> Option<i64> {
    (nanos % unit == 0)
        .then(|| i64::try_from(nanos / unit).ok())
        .flatten()
}

/// A time of day in units of `UNIT` nanoseconds, given as a number of units or as text.
fn time<const UNIT: i64>(_: &DataType, value: &str) -> Option<i64> {
    value
        .parse()
        .ok()
        .or_else(|| units(nanos_of_day(value)?.into(), UNIT.into()))
}

/// A timestamp in units of `UNIT` nanoseconds since 1970, given as a number of units or as text.
fn timestamp<const UNIT: i64>(_: &DataType, value: &str) -> Option<i64> {
    value.parse().ok().or_else(|| units(nanos(value)?, UNIT.into()))
}

impl Cells {
    /// Empty cells of this type; `None` if columns of this type are not written.
    pub(super) fn new(of: &DataType) -> Option<Self> {
        use DataType as T;
        match of {
            T::Null => Some(Cells::Null(0)),
            T::Boolean => Some(Cells::Bool(BooleanBuilder::new())),
            T::Utf8 => Some(Cells::Text(StringBuilder::new())),
            T::Binary => Some(Cells::Bytes(BinaryBuilder::new())),
            T::FixedSizeBinary(width) => {
                let bytes = usize::try_from(*width).ok()?;
                Some(Cells::FixedBytes(FixedSizeBinaryBuilder::new(*width), bytes))
            }
            T::Int8 => numbers::<Int8Type>(of, whole),
            T::Int16 => numbers::<Int16Type>(of, whole),
            T::Int32 => numbers::<Int32Type>(of, whole),
            T::Int64 => numbers::<Int64Type>(of, whole),
            T::UInt8 => numbers::<UInt8Type>(of, whole),
            T::UInt16 => numbers::<UInt16Type>(of, whole),
            T::UInt32 => numbers::<UInt32Type>(of, whole),
            T::UInt64 => numbers::<UInt64Type>(of, whole),
            T::Float16 => numbers::<Float16Type>(of, |_, value| {
                let number = real(value)?;
                let short = <Float16Type as ArrowPrimitiveType>::Native::from_f64(number);
                Some(short).filter(|short| short.is_finite() || !number.is_finite())
            }),
            T::Float32 => numbers::<Float32Type>(of, |_, value| {
                // A finite number beyond the range of the column does not fit; it would become infinite.
                let number = real(value)?;
                Some(single(number)).filter(|short| short.is_finite() || !number.is_finite())
            }),
            T::Float64 => numbers::<Float64Type>(of, |_, value| real(value)),
            T::Decimal128(..) => {
                numbers::<Decimal128Type>(of, |of, value| unscaled(value, scale(of))?.parse().ok())
            }
            T::Decimal256(..) => {
                numbers::<Decimal256Type>(of, |of, value| i256::from_string(&unscaled(value, scale(of))?))
            }
            T::Date32 => numbers::<Date32Type>(of, |_, value| {
                value.parse().ok().or_else(|| i32::try_from(days(value)?).ok())
            }),
            T::Date64 => numbers::<Date64Type>(of, |_, value| {
                value
                    .parse()
                    .ok()
                    .or_else(|| days(value)?.checked_mul(86_400_000))
            }),
            T::Time32(TimeUnit::Millisecond) => numbers::<Time32MillisecondType>(of, |of, value| {
                i32::try_from(time::<1_000_000>(of, value)?).ok()
            }),
            T::Time64(TimeUnit::Microsecond) => numbers::<Time64MicrosecondType>(of, time::<1000>),
            T::Time64(TimeUnit::Nanosecond) => numbers::<Time64NanosecondType>(of, time::<1>),
            T::Timestamp(TimeUnit::Second, _) => {
                numbers::<TimestampSecondType>(of, timestamp::<1_000_000_000>)
            }
            T::Timestamp(TimeUnit::Millisecond, _) => {
                numbers::<TimestampMillisecondType>(of, timestamp::<1_000_000>)
            }
            T::Timestamp(TimeUnit::Microsecond, _) => {
                numbers::<TimestampMicrosecondType>(of, timestamp::<1000>)
            }
            T::Timestamp(TimeUnit::Nanosecond, _) => numbers::<TimestampNanosecondType>(of, timestamp::<1>),
            T::List(item) => Some(Cells::List(
                Arc::clone(item),
                Places::new(),
                Box::new(Cells::new(item.data_type())?),
            )),
            T::Struct(members) => {
                let cells = members.iter().map(|member| Cells::new(member.data_type()));
                let cells = cells.collect::<Option<Vec<_>>>()?;
                Some(Cells::Struct(members.clone(), NullBufferBuilder::new(0), cells))
            }
            T::Map(entries, false) => {
                let T::Struct(parts) = entries.data_type() else {
                    return None;
                };
                let [key, value] = parts.iter().as_slice() else {
                    return None;
                };
                let cells = [Cells::new(key.data_type())?, Cells::new(value.data_type())?];
                Some(Cells::Map(Arc::clone(entries), Places::new(), Box::new(cells)))
            }
            _ => None,
        }
    }

    /// Whether a value is of the type.
    pub(super) fn fits(&mut self, value: &RawValue) -> bool {
        self.put(value, false)
    }

    /// Appends a value if it is of the type; returns whether it is.
    pub(super) fn add(&mut self, value: &RawValue) -> bool {
        // Two passes: a list whose last item does not fit must not leave its first items in the cells.
        let fits = self.fits(value);
        if fits {
            let added = self.put(value, true);
            debug_assert!(added, "what fits is added");
        }
        fits
    }

    /// Whether a value is of the type. With `add`, the value is appended.
    ///
    /// A nested value must be checked as a whole before any part of it is appended. So all cells of a
    /// column keep equal lengths.
    fn put(&mut self, value: &RawValue, add: bool) -> bool {
        let text = value.get();
        if text == "null" {
            if add {
                self.add_null();
            }
            return true;
        }
        match self {
            Cells::Null(_) => false,
            Cells::Bool(cells) => {
                let is = matches!(text, "true" | "false");
                if add && is {
                    cells.append_value(text == "true");
                }
                is
            }
            Cells::Text(cells) => {
                let read = string(value);
                if let Some(read) = read.as_ref().filter(|_| add) {
                    cells.append_value(read);
                }
                read.is_some()
            }
            Cells::Bytes(cells) => {
                let read = bytes(value);
                if let Some(read) = read.as_ref().filter(|_| add) {
                    cells.append_value(read);
                }
                read.is_some()
            }
            Cells::FixedBytes(cells, width) => {
                // A value of another width would make the column invalid.
                let read = bytes(value).filter(|bytes| bytes.len() == *width);
                match read.as_ref().filter(|_| add) {
                    Some(read) => cells.append_value(read).is_ok(),
                    None => read.is_some(),
                }
            }
            Cells::Numbers(numbers) => numbers.number(text, add),
            Cells::List(_, places, cells) => {
                let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(text) else {
                    return false;
                };
                let fits = items.iter().all(|item| cells.put(item, add));
                if add {
                    places.add(Some(items.len()));
                }
                fits
            }
            Cells::Struct(members, valid, cells) => {
                let Ok(values) = json::fields(text.as_bytes()) else {
                    return false;
                };
                let known = |name: &str| members.iter().any(|member| member.name() == name);
                // An unknown member would be lost.
                if !add && values.iter().any(|(name, _)| !known(name)) {
                    return false;
                }
                // All members are visited, without a short cut: each of their cells needs a value or a null
                // for this row.
                let mut fits = true;
                for (member, cells) in members.iter().zip(cells) {
                    // Of repeated fields, the last counts.
                    let value = values.iter().rev().find(|(name, _)| name == member.name());
                    fits &= match value {
                        Some((_, value)) => cells.put(value, add),
                        None => {
                            if add {
                                cells.add_null();
                            }
                            true
                        }
                    };
                }
                if add {
                    valid.append(true);
                }
                fits
            }
            Cells::Map(_, places, cells) => {
                let [keys, values] = cells.as_mut();
                let Some(count) = entries(value, &mut |key, value| {
                    // Arrow allows no null keys.
                    key.get() != "null" && keys.put(key, add) && values.put(value, add)
                }) else {
                    return false;
                };
                if add {
                    places.add(Some(count));
                }
                true
            }
        }
    }

    /// Appends a null.
    pub(super) fn add_null(&mut self) {
        match self {
            Cells::Null(count) => *count += 1,
            Cells::Bool(cells) => cells.append_null(),
            Cells::Text(cells) => cells.append_null(),
            Cells::Bytes(cells) => cells.append_null(),
            Cells::FixedBytes(cells, _) => cells.append_null(),
            Cells::Numbers(numbers) => numbers.null(),
            Cells::List(_, places, _) | Cells::Map(_, places, _) => places.add(None),
            Cells::Struct(_, valid, cells) => {
                // The members of a struct have a value for every row, even for a null struct. The items of
                // a null list have none.
                cells.iter_mut().for_each(Cells::add_null);
                valid.append(false);
            }
        }
    }

    /// The array of all values.
    pub(super) fn finish(self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Cells::Null(count) => Arc::new(NullArray::new(count)),
            Cells::Bool(mut cells) => Arc::new(cells.finish()),
            Cells::Text(mut cells) => Arc::new(cells.finish()),
            Cells::Bytes(mut cells) => Arc::new(cells.finish()),
            Cells::FixedBytes(mut cells, _) => ArrayBuilder::finish(&mut cells),
            Cells::Numbers(numbers) => numbers.array(),
            Cells::List(item, places, cells) => {
                let (offsets, valid) = places.finish();
                Arc::new(ListArray::try_new(item, offsets, cells.finish()?, valid)?)
            }
            Cells::Struct(members, mut valid, cells) => {
                let arrays = cells
                    .into_iter()
                    .map(Cells::finish)
                    .collect::<Result<Vec<_>, _>>()?;
                let length = valid.len();
                let valid = valid.finish();
                Arc::new(StructArray::try_new_with_length(members, arrays, valid, length)?)
            }
            Cells::Map(entries, places, cells) => {
                let (offsets, valid) = places.finish();
                let [keys, values] = *cells;
                let DataType::Struct(parts) = entries.data_type() else {
                    return Err(ArrowError::SchemaError("a map has no entries".to_owned()));
                };
                let items =
                    StructArray::try_new(parts.clone(), vec![keys.finish()?, values.finish()?], None)?;
                Arc::new(MapArray::try_new(entries, offsets, items, valid, false)?)
            }
        })
    }
}

/// The text of a JSON string; `None` for other values.
fn string(value: &RawValue) -> Option<std::borrow::Cow<'_, str>> {
    value
        .get()
        .starts_with('"')
        .then(|| json::scalar_text(value))
        .flatten()
}

/// Bytes given as base64.
fn bytes(value: &RawValue) -> Option<Vec<u8>> {
    STANDARD.decode(string(value)?.as_bytes()).ok()
}

/// Visits the entries of a map, which is an object or a list of pairs, until `visit` returns `false`. Returns the number of entries, or
/// `None` if `visit` returned `false` or the value is not a map.
fn entries(value: &RawValue, visit: &mut dyn FnMut(&RawValue, &RawValue) -> bool) -> Option<usize> {
    if value.get().starts_with('[') {
        let pairs: Vec<[&RawValue; 2]> = serde_json::from_str(value.get()).ok()?;
        return pairs
            .iter()
            .all(|[key, value]| visit(key, value))
            .then_some(pairs.len());
    }
    let members = json::fields(value.get().as_bytes()).ok()?;
    for (name, value) in &members {
        let key = serde_json::value::to_raw_value(name).ok()?;
        if !visit(&key, value) {
            return None;
        }
    }
    Some(members.len())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use arrow_array::RecordBatch;
    use arrow_schema::{Field, Schema};
    use proptest::prelude::*;

    use super::*;
    use crate::read::format::parquet::field::Field as ReadField;
    use crate::read::format::parquet::json::Values;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    /// The values read back from the array that was made of them.
    fn there_and_back(of: &DataType, values: &[&str]) -> Vec<String> {
        let mut cells = Cells::new(of).unwrap();
        for value in values {
            assert!(cells.add(&raw(value)), "{value} is no {of}");
        }
        let array = cells.finish().unwrap();
        let schema = Schema::new(vec![Field::new("x", of.clone(), true)]);
        let batch = RecordBatch::try_new(Arc::new(schema), vec![array]).unwrap();
        let field = ReadField {
            column: 0,
            name: "x".to_owned(),
            is_read: false,
            is_bytes: false,
        };
        let written = |row| {
            let values = Values {
                exact: true,
                ..Values::plain()
            };
            let mut line = vec![b'{'];
            values.field(&field, batch.column(0), row, &mut line);
            line.push(b'}');
            let read: BTreeMap<String, Box<RawValue>> = serde_json::from_slice(&line).unwrap();
            read.get("x")
                .map_or_else(|| "null".to_owned(), |value| value.get().to_owned())
        };
        (0..values.len()).map(written).collect()
    }

    fn list(of: DataType) -> DataType {
        DataType::List(Arc::new(Field::new("element", of, true)))
    }

    fn map(key: DataType, value: DataType) -> DataType {
        let parts = vec![Field::new("key", key, false), Field::new("value", value, true)];
        let entries = Field::new("key_value", DataType::Struct(parts.into()), false);
        DataType::Map(Arc::new(entries), false)
    }

    #[test]
    fn values_of_every_type_come_back() {
        use DataType as T;
        let utc = || Some("UTC".into());
        let members: Fields = vec![
            Field::new("a", T::Int8, true),
            Field::new("b", list(T::Binary), true),
        ]
        .into();
        let cases: Vec<(T, &[&str])> = vec![
            (T::Boolean, &["true", "null", "false"]),
            (T::Int64, &["-9223372036854775808", "null"]),
            (T::UInt64, &["18446744073709551615"]),
            (T::Float32, &["0.1", "\"NaN\"", "\"-Infinity\""]),
            (
                T::Float64,
                &["1e-7", "0.30000000000000004", "\"Infinity\"", "null"],
            ),
            (T::Decimal128(9, 2), &["-12.50", "0.03", "7.00"]),
            (
                T::Decimal256(60, 3),
                &["-123456789012345678901234567890123456789.125"],
            ),
            (T::Decimal128(9, -2), &["-1200", "0"]),
            (T::Utf8, &["\"a\\n\"", "\"\"", "null"]),
            (T::Binary, &["\"b2s=\"", "\"/w==\"", "\"\""]),
            (T::FixedSizeBinary(2), &["\"b2s=\"", "null"]),
            (T::Date32, &["\"2022-01-08\"", "\"1969-12-31\"", "2147483647"]),
            (T::Date64, &["\"2022-01-08\""]),
            (T::Time32(TimeUnit::Millisecond), &["\"12:34:56.789\""]),
            (
                T::Time64(TimeUnit::Microsecond),
                &["\"00:00:00.000001\"", "\"23:59:59\""],
            ),
            (T::Time64(TimeUnit::Nanosecond), &["\"12:34:56.123456789\""]),
            (T::Timestamp(TimeUnit::Second, None), &["\"2023-11-14T22:13:20\""]),
            (
                T::Timestamp(TimeUnit::Millisecond, utc()),
                &["\"1901-11-14T22:13:20.123Z\"", "null"],
            ),
            (
                T::Timestamp(TimeUnit::Microsecond, None),
                &["9223372036854775807", "\"2023-11-14T22:13:20.5\""],
            ),
            (
                T::Timestamp(TimeUnit::Nanosecond, utc()),
                &["\"2023-11-14T22:13:20.123456789Z\""],
            ),
            (list(T::Int8), &["[1,null]", "[]", "null"]),
            (
                T::Struct(members),
                &["{\"a\":1}", "{}", "null", "{\"b\":[\"b2s=\",null]}"],
            ),
            (map(T::Utf8, T::Int32), &["{\"k\":7,\"\\n\":null}", "{}", "null"]),
            (map(T::Int32, list(T::Utf8)), &["[[1,[\"a\"]],[-2,null]]", "[]"]),
            (list(map(T::Utf8, T::Date32)), &["[{\"k\":\"2022-01-08\"},null]"]),
            (T::Null, &["null"]),
        ];
        for (of, values) in cases {
            assert_eq!(there_and_back(&of, values), values, "{of}");
        }
    }

    #[test]
    fn what_is_not_of_the_type_is_not_added() {
        use DataType as T;
        let members: Fields = vec![Field::new("a", T::Int8, true)].into();
        let cases: Vec<(T, &[&str])> = vec![
            (T::Int8, &["128", "1.5", "\"1\"", "true", "[1]"]),
            (T::UInt64, &["-1"]),
            (T::Decimal128(9, 2), &["0.125", "\"1\"", "1e3"]),
            (T::Utf8, &["1", "{}"]),
            (T::Binary, &["\"no base64!\"", "1"]),
            (T::FixedSizeBinary(2), &["\"/w==\""]),
            (T::Date32, &["\"2022-01-08T00:00:00\"", "\"soon\""]),
            (
                T::Timestamp(TimeUnit::Second, None),
                &["\"2023-11-14T22:13:20.5\""],
            ),
            (list(T::Int8), &["[1,\"a\"]", "1"]),
            (T::Struct(members), &["{\"a\":1,\"b\":2}", "{\"a\":\"x\"}", "[]"]),
            (map(T::Int32, T::Utf8), &["[[null,\"a\"]]", "[[1]]"]),
            (T::Null, &["1"]),
        ];
        for (of, values) in cases {
            let mut cells = Cells::new(&of).unwrap();
            for value in values {
                assert!(!cells.add(&raw(value)), "{value} as {of}");
            }
            assert_eq!(cells.finish().unwrap().len(), 0, "{of}");
        }
        assert!(Cells::new(&T::Interval(arrow_schema::IntervalUnit::DayTime)).is_none());
    }

    proptest! {
        #[test]
        fn decimals_and_times_come_back(number: i64, scale in 0_i8..18, nanos: i64) {
            let of = DataType::Decimal128(38, scale);
            let mut builder = PrimitiveBuilder::<Decimal128Type>::new().with_data_type(of.clone());
            builder.append_value(number.into());
            let text = builder.finish().value_as_string(0);
            prop_assert_eq!(there_and_back(&of, &[&text]), vec![text]);
            let of = DataType::Timestamp(TimeUnit::Nanosecond, None);
            let number = nanos.to_string();
            let written = there_and_back(&of, &[&number]);
            prop_assert_eq!(timestamp::<1>(&of, &written[0]), Some(nanos));
        }
    }
}
