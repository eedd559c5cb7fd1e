//! The results of several methods on one page, side by side.

use dehusk_pipeline::Error;
use dehusk_pipeline::extract::{BlockRecord, extract};
use dehusk_pipeline::markup::Html;
use dehusk_pipeline::site::Store;

use super::shell;
use crate::fields::Fields;
use crate::reply::Reply;
use crate::workshop::Workshop;

/// The method that decides by the layout of a page.
const VISUAL: &str = "visual";
/// Page-level methods that are compared.
const METHODS: &[&str] = &["default", "readability", "boilerpipe-article", VISUAL];
/// Maximum number of blocks that are shown.
const MAX_BLOCKS: usize = 2000;

/// The result of a method on the page.
struct Column {
    name: String,
    words: u64,
    kept: Vec<bool>,
}

/// Shows which blocks each method keeps.
pub(crate) fn show(workshop: &Workshop, number: usize, _: &Fields) -> Result<Reply, Error> {
    let record = workshop.crawl.read(number)?;
    let page = record.page()?;
    let host = workshop.crawl.host(number);
    let mut columns = Vec::new();
    let mut blocks: Vec<BlockRecord> = Vec::new();
    let mut add = |name: &str, got: dehusk_pipeline::extract::Extracted| {
        let found = got.blocks.unwrap_or_default();
        columns.push(Column {
            name: name.to_owned(),
            words: dehusk_pipeline::extract::rules::words(&got.text),
            kept: found.iter().map(|block| block.kept).collect(),
        });
        // The blocks of a page are the same for all methods, which differ in the kept ones.
        if blocks.is_empty() {
            blocks = found;
        }
    };
    for name in METHODS
        .iter()
        .filter(|name| **name != VISUAL || record.has_layout())
    {
        // A method that cannot be selected is left out.
        if let Ok(options) = workshop.options.clone().with_blocks(true).with_extractor(name) {
            add(name, extract(&page, &options));
        }
    }
    let options = workshop.options.clone().with_blocks(true);
    let templates = Store::from_parts(workshop.templates.iter().cloned(), None);
    // Without templates of the site, the column would repeat that of the page level.
    if !templates.for_url(record.url().unwrap_or_default()).is_empty() {
        let got = templates.extract(&page, &options);
        let name = if got.method == "site" {
            "template"
        } else {
            "template (none fits)"
        };
        add(name, got);
    }
    let stores = workshop.stores(&host)?;
    let got = stores.draft.extract(&page, &options);
    let name = format!("as it stands ({})", got.method);
    add(&name, got);
    let trail = [
        (host.as_str(), workshop.link("/site", &[("host", &host)])),
        ("page", workshop.link(&format!("/page/{number}"), &[])),
    ];
    Ok(Reply::Page(shell::page(
        workshop,
        "Methods side by side",
        &trail,
        |html| {
            html.within("p", &[("class", &"where")], |html| {
                html.address(workshop.crawl.name(number), 300);
            });
            html.within(
                "div",
                &[
                    ("class", &"wide"),
                    ("tabindex", &"0"),
                    ("role", &"region"),
                    ("aria-label", &"Methods"),
                ],
                |html| {
                    table(html, &columns, &blocks);
                },
            );
            if !record.has_layout() {
                html.element(
                    "p",
                    &[("class", &"note")],
                    "The visual method needs a layout of the page: make one with dehusk render, and start with --layout FILE.",
                );
            }
        },
    )))
}

/// Writes a row for each block, with the decision of each method.
fn table(html: &mut Html, columns: &[Column], blocks: &[BlockRecord]) {
    html.within("table", &[("class", &"list methods")], |html| {
        html.within("thead", &[], |html| {
            html.within("tr", &[], |html| {
                html.element("th", &[("scope", &"col")], "Block");
                for column in columns {
                    html.within("th", &[("scope", &"col")], |html| {
                        html.text(&column.name);
                        html.element("div", &[], format!("{} words", column.words));
                    });
                }
            });
        });
        html.within("tbody", &[], |html| {
            for (at, block) in blocks.iter().enumerate().take(MAX_BLOCKS) {
                let verdicts: Vec<bool> = columns
                    .iter()
                    .map(|c| c.kept.get(at).copied().unwrap_or(false))
                    .collect();
                let differ = verdicts.iter().any(|kept| Some(kept) != verdicts.first());
                html.within(
                    "tr",
                    &[("class", &if differ { "differ" } else { "agree" })],
                    |html| {
                        html.within("td", &[], |html| html.prose(&block.text, 160));
                        for kept in verdicts {
                            let (class, text) = if kept {
                                ("b kept", "✓ kept")
                            } else {
                                ("b dropped", "dropped")
                            };
                            html.within("td", &[], |html| html.element("span", &[("class", &class)], text));
                        }
                    },
                );
            }
        });
    });
}
