//! Warnings by kind.

use super::section::{
    ID_CHARS, Section, TEXT_CHARS, code_and_meaning, columns, drawing, figure, nothing, paragraph, total,
};
use crate::write::report::chart::strip;
use crate::write::report::markup::Html;
use crate::write::report::number::{count, fraction, share};
use crate::write::report::run::data::{ReportData, WarningRow};
use crate::write::report::run::descriptions;

pub(super) static SECTION: Section = Section {
    id: "warnings",
    short: "Warnings",
    title: "Warnings",
    shown: |data| !data.only_passages,
    note,
    body,
};

fn note(html: &mut Html, data: &ReportData) {
    if !data.warnings.is_empty() {
        paragraph(
            html,
            "Limits that pages ran into, fallbacks taken, damage seen. A page with a warning still has its text.",
        );
    }
}

fn body(html: &mut Html, data: &ReportData) {
    if data.warnings.is_empty() {
        nothing(
            html,
            "No warnings: no page ran into a limit, needed a fallback or was damaged.",
        );
        return;
    }
    // Every page with a document has exactly one method.
    let pages = total(&data.methods);
    html.within("table", &[("class", &"warnings")], |html| {
        html.element(
            "caption",
            &[],
            "Pages by kind of warning; a page can have several",
        );
        columns(html, &["Warning", "#Pages", "#Share", ""]);
        html.within("tbody", &[], |html| {
            for row in &data.warnings {
                html.within("tr", &[], |html| warning(html, row, pages));
            }
        });
    });
}

/// Writes the cells of a kind of warning.
fn warning(html: &mut Html, row: &WarningRow, pages: u64) {
    html.within("th", &[("scope", &"row")], |html| {
        code_and_meaning(html, &row.code, descriptions::warning(&row.code));
        html.within("div", &[("class", &"example")], |html| {
            html.text("First: ");
            html.exact(&row.example, ID_CHARS);
            if !row.message.is_empty() {
                html.text(" – ");
                html.prose(&row.message, TEXT_CHARS);
            }
        });
    });
    figure(html, count(row.count));
    figure(html, share(row.count, pages));
    drawing(html, |html| strip::share_bar(html, fraction(row.count, pages)));
}
