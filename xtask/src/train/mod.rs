//! `cargo xtask train`: the trees by which `default` decides about the lines of a page.
//!
//! Trained on labelled pages of the development data; whole registered domains are held out in cross-validation. The set
//! `zh_news` is never trained on: it shows how far what was learnt travels. A figure on trained pages is not a figure.

mod boost;
mod labels;
mod pages;
mod write;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use clap::Args;
use pipeline::extract::model;
use serde_json::json;

use crate::eval::metrics;
use crate::{Result, data};
use boost::{Forest, Settings, Table};
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
    /// Parts in which registered domains are held out in turn, 2 or more; 0 trains on everything without judging
    #[arg(long, default_value_t = 3)]
    folds: u64,
    /// Only judge: leave the model in the repository as it is
    #[arg(long)]
    dry: bool,
    /// Leave out the columns whose name begins so
    #[arg(long, value_delimiter = ',')]
    without: Vec<String>,
    /// Write the texts of held-out pages to DIR/SET.jsonl
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
}

/// The set that is only looked at.
const NEVER_TRAINED: &str = "zh_news";

pub(crate) fn run(options: &Options) -> Result<()> {
    let pages = match pages::read()? {
        Ok(pages) => pages,
        Err(why) => {
            data::absent("train", &why);
            return Ok(());
        }
    };
    let names = pages.names.clone();
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
        rate: 0.1,
        min_rows: 60,
        ridge: 5.0,
        columns: 0.5,
        seed: 1,
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
    let table = Table::new(&rows, width, pages.targets, pages.weights);
    drop(rows);
    let pages = pages.pages;
    let rows_of = |wanted: &dyn Fn(&Labelled) -> bool| -> Vec<u32> {
        let chosen = pages.iter().filter(|p| p.set != NEVER_TRAINED && wanted(p));
        let rows = chosen.flat_map(|p| p.rows.clone());
        rows.filter(|&r| table.weights[r] > 0.0)
            .map(|r| r as u32)
            .collect()
    };
    if options.folds > 1 {
        let mut odds = vec![0.0_f32; table.targets.len()];
        for fold in 0..options.folds {
            let forest = boost::grow(&table, &rows_of(&|p| p.fold % options.folds != fold), &settings);
            predict(&forest, &table, &pages, &mut odds, &|p| {
                p.set != NEVER_TRAINED && p.fold % options.folds == fold
            });
            eprintln!("fold {} of {} done", fold + 1, options.folds);
        }
        let forest = boost::grow(&table, &rows_of(&|_| true), &settings);
        predict(&forest, &table, &pages, &mut odds, &|p| p.set == NEVER_TRAINED);
        judge(&pages, &odds, options)?;
        if !options.dry {
            write::write(&forest, &columns, &names)?;
        }
    } else if !options.dry {
        write::write(
            &boost::grow(&table, &rows_of(&|_| true), &settings),
            &columns,
            &names,
        )?;
    }
    Ok(())
}

fn predict(
    forest: &Forest,
    table: &Table,
    pages: &[Labelled],
    out: &mut [f32],
    wanted: &dyn Fn(&Labelled) -> bool,
) {
    for page in pages.iter().filter(|p| wanted(p)) {
        for row in page.rows.clone() {
            out[row] = forest.predict(table, row);
        }
    }
}

/// Prints the mean F1 (longest common subsequence of words) of each set and group for several ways to choose lines.
fn judge(pages: &[Labelled], odds: &[f32], options: &Options) -> Result<()> {
    let ways = [
        ("half", 1.0, 0.5),
        ("balanced", 0.35, 0.5),
        ("eager", 0.25, 0.5),
        ("f1", 0.0, 1.1),
    ];
    let mut scores: BTreeMap<String, Vec<Vec<f64>>> = BTreeMap::new();
    let mut saved: BTreeMap<&str, BufWriter<File>> = BTreeMap::new();
    for page in pages {
        let chances = &odds[page.rows.clone()];
        let mut values = Vec::new();
        for (name, floor, sure) in ways {
            let kept = model::choose(chances, &page.tokens, floor, sure);
            let lines = page
                .lines
                .iter()
                .zip(&kept)
                .filter(|(_, kept)| **kept)
                .map(|(line, _)| line.as_str());
            let text = lines.collect::<Vec<_>>().join("\n");
            if name == "balanced"
                && let Some(folder) = &options.save
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
            values.push(
                page.doc
                    .as_ref()
                    .map_or(f64::NAN, |doc| metrics::score(doc, &text).lcs_f1()),
            );
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
        ways.map(|w| format!("{:>9}", w.0)).concat()
    );
    for (group, values) in scores.iter().filter(|(_, v)| v.len() >= 10) {
        let mean = |k: usize| values.iter().map(|v| v[k]).sum::<f64>() / values.len() as f64;
        let means: String = (0..ways.len()).map(|k| format!("{:9.3}", mean(k))).collect();
        println!("{group:32} {:6} {means}", values.len());
    }
    Ok(())
}
