//! Temporary files for data that exceeds the memory, and a sort that uses them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::error::Error;
use std::fmt;

/// A file that is written, and then read from its start, once or more often.
pub trait SpillFile: Send + Sync {
    /// Writes all of the bytes at the end.
    ///
    /// # Errors
    /// If there is no room for them.
    fn write(&mut self, bytes: &[u8]) -> Result<()>;

    /// Goes to the start, to read from there on.
    ///
    /// # Errors
    /// If the file cannot be used.
    fn rewind(&mut self) -> Result<()>;

    /// Fills the buffer, as far as there is something to read, and tells how far.
    ///
    /// # Errors
    /// If the file cannot be read.
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize>;
}

/// Creates temporary files for data that exceeds the memory. They are not needed any more when they are dropped.
pub trait Spill: Send + Sync {
    /// An empty file.
    ///
    /// # Errors
    /// If there is no room for one.
    fn file(&self) -> Result<Box<dyn SpillFile>>;
}

/// Why a search in bounded memory failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum SpillError {
    /// A file could not be written or read.
    File(Box<dyn Error + Send + Sync>),
    /// More memory is needed than allowed: at least so many bytes.
    Memory(u64),
}

impl fmt::Display for SpillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => write!(f, "a temporary file cannot be used: {error}"),
            Self::Memory(bytes) => write!(f, "at least {bytes} bytes of memory are needed"),
        }
    }
}

impl Error for SpillError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File(error) => Some(&**error),
            Self::Memory(_) => None,
        }
    }
}

type Result<T, E = SpillError> = std::result::Result<T, E>;

/// Bytes that are written or read at once.
pub(crate) const BLOCK: usize = 64 << 10;

/// Most runs that are merged at once.
const MOST_RUNS: usize = 64;

/// Bytes of an entry in a file: the word, and how often it came.
const ENTRY: usize = 12;

/// Sorts words and counts how often each came, in bounded memory.
pub(crate) struct WordSorter<'s> {
    spill: &'s dyn Spill,
    words: Vec<u64>,
    most: usize,
    /// Sorted runs, each with how often its words were merged. That never rises from one run to the next.
    runs: Vec<(u32, Box<dyn SpillFile>)>,
}

impl<'s> WordSorter<'s> {
    /// A sorter that holds up to so many bytes of words, and at least a few.
    pub(crate) fn new(spill: &'s dyn Spill, bytes: u64) -> Self {
        let most = usize::try_from(bytes / 8).unwrap_or(usize::MAX).max(1024);
        Self {
            spill,
            words: Vec::new(),
            most,
            runs: Vec::new(),
        }
    }

    /// Adds words, and leaves the list empty.
    pub(crate) fn append(&mut self, words: &mut Vec<u64>) -> Result<()> {
        for part in words.chunks(self.most) {
            if self.words.len() + part.len() > self.most {
                self.write_run()?;
            }
            if self.words.capacity() < self.words.len() + part.len() {
                // Grows by doubling, but never beyond what may be held.
                let room = (2 * self.words.capacity()).clamp(self.words.len() + part.len(), self.most);
                self.words.reserve_exact(room - self.words.len());
            }
            self.words.extend_from_slice(part);
        }
        words.clear();
        Ok(())
    }

    fn write_run(&mut self) -> Result<()> {
        self.words.sort_unstable();
        let mut run = Writer::new(self.spill.file()?);
        for equal in self.words.chunk_by(|a, b| a == b) {
            run.entry(equal[0], equal.len() as u32)?;
        }
        self.words.clear();
        self.runs.push((0, run.finish()?));
        // Runs of similar size are merged, so that a word is merged as often as the number of runs has digits to the base
        // `MOST_RUNS`.
        while let Some(first) = self.runs.len().checked_sub(MOST_RUNS)
            && self.runs[first].0 == self.runs[self.runs.len() - 1].0
        {
            self.merge_last(MOST_RUNS)?;
        }
        Ok(())
    }

    /// Makes one run of the last `count` ones.
    fn merge_last(&mut self, count: usize) -> Result<()> {
        let last = self.runs.split_off(self.runs.len() - count);
        let merged_times = last.first().map_or(0, |(times, _)| *times) + 1;
        let mut merged = Writer::new(self.spill.file()?);
        merge(last, |word, times| merged.entry(word, times))?;
        self.runs.push((merged_times, merged.finish()?));
        Ok(())
    }

    /// Calls `visit` with each word in ascending order, and with how often it came.
    pub(crate) fn finish(mut self, mut visit: impl FnMut(u64, u32) -> Result<()>) -> Result<()> {
        if self.runs.is_empty() {
            self.words.sort_unstable();
            return self
                .words
                .chunk_by(|a, b| a == b)
                .try_for_each(|equal| visit(equal[0], equal.len() as u32));
        }
        self.write_run()?;
        self.words = Vec::new();
        while self.runs.len() > MOST_RUNS {
            // The smallest runs, and no more than needed, so that the last merge takes the rest.
            self.merge_last(MOST_RUNS.min(self.runs.len() - MOST_RUNS + 1))?;
        }
        merge(self.runs, visit)
    }
}

fn merge(runs: Vec<(u32, Box<dyn SpillFile>)>, mut visit: impl FnMut(u64, u32) -> Result<()>) -> Result<()> {
    let mut readers: Vec<Reader> = runs.into_iter().map(|(_, file)| Reader::new(file)).collect();
    let mut heap = BinaryHeap::new();
    for (number, reader) in readers.iter_mut().enumerate() {
        if let Some((word, times)) = reader.entry()? {
            heap.push(Reverse((word, number, times)));
        }
    }
    let mut current: Option<(u64, u32)> = None;
    while let Some(Reverse((word, number, times))) = heap.pop() {
        current = match current {
            Some((same, sum)) if same == word => Some((same, sum.saturating_add(times))),
            other => {
                if let Some((word, times)) = other {
                    visit(word, times)?;
                }
                Some((word, times))
            }
        };
        if let Some((word, times)) = readers[number].entry()? {
            heap.push(Reverse((word, number, times)));
        }
    }
    match current {
        Some((word, times)) => visit(word, times),
        None => Ok(()),
    }
}

/// Writes in blocks.
pub(crate) struct Writer {
    file: Box<dyn SpillFile>,
    block: Vec<u8>,
}

impl Writer {
    pub(crate) fn new(file: Box<dyn SpillFile>) -> Self {
        Self {
            file,
            block: Vec::with_capacity(BLOCK),
        }
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if self.block.len() + bytes.len() > BLOCK {
            self.file.write(&self.block)?;
            self.block.clear();
        }
        self.block.extend_from_slice(bytes);
        Ok(())
    }

    fn entry(&mut self, word: u64, times: u32) -> Result<()> {
        let mut entry = [0; ENTRY];
        entry[..8].copy_from_slice(&word.to_le_bytes());
        entry[8..].copy_from_slice(&times.to_le_bytes());
        self.write(&entry)
    }

    /// The file, to be read from its start.
    pub(crate) fn finish(mut self) -> Result<Box<dyn SpillFile>> {
        self.file.write(&self.block)?;
        self.file.rewind()?;
        Ok(self.file)
    }
}

/// Reads a run in blocks.
struct Reader {
    file: Box<dyn SpillFile>,
    block: Vec<u8>,
    at: usize,
}

impl Reader {
    fn new(file: Box<dyn SpillFile>) -> Self {
        Self {
            file,
            block: Vec::new(),
            at: 0,
        }
    }

    fn entry(&mut self) -> Result<Option<(u64, u32)>> {
        if self.at == self.block.len() {
            self.block.resize(BLOCK / ENTRY * ENTRY, 0);
            let read = self.file.read(&mut self.block)?;
            self.block.truncate(read);
            self.at = 0;
        }
        let Some((word, times)) = self.block[self.at..].split_first_chunk::<8>() else {
            return if self.at == self.block.len() {
                Ok(None)
            } else {
                Err(cut_off())
            };
        };
        let times = times.first_chunk::<4>().ok_or_else(cut_off)?;
        self.at += ENTRY;
        Ok(Some((u64::from_le_bytes(*word), u32::from_le_bytes(*times))))
    }
}

/// A file does not give back all that was written to it.
pub(crate) fn cut_off() -> SpillError {
    SpillError::File("it has become shorter".into())
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::numeric::random::SplitMix64;

    /// Files in memory, and a number of them that may be given out.
    pub(crate) struct MemoryFiles(pub(crate) std::sync::atomic::AtomicU32);

    impl MemoryFiles {
        pub(crate) fn unlimited() -> Self {
            Self(u32::MAX.into())
        }
    }

    impl Spill for MemoryFiles {
        fn file(&self) -> Result<Box<dyn SpillFile>> {
            use std::sync::atomic::Ordering::Relaxed;
            let left = self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
            left.map_err(|_| SpillError::File("no room".into()))?;
            Ok(Box::new(InMemory::default()))
        }
    }

    #[derive(Default)]
    struct InMemory(Vec<u8>, usize);

    impl SpillFile for InMemory {
        fn write(&mut self, bytes: &[u8]) -> Result<()> {
            self.0.extend_from_slice(bytes);
            Ok(())
        }

        fn rewind(&mut self) -> Result<()> {
            self.1 = 0;
            Ok(())
        }

        fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
            let rest = &self.0[self.1..];
            let length = rest.len().min(buffer.len());
            buffer[..length].copy_from_slice(&rest[..length]);
            self.1 += length;
            Ok(length)
        }
    }

    #[test]
    fn words_come_sorted_and_counted_however_few_fit() {
        let mut random = SplitMix64::new(1);
        let words: Vec<u64> = (0..200_000).map(|_| random.number() % 30_000).collect();
        let mut expected = BTreeMap::new();
        for &word in &words {
            *expected.entry(word).or_insert(0_u32) += 1;
        }
        for bytes in [0, 100_000, u64::MAX] {
            let spill = MemoryFiles::unlimited();
            let mut sorter = WordSorter::new(&spill, bytes);
            for part in words.chunks(777) {
                sorter.append(&mut part.to_vec()).unwrap();
            }
            let mut found = Vec::new();
            sorter
                .finish(|word, times| {
                    found.push((word, times));
                    Ok(())
                })
                .unwrap();
            assert!(
                found
                    .iter()
                    .copied()
                    .eq(expected.iter().map(|(word, times)| (*word, *times)))
            );
        }
    }

    /// Files in memory that count the bytes written to all of them.
    struct CountedFiles(std::sync::Arc<std::sync::atomic::AtomicU64>);

    struct Counted(Box<dyn SpillFile>, std::sync::Arc<std::sync::atomic::AtomicU64>);

    impl Spill for CountedFiles {
        fn file(&self) -> Result<Box<dyn SpillFile>> {
            let file = MemoryFiles::unlimited().file()?;
            Ok(Box::new(Counted(file, std::sync::Arc::clone(&self.0))))
        }
    }

    impl SpillFile for Counted {
        fn write(&mut self, bytes: &[u8]) -> Result<()> {
            self.1
                .fetch_add(bytes.len() as u64, std::sync::atomic::Ordering::Relaxed);
            self.0.write(bytes)
        }

        fn rewind(&mut self) -> Result<()> {
            self.0.rewind()
        }

        fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
            self.0.read(buffer)
        }
    }

    #[test]
    fn no_word_is_merged_more_often_than_runs_have_levels() {
        // Different words, so that merging makes no entry of two.
        for (runs, most_writes) in [(60_u64, 1.0), (320, 2.0), (1000, 2.0), (4200, 3.0)] {
            let written = std::sync::Arc::default();
            let spill = CountedFiles(std::sync::Arc::clone(&written));
            let mut sorter = WordSorter::new(&spill, 0);
            let words = runs * 1024;
            for run in 0..runs {
                // Scattered over all runs.
                let mut part: Vec<u64> = (0..1024).map(|i| i * runs + run).collect();
                sorter.append(&mut part).unwrap();
            }
            let mut next = 0;
            sorter
                .finish(|word, times| {
                    assert_eq!((word, times), (next, 1));
                    next += 1;
                    Ok(())
                })
                .unwrap();
            assert_eq!(next, words);
            let entries = written.load(std::sync::atomic::Ordering::Relaxed) / ENTRY as u64;
            let times = entries as f64 / words as f64;
            assert!(
                times <= most_writes,
                "{runs} runs: every word is written {times} times"
            );
        }
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let spill = MemoryFiles(2.into());
        let mut sorter = WordSorter::new(&spill, 0);
        let result = (0..10).try_for_each(|_| sorter.append(&mut vec![7; 1000]));
        assert_eq!(
            result.unwrap_err().to_string(),
            "a temporary file cannot be used: no room"
        );
    }
}
