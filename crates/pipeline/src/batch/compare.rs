//! Verification of candidate pairs: an engine joins them with their texts, and the similar pairs are returned.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{Float32Builder, Float64Builder, Int64Builder};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use dehusk_dedup::{KeyGroups, Matcher};

use super::table::{self, Read};
use crate::error::Error;
use crate::exec::panic_guard::catch_panic;
use crate::kernel::sign::Signer;

/// Compares pairs cell by cell. A cell may span several batches.
pub struct Comparer {
    signer: Signer,
    matcher: Matcher,
    groups: KeyGroups,
    cell: Option<i64>,
    /// The texts of the current cell, by position.
    texts: HashMap<i64, Compared>,
}

/// Signature words and features of a text.
struct Compared {
    words: Vec<u64>,
    features: Vec<u64>,
}

impl Comparer {
    /// Creates a comparer of texts signed by `signer`, with the same settings as `matcher` and `groups`.
    #[must_use]
    pub fn new(signer: Signer, matcher: Matcher, groups: KeyGroups) -> Self {
        Comparer {
            signer,
            matcher,
            groups,
            cell: None,
            texts: HashMap::new(),
        }
    }

    /// Takes rows sorted by `cell`, and within a cell rows with a null `b` first.
    ///
    /// These rows are texts, with position `a` and `text`. The other rows are pairs of positions `a` and `b`. Returns the pairs that are
    /// similar enough: `a`, `b`, `similarity` and `estimate`.
    ///
    /// # Errors
    /// If a column is missing or has another type, or if a pair precedes one of its texts.
    pub fn push(&mut self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let read = Read(batch);
        let (cells, firsts, seconds) = (read.longs("cell")?, read.longs("a")?, read.longs("b")?);
        let texts = read.texts("text")?;
        let (mut a, mut b) = (Int64Builder::new(), Int64Builder::new());
        let (mut similarities, mut estimates) = (Float64Builder::new(), Float32Builder::new());
        for row in 0..batch.num_rows() {
            if self.cell != Some(cells.value(row)) {
                // Rows are sorted by cell, so the texts of the last one are not needed again.
                self.texts.clear();
                self.cell = Some(cells.value(row));
            }
            let first = firsts.value(row);
            if !seconds.is_valid(row) {
                let text = texts.value(row).unwrap_or_default();
                self.add(first, text)?;
                continue;
            }
            let second = seconds.value(row);
            let (one, other) = (self.text(first)?, self.text(second)?);
            // Pairs below the threshold are dropped.
            let Some(similarity) = self.matcher.compare(&one.features, &other.features) else {
                continue;
            };
            let equal = KeyGroups::common(&one.words, &other.words);
            a.append_value(first);
            b.append_value(second);
            similarities.append_value(similarity);
            #[expect(clippy::cast_possible_truncation, reason = "estimates are columns of f32")]
            estimates.append_option(self.matcher.estimate(equal).map(|estimate| estimate as f32));
        }
        let arrays: Vec<(&str, DataType, ArrayRef)> = vec![
            ("a", DataType::Int64, Arc::new(a.finish())),
            ("b", DataType::Int64, Arc::new(b.finish())),
            ("similarity", DataType::Float64, Arc::new(similarities.finish())),
            ("estimate", DataType::Float32, Arc::new(estimates.finish())),
        ];
        table::batch(arrays).map_err(|error| table::unfit(&error))
    }

    /// Signs a text of the current cell.
    fn add(&mut self, position: i64, text: &str) -> Result<(), Error> {
        let signer = &mut self.signer;
        let signed = catch_panic(|| signer.sign(text)).map_err(|panic| {
            self.signer.reset();
            Error::failed(format!("the document at {position} cannot be signed: {panic}"))
        })?;
        let words = self.groups.words(&signed.keys);
        let features = signed.features;
        self.texts.insert(position, Compared { words, features });
        Ok(())
    }

    /// Returns a text of the current cell.
    fn text(&self, position: i64) -> Result<&Compared, Error> {
        self.texts.get(&position).ok_or_else(|| {
            Error::failed(format!("the text of the document at {position} did not come")).with_help(
                "positions must be the same each time documents are read: write them to files first",
            )
        })
    }
}
