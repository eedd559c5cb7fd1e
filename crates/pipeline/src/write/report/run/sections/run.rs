//! Program, inputs and settings: what is needed to repeat the run.

use super::section::{ID_CHARS, Section, TEXT_CHARS, breakdown, columns, nothing, paragraph, total};
use crate::write::report::markup::Html;
use crate::write::report::number::counted;
use crate::write::report::run::data::{ReportData, Setting};
use crate::write::report::run::descriptions;

pub(super) static SECTION: Section = Section {
    id: "run",
    short: "Settings",
    title: "How it was run",
    shown: |_| true,
    note,
    body,
};

/// Maximum number of inputs listed.
const INPUTS: usize = 50;

fn note(html: &mut Html, data: &ReportData) {
    html.within("p", &[], |html| {
        html.text("Equal inputs and settings give equal results with ");
        html.prose(&data.tool, ID_CHARS);
        html.text(".");
    });
}

fn body(html: &mut Html, data: &ReportData) {
    html.within("div", &[("class", &"multiples two")], |html| {
        html.within("div", &[], |html| settings(html, &data.settings));
        html.within("div", &[], |html| {
            inputs(html, &data.inputs);
            skipped(html, data);
        });
    });
}

/// Writes the table of settings.
fn settings(html: &mut Html, settings: &[Setting]) {
    if settings.is_empty() {
        html.element("h3", &[], "Settings");
        nothing(html, "No settings are recorded.");
        return;
    }
    html.within("table", &[("class", &"settings")], |html| {
        html.element("caption", &[], "Settings in force");
        columns(html, &["Setting", "Value"]);
        html.within("tbody", &[], |html| {
            for setting in settings {
                html.within("tr", &[], |html| {
                    html.within("th", &[("scope", &"row")], |html| {
                        html.exact(&setting.name, ID_CHARS);
                    });
                    html.within("td", &[], |html| html.exact(&setting.value, TEXT_CHARS));
                });
            }
        });
    });
}

/// Writes the list of inputs.
fn inputs(html: &mut Html, inputs: &[String]) {
    html.element("h3", &[], "Inputs");
    if inputs.is_empty() {
        nothing(html, "No input was named.");
        return;
    }
    html.within("ul", &[("class", &"inputs")], |html| {
        for input in inputs.iter().take(INPUTS) {
            html.within("li", &[], |html| html.exact(input, TEXT_CHARS));
        }
    });
    if let Some(more @ 1..) = inputs.len().checked_sub(INPUTS) {
        paragraph(
            html,
            format!("… and {}.", counted(more as u64, "more input", "more inputs")),
        );
    }
}

/// Writes what was left out or repaired.
fn skipped(html: &mut Html, data: &ReportData) {
    let records = &data.counts.skipped_records;
    if !records.is_empty() {
        breakdown(
            html,
            "Records of archives left out, which are no pages",
            ["Kind", "#Records"],
            records,
            total(records),
            descriptions::record_kind,
        );
    }
    let mended = &data.counts.mended;
    if !mended.is_empty() {
        breakdown(
            html,
            "Records that were not UTF-8 or no JSON, and mended",
            ["What was wrong", "#Records"],
            mended,
            data.counts.read,
            descriptions::flaw,
        );
    }
    let rows = &data.counts.skipped_files;
    if rows.is_empty() {
        html.element("h3", &[], "Files left out");
        nothing(html, "None: every file of the input folders was read.");
    } else {
        let names = ["Reason", "#Files"];
        breakdown(
            html,
            "Files left out, which are no records",
            names,
            rows,
            total(rows),
            descriptions::skip_reason,
        );
    }
}
