//! A page as it looks, beside its text and the part that the user points at.

use std::ops::Range;

use dehusk_pipeline::extract::{BlockRecord, inspect};
use dehusk_pipeline::markup::Html;
use dehusk_pipeline::verbs::explain::Spread;
use dehusk_pipeline::{BlockVerdict, Error};

use super::part::{by_selector, chosen, elsewhere};
use super::shell::{self, MAX_CHARS};
use super::site::draft_buttons;
use crate::beside::Asked;
use crate::crawl::CrawlPage;
use crate::fields::Fields;
use crate::frame;
use crate::look::{self, Look, Pointed};
use crate::reply::Reply;
use crate::workshop::Workshop;

/// Maximum number of blocks that are shown.
const MAX_BLOCKS: usize = 3000;
/// Minimum number of dropped blocks in a row that are folded.
const FOLDED: usize = 4;
/// Maximum number of characters of a block that are shown.
const MAX_BLOCK_CHARS: usize = 4000;

/// Shows a page with its text and the selected part.
pub(crate) fn show(workshop: &Workshop, number: usize, fields: &Fields) -> Result<Reply, Error> {
    let record = workshop.crawl.read(number)?;
    let host = workshop.crawl.host(number);
    let stores = workshop.stores(&host)?;
    let look =
        look::look(&record, &stores.draft, &workshop.options)?.with_passages(workshop.passages.as_ref());
    // A selector that the user typed takes precedence over the selected element.
    let pointed = match (fields.number("element"), fields.get("selector")) {
        (_, Some(selector)) => Some(Pointed::Selector(selector.to_owned())),
        (Some(element), _) => Some(Pointed::Element(element)),
        _ => None,
    };
    let (part, wrong) = match &pointed {
        Some(pointed) => match look::part(&record, &workshop.options, pointed) {
            Ok(part) => (part, None),
            Err(error) => (None, Some(error.to_string())),
        },
        None => (None, None),
    };
    let title = look
        .title
        .clone()
        .unwrap_or_else(|| workshop.crawl.name(number).to_owned());
    let site = workshop.link("/site", &[("host", &host)]);
    let trail = [(
        if host.is_empty() {
            "without an address"
        } else {
            &host
        },
        site,
    )];
    let page = shell::page(workshop, &title, &trail, |html| {
        facts(html, workshop, number, &look);
        keys(html);
        unstyled(html, workshop, number, &record);
        neighbors(html, workshop, number, &host);
        html.within("div", &[("class", &"work")], |html| {
            html.within(
                "section",
                &[("class", &"pane looks"), ("aria-labelledby", &"looks")],
                |html| {
                    html.element("h2", &[("id", &"looks")], "As it looks");
                    html.within("div", &[("class", &"stage")], |html| {
                        let frame = workshop.link(&format!("/frame/{number}"), &[]);
                        html.within(
                            "iframe",
                            &[
                                ("id", &"frame"),
                                ("src", &frame),
                                // The frame runs no scripts. Our script reads it from outside, so it has
                                // the same origin.
                                ("sandbox", &"allow-same-origin"),
                                ("title", &"The page as it looks"),
                                ("tabindex", &"-1"),
                            ],
                            |_| {},
                        );
                    });
                },
            );
            html.within(
                "section",
                &[("class", &"pane text"), ("aria-labelledby", &"what")],
                |html| {
                    html.element("h2", &[("id", &"what")], "Its text");
                    html.element(
                        "a",
                        &[("class", &"skip"), ("href", &"#part")],
                        "Past the text, to the part",
                    );
                    legend(html, &look, workshop.passages.is_some());
                    let chosen = part.as_ref().map(|part| part.element);
                    blocks(html, workshop, number, &look, chosen);
                },
            );
            html.within(
                "aside",
                &[("id", &"part"), ("class", &"part"), ("aria-live", &"polite")],
                |html| {
                    html.within("p", &[("class", &"close")], |html| {
                        if pointed.is_some() {
                            let to = workshop.link(&format!("/page/{number}"), &[]);
                            html.element(
                                "a",
                                &[("id", &"close"), ("href", &to), ("class", &"button")],
                                "Close",
                            );
                        }
                    });
                    html.element("h2", &[], "Part");
                    if let Some(wrong) = &wrong {
                        html.within("p", &[("class", &"alarm"), ("role", &"alert")], |html| {
                            html.prose(wrong, 500);
                        });
                    }
                    match &part {
                        Some(part) => chosen(html, workshop, (number, &host), part, fields),
                        None => html.element(
                            "p",
                            &[("class", &"note")],
                            match pointed {
                                Some(_) if wrong.is_none() => "Nothing of this page is found.",
                                _ => "Choose a block of the text, or click on the page.",
                            },
                        ),
                    }
                    by_selector(html, workshop, number, fields.text("selector"));
                    draft_buttons(
                        html,
                        workshop,
                        &host,
                        (Some(number), part.as_ref().map(|part| part.element)),
                    );
                    elsewhere(html, workshop, number, &host, (&stores.saved, &stores.draft));
                },
            );
        });
    });
    Ok(Reply::Page(page))
}

/// Returns the rendered page, for the frame.
pub(crate) fn frame(workshop: &Workshop, number: usize, _: &Fields) -> Result<Reply, Error> {
    let record = workshop.crawl.read(number)?;
    let stores = workshop.stores(&workshop.crawl.host(number))?;
    let marks = look::look(&record, &stores.draft, &workshop.options)?.marks();
    let url = workshop.crawl.url(number);
    let style = workshop.link("/frame.css", &[]);
    let page = inspect(&record.page()?, &workshop.options, |view| {
        let links = Asked::by_page(workshop, number, frame::base(view.dom, url));
        frame::write(view, &style, &links, &marks)
    });
    Ok(Reply::Frame(page))
}

/// Keys of this page, as the script handles them.
const KEYS: &[(&str, &str)] = &[
    ("j, k", "next and previous block"),
    ("Enter", "choose it"),
    ("d, e, o", "drop it, keep it too, keep nothing else"),
    ("t, a, w", "it is the title, the author, the date (when)"),
    ("u, r", "undo, redo"),
    ("s", "see all changes and save"),
    ("n, p", "next and previous page"),
    ("Esc", "close the part"),
    ("?", "show or hide this list"),
];

/// Writes the list of keys.
fn keys(html: &mut Html) {
    html.within("details", &[("id", &"keys")], |html| {
        html.element("summary", &[], "Keys");
        html.within("dl", &[], |html| {
            for (key, what) in KEYS {
                html.within("dt", &[], |html| html.element("kbd", &[], key));
                html.element("dd", &[], what);
            }
        });
    });
}

/// Writes why the page is shown without some of its style sheets, if it is.
fn unstyled(html: &mut Html, workshop: &Workshop, number: usize, record: &CrawlPage) {
    let missing = match Asked::missing_sheets(workshop, number, record) {
        Ok((missing, all)) if missing > 0 => (missing, all),
        _ => return,
    };
    let told = match missing {
        (1, 1) => "Its style sheet is".to_owned(),
        (missing, all) if missing == all => format!("Its {all} style sheets are"),
        (1, all) => format!("One of its {all} style sheets is"),
        (missing, all) => format!("{missing} of its {all} style sheets are"),
    };
    html.element(
        "p",
        &[("class", &"note")],
        format!(
            "{told} not in the crawl, so that it looks plainer here than it did to its readers. The workshop shows style sheets and images \
             that an archive or a folder holds beside its pages."
        ),
    );
}

/// Writes the address of a page, the method and its confidence, the fields and the warnings.
fn facts(html: &mut Html, workshop: &Workshop, number: usize, look: &Look) {
    html.within("p", &[("class", &"where")], |html| {
        html.address(workshop.crawl.name(number), MAX_CHARS);
    });
    html.within("p", &[("class", &"note")], |html| {
        let share = 100 * look.kept_chars / look.all_chars.max(1);
        html.text(format!(
            "Kept {} of {} characters ({share} %) by {}, confidence {:.2}",
            look.kept_chars, look.all_chars, look.method, look.confidence
        ));
    });
    if !look.fields.is_empty() {
        html.within("dl", &[("class", &"fields")], |html| {
            for (key, value, source) in &look.fields {
                html.element("dt", &[], *key);
                html.within("dd", &[], |html| {
                    html.prose(value, MAX_CHARS);
                    html.element("span", &[("class", &"note")], format!(" {source}"));
                });
            }
        });
    }
    for warning in &look.warnings {
        html.within("p", &[("class", &"alarm")], |html| {
            html.prose(&warning.message, MAX_CHARS);
        });
    }
}

/// Writes links to other views of this page, and to the previous and the next page.
fn neighbors(html: &mut Html, workshop: &Workshop, number: usize, host: &str) {
    let pages = workshop.crawl.pages_of(host);
    let at = pages.binary_search(&number).unwrap_or(0);
    html.within("p", &[("class", &"actions")], |html| {
        for (name, rel, to) in [
            (
                "Previous page",
                "prev",
                at.checked_sub(1).and_then(|at| pages.get(at)),
            ),
            ("Next page", "next", pages.get(at + 1)),
        ] {
            if let Some(to) = to {
                html.element(
                    "a",
                    &[
                        ("href", &workshop.link(&format!("/page/{to}"), &[])),
                        ("rel", &rel),
                    ],
                    name,
                );
            }
        }
        for (path, name) in [("methods", "Compare methods"), ("label", "Label this page")] {
            html.element(
                "a",
                &[("href", &workshop.link(&format!("/{path}/{number}"), &[]))],
                name,
            );
        }
    });
}

/// Writes the colors of the text with their meanings, and the number of blocks of each.
fn legend(html: &mut Html, look: &Look, has_passages: bool) {
    html.within("p", &[("class", &"legend")], |html| {
        for verdict in BlockVerdict::ALL {
            let blocks = look
                .blocks
                .iter()
                .filter(|block| BlockVerdict::of(block) == verdict);
            html.element(
                "span",
                &[("class", &format_args!("b {}", verdict.classes()))],
                format!("{} ({})", verdict.title(), blocks.count()),
            );
            html.text(" ");
        }
        if has_passages {
            let count = look.repeated.iter().flatten().count();
            html.element(
                "span",
                &[("class", &"b repeated")],
                format!("repeated elsewhere ({count})"),
            );
        }
    });
}

/// Writes the text, block by block. Each block is a link that selects it. Many dropped blocks in a row are
/// folded. A fold is open if the selected element is in it.
fn blocks(html: &mut Html, workshop: &Workshop, number: usize, look: &Look, chosen: Option<usize>) {
    let shown = look.blocks.len().min(MAX_BLOCKS);
    let is_dropped = |at: usize| BlockVerdict::of(&look.blocks[at]) == BlockVerdict::Dropped;
    html.within("div", &[("id", &"blocks")], |html| {
        let mut at = 0;
        while at < shown {
            // If the block here is not dropped, `end` is `at`, and the block is written alone.
            let end = (at..shown).find(|at| !is_dropped(*at)).unwrap_or(shown);
            if end - at >= FOLDED {
                let has_chosen = chosen.is_some_and(|chosen| {
                    look.elements[at..end]
                        .iter()
                        .any(|elements| elements.contains(&chosen))
                });
                let class: &dyn std::fmt::Display = &"fold";
                let mut attributes = vec![("class", class)];
                if has_chosen {
                    attributes.push(("open", &""));
                }
                html.within("details", &attributes, |html| {
                    html.element("summary", &[], format!("{} dropped blocks", end - at));
                    block_links(html, workshop, number, look, at..end);
                });
            } else {
                block_links(html, workshop, number, look, at..end.max(at + 1));
            }
            at = end.max(at + 1);
        }
        if look.blocks.len() > MAX_BLOCKS {
            html.element(
                "p",
                &[("class", &"note")],
                format!("{} more blocks are not shown.", look.blocks.len() - MAX_BLOCKS),
            );
        }
    });
}

/// Writes blocks as links.
fn block_links(html: &mut Html, workshop: &Workshop, number: usize, look: &Look, range: Range<usize>) {
    let elements = look.elements[range.clone()]
        .iter()
        .zip(&look.repeated[range.clone()]);
    for (block, (elements, repeated)) in look.blocks[range].iter().zip(elements) {
        // A block may consist of several elements. Its link selects the first one, and the script finds it
        // by each of them.
        let element = elements.first().map_or_else(String::new, usize::to_string);
        let to = workshop.link(&format!("/page/{number}"), &[("element", &element)]) + "#part";
        let verdict = BlockVerdict::of(block);
        let numbers: Vec<String> = elements.iter().map(usize::to_string).collect();
        let about = format!("about-{}", block.i);
        let repeats = if repeated.is_some() { " repeated" } else { "" };
        let class = format!("b {}{repeats}", verdict.classes());
        html.within("p", &[("class", &format_args!("k-{}", block.kind))], |html| {
            html.within(
                "a",
                &[
                    ("class", &class),
                    ("href", &to),
                    ("id", &format_args!("b{}", block.i)),
                    ("data-e", &numbers.join(" ")),
                    ("data-v", &verdict.name()),
                    ("aria-describedby", &about),
                ],
                |html| html.prose(&block.text, MAX_BLOCK_CHARS),
            );
            why(html, block, *repeated, &about);
        });
    }
}

/// Writes why a block is kept or dropped.
fn why(html: &mut Html, block: &BlockRecord, repeated: Option<Spread>, id: &str) {
    html.within(
        "span",
        &[("class", &"about"), ("role", &"tooltip"), ("id", &id)],
        |html| {
            let label = if block.kept { "kept" } else { "dropped" };
            html.element(
                "span",
                &[("class", &"strong")],
                format!("{label}: {}", block.reason),
            );
            if BlockVerdict::of(block).is_unsure() {
                html.text(" · not sure");
            }
            if let Some(repeated) = repeated {
                html.text(format!(" · {repeated}"));
            }
            html.text(format!(" · {}, {}", block.kind, block.class));
            for (name, value) in &block.scores {
                html.text(format!(" · {} {:.2}", name.replace('_', " "), value));
            }
            html.text(" · ");
            html.exact(&block.path, MAX_CHARS);
        },
    );
}
