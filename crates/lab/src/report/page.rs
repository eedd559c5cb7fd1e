//! The page: frame, head and sections.

use dehusk_pipeline::markup::{self, Html};
use dehusk_pipeline::number::count;

use super::{cells, sections};
use crate::compare::{Results, View};

/// The style sheet, which is embedded in the page.
const STYLE: &str = include_str!("style.css");
/// SHA-256 of [`STYLE`] in base64. The content security policy of the page allows only this style sheet. A
/// test compares the two.
pub(super) const STYLE_SHA256: &str = "faWffId7yJGeP0edZ1/Ob11fsNeIPE32PYdxvCTH7b0=";
/// Largest number of characters of a title that are shown.
const TITLE: usize = 120;

/// The view that is shown in full: the last one, which has the cleanest text of pages. `None` if there are
/// no views.
pub(super) fn shown(results: &Results) -> Option<&View> {
    results.views.last()
}

/// The page as HTML. Equal results give equal pages.
#[must_use]
pub fn render(results: &Results) -> String {
    let mut html = Html::default();
    html.markup("<!DOCTYPE html>\n");
    html.within("html", &[("lang", &"en")], |html| {
        html.within("head", &[], |html| {
            let title = format!("{} – comparison of duplicate search", results.title);
            markup::head(html, &results.tool, &title, STYLE, STYLE_SHA256);
        });
        html.within("body", &[], |html| {
            html.within("header", &[], |html| head(html, results));
            if let Some(view) = shown(results) {
                html.within("nav", &[("aria-label", &"Parts of this report")], contents);
                html.within("main", &[], |html| {
                    for section in sections::ALL {
                        html.within("section", &[("id", &section.id)], |html| {
                            html.element("h2", &[], section.title);
                            html.element("p", &[("class", &"note")], section.note);
                            (section.write)(html, results, view);
                        });
                    }
                });
            }
            html.within("footer", &[], |html| {
                html.element(
                    "p",
                    &[],
                    "This file is complete in itself: it loads nothing and runs no script. All figures stand in results.json and in \
                     the tables beside it.",
                );
            });
        });
    });
    html.finish()
}

/// Writes links to the sections.
fn contents(html: &mut Html) {
    html.within("ul", &[], |html| {
        for section in sections::ALL {
            html.within("li", &[], |html| {
                html.element("a", &[("href", &format_args!("#{}", section.id))], section.title);
            });
        }
    });
}

/// Writes title, figures of the set, and the best method.
#[expect(clippy::cast_possible_truncation, reason = "numbers of pairs are whole")]
fn head(html: &mut Html, results: &Results) {
    html.within("p", &[("class", &"kicker")], |html| {
        html.text("Comparison of duplicate search · ");
        html.prose(&results.tool, TITLE);
    });
    html.within("h1", &[], |html| html.prose(&results.title, TITLE));
    let Some(view) = shown(results) else {
        html.element("p", &[("class", &"nothing")], "Nothing was compared.");
        return;
    };
    html.within("p", &[("class", &"lead")], |html| {
        let set = &view.set;
        html.text(format_args!(
            "{} documents, {} different texts",
            count(set.documents),
            count(set.distinct)
        ));
        if let Some(degree) = set.degrees.first() {
            html.text(format_args!(
                "; {} groups of duplicates with {} documents and {} pairs",
                count(degree.groups),
                count(degree.documents),
                count(degree.pairs as u64)
            ));
        }
        html.text(". ");
        if let Some(row) = view.rows.first() {
            html.text(format_args!(
                "Best by F1 of pairs: {}, {}, ",
                row.name,
                row.mode.name()
            ));
            html.text(format_args!(
                "{} (precision {}, recall {}).",
                cells::figure(row.pairs.f1),
                cells::figure(row.pairs.precision),
                cells::figure(row.pairs.recall)
            ));
        }
    });
}
