//! Features of documents in files, so that the documents need not be read again.
//!
//! They lie in the order of documents in files of equal size, which threads read side by side. Who verifies a batch of pairs needs a
//! part of them, which may be anywhere: each file is read from its start, and rows that are not needed are passed over.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::candidates::join::spill::{Spill, SpillError, SpillFile, cut_off};
use crate::numeric::radix::sort_hashes;
use crate::numeric::rows::Rows;

/// Files that there is room for, about.
const FILES: u64 = 32;
/// Bytes that are read at once.
const BLOCK: usize = 256 << 10;
/// Bytes of a word, the least significant one first.
const WORD: usize = size_of::<u64>();

/// Where features go, if they are shingles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FeaturePlace {
    /// To whoever made the batch, as they are compared.
    Caller,
    /// To memory.
    Memory,
    /// To files.
    Files,
    /// Nowhere: documents are read again.
    Nowhere,
}

/// Tells the threads that sign documents where features go, and hands them buffers.
#[derive(Debug, Default)]
pub(crate) struct FeatureFlow {
    place: AtomicU8,
    buffers: Mutex<Vec<Vec<u8>>>,
}

impl FeatureFlow {
    pub(crate) fn place(&self) -> FeaturePlace {
        match self.place.load(Ordering::Relaxed) {
            0 => FeaturePlace::Caller,
            1 => FeaturePlace::Memory,
            2 => FeaturePlace::Files,
            _ => FeaturePlace::Nowhere,
        }
    }

    pub(crate) fn set(&self, place: FeaturePlace) {
        self.place.store(place as u8, Ordering::Relaxed);
    }

    /// An empty buffer, which may have been used before.
    pub(crate) fn buffer(&self) -> Vec<u8> {
        lock(&self.buffers).pop().unwrap_or_default()
    }

    /// Takes a buffer back.
    pub(crate) fn give_back(&self, mut buffer: Vec<u8>) {
        buffer.clear();
        lock(&self.buffers).push(buffer);
    }
}

/// Appends a row in the bytes of the files.
pub(crate) fn encode(row: &[u64], to: &mut Vec<u8>) {
    to.extend(row.iter().flat_map(|word| word.to_le_bytes()));
}

/// Writes features to files.
pub(crate) struct FeatureWriter {
    spill: Box<dyn Spill>,
    /// Bytes that may still be written.
    left: u64,
    /// Bytes from which on a file is complete.
    file_bytes: u64,
    /// Files that are complete.
    files: Vec<FeatureFile>,
    /// The file that is being written, its first document, and its bytes so far.
    current: Option<(Box<dyn SpillFile>, u32, u64)>,
    /// Documents in the files.
    documents: u32,
}

/// The features of some documents.
struct FeatureFile {
    documents: Range<u32>,
    file: Mutex<Box<dyn SpillFile>>,
}

impl FeatureWriter {
    /// Writes up to so many bytes.
    pub(crate) fn new(spill: Box<dyn Spill>, bytes: u64) -> Self {
        Self {
            spill,
            left: bytes,
            file_bytes: bytes / FILES,
            files: Vec::new(),
            current: None,
            documents: 0,
        }
    }

    /// Whether more can be written.
    pub(crate) fn has_room(&self) -> bool {
        self.left > 0
    }

    /// Writes no more.
    pub(crate) fn close(&mut self) {
        self.left = 0;
    }

    /// Writes the encoded rows of so many documents behind those before, if there is room for them: if not, no more can be written.
    pub(crate) fn append(&mut self, documents: usize, rows: &[u8]) {
        let bytes = rows.len() as u64;
        if bytes > self.left {
            self.close();
        } else if self.try_append(documents, rows).is_err() {
            // Of a file that could not be written to the end nothing is known.
            if let Some((_, first, _)) = self.current.take() {
                self.documents = first;
            }
            self.close();
        }
    }

    fn try_append(&mut self, documents: usize, rows: &[u8]) -> Result<(), SpillError> {
        let bytes = rows.len() as u64;
        let current = match &mut self.current {
            Some(current) => current,
            none => none.insert((self.spill.file()?, self.documents, 0)),
        };
        current.0.write(rows)?;
        current.2 += bytes;
        self.left -= bytes;
        self.documents += documents as u32; // as many as can be numbered
        if current.2 >= self.file_bytes {
            self.end_file()?;
        }
        Ok(())
    }

    fn end_file(&mut self) -> Result<(), SpillError> {
        if let Some((file, ..)) = &mut self.current {
            file.rewind()?;
        }
        if let Some((file, first, _)) = self.current.take() {
            self.files.push(FeatureFile {
                documents: first..self.documents,
                file: Mutex::new(file),
            });
        }
        Ok(())
    }

    /// Everything that was written. `sizes` are the words of the row of each document.
    pub(crate) fn finish(mut self, sizes: Vec<u32>) -> StoredFeatures {
        // The documents of a file that cannot be read from its start are read again themselves.
        let _ = self.end_file();
        StoredFeatures {
            sizes,
            files: self.files,
        }
    }
}

/// Features that are not in memory.
#[derive(Default)]
pub(crate) struct StoredFeatures {
    /// The words of the row of each document. Of documents that are in no file, about as many as it would have: never too few.
    pub(crate) sizes: Vec<u32>,
    files: Vec<FeatureFile>,
}

impl StoredFeatures {
    /// Features of which only the sizes are known.
    pub(crate) fn of_sizes(sizes: Vec<u32>) -> Self {
        Self {
            sizes,
            files: Vec::new(),
        }
    }

    /// The features of those of some documents that are in files, in the threads of the current rayon pool: with each list of rows, the
    /// places of its documents. `documents` ascend.
    pub(crate) fn read(&self, documents: &[u32]) -> Result<Vec<(Range<usize>, Rows)>, SpillError> {
        let read = |file: &FeatureFile| {
            let place = |end: u32| documents.partition_point(|document| *document < end);
            let places = place(file.documents.start)..place(file.documents.end);
            let rows = self.read_file(file, &documents[places.clone()])?;
            Ok((places, rows))
        };
        self.files.par_iter().map(read).collect()
    }

    /// Closes the files, in the threads of the current rayon pool, if nobody else needs them.
    pub(crate) fn close(shared: Arc<Self>) {
        if let Some(stored) = Arc::into_inner(shared) {
            stored.files.into_par_iter().for_each(drop);
        }
    }

    fn read_file(&self, file: &FeatureFile, documents: &[u32]) -> Result<Rows, SpillError> {
        let mut rows = Rows::new();
        if documents.is_empty() {
            return Ok(rows);
        }
        let mut next = file.documents.start;
        let mut file = lock(&file.file);
        file.rewind()?;
        let mut words = Words::new(&mut **file);
        let mut row = Vec::new();
        for &document in documents {
            let before = &self.sizes[next as usize..document as usize];
            words.skip(before.iter().map(|size| *size as usize).sum())?;
            row.clear();
            words.take(self.sizes[document as usize] as usize, &mut row)?;
            sort_hashes(&mut row);
            row.dedup();
            rows.push(&row);
            next = document + 1;
        }
        Ok(rows)
    }
}

/// Reads words in blocks.
struct Words<'f> {
    file: &'f mut dyn SpillFile,
    block: Vec<u8>,
    at: usize,
}

impl<'f> Words<'f> {
    fn new(file: &'f mut dyn SpillFile) -> Self {
        Self {
            file,
            block: Vec::new(),
            at: 0,
        }
    }

    /// Calls `visit` with the bytes of the next words, piece by piece.
    fn each(&mut self, words: usize, mut visit: impl FnMut(&[u8])) -> Result<(), SpillError> {
        let mut left = WORD * words;
        while left > 0 {
            if self.at == self.block.len() {
                self.block.resize(BLOCK, 0);
                let read = self.file.read(&mut self.block)?;
                self.block.truncate(read / WORD * WORD);
                self.at = 0;
                if self.block.is_empty() {
                    return Err(cut_off());
                }
            }
            let end = self.block.len().min(self.at + left);
            visit(&self.block[self.at..end]);
            left -= end - self.at;
            self.at = end;
        }
        Ok(())
    }

    fn skip(&mut self, words: usize) -> Result<(), SpillError> {
        self.each(words, |_| ())
    }

    fn take(&mut self, words: usize, to: &mut Vec<u64>) -> Result<(), SpillError> {
        self.each(words, |bytes| {
            let (words, _) = bytes.as_chunks::<WORD>();
            to.extend(words.iter().map(|word| u64::from_le_bytes(*word)));
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
