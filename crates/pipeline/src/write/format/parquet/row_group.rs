//! Rows that are lines of JSON, as a row group: columns that are encoded and compressed, on any thread.

use std::sync::Arc;

use arrow_schema::SchemaRef;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::errors::{ParquetError, Result};

use super::column_values::ColumnValues;
use super::columns::Column;
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
            let mut table = ColumnValues::new(self.columns);
            let (mut count, mut bytes) = (0, 0);
            while count < ROWS
                && bytes < BYTES
                && let Some(line) = lines.next()
            {
                table.add(line).map_err(ParquetError::General)?;
                count += 1;
                bytes += line.len();
            }
            let mut writers = writers.iter_mut();
            for (array, field) in table.finish()?.iter().zip(self.schema.fields()) {
                for leaf in compute_leaves(field, array)? {
                    let missing = || ParquetError::General("too few columns".to_owned());
                    let writer = writers.next().ok_or_else(missing)?;
                    writer.write(&leaf)?;
                }
            }
        }
        writers.into_iter().map(|writer| writer.close()).collect()
    }
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
