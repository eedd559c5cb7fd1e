//! Starting other programs, and this one again.

use std::env;
use std::process::Command;

use crate::Result;
use crate::root::root;

/// The cargo that started this program, or the one on the path, in the root of the workspace.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Does `work` if this is an optimized build, else runs this program again in the release profile with the same
/// arguments. Paths among the arguments stay relative to where the user is.
pub(crate) fn optimized(work: impl FnOnce() -> Result<()>) -> Result<()> {
    if !cfg!(debug_assertions) {
        return work();
    }
    again(&[])
}

/// Runs this program again with html5ever and what compares our parser with it, which the other commands do without so that they
/// measure what ships.
#[cfg(not(feature = "reference"))]
pub(crate) fn with_reference() -> Result<()> {
    again(&["--features", "reference"])
}

fn again(features: &[&str]) -> Result<()> {
    let mut command = cargo();
    command.current_dir(env::current_dir()?);
    command.args([
        "run",
        "--quiet",
        "--release",
        "--package",
        "xtask",
        "--manifest-path",
    ]);
    command
        .arg(root().join("Cargo.toml"))
        .args(features)
        .arg("--")
        .args(env::args_os().skip(1));
    // What is timed runs on one thread.
    command.env("RAYON_NUM_THREADS", "1");
    let status = command.status().map_err(|e| format!("cannot start cargo: {e}"))?;
    if status.success() {
        return Ok(());
    }
    // The second run has said what went wrong.
    std::process::exit(status.code().unwrap_or(1))
}
