//! The join of equal keys that lie in files: one file for each column of keys.
//!
//! The candidates are those of the [join in memory](crate::candidates::join::memory). Here every group passes its pairs
//! to a sort that may use files too.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::candidates::columns::{KEY_BYTES, KeyColumns, Layout};
use crate::candidates::input::{JoinCounts, JoinInput};
use crate::candidates::join::asked_groups::{self, AskedGroups, GATHERED_BYTES, capped_asked_pairs};
use crate::candidates::join::asking_files::{self, Part, each_asked};
use crate::candidates::join::group::{
    Keyed, Share, all_pairs, capped_pairs, groups, kin, pair_word, sort_by_keys,
};
use crate::candidates::join::key_file::{each_pair, each_piece, key_bytes, key_of};
use crate::candidates::join::memory::counted;
use crate::candidates::join::open_groups::{OpenGroups, group_word};
use crate::candidates::join::spill::{BLOCK, Spill, SpillError, SpillFile, WordSorter, Writer};
use crate::candidates::method::Index;
use crate::candidates::pair::ScoredPair;
use crate::numeric::bit_set::BitSet;
use crate::numeric::narrow;
use crate::numeric::rows::Rows;

/// The keys of all documents in files that are being written, one per column, and the kin of each row in memory.
pub(crate) struct KeyFiles {
    columns: Vec<Writer>,
    kept: Kept,
}

/// The keys of all documents in files that are complete and can be read.
pub(crate) struct KeptKeys {
    files: Vec<Box<dyn SpillFile>>,
    kept: Kept,
}

/// The part of the keys' data that stays in memory.
struct Kept {
    layout: KeyColumns,
    /// The [kin](kin()) of each document's row; 0 for an empty row. It matters in capped groups only.
    kin: Vec<u64>,
    /// Number of keys in the column, for [`Layout::Any`]; else 0.
    keys: u64,
    /// Number of keys of each document if documents ask by some of them; else empty.
    sizes: Vec<u32>,
}

impl KeyFiles {
    pub(crate) fn new(layout: KeyColumns, spill: &dyn Spill) -> Result<Self, SpillError> {
        let columns = (0..layout.columns).map(|_| Ok(Writer::new(spill.file()?)));
        Ok(Self {
            columns: columns.collect::<Result<_, SpillError>>()?,
            kept: Kept {
                layout,
                kin: Vec::new(),
                keys: 0,
                sizes: Vec::new(),
            },
        })
    }

    /// Appends the rows of further documents.
    pub(crate) fn append(&mut self, rows: &Rows) -> Result<(), SpillError> {
        let kept = &mut self.kept;
        for row in rows.iter() {
            let layout = kept.layout;
            let keys = (0..layout.columns).flat_map(|column| layout.keys(row, column));
            let document = narrow::to_u32(kept.kin.len()); // document numbers have 32 bits
            kept.kin.push(match row {
                [] => 0,
                _ => kin(layout.columns, keys),
            });
            if kept.layout.asked {
                kept.sizes.push(narrow::to_u32(row.len())); // documents have fewer than 2^32 keys
            }
            for (number, column) in (0..).zip(&mut self.columns) {
                match kept.layout.layout {
                    Layout::One => column.write(&key_bytes(KeyColumns::key(row, number)))?,
                    Layout::Any => {
                        for key in kept.layout.keys(row, number) {
                            column.write(&document.to_le_bytes())?;
                            column.write(&key_bytes(key))?;
                            kept.keys += 1;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Memory in use, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let Kept { kin, sizes, .. } = &self.kept;
        let documents = kin.capacity() * size_of::<u64>() + sizes.capacity() * size_of::<u32>();
        (documents + self.columns.len() * BLOCK) as u64
    }

    /// Completes the files.
    pub(crate) fn finish(self) -> Result<KeptKeys, SpillError> {
        let files = self.columns.into_iter().map(Writer::finish);
        Ok(KeptKeys {
            files: files.collect::<Result<_, _>>()?,
            kept: self.kept,
        })
    }
}

impl KeptKeys {
    /// All candidate pairs among the documents of `input`, sorted, each with its estimate. The rows of `input` are not
    /// used. Buffers take up to `memory` bytes, and so do the pairs.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "estimates are stored with the precision of f32"
    )]
    pub(crate) fn join(
        &mut self,
        input: &JoinInput<'_>,
        index: &dyn Index,
        spill: &dyn Spill,
        memory: u64,
    ) -> Result<(Vec<ScoredPair>, JoinCounts), SpillError> {
        let documents = input.documents;
        let Kept {
            layout,
            kin,
            keys,
            sizes,
        } = &self.kept;
        let (layout, keys, all) = (*layout, *keys, kin.len());
        let mut takes_part = vec![0_u64; all.div_ceil(64)];
        for &document in documents {
            // `kin` never returns 0, so 0 marks an empty row: its document shares no key with any other.
            if kin[document as usize] != 0 {
                takes_part[document as usize / 64] |= 1 << (document % 64);
            }
        }
        // A third of the memory is for keys and a third for the sort of pairs. After all keys are read, half is for
        // pairs.
        let threads = rayon::current_num_threads().max(1) as u64;
        // A key with its document takes 16 bytes (`Keyed`), and as much again in the spare buffer of the
        // sort. Groups of asking documents are collected on top of that.
        let key_bytes = if layout.asked { 32 + GATHERED_BYTES } else { 32 };
        let at_once = (memory / 3 / threads / key_bytes).max(1 << 15);
        // A document may ask by other keys in each search, so the groups that the last search capped do not
        // apply.
        let further = input.further.filter(|_| !layout.asked);
        let large_groups;
        let mut join = Join {
            takes_part: &takes_part,
            kin,
            input,
            share: None,
            only: further.map(|further| further.open),
            layout,
            sizes,
            at_once,
            most_pairs: most_pairs(memory),
            sorter: WordSorter::new(spill, memory / 3, threads),
            capped: Mutex::default(),
        };
        match (layout.asked, &mut self.files[..]) {
            (true, [file]) => {
                let taking_part: u64 = documents
                    .iter()
                    .map(|&document| u64::from(sizes[document as usize]))
                    .sum();
                // At least one part per thread, and small enough for one pass each unless that takes more than
                // the largest number of parts.
                let mut parts = asking_files::part(
                    &mut **file,
                    (keys, taking_part),
                    |document| join.takes_part(document),
                    &|keys| index.asked(keys),
                    spill,
                    taking_part.div_ceil(at_once).max(threads),
                )?;
                let column = |part: &mut Part| join.column((0, part.keys), AskedFile(part));
                parts.par_iter_mut().map(column).collect::<Result<(), _>>()?;
            }
            (_, files) => {
                join.columns(files, (all as u64, keys, documents.len() as u64))?;
                // The first scan emits the groups that are complete in every collection and only names the
                // larger ones. The share can be chosen once the sizes of all large groups are known.
                let large = std::mem::take(&mut join.capped().large);
                if !large.is_empty() {
                    let sizes = counted(large.iter().map(|(_, members)| *members));
                    let share = layout
                        .limit
                        .share(&sizes, documents.len() as u64, further.is_some());
                    let members = large.iter().map(|(_, members)| *members).sum();
                    large_groups = OpenGroups::new(large.into_iter().map(|(word, _)| word));
                    // The second scan reads the large groups only. It feeds the sorter of the first, so
                    // pairs that occur in both kinds of groups are counted together.
                    let again = Join {
                        share: Some(share),
                        only: Some(&large_groups),
                        ..join
                    };
                    again.columns(files, (all as u64, keys, members))?;
                    join = again;
                }
            }
        }
        let sorter = join.sorter;
        let capped = join.capped.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut counts = JoinCounts {
            capped_buckets: capped.groups,
            open: OpenGroups::new(capped.open),
            ..JoinCounts::default()
        };
        counts.capped.members = capped.members;
        // From here on: the distinct pairs in ascending order. Pairs beyond the memory are counted, not
        // stored, so that the error can name the memory that is needed.
        let mut pairs: Vec<ScoredPair> = Vec::new();
        let most = usize::try_from(most_pairs(memory)).unwrap_or(usize::MAX);
        let mut too_many = 0_u64;
        sorter.finish(|word, times| {
            if pairs.len() >= most {
                too_many += 1;
                return Ok(());
            }
            // The vector doubles like an ordinary one, but never grows beyond the memory limit.
            if pairs.len() == pairs.capacity() {
                pairs.reserve_exact(pairs.len().max(1024).min(most - pairs.len()));
            }
            pairs.push(ScoredPair::new(
                (word >> 32) as u32,
                narrow::low_half(word),
                0.0,
                index.estimate_of(times).map(|estimate| estimate as f32),
            ));
            Ok(())
        })?;
        if too_many > 0 {
            let all = pairs.len() as u64 + too_many;
            return Err(memory_for(all));
        }
        counts.candidates = pairs.len() as u64;
        if counts.capped_buckets > 0 && index.estimate_of(1).is_some() {
            // A capped group does not emit all its pairs, and may emit a pair twice, so the repetitions are
            // not the number of equal keys: count them from the files.
            let mut times = vec![0_u32; pairs.len()];
            for file in &mut self.files {
                count_equal(&mut **file, all, &pairs, &mut times)?;
            }
            for (pair, times) in pairs.iter_mut().zip(times) {
                *pair = pair.with_estimate(index.estimate_of(times).map(|estimate| estimate as f32));
            }
        }
        Ok((pairs, counts))
    }
}

/// Number of pairs that fit into half of the memory.
fn most_pairs(memory: u64) -> u64 {
    memory / 2 / size_of::<ScoredPair>() as u64
}

/// The error that `pairs` pairs do not fit into the memory.
fn memory_for(pairs: u64) -> SpillError {
    SpillError::Memory(2 * pairs * size_of::<ScoredPair>() as u64)
}

struct Join<'a> {
    /// One bit per document.
    takes_part: &'a [u64],
    kin: &'a [u64],
    input: &'a JoinInput<'a>,
    /// The share of large groups. `None` in the first scan: groups that may be capped are only recorded,
    /// with their sizes.
    share: Option<Share>,
    /// The groups whose pairs are emitted; `None`: all groups.
    only: Option<&'a OpenGroups>,
    layout: KeyColumns,
    sizes: &'a [u32],
    /// Number of keys that are in memory at a time.
    at_once: u64,
    /// Number of pairs that fit into the memory.
    most_pairs: u64,
    sorter: WordSorter<'a>,
    capped: Mutex<Capped>,
}

/// Groups that were capped, and large groups that wait for their share.
#[derive(Default)]
struct Capped {
    groups: u64,
    /// The [words](group_word) of capped groups.
    open: Vec<u64>,
    /// The documents of capped groups.
    members: BitSet,
    /// The words and sizes of groups that may be capped.
    large: Vec<(u64, u64)>,
}

impl Join<'_> {
    fn takes_part(&self, document: u32) -> bool {
        self.takes_part[document as usize / 64] >> (document % 64) & 1 == 1
    }

    fn capped(&self) -> MutexGuard<'_, Capped> {
        self.capped.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a capped group.
    fn cap(&self, column: u32, group: &[Keyed]) {
        let mut capped = self.capped();
        capped.groups += 1;
        capped
            .open
            .extend(group.first().map(|word| group_word(column, word.key)));
        group.iter().for_each(|word| capped.members.insert(word.member));
    }

    /// Emits the pairs of all columns. The three numbers are: all documents; the keys of the single column
    /// of [`Layout::Any`]; an upper bound of the keys that take part in a column of [`Layout::One`].
    fn columns(
        &self,
        files: &mut [Box<dyn SpillFile>],
        (documents, keys, read): (u64, u64, u64),
    ) -> Result<(), SpillError> {
        if self.only.is_some_and(|only| only.len() == 0) {
            return Ok(());
        }
        let column = |(number, file): (usize, &mut Box<dyn SpillFile>)| {
            let number = narrow::to_u32(number); // a row has fewer than 2^32 columns
            match self.layout.layout {
                Layout::One => self.column((number, read.min(documents)), OneEach(&mut **file, documents)),
                Layout::Any => self.column((number, keys), AnyEach(&mut **file, keys)),
            }
        };
        files.par_iter_mut().enumerate().map(column).collect()
    }

    /// Emits the pairs of a column, given by its number. `keys` is the number of keys of documents that
    /// take part, or an upper bound of it.
    ///
    /// With one key per document, no pair of a column is in two groups (only a capped group may emit a pair
    /// twice). If the pairs of one column exceed the memory, so does the result. They are then only
    /// counted, and the error is returned without sorting or waiting for other columns.
    fn column(&self, (number, keys): (u32, u64), mut file: impl KeyFile) -> Result<(), SpillError> {
        let mut given = 0_u64;
        let more_than = self.layout.limit.always(self.input.further.is_some());
        let most = match self.layout.layout {
            Layout::One => self.most_pairs,
            // Pairs of different groups may be equal here, so their number says nothing about the result's
            // size.
            Layout::Any => u64::MAX,
        };
        // The column is read once per pass; each pass takes the keys of one range.
        let passes = keys.div_ceil(self.at_once);
        let (mut words, mut spare) = (Vec::new(), Vec::new());
        let mut asked = AskedGroups::default();
        let mut pairs = self.sorter.feed();
        let kin = |document: u32| self.kin[document as usize];
        for pass in 0..passes {
            words.clear();
            file.each(|document, key, asks| {
                // The pass is computed from the lower 32 bits of a key. The product fits into 64 bits. The
                // upper bits would not do: a part of the asked keys is a range of them, so all its keys
                // would fall into a few passes.
                if self.takes_part(document)
                    && (u64::from(narrow::low_half(key)) * passes) >> u32::BITS == pass
                    && self.only.is_none_or(|only| only.contains(number, key))
                {
                    words.push(Keyed {
                        key,
                        member: document,
                        asks,
                    });
                }
            })?;
            sort_by_keys(&mut words, &mut spare);
            let size = |document: u32| self.sizes[document as usize];
            let limit = self.layout.limit;
            let mut gather = |a: u32, b: u32| {
                given += 1;
                // After the limit, pairs are only counted for the error.
                if given <= most {
                    pairs.push(pair_word(a, b))
                } else {
                    Ok(())
                }
            };
            for group in groups(&words) {
                // The order of the tests matters: asked groups never wait for a share, and a group is
                // compared with the share only in the second scan.
                if self.layout.asked && !asked_groups::is_capped(group, limit) {
                    asked.add(group);
                } else if self.layout.asked {
                    self.cap(number, group);
                    let input = self.input;
                    capped_asked_pairs(group, size, input, kin, |document| document, &mut gather)?;
                } else if self.share.is_none() && group.len() > more_than {
                    let large = group.first().map(|word| group_word(number, word.key));
                    let large = large.map(|word| (word, group.len() as u64));
                    self.capped().large.extend(large);
                } else if let Some(share) = self.share.filter(|share| share.caps(group.len())) {
                    self.cap(number, group);
                    capped_pairs(group, self.input, share, kin, |document| document, &mut gather)?;
                } else {
                    all_pairs(group, &mut gather)?;
                }
            }
            // Collected groups never span passes: all documents of a key are in the same pass.
            asked.give(size, gather)?;
        }
        if given > most {
            Err(memory_for(given))
        } else {
            Ok(())
        }
    }
}

/// A file of keys that can be read any number of times, always from its start.
trait KeyFile {
    /// Calls `visit` with every document and key, and with true if the document asks by the key.
    fn each(&mut self, visit: impl FnMut(u32, u64, bool)) -> Result<(), SpillError>;
}

/// A column with one key per document, and the number of documents.
struct OneEach<'f>(&'f mut dyn SpillFile, u64);

/// A column whose entries hold document and key, and the number of keys.
struct AnyEach<'f>(&'f mut dyn SpillFile, u64);

/// A part of the keys, for documents that ask by some of their keys only.
struct AskedFile<'f>(&'f mut Part);

impl KeyFile for OneEach<'_> {
    fn each(&mut self, mut visit: impl FnMut(u32, u64, bool)) -> Result<(), SpillError> {
        let mut document = 0;
        each_piece(self.0, self.1, |key: &[u8; KEY_BYTES]| {
            visit(document, key_of(*key), true);
            document += 1;
            Ok(())
        })
    }
}

impl KeyFile for AnyEach<'_> {
    fn each(&mut self, mut visit: impl FnMut(u32, u64, bool)) -> Result<(), SpillError> {
        each_pair(self.0, self.1, |document, key| {
            visit(document, key, true);
            Ok(())
        })
    }
}

impl KeyFile for AskedFile<'_> {
    fn each(&mut self, mut visit: impl FnMut(u32, u64, bool)) -> Result<(), SpillError> {
        each_asked(self.0, |document, key, asks| {
            visit(document, key, asks);
            Ok(())
        })
    }
}

/// Adds 1 to the count of each pair whose documents have an equal key in this column.
fn count_equal(
    file: &mut dyn SpillFile,
    documents: usize,
    pairs: &[ScoredPair],
    times: &mut [u32],
) -> Result<(), SpillError> {
    let mut keys: Vec<[u8; KEY_BYTES]> = Vec::with_capacity(documents);
    // All documents have a key in the column, also those that take no part, so a document's number is its
    // place.
    each_piece(file, documents as u64, |key| {
        keys.push(*key);
        Ok(())
    })?;
    times.par_iter_mut().zip(pairs).for_each(|(times, pair)| {
        *times += u32::from(keys[pair.a as usize] == keys[pair.b as usize]);
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::join::group::{GroupLimit, KEY_BITS};
    use crate::candidates::join::spill::tests::MemoryFiles;
    use crate::candidates::methods::BruteForce;

    /// The candidate pairs of documents with these keys, one row each, with a memory limit in bytes and a limit on the
    /// number of files.
    fn pairs(
        layout: Layout,
        keys: &[Vec<u64>],
        memory: u64,
        files: u32,
    ) -> Result<Vec<(u32, u32)>, SpillError> {
        let columns = KeyColumns {
            columns: if layout == Layout::One {
                keys[0].len() as u32
            } else {
                1
            },
            limit: GroupLimit::new(5000),
            layout,
            asked: false,
        };
        let mut rows = Rows::new();
        for keys in keys {
            let mut row = Vec::new();
            KeyColumns::pack(layout, keys.iter().copied(), &mut row);
            rows.push(&row);
        }
        let spill = MemoryFiles(files.into());
        let mut keyed = KeyFiles::new(columns, &spill)?;
        keyed.append(&rows)?;
        let documents: Vec<u32> = (0..).take(keys.len()).collect();
        let contents: Vec<u128> = (0..).take(keys.len()).collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let input = JoinInput {
            documents: &documents,
            rows: &Rows::new(),
            contents: &contents,
            further: None,
        };
        let mut keyed = keyed.finish()?;
        let joined = pool.install(|| keyed.join(&input, &BruteForce, &spill, memory));
        Ok(joined?.0.iter().map(|pair| (pair.a, pair.b)).collect())
    }

    #[test]
    fn every_bit_of_a_key_counts() {
        for layout in [Layout::One, Layout::Any] {
            for bit in 0..KEY_BITS {
                let keys = [vec![5 << 40], vec![5 << 40 ^ 1 << bit], vec![5 << 40]];
                assert_eq!(pairs(layout, &keys, 1 << 20, 9).unwrap(), [(0, 2)], "bit {bit}");
            }
        }
    }

    /// The first column alone has too many pairs: the error gives their number, and no file is created for sorting
    /// them.
    #[test]
    fn too_many_pairs_are_told_before_they_are_sorted() {
        let keys: Vec<Vec<u64>> = (0..2000).map(|document| vec![7, document]).collect();
        let found = pairs(Layout::One, &keys, 1 << 20, 2);
        let needed = 2000 * 1999 / 2 * 2 * size_of::<ScoredPair>() as u64;
        assert!(
            matches!(found, Err(SpillError::Memory(bytes)) if bytes == needed),
            "{found:?}"
        );
        assert_eq!(
            pairs(Layout::One, &keys, 2 * needed, 2).unwrap().len(),
            2000 * 1999 / 2
        );
    }
}
