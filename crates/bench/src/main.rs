//! Developers' programs that need the crates, called as `cargo xtask COMMAND`: scores, training, benchmarks, comparisons.
//!
//! Commands that measure (`eval`, `bench`) run themselves again in the release profile first, so that nobody reads figures of an unoptimized build.

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
mod root;
mod run;
mod train;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// What any part of this program may fail with: the message is for the person at the terminal.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The project's driver
#[derive(Parser)]
#[command(bin_name = "cargo xtask", max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Score extraction on the development data and compare with tests/floors.toml; compare parsers
    Eval(eval::Options),
    /// Compare all methods on the fixtures, and hold the report against the committed one in docs/lab
    Lab(lab::Options),
    /// Grow the trees by which `default` decides, and judge them on held-out domains
    Train(train::Options),
    /// Write a large collection of pages, made from the labelled ones, to standard output as JSON Lines
    Pages(pages::Options),
    /// Write the hyperplanes of `simhash-repelled` anew as data of the crate
    Planes,
    /// Compare what two builds of the program write, byte for byte
    Outputs(outputs::Options),
    /// Measure extraction, normalization and the search for duplicates in MB/s and documents/s
    Bench(bench::Options),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Eval(options) => eval::run(&options),
        Command::Lab(options) => lab::run(&options),
        Command::Train(options) => run::optimized(|| train::run(&options)),
        Command::Pages(options) => pages::run(&options),
        Command::Planes => run::optimized(planes::run),
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
