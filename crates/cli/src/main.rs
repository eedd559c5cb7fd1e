//! The program `dehusk`: reads the command line, calls [`pipeline`], and tells what came of it.
//!
//! Data goes to standard output, everything else to standard error. What a run does is decided in `pipeline`; here are
//! only words.

#![forbid(unsafe_code)]

mod flags;
mod message;
mod progress;
mod signals;
mod verb;
mod work;

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use clap::Parser;

use crate::verb::Cli;

fn main() -> ExitCode {
    // A panic on one page is caught, counted and reported as a rejected record: no trace in between.
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !dehusk_pipeline::guarded() {
            usual(info);
        }
    }));
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to standard output and are no error. A closed pipe is the reader's business.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match panic::catch_unwind(AssertUnwindSafe(|| cli.run())) {
        Ok(Ok(code)) => ExitCode::from(code),
        Ok(Err(error)) => {
            message::error(&error);
            ExitCode::from(error.kind().exit_code())
        }
        Err(_) => ExitCode::FAILURE,
    }
}
