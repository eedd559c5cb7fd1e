//! One output file.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::Error;
use crate::exec::cancel::Cancel;

/// Bytes that are written at once.
const WRITE: usize = 1 << 20;

/// Bytes from which on what is written is not copied to a buffer first.
const LARGE: usize = 128 << 10;

/// A file under a temporary name.
pub struct OutFile {
    name: &'static str,
    path: PathBuf,
    writer: BufWriter<File>,
    rows: u64,
    bytes: u64,
}

/// A file that is complete and safe on disk, still under its temporary name.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) name: &'static str,
    /// Where it lies until all files are committed.
    pub(crate) path: PathBuf,
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
}

impl OutFile {
    pub(crate) fn create(name: &'static str, path: PathBuf) -> Result<OutFile, Error> {
        let file = File::create(&path).map_err(|e| Error::write(&path, e))?;
        Ok(OutFile {
            name,
            path,
            writer: BufWriter::with_capacity(WRITE, file),
            rows: 0,
            bytes: 0,
        })
    }

    /// Writes bytes as they are.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.bytes += bytes.len() as u64;
        let written = if bytes.len() < LARGE {
            self.writer.write_all(bytes)
        } else {
            self.writer
                .flush()
                .and_then(|()| self.writer.get_mut().write_all(bytes))
        };
        written.map_err(|e| Error::write(&self.path, e))
    }

    /// Writes so many lines, each with its line feed.
    pub(crate) fn lines(&mut self, lines: &[u8], count: u64) -> Result<(), Error> {
        self.rows += count;
        self.write(lines)
    }

    /// Writes rows that were made elsewhere.
    pub(crate) fn rows(&mut self, rows: &Rows) -> Result<(), Error> {
        self.lines(&rows.bytes, rows.count)
    }

    /// Writes a line, adding its line feed.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn line(&mut self, line: &[u8]) -> Result<(), Error> {
        self.rows += 1;
        self.write(line)?;
        self.write(b"\n")
    }

    /// Writes one row of JSON; `buffer` is reused from row to row.
    pub(crate) fn row(&mut self, row: &impl Serialize, buffer: &mut Vec<u8>) -> Result<(), Error> {
        buffer.clear();
        serde_json::to_writer(&mut *buffer, row)
            .map_err(|e| Error::failed(format!("cannot write a row of `{}`: {e}", self.name)))?;
        self.line(buffer)
    }

    /// Ends the file, safe on disk under its temporary name until the folder is committed.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn close(self) -> Result<(), Error> {
        self.finish().map(drop)
    }

    /// Makes everything written safe on disk.
    pub(crate) fn finish(self) -> Result<Finished, Error> {
        let OutFile {
            name,
            path,
            writer,
            rows,
            bytes,
        } = self;
        let synced = writer
            .into_inner()
            .map_err(std::io::IntoInnerError::into_error)
            .and_then(|file| file.sync_all());
        synced.map_err(|e| Error::write(&path, e))?;
        Ok(Finished {
            name,
            path,
            rows,
            bytes,
        })
    }
}

/// Rows on their way to a file.
#[derive(Default)]
pub(crate) struct Rows {
    bytes: Vec<u8>,
    count: u64,
}

impl Rows {
    /// Adds a row of JSON.
    pub(crate) fn json(&mut self, row: &impl Serialize) -> Result<(), Error> {
        serde_json::to_writer(&mut self.bytes, row)
            .map_err(|e| Error::failed(format!("cannot write a row: {e}")))?;
        self.end();
        Ok(())
    }

    /// Adds a line of text.
    pub(crate) fn line(&mut self, line: std::fmt::Arguments<'_>) -> Result<(), Error> {
        self.bytes
            .write_fmt(line)
            .map_err(|e| Error::failed(format!("cannot write a row: {e}")))?;
        self.end();
        Ok(())
    }

    fn end(&mut self) {
        self.bytes.push(b'\n');
        self.count += 1;
    }
}

/// A single file that appears under its name when it is complete.
pub(crate) struct WholeFile {
    to: PathBuf,
    partial: PathBuf,
    file: Option<File>,
    cancel: Cancel,
}

impl WholeFile {
    pub(crate) fn create(to: &Path, cancel: &Cancel) -> Result<WholeFile, Error> {
        let Some(name) = to.file_name().filter(|_| !to.is_dir()) else {
            let message = format!("`--out {}` is a folder, not a file", to.display());
            return Err(Error::usage(message)
                .with_path(to)
                .with_option("out")
                .with_help("name a file"));
        };
        let partial = to.with_file_name(format!(
            ".{}.{}.partial",
            name.to_string_lossy(),
            std::process::id()
        ));
        cancel.begin(&partial);
        let file = File::create(&partial).map_err(|e| Error::write(to, e).into_output())?;
        Ok(WholeFile {
            to: to.to_owned(),
            partial,
            file: Some(file),
            cancel: cancel.clone(),
        })
    }

    pub(crate) fn commit(mut self) -> Result<(), Error> {
        if let Some(file) = self.file.take() {
            let done = file
                .sync_all()
                .and_then(|()| std::fs::rename(&self.partial, &self.to));
            if let Err(error) = done {
                self.file = Some(file); // to be removed
                return Err(Error::write(&self.to, error));
            }
        }
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // Incomplete; there is nobody to tell if it cannot be removed.
            let _ = std::fs::remove_file(&self.partial);
        }
        self.cancel.end(&self.partial);
    }
}
