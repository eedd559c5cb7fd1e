//! What a format of output files is: it encodes rows on the threads that make them, and puts encoded rows into a file on the
//! thread that writes.

use std::fmt::Debug;
use std::io::{self, Write};

use dehusk_extract::Options;
use serde_json::{Map, Value};

use crate::exec::background::Background;
use crate::read::pass::Worker;
use crate::record::{Row, RowKind};
use crate::write::carried::Carried;
use crate::write::encoded_rows::EncodedRows;

/// What a file says of where it comes from: program, versions and settings, by name.
pub type FileHeader = Map<String, Value>;

/// A format of output files.
///
/// Each row is encoded by itself, wherever it was made. What a file has beside them, and what it makes of many rows together, is
/// the business of its writer.
pub trait RowFormat: Debug + Sync {
    /// Name as users type it.
    fn name(&self) -> &'static str;

    /// What its files are, in one line.
    fn summary(&self) -> &'static str;

    /// Extensions of its files, those that we give them first.
    fn extensions(&self) -> &'static [&'static str];

    /// Kinds of rows that it can write; others leave no trace in its files.
    fn kinds(&self) -> &'static [RowKind];

    /// Whether its files may be compressed as a whole.
    fn compressible(&self) -> bool {
        true
    }

    /// Whether its files are tables, whose columns have types.
    fn has_columns(&self) -> bool {
        false
    }

    /// How it makes rows of documents that are there as lines of JSON.
    fn of_lines(&self) -> OfLines {
        OfLines::Cannot
    }

    /// Options of extraction, changed so that documents have the field that is written.
    fn extraction(&self, options: Options) -> Options {
        options
    }

    /// What the writer of a file holds: nothing, unless it puts many rows together.
    fn held(&self) -> Held {
        Held::default()
    }

    /// Appends the bytes of a row.
    fn encode(&self, row: Row<'_>, to: &mut Vec<u8>);

    /// What puts encoded rows into one file.
    fn writer(&self, contents: &Contents<'_>) -> Box<dyn RowWriter>;
}

/// Bytes of memory of a writer, as long as no single row is larger.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Held {
    /// What is gathered of the next block.
    pub gathered: u64,
    /// A block that is encoded, with what it becomes.
    pub encoded: u64,
    /// Most blocks that are encoded at once, beside one for each thread.
    pub blocks: usize,
}

/// How a format makes rows of documents that are there as lines of JSON, such as those that are read again.
#[derive(Clone, Copy)]
pub enum OfLines {
    /// It cannot.
    Cannot,
    /// Its rows are such lines, each with its line feed.
    Same,
    /// This appends the row of a line, which comes without its line feed.
    By(fn(&[u8], &mut Vec<u8>)),
}

impl OfLines {
    /// Adds the row of a line that comes without its line feed.
    pub(crate) fn add(self, line: &[u8], to: &mut EncodedRows) {
        match self {
            OfLines::Cannot => {}
            OfLines::Same => to.push(|to| {
                to.extend_from_slice(line);
                to.push(b'\n');
            }),
            OfLines::By(encode) => to.push(|to| encode(line, to)),
        }
    }
}

/// What one file is to hold.
#[derive(Clone, Copy)]
pub struct Contents<'a> {
    /// The kind of its rows.
    pub kind: RowKind,
    /// Whether it holds one row and no list.
    pub single: bool,
    /// Where it comes from, if that is told.
    pub header: Option<&'a FileHeader>,
    /// Threads for what takes long.
    pub background: &'a Background,
    /// Columns of the user's tables that documents have again.
    #[cfg_attr(
        not(feature = "parquet"),
        allow(dead_code, reason = "only tables carry columns")
    )]
    pub(crate) carried: Option<&'a Carried>,
    /// Whether tables have all columns of ours, be there values for them or not.
    pub all_columns: bool,
}

/// Encodes rows on one thread.
pub struct RowEncoder {
    format: &'static dyn RowFormat,
    rows: EncodedRows,
}

impl RowEncoder {
    /// An encoder of this format.
    pub fn new(format: &'static dyn RowFormat) -> Self {
        RowEncoder {
            format,
            rows: EncodedRows::default(),
        }
    }

    /// A batch of one row.
    pub(crate) fn one(row: Row<'_>, format: &'static dyn RowFormat) -> EncodedRows {
        let mut encoder = RowEncoder::new(format);
        encoder.add(row);
        encoder.take()
    }

    /// Adds a row to the batch.
    pub fn add(&mut self, row: Row<'_>) {
        self.rows.push(|to| self.format.encode(row, to));
    }

    /// Hands out the batch and begins the next one.
    pub fn take(&mut self) -> EncodedRows {
        std::mem::take(&mut self.rows)
    }
}

/// A thread of a pass that gathers the rows of each chunk.
impl Worker for RowEncoder {
    type Sum = EncodedRows;

    fn take_sum(&mut self) -> EncodedRows {
        self.take()
    }

    fn recover(&mut self) {
        self.rows.recover();
    }
}

/// Puts encoded rows into one file.
pub trait RowWriter: Send {
    /// Writes what stands before the rows.
    ///
    /// # Errors
    /// If `to` cannot be written to.
    fn begin(&mut self, to: &mut dyn Write) -> io::Result<()>;

    /// Writes a batch, or keeps it until there is enough to write.
    ///
    /// # Errors
    /// If `to` cannot be written to.
    fn rows(&mut self, rows: &EncodedRows, to: &mut dyn Write) -> io::Result<()>;

    /// Writes what is left, and what stands after the rows.
    ///
    /// # Errors
    /// If `to` cannot be written to.
    fn end(&mut self, to: &mut dyn Write) -> io::Result<()>;
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
}

/// Writes rows one after the other.
pub(crate) struct Framed {
    framing: Framing,
    /// A line before everything else.
    header: Option<String>,
    written: u64,
}

impl Framed {
    pub(crate) fn writer(framing: Framing) -> Box<dyn RowWriter> {
        Framed::with_header(framing, None)
    }

    /// The same with a line before everything else.
    pub(crate) fn with_header(framing: Framing, header: Option<String>) -> Box<dyn RowWriter> {
        Box::new(Framed {
            framing,
            header,
            written: 0,
        })
    }
}

impl RowWriter for Framed {
    fn begin(&mut self, to: &mut dyn Write) -> io::Result<()> {
        if let Some(header) = &self.header {
            to.write_all(header.as_bytes())?;
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
            return to.write_all(rows.bytes());
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
