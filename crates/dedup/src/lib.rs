//! Near-duplicate detection: which of many documents say the same, and which of those to keep.
//!
//! Documents go in as tokens and come out as numbers. They are cut into [shingles](Shingler), [signed](signature), and
//! compared where an [index](candidate) says that it pays; every candidate pair is [verified](similarity). Pairs become
//! [clusters](cluster), and a [keeper](keep) says which member of a cluster stays.
//!
//! ```
//! use dehusk_dedup::{Deduper, Options, Shingler};
//!
//! let options = Options::default().with_shingler(Shingler::words(2)).with_threshold(0.5).with_min_tokens(3);
//! let mut deduper = Deduper::new(options)?;
//! for text in ["a rose is a rose", "the sea is calm tonight", "a rose is a rose indeed"] {
//!     deduper.add(text.split_whitespace())?;
//! }
//! let outcome = deduper.finish(&());
//! assert_eq!(outcome.clusters.group(0), [0, 2]);
//! assert_eq!(outcome.pairs[0].similarity, 0.75);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate knows no files, formats or HTML. Threads are those of the current rayon pool, and no result shows them.
//! Settings can be wrong; documents cannot.

mod banding;
mod batch;
mod buckets;
mod clusters;
mod deduper;
mod descriptive;
mod document;
mod error;
mod external;
mod facts;
mod fingerprints;
mod fold;
mod graph;
mod hash;
mod lexicon;
mod matcher;
mod options;
mod outcome;
mod pair_sorter;
mod pairs;
mod postings;
mod radix;
mod random;
mod repel;
mod ricochet;
mod rows;
mod screen;
mod shingle;
mod spill;
mod statistics;
mod strategy;
mod terms;
mod tokens;
mod union_find;
#[cfg(test)]
mod worked;

pub mod candidate;
pub mod cluster;
pub mod keep;
pub mod signature;
pub mod similarity;

pub use banding::{Banding, band_key, recall_at, steepest};
pub use batch::{Batch, Kind, Sketch};
pub use clusters::Clusters;
pub use deduper::Deduper;
pub use descriptive::{DescriptiveWords, DescriptiveWordsBuilder};
pub use document::{Context, Document, ScoredPair};
pub use error::{BuildError, TooManyDocuments};
pub use facts::{Facts, Source};
pub use fingerprints::{Plan, masks, within_window};
pub use fold::Identical;
pub use hash::{content_hash, murmur3, murmur3_words};
pub use lexicon::Lexicon;
pub use matcher::Matcher;
pub use options::{Action, Options, Short};
pub use outcome::{Counts, Decision, Joined, Outcome, Reason};
pub use random::SplitMix64;
pub use repel::repel;
pub use rows::Rows;
pub use screen::{AppendError, Reader, Screen, Suspects, Unread, Wave};
pub use shingle::{Shingler, Unit};
pub use spill::{Spill, SpillError, SpillFile};
pub use statistics::{Statistics, StatisticsBuilder, Term};
pub use strategy::{Parameter, Strategy};
pub use tokens::Tokens;
pub use union_find::UnionFind;
