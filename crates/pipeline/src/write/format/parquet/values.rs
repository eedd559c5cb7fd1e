//! The values of one column, appended row by row and finished as an Arrow array. Recursion is as deep as
//! the types in the table of columns, whatever the rows are.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Date32Builder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, ListArray, MapArray, StructArray};
use arrow_buffer::{NullBuffer, NullBufferBuilder, OffsetBuffer};
use arrow_schema::ArrowError;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::Value;
use serde_json::value::RawValue;

use super::columns::{Type, element, entries, entry, fields};
use crate::record::json;

/// The values of one column.
pub(super) enum Values {
    /// Texts, and JSON as text.
    Text(StringBuilder),
    Bool(BooleanBuilder),
    Integer(Int64Builder),
    Real(Float64Builder),
    Date(Date32Builder),
    List(Places, Box<Values>),
    Struct(NullBufferBuilder, Vec<Values>),
    Map(Places, StringBuilder, Box<Values>),
}

/// Ends of lists: offsets in the values of their items.
pub(super) struct Places {
    ends: Vec<usize>,
    valid: NullBufferBuilder,
}

impl Places {
    /// No lists yet.
    pub(super) fn new() -> Self {
        Places {
            ends: Vec::new(),
            valid: NullBufferBuilder::new(0),
        }
    }

    /// Adds a list with this number of items, or null.
    pub(super) fn add(&mut self, items: Option<usize>) {
        // A null list has no items, so its end is that of the list before it.
        let end = self.ends.last().copied().unwrap_or(0);
        self.ends.push(end + items.unwrap_or(0));
        self.valid.append(items.is_some());
    }

    /// Offsets of the items of each list, and which lists are not null.
    pub(super) fn finish(mut self) -> (OffsetBuffer<i32>, Option<NullBuffer>) {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let offsets = OffsetBuffer::from_lengths(starts.zip(&self.ends).map(|(start, end)| end - start));
        (offsets, self.valid.finish())
    }
}

impl Values {
    /// No values of this type yet.
    pub(super) fn new(of: Type) -> Self {
        match of {
            Type::Text | Type::Json => Values::Text(StringBuilder::new()),
            Type::Bool => Values::Bool(BooleanBuilder::new()),
            Type::Integer => Values::Integer(Int64Builder::new()),
            Type::Real => Values::Real(Float64Builder::new()),
            Type::Date => Values::Date(Date32Builder::new()),
            Type::List(item) => Values::List(Places::new(), Box::new(Values::new(*item))),
            Type::Struct(members) => {
                let members = members.iter().map(|member| Values::new(member.of));
                Values::Struct(NullBufferBuilder::new(0), members.collect())
            }
            Type::Map(value) => {
                Values::Map(Places::new(), StringBuilder::new(), Box::new(Values::new(*value)))
            }
        }
    }

    /// Appends the value of a field. Returns `false`, and appends nothing, if it is not of this type.
    pub(super) fn add(&mut self, of: Type, value: &RawValue) -> bool {
        match (of, &mut *self) {
            (Type::Json, Values::Text(texts)) => texts.append_value(value.get()),
            (Type::Text, Values::Text(texts)) => match json::scalar_text(value) {
                Some(text) => texts.append_value(text),
                None => return false,
            },
            // Parsed from the text: serde_json rounds some numbers to a neighbor of the nearest float.
            (Type::Real, Values::Real(numbers)) => match value.get().parse::<f64>() {
                Ok(number) if number.is_finite() => numbers.append_value(number),
                _ => return false,
            },
            // Checked as a whole before anything is appended, so that no part of a refused value remains.
            _ => match serde_json::from_str::<Value>(value.get()) {
                Ok(value) if fits(of, &value) => self.add_value(of, &value),
                _ => return false,
            },
        }
        true
    }

    /// Appends a value for which [`fits`] holds.
    fn add_value(&mut self, of: Type, value: &Value) {
        match (of, self) {
            (_, values) if value.is_null() => values.add_null(),
            (Type::Json, Values::Text(texts)) => texts.append_value(value.to_string()),
            (_, Values::Text(texts)) => texts.append_option(value.as_str()),
            (_, Values::Bool(values)) => values.append_option(value.as_bool()),
            (_, Values::Integer(values)) => values.append_option(value.as_i64()),
            (_, Values::Real(values)) => values.append_option(value.as_f64()),
            (_, Values::Date(values)) => values.append_option(value.as_str().and_then(day)),
            (Type::List(of), Values::List(places, values)) => {
                let items = value.as_array().map_or(&[][..], Vec::as_slice);
                items.iter().for_each(|item| values.add_value(*of, item));
                places.add(Some(items.len()));
            }
            (Type::Struct(members), Values::Struct(valid, values)) => {
                for (member, values) in members.iter().zip(values) {
                    // A missing member is null.
                    let value = value.get(member.name).unwrap_or(&Value::Null);
                    values.add_value(member.of, value);
                }
                valid.append(true);
            }
            (Type::Map(of), Values::Map(places, keys, values)) => {
                let items = value.as_object();
                for (key, value) in items.into_iter().flatten() {
                    keys.append_value(key);
                    values.add_value(*of, value);
                }
                places.add(Some(items.map_or(0, serde_json::Map::len)));
            }
            // Not reached for a value that `fits`. A null keeps the lengths equal.
            (_, values) => values.add_null(),
        }
    }

    /// Appends a null.
    pub(super) fn add_null(&mut self) {
        match self {
            Values::Text(values) => values.append_null(),
            Values::Bool(values) => values.append_null(),
            Values::Integer(values) => values.append_null(),
            Values::Real(values) => values.append_null(),
            Values::Date(values) => values.append_null(),
            Values::List(places, _) | Values::Map(places, ..) => places.add(None),
            Values::Struct(valid, members) => {
                // The members of a struct have a value for every row, even for a null struct.
                members.iter_mut().for_each(Values::add_null);
                valid.append(false);
            }
        }
    }

    /// The array of all values.
    pub(super) fn finish(self, of: Type) -> Result<ArrayRef, ArrowError> {
        Ok(match (of, self) {
            (_, Values::Text(mut values)) => Arc::new(values.finish()),
            (_, Values::Bool(mut values)) => Arc::new(values.finish()),
            (_, Values::Integer(mut values)) => Arc::new(values.finish()),
            (_, Values::Real(mut values)) => Arc::new(values.finish()),
            (_, Values::Date(mut values)) => Arc::new(values.finish()),
            (Type::List(item), Values::List(places, values)) => {
                let (offsets, valid) = places.finish();
                let values = values.finish(*item)?;
                Arc::new(ListArray::try_new(element(*item), offsets, values, valid)?)
            }
            (Type::Struct(members), Values::Struct(mut valid, values)) => {
                let arrays = members.iter().zip(values);
                let arrays = arrays.map(|(member, values)| values.finish(member.of));
                let arrays = arrays.collect::<Result<Vec<_>, _>>()?;
                Arc::new(StructArray::try_new(fields(members), arrays, valid.finish())?)
            }
            (Type::Map(value), Values::Map(places, mut keys, values)) => {
                let (offsets, valid) = places.finish();
                let columns = vec![Arc::new(keys.finish()) as ArrayRef, values.finish(*value)?];
                let items = StructArray::try_new(entry(*value), columns, None)?;
                Arc::new(MapArray::try_new(entries(*value), offsets, items, valid, false)?)
            }
            (of, _) => return Err(ArrowError::SchemaError(format!("values are not of {of:?}"))),
        })
    }
}

/// Whether a column of this type can hold the value without loss.
fn fits(of: Type, value: &Value) -> bool {
    match (of, value) {
        (_, Value::Null) | (Type::Json, _) => true,
        (Type::Text, value) => value.is_string(),
        (Type::Bool, value) => value.is_boolean(),
        (Type::Integer, value) => value.as_i64().is_some(),
        (Type::Real, value) => value.is_number(),
        (Type::Date, value) => value.as_str().and_then(day).is_some(),
        (Type::List(item), Value::Array(items)) => items.iter().all(|value| fits(*item, value)),
        (Type::Struct(members), Value::Object(values)) => values.iter().all(|(name, value)| {
            let member = members.iter().find(|member| member.name == name);
            member.is_some_and(|member| fits(member.of, value))
        }),
        (Type::Map(of), Value::Object(values)) => values.values().all(|value| fits(*of, value)),
        _ => false,
    }
}

/// Days since 1970-01-01 of a date in the form `YYYY-MM-DD`; `None` for other texts.
fn day(text: &str) -> Option<i32> {
    let date: Date = text.parse().ok()?;
    let start = date.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second();
    // Other forms are refused: a time of day would be lost.
    (date.to_string() == text)
        .then(|| i32::try_from(start.div_euclid(24 * 60 * 60)).ok())
        .flatten()
}
