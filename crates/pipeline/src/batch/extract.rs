//! Extraction of batches of pages to batches of documents.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_buffer::NullBufferBuilder;
use arrow_schema::{ArrowError, DataType, Field as Column, Fields as Members, Schema};
use serde_json::json;

use super::fields::{Fields, Large};
use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::exec::ordered_pool::{Plan, process};
use crate::exec::panic_guard::catch_panic;
use crate::page_process::stored;
use crate::read::columns::Columns;
use crate::read::compression::inflate;
use crate::record::{Content, Document, PageRecord, Reason, Rejection, Row, RowKind, json};
use crate::write::format::parquet::column_values::ColumnValues;
use crate::write::format::parquet::columns::schema_of;
use crate::write::format::{EncodedRows, Jsonl, RowFormat};

/// Approximate number of bytes of pages that a thread takes at a time.
const PART: usize = 256 << 10;

/// Extracts documents from the pages of a batch.
///
/// Pages are in the column `html`, as text or bytes, or in base64 in `html_base64`. Other columns are fields of page records; columns with
/// other names go to `extra`. `columns` maps fields to columns with other names.
///
/// The returned batch has the columns of documents, and a column `error` with `reason` and `message` for rows that could not be used. All
/// other columns of such rows are null, except `id` and `url`. Compressed pages are inflated, up to `page_bytes` bytes each. The result
/// does not depend on the number of `threads`.
///
/// A batch of [`pages`](super::pages()) has whole pages in its column `dehusk_page`; its rejected records stay rejected.
///
/// # Errors
/// If a column is missing or has a type that cannot be read, or if the run was cancelled.
pub fn extract(
    batch: &RecordBatch,
    columns: &Columns,
    threads: usize,
    cancel: &Cancel,
    page_bytes: usize,
    extract: &(dyn Fn(&PageRecord<'_>) -> Result<Document, Rejection> + Sync),
) -> Result<RecordBatch, Error> {
    // A batch of `pages` has whole pages. Other batches have the fields of records.
    let of_files = batch.column_by_name(PAGE).is_some();
    let fields = Fields::new(batch, columns, if of_files { PAGE } else { "html" }, true)?;
    if !fields.has_large() && !fields.has("html_base64") {
        let message = format!("no column `html` or `html_base64`; columns: {}", fields.names());
        return Err(Error::usage(message)
            .with_option("column")
            .with_help("name the column to read as `html` by the option `column`"));
    }
    let mut parts = fields.parts(PART).into_iter();
    let mut table = Documents::new();
    process(
        &Plan::new(threads, cancel),
        || parts.next(),
        || (),
        |(), rows| {
            let make = |row| match of_files {
                true => remade(&fields, row, extract),
                false => made(&fields, row, page_bytes, extract),
            };
            rows.map(make).collect::<Vec<_>>()
        },
        |rows| rows.iter().try_for_each(|row| table.add(row)),
    )?;
    table
        .finish()
        .map_err(|error| Error::failed(format!("documents do not fit into a batch: {error}")))
}

/// Column of serialized pages that were read from files.
pub(super) const PAGE: &str = "dehusk_page";

/// Result of a row: the line of its document, or the reason why there is no document.
type Made = Result<EncodedRows, Rejection>;

/// Extracts the page of a row that was not read from a file.
fn made(
    fields: &Fields<'_>,
    row: usize,
    page_bytes: usize,
    extract: &(dyn Fn(&PageRecord<'_>) -> Result<Document, Rejection> + Sync),
) -> Made {
    let large = fields.large(row);
    // The line is a page only with `html`. The page itself replaces the placeholder below.
    let line = fields.line(row, if large.is_some() { "\"html\":\"\"" } else { "" });
    let mut record = json::page(&line, None, None)?;
    match large {
        Some(Large::Text(text)) => record.content = Content::Text(Cow::Borrowed(text)),
        Some(Large::Bytes(bytes)) => record.content = Content::Bytes(Cow::Borrowed(bytes)),
        None => {}
    }
    // Servers send pages compressed, and some tables keep them so.
    let inflated = inflate(&mut record.content, page_bytes);
    inflated.map_err(|rejection| of_page(rejection, &record))?;
    document(&record, extract)
}

/// Extracts a page that was read from a file.
fn remade(
    fields: &Fields<'_>,
    row: usize,
    extract: &(dyn Fn(&PageRecord<'_>) -> Result<Document, Rejection> + Sync),
) -> Made {
    match fields.large(row) {
        Some(Large::Bytes(bytes)) => match stored::of_bytes(bytes) {
            Some(page) => document(&page, extract),
            None => Err(Rejection::new(
                Reason::MissingContent,
                format!("the column `{PAGE}` has no page that was read by this version"),
            )),
        },
        // Rows of rejected records have no page.
        _ => Err(fields.rejection(row)),
    }
}

/// Extracts a page, and encodes its document as a line.
fn document(
    record: &PageRecord<'_>,
    extract: &(dyn Fn(&PageRecord<'_>) -> Result<Document, Rejection> + Sync),
) -> Made {
    let done =
        catch_panic(|| extract(record)).unwrap_or_else(|panic| Err(Rejection::new(Reason::Panic, panic)));
    let document = done.map_err(|rejection| of_page(rejection, record))?;
    let mut rows = EncodedRows::default();
    rows.push(|to| Jsonl.encode(Row::Document(&document), to));
    Ok(rows)
}

/// Returns the rejection, completed with the ID and URL of its page.
fn of_page(rejection: Rejection, page: &PageRecord<'_>) -> Rejection {
    let given = |text: &Option<Cow<'_, str>>| text.as_deref().map(str::to_owned);
    Rejection {
        id: rejection.id.or_else(|| given(&page.id)),
        url: rejection.url.or_else(|| given(&page.url)),
        ..rejection
    }
}

/// Documents gathered into a batch, with the errors of rejected rows.
struct Documents {
    values: ColumnValues,
    reasons: StringBuilder,
    messages: StringBuilder,
    wrong: NullBufferBuilder,
}

impl Documents {
    fn new() -> Self {
        Documents {
            values: ColumnValues::of_kind(RowKind::Document),
            reasons: StringBuilder::new(),
            messages: StringBuilder::new(),
            wrong: NullBufferBuilder::new(0),
        }
    }

    fn add(&mut self, row: &Made) -> Result<(), Error> {
        let added = match row {
            Ok(rows) => rows.iter().try_for_each(|line| self.values.add(line)),
            Err(rejection) => {
                let row = json!({ "id": rejection.id.as_deref().or(rejection.url.as_deref()), "url": rejection.url });
                self.values.add(row.to_string().as_bytes())
            }
        };
        // These columns grow even if `added` failed, so that all stay equally long.
        let rejection = row.as_ref().err();
        self.reasons
            .append_option(rejection.map(|rejection| rejection.reason.name()));
        self.messages
            .append_option(rejection.map(|rejection| &rejection.message));
        self.wrong.append(rejection.is_some());
        added.map_err(Error::failed)
    }

    fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        let members = ["reason", "message"].map(|name| Column::new(name, DataType::Utf8, true));
        let members = Members::from(members.to_vec());
        let parts: Vec<ArrayRef> = vec![Arc::new(self.reasons.finish()), Arc::new(self.messages.finish())];
        let errors = StructArray::try_new(members.clone(), parts, self.wrong.finish())?;
        let mut arrays = self.values.finish()?;
        arrays.push(Arc::new(errors));
        let mut fields = schema_of(RowKind::Document).fields().to_vec();
        fields.push(Arc::new(Column::new("error", DataType::Struct(members), true)));
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
    }
}
