//! The join of equal keys in memory.
//!
//! A document has any number of keys in a column. It is in a group with the documents that have an equal key in the
//! same column. Every group passes its pairs to a sort ([`PairSorter`]), which counts equal pairs.
//! So only keys are read, one column after another, and pairs are compared afterwards in the order of documents. The
//! alternative, a search of the rows of two documents for an earlier equal key, would wait for memory at every step.
//!
//! The module [`group`](crate::candidates::join::group) defines which pairs a group emits.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::hint::black_box;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::candidates::input::{CappedGroups, Check, JoinCounts, JoinInput};
use crate::candidates::join::asked_groups::{self, AskedGroups, capped_asked_pairs};
use crate::candidates::join::group::{GroupLimit, Keyed, Share, all_pairs, capped_pairs, kin};
use crate::candidates::join::key_parts::{GroupBuffers, Packing};
use crate::candidates::join::open_groups::{OpenGroups, group_word};
use crate::candidates::join::pair_sorter::{PairFeed, PairSorter};
use crate::candidates::pair::ScoredPair;
use crate::numeric::bit_set::BitSet;
use crate::numeric::narrow;

/// Number of rows that are prefetched before the first of them is read.
const FETCHED: usize = 512;

/// Number of columns that are collected in one scan of the rows. A collected key takes eight bytes.
const AT_ONCE: u32 = 2;

/// Number of pieces per thread that the documents are cut into. Several, so that a slow thread does not
/// delay the others.
const PIECES: usize = 2;
/// Smallest number of documents in a piece.
const MIN_PIECE: usize = 1 << 12;

/// Number of tasks per column that emit pairs. Each handles a range of the column's parts.
const TASKS: usize = 8;

/// The source of keys.
pub(crate) trait Columns: Sync {
    /// True if documents ask by some of their keys only.
    const ASKED: bool = false;

    /// Number of columns.
    fn columns(&self) -> u32;

    /// The keys of a row in a column, without repetitions.
    fn keys<'r>(&self, column: u32, row: &'r [u64]) -> impl Iterator<Item = u64> + use<'r, Self>;

    /// Calls `visit` with the keys of [`keys`](Self::keys), in any order, and with true if the document
    /// asks by the key.
    #[inline]
    fn asking(&self, column: u32, row: &[u64], mut visit: impl FnMut(u64, bool)) {
        self.keys(column, row).for_each(|key| visit(key, true));
    }

    /// The [kin](kin()) of a row. It must not depend on how the join is run, so that joins in memory and in
    /// files choose the same pairs of capped groups.
    fn kin(&self, row: &[u64]) -> u64 {
        let columns = 0..self.columns();
        kin(self.columns(), columns.flat_map(|column| self.keys(column, row)))
    }

    /// Total number of keys of a document, given by its rank. Used only if documents ask by some of their keys.
    fn size(&self, rank: u32) -> u32 {
        let _ = rank;
        0
    }

    /// A filter on the rows of two documents in a common group; only pairs that it accepts are compared. `None`: all
    /// pairs are compared.
    fn filter(&self) -> Option<&Filter<'_>> {
        None
    }
}

/// Returns true if two rows are to be compared.
pub(crate) type Filter<'a> = dyn Fn(&[u64], &[u64]) -> bool + Sync + 'a;

/// Compares all pairs of documents in a common group, except pairs that capped groups leave out and no other group has.
pub(crate) fn join<C: Columns>(
    columns: &C,
    limit: GroupLimit,
    input: &JoinInput<'_>,
    check: &Check<'_>,
    found: &mut Vec<ScoredPair>,
) -> JoinCounts {
    let pairs = PairSorter::new(input.documents.len());
    // A document may ask by other keys in each search, so the groups that the last search capped do not
    // apply.
    let further = input.further.filter(|_| !C::ASKED);
    let scan = Scan {
        limit,
        share: None,
        only: further.map(|further| further.open),
    };
    let mut capped = scan.emit(columns, input, &pairs);
    // The first scan emits the groups that are complete in every collection and only names the larger ones.
    // The share can be chosen once the sizes of all large groups are known.
    let large: Vec<(u64, u64)> = capped
        .iter_mut()
        .flat_map(|capped| capped.large.drain(..))
        .collect();
    if !large.is_empty() {
        let sizes = counted(large.iter().map(|(_, members)| *members));
        let share = match columns.filter() {
            Some(_) => limit.share_before_filter(),
            None => limit.share(&sizes, input.documents.len() as u64, further.is_some()),
        };
        let large = OpenGroups::new(large.into_iter().map(|(word, _)| word));
        let scan = Scan {
            limit,
            share: Some(share),
            only: Some(&large),
        };
        capped.extend(scan.emit(columns, input, &pairs));
    }
    // Scans number documents by their rank among the documents that take part. Results have document numbers.
    let document = |rank: u32| input.documents[rank as usize];
    let mut members = BitSet::default();
    for &rank in capped.iter().flat_map(|capped| &capped.members) {
        members.insert(document(rank));
    }
    let unlike = Mutex::new(Vec::new());
    let candidates = pairs.finish(found, |a, b, times| {
        let (a, b) = (document(a), document(b));
        // Capped groups do not emit all their pairs, so a pair of their members has more equal keys than
        // were counted. The check gets `None`, for not known.
        let in_capped = members.contains(a) && members.contains(b);
        let pair = check(a, b, (!in_capped).then_some(times));
        if in_capped && pair.is_none() {
            let mut unlike = unlike.lock().unwrap_or_else(PoisonError::into_inner);
            unlike.push((a, b));
        }
        pair
    });
    JoinCounts {
        candidates,
        capped_buckets: capped.iter().map(|capped| capped.groups).sum(),
        open: OpenGroups::new(capped.iter().flat_map(|capped| capped.open.iter().copied())),
        capped: CappedGroups {
            members,
            unlike: unlike.into_inner().unwrap_or_else(PoisonError::into_inner),
        },
        ..JoinCounts::default()
    }
}

/// Counts equal numbers. Returns each distinct number with its count, ascending.
pub(crate) fn counted(numbers: impl Iterator<Item = u64>) -> Vec<(u64, u64)> {
    let mut counts = BTreeMap::new();
    for number in numbers {
        *counts.entry(number).or_default() += 1;
    }
    counts.into_iter().collect()
}

/// One scan of all keys.
#[derive(Clone, Copy)]
struct Scan<'s> {
    limit: GroupLimit,
    /// The share of large groups. `None` in the first scan: groups that may be capped are only recorded,
    /// with their sizes.
    share: Option<Share>,
    /// The groups whose pairs are emitted; `None`: all groups.
    only: Option<&'s OpenGroups>,
}

impl Scan<'_> {
    /// Emits the pairs of all groups.
    fn emit<C: Columns>(self, columns: &C, input: &JoinInput<'_>, pairs: &PairSorter) -> Vec<Capped> {
        if self.only.is_some_and(|only| only.len() == 0) {
            return Vec::new();
        }
        let packing = Packing::new(input.documents.len(), C::ASKED);
        let mut pieces = Piece::cut(columns, self.only, packing, input);
        // A task takes an idle state or makes one, so there are at most as many as tasks that run at the
        // same time.
        let idle: Mutex<Vec<Join<'_, C>>> = Mutex::default();
        // Memory holds the keys of `AT_ONCE` columns only. The barrier between gathering and emitting is
        // needed: a part's keys come from all pieces.
        for first in (0..columns.columns()).step_by(AT_ONCE as usize) {
            let scanned = first..columns.columns().min(first + AT_ONCE);
            let gather =
                |piece: &mut Piece<'_>| piece.gather((columns, self.only), scanned.clone(), packing, input);
            pieces.par_iter_mut().for_each(gather);
            let at_once = packing.parts().div_ceil(TASKS);
            // Task `t` handles column `t / TASKS` and the `t % TASKS`-th range of its parts.
            (0..scanned.len() * TASKS).into_par_iter().for_each(|task| {
                let waiting = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
                let mut join = waiting.unwrap_or_else(|| Join {
                    columns,
                    filter: columns.filter(),
                    scan: self,
                    column: 0,
                    input,
                    pairs: pairs.feed(),
                    capped: Capped::default(),
                    buffers: GroupBuffers::default(),
                    asked: AskedGroups::default(),
                    members: Vec::new(),
                    ends: Vec::new(),
                });
                join.column = scanned.start + narrow::to_u32(task / TASKS);
                let first = task % TASKS * at_once;
                let parts = first..packing.parts().min(first + at_once);
                join.parts(&pieces, task / TASKS, parts, packing);
                idle.lock().unwrap_or_else(PoisonError::into_inner).push(join);
            });
        }
        let joins = idle.into_inner().unwrap_or_else(PoisonError::into_inner);
        joins.into_iter().map(|join| join.capped).collect()
    }
}

/// True if the group of `key` is among those that a scan reads.
#[inline]
fn is_read(only: Option<&OpenGroups>, column: u32, key: u64) -> bool {
    only.is_none_or(|only| only.contains(column, key))
}

/// A range of the documents, and their keys in the columns that are being compared.
struct Piece<'a> {
    /// The rank of the first document.
    first: u32,
    documents: &'a [u32],
    /// Number of keys in each part, one column after another.
    sizes: Vec<usize>,
    gathered: [Gathered; AT_ONCE as usize],
}

/// The keys of a column, one part after another.
#[derive(Default)]
struct Gathered {
    words: Vec<u64>,
    /// The end of each part in `words`.
    ends: Vec<usize>,
}

impl<'a> Piece<'a> {
    /// Cuts the documents into a few pieces per thread, so that a slow thread does not delay the others much.
    fn cut<C: Columns>(
        columns: &C,
        only: Option<&OpenGroups>,
        packing: Packing,
        input: &JoinInput<'a>,
    ) -> Vec<Self> {
        let pieces = PIECES * rayon::current_num_threads();
        let most = input.documents.len().div_ceil(pieces).max(MIN_PIECE);
        let piece = |(number, documents): (usize, &'a [u32])| {
            // The sizes of all parts are counted for all columns at once. `gather` then writes each key to
            // its final place.
            let mut sizes = vec![0; packing.parts() * columns.columns() as usize];
            for &document in documents {
                let row = input.rows.row(document as usize);
                for (column, sizes) in (0..).zip(sizes.chunks_exact_mut(packing.parts())) {
                    // `gather` must get exactly these keys from `asking`, because `part` takes the end of a
                    // part as the start of the next one.
                    for key in columns.keys(column, row) {
                        sizes[packing.part(key)] += usize::from(is_read(only, column, key));
                    }
                }
            }
            Self {
                first: narrow::to_u32(number * most),
                documents,
                sizes,
                gathered: Default::default(),
            }
        };
        input.documents.par_chunks(most).enumerate().map(piece).collect()
    }

    /// Collects the keys of the columns `scanned` in one scan of the rows.
    fn gather<C: Columns>(
        &mut self,
        (columns, only): (&C, Option<&OpenGroups>),
        scanned: Range<u32>,
        packing: Packing,
        input: &JoinInput<'_>,
    ) {
        for (column, Gathered { words, ends }) in scanned.clone().zip(&mut self.gathered) {
            // `ends` starts with the start of each part. Every written word advances it, so that it holds
            // the end of each part after the scan.
            let sizes = self.sizes.chunks_exact(packing.parts()).nth(column as usize);
            debug_assert!(sizes.is_some(), "the sizes of all columns were counted");
            // The vectors are reused from the columns before. Old words need no clearing: every place is
            // written.
            let mut all = 0;
            ends.clear();
            ends.extend(sizes.unwrap_or_default().iter().map(|size| {
                all += size;
                all - size
            }));
            words.resize(all, 0);
        }
        for (member, &document) in (self.first..).zip(self.documents) {
            let row = input.rows.row(document as usize);
            for (column, Gathered { words, ends }) in scanned.clone().zip(&mut self.gathered) {
                columns.asking(column, row, |key, asks| {
                    if !is_read(only, column, key) {
                        return;
                    }
                    let end = &mut ends[packing.part(key)];
                    words[*end] = packing.word(key, member, asks);
                    *end += 1;
                });
            }
        }
    }

    /// The words of a part. `place` is the column's place among the collected ones.
    fn part(&self, place: usize, part: usize) -> &[u64] {
        let Gathered { words, ends } = &self.gathered[place];
        let start = part.checked_sub(1).map_or(0, |before| ends[before]);
        &words[start..ends[part]]
    }
}

/// The state of one thread: its feed, buffers and capped groups.
struct Join<'a, C> {
    columns: &'a C,
    filter: Option<&'a Filter<'a>>,
    scan: Scan<'a>,
    /// The column of the groups that are being emitted.
    column: u32,
    input: &'a JoinInput<'a>,
    pairs: PairFeed<'a>,
    capped: Capped,
    buffers: GroupBuffers,
    /// Groups in which only some documents ask; their pairs are emitted together.
    asked: AskedGroups,
    /// Members whose rows were prefetched. `ends` holds the end of each group.
    members: Vec<Member<'a>>,
    ends: Vec<usize>,
}

/// Groups that were capped, and large groups that wait for their share.
#[derive(Default)]
struct Capped {
    groups: u64,
    /// The [words](group_word) of capped groups.
    open: Vec<u64>,
    /// The ranks of the members of all capped groups.
    members: Vec<u32>,
    /// The words and sizes of groups that may be capped.
    large: Vec<(u64, u64)>,
}

impl Capped {
    fn add(&mut self, column: u32, group: &[Keyed]) {
        self.groups += 1;
        self.open
            .extend(group.first().map(|word| group_word(column, word.key)));
        self.members.extend(group.iter().map(|word| word.member));
    }
}

/// A document's rank and its row.
type Member<'a> = (u32, &'a [u64]);

impl<'a, C: Columns> Join<'a, C> {
    /// Emits the pairs of each group in these parts of the collected column number `place`.
    fn parts(&mut self, pieces: &[Piece<'_>], place: usize, parts: Range<usize>, packing: Packing) {
        let mut buffers = std::mem::take(&mut self.buffers);
        for part in parts {
            let words = pieces.iter().map(|piece| piece.part(place, part));
            packing.each_group(part, words, &mut buffers, |group| self.group(group));
        }
        self.buffers = buffers;
        // Everything that was collected is emitted before the task ends, because no other task may take up
        // this state.
        let Ok(()) = self.asked.give::<Infallible>(
            |rank| self.columns.size(rank),
            |a, b| {
                self.pairs.push(a, b);
                Ok(())
            },
        );
        self.fetched();
    }

    /// Emits the pairs of a group, or queues the group if its rows must be prefetched.
    fn group(&mut self, group: &[Keyed]) {
        let input = self.input;
        let row = |rank: u32| input.rows.row(input.documents[rank as usize] as usize);
        let document = |rank: u32| input.documents[rank as usize];
        let (columns, column) = (self.columns, self.column);
        let kin_of = |rank: u32| columns.kin(row(rank));
        let Scan { limit, share, .. } = self.scan;
        // The first branch that applies decides. Asked groups never wait for a share. A large group waits
        // in the first scan (`share` is `None`) and is capped or emitted completely in the second.
        let most = limit.always(input.further.is_some());
        if C::ASKED && !asked_groups::is_capped(group, limit) {
            self.asked.add(group);
        } else if C::ASKED {
            self.capped.add(column, group);
            let size = |rank: u32| columns.size(rank);
            let Ok(()) = capped_asked_pairs::<Infallible>(group, size, input, kin_of, document, |a, b| {
                self.pairs.push(a, b);
                Ok(())
            });
        } else if share.is_none() && group.len() > most {
            let large = group.first().map(|word| group_word(column, word.key));
            self.capped
                .large
                .extend(large.map(|word| (word, group.len() as u64)));
        } else if let Some(share) = share.filter(|share| share.caps(group.len())) {
            self.capped.add(column, group);
            let Ok(()) = capped_pairs::<Infallible>(group, input, share, kin_of, document, |a, b| {
                self.offer((a, row(a)), (b, row(b)));
                Ok(())
            });
        } else if self.filter.is_none() {
            let Ok(()) = all_pairs::<Infallible>(group, |a, b| {
                self.pairs.push(a, b);
                Ok(())
            });
        } else {
            // Rows lie anywhere in memory, and waiting for each in turn would take most of the time. So the rows of
            // many groups are prefetched together.
            for &Keyed { member: rank, .. } in group {
                let member = (rank, row(rank));
                // The value is not used: `black_box` keeps the read, which brings in the row's first cache
                // line.
                black_box(member.1.first().copied()); // prefetches the row
                self.members.push(member);
            }
            self.ends.push(self.members.len());
            if self.members.len() >= FETCHED {
                self.fetched();
            }
        }
    }

    /// Emits the pairs of queued groups that the filter accepts.
    fn fetched(&mut self) {
        let (mut members, mut ends) = (std::mem::take(&mut self.members), std::mem::take(&mut self.ends));
        let mut start = 0;
        for end in ends.drain(..) {
            let group = &members[start..end];
            start = end;
            for (number, &a) in group.iter().enumerate() {
                for &b in &group[number + 1..] {
                    self.offer(a, b);
                }
            }
        }
        members.clear();
        (self.members, self.ends) = (members, ends);
    }

    /// Emits a pair if the filter accepts its rows.
    fn offer(&mut self, (a, row_a): Member<'a>, (b, row_b): Member<'a>) {
        if self.filter.is_none_or(|admits| admits(row_a, row_b)) {
            self.pairs.push(a, b);
        }
    }
}
