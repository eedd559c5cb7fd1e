//! `cargo xtask demo`: the chain on pages that are part of the repository.

use crate::cargo::{cargo, shown};
use crate::result::Result;
use crate::root::root;

/// Where the result lies, below the root. Only what an earlier run left there is replaced.
const OUT: &str = "out/demo";

/// Folder of what `dehusk site learn` makes of the fixtures. What an earlier run left there is removed, since templates grow.
const TEMPLATES: &str = "out/demo-templates";

/// The pages.
const PAGES: &str = "fixtures/crawl";

/// Runs `dehusk site learn` and `dehusk run` on the fixtures and says where the report lies. The program prints its summaries itself.
pub(crate) fn run() -> Result<()> {
    println!(
        "Compiles the program, which takes some minutes the first time and seconds later; then learns the sites of the 80 \
         pages in {PAGES} and turns the pages into clean, unique documents, in two seconds. The report will lie in \
         {OUT}/report.html."
    );
    let templates = root().join(TEMPLATES);
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
    // What the chain does not need is left out.
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
