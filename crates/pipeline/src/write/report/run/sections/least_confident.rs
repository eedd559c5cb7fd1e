//! The pages without text and the pages with the lowest confidence, which a person should check first.

use super::page;
use super::section::{ID_CHARS, Section, TEXT_CHARS, columns, drawing, figure, nothing, paragraph};
use crate::write::report::chart::strip;
use crate::write::report::markup::Html;
use crate::write::report::number::{count, counted, share, unit};
use crate::write::report::run::data::{EXCERPT_CHARS, PageRow, ReportData};
use crate::write::report::run::descriptions;

pub(super) static SECTION: Section = Section {
    id: "weakest",
    short: "Pages to check",
    title: "Pages to check first",
    shown: |data| !data.only_passages,
    note,
    body,
};

fn note(html: &mut Html, data: &ReportData) {
    if !data.least_confident.is_empty() {
        paragraph(
            html,
            "Confidence, from 0 to 1, estimates how good the text of a page is.",
        );
        paragraph(html, "Below each page stands how its text begins.");
    }
}

fn body(html: &mut Html, data: &ReportData) {
    if data.least_confident.is_empty() {
        nothing(html, "No page is without text, and none has a low confidence.");
        return;
    }
    html.within("table", &[("class", &"weakest")], |html| {
        let all = data.least_confident.len();
        let empty = data.least_confident.iter().filter(|row| !row.has_text).count();
        let pages = |number: usize| counted(number as u64, "page", "pages");
        let caption = match (empty, all - empty) {
            (0, 1) => "The page with the lowest confidence".to_owned(),
            (0, n) => format!("The {n} pages with the lowest confidence"),
            (n, 0) => format!("{} without text", pages(n)),
            (n, m) => format!(
                "{} without text, and the {m} with the lowest confidence",
                pages(n)
            ),
        };
        html.element("caption", &[], caption);
        columns(html, &["#Confidence", "", "Page"]);
        html.within("tbody", &[], |html| {
            for row in &data.least_confident {
                html.within("tr", &[], |html| page_row(html, row));
            }
        });
    });
}

/// Writes the cells of a page.
fn page_row(html: &mut Html, row: &PageRow) {
    if row.has_text {
        figure(html, unit(row.confidence, 2));
        drawing(html, |html| strip::share_bar(html, row.confidence));
    } else {
        figure(html, "no text");
        drawing(html, |_| {});
    }
    html.within("th", &[("scope", &"row")], |html| {
        page::name(html, row.title.as_deref(), row.url.as_deref(), &row.id);
        html.within("div", &[("class", &"facts")], |html| {
            html.exact(&row.method, ID_CHARS);
            html.text(format!(
                " · {} of {} kept",
                count(row.kept_chars),
                counted(row.all_chars, "character", "characters")
            ));
            if row.all_chars > 0 {
                html.text(format!(" ({})", share(row.kept_chars, row.all_chars)));
            }
            for code in &row.warnings {
                html.text(" · ");
                html.within(
                    "span",
                    &[("class", &"warning"), ("title", &descriptions::warning(code))],
                    |html| {
                        html.exact(code, TEXT_CHARS);
                    },
                );
            }
        });
        if !row.excerpt.trim().is_empty() {
            html.within("div", &[("class", &"excerpt")], |html| {
                html.prose(&row.excerpt, EXCERPT_CHARS);
            });
        }
    });
}
