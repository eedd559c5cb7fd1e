//! `cargo xtask eval --parsers`: checks that our parser builds the same tree as html5ever on every page of the
//! development data.
//!
//! Elements, nesting, attributes in order and value, and exact text are compared, with scripts on and off.
//! Two trees are compared with the tree that html5ever itself fills: that of our parser, and that of
//! html5ever behind our interface.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use dehusk_html::decode::{CharsetHints, decode};
use dehusk_html::reference_check;
use serde::Deserialize;

use super::options::Options;
use crate::data::{self, Doc, Set};
use crate::machine;
use crate::result::Result;

/// The source of a page's text.
enum Source<'s> {
    Labelled(&'s Set, &'s Doc),
    Packed(PathBuf),
}

struct Page<'s> {
    set: &'s str,
    id: &'s str,
    source: Source<'s>,
}

impl Page<'_> {
    /// Returns the decoded text of the page.
    fn text(&self) -> Result<String> {
        match &self.source {
            Source::Labelled(set, doc) => set.text(doc),
            Source::Packed(path) => {
                let unpacked = Command::new("gzip").arg("-dc").arg(path).output();
                let unpacked = unpacked.map_err(|e| format!("gzip cannot be started: {e}"))?;
                if !unpacked.status.success() {
                    return Err(format!("{}: gzip cannot unpack it", path.display()).into());
                }
                Ok(decode(&unpacked.stdout, CharsetHints::default(), usize::MAX)
                    .text
                    .into_owned())
            }
        }
    }
}

#[derive(Deserialize)]
struct SitePage {
    id: String,
    html: String,
}

/// Compares the trees of all pages. Fails if a tree differs.
pub(super) fn run(options: &Options) -> Result<()> {
    let Some(sets) = data::present("comparison of parsers", data::sets(&options.sets)?) else {
        return Ok(());
    };
    let mut pages = Vec::new();
    for set in &sets {
        pages.extend(set.docs.iter().map(|doc| Page {
            set: &set.name,
            id: &doc.id,
            source: Source::Labelled(set, doc),
        }));
    }
    let sites = match data::folder("sites-dev") {
        // A selection of sets leaves out the labelled sites.
        Ok(folder) if options.sets.is_empty() && folder.is_dir() => {
            let list = fs::read_to_string(folder.join("pages.jsonl"))?;
            let lines = list.lines().map(serde_json::from_str::<SitePage>);
            (folder, lines.collect::<std::result::Result<Vec<_>, _>>()?)
        }
        _ => (PathBuf::new(), Vec::new()),
    };
    pages.extend(sites.1.iter().map(|page| Page {
        set: "sites-dev",
        id: &page.id,
        source: Source::Packed(sites.0.join(&page.html)),
    }));
    let pages: Vec<Page<'_>> = pages.into_iter().step_by(options.every as usize).collect();

    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(page) = pages.get(i) else { return Ok(done) };
            done.push((i, compare(page).map_err(|e| e.to_string())?));
        }
    };
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let results: Vec<std::result::Result<Vec<_>, String>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let results = workers.into_iter().map(|worker| {
            worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        results.collect()
    });
    let mut all = Vec::new();
    for result in results {
        all.extend(result?);
    }
    // Threads finish in any order; sorted, the output is the same for any number of cores.
    all.sort_unstable_by_key(|(i, _)| *i);

    println!(
        "Trees of our parser beside those of html5ever, scripts on and off, on {}",
        machine::processor()
    );
    println!(
        "{:14} {:>7} {:>9} {:>7} {:>7}",
        "set", "pages", "MB", "equal", "differ"
    );
    let mut names: Vec<&str> = pages.iter().map(|page| page.set).collect();
    // Pages of a set follow each other, so this leaves each name once.
    names.dedup();
    for name in names {
        let of_set: Vec<&Compared> = all
            .iter()
            .filter(|(i, _)| pages[*i].set == name)
            .map(|(_, compared)| compared)
            .collect();
        let differ = of_set.iter().filter(|page| !page.differences.is_empty()).count();
        println!(
            "{name:14} {:>7} {:>9.1} {:>7} {differ:>7}",
            of_set.len(),
            of_set.iter().map(|page| page.bytes).sum::<usize>() as f64 / 1e6,
            of_set.len() - differ,
        );
    }
    let mut differ = 0;
    for (i, compared) in &all {
        differ += usize::from(!compared.differences.is_empty());
        for difference in &compared.differences {
            println!("{} {}: {difference}", pages[*i].set, pages[*i].id);
        }
    }
    if differ == 0 {
        Ok(())
    } else {
        Err(format!("{differ} pages have another tree than html5ever gives them").into())
    }
}

struct Compared {
    bytes: usize,
    differences: Vec<String>,
}

fn compare(page: &Page<'_>) -> Result<Compared> {
    let text = page.text()?;
    // Scripting changes how the parser reads `noscript`.
    let differences = [true, false].into_iter().filter_map(|scripting| {
        let difference = reference_check(&text, scripting).err()?;
        Some(format!(
            "scripts {}: {difference}",
            if scripting { "on" } else { "off" }
        ))
    });
    Ok(Compared {
        bytes: text.len(),
        differences: differences.collect(),
    })
}
