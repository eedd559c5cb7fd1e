//! A temporary file for waiting pages. Space that is freed is reused.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::exec::disk::DiskFile;

/// Size of a block of the file in bytes. Space is allocated and freed in whole blocks.
const BLOCK: usize = 4 << 10;

/// A file without a name, which the system removes when the program ends in any way. It is created at the first write.
#[derive(Clone)]
pub(crate) struct PageSpill(Arc<Spill>);

/// The folder and the file of a [`PageSpill`].
struct Spill {
    folder: PathBuf,
    blocks: Mutex<Blocks>,
}

/// The file and its allocation.
#[derive(Default)]
struct Blocks {
    file: Option<DiskFile>,
    /// Numbers of free blocks, reused before the file grows.
    free: Vec<u32>,
    /// Number of blocks that the file has had so far.
    end: u32,
}

/// Bytes stored in the file. Dropping the value frees their blocks.
pub(crate) struct Spilled {
    spill: PageSpill,
    blocks: Box<[u32]>,
    bytes: usize,
}

impl PageSpill {
    /// A file in this folder.
    pub(crate) fn new(folder: PathBuf) -> Self {
        let blocks = Mutex::default();
        PageSpill(Arc::new(Spill { folder, blocks }))
    }

    /// Stores bytes in the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn put(&self, bytes: &[u8]) -> Result<Spilled, Error> {
        let mut blocks = self.blocks();
        // Blocks of one page need not be adjacent, so freed space never fragments.
        let taken = bytes.chunks(BLOCK).map(|_| blocks.take()).collect();
        let spilled = Spilled {
            spill: self.clone(),
            blocks: taken,
            bytes: bytes.len(),
        };
        let mut write = || {
            if blocks.file.is_none() {
                blocks.file = Some(DiskFile::create_unnamed(&self.0.folder)?);
            }
            let Some(file) = &mut blocks.file else {
                return Ok(());
            };
            for (number, block) in spilled.blocks.iter().zip(bytes.chunks(BLOCK)) {
                file.seek(at(*number))?;
                file.write_all(block)?;
            }
            Ok(())
        };
        let written = write();
        // The lock is released first: after a failed write, dropping `spilled` frees its blocks, which
        // takes the lock again.
        drop(blocks);
        written.map(|()| spilled).map_err(|error| self.error(error))
    }

    /// An error of the file. It names the setting for its folder.
    fn error(&self, error: io::Error) -> Error {
        Error::write(&self.0.folder, error).with_option("temp-dir")
    }

    /// The file and its allocation, also after a panic of another thread.
    fn blocks(&self) -> MutexGuard<'_, Blocks> {
        self.0.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Blocks {
    /// A free block, or a new one at the end.
    fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.end += 1;
            self.end - 1
        })
    }
}

/// Position of the start of a block.
fn at(block: u32) -> SeekFrom {
    SeekFrom::Start(u64::from(block) * BLOCK as u64)
}

impl Spilled {
    /// Reads the stored bytes.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn read(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; self.bytes];
        let mut blocks = self.spill.blocks();
        let mut read = || {
            let Some(file) = &mut blocks.file else {
                return Ok(());
            };
            for (number, block) in self.blocks.iter().zip(bytes.chunks_mut(BLOCK)) {
                file.seek(at(*number))?;
                file.read_exact(block)?;
            }
            Ok(())
        };
        let read = read();
        drop(blocks);
        read.map(|()| bytes).map_err(|error| self.spill.error(error))
    }

    /// Bytes of memory that the value takes, without those in the file.
    pub(crate) fn memory(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.blocks)
    }
}

impl Drop for Spilled {
    fn drop(&mut self) {
        self.spill.blocks().free.extend_from_slice(&self.blocks);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn of(seed: usize, length: usize) -> Vec<u8> {
        (0..length).map(|at| (at * 31 + seed * 7) as u8).collect()
    }

    #[test]
    fn what_was_put_there_comes_back_and_room_is_used_again() {
        let dir = tempfile::tempdir().unwrap();
        let spill = PageSpill::new(dir.path().to_owned());
        let lengths = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 9];
        let mut held = Vec::new();
        for round in 0..20 {
            for length in lengths {
                let bytes = of(round + length, length);
                held.push((spill.put(&bytes).unwrap(), bytes));
            }
            // Free every other entry.
            let mut number = 0;
            held.retain(|_| {
                number += 1;
                number % 2 == 0
            });
            for (spilled, bytes) in &held {
                assert!(spilled.read().unwrap() == *bytes);
                assert!(spilled.memory() < 100 + bytes.len() / 500);
            }
        }
        let most = spill.blocks().end;
        assert!(most < 40, "{most} blocks");
        held.clear();
        assert_eq!(spill.blocks().free.len(), most as usize);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "it has no name");
    }

    #[test]
    fn a_folder_that_is_not_there_is_told_with_the_option() {
        let dir = tempfile::tempdir().unwrap();
        let spill = PageSpill::new(dir.path().join("none"));
        let error = spill.put(b"some").err().unwrap();
        assert_eq!(error.option(), Some("temp-dir"));
        assert!(error.path().is_some_and(|path| path.ends_with("none")));
    }
}
