//! Sinks: where rows go, whatever their kind and the format of the file.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::error::Error;
use crate::record::Row;
use crate::write::file::{Finished, OutFile};
use crate::write::row_format::{EncodedRows, FileHeader, RowEncoder, RowFormat, RowWriter};

/// What bytes are written to.
pub(crate) trait Target: Write {
    /// The error of this target.
    fn failed(&self, error: io::Error) -> Error;

    /// Counts rows that were written.
    fn count(&mut self, rows: u64);
}

impl Target for OutFile {
    fn failed(&self, error: io::Error) -> Error {
        OutFile::failed(self, error)
    }

    fn count(&mut self, rows: u64) {
        self.count_rows(rows);
    }
}

/// Where a stream of rows goes, and what errors call it.
pub(crate) struct Output<'a> {
    to: &'a mut (dyn Write + Send),
    /// `None` is standard output.
    path: Option<&'a Path>,
}

impl<'a> Output<'a> {
    /// Standard output, or what stands for it.
    pub(crate) fn stream(to: &'a mut (dyn Write + Send)) -> Self {
        Output { to, path: None }
    }

    /// A file that the user named so.
    pub(crate) fn file(to: &'a mut OutFile, path: &'a Path) -> Self {
        Output { to, path: Some(path) }
    }
}

/// An output, buffered.
pub(crate) struct Stream<'a> {
    to: BufWriter<&'a mut (dyn Write + Send)>,
    path: Option<&'a Path>,
}

impl Write for Stream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.to.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl Target for Stream<'_> {
    fn failed(&self, error: io::Error) -> Error {
        match self.path {
            Some(path) => Error::write(path, error),
            None => Error::stdout(error),
        }
    }

    fn count(&mut self, _rows: u64) {}
}

/// Writes rows in one format. It must be finished, since formats may write something after the last row.
pub(crate) struct RowSink<T> {
    to: T,
    encoder: Box<dyn RowEncoder>,
    writer: Box<dyn RowWriter>,
}

impl RowSink<OutFile> {
    /// Writes a list of rows to a file.
    pub(crate) fn file(file: OutFile, format: &dyn RowFormat) -> Result<Self, Error> {
        RowSink::begin(file, format, false, None)
    }

    /// Ends the file and makes it safe on disk, still under its temporary name.
    pub(crate) fn finish(mut self) -> Result<Finished, Error> {
        self.end()?;
        self.to.finish()
    }
}

impl<'a> RowSink<Stream<'a>> {
    /// Writes rows to a stream; `single` tells that there will be one row and no list.
    pub(crate) fn stream(
        output: Output<'a>,
        format: &dyn RowFormat,
        single: bool,
        header: Option<&FileHeader>,
    ) -> Result<Self, Error> {
        let Output { to, path } = output;
        let to = BufWriter::with_capacity(64 << 10, to);
        let to = Stream { to, path };
        RowSink::begin(to, format, single, header)
    }

    /// Ends the rows and hands everything on.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        self.end()?;
        self.flush()
    }
}

impl<T: Target> RowSink<T> {
    fn begin(
        mut to: T,
        format: &dyn RowFormat,
        single: bool,
        header: Option<&FileHeader>,
    ) -> Result<Self, Error> {
        let mut writer = format.writer(single);
        writer.begin(header, &mut to).map_err(|error| to.failed(error))?;
        Ok(RowSink {
            to,
            encoder: format.encoder(),
            writer,
        })
    }

    /// Writes one row.
    pub(crate) fn row(&mut self, row: Row<'_>) -> Result<(), Error> {
        self.encoder.add(row);
        let rows = self.encoder.take();
        self.rows(&rows)
    }

    /// Writes rows that an encoder of the same format has encoded on another thread.
    pub(crate) fn rows(&mut self, rows: &EncodedRows) -> Result<(), Error> {
        self.to.count(rows.count());
        self.writer
            .rows(rows, &mut self.to)
            .map_err(|error| self.to.failed(error))
    }

    /// Hands on what has been written so far.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        self.to.flush().map_err(|error| self.to.failed(error))
    }

    fn end(&mut self) -> Result<(), Error> {
        self.writer
            .end(&mut self.to)
            .map_err(|error| self.to.failed(error))
    }
}
