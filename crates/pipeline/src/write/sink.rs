//! Sinks: where rows go, whatever their kind and the format of the file.

use std::io::{self, BufWriter, Write};

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

/// Standard output, or what stands for it.
pub(crate) struct Stream<'a>(BufWriter<&'a mut (dyn Write + Send)>);

impl Write for Stream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Target for Stream<'_> {
    fn failed(&self, error: io::Error) -> Error {
        Error::stdout(error)
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
        to: &'a mut (dyn Write + Send),
        format: &dyn RowFormat,
        single: bool,
        header: Option<&FileHeader>,
    ) -> Result<Self, Error> {
        let to = Stream(BufWriter::with_capacity(64 << 10, to));
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
