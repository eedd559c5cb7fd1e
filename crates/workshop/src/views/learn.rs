//! The page on which a template is learnt from pages that the user selects.

use dehusk_pipeline::Error;
use dehusk_pipeline::extract::site::{Template, to_rules};
use dehusk_pipeline::markup::Html;

use super::shell::{self, count, hidden};
use super::site::parts;
use crate::crawl::{self, MIN_LEARNT, SitePages};
use crate::fields::Fields;
use crate::reply::Reply;
use crate::workshop::Workshop;

/// Shows the pages of each layout with boxes to be checked.
pub(crate) fn choose(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    let host = fields.text("host");
    let pages = workshop.crawl.looked_at(host, &workshop.options);
    let trail = [(host, workshop.link("/site", &[("host", host)]))];
    Ok(Reply::Page(shell::page(
        workshop,
        "Learn from chosen pages",
        &trail,
        |html| {
            html.element(
            "p",
            &[],
            "A template is learnt from pages of one layout: take some that differ in their main text, and leave out copies.",
        );
            for (at, layout) in pages
                .layouts
                .iter()
                .enumerate()
                .filter(|(_, layout)| layout.pages.len() >= MIN_LEARNT)
            {
                html.within("h2", &[], |html| {
                    html.text(format!("Layout {} below ", at + 1));
                    html.exact(&layout.path, 100);
                });
                html.within(
                    "form",
                    &[("method", &"post"), ("action", &workshop.link("/learn", &[]))],
                    |html| {
                        hidden(html, &[("host", host), ("path", &layout.path)]);
                        for number in layout.pages.iter().filter_map(|at| pages.numbers.get(*at)) {
                            html.within("label", &[("class", &"choice")], |html| {
                                html.void(
                                    "input",
                                    &[
                                        ("type", &"checkbox"),
                                        ("name", &"pages"),
                                        ("value", number),
                                        ("checked", &""),
                                    ],
                                );
                                html.prose(workshop.crawl.name(*number), 200);
                            });
                        }
                        html.element("button", &[], "Learn from these");
                    },
                );
            }
        },
    )))
}

/// Shows the template that is learnt from the selected pages.
pub(crate) fn learn(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    let host = fields.text("host");
    let pages = workshop.crawl.looked_at(host, &workshop.options);
    let wanted: Vec<usize> = fields
        .all("pages")
        .filter_map(|number| number.parse().ok())
        .collect();
    // Only analyzed pages have samples, and the form offers only these.
    let chosen = pages.numbers.iter().zip(&pages.samples);
    let chosen: Vec<_> = chosen
        .filter(|(number, _)| wanted.contains(number))
        .map(|(_, sample)| sample)
        .collect();
    if chosen.len() < MIN_LEARNT {
        return Err(Error::usage("a template is learnt from two pages or more").with_help("choose some more"));
    }
    let template = crawl::learn(&chosen, fields.text("path"));
    let rules = to_rules(&[&template]);
    let trail = [(host, workshop.link("/site", &[("host", host)]))];
    Ok(Reply::Page(shell::page(
        workshop,
        "What was learnt",
        &trail,
        |html| {
            told(html, &template, &pages);
            html.element("h2", &[], "As rules");
            html.element(
            "p",
            &[("class", &"note")],
            "They take the place of the rules of this site that are being worked on. That can be taken back, and nothing is saved.",
        );
            html.within(
                "form",
                &[("method", &"post"), ("action", &workshop.link("/text", &[]))],
                |html| {
                    hidden(html, &[("host", host)]);
                    let lines = rules.lines().count().clamp(4, 30);
                    html.within("label", &[], |html| {
                        html.element("span", &[("class", &"hidden")], "The rules");
                        html.within(
                            "textarea",
                            &[("name", &"text"), ("rows", &lines), ("spellcheck", &"false")],
                            |html| {
                                // HTML drops the first line feed in a `textarea`, so another one is written
                                // before the text.
                                html.markup("\n");
                                html.text(&rules);
                            },
                        );
                    });
                    html.element("button", &[], "Work on these rules");
                },
            );
            html.element("h2", &[], "What it keeps and drops");
            parts(html, &template);
        },
    )))
}

/// Writes how many pages the template fires on, and how sure its choice of parts is.
fn told(html: &mut Html, template: &Template, pages: &SitePages) {
    let fires = pages
        .samples
        .iter()
        .filter(|sample| template.fit(sample).fires)
        .count();
    let learnt = count(template.pages() as usize, "page", "pages");
    html.element(
        "p",
        &[],
        format!(
            "Learnt from {learnt}. It fires on {fires} of the {} pages of the site that were looked at.",
            pages.samples.len()
        ),
    );
    if let Some(sure) = template.sure() {
        let sure = format!(
            "{:.0} % of samples of these pages choose the same parts.",
            100.0 * sure
        );
        html.element("p", &[], sure);
    }
    if let Some(doubt) = template.doubt() {
        html.element(
            "p",
            &[("class", &"alarm")],
            format!("It is not applied, since {doubt}: choose more pages, or others."),
        );
    }
}
