//! Commands that are handed on to `crates/bench`, which is compiled optimized: nobody reads figures of another build.

use std::env;
use std::process::exit;

use crate::cargo::cargo;
use crate::result::Result;
use crate::root::root;

/// The commands of `crates/bench`.
pub(crate) const COMMANDS: &[&str] = &["eval", "bench", "train", "lab", "outputs", "pages", "planes"];

/// Runs the developers' program with these arguments, of which the first is its command, and ends with its exit code.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let mut command = cargo();
    // Paths among the arguments are relative to where the user is.
    command.current_dir(env::current_dir()?);
    command.args(["run", "--release", "--package", "dehusk-bench", "--manifest-path"]);
    command.arg(root().join("Cargo.toml"));
    // html5ever is compiled only where our parser is compared with it: the other commands measure what ships.
    if arguments
        .iter()
        .any(|argument| matches!(argument.as_str(), "--parsers" | "--growth"))
    {
        command.args(["--features", "reference"]);
    }
    // What is timed runs on one thread.
    if matches!(arguments[0].as_str(), "eval" | "bench" | "train") {
        command.env("RAYON_NUM_THREADS", "1");
    }
    let status = command
        .arg("--")
        .args(arguments)
        .status()
        .map_err(|e| format!("cannot start cargo: {e}"))?;
    if status.success() {
        return Ok(());
    }
    // The program has said what went wrong.
    exit(status.code().unwrap_or(1))
}
