//! Commands that run in `crates/bench`, which is compiled with optimization: figures of another build are
//! useless.

use std::env;
use std::process::exit;

use crate::cargo::cargo;
use crate::result::Result;
use crate::root::root;

/// The commands of `crates/bench`.
pub(crate) const COMMANDS: &[&str] = &["eval", "bench", "train", "lab", "outputs", "pages", "planes"];

/// Runs the developers' program with these arguments. The first argument is its command. If it fails, this
/// process ends with its exit code.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let mut command = cargo();
    // Paths among the arguments are relative to the current folder of the user.
    command.current_dir(env::current_dir()?);
    command.args(["run", "--release", "--package", "dehusk-bench", "--manifest-path"]);
    command.arg(root().join("Cargo.toml"));
    // Only the comparison of parsers needs html5ever: the other commands measure the program as it is shipped.
    if arguments
        .iter()
        .any(|argument| matches!(argument.as_str(), "--parsers" | "--growth"))
    {
        command.args(["--features", "reference"]);
    }
    // Timed commands run on one thread.
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
    // The program has already reported the error.
    exit(status.code().unwrap_or(1))
}
