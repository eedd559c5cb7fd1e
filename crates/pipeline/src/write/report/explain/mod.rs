//! The page that explains the extraction of a document.

mod drawn;
mod verdict;

use dehusk_extract::{BlockRecord, VisibleNode};

use crate::kernel::known_passages::{KnownPassages, Spread};
use crate::record::Document;
use crate::record::document::round;
use crate::write::report::markup::{self, Html};
pub use verdict::BlockVerdict;

/// The style sheet, which is embedded in the page.
pub(crate) const STYLE: &str = include_str!("style.css");
/// SHA-256 of [`STYLE`] in base64, for the content security policy of the page. A test compares the two.
pub(crate) const STYLE_SHA256: &str = "9uYb3Vr5DdXiYq/a3DFiucCyp4mAYuTfJrZBaclolVA=";

/// Maximum number of blocks that are shown. The page states how many more there are; the JSON of the
/// document has all.
const MAX_BLOCKS: usize = 5_000;
/// Maximum depth of nested elements that are shown. Deeper elements become part of the innermost one.
const MAX_DEPTH: usize = 60;
/// Maximum number of characters shown of a path, an address, a title or a remark.
const MAX_CHARS: usize = 300;
/// Maximum number of characters of text shown of one block.
const MAX_BLOCK_CHARS: usize = 20_000;
/// Maximum number of characters of text shown of all blocks.
const MAX_TEXT_CHARS: usize = 2_000_000;

/// Elements that the page styles: their name, the HTML element that represents them, and its class.
///
/// Other block-level elements become plain `div`s.
const ELEMENT_CLASSES: &[(&str, &str, &str)] = &[
    ("h1", "div", "h h1"),
    ("h2", "div", "h h2"),
    ("h3", "div", "h"),
    ("h4", "div", "h"),
    ("h5", "div", "h"),
    ("h6", "div", "h"),
    ("p", "div", "p"),
    ("li", "div", "li"),
    ("dt", "div", "li"),
    ("dd", "div", "li"),
    ("blockquote", "div", "quote"),
    ("pre", "div", "pre"),
    ("table", "div", "table"),
    ("tr", "div", "tr"),
    ("td", "div", "td"),
    ("th", "div", "td"),
    ("nav", "div", "box nav"),
    ("header", "div", "box header"),
    ("footer", "div", "box footer"),
    ("aside", "div", "box aside"),
    ("main", "div", "box main"),
    ("article", "div", "box article"),
    ("form", "div", "box form"),
    ("a", "span", "link"),
    ("b", "span", "strong"),
    ("strong", "span", "strong"),
    ("i", "span", "em"),
    ("em", "span", "em"),
    ("code", "span", "code"),
    ("sup", "span", "sup"),
    ("sub", "span", "sub"),
];

/// Block-level elements without a style of their own.
const BLOCK_ELEMENTS: &[&str] = &[
    "div",
    "section",
    "ul",
    "ol",
    "dl",
    "figure",
    "figcaption",
    "address",
    "fieldset",
    "center",
    "details",
    "summary",
    "hgroup",
    "caption",
    "select",
    "option",
    "button",
    "dialog",
    "search",
    "menu",
];

/// The blocks of a page, and what is shown of each.
struct Blocks<'d> {
    blocks: &'d [BlockRecord],
    verdicts: Vec<BlockVerdict>,
    /// How often the text of the block occurs; `None` if it is not a passage, or without a list of passages.
    repeated: Vec<Option<Spread>>,
}

impl<'d> Blocks<'d> {
    /// The verdicts and passages of these blocks.
    fn of(blocks: &'d [BlockRecord], known: Option<&KnownPassages>) -> Self {
        Self {
            blocks,
            verdicts: blocks.iter().map(BlockVerdict::of).collect(),
            repeated: known.map_or_else(|| vec![None; blocks.len()], |known| known.of_blocks(blocks)),
        }
    }

    /// Style classes of a block.
    fn class(&self, i: usize) -> String {
        let repeated = self.repeated.get(i).is_some_and(Option::is_some);
        let verdict = self.verdicts.get(i).map_or("", |verdict| verdict.classes());
        format!("b {verdict}{}", if repeated { " repeated" } else { "" })
    }
}

/// Writes the page. Equal documents give equal pages. Parts that are `known` passages are colored.
pub(crate) fn render(document: &Document, known: Option<&KnownPassages>) -> String {
    let blocks = Blocks::of(document.blocks.as_deref().unwrap_or_default(), known);
    let mut html = Html::default();
    html.markup("<!DOCTYPE html>\n");
    html.within("html", &[("lang", &"en")], |html| {
        html.within("head", &[], |html| {
            let tool = concat!("dehusk ", env!("CARGO_PKG_VERSION"));
            let title = format!(
                "{} – what became of it",
                document.title.as_deref().unwrap_or(&document.id)
            );
            markup::head(html, tool, &title, STYLE, STYLE_SHA256);
        });
        html.within("body", &[], |html| {
            html.within("header", &[], |html| {
                top(html, document, &blocks, known.is_some());
            });
            let class = if document.layout.is_some() { "three" } else { "two" };
            html.within("main", &[("class", &class)], |html| {
                html.within("section", &[("aria-label", &"The page")], |html| {
                    html.element("h2", &[], "The page");
                    let shown = parts(
                        html,
                        document.visible_nodes.as_deref().unwrap_or_default(),
                        &blocks,
                        ("", most_bytes(document.source_bytes)),
                    );
                    if blocks.blocks.len() > shown {
                        let rest = blocks.blocks.len() - shown;
                        let remark = format!(
                            "{rest} further blocks are not shown; `dehusk extract --blocks` tells of all."
                        );
                        html.element("p", &[("class", &"note")], remark);
                    }
                });
                html.within("section", &[("aria-label", &"Its text")], |html| {
                    html.element("h2", &[], "Its text");
                    html.within("div", &[("class", &"text"), ("dir", &"auto")], |html| {
                        text(html, &document.text, known);
                    });
                });
                if let Some(layout) = &document.layout {
                    html.within("section", &[("aria-label", &"As it was drawn")], |html| {
                        html.element("h2", &[], "As it was drawn");
                        drawn::drawing(html, layout, &blocks.verdicts);
                    });
                }
            });
            html.within("footer", &[], |html| {
                html.element(
                    "p",
                    &[],
                    "Point at a block, or reach it with the Tab key, to see why it was kept or dropped. \
                    This file loads nothing and runs no script; neither can those of the page.",
                );
            });
        });
    });
    html.finish()
}

/// Writes the text, with its passages marked.
fn text(html: &mut Html, text: &str, known: Option<&KnownPassages>) {
    let Some(known) = known else {
        html.prose(text, MAX_TEXT_CHARS);
        return;
    };
    let (mut done, mut limit) = (0, MAX_TEXT_CHARS);
    // The limit counts over all parts, so that marks do not lengthen the page.
    let mut part = |html: &mut Html, range: std::ops::Range<usize>| {
        let part = &text[range];
        if limit > 0 && !part.is_empty() {
            html.prose(part, limit);
        }
        limit -= limit.min(part.chars().count());
    };
    for repeated in known.parts(text) {
        part(html, done..repeated.range.start);
        done = repeated.range.end;
        html.within(
            "mark",
            &[("class", &"repeated"), ("title", &repeated.spread)],
            |html| {
                part(html, repeated.range);
            },
        );
    }
    part(html, done..text.len());
}

/// Writes title, address, figures, warnings and the legend.
fn top(html: &mut Html, document: &Document, blocks: &Blocks<'_>, has_known: bool) {
    html.element("p", &[("class", &"kicker")], "What became of a page");
    html.within("h1", &[], |html| match &document.title {
        Some(title) => html.prose(title, MAX_CHARS),
        None => html.text("No title"),
    });
    html.within("p", &[("class", &"where")], |html| match &document.url {
        Some(url) => html.address(url, MAX_CHARS),
        None => html.exact(&document.id, MAX_CHARS),
    });
    html.within("dl", &[("class", &"facts")], |html| {
        let share = 100 * document.kept_chars / document.all_chars.max(1);
        let kept = format!(
            "{} of {} characters ({share} %)",
            document.kept_chars, document.all_chars
        );
        let mut fact = |name: &str, value: &str| {
            html.within("div", &[], |html| {
                html.element("dt", &[], name);
                html.within("dd", &[], |html| html.prose(value, MAX_CHARS));
            });
        };
        fact("Kept", &kept);
        fact("Method", document.method);
        fact("Confidence", &format!("{:.2}", document.confidence));
        for (name, field, value) in [
            ("Author", "authors", document.author.as_deref()),
            ("Date", "date", document.date.as_deref()),
            ("Language", "language", document.language.as_deref()),
            ("Site", "site_name", document.site_name.as_deref()),
            ("Licence", "licence", document.licence.as_deref()),
            ("Kind", "kind", document.kind),
        ] {
            match (value, document.metadata_sources.get(field)) {
                (Some(value), Some(source)) => fact(name, &format!("{value} ({source})")),
                (Some(value), None) => fact(name, value),
                (None, _) => {}
            }
        }
    });
    if !document.warnings.is_empty() {
        html.within("ul", &[("class", &"warnings")], |html| {
            for warning in &document.warnings {
                html.within("li", &[], |html| {
                    html.exact(warning.code, MAX_CHARS);
                    html.text(" ");
                    html.prose(&warning.message, MAX_CHARS);
                });
            }
        });
    }
    html.within("p", &[("class", &"legend")], |html| {
        for verdict in BlockVerdict::ALL {
            // Each checkbox shows or hides the blocks of a verdict, by style alone.
            let count = blocks.verdicts.iter().filter(|f| **f == verdict).count();
            html.within("label", &[], |html| {
                let id = format!("show-{}", verdict.classes().replace(' ', "-"));
                html.void("input", &[("type", &"checkbox"), ("id", &id), ("checked", &"")]);
                html.element(
                    "span",
                    &[("class", &format_args!("b {}", verdict.classes()))],
                    format!("{} ({count})", verdict.title()),
                );
            });
        }
        if has_known {
            let count = blocks.repeated.iter().flatten().count();
            html.element(
                "span",
                &[("class", &"repeated")],
                format!("repeated elsewhere ({count})"),
            );
        }
    });
}

/// A page with its blocks marked, as part of another page. `prefix` makes the ids of its elements unique
/// there.
pub(crate) fn marked(parts_of: &[VisibleNode], blocks: &[BlockRecord], prefix: &str) -> Html {
    let mut html = Html::default();
    parts(
        &mut html,
        parts_of,
        &Blocks::of(blocks, None),
        (prefix, usize::MAX),
    );
    html
}

/// Maximum bytes of the marked page for a source of `page` bytes. With the text beside it, the result stays
/// below four times the source and 900 KiB.
fn most_bytes(page: usize) -> usize {
    (900 << 10) + page.saturating_mul(3)
}

/// Writes the page with its blocks marked, in about `most` bytes. Returns the number of blocks that are shown.
fn parts(html: &mut Html, parts: &[VisibleNode], all: &Blocks<'_>, (prefix, most): (&str, usize)) -> usize {
    let blocks = all.blocks;
    let (before, mut shown_blocks) = (html.len(), blocks.len().min(MAX_BLOCKS));
    // The tag of each open element; `None` for an element that is not shown.
    let mut open: Vec<Option<&'static str>> = Vec::new();
    let mut shown = 0;
    let mut told = vec![false; blocks.len()];
    for part in parts {
        // The page is cut here, and open elements are closed below. The first block that was not reached
        // gives the number of shown blocks.
        if html.len() - before > most {
            let next = told.iter().position(|told| !told);
            shown_blocks = shown_blocks.min(next.unwrap_or(shown_blocks));
            break;
        }
        match part {
            VisibleNode::Open { name } => {
                // Only elements that are shown count.
                let depth = open.iter().flatten().count();
                let known = ELEMENT_CLASSES.iter().find(|(tag, ..)| tag == name);
                let tag = match known {
                    // Its content is shown in the innermost open element.
                    _ if depth >= MAX_DEPTH => None,
                    Some((_, tag, class)) => {
                        html.open(tag, &[("class", class)]);
                        Some(*tag)
                    }
                    None if BLOCK_ELEMENTS.contains(&name.as_str()) => {
                        html.open("div", &[]);
                        Some("div")
                    }
                    None => None,
                };
                if let Some((_, _, class)) = known.filter(|_| tag.is_some())
                    && let Some(label) = class.strip_prefix("box ")
                {
                    html.element("span", &[("class", &"tag"), ("aria-hidden", &"true")], label);
                }
                open.push(tag);
            }
            VisibleNode::Close => {
                if let Some(Some(tag)) = open.pop() {
                    html.close(tag);
                }
            }
            VisibleNode::Break => html.markup("<br>"),
            VisibleNode::Image { alt } => html.within("span", &[("class", &"image")], |html| {
                html.text("image ");
                html.prose(alt, MAX_CHARS);
            }),
            // White space between blocks. Line ends are kept for code.
            VisibleNode::Text { block: None, text } => {
                html.text(if text.contains('\n') { '\n' } else { ' ' });
            }
            VisibleNode::Text { block: Some(i), text } => {
                if *i >= blocks.len().min(MAX_BLOCKS) {
                    continue;
                }
                shown += text.len();
                // Blocks beyond the limit keep their element and their reasons, without text.
                let limit = if shown > 4 * MAX_TEXT_CHARS {
                    0
                } else {
                    MAX_BLOCK_CHARS
                };
                if std::mem::replace(&mut told[*i], true) {
                    // A later text of the block: a link to its first text, which has the reasons.
                    let class = all.class(*i);
                    let target = format!("#{prefix}b{i}");
                    html.within(
                        "a",
                        &[("class", &class), ("href", &target), ("tabindex", &"-1")],
                        |html| {
                            html.prose(text, limit);
                        },
                    );
                } else {
                    first_text(html, (*i, prefix), all, text, limit);
                }
            }
            _ => {}
        }
    }
    for tag in open.into_iter().rev().flatten() {
        html.close(tag);
    }
    shown_blocks
}

/// Writes the first text of a block, with the reasons for its label.
fn first_text(html: &mut Html, (i, prefix): (usize, &str), all: &Blocks<'_>, text: &str, limit: usize) {
    let (Some(block), Some(verdict)) = (all.blocks.get(i), all.verdicts.get(i)) else {
        return;
    };
    let class = all.class(i);
    let id = format!("{prefix}b{i}");
    let about = format!("{prefix}about-{i}");
    html.within(
        "span",
        &[
            ("class", &class),
            ("id", &id),
            ("tabindex", &"0"),
            ("aria-describedby", &about),
        ],
        |html| {
            html.prose(text, limit);
            html.within(
                "span",
                &[("class", &"about"), ("id", &about), ("role", &"tooltip")],
                |html| {
                    let label = if block.kept { "kept" } else { "dropped" };
                    html.within("span", &[("class", &"line")], |html| {
                        html.element(
                            "span",
                            &[("class", &"strong")],
                            format!("{label}: {}", block.reason),
                        );
                        html.text(format!(" · block {i}, {}, {}", block.kind, block.class));
                        if verdict.is_unsure() {
                            html.text(" · not sure");
                        }
                        if let Some(Some(repeated)) = all.repeated.get(i) {
                            html.text(format!(" · {repeated}"));
                        }
                    });
                    html.within("span", &[("class", &"line")], |html| {
                        for (name, value) in &block.scores {
                            html.text(format!("{} {} ", name.replace('_', " "), round(*value)));
                        }
                    });
                    html.within("span", &[("class", &"line")], |html| {
                        for (name, kept) in &block.votes {
                            html.within(
                                "span",
                                &[("class", &if *kept { "vote yes" } else { "vote no" })],
                                |html| {
                                    html.text(format!("{} {name}", if *kept { '✓' } else { '✗' }));
                                },
                            );
                            html.text(" ");
                        }
                    });
                    html.within("span", &[("class", &"line")], |html| {
                        html.exact(&block.path, MAX_CHARS);
                    });
                },
            );
        },
    );
}

#[cfg(test)]
mod tests;
