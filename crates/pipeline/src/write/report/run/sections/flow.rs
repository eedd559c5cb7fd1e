//! The records from the first to the last step, as a funnel.

use super::section::{Section, code_and_meaning, columns, dropped, figure, nothing, paragraph};
use crate::write::report::chart::strip;
use crate::write::report::markup::Html;
use crate::write::report::number::{count, fraction, share};
use crate::write::report::run::data::{Dropped, ReportData};
use crate::write::report::run::descriptions;

pub(super) static SECTION: Section = Section {
    id: "flow",
    short: "Records",
    title: "What became of the records",
    shown: |_| true,
    note,
    body,
};

fn note(html: &mut Html, data: &ReportData) {
    if data.counts.read > 0 {
        paragraph(
            html,
            "From top to bottom: what came in, what each step took away, and what is left.",
        );
        paragraph(
            html,
            "Every record that came in is either kept or counted under exactly one reason.",
        );
    }
}

fn body(html: &mut Html, data: &ReportData) {
    let counts = &data.counts;
    let read = counts.read;
    if read == 0 {
        nothing(
            html,
            "No record came in, so nothing was kept and nothing dropped.",
        );
        return;
    }
    let all_dropped = dropped(counts, |_| true);
    // The report does not hide a defect of the program.
    if counts.kept.checked_add(all_dropped) != Some(read) {
        html.element(
            "p",
            &[("class", &"alarm"), ("role", &"note")],
            format!(
                "These counts do not add up: {} kept and {} dropped are not {} read. Please report this as a defect.",
                count(counts.kept),
                count(all_dropped),
                count(read)
            ),
        );
    }
    html.within("table", &[("class", &"flow")], |html| {
        html.element(
            "caption",
            &[],
            "Records at each step, with their share of all records read",
        );
        columns(html, &["Step", "#Records", "#Share"]);
        html.within("tbody", &[], |html| {
            count_row(html, "Records read", read, read, false);
            let mut left = read;
            for (i, row) in counts.dropped.iter().enumerate() {
                // Reasons are sorted by stage. Where the stage changes, the records that passed the last
                // one get a row.
                if i > 0 && counts.dropped[i - 1].stage != row.stage {
                    count_row(html, name_after(&counts.dropped[i - 1].stage), left, read, false);
                }
                left = left.saturating_sub(row.count);
                dropped_row(html, row, left, read);
            }
            count_row(html, "Documents kept", counts.kept, read, true);
        });
    });
}

/// Name of the records that passed a stage.
fn name_after(stage: &str) -> &'static str {
    match stage {
        "read" => "Pages",
        "extract" => "Documents",
        _ => "Left",
    }
}

/// Writes a row with the number of records that are left.
fn count_row(html: &mut Html, name: &'static str, n: u64, read: u64, kept: bool) {
    html.within(
        "tr",
        &[("class", &if kept { "level kept" } else { "level" })],
        |html| {
            step(html, (fraction(n, read), 0.0, kept), |html| html.text(name));
            figure(html, count(n));
            figure(html, share(n, read));
        },
    );
}

/// Writes a row with the records dropped for one reason.
fn dropped_row(html: &mut Html, row: &Dropped, left: u64, read: u64) {
    html.within("tr", &[("class", &"loss")], |html| {
        step(
            html,
            (fraction(left, read), fraction(row.count, read), false),
            |html| {
                code_and_meaning(html, &row.reason, descriptions::drop_reason(&row.reason));
            },
        );
        figure(html, format!("−{}", count(row.count)));
        figure(html, share(row.count, read));
    });
}

/// Name of a step with its bar, side by side, or stacked on narrow screens.
fn step(html: &mut Html, (left, taken, kept): (f64, f64, bool), name: impl FnOnce(&mut Html)) {
    html.within("th", &[("scope", &"row")], |html| {
        html.within("div", &[("class", &"step")], |html| {
            html.within("span", &[], name);
            html.within("span", &[], |html| strip::step_bar(html, left, taken, kept));
        });
    });
}
