//! The program `dehusk`: reads the command line, calls [`dehusk_pipeline`], and tells what came of it.
//!
//! Data goes to standard output, everything else to standard error. What a verb does is decided in the pipeline; here are
//! arguments and words only.

#![forbid(unsafe_code)]

mod cli;
mod config;
mod flags;
mod log;
mod message;
mod outcome;
mod page_process;
mod print_config;
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
    panic::set_hook(Box::new(move |info| match dehusk_pipeline::guarded() {
        true => {}
        false if log::is_json() => message::panicked(info),
        false => usual(info),
    }));
    let arguments = std::env::args_os().collect::<Vec<_>>();
    log::choose(&arguments);
    let arguments = match config::expand(&Cli::command(), arguments) {
        Ok(arguments) => arguments,
        Err(error) => return failed(&error),
    };
    log::choose(&arguments); // a configuration file may name it
    if let Some(config) = print_config::printed(&Cli::command(), &arguments) {
        return match message::print(config.as_bytes()) {
            Ok(code) => ExitCode::from(code),
            Err(error) => failed(&error),
        };
    }
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return ExitCode::from(message::wrong_arguments(&error)),
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
