//! Which method finds the duplicates of a collection best, and how sure is that?
//!
//! The laboratory runs signature methods over documents whose duplicates are known, alone and with
//! verification, and scores the pairs they find. A set of your own is a file of documents and a file of the
//! true groups. Here a set is generated: names of companies, copied with typing errors, swapped and
//! abbreviated words.
//!
//! Without confidence intervals a difference in the third decimal looks like a result. `replicates` sets
//! the number of bootstrap samples by which they are computed; [`report::write`] makes a page with curves
//! and examples of all results.
//!
//! `cargo run -p dehusk --features lab,pipeline --example compare_methods`

use std::error::Error;
use std::fs;
use std::io::{self, Write};

use dehusk::dedup::Shingler;
use dehusk::lab::Study;
use dehusk::lab::compare::{ChosenMethod, Options};
use dehusk::lab::generate::{self, Records};
use dehusk::lab::report;
use dehusk::pipeline::{Cancel, Job, Settings};

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let (names, set) = (folder.path().join("names.txt"), folder.path().join("set"));
    let companies = [
        "Valley Mill",
        "North Timber",
        "Old Bridge Bakery",
        "River Ferries",
        "Hill Apples",
        "Weir Power",
    ];
    let kinds = [
        "Incorporated",
        "Limited Company",
        "International Group",
        "and Sons",
        "Holdings",
    ];
    let lines = companies
        .iter()
        .flat_map(|name| kinds.map(|kind| format!("{name} {kind}\n")));
    fs::write(&names, lines.collect::<String>())?;
    let cancel = Cancel::new();
    let mut records = Records::new("ME")?;
    (records.records, records.clusters) = (120, 24);
    generate::records(&[names.display().to_string()], &records, &set, &cancel)?;

    let mut options = Options::default();
    options.methods = ["minhash", "simhash", "md5"]
        .map(ChosenMethod::named)
        .into_iter()
        .collect::<Result<_, _>>()?;
    (options.threshold, options.shingler) = (0.5, Shingler::chars(3));
    (options.replicates, options.costs) = (200, false);
    let settings = Settings::default();
    let inputs = [set.join("corpus.jsonl").display().to_string()];
    let job = Job::new(&inputs, &settings, &cancel);
    let truth = set.join("truth.jsonl");
    let study = Study::new("names of companies", &truth, options);
    let results = study.run(&job, &mut |_| ())?;

    for view in &results.views {
        writeln!(out, "{} documents, by F1 over pairs:", view.set.documents)?;
        for row in &view.rows {
            let Some([_, _, f1]) = row.intervals else { continue };
            let (name, mode, pairs) = (&row.name, row.mode.name(), row.pairs);
            writeln!(
                out,
                "  {name:10} {mode:9} F1 {:.2} ({:.2} to {:.2}), precision {:.2}, recall {:.2}",
                pairs.f1, f1.low, f1.high, pairs.precision, pairs.recall
            )?;
        }
    }
    report::write(&results, &folder.path().join("report"), &cancel)?;
    writeln!(
        out,
        "the report has {} files",
        fs::read_dir(folder.path().join("report"))?.count()
    )?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}
