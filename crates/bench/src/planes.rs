//! `cargo xtask planes`: the hyperplanes of `simhash-repelled`. They are stored as data, because computing
//! them takes longer than reading them.

use std::fmt::Write as _;
use std::fs;

use crate::result::Result;
use crate::root::root;

/// Number of planes. `DIMENSIONS` is the number of dimensions.
const PLANES: usize = 64;
const DIMENSIONS: usize = 42;

/// Computes the planes and writes them, one a line, with nine decimals.
pub(crate) fn run() -> Result<()> {
    let mut out = String::new();
    for vector in dehusk_pipeline::dedup::repel(PLANES, DIMENSIONS) {
        let numbers: Vec<String> = vector.iter().map(|x| format!("{x:.9}")).collect();
        writeln!(out, "{}", numbers.join(" "))?;
    }
    let path = root().join("crates/dedup/data/repelled-64x42.txt");
    fs::write(&path, out)?;
    println!("{}", path.display());
    Ok(())
}
