//! The project's driver, called as `cargo xtask COMMAND`: everything that a developer or a build server does with the
//! repository beyond plain cargo.
//!
//! Commands that only start other programs (`test`, `demo`, `tidy`) work in any profile. Commands that measure (`eval`,
//! `bench`) run themselves again in the release profile first, so that nobody reads figures of an unoptimized build.

#![forbid(unsafe_code)]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal: results on standard output, progress and warnings on standard error"
)]

mod demo;
mod root;
mod run;
mod test;
mod tidy;

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
    /// Run the chain on fixtures/crawl into out/demo; print the summary and where the report lies
    Demo,
    /// Check everything: format, clippy, cargo-deny, tidy, documentation, all tests; stop at the first failure
    Test,
    /// Check what no compiler does: crate edges, stray modules, strategy tables, fixtures, file lengths, paths
    Tidy,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Demo => demo::run(),
        Command::Test => test::run(),
        Command::Tidy => tidy::run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
