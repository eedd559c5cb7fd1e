//! Files that appear as a whole: written under a temporary name in the same folder, made safe on disk, and renamed.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::record::header::FileFacts;

/// End of the names of files that are being written.
pub(crate) const PARTIAL: &str = ".partial";

/// Bytes that are written at once.
const WRITE: usize = 1 << 20;

/// Pieces of at least so many bytes are not copied to a buffer first.
const LARGE: usize = 128 << 10;

/// A file under a temporary name. It is removed unless it is finished and given its name.
pub struct OutFile {
    to: PathBuf,
    partial: Partial,
    writer: BufWriter<File>,
    facts: FileFacts,
}

/// A file that is complete and safe on disk, still under its temporary name.
pub struct Finished {
    to: PathBuf,
    partial: Partial,
    facts: FileFacts,
}

/// A temporary name, which whoever stops the program from outside knows of.
struct Partial {
    /// `None` once the file has its name.
    path: Option<TempPath>,
    at: PathBuf,
    cancel: Cancel,
}

impl Drop for Partial {
    fn drop(&mut self) {
        drop(self.path.take());
        self.cancel.end(&self.at);
    }
}

impl OutFile {
    /// Starts the file that will be at `to`.
    ///
    /// # Errors
    /// If `to` is a folder, or its folder cannot be written to.
    pub(crate) fn create(to: &Path, cancel: &Cancel) -> Result<OutFile, Error> {
        let Some(name) = to.file_name().filter(|_| !to.is_dir()) else {
            let message = format!("`--out {}` is a folder, not a file", to.display());
            return Err(Error::usage(message)
                .with_path(to)
                .with_option("out")
                .with_help("name a file"));
        };
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
        let prefix = format!(".{}.", name.to_string_lossy());
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(PARTIAL);
        // Readable by others as far as the process's mask allows, as files are that are created in the usual way.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let created = builder.tempfile_in(folder.unwrap_or(Path::new(".")));
        let (file, path) = created
            .map_err(|e| Error::write(to, plain(&e)).into_output())?
            .into_parts();
        cancel.begin(&path);
        Ok(OutFile {
            to: to.to_owned(),
            partial: Partial {
                at: path.to_path_buf(),
                path: Some(path),
                cancel: cancel.clone(),
            },
            writer: BufWriter::with_capacity(WRITE, file),
            facts: FileFacts { rows: 0, bytes: 0 },
        })
    }

    /// Writes bytes as they are.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.put(bytes).map_err(|error| self.failed(error))
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.facts.bytes += bytes.len() as u64;
        if bytes.len() < LARGE {
            self.writer.write_all(bytes)
        } else {
            self.writer.flush()?;
            self.writer.get_mut().write_all(bytes)
        }
    }

    /// Counts rows that are written as bytes.
    pub(crate) fn count_rows(&mut self, rows: u64) {
        self.facts.rows += rows;
    }

    /// The error of this file.
    pub(crate) fn failed(&self, error: io::Error) -> Error {
        Error::write(&self.to, error)
    }

    /// Writes so many lines, each with its line feed.
    pub(crate) fn lines(&mut self, lines: &[u8], count: u64) -> Result<(), Error> {
        self.facts.rows += count;
        self.write(lines)
    }

    /// Writes a line, adding its line feed.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn line(&mut self, line: &[u8]) -> Result<(), Error> {
        self.facts.rows += 1;
        self.write(line)?;
        self.write(b"\n")
    }

    /// Makes everything written safe on disk, still under the temporary name.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(self) -> Result<Finished, Error> {
        let OutFile {
            to,
            partial,
            writer,
            facts,
        } = self;
        let file = writer.into_inner().map_err(io::IntoInnerError::into_error);
        file.and_then(|file| file.sync_all())
            .map_err(|e| Error::write(&to, e))?;
        Ok(Finished { to, partial, facts })
    }
}

impl Write for OutFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.put(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Finished {
    /// Where the file is now.
    pub(crate) fn path(&self) -> &Path {
        &self.partial.at
    }

    /// Name that the file will have.
    pub(crate) fn name(&self) -> String {
        let name = self.to.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    pub(crate) fn facts(&self) -> FileFacts {
        self.facts
    }

    /// Gives the file its name. The name is safe on disk once [`sync_folder`] has returned.
    pub(crate) fn rename(mut self) -> Result<(), Error> {
        if let Some(path) = self.partial.path.take() {
            path.persist(&self.to)
                .map_err(|e| Error::write(&self.to, e.error))?;
        }
        Ok(())
    }
}

/// Writes one file with `write`. It appears when it is complete.
pub(crate) fn whole_file<T>(
    to: &Path,
    cancel: &Cancel,
    write: impl FnOnce(&mut OutFile) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut file = OutFile::create(to, cancel)?;
    let done = write(&mut file).map_err(|e| e.with_path(to))?;
    file.finish()?.rename()?;
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
    sync_folder(folder.unwrap_or(Path::new(".")))?;
    Ok(done)
}

/// Makes renamed files of a folder stay renamed after a power cut.
pub(crate) fn sync_folder(path: &Path) -> Result<(), Error> {
    if cfg!(unix) {
        let synced = File::open(path).and_then(|folder| folder.sync_all());
        synced.map_err(|e| Error::write(path, e))?;
    }
    Ok(())
}

/// The system's error without the path that `tempfile` adds, which our message has already.
fn plain(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::from(error.kind()),
    }
}
