//! `cargo xtask demo`: the chain on pages that are part of the repository.

use crate::cargo::{cargo, shown};
use crate::result::Result;
use crate::root::root;

/// Where the result lies, below the root. Only what an earlier run left there is replaced.
const OUT: &str = "out/demo";

/// Runs `dehusk run` on the fixtures and says where the report lies. The program prints its summary itself.
pub(crate) fn run() -> Result<()> {
    println!(
        "Compiles the program, about three minutes on two cores the first time and seconds later; then turns the 80 pages in \
         fixtures/crawl into clean, unique documents, in a second. The report will lie in {OUT}/report.html."
    );
    let mut dehusk = cargo();
    // What the chain does not need is left out.
    dehusk.args([
        "run",
        "--release",
        "--package",
        "dehusk-cli",
        "--no-default-features",
        "--bin",
        "dehusk",
    ]);
    // One of the pages is a compressed attachment, which is rejected.
    dehusk.args(["--", "run", "fixtures/crawl", "--max-bad", "1", "--out", OUT]);
    shown(&mut dehusk, "`dehusk run` failed")?;
    println!("open {}", root().join(OUT).join("report.html").display());
    Ok(())
}
