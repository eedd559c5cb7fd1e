//! Encodes a row group: rows given as lines of JSON become columns, encoded and compressed on any thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_schema::SchemaRef;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::errors::{ParquetError, Result};

use super::column_values::ColumnValues;
use super::columns::FileColumn;
use crate::write::encoded_rows::EncodedRows;

/// Maximum number of rows that are in arrays at the same time.
const ROWS: u64 = 512;
/// Number of bytes of lines at or above which no further line is taken into arrays. A single longer line is
/// taken.
const BYTES: usize = 1 << 20;

/// Shared state of the row groups of a file.
pub(super) struct RowGroups {
    pub(super) columns: Arc<[FileColumn]>,
    /// Whether each column has a value in any row encoded so far.
    used: Vec<AtomicBool>,
    pub(super) schema: SchemaRef,
    pub(super) factory: ArrowRowGroupWriterFactory,
}

impl RowGroups {
    /// Encodes the columns of row group `number`.
    pub(super) fn encode(&self, number: usize, rows: &EncodedRows) -> Result<Vec<ArrowColumnChunk>> {
        let mut writers = self.factory.create_column_writers(number)?;
        let mut lines = rows.iter().peekable();
        // A row group is encoded in small tables, so that arrays take little memory compared
        // with the encoded pages.
        while lines.peek().is_some() {
            let mut table = ColumnValues::new(Arc::clone(&self.columns));
            let (mut count, mut bytes) = (0, 0);
            while count < ROWS
                && bytes < BYTES
                && let Some(line) = lines.next()
            {
                table.add(line).map_err(ParquetError::General)?;
                count += 1;
                bytes += line.len();
            }
            for (used, now) in self.used.iter().zip(table.used()) {
                // `Relaxed` suffices: the flags are read after all row groups, whose results were received
                // through a channel.
                used.fetch_or(*now, Ordering::Relaxed);
            }
            let mut writers = writers.iter_mut();
            for (array, field) in table.finish()?.iter().zip(self.schema.fields()) {
                // A nested column has a writer for each leaf. Leaves and writers have the order of the
                // schema.
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
    /// The state at the beginning of a file.
    pub(super) fn new(
        columns: Arc<[FileColumn]>,
        schema: SchemaRef,
        factory: ArrowRowGroupWriterFactory,
    ) -> Arc<Self> {
        Arc::new(RowGroups {
            used: columns.iter().map(|_| AtomicBool::new(false)).collect(),
            columns,
            schema,
            factory,
        })
    }

    /// Whether the column with this index stays in the file. Valid once all row groups are encoded.
    pub(super) fn is_kept(&self, number: usize) -> bool {
        let used = self
            .used
            .get(number)
            .is_none_or(|used| used.load(Ordering::Relaxed));
        used || !self.columns[number].is_left_out_empty()
    }
}
