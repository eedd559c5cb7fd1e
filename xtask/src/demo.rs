//! `cargo xtask demo`: the chain on pages that are part of the repository.

use crate::root::root;
use crate::{Result, run};

/// Where the result lies, below the root. Only what an earlier run left there is replaced.
const OUT: &str = "out/demo";

/// Runs `dehusk run` on the fixtures and says where the report lies. The program prints its summary itself.
pub(crate) fn run() -> Result<()> {
    let mut dehusk = run::cargo();
    dehusk.args(["run", "--release", "--package", "dehusk-cli", "--"]);
    dehusk.args(["run", "fixtures/crawl", "--out", OUT]);
    let status = dehusk.status().map_err(|e| format!("cannot start cargo: {e}"))?;
    if !status.success() {
        return Err(format!("`dehusk run` failed ({status})").into());
    }
    println!("open {}", root().join(OUT).join("report.html").display());
    Ok(())
}
