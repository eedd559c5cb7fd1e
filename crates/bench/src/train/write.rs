//! The model as a file that a person can read.

use std::fmt::Write as _;
use std::fs;

use super::boost::{Forest, Node};
use dehusk_pipeline::extract::training::EarlyExit;

use crate::result::Result;
use crate::root::root;

/// What the model was trained on, for the head of its files.
pub(super) const SOURCES: &str = "# Trained on labels of: Web Content Extraction Benchmark, development split (CC-BY-4.0); Daniel 2.1 corpus, half of\n\
     # the hosts (repository GPL-3.0); sixteen sites of static pages labelled by hand (licences per site).\n";

/// Writes trees as the file `name` beside the code that reads it. `about` says what they do, `columns` are what they ask for.
pub(super) fn write(name: &str, about: &str, forest: &Forest, columns: &[&str]) -> Result<()> {
    write_text(name, forest, &text(about, SOURCES, forest, columns)?)
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

/// Trees as text. `sources` says what they were trained on, in lines that begin with `#`.
pub(super) fn text(about: &str, sources: &str, forest: &Forest, columns: &[&str]) -> Result<String> {
    let mut out = format!(
        "# {about}. Made by `cargo xtask train`; do not edit.\n\
         {sources}\
         # No text of theirs is in this file.\n\
         # s COLUMN THRESHOLD LEFT RIGHT: left if the figure is below the threshold. l VALUE: adds to the log odds.\n\
         # early-exit TREES ODDS FACTOR: log odds past ODDS after so many trees are final when multiplied by FACTOR.\n\
         format 2\n",
    );
    writeln!(out, "columns {}", columns.join(" "))?;
    writeln!(out, "base {}", forest.base)?;
    let EarlyExit { after, odds, factor } = forest.early_exit;
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
                    writeln!(out, "s {column} {threshold} {left} {right}")?;
                }
                Node::Leaf(value) => writeln!(out, "l {value:.5}")?,
            }
        }
    }
    Ok(out)
}
