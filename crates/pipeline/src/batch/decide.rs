//! Decisions on groups of documents, which an engine joins with the pairs that connect them.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use arrow_array::builder::Int64Builder;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use dehusk_dedup::{CompiledOptions, DocumentKind, ScoredPair, VerifiedPairs};
use dehusk_html::narrow;
use rayon::ThreadPool;

use super::keyed::KINDS;
use super::table::{self, Read, Visit};
use crate::error::Error;
use crate::kernel::apart::Apart;
use crate::kernel::document_table::{DocumentFacts, DocumentTable};
use crate::kernel::verdict::decide;
use crate::record::{Row, RowKind};
use crate::search::duplicates::threads;
use crate::settings::Settings;
use crate::write::format::parquet::column_values::ColumnValues;
use crate::write::format::parquet::columns::schema_of;
use crate::write::format::{Jsonl, RowEncoder};

/// Approximate number of documents that are decided in one step. Groups are not split.
const AT_ONCE: usize = 1 << 13;

/// Decides group by group. A group may span several batches.
///
/// With a clustering that [follows the keeper](dehusk_dedup::cluster::Clustering::follows_keeper), a group
/// consists of a kept document, the documents that it represents, and their pairs with it. With other
/// clusterings, a group consists of the documents connected by pairs and equal contents, and all their
/// pairs.
///
/// The decisions in a group do not depend on other groups, so that the rows equal those of a search among all documents.
pub struct Decider {
    compiled: Arc<CompiledOptions>,
    /// Maximum number of documents of a group.
    most: usize,
    pool: ThreadPool,
    group: Option<i64>,
    /// Index of the first document of the current group.
    start: usize,
    found: Found,
}

/// Documents and pairs to be decided. Documents are numbered in order of arrival.
#[derive(Default)]
struct Found {
    positions: Vec<i64>,
    documents: Vec<(DocumentKind, u128, u64)>,
    table: DocumentTable,
    numbers: HashMap<i64, u32>,
    pairs: Vec<ScoredPair>,
}

impl Decider {
    /// Creates a decider with these settings. `compiled` are the settings of the search for duplicates.
    /// `most` is the maximum number of documents of a group.
    ///
    /// # Errors
    /// If threads cannot be started.
    pub fn new(settings: &Settings, compiled: Arc<CompiledOptions>, most: usize) -> Result<Self, Error> {
        Ok(Decider {
            compiled,
            most,
            pool: threads(settings)?,
            group: None,
            start: 0,
            found: Found::default(),
        })
    }

    /// Takes rows sorted by `group`, and within a group rows with a null `b` first, by `a`.
    ///
    /// These rows are documents, with position `a`, `kind`, `content`, `exact` and `facts`. The other rows are pairs of positions `a` and
    /// `b`, with `similarity`. `visit` is called with batches of decisions, which have the document's `position`.
    ///
    /// # Errors
    /// If a column is missing or has another type, a document has no `content`, or a group is too large. Also the first error of `visit`.
    pub fn push(&mut self, batch: &RecordBatch, visit: &mut Visit<'_>) -> Result<(), Error> {
        let read = Read(batch);
        let (groups, firsts, seconds) = (read.longs("group")?, read.longs("a")?, read.longs("b")?);
        let (kinds, similarities) = (read.integers("kind")?, read.reals("similarity")?);
        let (contents, exacts) = (read.bytes("content")?, read.longs("exact")?);
        let facts = read.bytes("facts")?;
        for row in 0..batch.num_rows() {
            if self.group != Some(groups.value(row)) {
                // Decisions are made between two groups, so that no group is split.
                if self.found.positions.len() >= AT_ONCE {
                    self.finish(visit)?;
                }
                self.group = Some(groups.value(row));
                self.start = self.found.positions.len();
            }
            if seconds.is_valid(row) {
                let ends = [firsts.value(row), seconds.value(row)];
                self.found.pair(ends, similarities.value(row))?;
                continue;
            }
            if self.found.positions.len() - self.start >= self.most {
                return Err(self.too_large());
            }
            // Kinds that `keyed` never returns count as documents without words.
            let kind = usize::try_from(kinds.value(row)).unwrap_or_default();
            let kind = KINDS.get(kind).copied().unwrap_or(DocumentKind::Empty);
            // Without its hash a document would count as a copy of all others without.
            let content = contents
                .content(row)
                .ok_or_else(|| read.without_value("content", row))?;
            let facts = facts.value(row).unwrap_or_default();
            let exact = exacts.value(row).cast_unsigned();
            self.found
                .document(firsts.value(row), (kind, content, exact), facts)?;
        }
        Ok(())
    }

    /// Decides the remaining documents.
    ///
    /// # Errors
    /// The first error of `visit`.
    pub fn finish(&mut self, visit: &mut Visit<'_>) -> Result<(), Error> {
        let found = mem::take(&mut self.found);
        (self.group, self.start) = (None, 0);
        if found.positions.is_empty() {
            return Ok(());
        }
        visit(self.pool.install(|| found.decided(&self.compiled))?)
    }

    fn too_large(&self) -> Error {
        let what = match self.compiled.options().clustering().follows_keeper() {
            true => "one document stands for",
            false => "pairs connect",
        };
        let message = format!(
            "{what} more than {} documents, which one task decides about",
            self.most
        );
        Error::failed(message).with_option("most-connected").with_help(
            "give executors more memory, about 1 KB a document, and raise `most_connected`; or connect fewer by a higher `threshold`",
        )
    }
}

impl Found {
    /// Adds a document with its serialized facts.
    fn document(
        &mut self,
        position: i64,
        document: (DocumentKind, u128, u64),
        facts: &[u8],
    ) -> Result<(), Error> {
        let known: DocumentFacts = postcard::from_bytes(facts)
            .map_err(|_| Error::failed("the facts of a document are not those of this version"))?;
        let number = narrow::to_u32(self.positions.len()); // groups have fewer than 2^32 documents
        self.table.push(&known);
        self.positions.push(position);
        self.documents.push(document);
        self.numbers.insert(position, number);
        Ok(())
    }

    /// Adds a pair of documents that were added before.
    fn pair(&mut self, ends: [i64; 2], similarity: f64) -> Result<(), Error> {
        let number = |position: &i64| {
            self.numbers.get(position).copied().ok_or_else(|| {
                Error::failed(format!("the document at {position} of a pair did not come")).with_help(
                    "positions must be the same each time documents are read: write them to files first",
                )
            })
        };
        let (a, b) = (number(&ends[0])?, number(&ends[1])?);
        self.pairs.push(ScoredPair::new(a, b, similarity, None));
        Ok(())
    }

    /// Returns the rows of decisions, with the columns of Parquet files.
    fn decided(mut self, compiled: &Arc<CompiledOptions>) -> Result<RecordBatch, Error> {
        self.table.close();
        let verified = VerifiedPairs::from_pairs(Arc::clone(compiled), self.documents, self.pairs);
        let verdicts = decide(
            verified.cluster(&self.table),
            compiled,
            &self.table,
            // Folding by URL is a step of the engine, so no document is set apart here.
            (None, Apart::default()),
        );
        let mut at = Int64Builder::new();
        let mut decisions = ColumnValues::of_kind(RowKind::Decision);
        for decision in &verdicts.outcome.decisions {
            at.append_value(self.positions[decision.document as usize]);
            let line = RowEncoder::one(Row::Decision(&verdicts.cluster_row(decision)), &Jsonl);
            decisions.add(line.bytes()).map_err(Error::failed)?;
        }
        let mut fields = vec![Arc::new(Field::new("position", DataType::Int64, true))];
        fields.extend(schema_of(RowKind::Decision).fields().iter().cloned());
        let unfit = |error| table::unfit(&error);
        let mut arrays: Vec<ArrayRef> = vec![Arc::new(at.finish())];
        arrays.extend(decisions.finish().map_err(unfit)?);
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(unfit)
    }
}
