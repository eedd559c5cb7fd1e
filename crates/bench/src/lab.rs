//! `cargo xtask lab`: runs the comparison of all methods on the fixtures, and checks that it reproduces the
//! committed report.

use std::fs;
use std::path::Path;

use clap::Args;
use dehusk_lab::Study;
use dehusk_lab::compare::Options as Compared;
use dehusk_pipeline::normalize::Profile;
use dehusk_pipeline::settings::ChosenProfile;
use dehusk_pipeline::{Cancel, Job, Settings};

use crate::result::Result;
use crate::root::root;

/// What to do with the result
#[derive(Args)]
pub(crate) struct Options {
    /// Replace the committed report by the new one
    #[arg(long)]
    accept: bool,
}

/// Folder of the new report, relative to the root. `COMMITTED` is the folder of the committed report.
const OUT: &str = "out/lab";
const COMMITTED: &str = "docs/lab";

/// The committed files: tables and page. `results.json` is not committed, because it holds all digits of every figure,
/// which another version of the compiler may round differently.
const FILES: &[&str] = &[
    "report.html",
    "leaderboard.csv",
    "curves.csv",
    "recall.csv",
    "languages.csv",
    "clusterings.csv",
    "fingerprints.csv",
    "bandings.csv",
];

/// Compares all methods on the fixture pages, as raw, extracted and template-cleaned text.
pub(crate) fn run(options: &Options) -> Result<()> {
    let root = root();
    // The file of expected results names path and address of each page, so it also serves as list of pages.
    let truth = root.join("fixtures/crawl/expect.jsonl");
    let mut compared = Compared::default();
    // Costs are measured times, which no other run reproduces.
    compared.costs = false;
    compared.threshold = 0.6;
    let study = Study::new("80 pages of an imaginary web", &truth, compared);
    let mut settings = Settings::default();
    settings.profile = Some(ChosenProfile(Profile::near()));
    let cancel = Cancel::new();
    let results = study.run(
        &Job::new(&[truth.display().to_string()], &settings, &cancel),
        &mut |_| (),
    )?;
    let out = root.join(OUT);
    dehusk_lab::report::write(&results, &out, &cancel)?;
    println!("open {}", out.join("report.html").display());
    let committed = root.join(COMMITTED);
    let differing: Vec<&str> = FILES
        .iter()
        .copied()
        .filter(|name| !same(&out.join(name), &committed.join(name)))
        .collect();
    if differing.is_empty() {
        println!(
            "the committed report in {COMMITTED} is reproduced, {} files",
            FILES.len()
        );
        return Ok(());
    }
    if !options.accept {
        let names = differing.join(", ");
        return Err(format!(
            "{COMMITTED} differs: {names}; look at the new report, then `cargo xtask lab --accept`"
        )
        .into());
    }
    fs::create_dir_all(&committed)?;
    for name in &differing {
        fs::copy(out.join(name), committed.join(name))?;
    }
    println!("accepted: {}", differing.join(", "));
    Ok(())
}

/// Whether two files have the same bytes. A file that cannot be read equals no other file.
fn same(a: &Path, b: &Path) -> bool {
    matches!((fs::read(a), fs::read(b)), (Ok(a), Ok(b)) if a == b)
}
