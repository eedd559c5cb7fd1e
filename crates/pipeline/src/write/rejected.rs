//! `quarantine.jsonl`: rejected records with the place where each stands.

use crate::error::Error;
use crate::record::Rejected;
use crate::write::file::{Finished, OutFile};
use crate::write::folder::OutFolder;

/// The file of rejected records.
pub(crate) struct RejectedFile {
    file: OutFile,
    buffer: Vec<u8>,
}

impl RejectedFile {
    pub(crate) fn open(folder: &OutFolder) -> Result<RejectedFile, Error> {
        Ok(RejectedFile {
            file: folder.file("quarantine.jsonl")?,
            buffer: Vec::new(),
        })
    }

    pub(crate) fn add(&mut self, rejected: &Rejected) -> Result<(), Error> {
        self.file.row(rejected, &mut self.buffer)
    }

    pub(crate) fn finish(self) -> Result<Finished, Error> {
        self.file.finish()
    }
}
