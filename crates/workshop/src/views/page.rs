//! A page as rendered, next to its text and the part that the user points at.

use dehusk_pipeline::extract::{BlockRecord, inspect};
use dehusk_pipeline::markup::Html;
use dehusk_pipeline::{BlockVerdict, Error};

use super::part::{by_selector, chosen, elsewhere};
use super::shell::{self, MAX_CHARS};
use super::site::draft_buttons;
use crate::beside::Asked;
use crate::fields::Fields;
use crate::frame;
use crate::look::{self, Look, Pointed};
use crate::reply::Reply;
use crate::workshop::Workshop;

/// Maximum number of blocks that are shown.
const MAX_BLOCKS: usize = 3000;
/// Maximum number of characters of a block that are shown.
const MAX_BLOCK_CHARS: usize = 4000;

pub(crate) fn show(workshop: &Workshop, number: usize, fields: &Fields) -> Result<Reply, Error> {
    let record = workshop.crawl.read(number)?;
    let host = workshop.crawl.host(number);
    let stores = workshop.stores(&host)?;
    let look = look::look(&record, &stores.draft, &workshop.options)?;
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
                                // The frame runs no scripts. Our own script reads it from outside.
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
                    legend(html, &look);
                    blocks(html, workshop, number, &look);
                },
            );
            html.within(
                "aside",
                &[("id", &"part"), ("class", &"part"), ("aria-live", &"polite")],
                |html| {
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
    for warning in &look.warnings {
        html.within("p", &[("class", &"alarm")], |html| {
            html.prose(&warning.message, MAX_CHARS);
        });
    }
}

/// Writes links to other views of this page, and to the previous and next page.
fn neighbors(html: &mut Html, workshop: &Workshop, number: usize, host: &str) {
    let pages = workshop.crawl.pages_of(host);
    let at = pages.binary_search(&number).unwrap_or(0);
    html.within("p", &[("class", &"actions")], |html| {
        for (name, rel, to) in [
            (
                "Page before",
                "prev",
                at.checked_sub(1).and_then(|at| pages.get(at)),
            ),
            ("Page behind", "next", pages.get(at + 1)),
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

fn legend(html: &mut Html, look: &Look) {
    html.within("p", &[("class", &"legend")], |html| {
        for verdict in BlockVerdict::ALL {
            let blocks = look
                .blocks
                .iter()
                .filter(|block| BlockVerdict::of(block) == verdict);
            html.element(
                "span",
                &[("class", &format_args!("b {}", verdict.name()))],
                format!("{} {}", blocks.count(), verdict.name()),
            );
            html.text(" ");
        }
    });
}

/// Writes the text, block by block. Each block is a link that selects it.
fn blocks(html: &mut Html, workshop: &Workshop, number: usize, look: &Look) {
    html.within("div", &[("id", &"blocks")], |html| {
        for (block, elements) in look.blocks.iter().zip(&look.elements).take(MAX_BLOCKS) {
            let element = elements.first().map_or_else(String::new, usize::to_string);
            let to = workshop.link(&format!("/page/{number}"), &[("element", &element)]) + "#part";
            let verdict = BlockVerdict::of(block).name();
            let numbers: Vec<String> = elements.iter().map(usize::to_string).collect();
            let about = format!("about-{}", block.i);
            html.within("p", &[("class", &format_args!("k-{}", block.kind))], |html| {
                html.within(
                    "a",
                    &[
                        ("class", &format_args!("b {verdict}")),
                        ("href", &to),
                        ("id", &format_args!("b{}", block.i)),
                        ("data-e", &numbers.join(" ")),
                        ("data-v", &verdict),
                        ("aria-describedby", &about),
                    ],
                    |html| html.prose(&block.text, MAX_BLOCK_CHARS),
                );
                why(html, block, &about);
            });
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

/// Writes why a block is kept or dropped.
fn why(html: &mut Html, block: &BlockRecord, id: &str) {
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
            if BlockVerdict::of(block) == BlockVerdict::Unsure {
                html.text(" · not sure");
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
