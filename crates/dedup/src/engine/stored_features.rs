//! Features of documents in files, so that the documents need not be read again.
//!
//! Features are stored in the order of documents, in files of equal size that threads read in parallel. A batch of
//! pairs needs some of them, at arbitrary places. Each file is read from its start, and rows that are not needed are
//! skipped.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::candidates::join::spill::{Spill, SpillError, SpillFile, cut_off};
use crate::numeric::narrow;
use crate::numeric::radix::sort_hashes;
use crate::numeric::rows::Rows;

/// Approximate number of files that the allowed bytes are divided into.
const FILES: u64 = 32;
/// Number of bytes that are read at a time.
const BLOCK: usize = 256 << 10;
/// Number of bytes of a word. Words are stored in little-endian order.
const WORD: usize = size_of::<u64>();

/// Where features that are shingles are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FeaturePlace {
    /// The batch, in the form that similarities compare, for callers that store features themselves.
    Caller,
    /// Memory.
    Memory,
    /// Files.
    Files,
    /// None: documents are read again.
    Nowhere,
}

/// Shares the destination of features with the threads that sign documents, and provides buffers for them.
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

    /// An empty buffer; reuses memory if possible.
    pub(crate) fn buffer(&self) -> Vec<u8> {
        lock(&self.buffers).pop().unwrap_or_default()
    }

    /// Takes a buffer back for reuse.
    pub(crate) fn give_back(&self, mut buffer: Vec<u8>) {
        buffer.clear();
        lock(&self.buffers).push(buffer);
    }
}

/// Appends a row to `to`, in the format of the files.
pub(crate) fn encode(row: &[u64], to: &mut Vec<u8>) {
    to.extend(row.iter().flat_map(|word| word.to_le_bytes()));
}

/// Writes features to files.
pub(crate) struct FeatureWriter {
    spill: Box<dyn Spill>,
    /// Number of bytes that may still be written.
    left: u64,
    /// Number of bytes at which a file is complete.
    file_bytes: u64,
    /// The complete files.
    files: Vec<FeatureFile>,
    /// The file that is being written, the number of its first document, and its number of bytes so far.
    current: Option<(Box<dyn SpillFile>, u32, u64)>,
    /// Number of documents in all files.
    documents: u32,
}

/// The features of a range of documents.
struct FeatureFile {
    documents: Range<u32>,
    file: Mutex<Box<dyn SpillFile>>,
}

impl FeatureWriter {
    /// A writer of up to `bytes` bytes.
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

    /// True if more can be written.
    pub(crate) fn has_room(&self) -> bool {
        self.left > 0
    }

    /// Prevents further writing.
    pub(crate) fn close(&mut self) {
        self.left = 0;
    }

    /// Appends the encoded rows of `documents` documents. If they do not fit, or a file cannot be written, nothing more
    /// can be written.
    pub(crate) fn append(&mut self, documents: usize, rows: &[u8]) {
        let bytes = rows.len() as u64;
        if bytes > self.left {
            self.close();
        } else if self.try_append(documents, rows).is_err() {
            // The contents of a file with a failed write are unknown, so its documents are dropped.
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
        self.documents += narrow::to_u32(documents); // document numbers have 32 bits
        // A file ends between documents only, so threads can read files independently.
        if current.2 >= self.file_bytes {
            self.end_file()?;
        }
        Ok(())
    }

    fn end_file(&mut self) -> Result<(), SpillError> {
        // Rewound before it is taken out: if this fails, `append` still finds the file and drops its
        // documents.
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

    /// The written features. `sizes` holds the number of words of each document's row.
    pub(crate) fn finish(mut self, sizes: Vec<u32>) -> StoredFeatures {
        // If the last file cannot be rewound, it is dropped, and its documents must be read again.
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
    /// Number of words of each document's row. For documents that are in no file, an upper bound.
    pub(crate) sizes: Vec<u32>,
    files: Vec<FeatureFile>,
}

impl StoredFeatures {
    /// Features that are not stored, with their sizes.
    pub(crate) fn of_sizes(sizes: Vec<u32>) -> Self {
        Self {
            sizes,
            files: Vec::new(),
        }
    }

    /// Reads the features of `documents` that are in files, in the threads of the current rayon pool. `documents`
    /// ascend. Returns one list of rows per file, each with the places of its documents in `documents`.
    pub(crate) fn read(&self, documents: &[u32]) -> Result<Vec<(Range<usize>, Rows)>, SpillError> {
        // Documents ascend, so those of a file are a range of the list.
        let read = |file: &FeatureFile| {
            let place = |end: u32| documents.partition_point(|document| *document < end);
            let places = place(file.documents.start)..place(file.documents.end);
            let rows = self.read_file(file, &documents[places.clone()])?;
            Ok((places, rows))
        };
        self.files.par_iter().map(read).collect()
    }

    /// Closes the files, in the threads of the current rayon pool, unless there are other references to them.
    pub(crate) fn close(shared: Arc<Self>) {
        if let Some(stored) = Arc::into_inner(shared) {
            stored.files.into_par_iter().for_each(drop);
        }
    }

    /// The features of these documents of a file, as sorted sets.
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
            // Rows have no separators: their sizes give the number of words to skip.
            let before = &self.sizes[next as usize..document as usize];
            words.skip(before.iter().map(|size| *size as usize).sum())?;
            row.clear();
            words.take(self.sizes[document as usize] as usize, &mut row)?;
            // Files hold shingles in document order; comparisons need sorted sets.
            sort_hashes(&mut row);
            row.dedup();
            rows.push(&row);
            next = document + 1;
        }
        Ok(rows)
    }
}

/// Reads a file in blocks of words.
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

    /// Calls `visit` with the bytes of the next `words` words, in pieces.
    fn each(&mut self, words: usize, mut visit: impl FnMut(&[u8])) -> Result<(), SpillError> {
        let mut left = WORD * words;
        while left > 0 {
            if self.at == self.block.len() {
                self.block.resize(BLOCK, 0);
                let read = self.file.read(&mut self.block)?;
                // `read` fills the block unless the file ends, and files consist of whole words, so no
                // bytes are lost.
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
