//! Rewrites the footer of a file, which lists the columns that readers see.
//!
//! Whether a column of ours has a value in any row is known only after the last row group. So a column
//! without values is stored, in a few bytes for each row group, but the footer omits it.

use std::sync::Arc;

use arrow_schema::{FieldRef, Fields, Schema};
use parquet::arrow::encode_arrow_schema;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{
    FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::schema::types::{SchemaDescriptor, Type};

/// Bytes at the end of a file: the length of the footer (4 bytes, little-endian) and the letters `PAR1`.
const END: usize = 8;

/// Key of the Arrow schema in the metadata of the file.
const ARROW_SCHEMA: &str = "ARROW:schema";

/// Rewrites the footer at the end of `bytes`. It lists the columns for whose index `is_kept` returns
/// `true`. With `hints`, it also states their types in Arrow memory.
pub(super) fn rewrite(
    bytes: &mut Vec<u8>,
    metadata: &ParquetMetaData,
    is_kept: &dyn Fn(usize) -> bool,
    hints: Option<&[FieldRef]>,
) -> Result<()> {
    let file = metadata.file_metadata();
    let members = file.schema().get_fields();
    if hints.is_none() && (0..members.len()).all(is_kept) {
        return Ok(());
    }
    // The last eight bytes give the length of the footer, and so its first byte.
    let length = bytes
        .len()
        .checked_sub(END)
        .and_then(|at| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize + END));
    let start = length.and_then(|length| bytes.len().checked_sub(length));
    let start = start.ok_or_else(|| ParquetError::General("a file has no footer".to_owned()))?;

    let kept = members.iter().enumerate().filter(|(number, _)| is_kept(*number));
    let kept = kept.map(|(_, member)| Arc::clone(member)).collect();
    let root = Type::group_type_builder(file.schema().name())
        .with_fields(kept)
        .build()?;
    let schema = Arc::new(SchemaDescriptor::new(Arc::new(root)));
    let groups = metadata.row_groups().iter().map(|group| {
        let columns = group.columns().iter().enumerate();
        // Row groups list leaves. A nested column has several. Each is kept with its root.
        let columns = columns.filter(|(leaf, _)| is_kept(file.schema_descr().get_column_root_idx(*leaf)));
        let columns: Vec<_> = columns.map(|(_, column)| column.clone()).collect();
        RowGroupMetaData::builder(Arc::clone(&schema))
            .set_num_rows(group.num_rows())
            .set_total_byte_size(columns.iter().map(|column| column.uncompressed_size()).sum())
            .set_column_metadata(columns)
            .set_ordinal(group.ordinal().unwrap_or(0))
            .build()
    });
    let groups = groups.collect::<Result<Vec<_>>>()?;
    let mut told = file.key_value_metadata().cloned().unwrap_or_default();
    if let Some(hints) = hints {
        let hints = hints.iter().enumerate().filter(|(number, _)| is_kept(*number));
        let hints: Fields = hints.map(|(_, hint)| Arc::clone(hint)).collect();
        // Readers of Arrow prefer this schema to the types that they would derive from Parquet.
        told.push(KeyValue::new(
            ARROW_SCHEMA.to_owned(),
            encode_arrow_schema(&Schema::new(hints)),
        ));
    }
    let created_by = file.created_by().map(str::to_owned);
    let of_file = FileMetaData::new(
        file.version(),
        file.num_rows(),
        created_by,
        Some(told),
        schema,
        None,
    );
    bytes.truncate(start);
    // Page indexes were written before the footer, at the offsets that the columns name. These offsets stay
    // valid.
    ParquetMetaDataWriter::new(bytes, &ParquetMetaData::new(of_file, groups))
        .with_preserve_page_index_locations(true)
        .finish()
}
