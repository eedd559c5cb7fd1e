//! A file: its footer, its columns, and which of them are read as what.

use std::fs::File;
use std::path::{Path, PathBuf};

use arrow_schema::DataType;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};

use super::field::Field;
use super::json::is_supported;
use crate::error::{Error, plain};
use crate::exec::panic_guard::catch_panic;
use crate::read::columns::Columns;
use crate::read::rows::Wanted;
use crate::record::header::TOOL;
use crate::record::{Reason, Rejection};

/// Rows that a file may have beside those that its bytes speak for: values that repeat take next to nothing.
const FREE_ROWS: u64 = 1 << 20;
const ROWS_PER_BYTE: u64 = 100;

/// Bytes of rows that are decoded at a time, and rows at most.
const BATCH: u64 = 1 << 20;
const BATCH_ROWS: u64 = 64;

pub(super) struct Table {
    path: PathBuf,
    metadata: ArrowReaderMetadata,
    /// What is read, in the order of the columns.
    fields: Vec<Field>,
    columns: Columns,
    /// Whether it was written by this program.
    pub(super) own: bool,
}

/// Rows of a row group.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub(super) group: usize,
    /// Number of the first row in its group.
    pub(super) from: u64,
    pub(super) count: u64,
    /// Bytes of the file that they stand for.
    pub(super) bytes: u64,
}

impl Table {
    /// Reads the footer.
    pub(super) fn open(path: &Path, columns: &Columns) -> Result<Table, Rejection> {
        let unreadable = |error: std::io::Error| Rejection::new(Reason::Unreadable, plain(&error));
        let file = File::open(path).map_err(unreadable)?;
        let about = file.metadata().map_err(unreadable)?;
        if !about.is_file() {
            return Err(Rejection::new(Reason::Unreadable, NO_FILE));
        }
        let options = || ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let read = catch_panic(|| ArrowReaderMetadata::load(&file, options()));
        let bad = |message: String| Rejection::new(Reason::BadArchive, format!("no Parquet file: {message}"));
        let metadata = read.map_err(bad)?.map_err(|error| bad(error.to_string()))?;
        let rows = metadata
            .metadata()
            .row_groups()
            .iter()
            .map(|group| group.num_rows());
        let rows = rows.fold(0_u64, |sum, rows| {
            sum.saturating_add(u64::try_from(rows).unwrap_or(u64::MAX))
        });
        if rows > FREE_ROWS.saturating_add(about.len().saturating_mul(ROWS_PER_BYTE)) {
            return Err(bad(format!("{rows} rows in {} bytes", about.len())));
        }
        let writer = metadata.metadata().file_metadata().created_by();
        let own = writer.is_some_and(|writer| writer.starts_with(&format!("{TOOL} version ")));
        let fields = fields(&metadata, columns);
        Ok(Table {
            path: path.to_owned(),
            metadata,
            fields,
            columns: columns.clone(),
            own,
        })
    }

    /// Checks that the columns are there that are needed.
    ///
    /// # Errors
    /// Which one is missing, and which ones there are.
    pub(super) fn check(&self, documents: bool, columns: &Columns) -> Result<(), Error> {
        let there = |name: &str| self.fields.iter().any(|field| field.name == name);
        let wanted: &[&str] = if documents {
            &["text"]
        } else {
            &["html", "html_base64", "path"]
        };
        let schema = self.metadata.schema().fields();
        let named = columns
            .iter()
            .find(|(_, theirs)| schema.iter().all(|field| field.name() != theirs));
        let missing = match named {
            Some((_, theirs)) => format!("no column `{theirs}`"),
            None if wanted.iter().any(|name| there(name)) => return Ok(()),
            None => format!("no column `{}`", wanted.join("` or `")),
        };
        let known: Vec<&str> = schema.iter().map(|field| field.name().as_str()).collect();
        let message = format!(
            "`{}` has {missing}; its columns: {}",
            self.path.display(),
            known.join(", ")
        );
        let help = format!(
            "name the column to read as `{0}` with `--column {0}=NAME`",
            wanted[0]
        );
        Err(Error::usage(message).with_path(&self.path).with_help(help))
    }

    /// The rows in parts of about `bytes`, as they are before compression.
    pub(super) fn ranges(&self, bytes: u64) -> Vec<Range> {
        let mut ranges = Vec::new();
        for (number, group) in self.metadata.metadata().row_groups().iter().enumerate() {
            let rows = u64::try_from(group.num_rows()).unwrap_or(0);
            let stored = u64::try_from(group.compressed_size()).unwrap_or(0);
            let most = (bytes / self.row_bytes(number)).clamp(1, 1 << 16);
            let mut from = 0;
            while from < rows {
                let count = most.min(rows - from);
                let bytes = (u128::from(stored) * u128::from(count) / u128::from(rows)) as u64;
                ranges.push(Range {
                    group: number,
                    from,
                    count,
                    bytes,
                });
                from += count;
            }
        }
        ranges
    }

    /// Bytes of a row of a group, on average.
    fn row_bytes(&self, group: usize) -> u64 {
        let group = self.metadata.metadata().row_group(group);
        let rows = u64::try_from(group.num_rows()).unwrap_or(0).max(1);
        (u64::try_from(group.total_byte_size()).unwrap_or(0) / rows).max(1)
    }

    /// The fields that are of use, each with the number of its column among those that are read for them.
    pub(super) fn wanted(&self, wanted: Wanted) -> Vec<(usize, &Field)> {
        let of_use = |field: &&Field| {
            wanted == Wanted::All || self.columns.compares(&field.name) && !field.name.starts_with("html")
        };
        let mut columns = Vec::new();
        let fields = self.fields.iter().filter(of_use);
        let numbered = fields.map(|field| {
            if columns.last() != Some(&field.column) {
                columns.push(field.column);
            }
            (columns.len() - 1, field)
        });
        numbered.collect()
    }

    /// Decodes rows.
    pub(super) fn read(&self, range: Range, wanted: Wanted) -> Result<ParquetRecordBatchReader, String> {
        let file = File::open(&self.path).map_err(|error| plain(&error))?;
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone());
        let columns = self.wanted(wanted).into_iter().map(|(_, field)| field.column);
        let mask = ProjectionMask::roots(builder.parquet_schema(), columns);
        let batch = (BATCH / self.row_bytes(range.group)).clamp(1, BATCH_ROWS);
        let reader = builder
            .with_projection(mask)
            .with_row_groups(vec![range.group])
            .with_offset(range.from as usize)
            .with_limit(range.count as usize)
            .with_batch_size(batch as usize);
        reader.build().map_err(|error| error.to_string())
    }
}

/// What is told of an input that can be read only once, from its beginning.
pub(super) const NO_FILE: &str =
    "Parquet is read from its end, which only files allow; save it to a file first";

/// Which columns are read as which fields. A column whose name another one was given is left out.
fn fields(metadata: &ArrowReaderMetadata, columns: &Columns) -> Vec<Field> {
    let mut fields = Vec::new();
    for (column, of) in metadata.schema().fields().iter().enumerate() {
        if !is_supported(of.data_type(), 0) {
            continue;
        }
        let is_binary = matches!(of.data_type(), DataType::Binary | DataType::FixedSizeBinary(_));
        let given = columns
            .iter()
            .filter(|(_, theirs)| theirs == of.name())
            .map(|(ours, _)| ours);
        let mut names: Vec<&str> = given.collect();
        if names.is_empty() && columns.of(of.name()).is_none() {
            names.push(of.name());
        }
        fields.extend(names.into_iter().map(|name| Field {
            column,
            name: name.to_owned(),
            is_bytes: is_binary && name == "html",
        }));
    }
    fields
}
