//! `cargo xtask train`: trains the trees by which the extractor `default` decides about the lines of a page.
//!
//! They are trained on labelled pages of the development data ([`sets`]). Registered domains, over all sets
//! together, are held out in turn. With `--by-set` each set is held out too and comes first in the report,
//! because this is closest to real use: other pages, labelled by other people. Sets that are not trained on
//! show how well the trees generalize. Scores on training pages are not reported.
//!
//! With the default options the scores must reach the held-out floors of `tests/floors.toml`; otherwise no
//! model is written. So `cargo xtask train --dry` checks the quality.

mod boost;
#[cfg(test)]
mod gate;
mod holdout;
mod judge;
mod labels;
mod lexicon;
mod pages;
mod sets;
mod site_judge;
mod site_labels;
mod site_samples;
mod site_source;
mod sites;
mod write;

use std::path::PathBuf;

use clap::Args;
use dehusk_html::narrow;
use dehusk_pipeline::extract::training;

use crate::data;
use crate::eval::floors;
use crate::result::Result;
use boost::Settings;
use holdout::Corpus;
use judge::judge;

/// What to train, and how to score it
#[derive(Args)]
pub(crate) struct Options {
    /// Number of trees
    #[arg(long, default_value_t = 120)]
    trees: usize,
    /// Largest number of leaves of a tree
    #[arg(long, default_value_t = 31)]
    leaves: usize,
    /// Learning rate: share of the remaining error that each tree corrects
    #[arg(long, default_value_t = 0.1)]
    rate: f64,
    /// Seed for the columns that each tree may use
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of trees after which lines with log odds above `--exit-odds` skip the rest; 0 for never
    #[arg(long, default_value_t = 32)]
    exit_after: usize,
    /// Absolute log odds above which lines take the early exit
    #[arg(long, default_value_t = 2.0)]
    exit_odds: f32,
    /// Number of folds in which registered domains are held out
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(2..))]
    folds: u64,
    /// Train the trees of the learner of templates instead, on labelled sites; only `--dry`, `--folds`, `--samples`
    /// and `--without` apply
    #[arg(long)]
    sites: bool,
    /// With `--sites`: read the parsed and labelled pages from DIR, or write them there if it lacks them. They hold the
    /// verdicts of the page-level models that wrote them
    #[arg(long, value_name = "DIR", requires = "sites")]
    samples: Option<PathBuf>,
    /// Only print scores: do not write the models
    #[arg(long)]
    dry: bool,
    /// Also hold out each set in turn
    #[arg(long)]
    by_set: bool,
    /// Also hold out each language of the multilingual set in turn
    #[arg(long)]
    languages: bool,
    /// Leave out columns whose names begin with one of these texts
    #[arg(long, value_delimiter = ',')]
    without: Vec<String>,
    /// Train without these sets, to score the model on pages that it was not trained on
    #[arg(long, value_delimiter = ',', value_name = "SET")]
    leave_out: Vec<String>,
    /// Write the texts of held-out pages to DIR/SET.jsonl
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
}

impl Options {
    /// Whether the options that affect the model have their defaults.
    fn are_usual(&self) -> bool {
        self.trees == 120
            && self.leaves == 31
            && self.seed == 1
            && (self.rate, self.exit_odds) == (0.1, 2.0)
            && self.exit_after == 32
            && self.folds == 5
            && self.without.is_empty()
            && self.leave_out.is_empty()
    }
}

/// Trains the models that the options choose, prints their scores, and writes them.
pub(crate) fn run(options: &Options) -> Result<()> {
    if options.sites {
        return sites::run(
            narrow::to_usize(options.folds),
            &options.without,
            options.samples.as_deref(),
            options.dry,
        );
    }
    let Some(pages) = data::present("train", pages::read()?) else {
        return Ok(());
    };
    let (names, digests) = (pages.names.clone(), pages.digests.clone());
    let dropped = |c: usize| options.without.iter().any(|w| names[c].starts_with(w.as_str()));
    let columns: Vec<usize> = (0..names.len()).filter(|&c| !dropped(c)).collect();
    eprintln!(
        "{} pages, {} lines, {} columns",
        pages.pages.len(),
        pages.targets.len(),
        columns.len()
    );
    let settings = Settings {
        trees: options.trees,
        leaves: options.leaves,
        rate: options.rate,
        min_rows: 30,
        ridge: 0.5,
        columns: 0.4,
        seed: options.seed,
        exit_after: options.exit_after,
        exit_odds: options.exit_odds,
        directions: &[],
    };
    let corpus = Corpus::new(pages, &columns, settings, &options.leave_out);
    // Probabilities of the first pass always come from trees that were not trained on the page's domain.
    let first = corpus.first_pass(options.folds);
    if options.by_set {
        println!("sets never trained on");
        corpus.without_each(&first.held_out.0, &|page| Some(&*page.set))?;
        println!();
    }
    if options.languages {
        println!("languages never trained on");
        corpus.without_each(&first.held_out.0, &|page| {
            (page.set == LANGUAGES).then_some(&*page.group)
        })?;
        println!();
    }
    println!("domains never trained on: first pass");
    judge(&corpus.all(), &first.held_out.0, None)?;
    // The refinement gets the held-out probabilities, as it will see them on new pages.
    let refined = corpus.refine(&first, options.folds);
    println!("\ndomains never trained on: refined");
    let held_out = judge(&corpus.all(), &refined.held_out.0, options.save.as_deref())?;
    println!("\ndomains never trained on: fast");
    judge(&corpus.all(), &refined.held_out.1, None)?;
    println!();
    // Before anything is written, so that a model below its floors never replaces a good one.
    if options.are_usual() {
        floors::check_held_out(&floors::read()?.held_out, &digests, &held_out)?;
    } else {
        println!("floors hold for the usual options: none was checked");
    }
    if !options.dry {
        let provenance = write::provenance(&corpus, &digests, &held_out)?;
        let used: Vec<&str> = columns.iter().map(|&c| names[c].as_str()).collect();
        let about = "Trees by which `default` decides about the lines of a page";
        write::write("lines.model", about, &provenance, &first.forest, &used)?;
        let names = training::LineContext::names();
        let used: Vec<&str> = names.iter().map(String::as_str).collect();
        let about =
            "Trees by which `default` refines the chances of doubtful lines by those of the lines around";
        write::write("refinement.model", about, &provenance, &refined.forest, &used)?;
        refined.lexicon.write(&provenance, corpus.trained())?;
    }
    Ok(())
}

/// The set whose languages are held out.
const LANGUAGES: &str = "daniel_dev";
