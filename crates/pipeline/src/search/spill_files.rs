//! Temporary files for data that exceeds memory.

use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use dehusk_dedup::{Spill, SpillError, SpillFile};

use crate::error::Error;
use crate::exec::disk::DiskFile;

/// Creates unnamed files in a folder. The system removes them when they are closed or the program ends in any way.
pub(crate) struct SpillFiles {
    folder: PathBuf,
}

impl SpillFiles {
    /// Files in this folder.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }
}

impl Spill for SpillFiles {
    fn file(&self) -> Result<Box<dyn SpillFile>, SpillError> {
        Ok(Box::new(Unnamed(
            DiskFile::create_unnamed(&self.folder).map_err(file_error)?,
        )))
    }
}

/// A file without a name.
struct Unnamed(DiskFile);

/// Converts an I/O error to the error type of the search.
fn file_error(error: io::Error) -> SpillError {
    SpillError::File(error.into())
}

impl SpillFile for Unnamed {
    fn write(&mut self, bytes: &[u8]) -> Result<(), SpillError> {
        self.0.write_all(bytes).map_err(file_error)
    }

    fn rewind(&mut self) -> Result<(), SpillError> {
        self.0.rewind().map_err(file_error)
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, SpillError> {
        // Fills the buffer: a short read means the end of the file to the caller.
        let mut filled = 0;
        while filled < buffer.len() {
            match self.0.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(file_error(error)),
            }
        }
        Ok(filled)
    }
}

/// Error of a run whose temporary files in `folder` could not be used.
pub(crate) fn spill_error(folder: &Path, error: SpillError) -> Error {
    match error {
        SpillError::File(error) => match error.downcast::<io::Error>() {
            Ok(error) => Error::write(folder, *error).with_option("temp-dir"),
            Err(error) => Error::failed(format!("a temporary file cannot be used: {error}")),
        },
        error => Error::failed(error.to_string()),
    }
}
