//! Batches of Arrow in, batches of Arrow out: for engines that hold tables in memory.
//!
//! A program that reads Parquet, talks to DuckDB, or lives inside an engine such as Spark or DataFusion has
//! record batches. [`batch::extract`] takes one with a column `html` and returns one with the columns of
//! documents, a row for each row. A row that cannot be used takes nothing else with it: its column `error`
//! has reason and message. [`batch::sign`] turns texts into keys and features, on which an engine joins;
//! equal keys make candidate pairs.
//!
//! No state is kept between batches, so they may be processed on any number of machines.
//!
//! `cargo run -p dehusk --features parquet,pipeline --example arrow_batches`

use std::error::Error;
use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use dehusk::dedup::CompiledOptions;
use dehusk::pipeline::kernel::{Extractor, Signer};
use dehusk::pipeline::{Cancel, Settings, batch, format::Columns};

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let html = StringArray::from(vec![
        Some(
            "<title>Flood</title><nav><a href=/>Home</a></nav><p>The river rose in the night, and by noon it had left its bed.",
        ),
        None,
        Some(
            "<title>River</title><p>The river rose in the night, and by noon it had left its bed!<footer>Imprint</footer>",
        ),
    ]);
    let url = StringArray::from(vec![
        "http://a.example/1",
        "http://a.example/2",
        "http://b.example/1",
    ]);
    let pages = RecordBatch::try_from_iter([
        ("html", Arc::new(html) as ArrayRef),
        ("url", Arc::new(url) as ArrayRef),
    ])?;

    let (mut settings, cancel) = (Settings::default(), Cancel::new());
    settings.min_tokens = Some(5);
    let (columns, threads, max_bytes) = (Columns::default(), 2, 1 << 20);
    let extractor = Extractor::new(settings.extraction());
    let documents = batch::extract(&pages, &columns, threads, &cancel, max_bytes, &|page| {
        extractor.extract(page)
    })?;
    let column = |batch: &RecordBatch, name: &str| {
        batch
            .column_by_name(name)
            .map(Arc::clone)
            .ok_or(format!("no column {name}"))
    };
    let (ids, texts) = (column(&documents, "id")?, column(&documents, "text")?);
    let errors = column(&documents, "error")?;
    let reasons = errors.as_struct().column(0).as_string::<i32>();
    for row in 0..documents.num_rows() {
        let (id, text) = (ids.as_string::<i32>().value(row), texts.as_string::<i32>());
        match text.is_valid(row) {
            true => writeln!(out, "{id}: {}", text.value(row).trim())?,
            false => writeln!(out, "{id}: no document, {}", reasons.value(row))?,
        }
    }

    let compiled = Arc::new(CompiledOptions::new(settings.duplicates()?)?);
    // Each thread makes a signer of its own. Settings that contradict each other are an error here, and not
    // on a thread.
    Signer::new(&settings, Arc::clone(&compiled))?;
    let signer =
        || Signer::new(&settings, Arc::clone(&compiled)).expect("these settings have made a signer above");
    let signed = batch::sign(&documents, &columns, threads, &cancel, &signer)?;
    let keys = column(&signed, "keys")?;
    let keys = keys.as_list::<i32>();
    let common = keys.value(0).len();
    writeln!(
        out,
        "{common} keys each; equal in rows 0 and 2: {}",
        keys.value(0) == keys.value(2)
    )?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}
