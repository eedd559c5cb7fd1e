//! Developers' programs that use the crates, called as `cargo xtask COMMAND`: scores, training, benchmarks,
//! comparisons.
//!
//! `cargo xtask` builds them optimized. It adds the feature `reference` for commands that compare our
//! parser with html5ever.

#![forbid(unsafe_code)]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal: results on standard output, progress and warnings on standard error"
)]

mod bench;
mod clock;
mod data;
mod eval;
mod lab;
mod machine;
mod outputs;
mod pages;
mod planes;
mod result;
mod root;
mod train;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Developers' programs that use the crates
#[derive(Parser)]
#[command(bin_name = "cargo xtask", max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Score extraction on the development data and compare with the regression floors of tests/floors.toml; compare parsers
    Eval(eval::Options),
    /// Compare all methods on the fixtures, and check the report against the committed one in docs/lab
    Lab(lab::Options),
    /// Train the trees of the extractor `default`, and score them on held-out domains
    Train(train::Options),
    /// Write a large collection of pages, made from the labelled pages, to standard output as JSON Lines
    Pages(pages::Options),
    /// Compute the hyperplanes of `simhash-repelled` again and write them as data of the crate
    Planes,
    /// Compare the output of two builds of the program, byte for byte
    Outputs(outputs::Options),
    /// Measure extraction, normalization and the search for duplicates in MB/s and documents/s
    Bench(bench::Options),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Eval(options) => eval::run(&options),
        Command::Lab(options) => lab::run(&options),
        Command::Train(options) => train::run(&options),
        Command::Pages(options) => pages::run(&options),
        Command::Planes => planes::run(),
        Command::Outputs(options) => outputs::run(&options),
        Command::Bench(options) => bench::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}
