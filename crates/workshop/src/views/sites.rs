//! All sites of the crawl.

use dehusk_pipeline::Error;
use dehusk_pipeline::markup::Html;

use super::shell::{self, count};
use crate::crawl::host_of;
use crate::fields::Fields;
use crate::reply::Reply;
use crate::workshop::Workshop;

/// Number of sites per page of the list.
const ON_A_PAGE: usize = 200;

pub(crate) fn show(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    let wanted = fields.text("q").to_lowercase();
    let from = fields.number("from").unwrap_or(0);
    let mut sites: Vec<(&String, usize)> = workshop
        .crawl
        .sites()
        .iter()
        .map(|(host, pages)| (host, pages.len()))
        .filter(|(host, _)| host.contains(&wanted))
        .collect();
    sites.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let page = shell::page(workshop, "Sites", &[], |html| {
        let pages = workshop.crawl.catalog().pages().len();
        let mut told = format!(
            "{}, {}",
            count(pages, "page", "pages"),
            count(sites.len(), "site", "sites")
        );
        let rejected = workshop.crawl.catalog().rejected();
        if rejected > 0 {
            told += &format!("; {rejected} records could not be used");
        }
        html.element("p", &[("class", &"note")], told);
        if pages == 0 {
            let told = match workshop.clusters {
                Some(_) => "No crawl was opened. Name one beside the run to see its pages.",
                None => "No page is in what was opened. End this, and name files or folders with pages.",
            };
            html.element("p", &[("class", &"alarm")], told);
        }
        search(html, &workshop.link("/", &[]), &wanted, "Host");
        table(html, workshop, sites.iter().skip(from).take(ON_A_PAGE));
        more(html, sites.len(), from, |from| {
            workshop.link("/", &[("q", &wanted), ("from", &from.to_string())])
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
                "Before",
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
                "Behind",
            );
        }
    });
}

fn table<'s>(html: &mut Html, workshop: &Workshop, sites: impl Iterator<Item = &'s (&'s String, usize)>) {
    let unsaved = workshop.unsaved();
    let files = workshop.folder.files().unwrap_or_default();
    html.within("table", &[("class", &"list")], |html| {
        html.within("thead", &[], |html| {
            html.within("tr", &[], |html| {
                for name in ["Site", "Pages", "Templates", "Rules"] {
                    html.element("th", &[("scope", &"col")], name);
                }
            });
        });
        html.within("tbody", &[], |html| {
            for (host, pages) in sites {
                let templates = workshop
                    .templates
                    .iter()
                    .filter(|template| host_of(&template.origin.site).as_deref() == Some(host.as_str()))
                    .count();
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
