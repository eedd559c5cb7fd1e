//! Candidates by counting common shingles.

use rayon::prelude::*;

use crate::candidates::input::{Check, ComparedPairs, JoinCounts, JoinInput};
use crate::candidates::method::{Candidates, Index};
use crate::candidates::pair::ScoredPair;
use crate::candidates::postings::Postings;
use crate::numeric::narrow;
use crate::sign::method::{Form, Method, wrong_form};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::number;
use crate::text::document::{Context, Document};

/// Broder's algorithm (Broder, Glassman, Manasse, Zweig, "Syntactic clustering of the web", 1997): (shingle, document)
/// pairs are sorted, the common shingles of every two documents are counted, and the counts give the resemblance.
///
/// Shingles in more than `max_df` documents are skipped: they belong to a site's template rather than its text, and
/// their pairs would be quadratic in number. Resemblance is then that of the remaining shingles. The number of skipped
/// shingles is reported.
/// If signatures are samples of the shingles, pairs down to two standard errors below the threshold are candidates.
///
/// The original sorts a list of pairs. This implementation counts the common shingles of one document with all later
/// ones at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broder {
    max_df: u32,
}

impl Broder {
    /// The defaults: shingles in more than 1000 documents are skipped.
    pub const DEFAULT: Self = Self { max_df: 1000 };

    /// Largest number of documents that may have a shingle, 1 or more, default 1000. Shingles in more documents are
    /// skipped.
    #[must_use]
    pub const fn with_max_df(mut self, max_df: u32) -> Self {
        self.max_df = max_df;
        self
    }
}

impl Strategy for Broder {
    fn name(&self) -> &'static str {
        "broder"
    }

    fn summary(&self) -> &'static str {
        "documents with enough common shingles, which are counted"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[Parameter::new(
                "max_df",
                "1000",
                "largest number of documents that a shingle may be in, 1 or more",
            )]
        }
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "max_df" => *self = self.with_max_df(number("max_df", value, 1..=u32::MAX)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Candidates for Broder {
    fn index(&self, signature: &dyn Method, context: &Context) -> Result<Box<dyn Index>, BuildError> {
        let Form::Set { whole } = signature.form() else {
            return Err(wrong_form(signature, "candidates", self.name(), "sets"));
        };
        Ok(Box::new(BroderIndex {
            max_df: self.max_df.max(1),
            threshold: context.threshold,
            whole,
        }))
    }
}

/// A row is the signature.
struct BroderIndex {
    max_df: u32,
    threshold: f64,
    /// True if signatures hold all shingles, so that counts are exact.
    whole: bool,
}

/// Number of documents in a task of one thread.
const BLOCK: usize = 256;

impl Index for BroderIndex {
    fn row(&self, _: &Document<'_>, signature: &[u64], out: &mut Vec<u64>) {
        out.extend_from_slice(signature);
    }

    fn keeps_signature(&self) -> bool {
        true
    }

    fn join(&self, input: &JoinInput<'_>, check: &Check<'_>, found: &mut Vec<ScoredPair>) -> JoinCounts {
        // Frequent shingles leave the sizes first: resemblance is that of the remaining shingles.
        let postings = Postings::new(input.documents, input.rows);
        // For each document, the number of its shingles that are not skipped.
        let size = |&document: &u32| narrow::to_u32(input.rows.row(document as usize).len());
        let mut sizes: Vec<u32> = input.documents.iter().map(size).collect();
        let mut cut = 0;
        for ranks in postings
            .lists()
            .filter(|ranks| ranks.len() > self.max_df as usize)
        {
            cut += 1;
            for &rank in ranks {
                // A list holds each document once, so a size never falls below 0.
                sizes[rank as usize] -= 1;
            }
        }
        let compared = sizes
            .par_chunks(BLOCK)
            .enumerate()
            .map_init(
                || vec![0_u32; sizes.len()],
                |common, (block, chunk)| {
                    let mut pairs = ComparedPairs::default();
                    let first = block * BLOCK;
                    for rank in first..first + chunk.len() {
                        self.count(&postings, &sizes, narrow::to_u32(rank), common, |other| {
                            pairs.compare(check, input.documents[rank], input.documents[other as usize]);
                        });
                    }
                    pairs
                },
            )
            .collect();
        JoinCounts {
            candidates: ComparedPairs::gather(compared, found),
            cut_shingles: cut,
            ..JoinCounts::default()
        }
    }
}

impl BroderIndex {
    /// Counts the shingles that the document of rank `rank` shares with each later document, and visits the ranks whose
    /// resemblance suffices. `common` is all zeros before and after the call.
    fn count(
        &self,
        postings: &Postings,
        sizes: &[u32],
        rank: u32,
        common: &mut [u32],
        mut visit: impl FnMut(u32),
    ) {
        let mut met = Vec::new();
        for list in postings.lists_of(rank) {
            if list.len() > self.max_df as usize {
                continue;
            }
            // Each pair is counted once, by its earlier document.
            let later = list.partition_point(|&other| other <= rank);
            for &other in &list[later..] {
                if common[other as usize] == 0 {
                    met.push(other);
                }
                common[other as usize] += 1;
            }
        }
        // Pairs are compared in the order of documents, not of lists.
        met.sort_unstable();
        for other in met {
            // Taking the count restores the zeros for the next document.
            let common = std::mem::take(&mut common[other as usize]);
            let united = sizes[rank as usize] + sizes[other as usize] - common;
            if self.resemblance_suffices(common, united) {
                visit(other);
            }
        }
    }

    fn resemblance_suffices(&self, common: u32, united: u32) -> bool {
        let resemblance = f64::from(common) / f64::from(united);
        // A sample estimates the resemblance with the standard error sqrt(t (1 - t) / n).
        let slack = if self.whole {
            0.0
        } else {
            2.0 * (self.threshold * (1.0 - self.threshold) / f64::from(united)).sqrt()
        };
        resemblance >= self.threshold - slack
    }
}
