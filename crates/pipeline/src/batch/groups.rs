//! Candidate pairs: an engine groups the documents with an equal key word, and the pairs to be compared are returned.
//!
//! The engine counts the members of each word first: [`KeyGroups::share`] says from the counts which groups are complete. Their members
//! come to [`Groups`], one group after another. Members of larger groups are ordered by [`ranked`], on any number of machines.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, Int64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::DataType;
use dehusk_dedup::KeyGroups;

use super::table::{self, Read, Visit};
use crate::error::Error;

/// Makes all pairs of the members of groups. A group may span several batches.
#[derive(Default)]
pub struct Groups {
    word: Option<i64>,
    /// Members of the current group.
    positions: Vec<i64>,
    out: Pairs,
}

/// Pairs gathered into a batch.
#[derive(Default)]
struct Pairs {
    rows: usize,
    a: Int64Builder,
    b: Int64Builder,
    cells: Int64Builder,
}

/// Number of gathered rows at or above which they are passed on.
const ROWS: usize = 1 << 16;

impl Groups {
    /// Takes members: the columns `word`, by which rows are sorted, and `position` of the document.
    ///
    /// `visit` is called with batches of pairs. Their columns are `a` and `b`, the smaller position first, and `cell`, the word of their
    /// group.
    ///
    /// # Errors
    /// If a column is missing or has another type. Also the first error of `visit`.
    pub fn push(&mut self, batch: &RecordBatch, visit: &mut Visit<'_>) -> Result<(), Error> {
        let read = Read(batch);
        let (words, positions) = (read.longs("word")?, read.longs("position")?);
        for row in 0..batch.num_rows() {
            if self.word != Some(words.value(row)) {
                self.end(visit)?;
                self.word = Some(words.value(row));
            }
            self.positions.push(positions.value(row));
        }
        Ok(())
    }

    /// Ends the last group.
    ///
    /// # Errors
    /// The first error of `visit`.
    pub fn finish(&mut self, visit: &mut Visit<'_>) -> Result<(), Error> {
        self.end(visit)?;
        self.out.flush(1, visit)
    }

    /// Adds all pairs of the current group.
    fn end(&mut self, visit: &mut Visit<'_>) -> Result<(), Error> {
        let positions = std::mem::take(&mut self.positions);
        let word = self.word.take().unwrap_or_default();
        for (place, &one) in positions.iter().enumerate() {
            for &other in &positions[place + 1..] {
                self.out.add(one.min(other), one.max(other), word);
            }
            // Pairs grow with the square of the group, so they are passed on within it, too.
            self.out.flush(ROWS, visit)?;
        }
        Ok(())
    }
}

impl Pairs {
    fn add(&mut self, a: i64, b: i64, cell: i64) {
        self.rows += 1;
        self.a.append_value(a);
        self.b.append_value(b);
        self.cells.append_value(cell);
    }

    /// Passes on the gathered rows if there are at least `least`.
    fn flush(&mut self, least: usize, visit: &mut Visit<'_>) -> Result<(), Error> {
        if self.rows < least {
            return Ok(());
        }
        self.rows = 0;
        let arrays: Vec<(&str, DataType, ArrayRef)> = vec![
            ("a", DataType::Int64, Arc::new(self.a.finish())),
            ("b", DataType::Int64, Arc::new(self.b.finish())),
            ("cell", DataType::Int64, Arc::new(self.cells.finish())),
        ];
        visit(table::batch(arrays).map_err(|error| table::unfit(&error))?)
    }
}

/// Sort keys of the members of large groups, row by row; see [`KeyGroups::rank`].
///
/// Reads the columns `word`, `content` and `row`, the kin of a document, and, in a further search, `order`, whose bytes compare in the
/// keeper's order. Returns the columns `lead`, `rank` and `kin`, which compare as bytes. `search` is the number of earlier searches.
///
/// # Errors
/// If a column is missing or has another type, or a row has no `content`.
pub fn ranked(batch: &RecordBatch, groups: KeyGroups, search: u32) -> Result<RecordBatch, Error> {
    let read = Read(batch);
    let (words, contents, rows) = (read.longs("word")?, read.bytes("content")?, read.longs("row")?);
    // The first search leads by content, a further one by the keeper's order.
    let leading = read.bytes(if search > 0 { "order" } else { "content" })?;
    let (mut leads, mut ranks, mut kin) = (BinaryBuilder::new(), BinaryBuilder::new(), BinaryBuilder::new());
    for row in 0..batch.num_rows() {
        let content = contents
            .content(row)
            .ok_or_else(|| read.without_value("content", row))?;
        let (first, second) = groups.rank(words.value(row).cast_unsigned(), content, search);
        leads.append_value(leading.value(row).unwrap_or_default());
        // Big-endian bytes compare like the numbers.
        ranks.append_value([&first.to_be_bytes()[..], &second.to_be_bytes()[..]].concat());
        let turned = groups.turned(
            words.value(row).cast_unsigned(),
            rows.value(row).cast_unsigned(),
            search,
        );
        kin.append_value([&turned.to_be_bytes()[..], &content.to_be_bytes()[..]].concat());
    }
    let arrays: Vec<(&str, DataType, ArrayRef)> = vec![
        ("lead", DataType::Binary, Arc::new(leads.finish())),
        ("rank", DataType::Binary, Arc::new(ranks.finish())),
        ("kin", DataType::Binary, Arc::new(kin.finish())),
    ];
    table::batch(arrays).map_err(|error| table::unfit(&error))
}
