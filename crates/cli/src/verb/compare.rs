//! `dehusk compare`

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use dehusk_lab::Study;
use dehusk_lab::compare::{ChosenMethod, Options, Results, View, all_methods, sweep};
use dehusk_pipeline::settings::Threshold;
use dehusk_pipeline::settings::table::Group;
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
#[derive(Args, Debug)]
pub(crate) struct Compare {
    #[command(flatten)]
    input: InputFlags,

    /// File of the true duplicates.
    #[arg(long, value_name = "FILE")]
    truth: PathBuf,

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
        let mut study = Study::new(title.unwrap_or_default(), &self.truth, options);
        study.views.clone_from(&flags.views);

        let work = Work::on_files(self.run);
        let job = work.job(&inputs, settings);
        dehusk_lab::report::check(&job, &self.truth, &self.out.out)?;
        let results = work.done(study.run(&job, &mut |row| work.reject(row)))?;
        dehusk_lab::report::write(&results, &self.out.out, job.cancel)?;
        let most = |of: fn(&View) -> u64| results.views.iter().map(of).max().unwrap_or(0);
        if !self.run.quiet {
            for view in &results.views {
                if view.set.unknown > 0 {
                    message::line(format_args!(
                        "{} ids of the truth belong to no document of `{}`",
                        view.set.unknown, view.name
                    ));
                }
            }
            print(best(&results).as_bytes())?;
        }
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
