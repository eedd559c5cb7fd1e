//! One page as it looks, beside its text, and the part of it that a person points at.

use dehusk_pipeline::extract::rules::Selector;
use dehusk_pipeline::extract::{BlockRecord, inspect};
use dehusk_pipeline::markup::Html;
use dehusk_pipeline::{BlockVerdict, Error};

use super::shell::{self, MAX_CHARS, count, hidden};
use super::site::draft_buttons;
use crate::changes;
use crate::fields::Fields;
use crate::frame;
use crate::look::{self, Look, Part, Pointed, beginning};
use crate::reply::Reply;
use crate::workshop::Workshop;

/// Blocks that are shown.
const MAX_BLOCKS: usize = 3000;
/// Characters of a block that are shown.
const MAX_BLOCK_CHARS: usize = 4000;
/// Other pages of the site on which changes are looked for at once.
const OTHERS: usize = 24;
/// Pages of the site on which selectors are counted.
const COUNTED: usize = 60;

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
    let title = look.title.clone().unwrap_or_else(|| workshop.crawl.name(number).to_owned());
    let site = workshop.link("/site", &[("host", &host)]);
    let trail = [(if host.is_empty() { "without an address" } else { &host }, site)];
    let page = shell::page(workshop, &title, &trail, |html| {
        facts(html, workshop, number, &look);
        neighbors(html, workshop, number, &host);
        html.within("div", &[("class", &"work")], |html| {
            html.within("section", &[("class", &"pane looks"), ("aria-labelledby", &"looks")], |html| {
                html.element("h2", &[("id", &"looks")], "As it looks");
                html.within("div", &[("class", &"stage")], |html| {
                    let frame = workshop.link(&format!("/frame/{number}"), &[]);
                    html.within(
                        "iframe",
                        &[
                            ("id", &"frame"),
                            ("src", &frame),
                            // Without scripts. Our own script reads it from outside.
                            ("sandbox", &"allow-same-origin"),
                            ("title", &"The page as it looks"),
                            ("tabindex", &"-1"),
                        ],
                        |_| {},
                    );
                });
            });
            html.within("section", &[("class", &"pane text"), ("aria-labelledby", &"what")], |html| {
                html.element("h2", &[("id", &"what")], "Its text");
                legend(html, &look);
                blocks(html, workshop, number, &look);
            });
            html.within("aside", &[("id", &"part"), ("class", &"part"), ("aria-live", &"polite")], |html| {
                html.element("h2", &[], "Part");
                if let Some(wrong) = &wrong {
                    html.within("p", &[("class", &"alarm"), ("role", &"alert")], |html| html.prose(wrong, 500));
                }
                match &part {
                    Some(part) => chosen(html, workshop, (number, &host), part),
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
                draft_buttons(html, workshop, &host, Some(number));
                elsewhere(html, workshop, number, &host, (&stores.saved, &stores.draft));
            });
        });
    });
    Ok(Reply::Page(page))
}

/// The page as it looks, for the frame.
pub(crate) fn frame(workshop: &Workshop, number: usize) -> Result<Reply, Error> {
    let record = workshop.crawl.read(number)?;
    let stores = workshop.stores(&workshop.crawl.host(number))?;
    let marks = look::look(&record, &stores.draft, &workshop.options)?.marks();
    let sheet = |at: usize| workshop.link(&format!("/sheet/{number}/{at}"), &[]);
    let style = workshop.link("/frame.css", &[]);
    let page = inspect(&look::page_of(&record)?, &workshop.options, |view| {
        frame::write(view, &style, &sheet, &marks)
    });
    Ok(Reply::Frame(page))
}

fn facts(html: &mut Html, workshop: &Workshop, number: usize, look: &Look) {
    html.within("p", &[("class", &"where")], |html| html.address(workshop.crawl.name(number), MAX_CHARS));
    html.within("p", &[("class", &"note")], |html| {
        let share = 100 * look.kept_chars / look.all_chars.max(1);
        html.text(format!(
            "Kept {} of {} characters ({share} %) by {}, confidence {:.2}",
            look.kept_chars, look.all_chars, look.method, look.confidence
        ));
    });
    for warning in &look.warnings {
        html.within("p", &[("class", &"alarm")], |html| html.prose(&warning.message, MAX_CHARS));
    }
}

/// Links to what else there is of this page, and to the pages before and behind it.
fn neighbors(html: &mut Html, workshop: &Workshop, number: usize, host: &str) {
    let pages = workshop.crawl.pages_of(host);
    let at = pages.binary_search(&number).unwrap_or(0);
    html.within("p", &[("class", &"actions")], |html| {
        for (name, rel, to) in [
            ("Page before", "prev", at.checked_sub(1).and_then(|at| pages.get(at))),
            ("Page behind", "next", pages.get(at + 1)),
        ] {
            if let Some(to) = to {
                html.element("a", &[("href", &workshop.link(&format!("/page/{to}"), &[])), ("rel", &rel)], name);
            }
        }
        html.element("a", &[("href", &workshop.link(&format!("/methods/{number}"), &[]))], "Compare methods");
    });
}

fn legend(html: &mut Html, look: &Look) {
    html.within("p", &[("class", &"legend")], |html| {
        for verdict in BlockVerdict::ALL {
            let blocks = look.blocks.iter().filter(|block| BlockVerdict::of(block) == verdict);
            html.element(
                "span",
                &[("class", &format_args!("b {}", verdict.name()))],
                format!("{} {}", blocks.count(), verdict.name()),
            );
            html.text(" ");
        }
    });
}

/// The text, block by block. Each is a link that chooses it.
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
            html.element("p", &[("class", &"note")], format!("{} more blocks are not shown.", look.blocks.len() - MAX_BLOCKS));
        }
    });
}

/// Why a block is kept or dropped.
fn why(html: &mut Html, block: &BlockRecord, id: &str) {
    html.within("span", &[("class", &"about"), ("role", &"tooltip"), ("id", &id)], |html| {
        let label = if block.kept { "kept" } else { "dropped" };
        html.element("span", &[("class", &"strong")], format!("{label}: {}", block.reason));
        if BlockVerdict::of(block) == BlockVerdict::Unsure {
            html.text(" · not sure");
        }
        html.text(format!(" · {}, {}", block.kind, block.class));
        for (name, value) in &block.scores {
            html.text(format!(" · {} {:.2}", name.replace('_', " "), value));
        }
        html.text(" · ");
        html.exact(&block.path, MAX_CHARS);
    });
}

/// The part that was chosen, and what may be done with it.
fn chosen(html: &mut Html, workshop: &Workshop, (number, host): (usize, &str), part: &Part) {
    html.within("p", &[("id", &"chosen"), ("data-e", &part.element)], |html| html.exact(&part.name, MAX_CHARS));
    html.within("blockquote", &[], |html| html.prose(&part.text, 500));
    html.within("p", &[("class", &"above")], |html| {
        html.text("Around it: ");
        for (element, name) in &part.above {
            let to = workshop.link(&format!("/page/{number}"), &[("element", &element.to_string())]) + "#part";
            html.within("a", &[("href", &to)], |html| html.exact(name, 60));
            html.text(" ");
        }
    });
    if host.is_empty() {
        html.element("p", &[("class", &"note")], "The page has no address, so that no rule can be made for it. Start with --base.");
        return;
    }
    let counted = counted(workshop, host, part);
    html.within("form", &[("method", &"post"), ("action", &workshop.link("/rule", &[])), ("id", &"decide")], |html| {
        hidden(html, &[("page", &number.to_string()), ("element", &part.element.to_string())]);
        html.within("fieldset", &[], |html| {
            html.element("legend", &[], "Selector");
            for (at, candidate) in part.candidates.iter().enumerate() {
                html.within("label", &[("class", &"choice")], |html| {
                    choice(html, "selector", &candidate.selector, at == 0);
                    html.exact(&candidate.selector, 200);
                    let (pages, parts, text) = counted.get(at).cloned().unwrap_or_default();
                    html.element(
                        "span",
                        &[("class", &"note")],
                        format!(
                            " {} here; {parts} on {pages} of {} pages of the site that were looked at",
                            candidate.found,
                            workshop.crawl.pages_of(host).len().min(COUNTED)
                        ),
                    );
                    if !text.is_empty() {
                        html.within("span", &[("class", &"note sample")], |html| html.prose(&text, 120));
                    }
                });
            }
        });
        html.within("fieldset", &[], |html| {
            html.element("legend", &[], "Where");
            let layout = workshop.layout_scope(host, number).pattern;
            for (value, text, pattern) in [
                ("page", "on this page", None),
                ("layout", "on pages of this layout", Some(layout.as_deref().unwrap_or("all pages"))),
                ("site", "on the whole site", None),
            ] {
                html.within("label", &[("class", &"choice")], |html| {
                    choice(html, "scope", value, value == "site");
                    html.text(text);
                    if let Some(pattern) = pattern {
                        html.text(": ");
                        html.exact(pattern, 100);
                    }
                });
            }
        });
        html.within("p", &[("class", &"actions")], |html| {
            for (value, text) in [("drop", "Drop it"), ("keep", "Keep it too"), ("only", "Keep nothing else")] {
                html.element("button", &[("name", &"action"), ("value", &value)], text);
            }
        });
    });
}

fn choice(html: &mut Html, name: &str, value: &str, is_chosen: bool) {
    match is_chosen {
        true => html.void("input", &[("type", &"radio"), ("name", &name), ("value", &value), ("checked", &"")]),
        false => html.void("input", &[("type", &"radio"), ("name", &name), ("value", &value)]),
    }
}

/// For each selector of a part: on how many pages of the site it finds something, how much, and another text that it finds.
fn counted(workshop: &Workshop, host: &str, part: &Part) -> Vec<(usize, usize, String)> {
    let selectors = part.candidates.iter().map(|candidate| Selector::read(&candidate.selector));
    let selectors: Vec<Selector> = selectors.filter_map(Result::ok).collect();
    let mut out = vec![(0, 0, String::new()); selectors.len()];
    for number in workshop.crawl.spread(host, COUNTED) {
        let Ok(record) = workshop.crawl.read(number) else { continue };
        let found = look::find(&record, &workshop.options, &selectors).unwrap_or_default();
        for (sum, (parts, text)) in out.iter_mut().zip(found) {
            sum.0 += usize::from(parts > 0);
            sum.1 += parts;
            if sum.2.is_empty() && parts > 0 && text != part.text {
                sum.2 = beginning(&text);
            }
        }
    }
    out
}

/// A field for a selector of one's own.
fn by_selector(html: &mut Html, workshop: &Workshop, number: usize, selector: &str) {
    let to = workshop.link(&format!("/page/{number}"), &[]) + "#part";
    html.within("form", &[("action", &to), ("class", &"search")], |html| {
        html.within("label", &[], |html| {
            html.text("Selector ");
            html.void("input", &[("name", &"selector"), ("value", &selector), ("spellcheck", &"false"), ("autocomplete", &"off")]);
        });
        html.element("button", &[], "Show");
    });
}

/// What changes on other pages of the site.
fn elsewhere(
    html: &mut Html,
    workshop: &Workshop,
    number: usize,
    host: &str,
    stores: (&dehusk_pipeline::site::Store, &dehusk_pipeline::site::Store),
) {
    if !workshop.draft(host).is_ok_and(|draft| draft.is_changed()) {
        return;
    }
    let mut numbers = workshop.crawl.spread(host, OTHERS);
    numbers.retain(|other| *other != number);
    let changes = changes::compare(&workshop.crawl, &numbers, stores, &workshop.options);
    html.within("div", &[("class", &"elsewhere")], |html| {
        html.element("h3", &[], "On other pages");
        html.element(
            "p",
            &[],
            format!("{} of {} change.", changes.pages.len(), count(changes.looked_at, "page", "pages")),
        );
        html.within("ul", &[], |html| {
            for change in changes.pages.iter().take(8) {
                html.within("li", &[], |html| {
                    let to = workshop.link(&format!("/page/{}", change.number), &[]);
                    html.within("a", &[("href", &to)], |html| html.prose(workshop.crawl.name(change.number), 80));
                    html.text(format!(" −{} +{} lines", change.gone, change.new));
                });
            }
        });
    });
}
