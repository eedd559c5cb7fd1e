//! Records that could not be used: kept apart, counted, and told of.

use crate::error::Error;
use crate::record::Rejected;
use crate::write::file::{Finished, OutFile};
use crate::write::folder::OutFolder;

/// Writes `quarantine.jsonl`.
pub(crate) struct RejectedFile {
    file: OutFile,
    buffer: Vec<u8>,
    first: Vec<Rejected>,
}

/// Rejected records that a summary shows in full.
const SHOWN: usize = 5;

impl RejectedFile {
    pub(crate) fn open(folder: &mut OutFolder) -> Result<RejectedFile, Error> {
        Ok(RejectedFile {
            file: folder.file("quarantine.jsonl")?,
            buffer: Vec::new(),
            first: Vec::new(),
        })
    }

    pub(crate) fn add(&mut self, rejected: Rejected) -> Result<(), Error> {
        self.file.row(&rejected, &mut self.buffer)?;
        if self.first.len() < SHOWN {
            self.first.push(rejected);
        }
        Ok(())
    }

    /// The finished file and the first few rejected records.
    pub(crate) fn finish(self) -> Result<(Finished, Vec<Rejected>), Error> {
        Ok((self.file.finish()?, self.first))
    }
}
