//! All sites of the crawl. Those that need work most come first.

use std::collections::BTreeMap;

use dehusk_html::narrow;
use dehusk_pipeline::Error;
use dehusk_pipeline::markup::Html;

use super::shell::{self, count};
use crate::fields::Fields;
use crate::need::Need;
use crate::reply::Reply;
use crate::workshop::Workshop;

/// Number of sites per page of the list.
const ON_A_PAGE: usize = 200;

/// Shows the list of sites.
pub(crate) fn show(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    let wanted = fields.text("q").to_lowercase();
    let from = fields.number("from").unwrap_or(0);
    let by = fields.text("by");
    let (needs, waiting) = workshop.needs.get(workshop.crawl.sites());
    // Sites whose need is not known yet come last.
    let weight = |host: &String| needs.get(host).map_or(-1.0, Need::weight);
    let mut sites: Vec<(&String, usize)> = workshop
        .crawl
        .sites()
        .iter()
        .map(|(host, pages)| (host, pages.len()))
        .filter(|(host, _)| host.contains(&wanted))
        .collect();
    sites.sort_by(|a, b| match by {
        "name" => a.0.cmp(b.0),
        "pages" => b.1.cmp(&a.1).then(a.0.cmp(b.0)),
        _ => {
            let need = weight(b.0).total_cmp(&weight(a.0));
            need.then(b.1.cmp(&a.1)).then(a.0.cmp(b.0))
        }
    });
    let page = shell::page(workshop, "Sites", &[], |html| {
        let pages = workshop.crawl.catalog().pages().len();
        let mut told = format!(
            "{}, {}",
            count(pages, "page", "pages"),
            count(sites.len(), "site", "sites")
        );
        let rejected = workshop.crawl.catalog().rejected();
        if rejected > 0 {
            told += &format!(
                "; {} could not be used",
                count(narrow::to_usize(rejected), "record", "records")
            );
        }
        html.element("p", &[("class", &"note")], told);
        if waiting > 0 {
            // The script reloads the list as long as this note is there.
            let looked = format!(
                "Looking at some pages of each site: {} still to come. The list is complete when none is.",
                count(waiting, "site is", "sites are")
            );
            html.element("p", &[("class", &"note"), ("id", &"looking")], looked);
        }
        if pages == 0 {
            let told = match workshop.clusters {
                Some(_) => "No crawl was opened. Name one beside the run to see its pages.",
                None => "No page is in what was opened. End this, and name files or folders with pages.",
            };
            html.element("p", &[("class", &"alarm")], told);
        }
        search(html, &workshop.link("/", &[]), &wanted, "Host");
        let rows = sites.iter().skip(from).take(ON_A_PAGE);
        html.within("div", &[("id", &"sites")], |html| {
            table(html, workshop, (&wanted, by), &needs, rows);
        });
        more(html, sites.len(), from, |from| {
            workshop.link("/", &[("q", &wanted), ("by", by), ("from", &from.to_string())])
        });
    });
    Ok(Reply::Page(page))
}

/// Writes a search form for a list.
fn search(html: &mut Html, to: &str, value: &str, name: &str) {
    html.within(
        "form",
        &[("class", &"search"), ("action", &to), ("role", &"search")],
        |html| {
            html.within("label", &[], |html| {
                html.text(format!("{name} "));
                html.void("input", &[("type", &"search"), ("name", &"q"), ("value", &value)]);
            });
            html.element("button", &[], "Find");
        },
    );
}

/// Writes links to the previous and next part of a list.
pub(crate) fn more(html: &mut Html, all: usize, from: usize, link: impl Fn(usize) -> String) {
    if all <= ON_A_PAGE {
        return;
    }
    html.within("p", &[("class", &"more")], |html| {
        if from > 0 {
            html.element(
                "a",
                &[("href", &link(from.saturating_sub(ON_A_PAGE))), ("rel", &"prev")],
                "Previous",
            );
            html.text(" ");
        }
        html.text(format!(
            "{} to {} of {all} ",
            from + 1,
            (from + ON_A_PAGE).min(all)
        ));
        if from + ON_A_PAGE < all {
            html.element(
                "a",
                &[("href", &link(from + ON_A_PAGE)), ("rel", &"next")],
                "Next",
            );
        }
    });
}

/// Describes the need of a site.
fn told(need: &Need) -> String {
    let mut parts = Vec::new();
    if need.empty > 0 {
        parts.push(format!("{} of {} pages without text", need.empty, need.pages));
    }
    if let Some(confidence) = need.confidence() {
        parts.push(format!("confidence {confidence:.2}"));
    }
    if need.unknown > 0 {
        parts.push(format!(
            "{} of {} pages fit no template",
            need.unknown, need.pages
        ));
    }
    if need.unsure > 0 {
        parts.push(format!(
            "{} of {} unsure",
            need.unsure,
            count(need.templates, "template", "templates")
        ));
    }
    match parts.is_empty() {
        true => "no page could be read".to_owned(),
        false => parts.join(", "),
    }
}

/// Writes the sites as a table. `wanted` filters the list, and `by` names its order.
fn table<'s>(
    html: &mut Html,
    workshop: &Workshop,
    (wanted, by): (&str, &str),
    needs: &BTreeMap<String, Need>,
    sites: impl Iterator<Item = &'s (&'s String, usize)>,
) {
    let unsaved = workshop.unsaved();
    // If the folder cannot be read, no site is shown as saved. The page of a site reports the error.
    let files = workshop.folder.files().unwrap_or_default();
    html.within("table", &[("class", &"list")], |html| {
        html.within("thead", &[], |html| {
            html.within("tr", &[], |html| {
                for (name, key) in [("Site", "name"), ("Need", ""), ("Pages", "pages")] {
                    let sorted = if key == by { "ascending" } else { "none" };
                    let class = if key == "pages" { "number" } else { "" };
                    html.within(
                        "th",
                        &[("scope", &"col"), ("aria-sort", &sorted), ("class", &class)],
                        |html| match key == by {
                            true => html.text(name),
                            false => {
                                let to = workshop.link("/", &[("q", wanted), ("by", key)]);
                                html.element("a", &[("href", &to)], name);
                            }
                        },
                    );
                }
                html.element("th", &[("scope", &"col"), ("class", &"number")], "Templates");
                html.element("th", &[("scope", &"col")], "Rules");
            });
        });
        html.within("tbody", &[], |html| {
            for (host, pages) in sites {
                let templates = workshop.templates_of(host).count();
                let rules = match (
                    unsaved.contains(host),
                    files.contains_key(&crate::draft::RulesFolder::file_name(host)),
                ) {
                    (true, _) => "not saved",
                    (false, true) => "saved",
                    (false, false) => "",
                };
                html.within("tr", &[], |html| {
                    html.within("td", &[], |html| {
                        html.within(
                            "a",
                            &[("href", &workshop.link("/site", &[("host", host)]))],
                            |html| {
                                html.prose(
                                    if host.is_empty() {
                                        "without an address"
                                    } else {
                                        host
                                    },
                                    100,
                                );
                            },
                        );
                    });
                    html.element(
                        "td",
                        &[("class", &"need")],
                        needs.get(*host).map(told).unwrap_or_default(),
                    );
                    html.element("td", &[("class", &"number")], pages);
                    html.element(
                        "td",
                        &[("class", &"number")],
                        if templates > 0 {
                            templates.to_string()
                        } else {
                            String::new()
                        },
                    );
                    html.element("td", &[], rules);
                });
            }
        });
    });
}
