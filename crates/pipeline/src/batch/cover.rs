//! Which documents go, by the keeper's order of the pairs' documents.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::builder::Int64Builder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::DataType;

use super::table::{self, Read};
use crate::error::Error;

/// Goes through texts in the order in which they stay: a text goes if it is a pair of an earlier one that stays.
///
/// What stays is the greedy independent set, as on one machine. Only the positions of texts that go are kept, about 16 bytes each.
#[derive(Default)]
pub struct Cover {
    gone: HashSet<i64>,
}

impl Cover {
    /// Takes pairs, with the positions of both texts: the `winner` comes first in the keeper's order. Rows are sorted by the place of the
    /// `loser` in that order. What comes out are the texts that go, in a column `text`.
    ///
    /// # Errors
    /// If a column is missing or of another type.
    pub fn push(&mut self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let read = Read(batch);
        let (losers, winners) = (read.longs("loser")?, read.longs("winner")?);
        let mut gone = Int64Builder::new();
        for (&loser, winner) in losers.values().iter().zip(winners.values()) {
            // All rows in which the winner loses have come: it is decided.
            if !self.gone.contains(winner) && self.gone.insert(loser) {
                gone.append_value(loser);
            }
        }
        let arrays: Vec<(&str, DataType, ArrayRef)> =
            vec![("text", DataType::Int64, Arc::new(gone.finish()))];
        table::batch(arrays).map_err(|error| table::unfit(&error))
    }
}
