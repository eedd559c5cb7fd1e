//! The project's driver, called as `cargo xtask COMMAND`: the tasks of developers and build servers beyond
//! plain cargo.
//!
//! It has no dependencies, so that its first command starts within seconds. Commands that need the crates
//! run in the developers' programs of `crates/bench`, with optimization.

#![forbid(unsafe_code)]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal: results on standard output, progress and warnings on standard error"
)]

mod bench;
mod cargo;
mod counts;
mod demo;
mod dist;
mod docs;
mod packages;
mod python;
mod result;
mod root;
mod test;
mod tidy;

use std::env;
use std::process::ExitCode;

use result::Result;

const HELP: &str = "\
The project's driver

Usage: cargo xtask COMMAND

Commands:
  demo     Learn the sites of fixtures/crawl, run the chain on it into out/demo, and say where the report lies
  test     Check everything: format, clippy, tidy, dependencies, documentation, packages, all tests, the Python package
  python   Build and check the Python package alone, as `test` does
  packages Pack all published crates, and check the packages, as `test` does
  tidy     Check what no compiler does: crate edges, folder order, circles, strategy tables, packages, fixtures
  docs     Make the book of the documents below out/book, with search and pictures; needs mdbook
  dist     Make all that a release hands out, and check it; `dist PART...` makes parts alone: docs/release.md has them

Developers' programs, compiled with all crates first (`cargo xtask COMMAND --help` has their flags):
  eval     Score extraction on the development data and compare with the regression floors of tests/floors.toml; compare parsers
  bench    Measure extraction, normalization and the search for duplicates
  train    Grow the trees by which `default` decides, and compare held-out pages with the floors of tests/floors.toml (`--dry`: only that)
  lab      Compare all methods on the fixtures, and hold the report against the one in docs/lab
  outputs  Compare what two builds of the program write, byte for byte
  pages    Write a large collection of pages, made from labelled ones
  planes   Write the hyperplanes of `simhash-repelled` anew
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    // Without a command the help is printed, and the exit code is 0.
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", &[][..]),
    };
    // Commands without arguments reject them, so that `cargo xtask test extract` does not run all tests.
    let alone = |work: fn() -> Result<()>| match rest {
        [] => work(),
        [flag, ..] => Err(format!("`{command}` takes no arguments, such as `{flag}`").into()),
    };
    let done = match command {
        "demo" => alone(demo::run),
        "test" => alone(test::run),
        "python" => alone(test::python_package),
        "packages" => alone(test::packages),
        "tidy" => alone(tidy::run),
        "docs" => alone(docs::run),
        "dist" => dist::run(rest),
        "help" | "-h" | "--help" => {
            print!("{HELP}");
            Ok(())
        }
        // The flags of these commands are checked by the developers' program.
        _ if bench::COMMANDS.contains(&command) => bench::run(&arguments),
        _ => {
            eprintln!("xtask: no command `{command}`\n\n{HELP}");
            // 2 is the exit code for wrong usage, 1 that for failed work.
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_names_every_command_that_is_handed_on() {
        for command in bench::COMMANDS {
            assert!(HELP.contains(&format!("\n  {command} ")), "{command}");
        }
    }
}
