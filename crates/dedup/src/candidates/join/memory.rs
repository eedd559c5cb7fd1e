//! Pairs of documents with an equal key, in work that is linear in the size of a bucket.
//!
//! Keys are in columns; a document has any number of keys in a column, and shares a bucket with the documents that have
//! an equal key in the same column. Every bucket gives its pairs to a sort ([`PairSorter`]), which brings equal ones
//! together and counts them: nothing but keys is looked at, one column after the other, and pairs are then compared in the
//! order of documents. Asking the rows of two documents whether an earlier bucket had shown them would wait for memory
//! at every step.
//!
//! A bucket of more than `max_bucket` members is capped: documents with wholly equal rows are compared with the first of
//! them only, and the others with the bucket's first [`LEADERS`] members, where the order of content hashes says what is
//! first.

use std::hint::black_box;

use rayon::prelude::*;

use crate::candidates::input::{Check, Collection, JoinCounts};
use crate::candidates::join::pair_sorter::{Feed, PairSorter};
use crate::candidates::pair::ScoredPair;
use crate::numeric::radix::sort_by_upper_half;

/// Members of a capped bucket that all others are compared with.
pub(crate) const LEADERS: usize = 32;

/// Rows that are fetched before the first of them is looked at.
const FETCHED: usize = 512;

/// Where keys come from.
pub(crate) trait Columns: Sync {
    /// Number of parts that the columns are scanned in, each by one thread.
    fn parts(&self) -> u32;

    /// The columns of a part: the keys of all documents in each. A word holds a key in the upper half and the rank of its
    /// document in the lower half; ranks ascend. A document has each key of a column once.
    fn gather(&self, part: u32, collection: &Collection<'_>) -> Vec<Vec<u64>>;

    /// What decides by their rows whether two documents that share a bucket are worth comparing. None: all are.
    fn filter(&self) -> Option<&Filter<'_>> {
        None
    }
}

/// Whether two rows are worth comparing.
pub(crate) type Filter<'a> = dyn Fn(&[u64], &[u64]) -> bool + Sync + 'a;

/// Compares all pairs that share a bucket, but those that only capped buckets could show and do not.
pub(crate) fn join(
    columns: &dyn Columns,
    max_bucket: usize,
    collection: &Collection<'_>,
    check: &Check<'_>,
    found: &mut Vec<ScoredPair>,
) -> JoinCounts {
    let pairs = PairSorter::new(collection.documents.len());
    let capped: Vec<Capped> = (0..columns.parts())
        .into_par_iter()
        .map(|part| {
            let mut join = Join {
                filter: columns.filter(),
                max_bucket,
                collection,
                pairs: pairs.feed(),
                capped: Capped::default(),
            };
            let mut spare = Vec::new();
            for mut words in columns.gather(part, collection) {
                sort_by_upper_half(&mut words, &mut spare);
                join.column(&words);
            }
            join.capped
        })
        .collect();
    // Capped buckets do not give all pairs that share them.
    let mut uncounted = vec![0_u64; collection.documents.len().div_ceil(64)];
    for &rank in capped.iter().flat_map(|capped| &capped.members) {
        uncounted[rank as usize / 64] |= 1 << (rank % 64);
    }
    let uncounted = |rank: u32| uncounted[rank as usize / 64] >> (rank % 64) & 1 == 1;
    let document = |rank: u32| collection.documents[rank as usize];
    let candidates = pairs.finish(found, |a, b, times| {
        let equal = (!uncounted(a) || !uncounted(b)).then_some(times);
        check(document(a), document(b), equal)
    });
    JoinCounts {
        candidates,
        capped_buckets: capped.iter().map(|capped| capped.buckets).sum(),
        ..JoinCounts::default()
    }
}

/// A scan of columns.
struct Join<'a> {
    filter: Option<&'a Filter<'a>>,
    max_bucket: usize,
    collection: &'a Collection<'a>,
    pairs: Feed<'a>,
    capped: Capped,
}

/// Buckets with too many members.
#[derive(Default)]
struct Capped {
    buckets: u64,
    /// The ranks of their members.
    members: Vec<u32>,
}

/// A document by its rank, and its row.
type Member<'a> = (u32, &'a [u64]);

impl<'a> Join<'a> {
    /// Gives the pairs of each bucket of a column, whose words are sorted.
    fn column(&mut self, words: &[u64]) {
        // Rows are fetched for many buckets at a time: they lie anywhere, and waiting for one after the other would take
        // most of the time.
        let mut members: Vec<Member<'a>> = Vec::new();
        let mut ends = Vec::new();
        for bucket in words
            .chunk_by(|a, b| a >> 32 == b >> 32)
            .filter(|bucket| bucket.len() > 1)
        {
            if bucket.len() > self.max_bucket {
                self.capped.buckets += 1;
                self.capped.members.extend(bucket.iter().map(|&word| word as u32));
                let members = bucket.iter().map(|&word| self.member(word as u32)).collect();
                self.capped_bucket(members);
            } else if self.filter.is_none() {
                for (number, &a) in bucket.iter().enumerate() {
                    for &b in &bucket[number + 1..] {
                        self.pairs.push(a as u32, b as u32);
                    }
                }
            } else {
                for &word in bucket {
                    let member = self.member(word as u32);
                    black_box(member.1.first().copied()); // fetches
                    members.push(member);
                }
                ends.push(members.len());
                if members.len() >= FETCHED {
                    self.buckets(&members, &ends);
                    members.clear();
                    ends.clear();
                }
            }
        }
        self.buckets(&members, &ends);
    }

    /// Gives the pairs of buckets that the filter admits, where each ends in `members`.
    fn buckets(&mut self, members: &[Member<'a>], ends: &[usize]) {
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

    fn capped_bucket(&mut self, mut members: Vec<Member<'a>>) {
        let Collection {
            documents, contents, ..
        } = *self.collection;
        let content = |rank: u32| {
            let document = documents[rank as usize];
            contents.get(document as usize).copied()
        };
        members.sort_by(|a, b| a.1.cmp(b.1).then_with(|| content(a.0).cmp(&content(b.0))));
        let mut distinct = Vec::new();
        for copies in members.chunk_by(|a, b| a.1 == b.1) {
            distinct.push(copies[0]);
            for &copy in &copies[1..] {
                self.offer(copies[0], copy);
            }
        }
        distinct.sort_by_key(|&(rank, _)| content(rank));
        for (number, &member) in distinct.iter().enumerate() {
            for &leader in &distinct[..number.min(LEADERS)] {
                self.offer(leader, member);
            }
        }
    }

    fn offer(&mut self, (a, row_a): Member<'a>, (b, row_b): Member<'a>) {
        if self.filter.is_none_or(|admits| admits(row_a, row_b)) {
            self.pairs.push(a, b);
        }
    }

    fn member(&self, rank: u32) -> Member<'a> {
        let document = self.collection.documents[rank as usize];
        (rank, self.collection.rows.row(document as usize))
    }
}

/// A pair as one word: the smaller document in the upper half.
pub(crate) fn pair_word(a: u32, b: u32) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}
