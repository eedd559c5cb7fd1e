//! The page `sites.html`: for each layout of each site, an example page with its blocks marked, and the parts that templates removed.

use std::cmp::Reverse;

use dehusk_extract::site::{Template, TemplatePart};

use super::Store;
use super::show::counted;
use super::usage::{RemovedPart, SiteTally, SiteUsage};
use crate::error::Error;
use crate::write::report::explain::{BlockVerdict, STYLE, STYLE_SHA256};
use crate::write::report::markup::{self, Html};
use crate::write::summary::{LayoutStart, LearntSites};

/// Maximum number of characters shown of an address, a path or a line.
const MAX_CHARS: usize = 300;
/// Maximum number of removed parts of a layout that are listed.
const MAX_ROWS: usize = 60;
/// Number of removed parts that are shown without unfolding.
const FIRST_ROWS: usize = 8;

/// Renders the page; `None` if there are no templates. Equal counts give equal pages.
///
/// # Errors
/// If a learnt template cannot be read.
pub(crate) fn render(
    store: &Store,
    tally: &SiteTally,
    learnt: Option<&LearntSites>,
) -> Result<Option<String>, Error> {
    if !store.has_templates() {
        return Ok(None);
    }
    let sites = tally.sites();
    let templates = sites.keys().map(|site| store.of_site(site));
    let templates: Vec<Vec<Template>> = templates.collect::<Result<_, _>>()?;
    let mut html = Html::default();
    html.markup("<!DOCTYPE html>\n");
    html.within("html", &[("lang", &"en")], |html| {
        html.within("head", &[], |html| {
            let tool = concat!("dehusk ", env!("CARGO_PKG_VERSION"));
            markup::head(html, tool, "Sites and their templates", STYLE, STYLE_SHA256);
        });
        html.within("body", &[], |html| {
            html.within("header", &[], |html| {
                html.element("p", &[("class", &"kicker")], "Run report");
                html.element("h1", &[], "Sites and their templates");
                html.element(
                    "p",
                    &[("class", &"note")],
                    "For each layout of each site: a page with its blocks marked, and what the template removed how often. Point at a \
                     block, or reach it with the Tab key, to see why it was kept or dropped.",
                );
                html.within("p", &[("class", &"legend")], |html| {
                    for verdict in BlockVerdict::ALL {
                        let class = format!("b {}", verdict.classes());
                        html.element("span", &[("class", &class)], verdict.title());
                        html.text(" ");
                    }
                });
                html.within("ul", &[("class", &"warnings")], |html| {
                    for (i, (site, usage)) in sites.iter().enumerate() {
                        html.within("li", &[], |html| {
                            html.within("a", &[("href", &format_args!("#site-{i}"))], |html| html.exact(site, MAX_CHARS));
                            html.text(format!(" {}", counted(usage.fired + usage.unknown, "page")));
                        });
                    }
                });
            });
            for (i, ((site, usage), templates)) in sites.iter().zip(&templates).enumerate() {
                let since = |layout| learnt.and_then(|learnt| learnt.since(site, layout));
                site_section(html, i, (site, usage), templates, &since);
            }
            html.within("footer", &[], |html| {
                html.element("p", &[], "This file loads nothing and runs no script; neither can the pages shown.");
            });
        });
    });
    Ok(Some(html.finish()))
}

/// Returns the first page of a layout if its site had a template before that page; else `None`.
type Since<'a> = dyn Fn(u32) -> Option<&'a LayoutStart> + 'a;

/// Writes the heading and figures of a site, then its layouts.
fn site_section(
    html: &mut Html,
    i: usize,
    (site, usage): (&str, &SiteUsage),
    templates: &[Template],
    since: &Since<'_>,
) {
    html.within("header", &[("id", &format_args!("site-{i}"))], |html| {
        html.within("h2", &[], |html| html.exact(site, MAX_CHARS));
        html.within("dl", &[("class", &"facts")], |html| {
            for (name, value) in [
                ("Templates", templates.len() as u64),
                ("Pages a template answered", usage.fired),
                ("Pages none fits", usage.unknown),
            ] {
                html.within("div", &[], |html| {
                    html.element("dt", &[], name);
                    html.element("dd", &[], value);
                });
            }
        });
    });
    for template in templates {
        let since = since(template.origin.layout);
        html.within("main", &[], |html| layout(html, usage, template, since));
    }
}

/// Writes an example page of a layout, and beside it the figures of the template.
fn layout(html: &mut Html, usage: &SiteUsage, template: &Template, since: Option<&LayoutStart>) {
    let layout = template.origin.layout;
    let title = format!("A page of layout {layout}");
    html.within("section", &[("aria-label", &title)], |html| {
        html.element("h2", &[], &title);
        match usage.samples.get(&layout) {
            Some(shown) => {
                html.within("p", &[("class", &"where")], |html| {
                    html.address(&shown.url, MAX_CHARS);
                });
                html.within("div", &[("class", &"scroll"), ("tabindex", &"0")], |html| {
                    html.append(&shown.html);
                });
            }
            None => html.element("p", &[("class", &"note")], "No page fits this layout best."),
        }
    });
    let title = format!(
        "Layout {layout}, learnt from {}",
        counted(template.pages(), "page")
    );
    html.within("section", &[("aria-label", &title)], |html| {
        html.element("h2", &[], &title);
        if let Some(since) = since {
            html.within("p", &[("class", &"note")], |html| {
                let dated = since
                    .date
                    .as_ref()
                    .map_or(String::new(), |date| format!(" of {date}"));
                html.text(format!(
                    "The site had a template when a page{dated} first had this layout: "
                ));
                html.address(&since.url, MAX_CHARS);
            });
        }
        removed_parts(html, usage, template);
    });
}

/// Writes the containers of a template, and the parts that it removed.
fn removed_parts(html: &mut Html, usage: &SiteUsage, template: &Template) {
    let layout = template.origin.layout;
    let parts = template.parts();
    html.within("ul", &[], |html| {
        for part in parts.iter().filter(|part| part.container) {
            html.within("li", &[], |html| {
                html.text("main text: ");
                html.exact(&part.path, MAX_CHARS);
            });
        }
    });
    let mut removed: Vec<(&TemplatePart<'_>, &RemovedPart)> = usage
        .removed
        .iter()
        .filter(|((of, _), _)| *of == layout)
        .filter_map(|((_, part), removed)| Some((parts.get(*part)?, removed)))
        .collect();
    removed.sort_by_key(|(_, removed)| Reverse((removed.pages, removed.words)));
    html.element(
        "h3",
        &[],
        format!("Removed from {}", counted(removed.len() as u64, "part")),
    );
    // Long lists are folded, and what exceeds `MAX_ROWS` is only counted.
    let shown = removed.len().min(MAX_ROWS);
    let (first, others) = removed[..shown].split_at(shown.min(FIRST_ROWS));
    html.within("ul", &[], |html| {
        first.iter().for_each(|row| removed_part(html, row));
    });
    if others.is_empty() {
        return;
    }
    html.within("details", &[], |html| {
        html.element("summary", &[], format!("{} more", removed.len() - first.len()));
        html.within("ul", &[], |html| {
            others.iter().for_each(|row| removed_part(html, row));
            if removed.len() > MAX_ROWS {
                html.element("li", &[], format!("and {} more", removed.len() - MAX_ROWS));
            }
        });
    });
}

/// Writes a removed part: its path, reason, counts, and a repeated line as an example.
fn removed_part(
    html: &mut Html,
    (part, RemovedPart { pages, words, reason }): &(&TemplatePart<'_>, &RemovedPart),
) {
    html.within("li", &[], |html| {
        html.exact(&part.path, MAX_CHARS);
        let (pages, words) = (counted(*pages, "page"), counted(*words, "word"));
        html.text(format!(" – {reason}: on {pages}, {words}"));
        // A kept part has other lines removed on each page, so that no line is shown.
        if let Some((line, _)) = part.lines.first().filter(|_| !part.kept) {
            html.text(", such as “");
            html.prose(line, MAX_CHARS);
            html.text("”");
        }
    });
}
