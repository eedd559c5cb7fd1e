//! `cargo xtask bench --parsers`: compares our parser with scraper and turbohtml. The separate program
//! `crates/bench/peers` does this, because our crates must not depend on them.

use std::fs;

use super::options::Options;
use crate::data;
use crate::result::Result;
use crate::root::{cargo, root, target};

/// Writes the pages of each set to a folder as UTF-8 and runs the separate program on them.
pub(super) fn compare(options: &Options) -> Result<()> {
    let Some(sets) = data::present("comparison with other parsers", data::sets(&[])?) else {
        return Ok(());
    };
    let folder = target().join("peers-pages");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    for set in &sets {
        let place = folder.join(&set.name);
        fs::create_dir_all(&place)?;
        // Numbered files keep the order of the set; names of documents need not be valid names of files.
        for (i, doc) in set.docs.iter().enumerate() {
            fs::write(place.join(format!("{i:05}.html")), set.text(doc)?)?;
        }
    }
    let mut command = cargo();
    command
        .args(["run", "--quiet", "--release", "--manifest-path"])
        .arg(root().join("crates/bench/peers/Cargo.toml"))
        .arg("--target-dir")
        .arg(target().join("peers"))
        .arg("--")
        .arg(&folder)
        .arg(options.rounds.to_string())
        .arg(&options.python);
    let status = command.status().map_err(|e| format!("cannot start cargo: {e}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("crates/bench/peers: {status}").into())
    }
}
