//! Parquet: tables by column, of pages or of documents.
//!
//! The one reader cuts row groups into ranges of rows, by what the footer says; threads decode them. A row becomes a line of JSON with
//! our names, and is read as lines are: there is one way from fields to records.

pub(crate) mod field;
pub(crate) mod json;
mod table;

use std::path::Path;
use std::sync::Arc;

use crate::error::Error;
use crate::exec::panic_guard::catch_panic;
use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Found, Place, Source, WholeFile};
use crate::read::columns::Columns;
use crate::read::rows::{Rows, Visit, Wanted};
use crate::record::json as line;
use crate::record::{DocumentRecord, PageRecord, Reason, Rejection};
use json::Values;
use table::{NO_FILE, Range, Table};

/// Parquet: pages with `html`, `html_base64` or `path`; documents with `text`. Columns that are not ours become further fields of a row,
/// nested ones too.
pub struct Parquet;

/// Bytes of rows that threads take at once, about, as they are before compression.
const AT_ONCE: u64 = if cfg!(test) { 16 << 10 } else { 4 << 20 };

impl Format for Parquet {
    fn name(&self) -> &'static str {
        "parquet"
    }

    fn summary(&self) -> &'static str {
        "Apache Parquet: pages with a column `html`, `html_base64` or `path`; documents with `text`"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["parquet"]
    }

    fn begins(&self, first: &[u8]) -> bool {
        first.starts_with(b"PAR1")
    }

    fn has_documents(&self) -> bool {
        true
    }

    fn check(&self, path: Option<&Path>, documents: bool, columns: &Columns) -> Result<(), Error> {
        let Some(path) = path.filter(|path| path.is_file()) else {
            return Err(Error::usage(NO_FILE));
        };
        match Table::open(path, columns) {
            Ok(table) => table.check(documents, columns),
            Err(_) => Ok(()), // told when it is read
        }
    }

    fn open(&self, source: &Arc<Source>, _: &Bounds) -> Box<dyn Chunks> {
        let opened = match &source.path {
            Some(path) => Table::open(path, &source.columns),
            None => Err(Rejection::new(Reason::Unreadable, NO_FILE)),
        };
        match opened {
            Err(rejection) => Box::new(WholeFile::new(source, Body::Rejected(rejection))),
            Ok(table) => Box::new(Ranges {
                source: Arc::clone(source),
                ranges: table.ranges(AT_ONCE).into_iter(),
                table: Arc::new(table),
                first: 0,
            }),
        }
    }

    fn pages(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<PageRecord<'_>>)) {
        let base = chunk.source.path.as_deref().and_then(Path::parent);
        each_row(chunk, Wanted::All, &mut |place, row| {
            visit(place, row.and_then(|row| line::page(row, base, None)).into());
        });
    }

    fn documents(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<DocumentRecord<'_>>)) {
        each_row(chunk, Wanted::Documents, &mut |place, row| {
            let raw = row.as_ref().map_or(&[][..], |row| row);
            let placed = Place { raw, ..place };
            visit(placed, row.and_then(|row| line::document(row, None)).into());
        });
    }
}

/// Takes a row with its place.
type VisitPlaced<'v> = dyn FnMut(Place<'_>, Result<&[u8], Rejection>) + 'v;

/// Visits the rows of a chunk. Its offset is the number of the row, from 0.
fn each_row(chunk: &Chunk, wanted: Wanted, visit: &mut VisitPlaced<'_>) {
    let Body::Rows(rows) = &chunk.body else { return };
    let mut number = chunk.offset;
    rows.each(wanted, &mut |row| {
        let place = Place {
            line: Some(number + 1),
            ..Place::at(number)
        };
        visit(place, row.map_err(|why| Rejection::new(Reason::BadArchive, why)));
        number += 1;
    });
}

/// A file cut into ranges of rows.
struct Ranges {
    source: Arc<Source>,
    table: Arc<Table>,
    ranges: std::vec::IntoIter<Range>,
    /// Number of the next row.
    first: u64,
}

impl Chunks for Ranges {
    fn next(&mut self) -> Option<Chunk> {
        let range = self.ranges.next()?;
        let offset = self.first;
        self.first += range.count;
        let rows = Part {
            table: Arc::clone(&self.table),
            range,
        };
        Some(Chunk::new(
            &self.source,
            offset,
            offset + 1,
            Body::Rows(Box::new(rows)),
        ))
    }
}

/// Rows that are decoded when they are visited.
struct Part {
    table: Arc<Table>,
    range: Range,
}

impl Rows for Part {
    fn count(&self) -> usize {
        self.range.count as usize
    }

    fn bytes(&self) -> u64 {
        self.range.bytes
    }

    fn each(&self, wanted: Wanted, visit: &mut Visit<'_>) {
        let mut left = self.count();
        if let Err(why) = self.decode(wanted, &mut left, visit) {
            let why = format!("row group {}: {why}", self.range.group);
            (0..left).for_each(|_| visit(Err(&why)));
        }
    }
}

impl Part {
    /// Visits rows, counting down those that are left.
    fn decode(&self, wanted: Wanted, left: &mut usize, visit: &mut Visit<'_>) -> Result<(), String> {
        // Whatever a file makes the decoder do costs its rows.
        let mut reader = catch_panic(|| self.table.read(self.range, wanted)).flatten()?;
        let fields = self.table.wanted(wanted);
        let values = Values { own: self.table.own };
        let (mut lines, mut ends) = (Vec::new(), Vec::new());
        while let Some(batch) = catch_panic(|| reader.next())? {
            let batch = batch.map_err(|error| error.to_string())?;
            lines.clear();
            ends.clear();
            for row in 0..batch.num_rows().min(*left) {
                lines.push(b'{');
                for (column, field) in &fields {
                    values.field(field, batch.column(*column), row, &mut lines);
                }
                lines.push(b'}');
                ends.push(lines.len());
            }
            let mut start = 0;
            for end in &ends {
                *left -= 1;
                visit(Ok(&lines[start..*end]));
                start = *end;
            }
        }
        match *left {
            0 => Ok(()),
            left => Err(format!("{left} rows are missing")),
        }
    }
}

#[cfg(test)]
mod tests;
