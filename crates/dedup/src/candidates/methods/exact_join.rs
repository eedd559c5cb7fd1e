//! All pairs at or above the threshold, guaranteed.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::candidates::frequencies::Frequencies;
use crate::candidates::input::{Check, ComparedPairs, JoinCounts, JoinInput};
use crate::candidates::join::asking;
use crate::candidates::join::group::{GroupLimit, KEY_BITS};
use crate::candidates::method::{Candidates, Index};
use crate::candidates::methods::containment;
use crate::candidates::pair::ScoredPair;
use crate::candidates::postings::Postings;
use crate::numeric::narrow;
use crate::numeric::random::mix;
use crate::numeric::rows::Rows;
use crate::sign::method::{Form, Method, wrong_form};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Bound, Context, Document};

/// Exact join of shingle sets by prefix and length (Chaudhuri, Ganti, Kaushik, "A primitive operator for
/// similarity joins in data cleaning", 2006; Bayardo, Ma, Srikant, "Scaling up all pairs similarity
/// search", 2007).
///
/// Let two sets have Jaccard similarity `t` or more, and sort their shingles in one common order. Then the first
/// `n - ⌈t n⌉ + 1` shingles of both (`n` is the size of each set) have one in common, and the smaller set has at least
/// `t` times the size of the larger. If rare shingles come first, few documents share one.
///
/// For Jaccard similarity no pair is missed. For containment pairs are found as by [`Containment`](super::Containment)
/// without its cap on large groups, so none is missed either. For other similarities there is no guarantee.
///
/// Document frequencies of shingles are counted approximately, which adds a few comparisons and loses no
/// pair. The number of pairs is quadratic in the number of documents that consist of common shingles only.
/// So collections are refused if more than 250 pairs per document would have to be compared, and more than
/// 16 million in all. Not implemented: positional and suffix filters.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactJoin;

impl Strategy for ExactJoin {
    fn name(&self) -> &'static str {
        "exact-join"
    }

    fn summary(&self) -> &'static str {
        "all pairs at or above the threshold of Jaccard similarity or containment, none missed"
    }
}

impl Candidates for ExactJoin {
    fn finds(&self, _: Bound) -> bool {
        true
    }

    fn index(&self, signature: &dyn Method, context: &Context) -> Result<Box<dyn Index>, BuildError> {
        if signature.form() != (Form::Set { whole: true }) {
            return Err(wrong_form(
                signature,
                "candidates",
                self.name(),
                "whole shingle sets",
            ));
        }
        Ok(Box::new(PrefixIndex {
            threshold: context.threshold,
            bound: context.bound,
        }))
    }
}

/// A row is the shingle set.
struct PrefixIndex {
    threshold: f64,
    bound: Bound,
}

/// Binary logarithm of the largest number of frequency counters.
const MAX_BITS: u32 = 28;

/// Limits of the number of compared pairs: per document, and for the collection. The larger of both
/// applies. Comparing a pair takes up to a microsecond, and a similar pair takes 24 bytes.
const MAX_PER_DOCUMENT: u64 = 250;
const MAX_PAIRS: u64 = 1 << 24;

/// Number of documents in a task of one thread.
const BLOCK: usize = 256;

impl Index for PrefixIndex {
    fn row(&self, _: &Document<'_>, signature: &[u64], out: &mut Vec<u64>) {
        out.extend_from_slice(signature);
    }

    fn keeps_signature(&self) -> bool {
        true
    }

    fn join(&self, input: &JoinInput<'_>, check: &Check<'_>, found: &mut Vec<ScoredPair>) -> JoinCounts {
        let documents = input.documents;
        if self.bound == Bound::Containment {
            // The signature's words are shingle hashes. `mix` spreads them, because the upper bits choose
            // parts.
            let asked = |keys| containment::asked(self.threshold, keys);
            let key = |word| mix(word) >> (u64::BITS - KEY_BITS);
            return asking::join(&asked, GroupLimit::NONE, input, key, check, found);
        }
        let row = |rank: usize| input.rows.row(documents[rank] as usize);
        let rows = || (0..documents.len()).map(row);
        let shingles: usize = rows().map(<[u64]>::len).sum();
        let mut frequencies = Frequencies::new(shingles as u64, MAX_BITS);
        rows().flatten().for_each(|&shingle| frequencies.add(shingle));
        let blocks: Vec<usize> = (0..documents.len()).step_by(BLOCK).collect();
        let ranks = |first: usize| first..(first + BLOCK).min(documents.len());
        let prefixes: Vec<Rows> = blocks
            .par_iter()
            .map(|&first| {
                let mut rows = Rows::new();
                let mut scratch = Vec::new();
                for rank in ranks(first) {
                    rows.push(self.prefix(row(rank), &frequencies, &mut scratch));
                }
                rows
            })
            .collect();
        let mut all = Rows::new();
        // Blocks are collected in order, so row number `rank` of `all` belongs to the document of this
        // rank.
        for rows in prefixes {
            all.append(rows);
        }
        let numbers: Vec<u32> = (0..).take(documents.len()).collect();
        let postings = Postings::new(&numbers, &all);
        drop(all);
        let sizes: Vec<u32> = (0..documents.len())
            .map(|rank| narrow::to_u32(row(rank).len()))
            .collect();

        let most = MAX_PAIRS.max(MAX_PER_DOCUMENT * documents.len() as u64);
        // Number of pairs that were met so far, by all threads. The sum grows only, so whether it ends
        // above `most` does not depend on the order of threads.
        let all_met = AtomicU64::new(0);
        let compared = blocks
            .par_iter()
            .map_init(
                || vec![u32::MAX; documents.len()],
                |met, &first| {
                    let mut pairs = ComparedPairs::default();
                    for rank in ranks(first) {
                        // The search is abandoned if the limit is passed, so the rest may be skipped.
                        if all_met.load(Ordering::Relaxed) > most {
                            break;
                        }
                        let mut met_here = 0;
                        // `met` holds the rank of the last document that was compared with each other document, so that
                        // a pair is compared once.
                        for list in postings.lists_of(narrow::to_u32(rank)) {
                            // Ranks of a list ascend: each pair is met once, by its later document.
                            for &other in list.iter().take_while(|&&other| (other as usize) < rank) {
                                let seen = std::mem::replace(&mut met[other as usize], narrow::to_u32(rank));
                                met_here += u64::from(seen != narrow::to_u32(rank));
                                if seen != narrow::to_u32(rank)
                                    && self.sizes_fit(sizes[rank], sizes[other as usize])
                                {
                                    pairs.compare(check, documents[other as usize], documents[rank]);
                                }
                            }
                        }
                        all_met.fetch_add(met_here, Ordering::Relaxed);
                    }
                    pairs
                },
            )
            .collect();
        JoinCounts {
            candidates: ComparedPairs::gather(compared, found),
            too_many: (all_met.into_inner() > most).then_some(most),
            ..JoinCounts::default()
        }
    }
}

impl PrefixIndex {
    /// True if the smaller size is at least the threshold times the larger one. The tolerance 1e-6 absorbs rounding
    /// errors.
    fn sizes_fit(&self, a: u32, b: u32) -> bool {
        f64::from(a.min(b)) >= self.threshold * f64::from(a.max(b)) - 1e-6
    }

    /// The rarest shingles of a set: every similar set contains at least one of them. Shingles that only
    /// this document has are left out.
    fn prefix<'a>(&self, set: &[u64], frequencies: &Frequencies, scratch: &'a mut Vec<u64>) -> &'a [u64] {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a share of a number of shingles, rounded up"
        )]
        let common = (self.threshold * set.len() as f64 - 1e-6).ceil().max(1.0) as usize;
        let length = (set.len() + 1).saturating_sub(common);
        let mut order: Vec<(u8, u64)> = set
            .iter()
            .map(|&shingle| (frequencies.of(shingle), shingle))
            .collect();
        // Selection suffices: the order within the prefix does not matter.
        if length < order.len() {
            order.select_nth_unstable(length);
        }
        scratch.clear();
        scratch.extend(
            order
                .iter()
                .take(length)
                // A shingle of this document alone has no partner. It still counts toward the length of the
                // prefix, which keeps the guarantee.
                .filter(|(count, _)| *count > 1)
                .map(|&(_, shingle)| shingle),
        );
        scratch
    }
}
