//! Rows that are lines of JSON, as arrays: one for each column of their kind.

use std::borrow::Cow;

use arrow_array::ArrayRef;
use arrow_schema::ArrowError;
use serde_json::value::RawValue;

use super::columns::{Column, EXTRA, columns};
use super::values::Values;
use crate::record::{RowKind, json};

/// The values of some rows, by column.
pub(crate) struct ColumnValues {
    columns: &'static [Column],
    values: Vec<Values>,
}

impl ColumnValues {
    /// No rows yet of these columns.
    pub(super) fn new(columns: &'static [Column]) -> Self {
        ColumnValues {
            columns,
            values: columns.iter().map(|column| Values::new(column.of)).collect(),
        }
    }

    /// No rows yet of this kind.
    pub(crate) fn of_kind(kind: RowKind) -> Self {
        ColumnValues::new(columns(kind))
    }

    /// The arrays, in the order of the columns.
    pub(crate) fn finish(self) -> Result<Vec<ArrayRef>, ArrowError> {
        let columns = self.columns.iter().zip(self.values);
        columns.map(|(column, values)| values.finish(column.of)).collect()
    }

    /// Adds the row of a line. What has no column, or is not of its type, goes to the column for all others.
    pub(crate) fn add(&mut self, line: &[u8]) -> Result<(), String> {
        let line = String::from_utf8_lossy(line);
        let fields = json::fields(line.trim_end().as_bytes()).map_err(|rejection| rejection.message)?;
        let mut found: Vec<Option<&RawValue>> = vec![None; self.columns.len()];
        let mut others: Vec<(Cow<'_, str>, &RawValue)> = Vec::new();
        for (name, value) in fields {
            match self.columns.iter().position(|column| column.name == name) {
                _ if value.get() == "null" => {}
                Some(place) => found[place] = Some(value),
                None => others.push((name, value)),
            }
        }
        for ((column, value), values) in self.columns.iter().zip(&found).zip(&mut self.values) {
            match value.filter(|_| column.name != EXTRA) {
                Some(value) if values.add(column.of, value) => continue,
                Some(value) => others.push((Cow::Borrowed(column.name), value)),
                None if column.name == EXTRA => continue,
                None => {}
            }
            values.add_null();
        }
        match self.columns.iter().position(|column| column.name == EXTRA) {
            Some(place) => add_extra(
                found[place],
                &others,
                &self.columns[place],
                &mut self.values[place],
            ),
            None if others.is_empty() => Ok(()),
            None => Err(format!(
                "a row has a field `{}`, which has no column",
                others[0].0
            )),
        }
    }
}

/// Adds the field `extra` of a row together with what has no column.
fn add_extra(
    given: Option<&RawValue>,
    others: &[(Cow<'_, str>, &RawValue)],
    column: &Column,
    values: &mut Values,
) -> Result<(), String> {
    if others.is_empty() {
        match given {
            Some(given) => drop(values.add(column.of, given)),
            None => values.add_null(),
        }
        return Ok(());
    }
    let mut members = Vec::new();
    if let Some(given) = given {
        match json::fields(given.get().as_bytes()) {
            Ok(fields) => members.extend(fields),
            Err(_) => members.push((Cow::Borrowed(EXTRA), given)),
        }
    }
    members.extend(others.iter().cloned());
    let object = json::object_of(&members);
    let object = RawValue::from_string(object).map_err(|error| error.to_string())?;
    values.add(column.of, &object);
    Ok(())
}
