//! Models as text files.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use super::boost::{Forest, Node};
use super::holdout::Corpus;
use super::sets::TRAINED;
use dehusk_pipeline::extract::training::EarlyExit;

use crate::result::Result;
use crate::root::root;

/// Returns the training data and scores of a model, as lines for the heads of its files.
pub(super) fn provenance(
    corpus: &Corpus,
    digests: &BTreeMap<String, String>,
    held_out: &BTreeMap<String, f64>,
) -> Result<String> {
    let mut out = String::from(
        "# Trained on labels of (set: what it is (licence); XXH3-128 of its labels; F1 by trees that have not seen the domain of the page):\n",
    );
    let mut figures = Vec::new();
    for set in TRAINED
        .iter()
        .filter(|set| !corpus.left_out.iter().any(|name| name == set.name))
    {
        let digest = digests.get(set.name).map_or("none", String::as_str);
        let f1 = held_out.get(set.name).copied().unwrap_or(0.0);
        figures.push(f1);
        writeln!(
            out,
            "# - {}: {} ({}); {digest}; {f1:.3}",
            set.name, set.about, set.licence
        )?;
    }
    writeln!(
        out,
        "# Mean over the sets {:.3}. Seed {}, code {}.",
        figures.iter().sum::<f64>() / figures.len().max(1) as f64,
        corpus.settings.seed,
        commit()
    )?;
    Ok(out)
}

/// Returns the commit of the code, with a note if files differ from it.
fn commit() -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(root())
            .output()
            .ok()?;
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    match (
        git(&["rev-parse", "--short=12", "HEAD"]),
        // Only the crates affect the model; other changed files do not matter.
        git(&["status", "--porcelain", "crates"]),
    ) {
        (Some(commit), Some(changed)) if changed.is_empty() => commit,
        (Some(commit), _) => format!("{commit} with changes"),
        (None, _) => "of no repository".to_owned(),
    }
}

/// Writes trees to the file `name` in the data folder of the crate that reads them. `about` describes them,
/// `sources` names the training data, `columns` are the names of the features.
pub(super) fn write(name: &str, about: &str, sources: &str, forest: &Forest, columns: &[&str]) -> Result<()> {
    write_text(name, forest, &text(about, sources, forest, columns)?)
}

/// Writes the text of a model.
pub(super) fn write_text(name: &str, forest: &Forest, text: &str) -> Result<()> {
    let path = root().join("crates/extract/data").join(name);
    fs::write(&path, text)?;
    println!(
        "{}: {} trees, {} bytes",
        path.display(),
        forest.trees.len(),
        text.len()
    );
    Ok(())
}

/// Returns the trees as text. `sources` names the training data, in lines that begin with `#`.
pub(super) fn text(about: &str, sources: &str, forest: &Forest, columns: &[&str]) -> Result<String> {
    let mut out = format!(
        "# {about}. Made by `cargo xtask train`; do not edit.\n\
         {sources}\
         # No text of theirs is in this file.\n\
         # s COLUMN THRESHOLD LEFT RIGHT: left if the figure is below the threshold. l VALUE: adds to the log odds.\n\
         # early-exit TREES ODDS FACTOR: log odds past ODDS after so many trees are final when multiplied by FACTOR.\n\
         format 3\n",
    );
    writeln!(out, "columns {}", columns.join(" "))?;
    writeln!(out, "base {}", forest.base)?;
    let EarlyExit { after, odds, factor } = forest.early_exit;
    // A forest of fewer trees has no exit.
    if after < forest.trees.len() {
        writeln!(out, "early-exit {after} {odds} {factor:.3}")?;
    }
    for tree in &forest.trees {
        writeln!(out, "tree {}", tree.len())?;
        for node in tree {
            match *node {
                Node::Split {
                    column,
                    threshold,
                    left,
                    right,
                    ..
                } => {
                    // Thresholds are written with all digits, since a feature may lie next to one. Values
                    // of leaves need five decimals.
                    writeln!(out, "s {column} {threshold} {left} {right}")?;
                }
                Node::Leaf(value) => writeln!(out, "l {value:.5}")?,
            }
        }
    }
    Ok(out)
}
