//! End-to-end tests over the binary `dehusk`: one test binary, a module for each subject.

#![allow(
    clippy::cast_possible_truncation,
    reason = "tests choose their numbers, which are small"
)]

mod addresses;
mod archives;
mod broken;
mod config;
mod crawl;
mod crawl_index;
mod dedup;
#[cfg(feature = "failing-disk")]
mod disk;
#[cfg(all(feature = "browser", feature = "lab", feature = "parquet", feature = "serve"))]
mod documented;
mod extract;
mod formats;
mod forms;
mod hostile;
mod index;
mod inputs;
mod keepers;
mod kills;
mod known_passages;
mod lab;
mod layouts;
mod log;
mod max_bad;
mod mended;
mod normalize;
mod output;
mod oversized;
#[cfg(feature = "parquet")]
mod parquet;
mod passage_cuts;
mod passages;
mod processes;
mod record_paths;
#[cfg(feature = "remote")]
mod remote;
mod resume;
mod run;
mod run_passages;
mod same_file;
#[cfg(feature = "serve")]
mod serve;
mod serve_inputs;
#[cfg(feature = "remote")]
mod server;
mod site;
mod sources;
mod streams;
mod support;
mod surface;
mod tar;
mod usage;
mod warc;
