//! The program `dehusk`: reads the command line, calls [`dehusk_pipeline`], and tells what came of it.
//!
//! Data goes to standard output, everything else to standard error. What a verb does is decided in the pipeline; here are
//! arguments and words only.

#![forbid(unsafe_code)]

mod cli;
mod config;
mod flags;
mod message;
mod page_process;
mod progress;
mod signals;
mod verb;
mod work;

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use dehusk_pipeline::Error;

use crate::cli::Cli;

fn main() -> ExitCode {
    // A panic on one page is caught, counted and reported as a rejected record: no trace in between.
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !dehusk_pipeline::guarded() {
            usual(info);
        }
    }));
    let arguments = match config::expand(&Cli::command(), std::env::args_os().collect()) {
        Ok(arguments) => arguments,
        Err(error) => return failed(&error),
    };
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to standard output and are no error. A closed pipe is the reader's business.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match panic::catch_unwind(AssertUnwindSafe(|| cli.run())) {
        Ok(Ok(code)) => ExitCode::from(code),
        Ok(Err(error)) => failed(&error),
        Err(_) => ExitCode::FAILURE,
    }
}

fn failed(error: &Error) -> ExitCode {
    message::error(error);
    ExitCode::from(error.kind().exit_code())
}
