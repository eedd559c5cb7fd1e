//! The scores of the same methods on raw and on cleaned text.

use std::collections::BTreeMap;

use dehusk_pipeline::markup::Html;
use dehusk_pipeline::number::count;

use crate::compare::{Results, View};
use crate::report::cells::{figure, framed, heads, number};

/// Writes F1 of each method on all texts, and figures of the texts.
pub(super) fn table(html: &mut Html, results: &Results, view: &View) {
    if results.views.len() < 2 {
        html.element(
            "p",
            &[("class", &"nothing")],
            "One text was compared: the documents are no pages, or one text of them was asked for.",
        );
        return;
    }
    // F1 by name and mode. A method may lack a row for a text, so rows are matched by name and not by rank.
    let scores: Vec<BTreeMap<(&str, &str), f64>> = results
        .views
        .iter()
        .map(|view| {
            let rows = view.rows.iter();
            rows.map(|row| ((row.name.as_str(), row.mode.name()), row.pairs.f1))
                .collect()
        })
        .collect();
    framed(html, "", |html| {
        let mut columns = vec![("Method", false), ("Mode", false)];
        columns.extend(results.views.iter().map(|view| (view.name.as_str(), true)));
        columns.push(("Gain", true));
        heads(html, &columns);
        html.within("tbody", &[], |html| {
            for row in &view.rows {
                let key = (row.name.as_str(), row.mode.name());
                let own: Vec<Option<f64>> = scores.iter().map(|scores| scores.get(&key).copied()).collect();
                html.within("tr", &[], |html| {
                    html.within("th", &[("scope", &"row")], |html| html.prose(&row.name, 60));
                    html.element("td", &[("class", &"soft")], row.mode.name());
                    for score in &own {
                        number(html, score.map_or_else(String::new, figure));
                    }
                    let gain = own.first().copied().flatten().zip(own.last().copied().flatten());
                    number(
                        html,
                        gain.map_or_else(String::new, |(from, to)| format!("{:+.3}", to - from)),
                    );
                });
            }
        });
    });
    html.element("h3", &[], "What is left of the texts");
    framed(html, "", |html| {
        heads(
            html,
            &[
                ("Text", false),
                ("Documents", true),
                ("Empty", true),
                ("Different", true),
                ("Words in different texts", true),
            ],
        );
        html.within("tbody", &[], |html| {
            for view in &results.views {
                html.within("tr", &[], |html| {
                    html.element("th", &[("scope", &"row")], &view.name);
                    for total in [
                        view.set.documents,
                        view.set.empty,
                        view.set.distinct,
                        view.set.tokens,
                    ] {
                        number(html, count(total));
                    }
                });
            }
        });
    });
}
