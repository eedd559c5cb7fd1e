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
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::candidates::input::{CappedGroups, Check, JoinCounts, JoinInput};
use crate::candidates::join::group::{GroupLimit, Keyed, all_pairs, capped_pairs, groups, sort_by_keys};
use crate::candidates::join::pair_sorter::{PairFeed, PairSorter};
use crate::candidates::pair::ScoredPair;
use crate::numeric::bit_set::BitSet;

/// Rows that are fetched before the first of them is looked at.
const FETCHED: usize = 512;

/// Where keys come from.
pub(crate) trait Columns: Sync {
    /// Number of parts that the columns are scanned in, each by one thread.
    fn parts(&self) -> u32;

    /// The columns of a part: the keys of all documents in each, with the ranks of the documents, which ascend. A document
    /// has each key of a column once.
    fn gather(&self, part: u32, input: &JoinInput<'_>) -> Vec<Vec<Keyed>>;

    /// Decides by their rows whether two documents in a common group are worth comparing. None: all are.
    fn filter(&self) -> Option<&Filter<'_>> {
        None
    }
}

/// Whether two rows are worth comparing.
pub(crate) type Filter<'a> = dyn Fn(&[u64], &[u64]) -> bool + Sync + 'a;

/// Compares all pairs of documents in a common group, except those that only capped groups have and leave out.
pub(crate) fn join(
    columns: &dyn Columns,
    limit: GroupLimit,
    input: &JoinInput<'_>,
    check: &Check<'_>,
    found: &mut Vec<ScoredPair>,
) -> JoinCounts {
    let pairs = PairSorter::new(input.documents.len());
    let capped: Vec<Capped> = (0..columns.parts())
        .into_par_iter()
        .map(|part| {
            let mut join = Join {
                filter: columns.filter(),
                limit,
                input,
                pairs: pairs.feed(),
                capped: Capped::default(),
            };
            let mut spare = Vec::new();
            for mut words in columns.gather(part, input) {
                sort_by_keys(&mut words, &mut spare);
                join.column(&words);
            }
            join.capped
        })
        .collect();
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

/// A scan of columns.
struct Join<'a> {
    filter: Option<&'a Filter<'a>>,
    limit: GroupLimit,
    input: &'a JoinInput<'a>,
    pairs: PairFeed<'a>,
    capped: Capped,
}

/// Groups with too many members.
#[derive(Default)]
struct Capped {
    groups: u64,
    /// The ranks of their members.
    members: Vec<u32>,
}

/// A document by its rank, and its row.
type Member<'a> = (u32, &'a [u64]);

impl<'a> Join<'a> {
    /// Gives the pairs of each group of a column, whose words are sorted.
    fn column(&mut self, words: &[Keyed]) {
        let input = self.input;
        let row = |rank: u32| input.rows.row(input.documents[rank as usize] as usize);
        let document = |rank: u32| input.documents[rank as usize];
        // Rows are fetched for many groups at a time: they lie anywhere, and waiting for one after the other would take most
        // of the time.
        let mut members: Vec<Member<'a>> = Vec::new();
        let mut ends = Vec::new();
        for group in groups(words) {
            if self.limit.caps(group.len()) {
                self.capped.groups += 1;
                self.capped.members.extend(group.iter().map(|word| word.member));
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
                for &Keyed { member: rank, .. } in group {
                    let member = (rank, row(rank));
                    black_box(member.1.first().copied()); // fetches
                    members.push(member);
                }
                ends.push(members.len());
                if members.len() >= FETCHED {
                    self.fetched(&members, &ends);
                    members.clear();
                    ends.clear();
                }
            }
        }
        self.fetched(&members, &ends);
    }

    /// Gives the pairs that the filter admits of groups whose rows were fetched, where each ends in `members`.
    fn fetched(&mut self, members: &[Member<'a>], ends: &[usize]) {
        let mut start = 0;
        for &end in ends {
            let members = &members[start..end];
            start = end;
            for (number, &a) in members.iter().enumerate() {
                for &b in &members[number + 1..] {
                    self.offer(a, b);
                }
            }
        }
    }

    fn offer(&mut self, (a, row_a): Member<'a>, (b, row_b): Member<'a>) {
        if self.filter.is_none_or(|admits| admits(row_a, row_b)) {
            self.pairs.push(a, b);
        }
    }
}
