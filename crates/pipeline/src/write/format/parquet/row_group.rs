//! Rows that are lines of JSON, as a row group: columns that are encoded and compressed, on any thread.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_schema::SchemaRef;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::errors::{ParquetError, Result};
use serde_json::value::RawValue;

use super::columns::{Column, EXTRA};
use super::values::Values;
use crate::record::json;
use crate::write::encoded_rows::EncodedRows;

/// Rows that are in arrays at the same time, and bytes of their lines, but for a line that alone has more.
const ROWS: u64 = 512;
const BYTES: usize = 1 << 20;

/// What row groups of a file have in common.
pub(super) struct RowGroups {
    pub(super) columns: &'static [Column],
    pub(super) schema: SchemaRef,
    pub(super) factory: ArrowRowGroupWriterFactory,
}

impl RowGroups {
    /// The columns of a row group.
    pub(super) fn encode(&self, number: usize, rows: &EncodedRows) -> Result<Vec<ArrowColumnChunk>> {
        let mut writers = self.factory.create_column_writers(number)?;
        let mut lines = rows.iter().peekable();
        while lines.peek().is_some() {
            let mut values: Vec<Values> = self.columns.iter().map(|column| Values::new(column.of)).collect();
            let (mut count, mut bytes) = (0, 0);
            while count < ROWS
                && bytes < BYTES
                && let Some(line) = lines.next()
            {
                self.add(line, &mut values)?;
                count += 1;
                bytes += line.len();
            }
            let mut writers = writers.iter_mut();
            for ((column, values), field) in self.columns.iter().zip(values).zip(self.schema.fields()) {
                for leaf in compute_leaves(field, &values.finish(column.of)?)? {
                    let writer = writers.next().ok_or_else(|| wrong("too few columns"))?;
                    writer.write(&leaf)?;
                }
            }
        }
        writers.into_iter().map(|writer| writer.close()).collect()
    }

    /// Adds the row of a line. What has no column, or is not of its type, goes to the column for all others.
    fn add(&self, line: &[u8], values: &mut [Values]) -> Result<()> {
        let line = String::from_utf8_lossy(line);
        let fields =
            json::fields(line.trim_end().as_bytes()).map_err(|rejection| wrong(&rejection.message))?;
        let mut found: Vec<Option<&RawValue>> = vec![None; self.columns.len()];
        let mut others: Vec<(Cow<'_, str>, &RawValue)> = Vec::new();
        for (name, value) in fields {
            match self.columns.iter().position(|column| column.name == name) {
                _ if value.get() == "null" => {}
                Some(place) => found[place] = Some(value),
                None => others.push((name, value)),
            }
        }
        for ((column, value), values) in self.columns.iter().zip(&found).zip(values.iter_mut()) {
            match value.filter(|_| column.name != EXTRA) {
                Some(value) if values.add(column.of, value) => continue,
                Some(value) => others.push((Cow::Borrowed(column.name), value)),
                None if column.name == EXTRA => continue,
                None => {}
            }
            values.add_null();
        }
        match self.columns.iter().position(|column| column.name == EXTRA) {
            Some(place) => add_extra(found[place], &others, &self.columns[place], &mut values[place]),
            None if others.is_empty() => Ok(()),
            None => Err(wrong(&format!(
                "a row has a field `{}`, which has no column",
                others[0].0
            ))),
        }
    }
}

/// Adds the field `extra` of a row together with what has no column.
fn add_extra(
    given: Option<&RawValue>,
    others: &[(Cow<'_, str>, &RawValue)],
    column: &Column,
    values: &mut Values,
) -> Result<()> {
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
    let object = RawValue::from_string(object).map_err(|error| wrong(&error.to_string()))?;
    values.add(column.of, &object);
    Ok(())
}

fn wrong(message: &str) -> ParquetError {
    ParquetError::General(message.to_owned())
}

impl RowGroups {
    pub(super) fn new(
        columns: &'static [Column],
        schema: SchemaRef,
        factory: ArrowRowGroupWriterFactory,
    ) -> Arc<Self> {
        Arc::new(RowGroups {
            columns,
            schema,
            factory,
        })
    }
}
