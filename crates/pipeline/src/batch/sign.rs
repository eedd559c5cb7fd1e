//! Signing of batches of texts to batches of signatures and keys.

use std::sync::Arc;

use arrow_array::builder::{FixedSizeBinaryBuilder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field as Column, Schema};
use dehusk_dedup::DocumentKind;

use super::fields::Fields;
use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::exec::ordered_pool::{Plan, process};
use crate::exec::panic_guard::catch_panic;
use crate::kernel::sign::{SignedText, Signer};
use crate::read::columns::Columns;
use crate::record::{Reason, json};

/// Approximate number of bytes of texts that a thread takes at a time.
const PART: usize = 256 << 10;

/// Size of a content hash in bytes.
const CONTENT_BYTES: i32 = 16;

/// Signs the texts of a batch: its column `text`, with `id` or `url` if present.
///
/// The returned batch has the columns `id`; `kind`, which is `full`, `short` or `empty`; `content`, the hash of the tokens in 16 bytes,
/// big-endian; `exact`, the hash of the text as a 64-bit integer, equal for exact duplicates; `keys` and `features` as lists of 64-bit
/// integers; and `error`, the message for a row that could not be used. Integers are signed with the bits of unsigned ones, since some
/// readers of Arrow lack unsigned types.
///
/// Each of `threads` threads has a signer of its own. The result does not depend on their number.
///
/// # Errors
/// If a column is missing or has a type that cannot be read, or if the run was cancelled.
pub fn sign(
    batch: &RecordBatch,
    columns: &Columns,
    threads: usize,
    cancel: &Cancel,
    signer: &(dyn Fn() -> Signer + Sync),
) -> Result<RecordBatch, Error> {
    let mut table = Signatures::default();
    let plan = Plan::new(threads, cancel);
    each_text(
        (batch, columns),
        &plan,
        signer,
        |fields, signer, row| signed(fields, row, signer),
        |row| table.add(row),
    )?;
    table
        .finish()
        .map_err(|error| Error::failed(format!("signatures do not fit into a batch: {error}")))
}

/// Signs the rows of a batch with a column `text` on worker threads, and calls `take` with the results in row order.
pub(super) fn each_text<T: Send>(
    (batch, columns): (&RecordBatch, &Columns),
    plan: &Plan<'_>,
    signer: &(dyn Fn() -> Signer + Sync),
    sign: impl Fn(&Fields<'_>, &mut Signer, usize) -> T + Sync,
    mut take: impl FnMut(T),
) -> Result<(), Error> {
    let fields = Fields::new(batch, columns, "text", false)?;
    if !fields.has_large() {
        let message = format!("no column `text`; columns: {}", fields.names());
        return Err(Error::usage(message)
            .with_option("column")
            .with_help("name the column to read as `text` by the option `column`"));
    }
    let mut parts = fields.parts(PART).into_iter();
    process(
        plan,
        || parts.next(),
        signer,
        |signer, rows| rows.map(|row| sign(&fields, signer, row)).collect::<Vec<_>>(),
        |rows| {
            rows.into_iter().for_each(&mut take);
            Ok(())
        },
    )
}

/// Id of a row, and its signature or the reason why it could not be signed.
type Signed = (Option<String>, Result<SignedText, String>);

/// Signs a row. A row without a text gets an error.
fn signed(fields: &Fields<'_>, row: usize, signer: &mut Signer) -> Signed {
    let Some(text) = fields.large(row) else {
        // The other fields may still give an ID.
        let record = json::document(&fields.line(row, "\"text\":\"\""), None)
            .ok()
            .and_then(|record| Some(record.id.or(record.url)?.into_owned()));
        return (record, Err(Reason::MissingContent.name().to_owned()));
    };
    let line = fields.line(row, "\"text\":\"\"");
    let id = match json::document(&line, None) {
        Ok(record) => record.id.or(record.url).map(std::borrow::Cow::into_owned),
        Err(rejection) => return (rejection.id, Err(rejection.message)),
    };
    let text = text.text();
    let done = catch_panic(|| signer.sign(&text));
    if done.is_err() {
        signer.reset();
    }
    (id, done)
}

/// Signatures gathered into a batch.
struct Signatures {
    ids: StringBuilder,
    kinds: StringBuilder,
    contents: FixedSizeBinaryBuilder,
    exacts: Int64Builder,
    keys: ListBuilder<Int64Builder>,
    features: ListBuilder<Int64Builder>,
    errors: StringBuilder,
}

impl Default for Signatures {
    fn default() -> Self {
        Signatures {
            ids: StringBuilder::new(),
            kinds: StringBuilder::new(),
            contents: FixedSizeBinaryBuilder::new(CONTENT_BYTES),
            exacts: Int64Builder::new(),
            keys: ListBuilder::new(Int64Builder::new()),
            features: ListBuilder::new(Int64Builder::new()),
            errors: StringBuilder::new(),
        }
    }
}

impl Signatures {
    fn add(&mut self, (id, signed): Signed) {
        self.ids.append_option(id);
        let text = signed.as_ref().ok();
        self.kinds.append_option(text.map(|text| match text.kind {
            DocumentKind::Full => "full",
            DocumentKind::Short => "short",
            DocumentKind::Empty | DocumentKind::LeftOut => "empty",
        }));
        match text {
            // The only possible error is a slice of another length.
            Some(text) => drop(self.contents.append_value(text.content.to_be_bytes())),
            None => self.contents.append_null(),
        }
        self.exacts
            .append_option(text.map(|text| text.exact.cast_signed()));
        let list = |values: &[u64]| {
            values
                .iter()
                .map(|value| Some(value.cast_signed()))
                .collect::<Vec<_>>()
        };
        self.keys.append_option(text.map(|text| list(&text.keys)));
        self.features.append_option(text.map(|text| list(&text.features)));
        self.errors.append_option(signed.err());
    }

    fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        let arrays: Vec<(&str, ArrayRef)> = vec![
            ("id", Arc::new(self.ids.finish())),
            ("kind", Arc::new(self.kinds.finish())),
            ("content", Arc::new(self.contents.finish())),
            ("exact", Arc::new(self.exacts.finish())),
            ("keys", Arc::new(self.keys.finish())),
            ("features", Arc::new(self.features.finish())),
            ("error", Arc::new(self.errors.finish())),
        ];
        let of = |array: &ArrayRef| -> DataType { array.data_type().clone() };
        let fields: Vec<Column> = arrays
            .iter()
            .map(|(name, array)| Column::new(*name, of(array), true))
            .collect();
        let arrays = arrays.into_iter().map(|(_, array)| array).collect();
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
    }
}
