//! Parts that all sections share: their structure, and the cells of their tables.

use crate::write::report::chart::strip;
use crate::write::report::markup::Html;
use crate::write::report::number::{count, fraction, share};
use crate::write::report::run::data::{Count, Counts, Dropped, ReportData};

/// Maximum number of characters shown of an id, a code or a setting.
pub(super) const ID_CHARS: usize = 200;
/// Maximum number of characters shown of an address.
pub(super) const URL_CHARS: usize = 300;
/// Maximum number of characters shown of titles, messages and excerpts.
pub(super) const TEXT_CHARS: usize = 300;

/// One section of the page.
pub(in crate::write::report::run) struct Section {
    /// Its HTML id, the fragment of links to it.
    pub(in crate::write::report::run) id: &'static str,
    /// Name in the table of contents.
    pub(in crate::write::report::run) short: &'static str,
    /// Heading.
    pub(super) title: &'static str,
    /// Whether the section has content for this data.
    pub(super) shown: fn(&ReportData) -> bool,
    /// Writes the explanation of the figures, shown beside them.
    pub(super) note: fn(&mut Html, &ReportData),
    /// Writes the figures.
    pub(super) body: fn(&mut Html, &ReportData),
}

impl Section {
    /// Writes the section.
    pub(in crate::write::report::run) fn write(&self, html: &mut Html, data: &ReportData) {
        let heading = format!("{}-heading", self.id);
        html.within(
            "section",
            &[("id", &self.id), ("aria-labelledby", &heading)],
            |html| {
                html.within("div", &[("class", &"beside")], |html| {
                    html.element("h2", &[("id", &heading)], self.title);
                    html.within("div", &[("class", &"note")], |html| (self.note)(html, data));
                });
                html.within("div", &[("class", &"figures")], |html| (self.body)(html, data));
            },
        );
    }
}

/// Number of records dropped for the reasons selected by `which`.
pub(in crate::write::report::run) fn dropped(counts: &Counts, which: impl Fn(&Dropped) -> bool) -> u64 {
    counts
        .dropped
        .iter()
        .filter(|row| which(row))
        .fold(0, |sum: u64, row| sum.saturating_add(row.count))
}

/// Writes a note in place of missing figures.
pub(super) fn nothing(html: &mut Html, text: &'static str) {
    html.element("p", &[("class", &"nothing")], text);
}

/// Writes a paragraph.
pub(super) fn paragraph(html: &mut Html, text: impl std::fmt::Display) {
    html.element("p", &[], text);
}

/// Writes the header of a table. A `#` before a name marks a column of numbers; columns of drawings have an empty name.
pub(super) fn columns(html: &mut Html, names: &[&'static str]) {
    html.within("thead", &[], |html| {
        html.within("tr", &[], |html| {
            for name in names {
                match name.strip_prefix('#') {
                    Some(name) => html.element("th", &[("scope", &"col"), ("class", &"number")], name),
                    None if name.is_empty() => html.markup("<td class=\"drawing\"></td>"),
                    None => html.element("th", &[("scope", &"col")], name),
                }
            }
        });
    });
}

/// Writes a cell with a number.
pub(super) fn figure(html: &mut Html, text: impl std::fmt::Display) {
    html.element("td", &[("class", &"number")], text);
}

/// Writes a cell with a drawing.
pub(super) fn drawing(html: &mut Html, body: impl FnOnce(&mut Html)) {
    html.within("td", &[("class", &"drawing")], body);
}

/// Writes a code with its description, as the header of a row.
pub(super) fn code_cell(html: &mut Html, code: &str, meaning: &str) {
    html.within("th", &[("scope", &"row")], |html| {
        code_and_meaning(html, code, meaning);
    });
}

/// Writes a code with its description, if it has one.
pub(super) fn code_and_meaning(html: &mut Html, code: &str, meaning: &str) {
    html.exact(code, ID_CHARS);
    if !meaning.is_empty() {
        html.text(" ");
        html.element("span", &[("class", &"meaning")], meaning);
    }
}

/// Writes a table of names with their counts and their shares of `whole`.
pub(super) fn breakdown(
    html: &mut Html,
    caption: &str,
    names: [&'static str; 2],
    rows: &[Count],
    whole: u64,
    meaning: fn(&str) -> &'static str,
) {
    html.within("table", &[("class", &"breakdown")], |html| {
        html.element("caption", &[], caption);
        columns(html, &[names[0], names[1], "#Share", ""]);
        html.within("tbody", &[], |html| {
            for row in rows {
                html.within("tr", &[], |html| {
                    code_cell(html, &row.name, meaning(&row.name));
                    figure(html, count(row.count));
                    figure(html, share(row.count, whole));
                    drawing(html, |html| strip::share_bar(html, fraction(row.count, whole)));
                });
            }
        });
    });
}

/// The sum of these counts, at most `u64::MAX`.
pub(super) fn total(rows: &[Count]) -> u64 {
    rows.iter().fold(0, |sum: u64, row| sum.saturating_add(row.count))
}
