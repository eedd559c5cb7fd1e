//! The words of all documents, one document after the other, in memory or in a temporary file.

use crate::candidates::join::spill::{Spill, SpillError, SpillFile, Writer, cut_off};
use crate::numeric::narrow;

/// Number of words in a batch.
const BATCH: usize = 1 << 20;

/// Sequences of words that are read in order, from the first one on.
pub(crate) struct Sequences {
    /// For each document, the number of words up to its end.
    ends: Vec<u64>,
    words: Words,
    /// Number of words that may stay in memory.
    most: usize,
}

enum Words {
    Memory(Vec<u64>),
    Writing(Writer),
    File(Box<dyn SpillFile>),
}

impl Sequences {
    /// Returns an empty collection; up to `bytes` bytes of words stay in memory.
    pub(crate) fn new(bytes: u64) -> Self {
        Self {
            ends: Vec::new(),
            words: Words::Memory(Vec::new()),
            most: usize::try_from(bytes / 8).unwrap_or(usize::MAX),
        }
    }

    pub(crate) fn add(&mut self, words: &[u64], spill: &dyn Spill) -> Result<(), SpillError> {
        let end = self.ends.last().copied().unwrap_or(0) + words.len() as u64;
        self.ends.push(end);
        if let Words::Memory(kept) = &mut self.words {
            if kept.len() + words.len() <= self.most {
                kept.extend_from_slice(words);
                return Ok(());
            }
            // The words exceed the memory: all of them go to a file, in their order.
            let mut writer = Writer::new(spill.file()?);
            write(&mut writer, kept)?;
            self.words = Words::Writing(writer);
        }
        match &mut self.words {
            Words::Writing(writer) => write(writer, words),
            Words::Memory(_) | Words::File(_) => {
                debug_assert!(false, "documents are added before they are read");
                Ok(())
            }
        }
    }

    /// Number of documents.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Number of words.
    pub(crate) fn words(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    pub(crate) fn bytes(&self) -> u64 {
        let words = match &self.words {
            Words::Memory(words) => 8 * words.capacity(),
            Words::Writing(_) | Words::File(_) => 8 * BATCH,
        };
        (words + 8 * self.ends.capacity()) as u64
    }

    /// Calls `visit` with batches of whole documents, in their order: the number of the first one, and the
    /// words of each.
    pub(crate) fn each_batch<E: From<SpillError>>(
        &mut self,
        mut visit: impl FnMut(u32, &[&[u64]]) -> Result<(), E>,
    ) -> Result<(), E> {
        // The writer is taken out to be finished. The empty list left in its place is replaced in the next
        // step.
        if let Words::Writing(_) = &self.words
            && let Words::Writing(writer) = std::mem::replace(&mut self.words, Words::Memory(Vec::new()))
        {
            self.words = Words::File(writer.finish()?);
        }
        if let Words::File(file) = &mut self.words {
            file.rewind()?;
        }
        let (mut buffer, mut first, mut done) = (Vec::new(), 0, 0_u64);
        while first < self.ends.len() {
            // `done` is the number of words before the batch.
            let full = |end: &u64| end - done <= BATCH as u64;
            // A document with more words than a batch is a batch by itself.
            let count = self.ends[first..]
                .iter()
                .take_while(|end| full(end))
                .count()
                .max(1);
            let ends = &self.ends[first..first + count];
            let until = ends[count - 1];
            let words: &[u64] = match &mut self.words {
                Words::Memory(words) => &words[narrow::to_usize(done)..narrow::to_usize(until)],
                Words::File(file) => {
                    read(&mut **file, narrow::to_usize(until - done), &mut buffer)?;
                    &buffer
                }
                Words::Writing(_) => &[],
            };
            let starts = std::iter::once(done).chain(ends.iter().copied());
            let documents: Vec<&[u64]> = starts
                .zip(ends)
                .map(|(start, end)| &words[narrow::to_usize(start - done)..narrow::to_usize(end - done)])
                .collect();
            visit(narrow::to_u32(first), &documents)?;
            (first, done) = (first + count, until);
        }
        Ok(())
    }
}

fn write(writer: &mut Writer, words: &[u64]) -> Result<(), SpillError> {
    words
        .iter()
        .try_for_each(|word| writer.write(&word.to_le_bytes()))
}

/// Reads `words` words into the buffer.
fn read(file: &mut dyn SpillFile, words: usize, buffer: &mut Vec<u64>) -> Result<(), SpillError> {
    buffer.clear();
    buffer.reserve(words);
    let mut block = vec![0_u8; 8 * words.min(1 << 13)];
    while buffer.len() < words {
        let block = &mut block[..8 * (words - buffer.len()).min(1 << 13)];
        if file.read(block)? < block.len() {
            return Err(cut_off());
        }
        buffer.extend(
            block
                .as_chunks::<8>()
                .0
                .iter()
                .map(|bytes| u64::from_le_bytes(*bytes)),
        );
    }
    Ok(())
}
