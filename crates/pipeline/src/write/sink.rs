//! Sinks write rows of any kind to a stream or to files, in any format and compression.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use dehusk_html::narrow;

use crate::error::Error;
use crate::job::Job;
use crate::read::inputs::{Inputs, RecordKind};
use crate::record::{Row, RowKind};
use crate::write::compressor::Compressor;
use crate::write::encoded_rows::EncodedRows;
use crate::write::file::Finished;
use crate::write::file_form::FileForm;
use crate::write::row_format::{FileHeader, OfLines, RowFormat, RowWriter};
use crate::write::shards::Shards;

/// Destination of rows, as chosen by the user.
pub(crate) enum Destination<'a> {
    /// Standard output, or a stream in its place.
    Stream(&'a mut (dyn Write + Send)),
    /// The file at this path, which appears when it is complete.
    File(&'a Path),
}

/// Target of the bytes.
enum Output<'a> {
    Stream(BufWriter<&'a mut (dyn Write + Send)>),
    Files(Shards),
}

impl Output<'_> {
    /// Error for a failed write to this output.
    fn failed(&mut self, error: io::Error) -> Error {
        match self {
            Output::Stream(_) => Error::stdout(error),
            Output::Files(files) => files.current().failed(error),
        }
    }
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stream(to) => to.write(bytes),
            Output::Files(files) => Write::write(files.current(), bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Stream(to) => to.flush(),
            Output::Files(_) => Ok(()),
        }
    }
}

/// An output behind a compressor.
struct Compressed<'c, 'a> {
    compressor: &'c mut Compressor,
    to: &'c mut Output<'a>,
}

impl Write for Compressed<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The compressor takes all bytes at once.
        self.compressor.write(bytes, self.to)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes rows in one format. Call `finish` at the end, since formats may write bytes after the last row.
pub(crate) struct RowSink<'a> {
    to: Output<'a>,
    form: FileForm,
    kind: RowKind,
    single: bool,
    header: Option<FileHeader>,
    writer: Box<dyn RowWriter>,
    compressor: Option<Compressor>,
    /// Bytes of rows in the current file.
    size: u64,
}

/// Opens the user's destination, and returns the form of its files.
fn opened<'a>(
    to: Destination<'a>,
    job: &Job<'_>,
    format: &'static dyn RowFormat,
) -> Result<(Output<'a>, FileForm), Error> {
    Ok(match to {
        Destination::Stream(to) => {
            let form = FileForm::stream(job.settings, format)?;
            (Output::Stream(BufWriter::with_capacity(64 << 10, to)), form)
        }
        Destination::File(path) => {
            let form = FileForm::file(job.settings, format, path)?;
            let files = Shards::create(path, form.shard_size.is_some(), job.cancel)?;
            (Output::Files(files), form)
        }
    })
}

impl<'a> RowSink<'a> {
    /// Opens a sink at the user's destination. `single` means that there will be exactly one row instead of a list.
    pub(crate) fn open(
        to: Destination<'a>,
        job: &Job<'_>,
        format: &'static dyn RowFormat,
        kind: RowKind,
        single: bool,
        header: Option<&FileHeader>,
    ) -> Result<Self, Error> {
        let (to, form) = opened(to, job, format)?;
        RowSink::begin(to, form, kind, single, header)
    }

    /// Like [`RowSink::open`], for documents of pages, whose tables repeat columns of `inputs`.
    pub(crate) fn of_pages(
        to: Destination<'a>,
        job: &Job<'_>,
        format: &'static dyn RowFormat,
        (single, header): (bool, Option<&FileHeader>),
        inputs: &Inputs,
    ) -> Result<Self, Error> {
        // The form is completed before the sink begins, which makes the writer of the first file.
        let (to, form) = opened(to, job, format)?;
        let form = form.carrying(inputs, RecordKind::Pages);
        RowSink::begin(to, form, RowKind::Document, single, header)
    }

    /// Writes a list of rows to files.
    pub(crate) fn shards(
        files: Shards,
        form: FileForm,
        kind: RowKind,
        header: Option<&FileHeader>,
    ) -> Result<Self, Error> {
        RowSink::begin(Output::Files(files), form, kind, false, header)
    }

    /// Opens the first file, and writes the bytes before the rows.
    fn begin(
        to: Output<'a>,
        form: FileForm,
        kind: RowKind,
        single: bool,
        header: Option<&FileHeader>,
    ) -> Result<Self, Error> {
        let header = header.cloned().map(|mut header| {
            // The rows of a file are of one kind, and its header names it.
            header.insert("kind".to_owned(), kind.name().into());
            header
        });
        let mut sink = RowSink {
            compressor: Compressor::new(form.compression, &form.background),
            writer: form.format.writer(&form.contents(kind, single, header.as_ref())),
            to,
            form,
            kind,
            single,
            header,
            size: 0,
        };
        sink.with_writer(|writer, to| writer.begin(to))?;
        Ok(sink)
    }

    /// Writes one row.
    pub(crate) fn row(&mut self, row: Row<'_>) -> Result<(), Error> {
        let mut rows = EncodedRows::default();
        rows.push(|to| self.form.format.encode(row, to));
        self.rows(&rows)
    }

    /// The format of the rows.
    pub(crate) fn format(&self) -> &'static dyn RowFormat {
        self.form.format
    }

    /// Bytes of memory that writing takes.
    pub(crate) fn held(&self) -> u64 {
        self.form.held
    }

    /// How the format makes rows from lines of JSON.
    pub(crate) fn of_lines(&self) -> OfLines {
        self.form.format.of_lines()
    }

    /// Writes documents given as lines of JSON, each with its line feed.
    pub(crate) fn lines(&mut self, lines: &EncodedRows) -> Result<(), Error> {
        let of_lines = self.of_lines();
        if let OfLines::Same = of_lines {
            return self.rows(lines);
        }
        // The format makes rows of its own from the lines.
        let mut rows = EncodedRows::default();
        for line in lines.iter() {
            of_lines.add(line.strip_suffix(b"\n").unwrap_or(line), &mut rows);
        }
        self.rows(&rows)
    }

    /// Writes rows that were encoded on another thread in the same format.
    pub(crate) fn rows(&mut self, rows: &EncodedRows) -> Result<(), Error> {
        let Some(most) = self.form.shard_size else {
            return self.batch(rows);
        };
        // A file is cut before each row that would exceed its size. A single larger row has a file of its
        // own.
        let mut first = 0;
        for (number, row) in rows.iter().enumerate() {
            let size = row.len() as u64;
            if self.size > 0 && self.size + size > most {
                self.batch(&rows.part(first..number))?;
                first = number;
                self.next_file()?;
            }
            self.size += size;
        }
        // The rest goes to the last file. Its size is counted already.
        self.batch(&rows.part(first..narrow::to_usize(rows.count())))
    }

    /// Writes rows to the current file.
    fn batch(&mut self, rows: &EncodedRows) -> Result<(), Error> {
        if let Output::Files(files) = &mut self.to {
            files.current().count_rows(rows.count());
        }
        self.with_writer(|writer, to| writer.rows(rows, to))
    }

    /// Ends the current file and begins the next.
    fn next_file(&mut self) -> Result<(), Error> {
        self.end_file()?;
        if let Output::Files(files) = &mut self.to {
            files.next()?;
        }
        let form = &self.form;
        self.compressor = Compressor::new(form.compression, &form.background);
        let contents = form.contents(self.kind, self.single, self.header.as_ref());
        self.writer = form.format.writer(&contents);
        self.size = 0;
        self.with_writer(|writer, to| writer.begin(to))
    }

    /// Flushes the bytes written so far. Bytes of an incomplete compressed block stay in memory.
    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        self.to.flush().map_err(|error| self.to.failed(error))
    }

    /// Ends the rows. Standard output is flushed, and a file gets its name.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        self.end_file()?;
        self.flush()?;
        match self.to {
            Output::Stream(_) => Ok(()),
            Output::Files(files) => files.commit(),
        }
    }

    /// Ends the rows and syncs the files to disk, still under their temporary names.
    pub(crate) fn finish_files(mut self) -> Result<Vec<Finished>, Error> {
        self.end_file()?;
        match self.to {
            Output::Stream(_) => Ok(Vec::new()),
            Output::Files(files) => files.finish(),
        }
    }

    /// Writes the bytes after the rows, and the last compressed block.
    fn end_file(&mut self) -> Result<(), Error> {
        // The writer first: it may still hand rows to the compressor.
        self.with_writer(|writer, to| writer.end(to))?;
        let ended = match &mut self.compressor {
            Some(compressor) => compressor.end(&mut self.to),
            None => Ok(()),
        };
        ended.map_err(|error| self.to.failed(error))
    }

    /// Calls `work` with the writer and its output, which is behind the compressor if there is one.
    fn with_writer(
        &mut self,
        work: impl FnOnce(&mut dyn RowWriter, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        let (writer, to) = (self.writer.as_mut(), &mut self.to);
        let done = match &mut self.compressor {
            Some(compressor) => work(writer, &mut Compressed { compressor, to }),
            None => work(writer, to),
        };
        done.map_err(|error| self.to.failed(error))
    }
}
