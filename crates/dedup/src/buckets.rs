//! Pairs of documents with an equal key, in work that is linear in the size of a bucket.
//!
//! Keys are in columns; a document has any number of keys in a column, and shares a bucket with the documents that have
//! an equal key in the same column. A pair is compared in the first bucket that both are in, so that no list of candidates
//! is kept.
//!
//! A bucket of more than `max_bucket` members is capped: documents with wholly equal rows are compared with the first of
//! them only, and the others with the bucket's first [`LEADERS`] members, where the order of content hashes says what is
//! first.

use std::hint::black_box;

use rayon::prelude::*;

use crate::candidate::{Check, Collection, JoinCounts};
use crate::document::ScoredPair;
use crate::radix::sort_by_upper_half;

/// Members of a capped bucket that all others are compared with.
pub(crate) const LEADERS: usize = 32;

/// Rows that are fetched before the first of them is compared.
const FETCHED: usize = 512;

/// Where keys come from.
pub(crate) trait Columns: Sync {
    /// Number of parts that the columns are scanned in, each by one thread.
    fn parts(&self) -> u32;

    /// The columns of a part, ascending over all parts: the number of the column, and the keys of all documents in it. A
    /// word holds a key in the upper half and the rank of its document in the lower half; ranks ascend. A document has
    /// each key of a column once.
    fn gather(&self, part: u32, collection: &Collection<'_>) -> Vec<(u32, Vec<u64>)>;

    /// Whether two documents that share a bucket are worth comparing, by their rows.
    fn admits(&self, a: &[u64], b: &[u64]) -> bool {
        let _ = (a, b);
        true
    }

    /// The buckets before one that two documents share, in ascending order of column and key.
    ///
    /// Calls `visit` with column and key of each, until it returns false.
    fn shared_before(
        &self,
        a: &[u64],
        b: &[u64],
        bucket: (u32, u32),
        visit: &mut dyn FnMut(u32, u32) -> bool,
    );
}

/// Compares all pairs that share a bucket, but those that only capped buckets could show and do not.
pub(crate) fn join(
    columns: &dyn Columns,
    max_bucket: usize,
    collection: &Collection<'_>,
    check: &Check<'_>,
    found: &mut Vec<ScoredPair>,
) -> JoinCounts {
    let join = Join {
        columns,
        max_bucket,
        collection,
        check,
    };
    let mut counts = JoinCounts::default();
    let (mut capped, mut again) = (Vec::new(), Vec::new());
    for part in join.pass(None) {
        found.extend(part.found);
        counts.add(part.counts);
        again.extend(part.again);
        capped.extend(part.capped);
    }
    if !capped.is_empty() {
        // A pair is compared in the first bucket that it shares. If that one was capped, the pair may have been passed
        // over there, and the next buckets must give it another chance.
        capped.sort_unstable();
        for part in join.pass(Some(&capped)) {
            found.extend(part.found);
            again.extend(part.again);
        }
        // A pair may be compared in several buckets if the first of them was capped. It counts once.
        again.par_sort_unstable();
        again.dedup();
        counts.candidates += again.len() as u64;
    }
    counts
}

struct Join<'a> {
    columns: &'a dyn Columns,
    max_bucket: usize,
    collection: &'a Collection<'a>,
    check: &'a Check<'a>,
}

/// Column and key of a bucket.
type Bucket = (u32, u32);

/// What was found in a part of the columns.
#[derive(Default)]
struct Part {
    found: Vec<ScoredPair>,
    counts: JoinCounts,
    capped: Vec<Bucket>,
    /// Pairs that were compared and may be compared again, as a word each.
    again: Vec<u64>,
}

/// The buckets before a given one that two documents share.
#[derive(PartialEq)]
enum Earlier {
    None,
    OnlyCapped,
    Some,
}

impl Join<'_> {
    /// Scans all columns. The second pass knows the capped buckets, and compares the pairs that the first one passed over.
    fn pass(&self, capped: Option<&[Bucket]>) -> Vec<Part> {
        (0..self.columns.parts())
            .into_par_iter()
            .map(|number| {
                let mut part = Part::default();
                let mut spare = Vec::new();
                for (column, mut members) in self.columns.gather(number, self.collection) {
                    sort_by_upper_half(&mut members, &mut spare);
                    self.column(column, &members, capped, &mut part);
                }
                part
            })
            .collect()
    }

    /// Compares the members of each bucket of a column. Rows are fetched for many buckets at a time: they lie anywhere, and
    /// waiting for one after the other would take most of the time of the join.
    fn column(&self, column: u32, words: &[u64], capped: Option<&[Bucket]>, part: &mut Part) {
        let mut members: Vec<(u32, &[u64])> = Vec::with_capacity(2 * FETCHED);
        let mut ends: Vec<(u32, usize)> = Vec::new();
        for bucket in words
            .chunk_by(|a, b| a >> 32 == b >> 32)
            .filter(|bucket| bucket.len() > 1)
        {
            for &word in bucket {
                let document = self.collection.documents[word as u32 as usize];
                let row = self.collection.rows.row(document as usize);
                black_box(row.first().copied()); // fetches
                members.push((document, row));
            }
            ends.push(((bucket[0] >> 32) as u32, members.len()));
            if members.len() >= FETCHED {
                self.buckets(column, &members, &ends, capped, part);
                members.clear();
                ends.clear();
            }
        }
        self.buckets(column, &members, &ends, capped, part);
    }

    /// Compares the members of buckets, given by their keys and where they end in `members`.
    fn buckets(
        &self,
        column: u32,
        members: &[(u32, &[u64])],
        ends: &[(u32, usize)],
        capped: Option<&[Bucket]>,
        part: &mut Part,
    ) {
        let mut start = 0;
        for &(key, end) in ends {
            let members = &members[start..end];
            start = end;
            if members.len() > self.max_bucket {
                part.capped.push((column, key));
                part.counts.capped_buckets += 1;
                self.capped_bucket((column, key), members.to_vec(), capped, part);
                continue;
            }
            for (rank, &a) in members.iter().enumerate() {
                for &b in &members[rank + 1..] {
                    if self.candidate((column, key), a, b, capped, part) {
                        match capped {
                            None => part.counts.candidates += 1,
                            Some(_) => part.again.push(pair_word(a.0, b.0)),
                        }
                    }
                }
            }
        }
    }

    fn capped_bucket(
        &self,
        bucket: Bucket,
        mut members: Vec<(u32, &[u64])>,
        capped: Option<&[Bucket]>,
        part: &mut Part,
    ) {
        let content = |document: u32| self.collection.contents.get(document as usize).copied();
        members.sort_by(|a, b| a.1.cmp(b.1).then_with(|| content(a.0).cmp(&content(b.0))));
        let mut distinct = Vec::new();
        for copies in members.chunk_by(|a, b| a.1 == b.1) {
            distinct.push(copies[0]);
            // Equal rows share their first bucket already.
            if capped.is_none() {
                for &copy in &copies[1..] {
                    if self.candidate(bucket, copies[0], copy, None, part) {
                        part.again.push(pair_word(copies[0].0, copy.0));
                    }
                }
            }
        }
        distinct.sort_by_key(|&(document, _)| content(document));
        for (rank, &member) in distinct.iter().enumerate() {
            for &leader in &distinct[..rank.min(LEADERS)] {
                if self.candidate(bucket, leader, member, capped, part) {
                    part.again.push(pair_word(leader.0, member.0));
                }
            }
        }
    }

    /// Compares a pair if this is the bucket to do so; tells whether it is.
    fn candidate(
        &self,
        bucket: Bucket,
        (a, row_a): (u32, &[u64]),
        (b, row_b): (u32, &[u64]),
        capped: Option<&[Bucket]>,
        part: &mut Part,
    ) -> bool {
        if !self.columns.admits(row_a, row_b) {
            return false;
        }
        let mut earlier = Earlier::None;
        self.columns
            .shared_before(row_a, row_b, bucket, &mut |column, key| {
                let was_capped = capped.is_some_and(|capped| capped.binary_search(&(column, key)).is_ok());
                earlier = if was_capped {
                    Earlier::OnlyCapped
                } else {
                    Earlier::Some
                };
                was_capped
            });
        let due = if capped.is_none() {
            Earlier::None
        } else {
            Earlier::OnlyCapped
        };
        let compared = earlier == due;
        if compared {
            part.found.extend((self.check)(a, b));
        }
        compared
    }
}

/// A pair as one word: the smaller document in the upper half.
pub(crate) fn pair_word(a: u32, b: u32) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}
