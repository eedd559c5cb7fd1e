//! The figures of a report that come from the summary of a run.

use std::collections::BTreeMap;

use super::data::{self, Count, Dropped, ReportData, Setting};
use crate::record::Reason;
use crate::record::header::{TOOL, VERSION};
use crate::write::counts::{damaged_files, shown_inputs};
use crate::write::summary::Summary;

/// Reasons of documents that the stage of passages drops.
const OF_PASSAGES: [&str; 2] = ["too-much-repeated", "contained"];

/// Counts as rows of the report.
fn counted(counts: &BTreeMap<&'static str, u64>) -> Vec<Count> {
    let row = |(name, count): (&&str, &u64)| Count {
        name: (*name).to_owned(),
        count: *count,
    };
    counts.iter().map(row).collect()
}

/// The stage that drops records for a reason, and its place in the order of stages.
fn stage(reason: &str) -> (u8, &'static str) {
    match reason {
        reason if Reason::ALL.iter().any(|known| known.name() == reason) => (0, "read"),
        reason if OF_PASSAGES.contains(&reason) => (1, "passages"),
        _ => (2, "dedup"),
    }
}

/// The figures of a summary.
pub(crate) fn figures(summary: &Summary) -> ReportData {
    let counts = &summary.counts;
    let dropped = |(reason, count): (&&str, &u64)| Dropped {
        stage: stage(reason).1.to_owned(),
        reason: (*reason).to_owned(),
        count: *count,
    };
    let mut dropped: Vec<Dropped> = counts
        .dropped
        .iter()
        .map(dropped)
        .filter(|row| row.count > 0)
        .collect();
    // The sort is stable: within a stage, reasons stay in the order of their names.
    dropped.sort_by_key(|row| stage(&row.reason).0);
    let found = summary.duplicates.clone().unwrap_or_default();
    ReportData {
        tool: format!("{TOOL} {VERSION}"),
        inputs: summary.inputs.clone(),
        by_input: shown_inputs(&summary.by_input),
        damaged_files: damaged_files(&summary.by_file),
        settings: summary
            .settings
            .0
            .iter()
            // A setting without a value has no effect.
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| Setting {
                name: (*name).to_owned(),
                value: value.as_str().map_or_else(|| value.to_string(), str::to_owned),
            })
            .collect(),
        counts: data::Counts {
            read: counts.read,
            kept: counts.kept,
            dropped,
            skipped_files: counted(&summary.skipped_files),
            skipped_records: counted(&summary.skipped_records),
            mended: summary
                .lines
                .mended
                .iter()
                .map(|(name, mended)| Count {
                    name: (*name).to_owned(),
                    count: mended.records,
                })
                .collect(),
            pairs: found.all_pairs,
            clusters: found.clusters,
        },
        ..ReportData::default()
    }
}
