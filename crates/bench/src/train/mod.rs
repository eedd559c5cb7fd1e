//! `cargo xtask train`: the trees by which `default` decides about the lines of a page.
//!
//! Trained on labelled pages of the development data; whole registered domains are held out in cross-validation. Other
//! sets, such as `zh_news`, are never trained on: they show how far what was learnt travels. A figure on trained pages is not a figure.
//!
//! What is found with the usual options must reach the held-out floors of `tests/floors.toml`, or no model is written: so
//! `cargo xtask train --dry` is the check of quality.

mod boost;
mod labels;
mod lexicon;
mod pages;
mod site_labels;
mod sites;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use dehusk_pipeline::extract::training;
use serde_json::json;

use crate::data;
use crate::eval::{floors, metrics};
use crate::result::Result;
use boost::{Forest, Settings, Table};
use lexicon::Lexicon;
use pages::Labelled;

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
    /// Trees after which lines whose log odds are past `--exit-odds` skip the rest; 0 for never
    #[arg(long, default_value_t = 32)]
    exit_after: usize,
    /// Log odds past which lines take the early exit
    #[arg(long, default_value_t = 2.0)]
    exit_odds: f32,
    /// Parts in which registered domains are held out in turn
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(2..))]
    folds: u64,
    /// Train the trees of the learner of templates instead, on labelled sites; of the other options `--dry`, `--folds` and `--without` count
    #[arg(long)]
    sites: bool,
    /// Only judge: leave the model in the repository as it is
    #[arg(long)]
    dry: bool,
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
            && (self.rate, self.exit_odds) == (0.1, 2.0)
            && self.exit_after == 32
            && self.folds == 3
            && self.without.is_empty()
            && self.leave_out.is_empty()
    }
}

/// The sets that are trained on, as the heads of the models say ([`write::SOURCES`]). Whatever else lies among the data is only looked
/// at, so that the figures do not depend on what is there.
const TRAINED: [&str; 3] = ["wcxb_dev", "daniel_dev", "sites-dev"];

fn is_trained_on(page: &Labelled) -> bool {
    TRAINED.contains(&page.set.as_str())
}

pub(crate) fn run(options: &Options) -> Result<()> {
    if options.sites {
        return sites::run(options.folds as usize, &options.without, options.dry);
    }
    let Some(pages) = data::present("train", pages::read()?) else {
        return Ok(());
    };
    let (names, digests) = (pages.names.clone(), pages.digests);
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
        seed: 1,
        exit_after: options.exit_after,
        exit_odds: options.exit_odds,
        directions: &[],
    };
    let width = columns.len();
    let rows: Vec<f32> = if width == names.len() {
        pages.rows
    } else {
        pages
            .rows
            .chunks_exact(names.len())
            .flat_map(|row| columns.iter().map(|&c| row[c]))
            .collect()
    };
    let trained = |p: &Labelled| is_trained_on(p) && !options.leave_out.contains(&p.set);
    let trained_rows = pages.pages.iter().filter(|p| trained(p));
    let trained_rows = trained_rows.flat_map(|p| p.rows.clone()).map(|r| r as u32);
    let table = Table::new(&rows, width, trained_rows.collect(), pages.targets, pages.weights);
    drop(rows);
    let pages = pages.pages;
    let rows_of = |wanted: &dyn Fn(&Labelled) -> bool| -> Vec<u32> {
        let chosen = pages.iter().filter(|p| trained(p) && wanted(p));
        let rows = chosen.flat_map(|p| p.rows.clone());
        rows.filter(|&r| table.weights[r] > 0.0)
            .map(|r| r as u32)
            .collect()
    };
    // The chances of the first pass are always by trees that have not seen the page's domain.
    let mut odds = (vec![0.0; table.targets.len()], vec![0.0; table.targets.len()]);
    for fold in 0..options.folds {
        let forest = boost::grow(&table, &rows_of(&|p| p.domain % options.folds != fold), &settings);
        predict(&forest, &table, &pages, &mut odds, &|p| {
            is_trained_on(p) && p.domain % options.folds == fold
        });
        eprintln!("fold {} of {} done", fold + 1, options.folds);
    }
    let forest = boost::grow(&table, &rows_of(&|_| true), &settings);
    predict(&forest, &table, &pages, &mut odds, &|p| !is_trained_on(p));
    let all: Vec<&Labelled> = pages.iter().collect();
    println!("first pass");
    judge(&all, &odds.0, None)?;
    let lexicon = Lexicon::new(pages.iter().filter(|p| trained(p)), &table);
    let trees = options.trees.min(REFINEMENT.trees);
    let refinement = Refinement::new(&pages, &table, &odds.0, trees, &lexicon);
    let mut chances = odds.clone();
    for fold in 0..options.folds {
        let forest = refinement.grow(&rows_of(&|p| p.domain % options.folds != fold));
        for page in pages
            .iter()
            .filter(|p| is_trained_on(p) && p.domain % options.folds == fold)
        {
            correct(&forest, page, &lexicon, &mut chances);
        }
    }
    let last = refinement.grow(&rows_of(&|_| true));
    for page in pages.iter().filter(|p| !is_trained_on(p)) {
        correct(&last, page, &lexicon, &mut chances);
    }
    println!("\nrefined");
    let held_out = judge(&all, &chances.0, options.save.as_deref())?;
    println!("\nfast");
    judge(&all, &chances.1, None)?;
    println!();
    if options.are_usual() {
        floors::check_held_out(&floors::read()?.held_out, &digests, &held_out)?;
    } else {
        println!("floors hold for the usual options: none was checked");
    }
    if options.languages {
        unseen_languages(&table, &pages, &settings, &odds.0, (&trained, &rows_of))?;
    }
    if !options.dry {
        let used: Vec<&str> = columns.iter().map(|&c| names[c].as_str()).collect();
        let about = "Trees by which `default` decides about the lines of a page";
        write::write("lines.model", about, &forest, &used)?;
        let names = training::LineContext::names();
        let used: Vec<&str> = names.iter().map(String::as_str).collect();
        let about =
            "Trees by which `default` refines the chances of doubtful lines by those of the lines around";
        write::write("refinement.model", about, &last, &used)?;
        lexicon.write(pages.iter().filter(|p| trained(p)))?;
    }
    Ok(())
}

/// How the trees of the refinement are grown: few and small, as the first pass decides most.
const REFINEMENT: Settings = Settings {
    trees: 100,
    leaves: 7,
    rate: 0.1,
    min_rows: 100,
    ridge: 5.0,
    columns: 0.3,
    seed: 1,
    exit_after: 0,
    exit_odds: 0.0,
    directions: &[],
};

/// What the refinement is trained on: chances by trees that have not seen the page's domain. Those of a page outside a fold do
/// come from trees that have seen the fold; with chances that no page of the fold had part in, the figures are the same to .002.
struct Refinement {
    table: Table,
    settings: Settings,
}

impl Refinement {
    fn new(pages: &[Labelled], first: &Table, chances: &[f32], trees: usize, lexicon: &Lexicon) -> Self {
        let width = training::LineContext::names().len();
        let rows: Vec<f32> = pages
            .iter()
            .flat_map(|p| {
                p.line_context
                    .rows(&chances[p.rows.clone()], &lexicon.odds_in_training(p))
            })
            .collect();
        Refinement {
            table: first.of_same_rows(&rows, width),
            settings: Settings { trees, ..REFINEMENT },
        }
    }

    fn grow(&self, rows: &[u32]) -> Forest {
        boost::grow(&self.table, rows, &self.settings)
    }
}

/// Refines the chances of a page.
fn correct(forest: &Forest, page: &Labelled, lexicon: &Lexicon, odds: &mut Odds) {
    let width = training::LineContext::names().len();
    let words = lexicon.odds_of_lines(page);
    for chances in [&mut odds.0, &mut odds.1] {
        let chances = &mut chances[page.rows.clone()];
        let rows = page.line_context.rows(chances, &words);
        let open = chances.iter_mut().zip(rows.chunks_exact(width));
        for (chance, row) in open.filter(|(chance, _)| training::LineContext::is_uncertain(**chance)) {
            *chance = forest.chance(row);
        }
        page.line_context.complete_tables(chances);
    }
}

/// Chances of all rows: by all trees, and by those that every row goes down.
type Odds = (Vec<f32>, Vec<f32>);

fn predict(
    forest: &Forest,
    table: &Table,
    pages: &[Labelled],
    out: &mut Odds,
    wanted: &dyn Fn(&Labelled) -> bool,
) {
    for page in pages.iter().filter(|p| wanted(p)) {
        for row in page.rows.clone() {
            (out.0[row], out.1[row]) = (
                forest.predict(table, row, false),
                forest.predict(table, row, true),
            );
        }
    }
}

/// Edges between the bins of the table of confidence.
const EDGES: [f64; 6] = [0.5, 0.7, 0.8, 0.9, 0.95, 0.98];
const BINS: usize = EDGES.len() + 1;

/// Numbers of the rows of all pages that a condition holds for, those never trained on left out.
type RowsOf<'a> = dyn Fn(&dyn Fn(&Labelled) -> bool) -> Vec<u32> + 'a;

/// A way to choose lines by their chances and tokens.
type Way = fn(&[f32], &[u32]) -> Vec<bool>;

/// Ways to choose lines; the first is that of the product.
const WAYS: [(&str, Way); 4] = [
    ("default", training::select),
    (".5", |chances, _| training::at_least(chances, 0.5)),
    (".4", |chances, _| training::at_least(chances, 0.4)),
    ("f1", |chances, tokens| {
        training::at_least(chances, training::best_threshold(chances, tokens))
    }),
];

/// The set of which languages are held out.
const LANGUAGES: &str = "daniel_dev";

/// Prints what becomes of each language of [`LANGUAGES`] if no page in it was trained on.
fn unseen_languages(
    table: &Table,
    pages: &[Labelled],
    settings: &Settings,
    first: &[f32],
    (trained, rows_of): (&dyn Fn(&Labelled) -> bool, &RowsOf<'_>),
) -> Result<()> {
    let mut odds = (vec![0.0; table.targets.len()], vec![0.0; table.targets.len()]);
    let of = |page: &Labelled, language: &str| page.set == LANGUAGES && page.group == language;
    let all: BTreeSet<&str> = pages
        .iter()
        .filter(|p| p.set == LANGUAGES)
        .map(|p| &*p.group)
        .collect();
    let mut held = Vec::new();
    for language in all {
        let rows = rows_of(&|p| !of(p, language));
        let forest = boost::grow(table, &rows, settings);
        predict(&forest, table, pages, &mut odds, &|p| of(p, language));
        let others = pages.iter().filter(|p| trained(p) && !of(p, language));
        let lexicon = Lexicon::new(others, table);
        let refinement = Refinement::new(
            pages,
            table,
            first,
            settings.trees.min(REFINEMENT.trees),
            &lexicon,
        );
        let refinement = refinement.grow(&rows);
        for page in pages.iter().filter(|p| of(p, language)) {
            correct(&refinement, page, &lexicon, &mut odds);
        }
        held.extend(pages.iter().filter(|p| of(p, language)));
        eprintln!("without {language} done");
    }
    println!("\nlanguages never trained on");
    judge(&held, &odds.0, None)?;
    Ok(())
}

/// Prints the mean F1 (longest common subsequence of words) of each set and group for several ways to choose lines, and returns
/// that of the first way.
fn judge(pages: &[&Labelled], odds: &[f32], save: Option<&Path>) -> Result<BTreeMap<String, f64>> {
    let mut curve = [(0.0, 0.0, 0_u32); BINS];
    let mut scores: BTreeMap<String, Vec<Vec<f64>>> = BTreeMap::new();
    let mut saved: BTreeMap<&str, BufWriter<File>> = BTreeMap::new();
    for page in pages {
        let chances = &odds[page.rows.clone()];
        let mut values = Vec::new();
        for (k, (_, way)) in WAYS.into_iter().enumerate() {
            let kept = way(chances, &page.tokens);
            let lines = page
                .lines
                .iter()
                .zip(&kept)
                .filter(|(_, kept)| **kept)
                .map(|(line, _)| line.as_str());
            let text = lines.collect::<Vec<_>>().join("\n");
            if k == 0
                && let Some(folder) = save
            {
                if !saved.contains_key(page.set.as_str()) {
                    std::fs::create_dir_all(folder)?;
                    let file = File::create(folder.join(format!("{}.jsonl", page.set)))?;
                    saved.insert(&page.set, BufWriter::new(file));
                }
                if let Some(file) = saved.get_mut(page.set.as_str()) {
                    writeln!(file, "{}", json!({"id": page.id, "text": text}))?;
                }
            }
            let Some(doc) = &page.doc else { continue };
            let value = metrics::score(doc, &text).lcs_f1();
            if k == 0 {
                let stated = training::confidence(chances, &page.tokens, &kept);
                let bin = EDGES.iter().take_while(|&&edge| stated >= edge).count();
                let (sum, real, count) = &mut curve[bin];
                (*sum, *real, *count) = (*sum + stated, *real + value, *count + 1);
            }
            values.push(value);
        }
        if page.doc.is_some() {
            for group in [page.set.clone(), format!("{}/{}", page.set, page.group)] {
                scores.entry(group).or_default().push(values.clone());
            }
        }
    }
    println!(
        "{:32} {:>6} {}",
        "held out",
        "pages",
        WAYS.map(|w| format!("{:>9}", w.0)).concat()
    );
    let mean = |values: &[Vec<f64>], k: usize| values.iter().map(|v| v[k]).sum::<f64>() / values.len() as f64;
    for (group, values) in scores.iter().filter(|(_, v)| v.len() >= 10) {
        let means: String = (0..WAYS.len())
            .map(|k| format!("{:9.3}", mean(values, k)))
            .collect();
        println!("{group:32} {:6} {means}", values.len());
    }
    println!("{:32} {:>6} {:>9}", "confidence stated", "pages", "F1");
    for (sum, real, count) in curve.into_iter().filter(|c| c.2 > 0) {
        let n = f64::from(count);
        println!("{:<32.3} {count:6} {:9.3}", sum / n, real / n);
    }
    let first = scores.into_iter().map(|(group, values)| {
        let f1 = mean(&values, 0);
        (group, f1)
    });
    Ok(first.collect())
}
