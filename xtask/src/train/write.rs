//! The model as a file that a person can read.

use std::fmt::Write as _;
use std::fs;

use super::boost::{Forest, Node};
use pipeline::extract::model::Settle;

use crate::Result;
use crate::root::root;

/// Writes the trees beside the code that reads them. `columns` maps the trained columns to those of the features.
pub(super) fn write(forest: &Forest, columns: &[usize], names: &[String]) -> Result<()> {
    let path = root().join("crates/extract/src/model/lines.model");
    let mut out = String::from(
        "# Trees by which `default` decides about the lines of a page. Made by `cargo xtask train`; do not edit.\n\
         # Trained on labels of: Web Content Extraction Benchmark, development split (CC-BY-4.0); Daniel 2.1 corpus, half of\n\
         # the hosts (repository GPL-3.0); sixteen sites of static pages labelled by hand (licences per site). No text of\n\
         # theirs is in this file.\n\
         # s COLUMN THRESHOLD LEFT RIGHT: left if the figure is below the threshold. l VALUE: adds to the log odds.\n\
         # settle TREES ODDS FACTOR: log odds past ODDS after so many trees are final when multiplied by FACTOR.\n\
         format 2\n",
    );
    let used: Vec<&str> = columns.iter().map(|&c| names[c].as_str()).collect();
    writeln!(out, "columns {}", used.join(" "))?;
    writeln!(out, "base {}", forest.base)?;
    let Settle { after, odds, factor } = forest.settle;
    if after < forest.trees.len() {
        writeln!(out, "settle {after} {odds} {factor:.3}")?;
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
    fs::write(&path, &out)?;
    println!(
        "{}: {} trees, {} bytes",
        path.display(),
        forest.trees.len(),
        out.len()
    );
    Ok(())
}
