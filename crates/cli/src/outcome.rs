//! The result of a job, reported at its end: as a table for people, or as the event `summary`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use dehusk_pipeline::record::Reason;
use dehusk_pipeline::summary::{
    Counts, Duplicates, IndexCounts, ItemCounts, LayoutCounts, LearntSites, PassageCounts, SiteCounts,
};
use dehusk_pipeline::{Outcome, Summary, printable};
use serde_json::{Value, json};

use crate::log::{self, Fields, Level};
use crate::message::{self, counted, line, listed};
use crate::progress::{rates, rounded, size, time};

/// Time, bytes and memory that a job took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spent {
    /// Seconds since the job began.
    pub(crate) seconds: f64,
    /// Bytes read.
    pub(crate) bytes: u64,
    /// Peak memory of the process in bytes, without page processes; `None` if the system does not report it.
    pub(crate) peak_memory: Option<u64>,
}

/// Returns the fields of the event `summary` about time, bytes and memory.
impl Spent {
    fn fields(&self, read: u64) -> Fields {
        vec![
            ("seconds", rounded(self.seconds)),
            ("bytes_read", self.bytes.into()),
            ("records_per_second", rounded(read as f64 / self.seconds)),
            ("bytes_per_second", rounded(self.bytes as f64 / self.seconds)),
            ("peak_memory_bytes", json!(self.peak_memory)),
        ]
    }
}

/// Writes a row of the table at the end.
fn row(name: &str, value: impl fmt::Display) {
    line(format_args!("  {:<22}{value}", format!("{name}:")));
}

/// Reports the result of work that has no common summary: as an event with `figures`, or as the lines that `text` writes.
pub(crate) fn figures(
    verb: &'static str,
    read: u64,
    figures: Fields,
    exit_code: u8,
    spent: &Spent,
    text: impl FnOnce(),
) {
    if !log::is_json() {
        text();
        return warn_of_nothing(read);
    }
    let mut fields = vec![("verb", verb.into()), ("read", read.into())];
    fields.extend(figures);
    fields.extend(spent.fields(read));
    fields.push(("exit_code", exit_code.into()));
    log::event(Level::Info, "summary", &fields);
    warn_of_nothing(read);
}

/// Warns if no record was read.
fn warn_of_nothing(read: u64) {
    if read == 0 {
        message::nothing_read();
    }
}

/// Reports the result of a run that wrote to the folder `out`.
pub(crate) fn folder(outcome: &Outcome, out: &Path, verbose: bool, spent: &Spent) {
    let summary = &outcome.summary;
    if log::is_json() {
        outcome.rejected.iter().for_each(message::rejected);
        event(summary, Some(out), spent);
        return warnings(summary);
    }
    let counts = &summary.counts;
    let what = if summary.verb == "run" {
        "pages"
    } else {
        "documents"
    };
    // With some policies the list of kept documents is not written; then there is no file to name.
    let is_kept = summary.files.contains_key(summary.kept_file());
    if is_kept {
        line(format_args!(
            "{} read, {} kept in {}",
            counted(counts.read, what),
            counted(counts.kept, "documents"),
            out.join(summary.kept_file()).display()
        ));
    } else {
        line(format_args!("{} read", counted(counts.read, what)));
    }
    table(summary, spent);
    if let Some(found) = &summary.duplicates {
        duplicates(found, verbose);
    }
    if let Some(found) = &summary.passages {
        passages(found);
    }
    if let Some(found) = &summary.items {
        items(found);
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
    // Rejected records are printed up to a limit; the file has all.
    outcome.rejected.iter().for_each(message::rejected);
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
        settings(summary);
    }
    warnings(summary);
}

/// Writes the row about items of a test set that were found.
fn items(found: &ItemCounts) {
    row(
        "test items",
        format_args!(
            "{}, {} found in {}, {} too short to be looked for",
            found.items,
            found.found,
            counted(found.documents, "documents"),
            found.too_short
        ),
    );
}

/// Writes the rows about repeated passages.
fn passages(found: &PassageCounts) {
    // At least 1 avoids a division by zero when nothing was read.
    let share = |part: u64| 100.0 * part as f64 / found.chars.max(1) as f64;
    row(
        "passages",
        format_args!(
            "{}, at {} in {}",
            found.passages,
            counted(found.occurrences, "places"),
            counted(found.documents, "documents")
        ),
    );
    row(
        "spread",
        format_args!(
            "{} in one document, {} on one host, {} on several{}",
            found.of_document,
            found.of_host,
            found.of_hosts,
            match found.of_unknown {
                0 => String::new(),
                unknown => format!(", {unknown} on unknown ones"),
            }
        ),
    );
    row(
        "repeated",
        format_args!(
            "{:.1}% of all characters, {:.1}% cut",
            share(found.repeated_chars),
            share(found.cut_chars)
        ),
    );
    if found.contained > 0 {
        row(
            "contained",
            format_args!("{} in another one", counted(found.contained, "documents")),
        );
    }
    if found.unverified > 0 {
        row(
            "unverified",
            format_args!("{} places of equal hash and another text", found.unverified),
        );
    }
}

/// Reports the result of a job that wrote rows. A single record that was read and written needs no line; otherwise counts and
/// reasons follow.
pub(crate) fn rows(outcome: &Outcome, read: &str, written: &str, verbose: bool, spent: &Spent) {
    let summary = &outcome.summary;
    if log::is_json() {
        event(summary, None, spent);
        return warnings(summary);
    }
    let counts = &summary.counts;
    let passed_over = !(summary.skipped_files.is_empty() && summary.skipped_records.is_empty());
    // With one page in and one text out, the text is the whole answer.
    if counts.read != 1 || counts.kept != 1 || passed_over {
        line(format_args!(
            "{} read, {} {written}",
            counted(counts.read, read),
            counts.kept
        ));
        table(summary, spent);
    } else if summary.without_text == Some(1) {
        message::no_text();
    }
    if verbose {
        settings(summary);
    }
    warnings(summary);
}

/// Writes the rows about an index of captures.
fn index(found: &IndexCounts) {
    let left_out = [
        ("by --where", found.left_out),
        ("of the address of a newer one", found.older),
        ("of the place of another one", found.repeated),
        ("rejected", found.rejected),
    ];
    let no_pages = found.no_pages.iter().map(|(kind, count)| (*kind, *count));
    let gone: Vec<String> = left_out
        .into_iter()
        .chain(no_pages)
        .filter(|(_, count)| *count > 0)
        .map(|(why, count)| format!("{count} {why}"))
        .collect();
    row("rows of the index", found.rows);
    if !gone.is_empty() {
        row("rows not fetched", gone.join(", "));
    }
    row(
        "captures fetched",
        format_args!(
            "{} of {}, by {}",
            found.captures,
            counted(found.archives, "archives"),
            counted(found.requests, "requests")
        ),
    );
}

/// Writes the table: what happened to the records, and the time and memory used.
fn table(summary: &Summary, spent: &Spent) {
    let counts = &summary.counts;
    if let Some(found) = &summary.index {
        index(found);
    }
    row("read", counts.read);
    row("kept", counts.kept);
    for (name, total, by_reason) in [
        (
            "dropped",
            // Every record is kept, dropped or rejected.
            counts.read - counts.kept - counts.quarantined,
            dropped(counts),
        ),
        ("quarantined", counts.quarantined, quarantined(counts)),
    ] {
        if total > 0 {
            row(name, format_args!("{total} ({})", listed(by_reason)));
        }
    }
    for (name, skipped) in [
        ("files passed over", &summary.skipped_files),
        ("records passed over", &summary.skipped_records),
    ] {
        if !skipped.is_empty() {
            row(
                name,
                listed(skipped.iter().map(|(reason, count)| (*reason, *count))),
            );
        }
    }
    if let Some(without) = summary.without_text.filter(|without| *without > 0) {
        row("without text", without);
    }
    if let Some(LayoutCounts { used, missing, unfit }) = summary.layouts {
        row(
            "layouts",
            format_args!("{used} used, {missing} missing, {unfit} of another page or version"),
        );
    }
    if let Some(met) = &summary.sites {
        sites(met);
    }
    if let Some(found) = &summary.learnt {
        learnt(found);
    }
    if !summary.files.is_empty() {
        // Sizes of the files as they were written, after compression.
        let bytes = summary.files.values().map(|file| file.bytes).sum();
        row(
            "files written",
            format_args!("{} ({})", summary.files.len(), size(bytes)),
        );
    }
    let rates = rates(counts.read, spent.bytes, spent.seconds, "records");
    let took = [vec![time(spent.seconds)], rates].concat();
    row("time", took.join(", "));
    if let Some(bytes) = spent.peak_memory {
        row("peak memory", size(bytes));
    }
}

/// Returns the counts of dropped documents by reason.
fn dropped(counts: &Counts) -> Box<dyn Iterator<Item = (&str, u64)> + '_> {
    Box::new(by_reason(counts, false))
}

/// Returns the counts of rejected records by reason.
fn quarantined(counts: &Counts) -> Box<dyn Iterator<Item = (&str, u64)> + '_> {
    Box::new(by_reason(counts, true))
}

/// Returns the counts of `counts.dropped` that are reasons for rejection, or those that are not.
fn by_reason(counts: &Counts, rejected: bool) -> impl Iterator<Item = (&str, u64)> {
    // `dropped` has both kinds under their names. `Reason` lists the reasons for rejection.
    let is_rejected = |name: &str| Reason::ALL.iter().any(|reason| reason.name() == name);
    counts
        .dropped
        .iter()
        .filter(move |(name, count)| **count > 0 && is_rejected(name) == rejected)
        .map(|(name, count)| (*name, *count))
}

/// Writes the rows about duplicates, and advice where a limit may have changed the result.
fn duplicates(found: &Duplicates, verbose: bool) {
    row(
        "duplicates",
        format_args!(
            "{}, {} of {}",
            counted(found.all_pairs, "pairs"),
            counted(found.clusters, "clusters"),
            counted(found.clustered, "documents")
        ),
    );
    if verbose && let Some(curve) = &found.banding {
        line(format_args!(
            "  banding: {} bands of {} rows; a pair of similarity s is found with probability p",
            curve.bands, curve.rows
        ));
        let shown = |(similarity, recall): &(f64, f64)| format!("{similarity:.2}:{recall:.4}");
        // Two lines of ten points: similarities in steps of .05.
        for half in curve.recall.chunks(10) {
            line(format_args!(
                "    {}",
                half.iter().map(shown).collect::<Vec<_>>().join(" ")
            ));
        }
    }
    // Clusters with few similar pairs are mostly chains: a is similar to b, b to c, but a not to c.
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
            "  {} groups were too large to compare all of their pairs, so that pairs may be missing; see max_bucket in `dehusk methods`",
            found.capped_buckets
        ));
    }
}

/// Writes the settings that decided the result.
fn settings(summary: &Summary) {
    for (name, value) in &summary.settings.0 {
        line(format_args!("  {name} = {value}"));
    }
}

/// Writes the warnings of a run: nothing read, mended records, missing fields, and too many rejected records.
fn warnings(summary: &Summary) {
    match summary.read_nothing() {
        true => message::passed_over(summary),
        false => warn_of_nothing(summary.counts.read),
    }
    if let Some(files) = &summary.changed_files {
        message::changed(files);
    }
    message::lines(&summary.lines);
    if let Some(name) = &summary.missing_field {
        message::missing_field(name);
    }
    if summary.damaged {
        message::damaged(quarantined(&summary.counts), summary.counts.read);
    }
}

/// Writes the effects of rules and templates of sites.
fn sites(met: &SiteCounts) {
    // All three are counted if rules were given.
    if let (Some(ruled), Some(cut), Some(silent)) = (met.ruled, met.cut, met.silent) {
        line(format_args!(
            "  rules: gave the text of {ruled} pages, removed parts of {cut} others, found nothing on {silent}"
        ));
    }
    if let (Some(fired), Some(unknown), Some(without)) = (met.fired, met.unknown, met.without) {
        line(format_args!(
            "  templates: fired on {fired} pages, fitted none of {unknown} pages of their sites, {without} pages of other sites"
        ));
    }
}

/// Number of sites with a changed layout that are listed. summary.json has all.
const MAX_LISTED_CHANGES: usize = 10;

/// Writes the figures of learnt templates, and the first sites whose layout changed.
fn learnt(found: &LearntSites) {
    line(format_args!(
        "  learnt: {} from {}, {} copies among them; {} passed over, {} alone in their layout",
        counted(found.templates.len() as u64, "templates"),
        counted(found.looked_at, "pages"),
        found.copies,
        found.passed_over,
        found.alone
    ));
    let changes = found
        .templates
        .iter()
        .filter_map(|template| Some((template, template.since.as_ref()?)));
    for (template, since) in changes.clone().take(MAX_LISTED_CHANGES) {
        let dated = since
            .date
            .as_ref()
            .map_or(String::new(), |date| format!(" of {date}"));
        let told = format!(
            "  another layout of {} since record {}, {}{dated}: {}",
            template.site, since.record, since.url, template.file
        );
        line(printable(&told));
    }
    let more = changes.count().saturating_sub(MAX_LISTED_CHANGES);
    if more > 0 {
        line(format_args!(
            "  and {more} other layouts of sites that had one; summary.json has all"
        ));
    }
}

/// Logs an event for each site that had a template and where another layout was found.
fn changes(found: &LearntSites) {
    for template in &found.templates {
        if let Some(since) = &template.since {
            let fields = [
                ("site", json!(template.site)),
                ("layout", json!(template.layout)),
                ("template", json!(template.file)),
                ("pages", json!(template.pages)),
                ("record", json!(since.record)),
                ("file", json!(since.file)),
                ("url", json!(since.url)),
                ("date", json!(since.date)),
            ];
            log::event(Level::Info, "site-changed", &fields);
        }
    }
}

/// Returns the counts of learnt templates, without the templates themselves.
fn learnt_counts(found: &LearntSites) -> Value {
    json!({
        "templates": found.templates.len(),
        "looked_at": found.looked_at,
        "passed_over": found.passed_over,
        "copies": found.copies,
        "alone": found.alone,
    })
}

/// Logs the event `summary`, after an event for each changed site.
fn event(summary: &Summary, out: Option<&Path>, spent: &Spent) {
    // Before the summary, which is the last event of a job.
    summary.learnt.iter().for_each(changes);
    let counts = &summary.counts;
    // `BTreeMap` gives the names a fixed order.
    let map = |rows: Box<dyn Iterator<Item = (&str, u64)> + '_>| -> Value {
        json!(rows.collect::<BTreeMap<_, _>>())
    };
    let mut fields = vec![
        ("verb", json!(summary.verb)),
        ("read", json!(counts.read)),
        ("kept", json!(counts.kept)),
        ("dropped", map(dropped(counts))),
        ("quarantined", map(quarantined(counts))),
        ("skipped_files", json!(summary.skipped_files)),
        ("passed_over", json!(summary.passed_over)),
        ("skipped_records", json!(summary.skipped_records)),
        ("changed_files", json!(summary.changed_files)),
        ("mended", json!(summary.lines.mended)),
        ("missing_columns", json!(summary.lines.missing_columns)),
        ("repeated_ids", json!(summary.repeated_ids)),
        ("missing_field", json!(summary.missing_field)),
        ("capped_lookups", json!(summary.capped_lookups)),
        ("without_text", json!(summary.without_text)),
        ("duplicates", json!(summary.duplicates)),
        ("layouts", json!(summary.layouts)),
        ("sites", json!(summary.sites)),
        ("learnt", json!(summary.learnt.as_ref().map(learnt_counts))),
        ("out", json!(out)),
        (
            "files",
            json!(Some(&summary.files).filter(|files| !files.is_empty())),
        ),
    ];
    fields.extend(spent.fields(counts.read));
    fields.push(("exit_code", summary.exit_code().into()));
    log::event(Level::Info, "summary", &fields);
}
