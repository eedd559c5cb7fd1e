//! `dehusk compare`

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use dehusk_lab::compare::{ChosenMethod, Options, Results, View, all_methods, sweep};
use dehusk_lab::{PassageResults, PassageStudy, Study};
use dehusk_pipeline::settings::table::Group;
use dehusk_pipeline::settings::{RunLength, Threshold};
use dehusk_pipeline::{Error, printable};
use serde_json::json;

use crate::flags::input::InputFlags;
use crate::flags::names::value_of;
use crate::flags::out::OutFolder;
use crate::flags::running::{NoResume, RunFlags};
use crate::flags::settings::{SettingFlags, TakesSettings};
use crate::message::{self, print};
use crate::work::Work;

/// Compares all methods on documents whose duplicates are known
///
/// Runs every signature method alone and with verification, and every clustering on the same edges. Pages are compared by their
/// whole text, their extracted text, and the text by templates of their sites, one after the other. Writes to the folder DIR:
/// report.html, results.json, and tables as CSV. Prints the best rows. Keeps nothing of a run that was interrupted: the same
/// command begins anew.
///
/// The truth is a file: JSON Lines with `id` and `group` or with `a` and `b`; `id<TAB>group` or `u1<TAB>u2<TAB>similarity` in
/// .tsv; groups of ROMIP in .xml. Documents that it does not name are duplicates of none.
///
/// With --planted, searches for passages are compared instead: how much of the planted passages of each length is found by lines,
/// sentences, paragraphs, and runs of tokens, and whether anything else is. Writes results.json and passages.csv, and prints the table.
#[derive(Args, Debug)]
pub(crate) struct Compare {
    #[command(flatten)]
    input: InputFlags,

    /// File of the true duplicates.
    #[arg(long, value_name = "FILE", required_unless_present = "planted")]
    truth: Option<PathBuf>,

    /// File of planted passages, as `dehusk generate passages` writes it: planted.jsonl
    #[arg(long, value_name = "FILE", conflicts_with = "truth")]
    planted: Option<PathBuf>,

    /// Tokens of the shortest run that counts, a search for each, separated by commas
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = value_of::<RunLength>(), default_value = "13,25,50,100", requires = "planted")]
    min_runs: Vec<RunLength>,

    #[command(flatten)]
    out: OutFolder,

    #[command(flatten)]
    resume: NoResume,

    /// Title of the report [default: the first input]
    #[arg(long, value_name = "TEXT")]
    report_title: Option<String>,

    #[command(flatten)]
    compared: ComparedFlags,

    #[command(flatten)]
    settings: SettingFlags<Compare>,

    #[command(flatten)]
    run: RunFlags,
}

impl TakesSettings for Compare {
    const GROUPS: &'static [Group] = &[Group::Input, Group::NamedFiles, Group::Text, Group::Running];
}

/// Flags that choose the methods, thresholds and texts to compare.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Comparison")]
struct ComparedFlags {
    /// Signature methods, a row each, separated by spaces or given several times: all, or NAME[:PARAMETER=VALUE,...]
    #[arg(long, value_name = "METHOD", default_value = "all", num_args = 1..)]
    signature: Vec<String>,

    /// Adds rows for other values of the parameters with the largest effect.
    #[arg(long)]
    sweep: bool,

    /// Smallest similarity of duplicates, above 0 and up to 1 [default: 0.7]
    #[arg(long, value_name = "SHARE", value_parser = value_of::<Threshold>())]
    threshold: Option<Threshold>,

    /// Thresholds of the curves and of clusterings.
    #[arg(
        long,
        value_name = "SHARE,...",
        value_delimiter = ',',
        value_parser = value_of::<Threshold>(),
        default_value = "0.3,0.4,0.5,0.6,0.7,0.8,0.9"
    )]
    thresholds: Vec<Threshold>,

    /// Largest number of different bits between fingerprints that count as equal, 0 to 15.
    #[arg(long, value_name = "BITS", default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=15))]
    distance: u32,

    /// Texts of pages to compare: raw, extracted, templates [default: all]
    #[arg(long, value_name = "TEXT,...", value_delimiter = ',')]
    views: Vec<String>,

    /// Replicates of the bootstrap for confidence intervals; 0 for no intervals.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    bootstrap: u32,

    /// Omits times and memory, so that equal inputs give equal files
    #[arg(long)]
    no_costs: bool,

    /// Seed of samples and of the bootstrap
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Number of rows that are printed for each text.
const PRINTED: usize = 15;

impl Compare {
    pub(crate) fn run(&self) -> Result<u8, Error> {
        self.resume.refuse("compare")?;
        let (inputs, settings) = (self.input.names()?, &self.settings.given);
        let truth = match (&self.truth, &self.planted) {
            (Some(truth), _) => truth,
            (None, Some(planted)) => return self.passages(&inputs, planted),
            (None, None) => return Err(Error::usage("a comparison needs a truth").with_option("truth")),
        };
        let mut options = Options::default();
        let flags = &self.compared;
        options.methods = self.methods()?;
        options.threshold = flags.threshold.map_or(options.threshold, |threshold| threshold.0);
        options.thresholds = flags.thresholds.iter().map(|threshold| threshold.0).collect();
        options.shingler = settings.duplicates()?.shingler();
        options.distance = flags.distance;
        options.replicates = flags.bootstrap;
        options.seed = flags.seed;
        options.costs = !flags.no_costs;
        let title = self.report_title.clone().or_else(|| inputs.first().cloned());
        let mut study = Study::new(title.unwrap_or_default(), truth, options);
        study.views.clone_from(&flags.views);

        let work = Work::on_files(self.run);
        let job = work.job(&inputs, settings);
        dehusk_lab::report::check(&job, truth, &self.out.out)?;
        let results = work.done(study.run(&job, &mut |row| work.reject(row)))?;
        dehusk_lab::report::write(&results, &self.out.out, job.cancel)?;
        let most = |of: fn(&View) -> u64| results.views.iter().map(of).max().unwrap_or(0);
        if !self.run.quiet {
            for view in &results.views {
                // Ids in the truth but not in the inputs mostly mean a wrong file.
                if view.set.unknown > 0 {
                    message::line(format_args!(
                        "{} ids of the truth belong to no document of `{}`",
                        view.set.unknown, view.name
                    ));
                }
            }
            print(best(&results).as_bytes())?;
        }
        // Views are different texts of the same pages, so their counts are not added up.
        let mut rejected = work.rejected();
        if let Some(view) = results.views.iter().max_by_key(|view| view.set.rejected) {
            rejected.merge(&view.set.rejected_by_reason);
        }
        let read = most(|view| view.set.documents) + rejected.total();
        let report = self.out.out.join("report.html");
        let figures = vec![("views", results.views.len().into()), ("report", json!(report))];
        let told = (read, &rejected);
        Ok(work.conclude("compare", settings, told, figures, || {
            message::line(format_args!("open {}", report.display()));
        }))
    }

    /// Compares searches for passages.
    fn passages(&self, inputs: &[String], planted: &Path) -> Result<u8, Error> {
        let settings = &self.settings.given;
        let mut study = PassageStudy::default();
        study.min_runs = self.min_runs.iter().map(|least| least.0).collect();
        let work = Work::on_files(self.run);
        let job = work.job(inputs, settings);
        dehusk_lab::report::check(&job, planted, &self.out.out)?;
        let results = work.done(study.run(&job, planted))?;
        results.write(&self.out.out, job.cancel)?;
        if !self.run.quiet {
            print(recalls(&results).as_bytes())?;
        }
        let figures = vec![("planted", results.planted.into())];
        let table = self.out.out.join("passages.csv");
        let read = (results.documents, &work.rejected());
        Ok(work.conclude("compare", settings, read, figures, || {
            message::line(format_args!("written to {}", table.display()));
        }))
    }

    /// Returns the methods to compare, in the order of the flags. `all` and `--sweep` stand for several.
    fn methods(&self) -> Result<Vec<ChosenMethod>, Error> {
        let mut methods = Vec::new();
        for name in &self.compared.signature {
            if name == "all" {
                methods.extend(all_methods());
            } else {
                let chosen: ChosenMethod = name
                    .parse()
                    .map_err(|error: String| Error::value("signature", error))?;
                methods.push(chosen);
            }
        }
        if self.compared.sweep {
            methods.extend(sweep());
        }
        Ok(methods)
    }
}

/// Returns the recall of each search by length of the planted parts, as a table.
fn recalls(results: &PassageResults) -> String {
    let mut out = String::new();
    // All rows have the same classes of lengths.
    let lengths = results.rows.first().map_or(&[][..], |row| &row.classes);
    // Writing to a string cannot fail.
    let _ = write!(out, "{:9} {:>4} {:>9}", "unit", "N", "precision");
    for class in lengths {
        let _ = write!(out, " {:>7}", format!("{}-{}", class.least, class.most));
    }
    for row in &results.rows {
        let least = row.min_run.map_or_else(String::new, |least| least.to_string());
        let precision = row
            .precision
            .map_or_else(|| "–".to_owned(), |share| format!("{share:.4}"));
        let _ = write!(out, "\n{:9} {least:>4} {precision:>9}", row.unit);
        for class in &row.classes {
            let _ = write!(out, " {:7.4}", class.recall);
        }
    }
    out.push('\n');
    out
}

/// Returns the best rows of each text, as a table.
fn best(results: &Results) -> String {
    let mut out = String::new();
    for view in &results.views {
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{} ({} documents)\n{:24} {:9} {:>9} {:>9} {:>9}",
            printable(&view.name),
            view.set.documents,
            "method",
            "mode",
            "precision",
            "recall",
            "F1"
        );
        for row in view.rows.iter().take(PRINTED) {
            let _ = writeln!(
                out,
                "{:24} {:9} {:9.4} {:9.4} {:9.4}",
                row.name,
                row.mode.name(),
                row.pairs.precision,
                row.pairs.recall,
                row.pairs.f1
            );
        }
    }
    out
}
