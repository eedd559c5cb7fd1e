//! Counts of the records of each input. Shown only for several inputs.

use super::section::{Section, TEXT_CHARS, columns, drawing, figure, paragraph};
use crate::write::report::chart::strip;
use crate::write::report::markup::Html;
use crate::write::report::number::{count, counted, fraction, share};
use crate::write::report::run::data::{InputRow, InputRows, ReportData};

pub(super) static SECTION: Section = Section {
    id: "inputs",
    short: "Inputs",
    title: "What became of each input",
    shown: |data| !data.by_input.rows.is_empty() || !data.damaged_files.rows.is_empty(),
    note,
    body,
};

fn note(html: &mut Html, data: &ReportData) {
    if !data.by_input.rows.is_empty() {
        paragraph(
            html,
            "Records read are kept, dropped or rejected. A document that is dropped as a duplicate may be one of another input.",
        );
    }
    if !data.damaged_files.rows.is_empty() {
        paragraph(
            html,
            "Rejected records are in quarantine, each with its file, its place in it and the reason.",
        );
    }
}

fn body(html: &mut Html, data: &ReportData) {
    table(
        html,
        "Records by input",
        "Input",
        &data.by_input,
        "more input",
        "more inputs",
    );
    table(
        html,
        "Files with rejected records, most of them first",
        "File",
        &data.damaged_files,
        "more file",
        "more files",
    );
}

/// Writes a table of inputs or files. Nothing if it is empty.
fn table(html: &mut Html, caption: &str, name: &'static str, table: &InputRows, one: &str, many: &str) {
    if table.rows.is_empty() {
        return;
    }
    html.within("table", &[("class", &"by-input")], |html| {
        html.element("caption", &[], caption);
        columns(
            html,
            &[name, "#Read", "#Kept", "#Dropped", "#Rejected", "#Share kept", ""],
        );
        html.within("tbody", &[], |html| {
            for row in &table.rows {
                html.within("tr", &[], |html| input(html, row));
            }
        });
    });
    if table.more > 0 {
        paragraph(
            html,
            format!("… and {}, in summary.json.", counted(table.more, one, many)),
        );
    }
}

/// Writes the cells of an input or a file.
fn input(html: &mut Html, row: &InputRow) {
    html.within("th", &[("scope", &"row")], |html| {
        html.exact(&row.name, TEXT_CHARS);
    });
    for number in [row.read, row.kept, row.dropped, row.rejected] {
        figure(html, count(number));
    }
    figure(html, share(row.kept, row.read));
    drawing(html, |html| strip::share_bar(html, fraction(row.kept, row.read)));
}
