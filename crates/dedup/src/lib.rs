//! Finds documents with the same or nearly the same text, and chooses which of them to keep.
//!
//! For programs that have documents as tokens: crawlers, builders of corpora, search engines, record
//! linkage. Tokens go in, document numbers come out. The crate reads no files, no formats and no HTML, and
//! it does not normalize text.
//!
//! ```
//! use dehusk_dedup::{Deduper, Options, Reason, Shingler};
//!
//! let options = Options::default().with_shingler(Shingler::words(2)).with_threshold(0.5).with_min_tokens(3);
//! let mut deduper = Deduper::new(options)?;
//! for text in ["a rose is a rose", "the sea is calm tonight", "a rose is a rose indeed"] {
//!     deduper.add(text.split_whitespace())?;
//! }
//! let outcome = deduper.finish(&())?;
//! assert_eq!(outcome.clusters.group(0), [0, 2]);
//! assert_eq!(outcome.pairs[0].similarity, 0.75);
//! assert_eq!(outcome.decisions[1].reason, Reason::Unique);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How duplicates are found
//!
//! A document is cut into [shingles](Shingler), hashes of neighboring words. A [signature](sign) of fixed
//! size stands for the set of its shingles. Documents whose signatures share a key are [candidate
//! pairs](candidates). Every candidate pair is [verified](verify): its similarity is computed exactly, and
//! it is a pair only if its similarity reaches the threshold. Pairs are grouped into [clusters](cluster),
//! and a [keeper](keep) chooses the document that stays.
//!
//! # Map
//!
//! | to | use |
//! |---|---|
//! | find the duplicates among documents in memory | [`Deduper`] with [`Options`], which gives an [`Outcome`] |
//! | know why a document stays or goes | [`Decision`] with its [`Reason`]; [`ScoredPair`] |
//! | choose by date, length, popularity or a field | [`DocumentFacts`] from a [`FactSource`], and a keeper of [`keep`] |
//! | choose another method | by name with [`Family::parse`], `<dyn sign::Method>::parse("simhash")`, or by type, [`sign::SimHash`]; see [`sign`], [`candidates`], [`verify`], [`cluster`], [`keep`] |
//! | sign on several threads | [`BatchMaker`] makes a [`Batch`] for each thread |
//! | bound memory | [`Deduper::with_feature_budget`], [`Deduper::spill`], [`CandidatePairs`] |
//! | search on many machines, or store signatures | [`DocumentSigner`], [`KeyGroups`], [`Matcher`], then [`VerifiedPairs::from_pairs`] |
//! | weigh words by their rarity | [`StatisticsBuilder`] counts a collection for methods that need [`Statistics`] |
//! | find common passages | [`Passages`]; [`TestItems`] for items of a test set |
//!
//! Threads are those of the current rayon pool, and results do not depend on their number. Invalid settings
//! are errors; every document is valid. With the feature `serde`, settings and results can be serialized.

#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        reason = "tests choose their numbers, which are small"
    )
)]

mod engine;
mod numeric;
mod passages;
mod strategy;
mod text;
#[cfg(test)]
mod worked_examples;

pub mod candidates;
pub mod cluster;
pub mod keep;
pub mod sign;
pub mod verify;

pub use candidates::{
    Contained, HammingPlan, ScoredPair, Spill, SpillError, SpillFile, masks, within_window,
};
pub use cluster::{Clusters, UnionFind};
pub use engine::batch::{Batch, BatchMaker, BatchRow};
pub use engine::candidate_pairs::CandidatePairs;
pub use engine::compiled::CompiledOptions;
pub use engine::deduper::Deduper;
pub use engine::document_rows::DocumentKind;
pub use engine::document_signer::{DocumentSigner, SignedDocument};
pub use engine::elsewhere::{BOUNDS, Bounds};
pub use engine::error::DedupError;
pub use engine::exact_groups::ExactGroups;
pub use engine::key_groups::KeyGroups;
pub use engine::matcher::Matcher;
pub use engine::options::{Action, Deletion, Options, ShortDocuments};
#[cfg(feature = "serde")]
pub use engine::options_record::OptionsRecord;
pub use engine::outcome::{Counts, Decision, Outcome, Reason};
pub use engine::pair_lists::{ListedPair, PairLists, PairTotals};
pub use engine::settle::Settled;
pub use engine::verified_pairs::VerifiedPairs;
pub use engine::verify_batch::{FeatureBatch, VerifyBatch};
pub use keep::{DocumentFacts, FactSource, FieldValue};
pub use numeric::hash::{content_hash, murmur3, murmur3_words};
pub use numeric::random::SplitMix64;
pub use numeric::rows::Rows;
pub use passages::{
    CountedWindow, FoundPassages, ItemMatch, ItemMatches, KeyedRun, KeyedRuns, KeyedSearch, Occurrence,
    Passage, PassageRule, Passages, RunKeys, RunWindow, TestItems,
};
pub use sign::{Banding, band_key, recall_at, repel, steepest};
pub use strategy::{BuildError, Family, Parameter, Strategy};
pub use text::descriptive::{DescriptiveWords, DescriptiveWordsBuilder};
pub use text::document::{Bound, Context, Document};
pub use text::lexicon::Lexicon;
pub use text::shingle::{Shingler, TextUnit};
pub use text::statistics::{Statistics, StatisticsBuilder, Term};
pub use text::tokens::Tokens;

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
