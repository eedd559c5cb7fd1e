//! Labels of pages, and scores of rules, templates and the page level on them.

use dehusk_lab::metrics::main_text::Score;
use dehusk_pipeline::Error;
use dehusk_pipeline::extract::Page;
use dehusk_pipeline::markup::Html;
use dehusk_pipeline::site::Store;

use super::shell::{self, count, hidden};
use crate::fields::Fields;
use crate::labels::{self, NewLabel};
use crate::look;
use crate::reply::Reply;
use crate::workshop::Workshop;

/// Shows a page to be labelled, with its present main text for the user to correct.
pub(crate) fn label(workshop: &Workshop, number: usize, _: &Fields) -> Result<Reply, Error> {
    let record = workshop.crawl.read(number)?;
    let host = workshop.crawl.host(number);
    let stores = workshop.stores(&host)?;
    let now = look::look(&record, &stores.draft, &workshop.options)?;
    let id = workshop.crawl.name(number);
    let known = labels::read(&workshop.folder, &host)?
        .into_iter()
        .find(|label| label.id == id);
    let gold = known
        .as_ref()
        .map_or(now.text.as_str(), |label| label.gold.as_str());
    let trail = [
        (host.as_str(), workshop.link("/site", &[("host", &host)])),
        ("page", workshop.link(&format!("/page/{number}"), &[])),
    ];
    Ok(Reply::Page(shell::page(
        workshop,
        "The main text of this page",
        &trail,
        |html| {
            html.within("p", &[("class", &"where")], |html| html.address(id, 300));
            let told = match known {
                Some(_) => "This page is labelled. Correct it here.",
                None => {
                    "This is what is kept as it stands. Take out what does not belong, and put in what is missing, a line each block."
                }
            };
            html.element("p", &[], told);
            html.within(
                "form",
                &[("method", &"post"), ("action", &workshop.link("/label", &[]))],
                |html| {
                    hidden(html, &[("page", &number.to_string())]);
                    html.within("label", &[], |html| {
                        html.element("span", &[("class", &"hidden")], "Main text");
                        html.within("textarea", &[("name", &"gold"), ("rows", &24)], |html| {
                            // HTML drops the first line feed in a `textarea`, so another one is written
                            // before the text.
                            html.markup("\n");
                            html.text(gold);
                        });
                    });
                    html.element("button", &[], "Save the label");
                },
            );
            html.element("h2", &[], "All text of the page");
            for block in now.blocks.iter().take(2000) {
                html.within("p", &[], |html| {
                    let class = if block.kept { "b kept" } else { "b dropped" };
                    html.within("span", &[("class", &class)], |html| html.prose(&block.text, 2000));
                });
            }
        },
    )))
}

/// Saves a label.
pub(crate) fn save(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    let number = fields.number("page").unwrap_or(usize::MAX);
    let record = workshop.crawl.read(number)?;
    let host = workshop.crawl.host(number);
    let stores = workshop.stores(&host)?;
    let now = look::look(&record, &stores.draft, &workshop.options)?;
    let all: Vec<&str> = now.blocks.iter().map(|block| block.text.as_str()).collect();
    // Forms send line breaks as CR LF.
    let gold = fields.text("gold").replace("\r\n", "\n");
    let label = NewLabel {
        id: workshop.crawl.name(number),
        url: workshop.crawl.url(number),
        gold: &gold,
        html: &record.page()?.text(&workshop.options),
        all: &all.join("\n"),
    };
    labels::write(&workshop.folder, &host, &label)?;
    Ok(Reply::To(workshop.link("/measures", &[("host", &host)])))
}

/// Shows the scores on the labelled pages of a site, for each of the methods.
pub(crate) fn show(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    let host = fields.text("host");
    let labelled = labels::read(&workshop.folder, host)?;
    let gold = labels::gold(&labelled);
    let stores = workshop.stores(host)?;
    let alone = Store::default();
    let templates = Store::from_parts(workshop.templates.iter().cloned(), None);
    let mut rows: Vec<(&str, Vec<Option<Score>>)> = Vec::new();
    let pages: Vec<Option<String>> = labelled
        .iter()
        // A labelled page may be missing in this crawl. It stays in the list without a score.
        .map(|label| html_of(workshop, host, &label.id))
        .collect();
    for (name, store) in [
        ("Page level alone", &alone),
        ("Templates", &templates),
        ("As saved", &stores.saved),
        ("As it stands here", &stores.draft),
    ] {
        if name == "Templates" && workshop.templates.is_empty() {
            continue;
        }
        let scored = labelled
            .iter()
            .zip(&gold)
            .zip(&pages)
            .map(|((label, gold), html)| {
                let page = Page::decoded(html.as_deref()?).with_url(label.url.as_deref());
                Some(gold.score(&store.extract(&page, &workshop.options).text))
            });
        let scores = scored.collect();
        rows.push((name, scores));
    }
    let trail = [(host, workshop.link("/site", &[("host", host)]))];
    Ok(Reply::Page(shell::page(workshop, "Measures", &trail, |html| {
        html.element(
            "p",
            &[],
            format!(
                "{} of this site.",
                count(labelled.len(), "labelled page", "labelled pages")
            ),
        );
        if labelled.is_empty() {
            html.element(
                "p",
                &[("class", &"note")],
                "Label some pages: each page of the site has a link for it.",
            );
            return;
        }
        html.element(
            "p",
            &[("class", &"note")],
            "Four-word shingles, as cargo xtask eval --sites counts them. Leak is the share of what half of the labelled pages repeat beside \
            their main text, and that is kept nevertheless; of one page there is none.",
        );
        table(html, &rows);
        html.element("h2", &[], "Labelled pages");
        html.within("ul", &[], |html| {
            for (at, label) in labelled.iter().enumerate() {
                html.within("li", &[], |html| {
                    html.prose(&label.id, 300);
                    if let Some((_, scores)) = rows.last() {
                        html.text(match scores.get(at) {
                            Some(Some(score)) => format!(" F1 {:.3}", score.f1),
                            _ => " is not in this crawl".to_owned(),
                        });
                    }
                });
            }
        });
    })))
}

/// Returns the HTML of a labelled page in the crawl; `None` if the crawl does not have the page.
fn html_of(workshop: &Workshop, host: &str, id: &str) -> Option<String> {
    let pages = workshop.crawl.pages_of(host).iter();
    let number = pages.copied().find(|number| workshop.crawl.name(*number) == id)?;
    let record = workshop.crawl.read(number).ok()?;
    Some(record.page().ok()?.text(&workshop.options))
}

/// Writes the mean scores of each method.
fn table(html: &mut Html, rows: &[(&str, Vec<Option<Score>>)]) {
    html.within("table", &[("class", &"list")], |html| {
        html.within("thead", &[], |html| {
            html.within("tr", &[], |html| {
                for name in ["", "F1", "Precision", "Recall", "Leak"] {
                    html.element("th", &[("scope", &"col")], name);
                }
            });
        });
        html.within("tbody", &[], |html| {
            for (name, scores) in rows {
                let known: Vec<Score> = scores.iter().flatten().copied().collect();
                let mean = labels::mean(&known);
                html.within("tr", &[], |html| {
                    html.element("th", &[("scope", &"row")], name);
                    for value in [mean.f1, mean.precision, mean.recall, mean.leak] {
                        // Without any score there is no mean.
                        let text = if value.is_nan() {
                            "–".to_owned()
                        } else {
                            format!("{value:.3}")
                        };
                        html.element("td", &[("class", &"number")], text);
                    }
                });
            }
        });
    });
}
