//! The settings, and figures of the set.

use dehusk_pipeline::markup::Html;
use dehusk_pipeline::number::count;

use crate::compare::{Results, View};
use crate::report::cells::framed;

/// Writes the table.
#[expect(clippy::cast_possible_truncation, reason = "numbers of pairs are whole")]
pub(super) fn table(html: &mut Html, results: &Results, view: &View) {
    let set = &view.set;
    let mut rows: Vec<(String, String)> = vec![
        ("documents".to_owned(), count(set.documents)),
        ("rejected records".to_owned(), count(set.rejected)),
        ("documents without words".to_owned(), count(set.empty)),
        ("different texts".to_owned(), count(set.distinct)),
        ("words in different texts".to_owned(), count(set.tokens)),
        ("ids of the truth without document".to_owned(), count(set.unknown)),
    ];
    for degree in &set.degrees {
        rows.push((
            format!("truth, {}", degree.name),
            format!(
                "{} groups, {} documents, {} pairs",
                count(degree.groups),
                count(degree.documents),
                count(degree.pairs as u64)
            ),
        ));
    }
    framed(html, "settings", |html| {
        html.within("tbody", &[], |html| {
            for (name, value) in rows.iter().chain(&results.settings) {
                html.within("tr", &[], |html| {
                    html.element("th", &[("scope", &"row")], name);
                    html.within("td", &[], |html| html.exact(value, 4000));
                });
            }
        });
    });
}
