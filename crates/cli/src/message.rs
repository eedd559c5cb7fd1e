//! What is said to people, on standard error, and data on standard output.

use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal, Write};

use dehusk_pipeline::record::Rejected;
use dehusk_pipeline::{Error, ErrorKind, Outcome, printable};

/// Writes to standard output and returns the exit code of success.
///
/// # Errors
/// If it cannot be written to; a closed pipe is an error with the exit code 0.
pub(crate) fn print(bytes: &[u8]) -> Result<u8, Error> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .map_err(Error::stdout)?;
    Ok(0)
}

/// Writes a line to standard error. Nobody can be told if that fails.
pub(crate) fn line(text: impl fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{}", printable(&text.to_string()));
}

/// Whether standard error shows colors.
fn colors() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A word in front of a line, in the color of its meaning.
fn label(word: &str, color: &str) -> String {
    if colors() {
        format!("\x1b[1;{color}m{word}:\x1b[0m")
    } else {
        format!("{word}:")
    }
}

/// Tells of an error and of what to do about it.
pub(crate) fn error(error: &Error) {
    if error.kind() == ErrorKind::ClosedPipe {
        return;
    }
    let mut text = printable(&error.to_string()).into_owned();
    for note in error.notes().iter().map(String::as_str).chain(error.help()) {
        let _ = write!(text, "\n  {}", printable(note));
    }
    let _ = writeln!(io::stderr().lock(), "{} {text}", label("error", "31"));
}

/// Tells of a record that could not be used.
pub(crate) fn rejected(rejected: &Rejected) {
    // Formats that count lines name theirs in the message.
    let counted = rejected.offset > 0 && !rejected.message.contains("line ");
    let place = if counted {
        format!(", byte {}", rejected.offset)
    } else {
        String::new()
    };
    let text = format!(
        "{}{place}: {}: {}",
        rejected.input,
        rejected.reason.name(),
        rejected.message
    );
    let _ = writeln!(
        io::stderr().lock(),
        "{} {}",
        label("rejected", "33"),
        printable(&text)
    );
}

/// Tells what came of a run that wrote to the folder `out`.
pub(crate) fn outcome(outcome: &Outcome, out: &std::path::Path, verbose: bool) {
    let summary = &outcome.summary;
    let counts = &summary.counts;
    let what = if summary.verb == "run" {
        "pages"
    } else {
        "documents"
    };
    line(format_args!(
        "{} {what} read, {} documents kept in {}",
        counts.read,
        counts.kept,
        out.join(summary.kept_file()).display()
    ));
    let dropped: Vec<String> = counts
        .dropped
        .iter()
        .filter(|(_, count)| **count > 0)
        .map(|(reason, count)| format!("{count} {reason}"))
        .collect();
    if !dropped.is_empty() {
        line(format_args!("  dropped: {}", dropped.join(", ")));
    }
    sites(outcome);
    if let Some(found) = &summary.duplicates {
        line(format_args!(
            "  duplicates: {} pairs, {} clusters of {} documents",
            found.all_pairs, found.clusters, found.clustered
        ));
        if verbose && let Some(curve) = &found.banding {
            line(format_args!(
                "  banding: {} bands of {} rows; a pair of similarity s is found with probability p",
                curve.bands, curve.rows
            ));
            let shown = |(similarity, recall): &(f64, f64)| format!("{similarity:.2}:{recall:.4}");
            for half in curve.recall.chunks(10) {
                line(format_args!(
                    "    {}",
                    half.iter().map(shown).collect::<Vec<_>>().join(" ")
                ));
            }
        }
        for cluster in found
            .large_clusters
            .iter()
            .filter(|cluster| cluster.density < 0.5)
        {
            line(format_args!(
                "  look at cluster `{}`: {} documents, but only {:.1}% of the compared pairs of their {} texts are similar; see max_size",
                cluster.cluster,
                cluster.size,
                100.0 * cluster.density,
                cluster.texts
            ));
        }
        if found.cut_shingles > 0 {
            line(format_args!(
                "  {} shingles in more than max_df documents were not counted",
                found.cut_shingles
            ));
        }
        if found.capped_buckets > 0 {
            line(format_args!(
                "  {} groups were too large to compare all of their pairs; see max_bucket in `dehusk methods`",
                found.capped_buckets
            ));
        }
    }
    if let Some(capped) = summary.capped_lookups.filter(|capped| *capped > 0) {
        line(format_args!(
            "  {capped} documents share a key with too many documents of the index to compare all; see max_bucket in `dehusk methods`"
        ));
    }
    if summary.repeated_ids > 0 {
        line(format_args!(
            "  {} documents had the id of another one and got a number behind it",
            summary.repeated_ids
        ));
    }
    skipped(outcome);
    for row in &outcome.rejected {
        rejected(row);
    }
    if counts.quarantined > outcome.rejected.len() as u64 {
        line(format_args!(
            "  all {} rejected records are in {}",
            counts.quarantined,
            out.join(summary.quarantine_file()).display()
        ));
    }
    if summary.files.contains_key("report.html") {
        line(format_args!("  report: {}", out.join("report.html").display()));
    }
    if verbose {
        settings(outcome);
    }
    damaged(outcome);
}

/// Tells of rows that were written: how many records were read, unless that says nothing new, and what became of the others.
pub(crate) fn rows(outcome: &Outcome, read: &str, written: &str, verbose: bool) {
    let counts = &outcome.summary.counts;
    if counts.read != 1 || counts.kept != 1 {
        line(format_args!(
            "{} {read} read, {} {written}",
            counts.read, counts.kept
        ));
    }
    sites(outcome);
    skipped(outcome);
    if verbose {
        settings(outcome);
    }
    damaged(outcome);
}

/// Tells the settings that decided the result.
fn settings(outcome: &Outcome) {
    for (name, value) in &outcome.summary.settings.0 {
        line(format_args!("  {name} = {value}"));
    }
}

/// Tells which files and records were passed over.
fn skipped(outcome: &Outcome) {
    let summary = &outcome.summary;
    for (what, skipped) in [
        ("files", &summary.skipped_files),
        ("records", &summary.skipped_records),
    ] {
        let skipped: Vec<String> = skipped
            .iter()
            .map(|(reason, count)| format!("{count} {reason}"))
            .collect();
        if !skipped.is_empty() {
            line(format_args!("  {what} passed over: {}", skipped.join(", ")));
        }
    }
}

/// Tells why the exit code is 3.
fn damaged(outcome: &Outcome) {
    if outcome.summary.damaged {
        let counts = &outcome.summary.counts;
        let text = format!(
            "{} of {} records were rejected, more than --max-bad allows",
            counts.quarantined, counts.read
        );
        let _ = writeln!(io::stderr().lock(), "{} {text}", label("warning", "33"));
    }
}

/// What rules and templates of sites did.
fn sites(outcome: &Outcome) {
    let Some(met) = &outcome.summary.sites else { return };
    if let (Some(ruled), Some(silent)) = (met.ruled, met.silent) {
        line(format_args!(
            "  rules: gave the text of {ruled} pages, found nothing on {silent} others"
        ));
    }
    if let (Some(fired), Some(unknown), Some(without)) = (met.fired, met.unknown, met.without) {
        line(format_args!(
            "  templates: fired on {fired} pages, fitted none of {unknown} pages of their sites, {without} pages of other sites"
        ));
    }
}
