//! The whole page: head, title, and its sections in order.

use super::data::{Counts, ReportData};
use super::sections;
use crate::write::report::markup::{self, Html, code_point};
use crate::write::report::number::{count, counted, share};

/// The style sheet, which is embedded in the page.
const STYLE: &str = include_str!("style.css");
/// SHA-256 of [`STYLE`] in base64. The content security policy of the page allows this style sheet only. A
/// test compares the two.
pub(super) const STYLE_SHA256: &str = "P5hrRV3dmQ9Ea1F4LIy2SwLgZl3VhUKo3fiPibDBOvY=";
/// Maximum number of inputs named below the title. The others are counted there, and listed with the settings.
const INPUTS_IN_LEAD: usize = 2;
/// Maximum number of characters shown of an input there.
const INPUT_CHARS: usize = 80;

/// Writes the page. Equal figures give equal pages.
///
/// All text is escaped for its context. Only addresses that begin with `http:` or `https:` become links. Control characters, and characters
/// that change the direction of text, are shown as code points.
pub fn render(data: &ReportData) -> String {
    let mut html = Html::default();
    html.markup("<!DOCTYPE html>\n");
    html.within("html", &[("lang", &"en")], |html| {
        html.within("head", &[], |html| head(html, data));
        html.within("body", &[], |html| {
            html.element(
                "a",
                &[("class", &"skip"), ("href", &"#main")],
                "Skip to the figures",
            );
            html.within("header", &[], |html| title(html, data));
            contents(html, data);
            html.within("main", &[("id", &"main")], |html| {
                for section in sections::shown(data) {
                    section.write(html, data);
                }
            });
            html.within("footer", &[], |html| footer(html, data));
        });
    });
    html.finish()
}

/// Writes the head of the page.
fn head(html: &mut Html, data: &ReportData) {
    let title = format!("{} – run report", headline(&data.counts));
    markup::head(html, &data.tool, &title, STYLE, STYLE_SHA256);
}

/// Result of the run in a few words.
fn headline(counts: &Counts) -> String {
    match (counts.read, counts.kept) {
        (0, _) => "No records read".to_owned(),
        (1, 1) => "The only record kept".to_owned(),
        (read, kept) if read == kept => format!("All {} records kept", count(read)),
        (read, 0) => format!("None of {} kept", counted(read, "record", "records")),
        (read, kept) => format!("{} of {} kept", count(kept), counted(read, "record", "records")),
    }
}

/// Writes heading, lead and key figures.
fn title(html: &mut Html, data: &ReportData) {
    html.within("p", &[("class", &"kicker")], |html| {
        html.text("Run report · ");
        html.prose(&data.tool, INPUT_CHARS);
    });
    html.element("h1", &[], headline(&data.counts));
    html.within("p", &[("class", &"lead")], |html| lead(html, data));
    key_figures(html, data);
}

/// Writes the inputs and the number of dropped records as a sentence.
fn lead(html: &mut Html, data: &ReportData) {
    if data.inputs.is_empty() {
        html.text("No input was named.");
        return;
    }
    html.text("From ");
    for (i, input) in data.inputs.iter().take(INPUTS_IN_LEAD).enumerate() {
        // With more inputs than are named here, none of these is the last.
        let last = i + 1 == data.inputs.len();
        html.text(if i == 0 {
            ""
        } else if last {
            " and "
        } else {
            ", "
        });
        html.exact(input, INPUT_CHARS);
    }
    if let Some(more @ 1..) = data.inputs.len().checked_sub(INPUTS_IN_LEAD) {
        html.text(format!(
            " and {}",
            counted(more as u64, "more input", "more inputs")
        ));
    }
    html.text(". ");
    let dropped = sections::dropped(&data.counts, |_| true);
    html.text(match dropped {
        0 => "Nothing was dropped.".to_owned(),
        1 => "One record was dropped; the reason is stated below.".to_owned(),
        n => format!(
            "{} records were dropped, each for one of the reasons below.",
            count(n)
        ),
    });
}

/// Writes the most important figures with their shares.
fn key_figures(html: &mut Html, data: &ReportData) {
    let counts = &data.counts;
    let of = |part: u64| match counts.read {
        0 => "no records".to_owned(),
        read => format!("{} of all records", share(part, read)),
    };
    let repeated = sections::dropped(counts, |row| row.stage == "passages");
    let empty = sections::dropped(counts, |row| row.stage == "dedup" && row.reason == "empty");
    let duplicates = sections::dropped(counts, |row| row.stage == "dedup" && row.reason != "empty");
    let rejected = sections::dropped(counts, |row| !["passages", "dedup"].contains(&row.stage.as_str()));
    let pairs = format!("from {}", counted(counts.pairs, "similar pair", "similar pairs"));
    let kept = (
        "Documents kept",
        count(counts.kept),
        of(counts.kept),
        "figure first",
    );
    let figures = match &data.passages {
        Some(found) if data.only_passages => vec![
            kept,
            (
                "Passages",
                count(found.passages),
                format!("in {}", counted(found.documents, "document", "documents")),
                "figure",
            ),
            (
                "Repeated",
                share(found.repeated_chars, found.chars),
                "of all characters".to_owned(),
                "figure",
            ),
            ("Too much repeated", count(repeated), of(repeated), "figure"),
            ("Rejected", count(rejected), of(rejected), "figure"),
        ],
        _ => vec![
            kept,
            ("Duplicates dropped", count(duplicates), of(duplicates), "figure"),
            ("Without text", count(empty), of(empty), "figure"),
            ("Rejected", count(rejected), of(rejected), "figure"),
            ("Clusters", count(counts.clusters), pairs, "figure"),
        ],
    };
    html.within("dl", &[("class", &"key")], |html| {
        for (name, figure, remark, class) in figures {
            html.within("div", &[("class", &class)], |html| {
                html.element("dt", &[], name);
                html.within("dd", &[], |html| {
                    html.element("strong", &[], figure);
                    html.text(" ");
                    html.element("span", &[], remark);
                });
            });
        }
    });
}

/// Writes links to the sections.
fn contents(html: &mut Html, data: &ReportData) {
    html.within("nav", &[("aria-label", &"Parts of this report")], |html| {
        html.within("ul", &[], |html| {
            for section in sections::shown(data) {
                html.within("li", &[], |html| {
                    html.element("a", &[("href", &format_args!("#{}", section.id))], section.short);
                });
            }
        });
    });
}

/// Writes the footer.
fn footer(html: &mut Html, data: &ReportData) {
    html.within("p", &[], |html| {
        html.text("Made by ");
        html.prose(&data.tool, INPUT_CHARS);
        html.text(
            ". This file is complete in itself: it loads nothing and runs no script. Characters that cannot be seen or that \
             change the direction of text appear as code points, such as ",
        );
        html.element("span", &[("class", &"cp")], code_point('\u{202e}'));
        html.text(". Links lead to the pages as they are today.");
    });
}
