//! Documents with the pairs that connect them, brought together by an engine, to decisions.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, Int64Builder};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use dehusk_dedup::{CompiledOptions, DocumentKind, Replayed, ScoredPair, VerifiedPairs};
use rayon::ThreadPool;

use super::keyed::KINDS;
use super::table::{self, Read, Visit};
use crate::error::Error;
use crate::kernel::document_table::{DocumentFacts, DocumentTable};
use crate::kernel::verdict::decide;
use crate::record::{Row, RowKind};
use crate::search::duplicates::threads;
use crate::settings::Settings;
use crate::write::format::parquet::column_values::ColumnValues;
use crate::write::format::parquet::columns::schema_of;
use crate::write::format::{Jsonl, RowEncoder};

/// Documents that are decided at once, about: components of pairs are whole.
const AT_ONCE: usize = 1 << 13;

/// What is asked of a [`Decider`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// Which documents stay so far: what a further search looks at.
    Stay,
    /// The rows of pairs and decisions.
    Rows,
}

/// Decides component by component; a component may end in a later batch than it begins in.
///
/// A component is what pairs and equal contents connect: what one decides does not depend on others, so that rows are those of
/// a search among all documents.
pub struct Decider {
    compiled: Arc<CompiledOptions>,
    every: bool,
    /// Most documents of a component.
    most: usize,
    /// Searches after the first one.
    further: usize,
    ask: Ask,
    pool: ThreadPool,
    component: Option<i64>,
    /// Where the component begins.
    start: usize,
    found: Found,
}

/// Documents and pairs that wait, numbered as they come.
#[derive(Default)]
struct Found {
    positions: Vec<i64>,
    documents: Vec<(DocumentKind, u128, u64)>,
    table: DocumentTable,
    facts: Vec<Vec<u8>>,
    numbers: HashMap<i64, u32>,
    /// By search.
    pairs: Vec<Vec<ScoredPair>>,
}

impl Decider {
    /// A decider by these settings, of which `compiled` are those of the search for duplicates. `most` is the largest number of documents
    /// that pairs may connect, and `further` how often was searched after the first time: a search counts where it found nothing, too.
    ///
    /// # Errors
    /// If threads cannot be started.
    pub fn new(
        settings: &Settings,
        compiled: Arc<CompiledOptions>,
        most: usize,
        further: usize,
        ask: Ask,
    ) -> Result<Self, Error> {
        Ok(Decider {
            compiled,
            every: settings.all_pairs.unwrap_or(false),
            most,
            further,
            ask,
            pool: threads(settings)?,
            component: None,
            start: 0,
            found: Found::default(),
        })
    }

    /// Takes rows that are sorted by `component`, and in a component those without `b` first, by `a`: these are documents, with position
    /// `a`, `kind`, `content`, `exact` and `facts`; the others are pairs of positions `a` and `b`, with `similarity`, `estimate`, and the number
    /// of their `search`.
    ///
    /// Asked which documents stay, `visit` gets `position`, the position of the first document of its `text`, and `facts`; and a row
    /// without a position whose `text` is the number of documents that have gone by the last search. Asked for rows, it gets either
    /// the columns of decisions, with the document's `position`, or those of pairs.
    ///
    /// # Errors
    /// If a column is missing or of another type, or a component is too large, or the first one of `visit`.
    pub fn push(&mut self, batch: &RecordBatch, visit: &mut Visit<'_>) -> Result<(), Error> {
        let read = Read(batch);
        let (components, firsts, seconds) = (read.longs("component")?, read.longs("a")?, read.longs("b")?);
        let (kinds, searches) = (read.integers("kind")?, read.integers("search")?);
        let (contents, exacts) = (read.bytes("content")?, read.longs("exact")?);
        let facts = read.bytes("facts")?;
        let (similarities, estimates) = (read.reals("similarity")?, read.floats("estimate")?);
        for row in 0..batch.num_rows() {
            if self.component != Some(components.value(row)) {
                if self.found.positions.len() >= AT_ONCE {
                    self.finish(visit)?;
                }
                self.component = Some(components.value(row));
                self.start = self.found.positions.len();
            }
            if seconds.is_valid(row) {
                let estimate = estimates.is_valid(row).then(|| estimates.value(row));
                let search = usize::try_from(searches.value(row)).unwrap_or_default();
                let ends = [firsts.value(row), seconds.value(row)];
                self.found.pair(ends, similarities.value(row), estimate, search)?;
                continue;
            }
            if self.found.positions.len() - self.start >= self.most {
                return Err(self.too_large());
            }
            let kind = usize::try_from(kinds.value(row)).unwrap_or_default();
            let kind = KINDS.get(kind).copied().unwrap_or(DocumentKind::Empty);
            let content = contents.content(row).unwrap_or_default();
            let facts = facts.value(row).unwrap_or_default();
            let exact = exacts.value(row).cast_unsigned();
            self.found
                .document(firsts.value(row), (kind, content, exact), facts)?;
        }
        Ok(())
    }

    /// Decides what waits.
    ///
    /// # Errors
    /// The first one of `visit`.
    pub fn finish(&mut self, visit: &mut Visit<'_>) -> Result<(), Error> {
        let mut found = mem::take(&mut self.found);
        self.component = None;
        if found.positions.is_empty() {
            return Ok(());
        }
        found.searched(self.further);
        let batch = self
            .pool
            .install(|| found.decided(&self.compiled, self.ask, self.every))?;
        visit(batch)
    }

    fn too_large(&self) -> Error {
        let message = format!(
            "pairs connect more than {} documents, which one task decides about",
            self.most
        );
        Error::failed(message).with_option("most-connected").with_help(
            "give executors more memory, about 1 KB a document, and raise `most_connected`; or connect fewer by a higher `threshold`",
        )
    }
}

/// The places of documents in the order in which they stay, the best first: of a batch with `position` and `facts`, in one with
/// `position` and `place`.
///
/// # Errors
/// If a column is missing or of another type.
pub fn places(batches: &[RecordBatch], compiled: &Arc<CompiledOptions>) -> Result<RecordBatch, Error> {
    let mut found = Found::default();
    for batch in batches {
        let read = Read(batch);
        let (positions, facts) = (read.longs("position")?, read.bytes("facts")?);
        for row in 0..batch.num_rows() {
            let number = found.positions.len() as u64;
            found.document(
                positions.value(row),
                (DocumentKind::Full, number.into(), number),
                facts.value(row).unwrap_or_default(),
            )?;
        }
    }
    let numbers: Vec<u32> = (0..).take(found.positions.len()).collect();
    let verified = VerifiedPairs::from_pairs(Arc::clone(compiled), found.documents, Vec::new());
    let places = verified.places(&numbers, &found.table);
    let (mut of, mut at) = (Int64Builder::new(), Int64Builder::new());
    for (position, place) in found.positions.iter().zip(places) {
        of.append_value(*position);
        at.append_value(place.into());
    }
    let arrays: Vec<(&str, DataType, ArrayRef)> = vec![
        ("position", DataType::Int64, Arc::new(of.finish())),
        ("place", DataType::Int64, Arc::new(at.finish())),
    ];
    table::batch(arrays).map_err(|error| table::unfit(&error))
}

impl Found {
    fn document(
        &mut self,
        position: i64,
        document: (DocumentKind, u128, u64),
        facts: &[u8],
    ) -> Result<(), Error> {
        let known: DocumentFacts = postcard::from_bytes(facts)
            .map_err(|_| Error::failed("the facts of a document are not those of this version"))?;
        let number = self.positions.len() as u32; // a component has fewer
        self.table.push(&known);
        self.positions.push(position);
        self.documents.push(document);
        self.facts.push(facts.to_owned());
        self.numbers.insert(position, number);
        Ok(())
    }

    fn pair(
        &mut self,
        ends: [i64; 2],
        similarity: f64,
        estimate: Option<f32>,
        search: usize,
    ) -> Result<(), Error> {
        let number = |position: &i64| {
            self.numbers.get(position).copied().ok_or_else(|| {
                Error::failed(format!("the document at {position} of a pair did not come")).with_help(
                    "positions must be the same each time documents are read: write them to files first",
                )
            })
        };
        let (a, b) = (number(&ends[0])?, number(&ends[1])?);
        self.searched(search);
        self.pairs[search].push(ScoredPair::new(a, b, similarity, estimate));
        Ok(())
    }

    /// Makes room for the pairs of this search and of those before.
    fn searched(&mut self, search: usize) {
        if self.pairs.len() <= search {
            self.pairs.resize_with(search + 1, Vec::new);
        }
    }

    fn decided(self, compiled: &Arc<CompiledOptions>, ask: Ask, every: bool) -> Result<RecordBatch, Error> {
        let Found {
            positions,
            documents,
            mut table,
            facts,
            pairs,
            ..
        } = self;
        table.close();
        let mut pairs = pairs.into_iter();
        let first = pairs.next().unwrap_or_default();
        let verified = VerifiedPairs::from_pairs(Arc::clone(compiled), documents, first);
        let replayed = verified.replay(pairs.collect(), &table);
        match ask {
            Ask::Stay => staying(&replayed, &positions, &facts),
            Ask::Rows => rows(replayed, compiled, &table, &positions, every),
        }
    }
}

fn staying(replayed: &Replayed, positions: &[i64], facts: &[Vec<u8>]) -> Result<RecordBatch, Error> {
    let (mut of, mut texts, mut known) = (Int64Builder::new(), Int64Builder::new(), BinaryBuilder::new());
    for &document in &replayed.stay {
        let text = replayed.outcome.exact_groups.first(document);
        of.append_value(positions[document as usize]);
        texts.append_value(positions[text as usize]);
        known.append_value(&facts[document as usize]);
    }
    of.append_null();
    texts.append_value(replayed.gone.cast_signed());
    known.append_null();
    let arrays: Vec<(&str, DataType, ArrayRef)> = vec![
        ("position", DataType::Int64, Arc::new(of.finish())),
        ("text", DataType::Int64, Arc::new(texts.finish())),
        ("facts", DataType::Binary, Arc::new(known.finish())),
    ];
    table::batch(arrays).map_err(|error| table::unfit(&error))
}

/// The rows of decisions and pairs, as files of Parquet have them.
fn rows(
    replayed: Replayed,
    compiled: &CompiledOptions,
    table: &DocumentTable,
    positions: &[i64],
    every: bool,
) -> Result<RecordBatch, Error> {
    let verdicts = decide(replayed.outcome, compiled, table, None);
    let mut at = Int64Builder::new();
    let mut decisions = ColumnValues::of_kind(RowKind::Decision);
    let mut pairs = ColumnValues::of_kind(RowKind::Pair);
    for decision in &verdicts.outcome.decisions {
        at.append_value(positions[decision.document as usize]);
        let line = RowEncoder::one(Row::Decision(&verdicts.cluster_row(decision)), &Jsonl);
        decisions.add(line.bytes()).map_err(Error::failed)?;
        pairs.add(b"{}").map_err(Error::failed)?;
    }
    let lists = verdicts.pair_lists(every);
    for pair in lists
        .parts(AT_ONCE as u64)
        .flatten()
        .flat_map(|place| lists.list(place))
    {
        at.append_null();
        let line = RowEncoder::one(Row::Pair(&verdicts.pair_row(&pair)), &Jsonl);
        pairs.add(line.bytes()).map_err(Error::failed)?;
        decisions.add(b"{}").map_err(Error::failed)?;
    }
    let mut fields = vec![Arc::new(Field::new("position", DataType::Int64, true))];
    fields.extend(schema_of(RowKind::Decision).fields().iter().cloned());
    fields.extend(schema_of(RowKind::Pair).fields().iter().cloned());
    let unfit = |error| table::unfit(&error);
    let mut arrays: Vec<ArrayRef> = vec![Arc::new(at.finish())];
    arrays.extend(decisions.finish().map_err(unfit)?);
    arrays.extend(pairs.finish().map_err(unfit)?);
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(unfit)
}
