//! Join keys of batches of documents, for engines that join.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, Int32Builder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType};
use dehusk_dedup::{CompiledOptions, DocumentKind, FactSource, KeyGroups};

use super::fields::Fields;
use super::sign::each_text;
use super::table;
use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::exec::ordered_pool::Plan;
use crate::exec::panic_guard::catch_panic;
use crate::kernel::asked_facts::AskedFacts;
use crate::kernel::document_table::{DocumentFacts, DocumentTable};
use crate::kernel::sign::Signer;
use crate::read::same_address::normal;
use crate::record::json;
use crate::settings::{SameUrl, Settings};

/// Kinds of documents; the index of a kind is its number in batches.
pub(super) const KINDS: [DocumentKind; 3] = [DocumentKind::Empty, DocumentKind::Short, DocumentKind::Full];

/// Signs the documents of a batch for a join.
///
/// All columns of a row are null if it has no `text`; if its text cannot be signed, all columns but `error` are null. The returned columns
/// are:
///
/// - `kind`: 0 for documents without words, 1 for short ones, 2 for those that take part in full;
/// - `content`: the hash of the tokens;
/// - `exact`: the hash of the text, equal for exact duplicates;
/// - `words`: the words that documents are joined by;
/// - `row`: equal for documents with the same words;
/// - `facts`: input of a [`Decider`](super::Decider);
/// - `key`: bytes that compare in the keeper's order; of documents with equal keys the earlier one is kept;
/// - `error`: why a text cannot be signed;
/// - `address`, `date` and `id`, null unless the setting `same-url` folds documents: the URL in normal
///   form, equal for documents of one URL and null without one; the date in seconds since 1970; and the ID
///   for the decision on a removed document.
///
/// The result does not depend on the number of threads in the settings.
///
/// # Errors
/// If a column is missing or has a type that cannot be read, or if the run was cancelled.
pub fn keyed(
    batch: &RecordBatch,
    settings: &Settings,
    cancel: &Cancel,
    by: (KeyGroups, &CompiledOptions),
    signer: &(dyn Fn() -> Signer + Sync),
) -> Result<RecordBatch, Error> {
    let mut table = Keyed::default();
    let plan = Plan::new(settings.threads(), cancel);
    let columns = settings.column.clone().unwrap_or_default();
    let columns = columns.asking_for(settings.kept_by_field().as_ref());
    let asked = AskedFacts::of(settings);
    let folds = settings.same_url.unwrap_or_default().0 != SameUrl::Keep;
    each_text(
        (batch, &columns),
        &plan,
        signer,
        |fields, signer, row| signed((fields, row), signer, by, &asked, folds),
        |row| table.add(row),
    )?;
    table.finish().map_err(|error| table::unfit(&error))
}

/// Values of a signed row.
struct SignedRow {
    kind: DocumentKind,
    content: u128,
    exact: u64,
    words: Vec<u64>,
    kin: u64,
    facts: Vec<u8>,
    key: Vec<u8>,
    /// `None` unless documents of one URL are folded.
    named: Option<Named>,
}

/// Values by which documents are folded, and the id for their decision.
struct Named {
    id: String,
    address: Option<String>,
    date: Option<i64>,
}

/// Result of a row: `None` without a text, an error if the text cannot be signed.
type Signed = Option<Result<SignedRow, String>>;

/// Signs a row.
fn signed(
    (fields, row): (&Fields<'_>, usize),
    signer: &mut Signer,
    (groups, compiled): (KeyGroups, &CompiledOptions),
    asked: &AskedFacts,
    folds: bool,
) -> Signed {
    let text = fields.large(row)?.text();
    // The line is a document only with `text`, which is too large to be copied.
    let line = fields.line(row, "\"text\":\"\"");
    // A column of a wrong type, such as a struct as `date`, rejects its documents with a reason, as in `run`.
    let record = match json::document(&line, None) {
        Ok(record) => record,
        Err(rejection) => return Some(Err(rejection.message)),
    };
    let id = record.id.or(record.url.clone()).unwrap_or_default().into_owned();
    let mut facts = DocumentFacts::new(id, record.url.as_deref(), &record.ranking, &text);
    asked.add(&mut facts, || line.as_slice().into());
    // As in `run`, a document that cannot be signed takes no part.
    let signed = match catch_panic(|| signer.sign(&text)) {
        Ok(signed) => signed,
        Err(panic) => {
            signer.reset();
            return Some(Err(panic));
        }
    };
    // The key is computed from the facts as a table stores them, since the search on one machine decides by these.
    let mut table = DocumentTable::default();
    table.push(&facts);
    let words = groups.words(&signed.keys);
    let serialized = postcard::to_stdvec(&facts);
    debug_assert!(serialized.is_ok(), "texts and numbers always serialize");
    Some(Ok(SignedRow {
        kind: signed.kind,
        content: signed.content,
        exact: signed.exact,
        kin: groups.kin(&words),
        words,
        facts: serialized.unwrap_or_default(),
        key: compiled.order_key(table.facts(0)),
        named: folds.then(|| Named {
            date: facts.date(),
            address: facts
                .url
                .as_deref()
                .filter(|url| !url.is_empty())
                .map(|url| normal(url).into_owned()),
            id: facts.id,
        }),
    }))
}

/// Signed rows gathered into a batch.
#[derive(Default)]
struct Keyed {
    kinds: Int32Builder,
    contents: BinaryBuilder,
    exacts: Int64Builder,
    words: ListBuilder<Int64Builder>,
    rows: Int64Builder,
    facts: BinaryBuilder,
    order_keys: BinaryBuilder,
    ids: StringBuilder,
    addresses: StringBuilder,
    dates: Int64Builder,
    errors: StringBuilder,
}

impl Keyed {
    fn add(&mut self, row: Signed) {
        let (row, error) = match row.transpose() {
            Ok(row) => (row, None),
            Err(error) => (None, Some(error)),
        };
        self.errors.append_option(error);
        let named = row.as_ref().and_then(|row| row.named.as_ref());
        self.ids.append_option(named.map(|named| &named.id));
        self.addresses
            .append_option(named.and_then(|named| named.address.as_ref()));
        self.dates.append_option(named.and_then(|named| named.date));
        let Some(row) = row else {
            self.kinds.append_null();
            self.contents.append_null();
            self.exacts.append_null();
            self.words.append_null();
            self.rows.append_null();
            self.facts.append_null();
            self.order_keys.append_null();
            return;
        };
        let kind = (0..).zip(KINDS).find(|(_, kind)| *kind == row.kind);
        self.kinds.append_option(kind.map(|(number, _)| number));
        // Big-endian, as `Bytes::content` reads it.
        self.contents.append_value(row.content.to_be_bytes());
        self.exacts.append_value(row.exact.cast_signed());
        let words = row.words.iter().map(|word| word.cast_signed());
        self.words
            .values()
            .append_values(&words.collect::<Vec<_>>(), &vec![true; row.words.len()]);
        self.words.append(true);
        self.rows.append_value(row.kin.cast_signed());
        self.facts.append_value(row.facts);
        self.order_keys.append_value(row.key);
    }

    fn finish(mut self) -> Result<RecordBatch, ArrowError> {
        let words = self.words.finish();
        let of_words = arrow_array::Array::data_type(&words).clone();
        let arrays: Vec<(&str, DataType, ArrayRef)> = vec![
            ("kind", DataType::Int32, Arc::new(self.kinds.finish())),
            ("content", DataType::Binary, Arc::new(self.contents.finish())),
            ("exact", DataType::Int64, Arc::new(self.exacts.finish())),
            ("words", of_words, Arc::new(words)),
            ("row", DataType::Int64, Arc::new(self.rows.finish())),
            ("facts", DataType::Binary, Arc::new(self.facts.finish())),
            ("key", DataType::Binary, Arc::new(self.order_keys.finish())),
            ("id", DataType::Utf8, Arc::new(self.ids.finish())),
            ("address", DataType::Utf8, Arc::new(self.addresses.finish())),
            ("date", DataType::Int64, Arc::new(self.dates.finish())),
            ("error", DataType::Utf8, Arc::new(self.errors.finish())),
        ];
        table::batch(arrays)
    }
}
