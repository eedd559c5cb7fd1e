//! Candidate pairs: an engine groups the documents with an equal key word, and the pairs to be compared are returned.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, Int64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::DataType;
use dehusk_dedup::KeyGroups;

use super::table::{self, Read, Visit};
use crate::error::Error;

/// Makes pairs of the members of groups. A group may span several batches.
///
/// Members of a group that is too large for all of its pairs are passed on one by one, and none of them is kept. The engine chooses the
/// pairs of such groups with [`ranked`], on any number of machines.
pub struct Groups {
    groups: KeyGroups,
    word: Option<i64>,
    /// Members of the current group; empty if it is too large.
    positions: Vec<i64>,
    too_large: bool,
    out: Pairs,
}

#[derive(Default)]
struct Pairs {
    rows: usize,
    a: Int64Builder,
    b: Int64Builder,
    cells: Int64Builder,
}

/// Number of rows from which on a batch is passed on.
const ROWS: usize = 1 << 16;

impl Groups {
    /// An empty state for groups with these settings.
    #[must_use]
    pub fn new(groups: KeyGroups) -> Self {
        Groups {
            groups,
            word: None,
            positions: Vec::new(),
            too_large: false,
            out: Pairs::default(),
        }
    }

    /// Takes members: the columns `word`, by which rows are sorted, and `position` of the document.
    ///
    /// `visit` is called with batches of pairs. Their columns are `a` and `b`, the smaller position first, and `cell`, the word of their
    /// group. For a group that is too large for all pairs, there is a row for each member, with its position in `a`, null in `b`, and the
    /// word as `cell`.
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
            if self.too_large || self.groups.caps(self.positions.len()) {
                self.too_large = true;
                for position in self.positions.drain(..) {
                    self.out.add(position, None, words.value(row));
                }
                self.out.flush(ROWS, visit)?;
            }
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

    fn end(&mut self, visit: &mut Visit<'_>) -> Result<(), Error> {
        self.too_large = false;
        let positions = std::mem::take(&mut self.positions);
        let word = self.word.take().unwrap_or_default();
        for (place, &one) in positions.iter().enumerate() {
            for &other in &positions[place + 1..] {
                self.out.add(one.min(other), Some(one.max(other)), word);
            }
            self.out.flush(ROWS, visit)?;
        }
        Ok(())
    }
}

impl Pairs {
    fn add(&mut self, a: i64, b: Option<i64>, cell: i64) {
        self.rows += 1;
        self.a.append_value(a);
        self.b.append_option(b);
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
/// Reads the columns `word` and `content`, and, in a further search, `order`, whose bytes compare in the keeper's order. Returns the
/// columns `lead` and `rank`, which compare as bytes. `search` is the number of earlier searches.
///
/// # Errors
/// If a column is missing or has another type.
pub fn ranked(batch: &RecordBatch, groups: KeyGroups, search: u32) -> Result<RecordBatch, Error> {
    let read = Read(batch);
    let (words, contents) = (read.longs("word")?, read.bytes("content")?);
    let leading = read.bytes(if search > 0 { "order" } else { "content" })?;
    let (mut leads, mut ranks) = (BinaryBuilder::new(), BinaryBuilder::new());
    for row in 0..batch.num_rows() {
        let content = contents.content(row).unwrap_or_default();
        let (first, second) = groups.rank(words.value(row).cast_unsigned(), content, search);
        leads.append_value(leading.value(row).unwrap_or_default());
        ranks.append_value([&first.to_be_bytes()[..], &second.to_be_bytes()[..]].concat());
    }
    let arrays: Vec<(&str, DataType, ArrayRef)> = vec![
        ("lead", DataType::Binary, Arc::new(leads.finish())),
        ("rank", DataType::Binary, Arc::new(ranks.finish())),
    ];
    table::batch(arrays).map_err(|error| table::unfit(&error))
}
