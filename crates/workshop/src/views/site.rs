//! One site: its layouts, templates and their health, its rules, its pages.

use dehusk_html::narrow;
use dehusk_pipeline::Error;
use dehusk_pipeline::extract::rules;
use dehusk_pipeline::extract::site::Template;
use dehusk_pipeline::markup::Html;
use dehusk_pipeline::site::Store;
use dehusk_pipeline::verbs::site::{Health, RuleCheck, TemplateCheck};

use super::shell::{self, MAX_CHARS, count, form, hidden};
use super::sites::more;
use crate::crawl::{LOOKED_AT_MOST, SitePages, host_of, path_of};
use crate::fields::Fields;
use crate::reply::Reply;
use crate::workshop::Workshop;

/// Number of pages per page of the list.
const ON_A_PAGE: usize = 200;
/// Maximum number of pages on which rules are checked.
const CHECKED: usize = 60;
/// Maximum number of parts of a template that are shown.
const MAX_PARTS: usize = 40;

/// Shows a site.
pub(crate) fn show(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    let host = fields.text("host");
    if workshop.crawl.pages_of(host).is_empty() {
        return Err(Error::usage(format!("no page of `{host}` is in this crawl")));
    }
    let draft = workshop.draft(host)?;
    // The user may ask for more analyzed pages than before.
    let least = fields.number("look").unwrap_or(0);
    let pages = workshop.crawl.look_at(host, &workshop.options, least);
    let stores = workshop.stores(host)?;
    let title = if host.is_empty() {
        "Pages without an address"
    } else {
        host
    };
    let health = health(workshop, host, &stores.draft, &pages);
    let page = shell::page(workshop, title, &[], |html| {
        let all = workshop.crawl.pages_of(host).len();
        let told = match pages.numbers.len() {
            looked if looked < all => format!("{all} pages, of which {looked} were looked at"),
            _ => count(all, "page", "pages"),
        };
        html.element("p", &[("class", &"note")], told);
        look_at_more(html, workshop, host, (pages.numbers.len(), all));
        if !host.is_empty() {
            html.within("p", &[("class", &"actions")], |html| {
                for (path, name) in [
                    ("/changes", "What the rules change"),
                    ("/learn", "Learn from chosen pages"),
                    ("/measures", "Measures"),
                ] {
                    html.element("a", &[("href", &workshop.link(path, &[("host", host)]))], name);
                }
            });
        }
        layouts(html, workshop, host, &pages);
        if !health.is_empty() {
            told_health(html, &health);
        }
        templates(html, workshop, host);
        if !host.is_empty() {
            rule_text(html, workshop, host, draft.text(), draft.file());
        }
        list(html, workshop, host, fields);
    });
    Ok(Reply::Page(page))
}

/// Writes a link that analyzes more pages of the site.
fn look_at_more(html: &mut Html, workshop: &Workshop, host: &str, (looked, all): (usize, usize)) {
    let most = all.min(LOOKED_AT_MOST);
    if looked < most {
        let to = workshop.link("/site", &[("host", host), ("look", &most.to_string())]);
        let text = match most < all {
            true => format!("Look at {most} of them"),
            false => format!("Look at all {all}"),
        };
        html.within("p", &[], |html| html.element("a", &[("href", &to)], text));
    }
}

/// Returns what `dehusk site check` would return for the analyzed pages.
fn health(workshop: &Workshop, host: &str, store: &Store, pages: &SitePages) -> Vec<Health> {
    let mut templates = TemplateCheck::new(store);
    pages.samples.iter().for_each(|sample| templates.add(sample));
    let mut out = templates.finish();
    if let Some(set) = store.rules() {
        let mut check = RuleCheck::new(set);
        // Extraction by rules is slower than a comparison of samples, so fewer pages are checked.
        for number in pages.numbers.iter().take(CHECKED) {
            let Ok(record) = workshop.crawl.read(*number) else {
                continue;
            };
            let Ok(page) = record.page() else {
                continue;
            };
            let got = store.extract(&page, &workshop.options);
            let words = (got.method == rules::NAME).then(|| rules::words(&got.text));
            check.add(workshop.crawl.url(*number), words);
        }
        // Rules without pages here are left out, such as those of other sites.
        out.extend(check.finish().into_iter().filter(|health| health.pages > 0));
    }
    // Templates of this site are shown even without pages.
    out.retain(|health| health.pages > 0 || host_of(&health.site).as_deref() == Some(host));
    out
}

/// Writes the health of each template and rule.
fn told_health(html: &mut Html, health: &[Health]) {
    html.element("h2", &[], "Health");
    html.within("ul", &[("class", &"health")], |html| {
        for row in health {
            html.within("li", &[], |html| {
                html.within("span", &[("class", &"strong")], |html| {
                    html.prose(&row.site, MAX_CHARS);
                });
                let mut told = format!(
                    ": {}, fires on {}",
                    count(narrow::to_usize(row.pages), "page", "pages"),
                    row.fires
                );
                if let Some(coverage) = row.coverage {
                    told += &format!(", knows {:.0} % of the words", 100.0 * coverage);
                }
                told += &format!(", keeps {} words", row.median);
                if let Some(usual) = row.usual {
                    told += &format!(", {usual:.0} are usual");
                }
                html.text(told);
                for warning in &row.warnings {
                    html.within("div", &[("class", &"alarm")], |html| {
                        html.prose(warning, MAX_CHARS);
                    });
                }
            });
        }
    });
}

/// Writes the layouts. Those whose choice of parts is least sure come first.
fn layouts(html: &mut Html, workshop: &Workshop, host: &str, pages: &SitePages) {
    let sure = |at: usize| workshop.template_of(host, pages, at).and_then(Template::sure);
    let mut order: Vec<(usize, Option<f64>)> = (0..pages.layouts.len()).map(|at| (at, sure(at))).collect();
    order.sort_by(|a, b| {
        // Without samples there is no doubt to be resolved, so such layouts come last, as sure ones do.
        a.1.unwrap_or(1.0)
            .total_cmp(&b.1.unwrap_or(1.0))
            .then(a.0.cmp(&b.0))
    });
    html.element("h2", &[], "Layouts");
    html.within("table", &[("class", &"list layouts")], |html| {
        html.within("thead", &[], |html| {
            html.within("tr", &[], |html| {
                for name in ["Layout", "Pages looked at", "Sure", "Below", "Examples"] {
                    html.element("th", &[("scope", &"col")], name);
                }
            });
        });
        html.within("tbody", &[], |html| {
            for (at, sure) in order {
                let layout = &pages.layouts[at];
                html.within("tr", &[], |html| {
                    html.element("td", &[("class", &"number")], at + 1);
                    html.element("td", &[("class", &"number")], layout.pages.len());
                    html.within("td", &[], |html| match sure {
                        None => {}
                        Some(1.0) => html.text("100 %"),
                        Some(sure) => {
                            let at = (at + 1).to_string();
                            let to = workshop.link("/candidates", &[("host", host), ("layout", &at)]);
                            let told = format!("{:.0} %, two candidates", 100.0 * sure);
                            html.element("a", &[("href", &to)], told);
                        }
                    });
                    html.within("td", &[], |html| html.exact(&layout.path, 100));
                    html.within("td", &[("class", &"wide")], |html| {
                        for number in layout
                            .pages
                            .iter()
                            .take(3)
                            .filter_map(|at| pages.numbers.get(*at))
                        {
                            let to = workshop.link(&format!("/page/{number}"), &[]);
                            let name = path_of(workshop.crawl.name(*number)).to_owned();
                            html.within("a", &[("href", &to)], |html| html.prose(&name, 60));
                            html.text(" ");
                        }
                    });
                });
            }
        });
    });
}

/// Writes the opened templates of the site.
fn templates(html: &mut Html, workshop: &Workshop, host: &str) {
    for template in workshop.templates_of(host) {
        html.within("h2", &[], |html| {
            html.text("Template of ");
            html.prose(&template.origin.site, MAX_CHARS);
        });
        let learnt = count(template.pages() as usize, "page", "pages");
        html.element(
            "p",
            &[("class", &"note")],
            format!(
                "Learnt from {learnt}, as layout {} of the site at that time.",
                template.origin.layout
            ),
        );
        parts(html, template);
    }
}

/// Writes the parts that a template keeps and drops.
pub(crate) fn parts(html: &mut Html, template: &Template) {
    let parts = template.parts();
    html.within("ul", &[("class", &"parts")], |html| {
        let telling = |part: &&dehusk_pipeline::extract::site::TemplatePart<'_>| {
            // A part is listed if its decision differs from that of the part around it, or if it is dropped
            // as an outermost part.
            let above = part.parent.and_then(|above| parts.get(above));
            part.kept != above.is_some_and(|above| above.kept) || (!part.kept && part.parent.is_none())
        };
        for part in parts.iter().filter(telling).take(MAX_PARTS) {
            let verdict = if part.kept { "kept" } else { "dropped" };
            html.within("li", &[], |html| {
                html.element("span", &[("class", &format_args!("b {verdict}"))], verdict);
                html.text(" ");
                html.exact(&part.path, MAX_CHARS);
                html.text(format!(
                    " on {} · {}",
                    count(part.pages as usize, "page", "pages"),
                    part.reason
                ));
                if !part.example.is_empty() {
                    html.text(" · ");
                    html.prose(part.example, 80);
                }
            });
        }
    });
}

/// Writes the file of rules as text that can be edited.
fn rule_text(html: &mut Html, workshop: &Workshop, host: &str, text: &str, file: &str) {
    html.within("h2", &[("id", &"rules")], |html| {
        html.text("Rules in ");
        html.exact(file, 100);
    });
    if workshop.folder.path().is_none() {
        html.element(
            "p",
            &[("class", &"note")],
            "Nothing can be saved: no folder of rules was named with --rules.",
        );
    }
    html.within(
        "form",
        &[("method", &"post"), ("action", &workshop.link("/text", &[]))],
        |html| {
            hidden(html, &[("host", host)]);
            html.within("label", &[], |html| {
                html.element("span", &[("class", &"hidden")], "The file");
                let lines = text.lines().count().clamp(4, 30);
                html.within(
                    "textarea",
                    &[("name", &"text"), ("rows", &lines), ("spellcheck", &"false")],
                    |html| {
                        // HTML drops the first line feed in a `textarea`, so another one is written before
                        // the text.
                        html.markup("\n");
                        html.text(text);
                    },
                );
            });
            html.element("button", &[], "Try this text");
        },
    );
    draft_buttons(html, workshop, host, (None, None));
}

/// Writes the buttons that take a step back or again, and the link to all changes.
pub(crate) fn draft_buttons(
    html: &mut Html,
    workshop: &Workshop,
    host: &str,
    (page, element): (Option<usize>, Option<usize>),
) {
    let Ok(draft) = workshop.draft(host) else { return };
    let (undo, redo) = draft.steps();
    let page = page.map(|page| page.to_string());
    let element = element.map(|element| element.to_string());
    let mut fields: Vec<(&'static str, &str)> = vec![("host", host)];
    fields.extend(page.as_deref().map(|page| ("page", page)));
    fields.extend(element.as_deref().map(|element| ("element", element)));
    html.within("div", &[("class", &"actions"), ("id", &"draft")], |html| {
        if undo > 0 {
            form(
                html,
                &workshop.link("/undo", &[]),
                &fields,
                &[("step", "undo", "Undo")],
            );
        }
        if redo > 0 {
            form(
                html,
                &workshop.link("/undo", &[]),
                &fields,
                &[("step", "redo", "Redo")],
            );
        }
        if draft.is_changed() {
            let mut query = vec![("host", host)];
            query.extend(page.as_deref().map(|page| ("page", page)));
            html.element(
                "a",
                &[("href", &workshop.link("/changes", &query)), ("class", &"button")],
                "See all changes and save",
            );
        }
    });
}

/// Writes the pages of the site whose addresses contain the searched text.
fn list(html: &mut Html, workshop: &Workshop, host: &str, fields: &Fields) {
    let wanted = fields.text("q").to_lowercase();
    let from = fields.number("from").unwrap_or(0);
    html.element("h2", &[], "Pages");
    html.within(
        "form",
        &[
            ("class", &"search"),
            ("action", &workshop.link("/site", &[])),
            ("role", &"search"),
        ],
        |html| {
            hidden(html, &[("host", host)]);
            html.within("label", &[], |html| {
                html.text("Address ");
                html.void(
                    "input",
                    &[("type", &"search"), ("name", &"q"), ("value", &wanted)],
                );
            });
            html.element("button", &[], "Find");
        },
    );
    let found: Vec<usize> = workshop
        .crawl
        .pages_of(host)
        .iter()
        .copied()
        .filter(|number| wanted.is_empty() || workshop.crawl.name(*number).to_lowercase().contains(&wanted))
        .collect();
    html.within("ol", &[("class", &"pages"), ("start", &(from + 1))], |html| {
        for number in found.iter().skip(from).take(ON_A_PAGE) {
            html.within("li", &[], |html| {
                let to = workshop.link(&format!("/page/{number}"), &[]);
                html.within("a", &[("href", &to)], |html| {
                    html.prose(workshop.crawl.name(*number), MAX_CHARS);
                });
            });
        }
    });
    more(html, found.len(), from, |from| {
        workshop.link(
            "/site",
            &[("host", host), ("q", &wanted), ("from", &from.to_string())],
        )
    });
}
