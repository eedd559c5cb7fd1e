//! What a format of output files is: it encodes rows on the threads that make them, and puts encoded rows into a file on the
//! thread that writes.

use std::fmt::Debug;
use std::io::{self, Write};

use dehusk_extract::Options;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::read::pass::Worker;
use crate::record::{Row, RowKind};

/// What a file says of where it comes from: program, versions and settings, by name.
pub type FileHeader = Map<String, Value>;

/// A format of output files.
///
/// Rows arrive in batches, in order. A format of lines encodes each row by itself; one of columns may encode a batch as a
/// whole.
pub trait RowFormat: Debug + Sync {
    /// Name as users type it.
    fn name(&self) -> &'static str;

    /// What its files are, in one line.
    fn summary(&self) -> &'static str;

    /// Kinds of rows that it can write; others leave no trace in its files.
    fn kinds(&self) -> &'static [RowKind];

    /// Options of extraction, changed so that documents have the field that is written.
    fn extraction(&self, options: Options) -> Options {
        options
    }

    /// What encodes rows on one thread.
    fn encoder(&self) -> Box<dyn RowEncoder>;

    /// What puts encoded rows into one file; `single` tells that it will hold one row and no list.
    fn writer(&self, single: bool) -> Box<dyn RowWriter>;
}

/// Encodes rows on one thread.
pub trait RowEncoder: Send {
    /// Adds a row to the batch.
    fn add(&mut self, row: Row<'_>);

    /// Hands out the batch and begins the next one.
    fn take(&mut self) -> EncodedRows;

    /// Drops what is left of a row whose encoding panicked.
    fn recover(&mut self);
}

/// Puts encoded rows into one file.
pub trait RowWriter: Send {
    /// Writes what stands before the rows. A format without a place for a header leaves it out.
    ///
    /// # Errors
    /// If `to` cannot be written to.
    fn begin(&mut self, header: Option<&FileHeader>, to: &mut dyn Write) -> io::Result<()>;

    /// Writes a batch.
    ///
    /// # Errors
    /// If `to` cannot be written to.
    fn rows(&mut self, rows: &EncodedRows, to: &mut dyn Write) -> io::Result<()>;

    /// Writes what stands after the rows.
    ///
    /// # Errors
    /// If `to` cannot be written to.
    fn end(&mut self, to: &mut dyn Write) -> io::Result<()>;
}

/// A batch of rows in the bytes of a format.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EncodedRows {
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    /// Where each row ends.
    ends: Vec<usize>,
}

impl EncodedRows {
    /// A batch of one row.
    pub(crate) fn one(bytes: Vec<u8>) -> Self {
        EncodedRows {
            ends: vec![bytes.len()],
            bytes,
        }
    }

    /// The batch of one row that `format` makes of it.
    pub(crate) fn of(row: Row<'_>, format: &dyn RowFormat) -> Self {
        let mut encoder = format.encoder();
        encoder.add(row);
        encoder.take()
    }

    /// Adds the rows of another batch.
    pub(crate) fn append(&mut self, other: &EncodedRows) {
        let before = self.bytes.len();
        self.bytes.extend_from_slice(&other.bytes);
        self.ends.extend(other.ends.iter().map(|end| before + end));
    }

    /// Number of rows.
    pub fn count(&self) -> u64 {
        self.ends.len() as u64
    }

    /// The bytes of all rows.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of each row.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .map(|(start, end)| &self.bytes[start..*end])
    }
}

/// A thread of a pass that gathers rows that are encoded already.
impl Worker for EncodedRows {
    type Sum = EncodedRows;

    fn take_sum(&mut self) -> EncodedRows {
        std::mem::take(self)
    }

    fn recover(&mut self) {}
}

/// A thread of a pass that gathers the rows of each chunk.
impl Worker for Box<dyn RowEncoder> {
    type Sum = EncodedRows;

    fn take_sum(&mut self) -> EncodedRows {
        self.as_mut().take()
    }

    fn recover(&mut self) {
        self.as_mut().recover();
    }
}

/// Encodes rows one by one: what formats of lines and of texts share.
pub(crate) struct RowByRow {
    encode: fn(Row<'_>, &mut Vec<u8>),
    rows: EncodedRows,
}

impl RowByRow {
    /// An encoder that appends the bytes of a row by `encode`.
    pub(crate) fn encoder(encode: fn(Row<'_>, &mut Vec<u8>)) -> Box<dyn RowEncoder> {
        Box::new(RowByRow {
            encode,
            rows: EncodedRows::default(),
        })
    }
}

impl RowEncoder for RowByRow {
    fn add(&mut self, row: Row<'_>) {
        (self.encode)(row, &mut self.rows.bytes);
        self.rows.ends.push(self.rows.bytes.len());
    }

    fn take(&mut self) -> EncodedRows {
        std::mem::take(&mut self.rows)
    }

    fn recover(&mut self) {
        self.rows
            .bytes
            .truncate(self.rows.ends.last().copied().unwrap_or(0));
    }
}

/// Bytes around rows that stand one after the other in a file.
#[derive(Clone, Copy, Default)]
pub(crate) struct Framing {
    /// Before everything else.
    pub(crate) begin: &'static str,
    /// Before the first row.
    pub(crate) before_first: &'static str,
    /// Between two rows.
    pub(crate) between: &'static str,
    /// After the last row.
    pub(crate) end: &'static str,
    /// In the place of `end` if there are no rows.
    pub(crate) end_of_none: &'static str,
    /// The line of a header, if the format has a place for one.
    pub(crate) header: Option<fn(&FileHeader) -> String>,
}

/// Writes rows one after the other.
pub(crate) struct Framed {
    framing: Framing,
    written: u64,
}

impl Framed {
    pub(crate) fn writer(framing: Framing) -> Box<dyn RowWriter> {
        Box::new(Framed { framing, written: 0 })
    }
}

impl RowWriter for Framed {
    fn begin(&mut self, header: Option<&FileHeader>, to: &mut dyn Write) -> io::Result<()> {
        if let (Some(header), Some(line)) = (header, self.framing.header) {
            to.write_all(line(header).as_bytes())?;
            to.write_all(b"\n")?;
        }
        to.write_all(self.framing.begin.as_bytes())
    }

    fn rows(&mut self, rows: &EncodedRows, to: &mut dyn Write) -> io::Result<()> {
        let Framing {
            before_first,
            between,
            ..
        } = self.framing;
        if before_first.is_empty() && between.is_empty() {
            self.written += rows.count();
            return to.write_all(&rows.bytes);
        }
        for row in rows.iter() {
            let before = if self.written == 0 { before_first } else { between };
            to.write_all(before.as_bytes())?;
            to.write_all(row)?;
            self.written += 1;
        }
        Ok(())
    }

    fn end(&mut self, to: &mut dyn Write) -> io::Result<()> {
        let end = match self.written {
            0 => self.framing.end_of_none,
            _ => self.framing.end,
        };
        to.write_all(end.as_bytes())
    }
}

/// Writes texts with a line between them that holds a form feed.
pub(crate) fn form_feeds() -> Box<dyn RowWriter> {
    Framed::writer(Framing {
        between: "\x0c\n",
        ..Framing::default()
    })
}

/// Adds a text, which ends with a line end unless it is empty.
pub(crate) fn add_lines(text: &str, to: &mut Vec<u8>) {
    to.extend_from_slice(text.as_bytes());
    if !text.is_empty() && !text.ends_with('\n') {
        to.push(b'\n');
    }
}
