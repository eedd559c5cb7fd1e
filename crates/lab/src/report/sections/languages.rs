//! Precision and recall by language.

use dehusk_pipeline::markup::Html;
use dehusk_pipeline::number::count;

use crate::compare::{Results, View};
use crate::report::cells::{figure, framed, heads, number};

/// Number of rows of the leaderboard that have columns in the table.
const ROWS: usize = 3;

/// Writes the table.
#[expect(clippy::cast_possible_truncation, reason = "numbers of pairs are whole")]
pub(super) fn table(html: &mut Html, _: &Results, view: &View) {
    let languages = &view.set.languages;
    if languages.is_empty() {
        html.element("p", &[("class", &"nothing")], "The truth names no language.");
        return;
    }
    let rows = &view.rows[..view.rows.len().min(ROWS)];
    framed(html, "", |html| {
        let names: Vec<[String; 2]> = rows
            .iter()
            .map(|row| {
                let name = format!("{}, {}", row.name, row.mode.name());
                [format!("{name}: precision"), "recall".to_owned()]
            })
            .collect();
        let mut columns = vec![("Language", false), ("Documents", true), ("True pairs", true)];
        columns.extend(names.iter().flatten().map(|name| (name.as_str(), true)));
        heads(html, &columns);
        html.within("tbody", &[], |html| {
            for (place, language) in languages.iter().enumerate() {
                html.within("tr", &[], |html| {
                    html.within("th", &[("scope", &"row")], |html| html.prose(&language.name, 60));
                    number(html, count(language.documents));
                    number(html, count(language.pairs as u64));
                    for scores in rows.iter().filter_map(|row| row.languages.get(place)) {
                        number(html, figure(scores.precision));
                        number(html, figure(scores.recall));
                    }
                });
            }
        });
    });
}
