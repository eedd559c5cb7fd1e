//! `cargo xtask dist`: the program as it ships.

use std::env::consts::EXE_SUFFIX;
use std::fs;

use crate::cargo::{cargo, shown};
use crate::result::Result;
use crate::root::target;

/// Builds the program in the profile `dist` and says where it lies and how large it is.
pub(crate) fn run() -> Result<()> {
    println!("Compiles the program with optimization across all crates, some ten minutes on two cores.");
    let mut build = cargo();
    build.args([
        "build",
        "--profile",
        "dist",
        "--locked",
        "--package",
        "dehusk-cli",
        "--bin",
        "dehusk",
    ]);
    shown(&mut build, "the program does not build")?;
    let binary = target().join("dist").join(format!("dehusk{EXE_SUFFIX}"));
    let bytes = fs::metadata(&binary)
        .map_err(|e| format!("{}: {e}", binary.display()))?
        .len();
    println!("{}, {:.1} MB", binary.display(), bytes as f64 / 1e6);
    Ok(())
}
