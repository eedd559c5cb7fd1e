//! Temporary files for data that exceeds the memory, and a sort that uses them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::error::Error;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

/// A temporary file: it is written first, and then read from its start, once or several times.
pub trait SpillFile: Send + Sync {
    /// Appends the bytes.
    ///
    /// # Errors
    /// If the file cannot be written, for example because the disk is full.
    fn write(&mut self, bytes: &[u8]) -> Result<()>;

    /// Moves to the start of the file for reading.
    ///
    /// # Errors
    /// If the file cannot be used.
    fn rewind(&mut self) -> Result<()>;

    /// Reads into the buffer until it is full or the file ends. Returns the number of bytes read.
    ///
    /// # Errors
    /// If the file cannot be read.
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize>;
}

/// Creates temporary files for data that exceeds the memory. A file may be deleted when its value is dropped.
pub trait Spill: Send + Sync {
    /// Creates an empty file.
    ///
    /// # Errors
    /// If a file cannot be created.
    fn file(&self) -> Result<Box<dyn SpillFile>>;
}

/// The reason why a search in bounded memory failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum SpillError {
    /// A file could not be written or read.
    File(Box<dyn Error + Send + Sync>),
    /// The search needs more memory than allowed: at least this number of bytes.
    Memory(u64),
    /// The collection is full: documents are numbered with 32 bits, so it holds at most 2^32 - 1.
    TooManyDocuments,
}

impl fmt::Display for SpillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => write!(f, "a temporary file cannot be used: {error}"),
            Self::Memory(bytes) => write!(f, "at least {bytes} bytes of memory are needed"),
            Self::TooManyDocuments => {
                f.write_str("a collection holds at most 4294967295 documents; split the input")
            }
        }
    }
}

impl Error for SpillError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File(error) => Some(&**error),
            Self::Memory(_) | Self::TooManyDocuments => None,
        }
    }
}

type Result<T, E = SpillError> = std::result::Result<T, E>;

/// Number of bytes that are written or read at a time.
pub(crate) const BLOCK: usize = 64 << 10;

/// Largest number of runs that are merged at a time.
const MAX_RUNS: usize = 64;

/// Number of bytes of an entry in a file: a word of 8 bytes and its number of repetitions in 4.
const ENTRY: usize = 12;

/// Sorts the words of several threads and counts the repetitions of each, in bounded memory.
///
/// Each thread fills its own list, sorts it, writes it as a run and merges runs while the other threads go on. A lock
/// is held only while lists and runs change owners.
pub(crate) struct WordSorter<'s> {
    spill: &'s dyn Spill,
    /// Largest number of words in a list.
    most: usize,
    /// The lists that no thread is filling.
    lists: Mutex<Vec<Vec<u64>>>,
    /// Sorted runs, by the number of merges that their words went through.
    levels: Mutex<Vec<Vec<Box<dyn SpillFile>>>>,
}

/// Fills a list of words for one thread.
pub(crate) struct WordFeed<'s> {
    sorter: &'s WordSorter<'s>,
    words: Vec<u64>,
}

impl<'s> WordSorter<'s> {
    /// A sorter for `threads` feeding threads. The lists of all threads together hold up to `bytes` bytes of words; a
    /// list has room for 1024 words in any case.
    pub(crate) fn new(spill: &'s dyn Spill, bytes: u64, threads: u64) -> Self {
        let most = usize::try_from(bytes / 8 / threads.max(1)).unwrap_or(usize::MAX);
        Self {
            spill,
            most: most.max(1024),
            lists: Mutex::default(),
            levels: Mutex::default(),
        }
    }

    /// A feed for the words of one thread.
    pub(crate) fn feed(&self) -> WordFeed<'_> {
        WordFeed {
            sorter: self,
            words: lock(&self.lists).pop().unwrap_or_default(),
        }
    }

    /// Sorts a list, writes it as a run, and clears it.
    fn write_run(&self, words: &mut Vec<u64>) -> Result<()> {
        words.sort_unstable();
        let mut run = Writer::new(self.spill.file()?);
        for equal in words.chunk_by(|a, b| a == b) {
            run.entry(equal[0], u32::try_from(equal.len()).unwrap_or(u32::MAX))?;
        }
        words.clear();
        self.add_run(run.finish()?)
    }

    /// Adds a run. When a level has `MAX_RUNS` runs, they are merged into a run of the next level. So a word is merged
    /// about log(number of runs) times, to the base `MAX_RUNS`.
    fn add_run(&self, mut run: Box<dyn SpillFile>) -> Result<()> {
        // The lock is released before merging, so other threads can add runs to the level that was just
        // emptied.
        for level in 0.. {
            let full = {
                let mut levels = lock(&self.levels);
                if levels.len() == level {
                    levels.push(Vec::new());
                }
                levels[level].push(run);
                if levels[level].len() < MAX_RUNS {
                    break;
                }
                std::mem::take(&mut levels[level])
            };
            run = self.merged(full)?;
        }
        Ok(())
    }

    /// Merges several runs into one.
    fn merged(&self, runs: Vec<Box<dyn SpillFile>>) -> Result<Box<dyn SpillFile>> {
        let mut merged = Writer::new(self.spill.file()?);
        merge(files(runs), |word, times| merged.entry(word, times))?;
        merged.finish()
    }

    /// Calls `visit` with each distinct word in ascending order, and with its number of repetitions.
    pub(crate) fn finish(self, visit: impl FnMut(u64, u32) -> Result<()>) -> Result<()> {
        let mut lists = std::mem::take(&mut *lock(&self.lists));
        // Nothing was written: the lists are merged in memory, without files.
        if lock(&self.levels).is_empty() {
            lists.par_iter_mut().for_each(|list| list.sort_unstable());
            let lists = lists.into_iter().map(|list| Run::List(list.into_iter()));
            return merge(lists.collect(), visit);
        }
        // Some lists were written already. The others are written too, so that the last merge holds only
        // blocks of runs in memory.
        lists
            .into_par_iter()
            .try_for_each(|mut list| self.write_run(&mut list))?;
        let levels = std::mem::take(&mut *lock(&self.levels));
        // Higher levels first: their runs went through more merges and are longer, so the shortest are
        // last.
        let mut runs: Vec<Box<dyn SpillFile>> = levels.into_iter().rev().flatten().collect();
        while runs.len() > MAX_RUNS {
            // Merges the shortest runs first, until `MAX_RUNS` are left for the last merge.
            let last = runs.split_off(runs.len() - MAX_RUNS.min(runs.len() - MAX_RUNS + 1));
            runs.push(self.merged(last)?);
        }
        merge(files(runs), visit)
    }
}

impl WordFeed<'_> {
    /// Adds a word.
    #[inline]
    pub(crate) fn push(&mut self, word: u64) -> Result<()> {
        if self.words.len() == self.words.capacity() {
            self.make_room()?;
        }
        self.words.push(word);
        Ok(())
    }

    /// Doubles the capacity of the list, up to its largest size. A list of the largest size is written as a run
    /// instead.
    fn make_room(&mut self) -> Result<()> {
        let length = self.words.len();
        if length >= self.sorter.most {
            // `write_run` clears the list and keeps its capacity, so the next word fits.
            return self.sorter.write_run(&mut self.words);
        }
        let room = (2 * length).clamp(1024, self.sorter.most);
        self.words.reserve_exact(room - length);
        Ok(())
    }
}

impl Drop for WordFeed<'_> {
    /// Returns the list to the sorter, for another thread or the final merge.
    fn drop(&mut self) {
        lock(&self.sorter.lists).push(std::mem::take(&mut self.words));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Words in ascending order, from a file or in memory.
enum Run {
    File(Reader),
    List(std::vec::IntoIter<u64>),
}

impl Run {
    /// The next word and its number of repetitions, or `None` at the end.
    fn entry(&mut self) -> Result<Option<(u64, u32)>> {
        match self {
            Self::File(reader) => reader.entry(),
            Self::List(words) => Ok(words.next().map(|word| (word, 1))),
        }
    }
}

fn files(runs: Vec<Box<dyn SpillFile>>) -> Vec<Run> {
    runs.into_iter()
        .map(|file| Run::File(Reader::new(file)))
        .collect()
}

/// Calls `visit` with each distinct word of the runs in ascending order, and with its number of repetitions in all
/// runs.
fn merge(mut runs: Vec<Run>, mut visit: impl FnMut(u64, u32) -> Result<()>) -> Result<()> {
    let mut heap = BinaryHeap::new();
    for (number, run) in runs.iter_mut().enumerate() {
        if let Some((word, times)) = run.entry()? {
            heap.push(Reverse((word, number, times)));
        }
    }
    let mut current: Option<(u64, u32)> = None;
    // Equal words leave the heap one after another, so a word is complete when another one follows.
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
        // Each run has one entry in the heap; the popped one is replaced by its successor.
        if let Some((word, times)) = runs[number].entry()? {
            heap.push(Reverse((word, number, times)));
        }
    }
    match current {
        Some((word, times)) => visit(word, times),
        None => Ok(()),
    }
}

/// Writes a file in blocks.
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
        // Blocks are buffers only: the file holds their bytes without gaps.
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

    /// Writes the rest and returns the file, ready to be read from its start.
    pub(crate) fn finish(mut self) -> Result<Box<dyn SpillFile>> {
        self.file.write(&self.block)?;
        self.file.rewind()?;
        Ok(self.file)
    }
}

/// Reads the entries of a run in blocks.
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
            // A multiple of the entry size, so that no entry is split between two reads.
            self.block.resize(BLOCK / ENTRY * ENTRY, 0);
            let read = self.file.read(&mut self.block)?;
            self.block.truncate(read);
            self.at = 0;
        }
        // At the end of the file `read` returned 0, and the rest is empty. Other rests shorter than an
        // entry are cut off.
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

/// The error that a file returned fewer bytes than were written to it.
pub(crate) fn cut_off() -> SpillError {
    SpillError::File("it has become shorter".into())
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::numeric::random::SplitMix64;

    /// Files in memory. The number is that of files that may still be created.
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
            let sorter = WordSorter::new(&spill, bytes, 3);
            words.par_chunks(777).for_each(|part| {
                let mut feed = sorter.feed();
                part.iter().for_each(|&word| feed.push(word).unwrap());
            });
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
        // Words are distinct, so that merging never joins two entries.
        for (runs, most_writes) in [(60_u64, 1.0), (320, 2.0), (1000, 2.0), (4200, 3.0)] {
            let written = std::sync::Arc::default();
            let spill = CountedFiles(std::sync::Arc::clone(&written));
            let sorter = WordSorter::new(&spill, 0, 1);
            let words = runs * 1024;
            for run in 0..runs {
                // The words of a list are scattered over the whole range.
                let mut feed = sorter.feed();
                (0..1024).for_each(|i| feed.push(i * runs + run).unwrap());
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
        let sorter = WordSorter::new(&spill, 0, 1);
        let mut feed = sorter.feed();
        let result = (0..10_000).try_for_each(|_| feed.push(7));
        assert_eq!(
            result.unwrap_err().to_string(),
            "a temporary file cannot be used: no room"
        );
    }

    /// Blocks the first request for a file until a second thread requests one.
    struct TwoAtOnce(Mutex<usize>, std::sync::Condvar);

    impl Spill for TwoAtOnce {
        fn file(&self) -> Result<Box<dyn SpillFile>> {
            let mut asked = lock(&self.0);
            *asked += 1;
            self.1.notify_all();
            let long = std::time::Duration::from_secs(120);
            let (asked, _) = self
                .1
                .wait_timeout_while(asked, long, |asked| *asked < 2)
                .unwrap();
            if *asked < 2 {
                return Err(SpillError::File("no other thread can write".into()));
            }
            MemoryFiles::unlimited().file()
        }
    }

    #[test]
    fn threads_write_their_runs_at_the_same_time() {
        let spill = TwoAtOnce(Mutex::default(), std::sync::Condvar::new());
        let sorter = WordSorter::new(&spill, 0, 2);
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let sorter = &sorter;
                scope.spawn(move || {
                    let mut feed = sorter.feed();
                    (0..1025).for_each(|word| feed.push(2 * word + thread).unwrap());
                });
            }
        });
        let mut next = 0;
        let each = |word, times| {
            assert_eq!((word, times), (next, 1));
            next += 1;
            Ok(())
        };
        sorter.finish(each).unwrap();
        assert_eq!(next, 2050);
    }
}
