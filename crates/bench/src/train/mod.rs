//! `cargo xtask train`: the trees by which `default` decides about the lines of a page.
//!
//! Trained on labelled pages of the development data ([`sets`]). Registered domains are held out in turn over all sets together; with
//! `--by-set` each set is, too, and leads the report, as it is nearest to what a user meets: other pages, labelled by other people. Sets that are not trained
//! on show how far what was learnt travels. A figure on trained pages is not a figure.
//!
//! What is found with the usual options must reach the held-out floors of `tests/floors.toml`, or no model is written: so
//! `cargo xtask train --dry` is the check of quality.

mod boost;
#[cfg(test)]
mod gate;
mod holdout;
mod judge;
mod labels;
mod lexicon;
mod pages;
mod sets;
mod site_labels;
mod sites;
mod write;

use std::path::PathBuf;

use clap::Args;
use dehusk_pipeline::extract::training;

use crate::data;
use crate::eval::floors;
use crate::result::Result;
use boost::Settings;
use holdout::Corpus;
use judge::judge;

/// What to train, and how to judge it.
#[derive(Args)]
pub(crate) struct Options {
    /// Trees
    #[arg(long, default_value_t = 120)]
    trees: usize,
    /// Leaves of a tree
    #[arg(long, default_value_t = 31)]
    leaves: usize,
    /// Share of what is missing that each tree adds
    #[arg(long, default_value_t = 0.1)]
    rate: f64,
    /// Chooses the columns that each tree may use
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Trees after which lines whose log odds are past `--exit-odds` skip the rest; 0 for never
    #[arg(long, default_value_t = 32)]
    exit_after: usize,
    /// Log odds past which lines take the early exit
    #[arg(long, default_value_t = 2.0)]
    exit_odds: f32,
    /// Parts in which registered domains are held out in turn
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(2..))]
    folds: u64,
    /// Train the trees of the learner of templates instead, on labelled sites; of the other options `--dry`, `--folds` and `--without` count
    #[arg(long)]
    sites: bool,
    /// Only judge: leave the model in the repository as it is
    #[arg(long)]
    dry: bool,
    /// Hold out in turn each set, too
    #[arg(long)]
    by_set: bool,
    /// Hold out in turn each language of the set of several languages, too
    #[arg(long)]
    languages: bool,
    /// Leave out the columns whose name begins so
    #[arg(long, value_delimiter = ',')]
    without: Vec<String>,
    /// Train without these sets, to judge what rests on the model on pages that it has not seen
    #[arg(long, value_delimiter = ',', value_name = "SET")]
    leave_out: Vec<String>,
    /// Write the texts of held-out pages to DIR/SET.jsonl
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
}

impl Options {
    /// Whether the model is grown as that of the repository was.
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

pub(crate) fn run(options: &Options) -> Result<()> {
    if options.sites {
        return sites::run(options.folds as usize, &options.without, options.dry);
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
    // The chances of the first pass are always by trees that have not seen the page's domain.
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
    let refined = corpus.refine(&first, options.folds);
    println!("\ndomains never trained on: refined");
    let held_out = judge(&corpus.all(), &refined.held_out.0, options.save.as_deref())?;
    println!("\ndomains never trained on: fast");
    judge(&corpus.all(), &refined.held_out.1, None)?;
    println!();
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

/// The set of which languages are held out.
const LANGUAGES: &str = "daniel_dev";
