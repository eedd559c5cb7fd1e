//! Output formats. A format encodes rows on the threads that make them, and combines encoded rows to a file
//! on the thread that writes.

use std::fmt::Debug;
use std::io::{self, Write};

use dehusk_extract::Options;
use serde_json::{Map, Value};

use crate::exec::background::Background;
use crate::read::pass::Worker;
use crate::record::{Row, RowKind};
use crate::write::carried::Carried;
use crate::write::encoded_rows::EncodedRows;

/// Header of a file: program, versions and settings, by name.
pub type FileHeader = Map<String, Value>;

/// A format of output files.
///
/// Each row is encoded by itself, on any thread. The [`RowWriter`] of a file adds what surrounds rows, and combines rows where the format
/// does.
pub trait RowFormat: Debug + Sync {
    /// Name as users type it.
    fn name(&self) -> &'static str;

    /// Description of its files, in one line.
    fn summary(&self) -> &'static str;

    /// File extensions. The first is the extension that output files get.
    fn extensions(&self) -> &'static [&'static str];

    /// Kinds of rows that it can write. Rows of other kinds are ignored.
    fn kinds(&self) -> &'static [RowKind];

    /// Whether its files may be compressed as a whole. `false` for formats that compress by themselves.
    fn compressible(&self) -> bool {
        true
    }

    /// Whether its files are tables with typed columns.
    fn has_columns(&self) -> bool {
        false
    }

    /// How it makes rows from documents that are available as lines of JSON.
    fn of_lines(&self) -> OfLines {
        OfLines::Cannot
    }

    /// Extraction options, changed so that documents have the field that the format writes.
    fn extraction(&self, options: Options) -> Options {
        options
    }

    /// Memory that the writer of a file needs. Zero unless the writer combines rows.
    fn held(&self) -> Held {
        Held::default()
    }

    /// Appends the bytes of a row.
    fn encode(&self, row: Row<'_>, to: &mut Vec<u8>);

    /// A writer that puts encoded rows into one file.
    fn writer(&self, contents: &Contents<'_>) -> Box<dyn RowWriter>;
}

/// Bytes of memory of a writer, unless a single row is larger.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Held {
    /// Bytes gathered for the next block.
    pub gathered: u64,
    /// Bytes of a block that is being encoded, together with its encoded form.
    pub encoded: u64,
    /// Maximum number of encoded blocks that wait. The number of threads limits them, too.
    pub blocks: usize,
}

/// How a format makes rows from documents that are available as lines of JSON, for example documents that are read back.
#[derive(Clone, Copy)]
pub enum OfLines {
    /// The format cannot.
    Cannot,
    /// The rows are these lines, each with its line feed.
    Same,
    /// The function appends the row of a line, which is given without its line feed.
    By(fn(&[u8], &mut Vec<u8>)),
}

impl OfLines {
    /// Adds the row of a line that is given without its line feed.
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

/// Description of the contents of one file.
#[derive(Clone, Copy)]
pub struct Contents<'a> {
    /// Kind of its rows.
    pub kind: RowKind,
    /// Whether it holds a single row instead of a list.
    pub single: bool,
    /// Header of the file; `None` if none is recorded.
    pub header: Option<&'a FileHeader>,
    /// Threads for expensive work.
    pub background: &'a Background,
    /// Columns of the user's tables that documents repeat.
    #[cfg_attr(
        not(feature = "parquet"),
        allow(dead_code, reason = "only tables carry columns")
    )]
    pub(crate) carried: Option<&'a Carried>,
    /// Whether tables have all of our columns, also columns without values.
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

/// Worker of a pass that gathers the rows of each chunk.
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
    /// Writes the bytes before the rows.
    ///
    /// # Errors
    /// If `to` cannot be written to.
    fn begin(&mut self, to: &mut dyn Write) -> io::Result<()>;

    /// Writes a batch, or keeps it until there are enough rows to write.
    ///
    /// # Errors
    /// If `to` cannot be written to.
    fn rows(&mut self, rows: &EncodedRows, to: &mut dyn Write) -> io::Result<()>;

    /// Writes the rows that are still kept, and the bytes after the rows.
    ///
    /// # Errors
    /// If `to` cannot be written to.
    fn end(&mut self, to: &mut dyn Write) -> io::Result<()>;
}

/// Bytes around the rows of a file.
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
    /// Replaces `end` if there are no rows.
    pub(crate) end_of_none: &'static str,
}

/// Writes encoded rows in sequence, with framing bytes around them.
pub(crate) struct Framed {
    framing: Framing,
    /// A line before all other bytes.
    header: Option<String>,
    written: u64,
}

impl Framed {
    /// A writer with these framing bytes.
    pub(crate) fn writer(framing: Framing) -> Box<dyn RowWriter> {
        Framed::with_header(framing, None)
    }

    /// Like [`Framed::writer`], with a line before all other bytes.
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
        // Formats of lines need no bytes between rows, so a batch is one write.
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

/// A writer of texts that are separated by a line with a form feed.
pub(crate) fn form_feeds() -> Box<dyn RowWriter> {
    Framed::writer(Framing {
        between: "\x0c\n",
        ..Framing::default()
    })
}

/// Appends a text, and a line feed unless the text is empty or ends with one.
pub(crate) fn add_lines(text: &str, to: &mut Vec<u8>) {
    to.extend_from_slice(text.as_bytes());
    if !text.is_empty() && !text.ends_with('\n') {
        to.push(b'\n');
    }
}
