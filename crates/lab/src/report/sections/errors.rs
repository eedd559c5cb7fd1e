//! The hardest errors, with both texts side by side.

use dehusk_pipeline::markup::Html;

use crate::compare::{Example, Results, View};
use crate::report::cells::figure;

/// Largest number of characters shown of a run of words.
const RUN: usize = 2000;
/// Largest number of characters shown of an id.
const ID: usize = 100;

/// Writes the section.
pub(super) fn all(html: &mut Html, _: &Results, view: &View) {
    list(
        html,
        "Alike, but no duplicates by the truth: the most similar pairs",
        "found by",
        &view.false_positives,
    );
    list(
        html,
        "Duplicates that the first row of the leaderboard missed: the most similar pairs",
        "missed with verification by",
        &view.false_negatives,
    );
}

/// Writes pairs of texts side by side. Words that only one text has are marked.
fn list(html: &mut Html, title: &str, by: &str, examples: &[Example]) {
    html.element("h3", &[], title);
    if examples.is_empty() {
        html.element("p", &[("class", &"nothing")], "None.");
        return;
    }
    for example in examples {
        html.within("div", &[("class", &"pair")], |html| {
            html.within("p", &[("class", &"soft")], |html| {
                html.text(format_args!("Similarity {}; {by} ", figure(example.similarity)));
                html.text(match example.wrong.len() {
                    0 => "none".to_owned(),
                    1..=6 => example.wrong.join(", "),
                    n => format!("{n} methods"),
                });
            });
            html.within("div", &[("class", &"sides")], |html| {
                for (id, text) in example.ids.iter().zip(&example.texts) {
                    html.within("div", &[("class", &"side")], |html| {
                        html.within("span", &[("class", &"id")], |html| html.exact(id, ID));
                        for (place, (run, same)) in text.iter().enumerate() {
                            if place > 0 {
                                html.text(" ");
                            }
                            if *same {
                                html.prose(run, RUN);
                            } else {
                                html.within("mark", &[], |html| html.prose(run, RUN));
                            }
                        }
                    });
                }
            });
        });
    }
}
