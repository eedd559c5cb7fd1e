//! Sites with templates: how often the templates were used, and which parts they cut.

use super::section::{Section, TEXT_CHARS, columns, drawing, figure, paragraph};
use crate::write::report::chart::strip;
use crate::write::report::markup::Html;
use crate::write::report::number::{count, counted, fraction, share};
use crate::write::report::run::data::{CutRow, ReportData, SiteRow};

pub(super) static SECTION: Section = Section {
    id: "sites",
    short: "Sites",
    title: "What templates did to their sites",
    shown: |data| !data.sites.rows.is_empty(),
    note,
    body,
};

fn note(html: &mut Html, _: &ReportData) {
    paragraph(
        html,
        "A template answers for the pages that look like those it was learnt from. The others go the way of pages without templates.",
    );
    paragraph(
        html,
        "Below the table stands what the templates of each site cut most, with a line of it. A page of each layout, and all that was \
         cut, is in sites.html.",
    );
}

fn body(html: &mut Html, data: &ReportData) {
    html.within("table", &[("class", &"by-input")], |html| {
        html.element("caption", &[], "Pages by the part of their site");
        columns(
            html,
            &[
                "Site",
                "#Templates",
                "#Answered",
                "#None fits",
                "#Share answered",
                "",
            ],
        );
        html.within("tbody", &[], |html| {
            for row in &data.sites.rows {
                html.within("tr", &[], |html| site(html, row));
            }
        });
    });
    if data.sites.more > 0 {
        let more = counted(data.sites.more, "more site", "more sites");
        paragraph(html, format!("… and {more}, in sites.html."));
    }
    cuts(html, &data.sites.rows);
}

/// Writes the parts cut from each site as a list below the table, since paths are longer than a column is
/// wide.
fn cuts(html: &mut Html, rows: &[SiteRow]) {
    let with_cuts: Vec<&SiteRow> = rows.iter().filter(|row| !row.cuts.is_empty()).collect();
    if with_cuts.is_empty() {
        return;
    }
    html.element("h3", &[], "What was cut, site by site");
    html.within("ul", &[("class", &"inputs")], |html| {
        for row in with_cuts {
            html.within("li", &[("class", &"site")], |html| {
                html.within("strong", &[], |html| html.exact(&row.site, TEXT_CHARS));
                for cut in &row.cuts {
                    html.within("div", &[("class", &"removed")], |html| removed(html, cut));
                }
            });
        }
    });
}

/// Writes the cells of a site.
fn site(html: &mut Html, row: &SiteRow) {
    html.within("th", &[("scope", &"row")], |html| {
        html.exact(&row.site, TEXT_CHARS);
    });
    for number in [row.layouts, row.fired, row.unknown] {
        figure(html, count(number));
    }
    let pages = row.fired.saturating_add(row.unknown);
    figure(html, share(row.fired, pages));
    drawing(html, |html| strip::share_bar(html, fraction(row.fired, pages)));
}

/// Writes a cut part: how many words were cut and why, its path, and one of its lines.
fn removed(html: &mut Html, cut: &CutRow) {
    let (pages, words) = (
        counted(cut.pages, "page", "pages"),
        counted(cut.words, "word", "words"),
    );
    html.text(format!("{words} on {pages}, {}", cut.reason));
    html.within("div", &[("class", &"where")], |html| {
        html.exact(&cut.part, TEXT_CHARS);
    });
    if let Some(line) = &cut.example {
        html.within("div", &[("class", &"excerpt")], |html| {
            html.text("such as “");
            html.prose(line, TEXT_CHARS);
            html.text("”");
        });
    }
}
