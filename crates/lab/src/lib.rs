//! The laboratory: which method finds the duplicates of a collection best, and how sure is that?
//!
//! It runs every signature method of [`dehusk_pipeline::dedup`], alone and with verification, and every
//! clustering, on documents whose duplicates are known. It reports precision, recall and F1 with confidence
//! intervals, curves, examples of errors, and costs.
//!
//! ```
//! use dehusk_lab::Study;
//! use dehusk_lab::compare::{ChosenMethod, Mode, Options};
//! use dehusk_pipeline::{Cancel, Job, Settings};
//!
//! let folder = tempfile::tempdir()?;
//! let (documents, truth) = (folder.path().join("documents.jsonl"), folder.path().join("truth.tsv"));
//! std::fs::write(&documents, r#"{"id":"a","text":"the river rose in the night and left its bed"}
//! {"id":"b","text":"the river rose in the night and left its old bed"}
//! {"id":"c","text":"apples are cheap this week says the baker"}"#)?;
//! std::fs::write(&truth, "a\t1\nb\t1\nc\t2\n")?; // id and number of its group
//!
//! let mut options = Options::default();
//! options.methods = vec![ChosenMethod::named("minhash")?, ChosenMethod::named("md5")?];
//! (options.threshold, options.replicates, options.costs) = (0.5, 0, false);
//! let (inputs, settings, cancel) = ([documents.display().to_string()], Settings::default(), Cancel::new());
//! let job = Job::new(&inputs, &settings, &cancel);
//! let results = Study::new("three texts", &truth, options).run(&job, &mut |_| ())?;
//!
//! let rows = &results.views[0].rows;
//! let minhash = rows.iter().find(|row| row.name == "MinHash" && row.mode == Mode::Verified).unwrap();
//! let md5 = rows.iter().find(|row| row.name == "MD5").unwrap();
//! assert_eq!((minhash.pairs.f1, md5.pairs.recall), (1.0, 0.0));
//! dehusk_lab::report::write(&results, &folder.path().join("report"), &cancel)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Map
//!
//! | to | use |
//! |---|---|
//! | compare methods on a set of your own | [`Study`] with [`compare::Options`], which gives [`compare::Results`] |
//! | compare searches for passages on planted ones | [`PassageStudy`], which gives [`PassageResults`] |
//! | write the results as a page, as JSON and as tables | [`report::write`] |
//! | read the truth of a labelled set | [`sets::Truth`]: groups or pairs, in four formats |
//! | write a labelled set | [`sets::SetWriter`] |
//! | generate a set whose truth is known | [`generate`]: edited copies, records of names, planted passages, hostile sets |
//! | compute scores of results of another program | [`metrics`]: pairs, clusters, bootstrap intervals, extracted text |
//!
//! Except for times and memory, all figures depend only on the inputs and the options.

#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        reason = "tests choose their numbers, which are small"
    )
)]

pub mod compare;
pub mod generate;
pub mod metrics;
mod planted;
mod random;
pub mod report;
mod scratch;
pub mod sets;
mod study;

pub use planted::{LengthClass, PassageResults, PassageScore, PassageStudy};
pub use random::{Millionths, Random};
pub use study::Study;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
