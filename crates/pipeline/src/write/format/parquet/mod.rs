//! Parquet: tables stored by column, for DuckDB, pandas, Polars, Spark and other readers.
//!
//! Rows arrive as lines of JSON, the form in which page processes and files that are read back have them.
//! 16 MiB of rows become a row group, encoded on a background thread. Row groups are cut by the bytes of
//! their rows alone, so files depend neither on threads nor on memory: with little memory, fewer row groups
//! are encoded at the same time ([`Held`]).
//!
//! Documents repeat the columns of the user's tables, with their types ([`carried`]). Columns of ours
//! without a value in any row are omitted from the footer, which is written last ([`footer`]).

use std::io::{self, Write};
use std::sync::Arc;

use arrow_schema::{FieldRef, Fields, Schema};
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowRowGroupWriterFactory};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;

use crate::exec::background::InOrder;
use crate::record::header::{TOOL, VERSION};
use crate::record::{Row, RowKind};
use crate::write::encoded_rows::EncodedRows;
use crate::write::format::jsonl::Jsonl;
use crate::write::row_format::{Contents, Held, OfLines, RowFormat, RowWriter};

pub(crate) mod carried;
mod cells;
pub(crate) mod column_values;
pub(crate) mod columns;
mod footer;
mod row_group;
#[cfg(test)]
mod tests;
mod values;

use columns::FileColumn;
use row_group::RowGroups;

/// Bytes of rows, as JSON, in a row group. Small in tests, so that small files have several.
const ROW_GROUP: usize = if cfg!(test) { 64 << 10 } else { 16 << 20 };

/// Maximum number of row groups that are being encoded or wait to be written.
const MAX_GROUPS: usize = 2;

/// Number of values written to a page before its size is checked. Small, since a text may be large.
const WRITE_BATCH: usize = 64;

/// Columns of texts that seldom repeat: a dictionary would only take memory.
const NO_DICTIONARY: &[&str] = &["id", "url", "text", "markdown", "html", "content", "signature"];

/// Columns compressed by zstd, in row groups with statistics.
#[derive(Clone, Copy, Debug)]
pub struct Parquet;

impl RowFormat for Parquet {
    fn name(&self) -> &'static str {
        "parquet"
    }

    fn summary(&self) -> &'static str {
        "Apache Parquet: columns with types, compressed by zstd"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["parquet"]
    }

    fn kinds(&self) -> &'static [RowKind] {
        &[
            RowKind::Document,
            RowKind::Normalized,
            RowKind::Signature,
            RowKind::Pair,
            RowKind::Decision,
            RowKind::Match,
            RowKind::Passage,
            RowKind::Occurrence,
            RowKind::Contained,
            RowKind::Repeated,
            RowKind::ItemMatch,
            RowKind::Item,
            RowKind::Rejected,
        ]
    }

    fn compressible(&self) -> bool {
        false
    }

    fn has_columns(&self) -> bool {
        true
    }

    fn of_lines(&self) -> OfLines {
        OfLines::Same
    }

    /// The memory of a row group: its rows, columns with compressed pages, and the encoded bytes.
    fn held(&self) -> Held {
        Held {
            gathered: ROW_GROUP as u64,
            encoded: 3 * ROW_GROUP as u64,
            blocks: MAX_GROUPS,
        }
    }

    fn encode(&self, row: Row<'_>, to: &mut Vec<u8>) {
        if !columns::columns(row.kind()).is_empty() {
            Jsonl.encode(row, to);
        }
    }

    fn writer(&self, contents: &Contents<'_>) -> Box<dyn RowWriter> {
        Box::new(Writer {
            file: File::new(contents),
            group: EncodedRows::default(),
        })
    }
}

/// Writes one file.
struct Writer {
    file: Result<File>,
    /// Rows gathered for the next row group.
    group: EncodedRows,
}

impl RowWriter for Writer {
    fn begin(&mut self, to: &mut dyn Write) -> io::Result<()> {
        file(&mut self.file)?.hand_on(to)
    }

    fn rows(&mut self, rows: &EncodedRows, to: &mut dyn Write) -> io::Result<()> {
        for row in rows.iter() {
            // The group ends with the row that reaches the size, whatever batch the row came in.
            self.group.make_room(row.len(), ROW_GROUP);
            self.group.push(|to| to.extend_from_slice(row));
            if self.group.bytes().len() >= ROW_GROUP {
                file(&mut self.file)?.add(std::mem::take(&mut self.group), to)?;
            }
        }
        Ok(())
    }

    fn end(&mut self, to: &mut dyn Write) -> io::Result<()> {
        let file = file(&mut self.file)?;
        if self.group.count() > 0 {
            file.add(std::mem::take(&mut self.group), to)?;
        }
        file.end(to)
    }
}

/// The file, or the error of making it.
fn file(file: &mut Result<File>) -> io::Result<&mut File> {
    file.as_mut().map_err(|error| io::Error::other(error.to_string()))
}

/// A file with its row groups.
struct File {
    /// Writes to memory; the bytes are handed on after each row group.
    writer: SerializedFileWriter<Vec<u8>>,
    /// The columns with their types in Arrow memory; `None` if none of them is the user's.
    hints: Option<Vec<FieldRef>>,
    /// Whether columns of ours without values are omitted.
    leave_out: bool,
    groups: Arc<RowGroups>,
    /// Number of row groups begun.
    begun: usize,
    under_way: InOrder<Result<Vec<ArrowColumnChunk>>>,
}

impl File {
    /// A file without row groups.
    fn new(contents: &Contents<'_>) -> Result<Self> {
        let columns: Arc<[FileColumn]> = carried::file_columns(contents.kind, contents.carried).into();
        let fields: Fields = columns.iter().map(FileColumn::field).collect();
        let schema = Arc::new(Schema::new(fields));
        let parquet_schema = ArrowSchemaConverter::new().schema_root("row").convert(&schema)?;
        let properties = Arc::new(properties(contents)?);
        let writer = SerializedFileWriter::new(Vec::new(), parquet_schema.root_schema_ptr(), properties)?;
        let factory = ArrowRowGroupWriterFactory::new(&writer, schema.clone());
        // The Arrow types of the user's columns go to the footer.
        let hints = contents.carried.map(|carried| {
            let hints = schema.fields().iter();
            hints
                .map(|field| carried.hint(field.name()).unwrap_or(field).clone())
                .collect()
        });
        Ok(File {
            writer,
            hints,
            leave_out: !contents.all_columns
                && [RowKind::Document, RowKind::Normalized].contains(&contents.kind),
            groups: RowGroups::new(columns, schema, factory),
            begun: 0,
            under_way: InOrder::new(contents.background, MAX_GROUPS),
        })
    }

    /// Starts encoding a row group, and writes earlier ones that are done.
    fn add(&mut self, rows: EncodedRows, to: &mut dyn Write) -> io::Result<()> {
        let (groups, number) = (self.groups.clone(), self.begun);
        self.begun += 1;
        match self.under_way.push(move || groups.encode(number, &rows)) {
            Some(done) => self.write(done, to),
            None => Ok(()),
        }
    }

    /// Appends an encoded row group to the file.
    fn write(
        &mut self,
        done: std::result::Result<Result<Vec<ArrowColumnChunk>>, String>,
        to: &mut dyn Write,
    ) -> io::Result<()> {
        let chunks = done.map_err(io::Error::other)??;
        let mut group = self.writer.next_row_group()?;
        for chunk in chunks {
            chunk.append_to_row_group(&mut group)?;
        }
        group.close()?;
        self.hand_on(to)
    }

    /// Writes the remaining row groups and the footer.
    fn end(&mut self, to: &mut dyn Write) -> io::Result<()> {
        // Row groups are written in their order, whatever thread encodes them.
        while let Some(done) = self.under_way.next() {
            self.write(done, to)?;
        }
        let metadata = self.writer.finish()?;
        // A file without rows keeps all columns, so that readers still find its schema.
        let is_kept = |number: usize| !self.leave_out || self.begun == 0 || self.groups.is_kept(number);
        let hints = self.hints.as_deref();
        footer::rewrite(self.writer.inner_mut(), &metadata, &is_kept, hints)?;
        self.hand_on(to)
    }

    /// Writes the bytes in memory to `to`.
    fn hand_on(&mut self, to: &mut dyn Write) -> io::Result<()> {
        self.writer.flush()?;
        to.write_all(&std::mem::take(self.writer.inner_mut()))
    }
}

/// Settings of the Parquet writer, with the header of the file as metadata.
fn properties(contents: &Contents<'_>) -> Result<WriterProperties> {
    // Texts are written without the quotation marks of JSON.
    let told = contents.header.into_iter().flatten().map(|(name, value)| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        KeyValue::new(format!("{TOOL}.{name}"), text)
    });
    let mut properties = WriterProperties::builder()
        .set_created_by(format!("{TOOL} version {VERSION}"))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_write_batch_size(WRITE_BATCH)
        .set_key_value_metadata(Some(told.collect()));
    for name in NO_DICTIONARY {
        properties = properties.set_column_dictionary_enabled((*name).into(), false);
    }
    Ok(properties.build())
}
