//! Every pair at or above the threshold, guaranteed.

use rayon::prelude::*;

use crate::candidates::input::{Check, ComparedPairs, JoinCounts, JoinInput};
use crate::candidates::method::{Candidates, Index};
use crate::candidates::pair::ScoredPair;
use crate::candidates::postings::Postings;
use crate::numeric::random::mix;
use crate::numeric::rows::Rows;
use crate::sign::method::{Form, Method, wrong_form};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;
use crate::text::document::{Context, Document};

/// Exact join of shingle sets by prefix and length (Chaudhuri, Ganti, Kaushik, "A primitive operator for similarity joins
/// in data cleaning", 2006; Bayardo, Ma, Srikant, "Scaling up all pairs similarity search", 2007).
///
/// If two sets have Jaccard similarity `t` or more and their shingles are put in one common order, then the first
/// `n - ⌈t n⌉ + 1` of both have one in common, and the sizes differ by a factor of at most `t`. With rare shingles first,
/// few documents meet. For Jaccard similarity no pair is missed; for others nothing is promised.
///
/// How rare a shingle is is only counted approximately, which costs a few comparisons but no pair. Quadratic in the number
/// of documents that consist of common shingles alone. Not implemented: positional and suffix filters.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactJoin;

impl Strategy for ExactJoin {
    fn name(&self) -> &'static str {
        "exact-join"
    }

    fn summary(&self) -> &'static str {
        "all pairs at or above the threshold of Jaccard similarity, none missed"
    }
}

impl Candidates for ExactJoin {
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
        }))
    }
}

/// A row is the shingle set.
struct PrefixIndex {
    threshold: f64,
}

/// Documents that one thread joins before it asks for more.
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
        let row = |rank: usize| input.rows.row(documents[rank] as usize);
        let frequencies = Frequencies::new(input);
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
        for rows in prefixes {
            all.append(rows);
        }
        let numbers: Vec<u32> = (0..).take(documents.len()).collect();
        let postings = Postings::new(&numbers, &all);
        drop(all);
        let sizes: Vec<u32> = (0..documents.len()).map(|rank| row(rank).len() as u32).collect();

        let compared = blocks
            .par_iter()
            .map_init(
                || vec![u32::MAX; documents.len()],
                |met, &first| {
                    let mut pairs = ComparedPairs::default();
                    for rank in ranks(first) {
                        for list in postings.lists_of(rank as u32) {
                            for &other in list.iter().take_while(|&&other| (other as usize) < rank) {
                                let seen = std::mem::replace(&mut met[other as usize], rank as u32);
                                if seen != rank as u32 && self.sizes_fit(sizes[rank], sizes[other as usize]) {
                                    pairs.compare(check, documents[other as usize], documents[rank]);
                                }
                            }
                        }
                    }
                    pairs
                },
            )
            .collect();
        JoinCounts {
            candidates: ComparedPairs::gather(compared, found),
            ..JoinCounts::default()
        }
    }
}

impl PrefixIndex {
    fn sizes_fit(&self, a: u32, b: u32) -> bool {
        f64::from(a.min(b)) >= self.threshold * f64::from(a.max(b)) - 1e-6
    }

    /// The rarest shingles of a set of which another one must have one; without those that no other document has.
    fn prefix<'a>(&self, set: &[u64], frequencies: &Frequencies, scratch: &'a mut Vec<u64>) -> &'a [u64] {
        let common = (self.threshold * set.len() as f64 - 1e-6).ceil().max(1.0) as usize;
        let length = (set.len() + 1).saturating_sub(common);
        let mut order: Vec<(u8, u64)> = set
            .iter()
            .map(|&shingle| (frequencies.of(shingle), shingle))
            .collect();
        if length < order.len() {
            order.select_nth_unstable(length);
        }
        scratch.clear();
        scratch.extend(
            order
                .iter()
                .take(length)
                .filter(|(count, _)| *count > 1)
                .map(|&(_, shingle)| shingle),
        );
        scratch
    }
}

/// In how many documents a shingle is: never too few, and up to 255.
struct Frequencies {
    counts: Vec<u8>,
    shift: u32,
}

impl Frequencies {
    fn new(input: &JoinInput<'_>) -> Self {
        let rows = || {
            input
                .documents
                .iter()
                .map(|&document| input.rows.row(document as usize))
        };
        let total: usize = rows().map(<[u64]>::len).sum();
        // As many counters as shingles, from 2^16 to 2^28.
        let bits = usize::BITS - total.max(1).leading_zeros();
        let bits = bits.clamp(16, 28);
        let mut frequencies = Self {
            counts: vec![0; 1 << bits],
            shift: 64 - bits,
        };
        for &shingle in rows().flatten() {
            let place = frequencies.place(shingle);
            frequencies.counts[place] = frequencies.counts[place].saturating_add(1);
        }
        frequencies
    }

    fn place(&self, shingle: u64) -> usize {
        (mix(shingle) >> self.shift) as usize
    }

    fn of(&self, shingle: u64) -> u8 {
        self.counts[self.place(shingle)]
    }
}
