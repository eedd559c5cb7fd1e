//! A Parquet file: its footer, its columns, and how they are read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_schema::{DataType, FieldRef, Fields, Schema};
use dehusk_html::narrow;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_schema};
use parquet::basic::{ConvertedType, Type as PhysicalType};
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::{
    ColumnChunkMetaData, FileMetaData, PageIndexPolicy, ParquetMetaData, RowGroupMetaData,
};
use parquet::schema::types::{SchemaDescriptor, Type};

use super::field::Field;
use super::json::{Texts, is_supported};
use crate::error::{Error, plain};
use crate::exec::panic_guard::catch_panic;
use crate::read::columns::{Columns, FIELDS};
use crate::read::files::RandomAccess;
use crate::read::rows::Wanted;
use crate::record::header::TOOL;
use crate::record::{Reason, Rejection};

/// Number of rows that a file of any size may have.
const FREE_ROWS: u64 = 1 << 20;
/// Further rows allowed per byte of a file. Repeated values compress to almost nothing, so the bound is
/// generous.
const ROWS_PER_BYTE: u64 = 100;

/// Maximum number of bytes of rows decoded at a time.
const BATCH: u64 = 1 << 20;
/// Maximum number of rows decoded at a time.
const BATCH_ROWS: u64 = 64;

/// An open Parquet file.
pub(crate) struct Table {
    path: PathBuf,
    file: RandomAccess,
    metadata: ArrowReaderMetadata,
    /// Fields that are read, in the order of the columns.
    fields: Vec<Field>,
    /// Bit set of the columns from the setting `column` that the file has.
    pub(super) columns: u16,
    /// Column mapping, with the further columns that documents need.
    names: Columns,
    /// `true` if the file was written by this program.
    pub(crate) own: bool,
}

/// A range of rows in a row group.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub(super) group: usize,
    /// Number of the first row within its group.
    pub(super) from: u64,
    pub(super) count: u64,
    /// Number of bytes of the file attributed to the rows.
    pub(super) bytes: u64,
}

impl Table {
    /// Reads the footer of a file.
    pub(crate) fn open(path: &Path, columns: &Columns) -> Result<Table, Rejection> {
        let unreadable = |error: std::io::Error| Rejection::new(Reason::Unreadable, plain(&error));
        let Some(file) = RandomAccess::open(path).map_err(unreadable)? else {
            return Err(Rejection::new(Reason::Unreadable, NO_FILE));
        };
        let reader = file.reader().map_err(unreadable)?;
        let options = || {
            let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
            match file.is_remote() {
                // The page index says where pages begin. Without it, all pages before a range of rows would
                // be fetched.
                true => options.with_page_index_policy(PageIndexPolicy::Optional),
                false => options,
            }
        };
        // The library may panic on a malformed footer, which then becomes a rejection.
        let read = catch_panic(|| ArrowReaderMetadata::load(&reader, options()));
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
        // Each claimed row costs at least a rejection, so an absurd number in a footer is refused.
        if rows > FREE_ROWS.saturating_add(file.bytes().saturating_mul(ROWS_PER_BYTE)) {
            return Err(bad(format!("{rows} rows in {} bytes", file.bytes())));
        }
        let writer = metadata.metadata().file_metadata().created_by();
        let own = writer.is_some_and(|writer| writer.starts_with(&format!("{TOOL} version ")));
        let fields = fields(&metadata, columns);
        let there = columns
            .iter()
            .enumerate()
            .filter(|(_, (_, theirs))| has_column(metadata.schema().fields(), theirs));
        Ok(Table {
            path: path.to_owned(),
            file,
            columns: there.fold(0, |bits, (number, _)| bits | 1 << number),
            metadata,
            fields,
            names: columns.clone(),
            own,
        })
    }

    /// Checks that the required columns exist.
    ///
    /// # Errors
    /// If a column is missing. The message lists the existing columns.
    pub(super) fn check(&self, documents: bool, columns: &Columns) -> Result<(), Error> {
        let schema = self.metadata.schema().fields();
        let there =
            |name: &str| columns.of(name).is_some() || schema.iter().any(|field| field.name() == name);
        let wanted: &[&str] = if documents {
            &["text"]
        } else {
            &["html", "html_base64", "path"]
        };
        // A mapped column that the file lacks is reported first, even if the file has content in other
        // columns.
        let named = columns.iter().find(|(_, theirs)| !has_column(schema, theirs));
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

    /// Returns the columns that are read, as pairs: with the type in Parquet, and with the original Arrow
    /// type if the file stores it.
    pub(crate) fn columns_with_hints(&self) -> Vec<(FieldRef, FieldRef)> {
        let file = self.metadata.metadata().file_metadata();
        let known = catch_panic(|| parquet_to_arrow_schema(file.schema_descr(), file.key_value_metadata()));
        let known = known.ok().and_then(Result::ok);
        let columns = self.fields.iter().map(|field| {
            let stored = Arc::clone(&self.metadata.schema().fields()[field.column]);
            let hint = known
                .as_ref()
                .and_then(|schema| schema.fields().get(field.column));
            // A file may carry a wrong Arrow schema, so it counts only where the names agree.
            let hint = hint.filter(|hint| hint.name() == stored.name());
            (Arc::clone(&stored), hint.cloned().unwrap_or(stored))
        });
        columns.collect()
    }

    /// Cuts the rows into ranges of about `bytes` uncompressed bytes.
    pub(super) fn ranges(&self, bytes: u64) -> Vec<Range> {
        let mut ranges = Vec::new();
        for (number, group) in self.metadata.metadata().row_groups().iter().enumerate() {
            let rows = u64::try_from(group.num_rows()).unwrap_or(0);
            let stored = u64::try_from(group.compressed_size()).unwrap_or(0);
            let most = (bytes / self.row_bytes(number)).clamp(1, 1 << 16);
            let mut from = 0;
            while from < rows {
                let count = most.min(rows - from);
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "a part of `stored`, which has 64 bits"
                )]
                // Bytes of the file are attributed to ranges in proportion to their rows.
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

    /// Returns the average uncompressed size of a row in a group, in bytes, at least 1.
    fn row_bytes(&self, group: usize) -> u64 {
        let group = self.metadata.metadata().row_group(group);
        let rows = u64::try_from(group.num_rows()).unwrap_or(0).max(1);
        (u64::try_from(group.total_byte_size()).unwrap_or(0) / rows).max(1)
    }

    /// Returns the wanted fields, each with its index among the columns read for them.
    pub(super) fn wanted(&self, wanted: Wanted) -> Vec<(usize, &Field)> {
        let of_use = |field: &&Field| {
            // Documents are compared without their pages, so columns of HTML are not decoded.
            let compared = field.is_read || self.names.compares(&field.name);
            wanted == Wanted::All || compared && !field.name.starts_with("html")
        };
        // The projected columns keep the order of the file, so the index of a field among them is its
        // position here.
        self.fields.iter().filter(of_use).enumerate().collect()
    }

    /// Decodes a range of rows.
    pub(super) fn read(
        &self,
        range: Range,
        wanted: Wanted,
        texts: Texts,
    ) -> Result<ParquetRecordBatchReader, String> {
        let file = self.file.reader().map_err(|error| plain(&error))?;
        let metadata = match texts {
            Texts::Strict => self.metadata.clone(),
            Texts::Lossy => lossy(&self.metadata).map_err(|error| error.to_string())?,
        };
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata);
        let columns = self.wanted(wanted).into_iter().map(|(_, field)| field.column);
        let mask = ProjectionMask::roots(builder.parquet_schema(), columns);
        // Batches of a few large rows bound the memory of a thread.
        let batch = (BATCH / self.row_bytes(range.group)).clamp(1, BATCH_ROWS);
        let reader = builder
            .with_projection(mask)
            .with_row_groups(vec![range.group])
            .with_offset(narrow::to_usize(range.from))
            .with_limit(narrow::to_usize(range.count))
            .with_batch_size(batch as usize);
        reader.build().map_err(|error| error.to_string())
    }
}

/// Message for an input that can only be read from its beginning.
pub(super) const NO_FILE: &str =
    "Parquet is read from its end, which only files allow; save it to a file first";

/// Returns the supported columns as fields.
fn fields(metadata: &ArrowReaderMetadata, columns: &Columns) -> Vec<Field> {
    let mut fields = Vec::new();
    for (column, of) in metadata.schema().fields().iter().enumerate() {
        if !is_supported(of.data_type(), 0) {
            continue;
        }
        let is_binary = matches!(of.data_type(), DataType::Binary | DataType::FixedSizeBinary(_));
        let html = columns.of("html").unwrap_or("html");
        fields.push(Field {
            column,
            name: of.name().clone(),
            is_read: FIELDS.contains(&of.name().as_str()) || columns.reads(of.name()),
            is_bytes: is_binary && of.name() == html,
        });
    }
    fields
}

/// Returns `true` if a schema has a column at this dotted path.
fn has_column(fields: &Fields, path: &str) -> bool {
    let mut fields = fields;
    let mut path = path;
    loop {
        // A column whose own name has dots wins over a path into structs.
        if fields.iter().any(|field| field.name() == path) {
            return true;
        }
        let inner = fields.iter().find_map(|field| {
            let rest = path.strip_prefix(field.name().as_str())?.strip_prefix('.')?;
            Some((field.data_type(), rest))
        });
        match inner {
            Some((DataType::Struct(members), rest)) => (fields, path) = (members, rest),
            // The keys of a map are known only per row, so the path is assumed to exist.
            Some((DataType::Map(..), _)) => return true,
            _ => return false,
        }
    }
}

/// Returns file metadata in which texts are bytes; see [`Texts::Lossy`].
fn lossy(strict: &ArrowReaderMetadata) -> ParquetResult<ArrowReaderMetadata> {
    let known = strict.metadata();
    let file = known.file_metadata();
    let root = SchemaDescriptor::new(Arc::new(without_texts(file.schema())?));
    let root = Arc::new(root);
    let mut groups = Vec::new();
    // Positions, sizes and encodings of the column chunks stay. Only their types change.
    for group in known.row_groups() {
        let mut columns = Vec::new();
        for (number, column) in group.columns().iter().enumerate() {
            let of = ColumnChunkMetaData::builder(root.column(number))
                .set_encodings_mask(*column.encodings_mask())
                .set_num_values(column.num_values())
                .set_compression_codec(column.compression_codec())
                .set_total_compressed_size(column.compressed_size())
                .set_total_uncompressed_size(column.uncompressed_size())
                .set_data_page_offset(column.data_page_offset())
                .set_dictionary_page_offset(column.dictionary_page_offset());
            columns.push(of.build()?);
        }
        let of = RowGroupMetaData::builder(Arc::clone(&root))
            .set_num_rows(group.num_rows())
            .set_total_byte_size(group.total_byte_size())
            .set_column_metadata(columns);
        groups.push(of.build()?);
    }
    let created_by = file.created_by().map(str::to_owned);
    let of_file = FileMetaData::new(file.version(), file.num_rows(), created_by, None, root, None);
    let metadata = Arc::new(ParquetMetaData::new(of_file, groups));
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    // The first schema has bytes instead of texts. The second one marks real bytes as `LargeBinary`, to
    // tell them apart.
    let all_bytes = ArrowReaderMetadata::try_new(Arc::clone(&metadata), options.clone())?;
    let fields = all_bytes.schema().fields().iter().zip(strict.schema().fields());
    let hinted: Vec<_> = fields
        .map(|(bytes, strict)| with_large_bytes(bytes, strict))
        .collect();
    ArrowReaderMetadata::try_new(metadata, options.with_schema(Arc::new(Schema::new(hinted))))
}

/// Returns the type with texts replaced by bytes. Recursion is bounded by the depth that the schema reader allows.
fn without_texts(of: &Type) -> ParquetResult<Type> {
    let info = of.get_basic_info();
    let id = info.has_id().then(|| info.id());
    if of.is_primitive() {
        // Other byte arrays are real bytes and stay as they are.
        if of.get_physical_type() != PhysicalType::BYTE_ARRAY || info.converted_type() != ConvertedType::UTF8
        {
            return Ok(of.clone());
        }
        let bytes = Type::primitive_type_builder(of.name(), PhysicalType::BYTE_ARRAY);
        return bytes.with_repetition(info.repetition()).with_id(id).build();
    }
    let members = of
        .get_fields()
        .iter()
        .map(|member| without_texts(member).map(Arc::new));
    let group = Type::group_type_builder(of.name())
        .with_converted_type(info.converted_type())
        .with_logical_type(info.logical_type_ref().cloned())
        .with_id(id)
        .with_fields(members.collect::<ParquetResult<Vec<_>>>()?);
    match info.has_repetition() {
        true => group.with_repetition(info.repetition()).build(),
        false => group.build(),
    }
}

/// Returns the field with `LargeBinary` where the `strict` field has bytes too, to distinguish real bytes from texts.
fn with_large_bytes(field: &FieldRef, strict: &FieldRef) -> FieldRef {
    use DataType as T;
    let of = match (field.data_type(), strict.data_type()) {
        (T::Binary, T::Binary) => T::LargeBinary,
        (T::List(item), T::List(strict)) => T::List(with_large_bytes(item, strict)),
        (T::Map(entries, sorted), T::Map(strict, _)) => T::Map(with_large_bytes(entries, strict), *sorted),
        (T::Struct(members), T::Struct(strict)) => {
            let members = members.iter().zip(strict.iter());
            T::Struct(
                members
                    .map(|(member, strict)| with_large_bytes(member, strict))
                    .collect(),
            )
        }
        (of, _) => of.clone(),
    };
    Arc::new(field.as_ref().clone().with_data_type(of))
}
