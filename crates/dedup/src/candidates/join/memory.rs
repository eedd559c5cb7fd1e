//! The join of equal keys in memory.
//!
//! Keys are in columns; a document has any number of keys in a column, and is in a group with the documents that have an
//! equal key in the same column. Every group gives its pairs to a sort ([`PairSorter`]), which brings equal pairs together and
//! counts them: so only keys are read, one column after the other, and pairs are then compared in the order of documents.
//! Looking in the rows of two documents for an earlier equal key instead would wait for memory at every step.
//!
//! Which pairs a group gives is told in [`group`](crate::candidates::join::group).

use std::convert::Infallible;
use std::hint::black_box;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::candidates::input::{CappedGroups, Check, JoinCounts, JoinInput};
use crate::candidates::join::asked_groups::{self, AskedGroups, capped_asked_pairs};
use crate::candidates::join::group::{GroupLimit, Keyed, all_pairs, capped_pairs};
use crate::candidates::join::key_parts::{GroupBuffers, Packing};
use crate::candidates::join::pair_sorter::{PairFeed, PairSorter};
use crate::candidates::pair::ScoredPair;
use crate::numeric::bit_set::BitSet;

/// Rows that are fetched before the first of them is looked at.
const FETCHED: usize = 512;

/// Columns that are gathered in one scan of the rows. Each takes eight bytes for a document.
const AT_ONCE: u32 = 2;

/// Pieces for each thread that the documents are cut into, and documents in one at least.
const PIECES: usize = 2;
const LEAST_PIECE: usize = 1 << 12;

/// Tasks that the parts of a column are compared in.
const TASKS: usize = 8;

/// Where keys come from.
pub(crate) trait Columns: Sync {
    /// Whether documents ask by some of their keys only.
    const ASKED: bool = false;

    /// Number of columns.
    fn columns(&self) -> u32;

    /// The keys of a row in a column, each once.
    fn keys<'r>(&self, column: u32, row: &'r [u64]) -> impl Iterator<Item = u64> + use<'r, Self>;

    /// Calls `visit` with the same keys, in any order, and with whether the document asks by them.
    #[inline]
    fn asking(&self, column: u32, row: &[u64], mut visit: impl FnMut(u64, bool)) {
        self.keys(column, row).for_each(|key| visit(key, true));
    }

    /// The number of all keys of a document, by its rank, where documents ask by some of them.
    fn size(&self, rank: u32) -> u32 {
        let _ = rank;
        0
    }

    /// Decides by their rows whether two documents in a common group are worth comparing. None: all are.
    fn filter(&self) -> Option<&Filter<'_>> {
        None
    }
}

/// Whether two rows are worth comparing.
pub(crate) type Filter<'a> = dyn Fn(&[u64], &[u64]) -> bool + Sync + 'a;

/// Compares all pairs of documents in a common group, except those that only capped groups have and leave out.
pub(crate) fn join<C: Columns>(
    columns: &C,
    limit: GroupLimit,
    input: &JoinInput<'_>,
    check: &Check<'_>,
    found: &mut Vec<ScoredPair>,
) -> JoinCounts {
    let pairs = PairSorter::new(input.documents.len());
    let packing = Packing::new(input.documents.len(), C::ASKED);
    let mut pieces = Piece::cut(columns, packing, input);
    // One for each thread, which goes from task to task.
    let idle: Mutex<Vec<Join<'_, C>>> = Mutex::default();
    for first in (0..columns.columns()).step_by(AT_ONCE as usize) {
        let scanned = first..columns.columns().min(first + AT_ONCE);
        let gather = |piece: &mut Piece<'_>| piece.gather(columns, scanned.clone(), packing, input);
        pieces.par_iter_mut().for_each(gather);
        let at_once = packing.parts().div_ceil(TASKS);
        (0..scanned.len() * TASKS).into_par_iter().for_each(|task| {
            let waiting = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut join = waiting.unwrap_or_else(|| Join {
                columns,
                filter: columns.filter(),
                limit,
                input,
                pairs: pairs.feed(),
                capped: Capped::default(),
                buffers: GroupBuffers::default(),
                asked: AskedGroups::default(),
                members: Vec::new(),
                ends: Vec::new(),
            });
            let first = task % TASKS * at_once;
            let parts = first..packing.parts().min(first + at_once);
            join.parts(&pieces, task / TASKS, parts, packing);
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(join);
        });
    }
    let joins = idle.into_inner().unwrap_or_else(PoisonError::into_inner);
    let capped: Vec<Capped> = joins.into_iter().map(|join| join.capped).collect();
    let document = |rank: u32| input.documents[rank as usize];
    let mut members = BitSet::default();
    for &rank in capped.iter().flat_map(|capped| &capped.members) {
        members.insert(document(rank));
    }
    let unlike = Mutex::new(Vec::new());
    let candidates = pairs.finish(found, |a, b, times| {
        let (a, b) = (document(a), document(b));
        // Capped groups do not give all of their pairs, so that pairs of their members came too rarely.
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
        capped: CappedGroups {
            members,
            unlike: unlike.into_inner().unwrap_or_else(PoisonError::into_inner),
        },
        ..JoinCounts::default()
    }
}

/// Some of the documents, and their keys in the columns that are compared.
struct Piece<'a> {
    /// The rank of the first document.
    first: u32,
    documents: &'a [u32],
    /// How many keys each part has, one column after the other.
    sizes: Vec<usize>,
    gathered: [Gathered; AT_ONCE as usize],
}

/// Keys of a column, part by part.
#[derive(Default)]
struct Gathered {
    words: Vec<u64>,
    /// Where each part ends.
    ends: Vec<usize>,
}

impl<'a> Piece<'a> {
    /// A few pieces for each thread, as a thread may be slower than another.
    fn cut<C: Columns>(columns: &C, packing: Packing, input: &JoinInput<'a>) -> Vec<Self> {
        let pieces = PIECES * rayon::current_num_threads();
        let most = input.documents.len().div_ceil(pieces).max(LEAST_PIECE);
        let piece = |(number, documents): (usize, &'a [u32])| {
            let mut sizes = vec![0; packing.parts() * columns.columns() as usize];
            for &document in documents {
                let row = input.rows.row(document as usize);
                for (column, sizes) in (0..).zip(sizes.chunks_exact_mut(packing.parts())) {
                    for key in columns.keys(column, row) {
                        sizes[packing.part(key)] += 1;
                    }
                }
            }
            Self {
                first: (number * most) as u32,
                documents,
                sizes,
                gathered: Default::default(),
            }
        };
        input.documents.par_chunks(most).enumerate().map(piece).collect()
    }

    /// Gathers the keys of a few columns in one scan of the rows.
    fn gather<C: Columns>(
        &mut self,
        columns: &C,
        scanned: Range<u32>,
        packing: Packing,
        input: &JoinInput<'_>,
    ) {
        for (column, Gathered { words, ends }) in scanned.clone().zip(&mut self.gathered) {
            // A part ends where it begins until something is written to it.
            let sizes = self.sizes.chunks_exact(packing.parts()).nth(column as usize);
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
                    let end = &mut ends[packing.part(key)];
                    words[*end] = packing.word(key, member, asks);
                    *end += 1;
                });
            }
        }
    }

    /// The words of a part in a column that was gathered.
    fn part(&self, place: usize, part: usize) -> &[u64] {
        let Gathered { words, ends } = &self.gathered[place];
        let start = part.checked_sub(1).map_or(0, |before| ends[before]);
        &words[start..ends[part]]
    }
}

/// What one thread does with groups.
struct Join<'a, C> {
    columns: &'a C,
    filter: Option<&'a Filter<'a>>,
    limit: GroupLimit,
    input: &'a JoinInput<'a>,
    pairs: PairFeed<'a>,
    capped: Capped,
    buffers: GroupBuffers,
    /// Groups in which only some documents ask, and whose pairs are given together.
    asked: AskedGroups,
    /// Members whose rows were fetched, and where their groups end.
    members: Vec<Member<'a>>,
    ends: Vec<usize>,
}

/// Groups with too many members.
#[derive(Default)]
struct Capped {
    groups: u64,
    /// The ranks of their members.
    members: Vec<u32>,
}

impl Capped {
    fn add(&mut self, group: &[Keyed]) {
        self.groups += 1;
        self.members.extend(group.iter().map(|word| word.member));
    }
}

/// A document by its rank, and its row.
type Member<'a> = (u32, &'a [u64]);

impl<'a, C: Columns> Join<'a, C> {
    /// Gives the pairs of each group of these parts, in a column that was gathered.
    fn parts(&mut self, pieces: &[Piece<'_>], place: usize, parts: Range<usize>, packing: Packing) {
        let mut buffers = std::mem::take(&mut self.buffers);
        for part in parts {
            let words = pieces.iter().map(|piece| piece.part(place, part));
            packing.each_group(part, words, &mut buffers, |group| self.group(group));
        }
        self.buffers = buffers;
        let Ok(()) = self.asked.give::<Infallible>(
            |rank| self.columns.size(rank),
            |a, b| {
                self.pairs.push(a, b);
                Ok(())
            },
        );
        self.fetched();
    }

    /// Gives the pairs of a group.
    fn group(&mut self, group: &[Keyed]) {
        let input = self.input;
        let row = |rank: u32| input.rows.row(input.documents[rank as usize] as usize);
        let document = |rank: u32| input.documents[rank as usize];
        if C::ASKED && !asked_groups::is_capped(group, self.limit) {
            self.asked.add(group);
        } else if C::ASKED {
            self.capped.add(group);
            let size = |rank: u32| self.columns.size(rank);
            let Ok(()) = capped_asked_pairs::<_, Infallible>(group, size, input, row, document, |a, b| {
                self.pairs.push(a, b);
                Ok(())
            });
        } else if self.limit.caps(group.len()) {
            self.capped.add(group);
            let Ok(()) = capped_pairs::<_, Infallible>(group, input, row, document, |a, b| {
                self.offer((a, row(a)), (b, row(b)));
                Ok(())
            });
        } else if self.filter.is_none() {
            let Ok(()) = all_pairs::<Infallible>(group, |a, b| {
                self.pairs.push(a, b);
                Ok(())
            });
        } else {
            // Rows are fetched for many groups at a time: they lie anywhere, and waiting for one after the other would take most
            // of the time.
            for &Keyed { member: rank, .. } in group {
                let member = (rank, row(rank));
                black_box(member.1.first().copied()); // fetches
                self.members.push(member);
            }
            self.ends.push(self.members.len());
            if self.members.len() >= FETCHED {
                self.fetched();
            }
        }
    }

    /// Gives the pairs that the filter admits of groups whose rows were fetched.
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

    fn offer(&mut self, (a, row_a): Member<'a>, (b, row_b): Member<'a>) {
        if self.filter.is_none_or(|admits| admits(row_a, row_b)) {
            self.pairs.push(a, b);
        }
    }
}
