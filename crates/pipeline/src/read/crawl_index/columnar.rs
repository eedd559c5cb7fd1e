//! Indexes in Parquet, such as the columnar index of Common Crawl. Only wanted columns are read, and only
//! groups of rows that can hold wanted rows.

use std::borrow::Cow;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::statistics::Statistics;

use super::columns::{Values, Wanted, check_columns};
use super::condition::Condition;
use super::names::is_time;
use crate::error::Error;
use crate::exec::panic_guard::catch_panic;
use crate::read::files::{self, RandomAccess};
use crate::read::format::parquet::json::{Values as JsonValues, is_supported};

/// Number of rows decoded per batch.
const BATCH: usize = 8192;

/// Visits the rows of a file with their numbers, from 1. Groups of rows that cannot fulfill the condition
/// are skipped.
///
/// # Errors
/// If the file cannot be read or is damaged. Also returns the first error of `visit`.
pub(super) fn rows(
    path: &Path,
    condition: Option<&Condition>,
    wanted: &mut Wanted<'_>,
    visit: &mut dyn FnMut(u64, Values<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let unreadable = |error| Error::input(path, error).with_help(files::help(path));
    let damaged = |message: String| {
        Error::usage(format!(
            "cannot read `{}`: no sound Parquet file: {message}",
            path.display()
        ))
        .with_path(path)
    };
    let Some(file) = RandomAccess::open(path).map_err(unreadable)? else {
        return Err(damaged("it is no regular file".to_owned()));
    };
    let reader = file.reader().map_err(unreadable)?;
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    // The library may panic on malformed data, here and below.
    let metadata = catch_panic(|| ArrowReaderMetadata::load(&reader, options)).map_err(damaged)?;
    let metadata = metadata.map_err(|error| damaged(error.to_string()))?;
    let fields = metadata.schema().fields().clone();
    let names: Vec<String> = fields.iter().map(|field| field.name().clone()).collect();
    let mut places = wanted.places(&names);
    check_columns(&path.display().to_string(), &places, wanted)?;
    // Columns of unsupported types count as missing. The required columns were checked above only for
    // presence.
    for place in &mut places {
        *place = place.filter(|place| is_supported(fields[*place].data_type(), 0));
    }
    let mut read: Vec<usize> = places.iter().flatten().copied().collect();
    read.sort_unstable();
    read.dedup();
    // Columns of a batch are those that are read, in the order of the file.
    let places: Vec<Option<usize>> = places
        .iter()
        .map(|place| read.binary_search(&(*place)?).ok())
        .collect();
    let groups = metadata.metadata().row_groups();
    let mut first = 0_u64;
    for (number, group) in groups.iter().enumerate() {
        let rows = u64::try_from(group.num_rows()).unwrap_or(0);
        let start = first;
        // Skipped groups are counted too, so that row numbers do not depend on the condition.
        first += rows;
        if !may_hold(group, condition, &names, wanted) {
            continue;
        }
        let mask = ProjectionMask::roots(metadata.parquet_schema(), read.iter().copied());
        let reader = file.reader().map_err(unreadable)?;
        let build = || {
            ParquetRecordBatchReaderBuilder::new_with_metadata(reader, metadata.clone())
                .with_row_groups(vec![number])
                .with_projection(mask)
                .with_batch_size(BATCH)
                .build()
        };
        let mut batches = catch_panic(build)
            .map_err(damaged)?
            .map_err(|error| damaged(error.to_string()))?;
        let mut row = start;
        while let Some(batch) = catch_panic(|| batches.next()).map_err(damaged)? {
            let batch = batch.map_err(|error| damaged(format!("after row {row}: {error}")))?;
            for at in 0..batch.num_rows() {
                row += 1;
                visit(row, values(&batch, at, &places))?;
            }
        }
    }
    Ok(())
}

/// Returns `false` if the statistics of a group of rows show that none of its rows fulfills the condition.
fn may_hold(
    group: &RowGroupMetaData,
    condition: Option<&Condition>,
    names: &[String],
    wanted: &Wanted<'_>,
) -> bool {
    let Some(condition) = condition else { return true };
    (0..condition.columns().len()).all(|column| {
        // Times are compared as 14 digits, but a file may hold timestamps, which sort differently.
        if is_time(&condition.columns()[column]) {
            return true;
        }
        let found = wanted
            .names_of(Wanted::of_condition(column))
            .find(|name| names.iter().any(|there| there == name));
        let leaf = found.and_then(|name| {
            let leaves = group.columns().iter();
            leaves.into_iter().find(|leaf| leaf.column_path().parts() == [name.to_owned()])
        });
        let Some(Statistics::ByteArray(statistics)) = leaf.and_then(|leaf| leaf.statistics()) else {
            return true;
        };
        // Deprecated bounds were computed from signed bytes, which sort non-ASCII text before ASCII.
        if leaf.and_then(|leaf| leaf.statistics()).is_some_and(Statistics::is_min_max_deprecated) {
            return true;
        }
        let (least, above) = condition.bounds(column);
        // Writers may truncate these bounds: a minimum is rounded down and a maximum up, so both remain
        // valid.
        let too_small = matches!((statistics.max_opt(), &least), (Some(max), Some(least)) if max.data() < least.as_bytes());
        let too_large = matches!((statistics.min_opt(), &above), (Some(min), Some(above)) if min.data() >= above.as_bytes());
        !(too_small || too_large)
    })
}

/// Returns the values of a row.
fn values<'b>(batch: &'b RecordBatch, row: usize, places: &[Option<usize>]) -> Values<'b> {
    let value = |place: &Option<usize>| text(batch.column((*place)?).as_ref(), row);
    places.iter().map(value).collect()
}

/// Returns a value as text, or `None` if it is missing. Strings are returned without quotes, other values
/// as JSON.
fn text(array: &dyn Array, row: usize) -> Option<Cow<'_, str>> {
    if array.is_null(row) {
        return None;
    }
    match array.data_type() {
        DataType::Utf8 => Some(Cow::Borrowed(array.as_string::<i32>().value(row))),
        _ => {
            let mut json = vec![b'{'];
            JsonValues::plain().member("", array, row, &mut json);
            let value = json.strip_prefix(b"{\"\":")?;
            match value.first() {
                Some(b'"') => serde_json::from_slice::<String>(value).ok().map(Cow::Owned),
                _ => Some(Cow::Owned(String::from_utf8_lossy(value).into_owned())),
            }
        }
    }
}
