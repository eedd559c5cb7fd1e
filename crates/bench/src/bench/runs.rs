//! `cargo xtask bench --runs`: the cost of a run compared with that of extraction alone.
//!
//! The pages are in a file of JSON Lines, which the program reads by `dehusk extract` or `dehusk run`.
//! Measured is the processor time, user and system, of the program and its page processes. It is divided by
//! that of the extraction of the same pages, decoded and in memory, one page after another on one thread of
//! this process.
//!
//! Each round runs all variants. Ratios are taken within a round, and the median over rounds counts. Wall
//! times are those of the fastest round, because other load only adds to them; they are meaningful if two
//! cores were free.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use dehusk_pipeline::extract::{self, Page, PageExtractor};
use serde_json::json;

use super::corpus;
use super::options::Options;
use super::reader::lines;
use crate::result::Result;
use crate::root::built;
use crate::{clock, machine};

/// The arguments of each variant, before those of input and output.
const WAYS: &[&[&str]] = &[
    &["extract", "--in-process", "--threads", "1"],
    &["extract", "--threads", "1"],
    &["extract", "--threads", "2"],
    &["run", "--in-process", "--threads", "1"],
    &["run", "--threads", "1"],
    &["run", "--threads", "2"],
];

/// The cost of one variant, by round.
#[derive(Default)]
struct Times {
    processor: Vec<Duration>,
    wall: Vec<Duration>,
    /// Processor time divided by that of extraction in the same round.
    ratios: Vec<f64>,
}

impl Times {
    /// Adds a round. `alone` is the processor time of extraction in the same round.
    fn add(&mut self, processor: Duration, wall: Duration, alone: Duration) {
        self.processor.push(processor);
        self.wall.push(wall);
        self.ratios
            .push(processor.as_secs_f64() / alone.as_secs_f64().max(1e-9));
    }

    /// Returns the median ratio.
    fn ratio(&self) -> f64 {
        let mut ratios = self.ratios.clone();
        ratios.sort_unstable_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    }

    /// Returns the median processor time in seconds.
    fn processor(&self) -> f64 {
        let mut times = self.processor.clone();
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64()
    }

    /// Returns the wall time of the fastest round in seconds.
    fn wall(&self) -> f64 {
        self.wall.iter().min().map_or(f64::NAN, Duration::as_secs_f64)
    }
}

/// Measures all variants.
pub(super) fn run(options: &Options) -> Result<()> {
    let program = match &options.program {
        Some(program) => fs::canonicalize(program).map_err(|e| format!("{}: {e}", program.display()))?,
        None => built()?,
    };
    if clock::children().is_none() {
        return Err("this system does not tell the processor time of other processes".into());
    }
    let (pages, from) = corpus::pages(options.every as usize)?;
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("pages.jsonl");
    fs::write(&input, lines(&pages).concat())?;
    let pages: Vec<(String, Option<String>)> = pages
        // Decoded here, so that the base is extraction without decoding.
        .into_iter()
        .map(|page| (String::from_utf8_lossy(&page.bytes).into_owned(), page.url))
        .collect();
    let bytes: usize = pages.iter().map(|(html, _)| html.len()).sum();

    let mut alone = Times::default();
    let mut all: Vec<Times> = WAYS.iter().map(|_| Times::default()).collect();
    for _ in 0..options.rounds {
        // The base is measured again in each round, so that ratios compare work under the same load.
        let began = Instant::now();
        let ((), base) = clock::timed(|| extract_all(&pages));
        alone.add(base, began.elapsed(), base);
        for (way, times) in WAYS.iter().zip(&mut all) {
            let (processor, wall) = measured(&program, way, &input, folder.path())?;
            times.add(processor, wall, base);
        }
    }

    println!("{from}\n{}, {}", machine::processor(), machine::compiler());
    println!(
        "{:.1} MB of HTML; {} rounds\n",
        bytes as f64 / 1e6,
        options.rounds
    );
    println!(
        "{:36} {:>12} {:>10} {:>8}",
        "", "processor s", "to alone", "wall s"
    );
    let named = WAYS.iter().map(|way| format!("dehusk {}", way.join(" ")));
    let rows: Vec<(String, &Times)> = std::iter::once("extraction alone".to_owned())
        .chain(named)
        .zip(std::iter::once(&alone).chain(&all))
        .collect();
    for (name, times) in &rows {
        println!(
            "{name:36} {:>12.2} {:>10.3} {:>8.2}",
            times.processor(),
            times.ratio(),
            times.wall()
        );
    }
    if let Some(path) = &options.json {
        let rows = rows.iter().map(|(name, times)| {
            json!({
                "way": name,
                "processor_seconds": times.processor(),
                "ratio": times.ratio(),
                "wall_seconds": times.wall(),
            })
        });
        fs::write(path, serde_json::to_string_pretty(&rows.collect::<Vec<_>>())?)?;
    }
    Ok(())
}

/// Extracts all pages, one after another.
fn extract_all(pages: &[(String, Option<String>)]) {
    let mut extractor = PageExtractor::new(&extract::Options::default());
    for (html, url) in pages {
        black_box(extractor.extract(&Page::decoded(html).with_url(url.as_deref())));
    }
}

/// Returns processor time and wall time of one run of the program.
fn measured(program: &Path, way: &[&str], input: &Path, folder: &Path) -> Result<(Duration, Duration)> {
    let out = folder.join("out");
    let before = clock::children().unwrap_or_default();
    let began = Instant::now();
    let status = Command::new(program)
        .args(way)
        .args(["--quiet", "--out"])
        .arg(&out)
        .arg(input)
        .stdin(Stdio::null())
        .status()?;
    let wall = began.elapsed();
    // Includes the page processes of the program, since it waits for them before it ends.
    let processor = clock::children().unwrap_or_default().saturating_sub(before);
    if !status.success() {
        return Err(format!("{} {}: {status}", program.display(), way.join(" ")).into());
    }
    match out.is_dir() {
        // The next run must not find the output of this one. `run` writes a folder, `extract` a file.
        true => fs::remove_dir_all(&out)?,
        false => fs::remove_file(&out)?,
    }
    Ok((processor, wall))
}
