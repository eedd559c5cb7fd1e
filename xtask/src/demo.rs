//! `cargo xtask demo`: runs the whole chain on pages of the repository.

use crate::cargo::{cargo, shown};
use crate::result::Result;
use crate::root::root;

/// Folder of the result, below the root. Only files of an earlier run are replaced.
const OUT: &str = "out/demo";

/// Folder of the templates that `dehusk site learn` makes. The folder of an earlier run is removed, since
/// templates grow.
const TEMPLATES: &str = "out/demo-templates";

/// Folder of the pages.
const PAGES: &str = "fixtures/crawl";

/// Runs `dehusk site learn` and `dehusk run` on the fixtures, and prints the path of the report. The
/// program prints its summaries itself.
pub(crate) fn run() -> Result<()> {
    println!(
        "Compiles the program, which takes some minutes the first time and seconds later; then learns the sites of the 80 \
         pages in {PAGES} and turns the pages into clean, unique documents, in ten seconds. The report will lie in \
         {OUT}/report.html."
    );
    let templates = root().join(TEMPLATES);
    // Old templates would count as knowledge of an earlier run, and the demo shows a first one.
    if templates.exists() {
        std::fs::remove_dir_all(&templates)?;
    }
    dehusk(&["site", "learn", PAGES, "--out", TEMPLATES])?;
    dehusk(&["run", PAGES, "--templates", TEMPLATES, "--out", OUT])?;
    println!("open {}", root().join(OUT).join("report.html").display());
    Ok(())
}

/// Runs the program with these arguments.
fn dehusk(arguments: &[&str]) -> Result<()> {
    let mut dehusk = cargo();
    // Features that the chain does not need are left out.
    dehusk.args([
        "run",
        "--profile",
        "demo",
        "--package",
        "dehusk-cli",
        "--no-default-features",
        "--bin",
        "dehusk",
        "--",
    ]);
    dehusk.args(arguments);
    shown(&mut dehusk, &format!("`dehusk {}` failed", arguments[0]))
}
