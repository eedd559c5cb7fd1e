//! An index of documents grows day by day, and each day's documents are compared with all earlier ones.
//!
//! A search over all documents would compare the old ones again every day. An index is a folder that stores
//! their signatures, so that a day costs as much as its own documents. [`index::query`] only asks;
//! [`index::add`] adds. Programs that turn pages into documents do both at once: `dehusk run --against
//! INDEX --add`, or the settings of the same names.
//!
//! A change of an index takes effect as a whole or not at all, also if the process is killed. Settings that
//! decide what is similar are stored in the index, and other settings are refused.
//!
//! `cargo run -p dehusk --features pipeline --example growing_index`

use std::error::Error;
use std::fs;
use std::io::{self, Write};

use dehusk::pipeline::index::{self, Index};
use dehusk::pipeline::record::Rejected;
use dehusk::pipeline::{Cancel, Job, Settings};
use serde_json::json;

const MONDAY: [(&str, &str); 2] = [
    (
        "mon-1",
        "The river rose in the night, and by noon it had left its bed and flooded the lower town.",
    ),
    (
        "mon-2",
        "Apples are cheap this week, says the baker on the corner, and pears will follow next month.",
    ),
];

const TUESDAY: [(&str, &str); 2] = [
    (
        "tue-1",
        "The river rose in the night, and by noon it had left its bed and flooded the whole lower town.",
    ),
    (
        "tue-2",
        "The council meets on Friday to talk about the new bridge, which was to be built last year.",
    ),
];

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let of_index = folder.path().join("index");
    let (mut settings, cancel) = (Settings::default(), Cancel::new());
    // The texts are single sentences. Texts below this length are compared for equality only.
    settings.min_tokens = Some(8);
    settings.threshold = Some("0.6".parse()?);

    for (day, documents) in [("Monday", MONDAY), ("Tuesday", TUESDAY)] {
        let file = folder.path().join(format!("{day}.jsonl"));
        let rows = documents.map(|(id, text)| json!({ "id": id, "text": text }).to_string());
        fs::write(&file, rows.join("\n"))?;
        let inputs = [file.display().to_string()];
        let job = Job::new(&inputs, &settings, &cancel);
        // Rejected records are passed one by one. A line that is not a record does not affect the others.
        let mut rejected = |row: &Rejected| drop(writeln!(io::stderr(), "rejected: {row:?}"));

        // On the first day there is no index to ask.
        if of_index.is_dir() {
            let known = Index::open(&of_index, &settings)?;
            let mut answers = Vec::new();
            let counts = index::query(&job, &known, &mut answers, &mut rejected)?;
            writeln!(
                out,
                "{day}: {} of {} documents have a match",
                counts.matched, counts.documents
            )?;
            out.write_all(&answers)?;
        }
        // Asked before it is added: a document would match itself otherwise.
        let added = index::add(&job, &of_index, &mut rejected)?;
        let stats = Index::open(&of_index, &settings)?.stats();
        writeln!(
            out,
            "{day}: {} documents added, the index has {}",
            added.added, stats.documents
        )?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}
