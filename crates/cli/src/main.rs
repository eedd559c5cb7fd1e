//! The program `dehusk`: reads the command line, calls [`dehusk_pipeline`], and reports the result.
//!
//! Data goes to standard output, everything else to standard error. The pipeline decides what a verb does;
//! this crate holds arguments and messages only.

#![forbid(unsafe_code)]

mod cli;
mod config;
mod flags;
mod hint;
mod log;
mod message;
mod outcome;
mod page_process;
mod print_config;
mod progress;
mod reading;
mod signals;
mod verb;
mod work;

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use clap::CommandFactory;
use dehusk_pipeline::Error;

use crate::cli::Cli;

fn main() -> ExitCode {
    // A panic on a page is caught, counted and reported as a rejected record, so it prints no trace.
    // Kept for panics outside of pages, which are defects and print their trace.
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| match dehusk_pipeline::guarded() {
        true => {}
        false if log::is_json() => message::panicked(info),
        false => usual(info),
    }));
    signals::report_full_files();
    let arguments = std::env::args_os().collect::<Vec<_>>();
    log::choose(&arguments);
    let command = Cli::command();
    // Searched as bytes: parsing the command line twice takes longer than the extraction of a small page.
    let has = |flag: &str| {
        let bytes = arguments.iter().map(|argument| argument.as_encoded_bytes());
        bytes
            .into_iter()
            .any(|argument| argument.starts_with(flag.as_bytes()))
    };
    // `starts_with` also finds `--config=FILE`. Too many matches cost time only, since the parsers decide.
    let (has_config, is_config_wanted) = (has("--config"), has("--print-config"));
    let arguments = match has_config.then(|| config::expand(&command, &arguments)) {
        Some(Ok(all)) => all,
        Some(Err(error)) => return failed(&error),
        None => arguments,
    };
    if has_config {
        log::choose(&arguments); // the file may set the format
    }
    let config = is_config_wanted.then(|| print_config::printed(&command, &arguments));
    if let Some(config) = config.flatten() {
        return match message::print(config.as_bytes()) {
            Ok(code) => ExitCode::from(code),
            Err(error) => failed(&error),
        };
    }
    let cli = match cli::parse(command, &arguments) {
        Ok(cli) => cli,
        Err(error) => return ExitCode::from(message::wrong_arguments(&error)),
    };
    // The hook has already reported the panic.
    match panic::catch_unwind(AssertUnwindSafe(|| cli.run())) {
        Ok(Ok(code)) => ExitCode::from(code),
        Ok(Err(error)) => failed(&error),
        Err(_) => ExitCode::FAILURE,
    }
}

/// Reports an error and returns its exit code.
fn failed(error: &Error) -> ExitCode {
    message::error(error);
    ExitCode::from(error.kind().exit_code())
}
