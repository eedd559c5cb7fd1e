//! Documents with an equal word, brought together by an engine, to the pairs that are compared.

use std::sync::Arc;

use arrow_array::builder::Int64Builder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::DataType;
use dehusk_dedup::{GroupMember, KeyGroups};
use xxhash_rust::xxh3::xxh3_64;

use super::table::{self, Read};
use crate::error::Error;

/// Makes pairs of the members of groups, which come group by group in batches; a group may end in a later batch than it begins in.
pub struct Groups {
    groups: KeyGroups,
    /// Searches before this one.
    search: u32,
    /// Whether members come with their contents.
    known: bool,
    word: Option<i64>,
    positions: Vec<i64>,
    members: Vec<GroupMember>,
    out: Pairs,
}

#[derive(Default)]
struct Pairs {
    rows: usize,
    a: Int64Builder,
    b: Int64Builder,
    cells: Int64Builder,
}

/// Members of a large group whose pairs have a cell in common, about.
const CELL: usize = 1000;

/// Rows of a batch that is handed out.
const ROWS: usize = 1 << 16;

impl Groups {
    /// For groups of these settings. In the first `search`, 0, members are led by their content hashes; in later ones by their places.
    #[must_use]
    pub fn new(groups: KeyGroups, search: u32) -> Self {
        Groups {
            groups,
            search,
            known: true,
            word: None,
            positions: Vec::new(),
            members: Vec::new(),
            out: Pairs::default(),
        }
    }

    /// Takes members: the columns `word`, by which they are sorted, `position` of the document, `content`, `row`, and in later searches
    /// `place`. Groups that are not too large need neither `content` nor `row`; of others, without these no pair comes. `visit` gets batches of pairs with the columns `a` and `b`, the smaller position first, and `cell`, which pairs of the
    /// same documents have in common, of about a thousand of them; and of groups that were too large for all pairs, a row for each
    /// member with its position in `a`, nothing in `b`, and the word as its cell.
    ///
    /// # Errors
    /// If a column is missing or of another type, or the first one of `visit`.
    pub fn push(
        &mut self,
        batch: &RecordBatch,
        visit: &mut dyn FnMut(RecordBatch) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let read = Read(batch);
        let (words, positions) = (read.longs("word")?, read.longs("position")?);
        let known = batch.column_by_name("content").is_some();
        let contents = known.then(|| read.bytes("content")).transpose()?;
        let rows = known.then(|| read.longs("row")).transpose()?;
        self.known = known;
        let places = (self.search > 0).then(|| read.longs("place")).transpose()?;
        for row in 0..batch.num_rows() {
            if self.word != Some(words.value(row)) {
                self.end(visit)?;
                self.word = Some(words.value(row));
            }
            let place = places.map_or(0, |places| places.value(row));
            self.positions.push(positions.value(row));
            self.members.push(GroupMember {
                content: contents
                    .and_then(|contents| contents.content(row))
                    .unwrap_or_default(),
                row: rows.map_or(0, |rows| rows.value(row).cast_unsigned()),
                place: u32::try_from(place).unwrap_or(u32::MAX),
            });
        }
        Ok(())
    }

    /// Ends the last group.
    ///
    /// # Errors
    /// The first one of `visit`.
    pub fn finish(&mut self, visit: &mut dyn FnMut(RecordBatch) -> Result<(), Error>) -> Result<(), Error> {
        self.end(visit)?;
        self.out.flush(visit)
    }

    fn end(&mut self, visit: &mut dyn FnMut(RecordBatch) -> Result<(), Error>) -> Result<(), Error> {
        let (Some(word), members) = (self.word.take(), std::mem::take(&mut self.members)) else {
            return Ok(());
        };
        let (positions, out) = (std::mem::take(&mut self.positions), &mut self.out);
        let mut failed = Ok(());
        let caps = self.groups.caps(members.len());
        if members.len() > 1 && (self.known || !caps) {
            self.groups
                .pairs(word.cast_unsigned(), &members, self.search, |a, b| {
                    let (a, b) = (positions[a], positions[b]);
                    // Of a large group the second one is compared with a few, which come into many cells.
                    let cell = if caps {
                        part_of(word, b, members.len())
                    } else {
                        word
                    };
                    out.add(a.min(b), Some(a.max(b)), cell);
                    if out.rows >= ROWS && failed.is_ok() {
                        failed = out.flush(visit);
                    }
                });
        }
        failed?;
        if caps {
            positions.iter().for_each(|member| out.add(*member, None, word));
        }
        if out.rows >= ROWS {
            out.flush(visit)?;
        }
        Ok(())
    }
}

/// A part of a large group, by the position of a member.
fn part_of(word: i64, position: i64, members: usize) -> i64 {
    let parts = (members / CELL).max(1) as u64;
    let part = xxh3_64(&position.to_le_bytes()) % parts;
    xxh3_64(&[word.to_le_bytes(), part.to_le_bytes()].concat()).cast_signed()
}

impl Pairs {
    fn add(&mut self, a: i64, b: Option<i64>, cell: i64) {
        self.rows += 1;
        self.a.append_value(a);
        self.b.append_option(b);
        self.cells.append_value(cell);
    }

    fn flush(&mut self, visit: &mut dyn FnMut(RecordBatch) -> Result<(), Error>) -> Result<(), Error> {
        if std::mem::take(&mut self.rows) == 0 {
            return Ok(());
        }
        let arrays: Vec<(&str, DataType, ArrayRef)> = vec![
            ("a", DataType::Int64, Arc::new(self.a.finish())),
            ("b", DataType::Int64, Arc::new(self.b.finish())),
            ("cell", DataType::Int64, Arc::new(self.cells.finish())),
        ];
        visit(table::batch(arrays).map_err(|error| table::unfit(&error))?)
    }
}
