//! The join of equal keys that lie in files: one file for each column of keys.
//!
//! The candidates are those of the [join in memory](crate::candidates::join::memory). Here every group gives its pairs to a
//! sort that may use files too.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::candidates::columns::{KeyColumns, Layout};
use crate::candidates::input::{JoinCounts, JoinInput};
use crate::candidates::join::group::{all_pairs, capped_pairs, groups, pair_word};
use crate::candidates::join::spill::{BLOCK, Spill, SpillError, SpillFile, WordSorter, Writer, cut_off};
use crate::candidates::method::Index;
use crate::candidates::pair::ScoredPair;
use crate::numeric::bit_set::BitSet;
use crate::numeric::radix::sort_by_upper_half;
use crate::numeric::random::mix;
use crate::numeric::rows::Rows;

/// The keys of all documents, column by column in files that are written, and a hash of each row in memory.
pub(crate) struct KeyFiles {
    columns: Vec<Writer>,
    kept: Kept,
}

/// The same in files that are read.
pub(crate) struct KeptKeys {
    files: Vec<Box<dyn SpillFile>>,
    kept: Kept,
}

/// What is known of keys in files.
struct Kept {
    layout: KeyColumns,
    /// A hash of each document's row; 0 for an empty one. Equal rows have equal hashes, and a billion documents have two
    /// different rows of equal hash with a probability of 3 %, which would matter in capped groups only.
    rows: Vec<u64>,
    /// Keys in the column, where documents may have any number of them.
    keys: u64,
}

/// Words of pairs that a thread gathers before it moves them to the sorter.
const GATHERED: usize = 1 << 13;

impl KeyFiles {
    pub(crate) fn new(layout: KeyColumns, spill: &dyn Spill) -> Result<Self, SpillError> {
        let columns = (0..layout.columns).map(|_| Ok(Writer::new(spill.file()?)));
        Ok(Self {
            columns: columns.collect::<Result<_, SpillError>>()?,
            kept: Kept {
                layout,
                rows: Vec::new(),
                keys: 0,
            },
        })
    }

    /// Adds the rows of further documents.
    pub(crate) fn append(&mut self, rows: &Rows) -> Result<(), SpillError> {
        let kept = &mut self.kept;
        for row in rows.iter() {
            let hash = row.iter().fold(row.len() as u64, |hash, &word| mix(hash ^ word));
            let document = kept.rows.len() as u32; // as many as can be numbered
            kept.rows.push(if row.is_empty() { 0 } else { hash.max(1) });
            for (number, column) in (0..).zip(&mut self.columns) {
                match kept.layout.layout {
                    Layout::One => column.write(&KeyColumns::key(row, number).to_le_bytes())?,
                    Layout::Any => {
                        for key in kept.layout.keys(row, number) {
                            column.write(&document.to_le_bytes())?;
                            column.write(&key.to_le_bytes())?;
                            kept.keys += 1;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Bytes of memory that this takes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.kept.rows.capacity() * size_of::<u64>() + self.columns.len() * BLOCK) as u64
    }

    /// Ends the writing.
    pub(crate) fn finish(self) -> Result<KeptKeys, SpillError> {
        let files = self.columns.into_iter().map(Writer::finish);
        Ok(KeptKeys {
            files: files.collect::<Result<_, _>>()?,
            kept: self.kept,
        })
    }
}

impl KeptKeys {
    /// All candidate pairs among the documents of `input`, whose rows do not matter; sorted, each with its estimate. Buffers are
    /// within `memory` bytes, and so are the pairs.
    pub(crate) fn join(
        &mut self,
        input: &JoinInput<'_>,
        index: &dyn Index,
        spill: &dyn Spill,
        memory: u64,
    ) -> Result<(Vec<ScoredPair>, JoinCounts), SpillError> {
        let documents = input.documents;
        let Kept { layout, rows, keys } = &self.kept;
        let (layout, keys) = (*layout, *keys);
        let mut takes_part = vec![0_u64; rows.len().div_ceil(64)];
        for &document in documents {
            if rows[document as usize] != 0 {
                takes_part[document as usize / 64] |= 1 << (document % 64);
            }
        }
        // A third of the memory for keys, and one for the sort of pairs; when there are no more keys, half for pairs.
        let threads = rayon::current_num_threads().max(1) as u64;
        let at_once = (memory / 3 / threads / 16).max(1 << 16);
        let join = Join {
            takes_part: &takes_part,
            rows,
            input,
            layout,
            keys,
            passes: (documents.len() as u64).max(keys).div_ceil(at_once),
            sorter: Mutex::new(WordSorter::new(spill, memory / 3)),
            capped: Mutex::default(),
        };
        let capped_buckets = self
            .files
            .par_iter_mut()
            .map(|file| join.column(&mut **file))
            .collect::<Result<Vec<u64>, SpillError>>()?;
        let sorter = join.sorter.into_inner().unwrap_or_else(PoisonError::into_inner);

        let mut counts = JoinCounts::default();
        counts.capped.members = join.capped.into_inner().unwrap_or_else(PoisonError::into_inner);
        counts.capped_buckets = capped_buckets.iter().sum();
        let mut pairs: Vec<ScoredPair> = Vec::new();
        let most = usize::try_from(memory / 2 / size_of::<ScoredPair>() as u64).unwrap_or(usize::MAX);
        let mut too_many = 0_u64;
        sorter.finish(|word, times| {
            if pairs.len() >= most {
                too_many += 1;
                return Ok(());
            }
            if pairs.len() == pairs.capacity() {
                pairs.reserve_exact(pairs.len().max(1024).min(most - pairs.len()));
            }
            pairs.push(ScoredPair::new(
                (word >> 32) as u32,
                word as u32,
                0.0,
                index.estimate_of(times).map(|estimate| estimate as f32),
            ));
            Ok(())
        })?;
        if too_many > 0 {
            let all = pairs.len() as u64 + too_many;
            return Err(SpillError::Memory(2 * all * size_of::<ScoredPair>() as u64));
        }
        counts.candidates = pairs.len() as u64;
        if counts.capped_buckets > 0 && index.estimate_of(1).is_some() {
            // A capped group does not give all of its pairs, so that pairs were counted too rarely.
            let mut times = vec![0_u32; pairs.len()];
            for file in &mut self.files {
                count_equal(&mut **file, rows.len(), &pairs, &mut times)?;
            }
            for (pair, times) in pairs.iter_mut().zip(times) {
                pair.estimate = index.estimate_of(times).map(|estimate| estimate as f32);
            }
        }
        Ok((pairs, counts))
    }
}

struct Join<'a> {
    /// A bit for each document.
    takes_part: &'a [u64],
    rows: &'a [u64],
    input: &'a JoinInput<'a>,
    layout: KeyColumns,
    keys: u64,
    /// How often a column is read, for a part of the keys each time.
    passes: u64,
    sorter: Mutex<WordSorter<'a>>,
    /// The documents of capped groups.
    capped: Mutex<BitSet>,
}

impl Join<'_> {
    /// Gives the pairs of a column. Returns how many groups were capped.
    fn column(&self, file: &mut dyn SpillFile) -> Result<u64, SpillError> {
        let mut capped_buckets = 0;
        let (mut words, mut spare, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
        for pass in 0..self.passes {
            words.clear();
            let take = |document: u32, key: u32| {
                let bit = self.takes_part[document as usize / 64] >> (document % 64) & 1;
                if bit == 1 && (u64::from(key) * self.passes) >> 32 == pass {
                    words.push(u64::from(key) << 32 | u64::from(document));
                }
            };
            match self.layout.layout {
                Layout::One => each_key(file, self.rows.len(), take)?,
                Layout::Any => each_pair(file, self.keys, take)?,
            }
            sort_by_upper_half(&mut words, &mut spare);
            for group in groups(&words) {
                let gather = |a: u32, b: u32| {
                    pairs.push(pair_word(a, b));
                    self.flush(&mut pairs, GATHERED)
                };
                if self.layout.limit.caps(group.len()) {
                    capped_buckets += 1;
                    let mut capped = self.capped.lock().unwrap_or_else(PoisonError::into_inner);
                    group.iter().for_each(|&word| capped.insert(word as u32));
                    drop(capped);
                    let row = |document: u32| self.rows[document as usize];
                    capped_pairs(group, self.input, row, |document| document, gather)?;
                } else {
                    all_pairs(group, gather)?;
                }
            }
        }
        self.flush(&mut pairs, 1)?;
        Ok(capped_buckets)
    }

    /// Moves the pairs to the sorter if there are `least` of them or more.
    fn flush(&self, pairs: &mut Vec<u64>, least: usize) -> Result<(), SpillError> {
        if pairs.len() >= least {
            let mut sorter = self.sorter.lock().unwrap_or_else(PoisonError::into_inner);
            sorter.append(pairs)?;
        }
        Ok(())
    }
}

/// Calls `visit` with every document and key of a column that has the documents beside the keys.
fn each_pair(file: &mut dyn SpillFile, keys: u64, mut visit: impl FnMut(u32, u32)) -> Result<(), SpillError> {
    file.rewind()?;
    let mut block = vec![0_u8; BLOCK];
    let mut left = keys * 8;
    while left > 0 {
        let block = &mut block[..usize::try_from(left).unwrap_or(BLOCK).min(BLOCK)];
        if file.read(block)? < block.len() {
            return Err(cut_off());
        }
        left -= block.len() as u64;
        for word in block.as_chunks::<8>().0 {
            let word = u64::from_le_bytes(*word);
            visit(word as u32, (word >> 32) as u32);
        }
    }
    Ok(())
}

/// Calls `visit` with every document and its key in a column.
fn each_key(
    file: &mut dyn SpillFile,
    documents: usize,
    mut visit: impl FnMut(u32, u32),
) -> Result<(), SpillError> {
    file.rewind()?;
    let mut block = vec![0_u8; BLOCK];
    let mut document = 0_u32;
    let mut left = documents * 4;
    while left > 0 {
        let block = &mut block[..left.min(BLOCK)];
        if file.read(block)? < block.len() {
            return Err(cut_off());
        }
        left -= block.len();
        for key in block.chunks_exact(4) {
            visit(document, u32::from_le_bytes([key[0], key[1], key[2], key[3]]));
            document += 1;
        }
    }
    Ok(())
}

/// Counts the pairs that have equal keys in a column.
fn count_equal(
    file: &mut dyn SpillFile,
    documents: usize,
    pairs: &[ScoredPair],
    times: &mut [u32],
) -> Result<(), SpillError> {
    let mut keys = Vec::with_capacity(documents);
    each_key(file, documents, |_, key| keys.push(key))?;
    times.par_iter_mut().zip(pairs).for_each(|(times, pair)| {
        *times += u32::from(keys[pair.a as usize] == keys[pair.b as usize]);
    });
    Ok(())
}
