//! Selection of the documents that are removed, in the keeper's order of pairs.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::builder::Int64Builder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::DataType;

use super::table::{self, Read};
use crate::error::Error;

/// Visits texts in the order in which the keeper prefers them. A text is removed if it is in a pair with an
/// earlier text that is kept.
///
/// The kept texts are the greedy independent set, as in the search on one machine. Only the positions of
/// removed texts are stored, about 16 bytes each.
#[derive(Default)]
pub struct Cover {
    gone: HashSet<i64>,
}

impl Cover {
    /// Takes pairs as positions of both texts; the `winner` comes first in the keeper's order.
    ///
    /// Rows must be sorted by the place of the `loser` in that order. Returns the removed texts, in a
    /// column `text`.
    ///
    /// # Errors
    /// If a column is missing or has another type.
    pub fn push(&mut self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let read = Read(batch);
        let (losers, winners) = (read.longs("loser")?, read.longs("winner")?);
        let mut gone = Int64Builder::new();
        for (&loser, winner) in losers.values().iter().zip(winners.values()) {
            // Rows are sorted by loser, so every row in which this winner loses was seen before.
            if !self.gone.contains(winner) && self.gone.insert(loser) {
                gone.append_value(loser);
            }
        }
        let arrays: Vec<(&str, DataType, ArrayRef)> =
            vec![("text", DataType::Int64, Arc::new(gone.finish()))];
        table::batch(arrays).map_err(|error| table::unfit(&error))
    }
}
