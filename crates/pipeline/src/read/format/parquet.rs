//! Parquet: column-oriented tables of pages or documents.
//!
//! One reader cuts row groups into ranges of rows, using the footer; threads decode them. Each row becomes
//! a line of JSON with the column names as keys and is parsed like other lines, so that there is only one
//! parser of records.

pub(crate) mod field;
pub(crate) mod json;
pub(crate) mod table;

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

use crate::error::Error;
use crate::exec::panic_guard::catch_panic;
use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Found, Place, Source, WholeFile};
use crate::read::columns::Columns;
use crate::read::files;
use crate::read::line::{Documents, Pages, ReadLine};
use crate::read::rows::{Rows, Visit, Wanted};
use crate::record::{DocumentRecord, PageRecord, Reason, Rejection};
use dehusk_html::narrow;
use json::{Texts, Values};
use table::{NO_FILE, Range, Table};

/// Parquet: pages with `html`, `html_base64` or `path`; documents with `text`. Other columns, including
/// nested ones, become extra fields of a row.
pub struct Parquet;

/// Approximate number of uncompressed bytes of rows in a chunk.
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
        let Some(path) = path.filter(|path| files::address(path).is_some() || path.is_file()) else {
            return Err(Error::usage(NO_FILE));
        };
        match Table::open(path, columns) {
            Ok(table) => table.check(documents, columns),
            Err(_) => Ok(()), // reported when the file is read
        }
    }

    fn open(&self, source: &Arc<Source>, bounds: &Bounds) -> Box<dyn Chunks> {
        let opened = match &source.path {
            Some(path) => Table::open(path, &source.columns),
            None => Err(Rejection::new(Reason::Unreadable, NO_FILE)),
        };
        match opened {
            Err(rejection) => Box::new(WholeFile::new(source, Body::Rejected(rejection))),
            Ok(table) => Box::new(Ranges {
                source: Arc::clone(source),
                ranges: table.ranges(AT_ONCE).into_iter(),
                exact: bounds.exact,
                table: Arc::new(table),
                first: 0,
            }),
        }
    }

    fn pages(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<PageRecord<'_>>)) {
        let base = chunk.source.page_folder();
        each_row(chunk, Wanted::All, &Pages { base }, visit);
    }

    fn documents(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<DocumentRecord<'_>>)) {
        each_row(chunk, Wanted::Documents, &Documents, visit);
    }
}

/// Visits the records of the rows of a chunk. The offset of a row is its number, from 0.
fn each_row<'v, L: ReadLine + 'v>(
    chunk: &Chunk,
    wanted: Wanted,
    reader: &L,
    visit: &'v mut dyn FnMut(Place<'_>, Found<L::Record<'_>>),
) {
    let Body::Rows(rows) = &chunk.body else { return };
    let mut number = chunk.offset;
    rows.each(wanted, &mut |row| {
        let place = Place {
            line: Some(number + 1),
            columns: rows.columns(),
            ..Place::at(number)
        };
        number += 1;
        match row {
            Ok((raw, mended)) => {
                let placed = Place { mended, raw, ..place };
                reader.visit(
                    (placed, false),
                    &chunk.source.columns,
                    None,
                    &mut |place, found| {
                        // A row has no line in the file. For documents the generated line is kept, because later steps read fields from it.
                        let raw = if wanted == Wanted::Documents {
                            place.raw
                        } else {
                            &[]
                        };
                        visit(Place { raw, ..place }, found);
                    },
                );
            }
            Err(why) => visit(place, Found::Rejected(Rejection::new(Reason::BadArchive, why))),
        }
    });
}

/// A file cut into ranges of rows.
struct Ranges {
    source: Arc<Source>,
    table: Arc<Table>,
    ranges: std::vec::IntoIter<Range>,
    exact: bool,
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
            exact: self.exact,
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
    /// `true` if values are written without loss; see [`Values`].
    exact: bool,
}

impl Rows for Part {
    fn count(&self) -> usize {
        narrow::to_usize(self.range.count)
    }

    fn bytes(&self) -> u64 {
        self.range.bytes
    }

    fn columns(&self) -> u16 {
        self.table.columns
    }

    fn each(&self, wanted: Wanted, visit: &mut Visit<'_>) {
        // A second attempt continues after the rows that the first one visited.
        let mut left = self.count();
        let decoded = self
            .decode(wanted, Texts::Strict, &mut left, visit)
            .or_else(|why| {
                // Invalid UTF-8 is the only error that can be recovered without losing rows. It is rare, so lossy decoding is tried last.
                match why.contains("UTF-8") || why.contains("UTF8") {
                    true => self.decode(wanted, Texts::Lossy, &mut left, visit),
                    false => Err(why),
                }
            });
        if let Err(why) = decoded {
            let why = format!("row group {}: {why}", self.range.group);
            // Each row that was not visited is rejected, so that the counts of rows add up.
            (0..left).for_each(|_| visit(Err(&why)));
        }
    }
}

impl Part {
    /// Visits the rows not yet visited, and decrements `left` for each.
    fn decode(
        &self,
        wanted: Wanted,
        texts: Texts,
        left: &mut usize,
        visit: &mut Visit<'_>,
    ) -> Result<(), String> {
        let passed = self.count() - *left;
        let range = Range {
            from: self.range.from + passed as u64,
            count: *left as u64,
            ..self.range
        };
        // A panic of the decoder on malformed data rejects only the rows of this range.
        let mut reader = catch_panic(|| self.table.read(range, wanted, texts)).flatten()?;
        let fields = self.table.wanted(wanted);
        let (mut lines, mut ends) = (Vec::new(), Vec::new());
        while let Some(batch) = catch_panic(|| reader.next())? {
            let batch = batch.map_err(|error| error.to_string())?;
            lines.clear();
            ends.clear();
            for row in 0..batch.num_rows().min(*left) {
                let values = Values {
                    own: self.table.own,
                    exact: self.exact,
                    texts,
                    mended: Cell::default(),
                };
                lines.push(b'{');
                for (column, field) in &fields {
                    values.field(field, batch.column(*column), row, &mut lines);
                }
                lines.push(b'}');
                ends.push((lines.len(), values.mended.get()));
            }
            let mut start = 0;
            for (end, mended) in &ends {
                *left -= 1;
                visit(Ok((&lines[start..*end], *mended)));
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
