//! What is held of rows that are written counts in `--memory`: rows of very different sizes go into Parquet files within the ceiling,
//! and a ceiling that is too low for them is reported before anything is read.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failed test may panic, and says what it met"
)]

use std::fmt::Write;
use std::fs;

use dehusk_pipeline::verbs::dedup::dedup;
use dehusk_pipeline::{Cancel, Error, FolderFormats, Job, Outcome, Settings, output_format};

#[global_allocator]
static ALLOCATOR: dehusk_heap::Counting = dehusk_heap::Counting;

/// Documents of one word each, from 100 bytes to 4 MiB: they are compared as a whole, so that the search takes next to nothing.
fn documents() -> String {
    let mut lines = String::new();
    let mut state = 1_u64;
    for n in 0..2_000_u64 {
        let length = match n {
            n if n % 400 == 7 => 4 << 20,
            n if n % 10 == 3 => 100_000,
            _ => 100,
        };
        writeln!(lines, "{{\"id\":\"d{n}\",\"text\":\"{n}z").unwrap();
        lines.pop();
        while !lines.len().is_multiple_of(8) {
            lines.push('x');
        }
        for _ in 0..length / 8 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            write!(lines, "{:08x}", state >> 32).unwrap();
        }
        lines.push_str("\"}\n");
    }
    lines
}

#[test]
fn rows_of_very_different_sizes_are_written_within_the_ceiling() {
    const MIB: usize = 1 << 20;
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("documents.jsonl");
    fs::write(&input, documents()).unwrap();
    let inputs = [input.display().to_string()];
    let run = |memory: &str, out: &str| -> Result<Outcome, Error> {
        let mut settings = Settings::default();
        for (name, value) in [("memory", memory), ("threads", "2")] {
            settings.set(name, value)?;
        }
        let format = output_format::ALL
            .iter()
            .find(|format| format.name() == "parquet");
        let formats = FolderFormats {
            format: *format.unwrap(),
            tsv: false,
        };
        dedup(
            &Job::new(&inputs, &settings, &Cancel::new()),
            &dir.path().join(out),
            formats,
        )
    };

    let error = run("64MiB", "refused").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`--memory 64MiB` is too little: at least 109 MiB are needed for 2000 documents"
    );
    assert!(!dir.path().join("refused").exists());

    let before = dehusk_heap::held();
    dehusk_heap::start_peak();
    let outcome = run("109MiB", "out").unwrap();
    let peak = dehusk_heap::peak() - before;
    assert_eq!(outcome.summary.counts.kept, 2_000);
    assert!(peak < 109 * MIB, "{} MiB", peak / MIB);
    assert!(peak > 32 * MIB, "{} MiB: nothing was held", peak / MIB);
    println!("{} MiB", peak / MIB);

    let bytes = |out: &str| fs::read(dir.path().join(out).join("kept.parquet")).unwrap();
    run("4GiB", "more").unwrap();
    assert!(bytes("out") == bytes("more"), "files depend on memory");
}
