//! The whole chain over a folder of pages: what `dehusk run` does, from a program.
//!
//! A job is inputs with settings, a switch to stop it, and a display of its progress. [`run`] writes a
//! folder: documents, pairs, clusters, the documents that stay, records that could not be used, a summary
//! and a report for people. The folder appears file by file under the final names, each complete; a run
//! that was killed goes on where it was.
//!
//! A page that cannot be used does not end a run: it is counted, with its reason, and stands in
//! `quarantine.jsonl`.
//!
//! `cargo run -p dehusk --features pipeline --example whole_run -- PAGES... OUT`

use std::env;
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use dehusk::pipeline::verbs::run::{self, Style};
use dehusk::pipeline::{Cancel, Job, Settings};
use serde_json::json;

const FLOOD: &str = "<title>Flood</title><nav><a href=/>Home</a></nav>\
    <p>The river rose in the night, and by noon it had left its bed.";
const MARKET: &str = "<title>Market</title><nav><a href=/>Home</a></nav>\
    <p>Apples are cheap this week, says the baker on the corner.";
const MIRROR: &str =
    "<title>The flood</title><article><p>The river rose in the night, and by noon it had left its bed.";
const BRIDGE: &str = "<title>Bridge</title><p>The council meets on Friday to talk about the new bridge.";

fn chain(inputs: &[String], to: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let cancel = Cancel::new(); // A handler of signals would keep a clone, and call `request`.
    let mut settings = Settings::default();
    settings.markdown = Some(true);
    settings.min_tokens = Some(5);
    let job = Job::new(inputs, &settings, &cancel);
    let ran = run::run(&job, to, Style::default())?;
    let Some(outcome) = ran.outcome() else {
        writeln!(out, "the results of this run were there already")?;
        return Ok(());
    };
    let counts = &outcome.summary.counts;
    writeln!(out, "{} pages read, {} documents stay", counts.read, counts.kept)?;
    // `dropped` has every reason that exists, most of them with the count 0.
    for (reason, count) in counts.dropped.iter().filter(|(_, count)| **count > 0) {
        writeln!(out, "  {count} dropped: {reason}")?;
    }
    for row in &outcome.rejected {
        writeln!(out, "  {}: {}", row.reason.name(), row.message)?;
    }
    for line in fs::read_to_string(to.join("kept.jsonl"))?.lines() {
        let row: serde_json::Value = serde_json::from_str(line)?;
        if let Some(title) = row["title"].as_str() {
            writeln!(out, "kept: {title}")?;
        }
    }
    Ok(())
}

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let pages = folder.path().join("pages");
    fs::create_dir(&pages)?;
    for (name, html) in [
        ("flood.html", FLOOD),
        ("market.html", MARKET),
        ("mirror.html", MIRROR),
    ] {
        fs::write(pages.join(name), html)?;
    }
    // An input may be a folder or a file of records. The second line of this one is rejected.
    let lines = folder.path().join("more.jsonl");
    let bridge = json!({ "url": "http://c.example/", "html": BRIDGE });
    fs::write(&lines, format!("{bridge}\nnot a record\n"))?;
    let inputs = [pages, lines].map(|input| input.display().to_string());
    chain(&inputs, &folder.path().join("out"), out)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let mut out = io::stdout().lock();
    match arguments.split_last() {
        Some((to, inputs)) => chain(inputs, Path::new(to), &mut out),
        None => run(&mut out),
    }
}
