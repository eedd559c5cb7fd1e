//! The effects of the draft on the pages of a site, before it is saved.

use std::ops::Range;

use dehusk_pipeline::Error;
use dehusk_pipeline::markup::Html;

use super::shell::{self, count, form};
use super::site::draft_buttons;
use crate::changes::{self, LineKind, PageChange};
use crate::fields::Fields;
use crate::reply::Reply;
use crate::workshop::{Saved, Workshop};

/// Maximum number of characters of a line that are shown.
const MAX_LINE: usize = 1000;
/// Number of pages of a site that are compared by default.
const COMPARED: usize = 200;

/// Shows the change of the file of rules, and the changes on pages of the site.
pub(crate) fn show(workshop: &Workshop, fields: &Fields) -> Result<Reply, Error> {
    let host = fields.text("host");
    let draft = workshop.draft(host)?;
    let stores = workshop.stores(host)?;
    let all = workshop.crawl.pages_of(host).len();
    let most = if fields.get("all").is_some() {
        all
    } else {
        COMPARED
    };
    let numbers = workshop.crawl.spread(host, most);
    let found = changes::compare(
        &workshop.crawl,
        &numbers,
        (&stores.saved, &stores.draft),
        &workshop.options,
    );
    let trail = [(host, workshop.link("/site", &[("host", host)]))];
    let page = shell::page(workshop, "What the rules change", &trail, |html| {
        let looked = count(found.looked_at, "page", "pages");
        html.element("p", &[], format!("{} of {looked} change.", found.pages.len()));
        if found.unread > 0 {
            html.element(
                "p",
                &[("class", &"alarm")],
                format!("{} could not be read.", count(found.unread, "page", "pages")),
            );
        }
        if found.looked_at < all {
            let to = workshop.link(
                "/changes",
                &[("host", host), ("page", fields.text("page")), ("all", "1")],
            );
            html.element("a", &[("href", &to)], format!("Look at all {all}"));
        }
        if !draft.is_changed() {
            html.element("p", &[("class", &"note")], "Nothing is there to be saved.");
        }
        html.element("h2", &[], "The file");
        let file: Vec<(LineKind, String)> = file_lines(draft.saved(), draft.text());
        lines(html, &file);
        // The example is made from the page that the user came from, or else from the first changed one.
        if draft.is_changed() {
            save(html, workshop, host, fields.number("page"), found.pages.first());
        }
        draft_buttons(html, workshop, host, (fields.number("page"), None));
        html.element("h2", &[], "The pages");
        for change in &found.pages {
            one(html, workshop, change);
        }
    });
    Ok(Reply::Page(page))
}

/// Returns the lines of the difference of two files, with white space preserved.
fn file_lines(before: &str, after: &str) -> Vec<(LineKind, String)> {
    let diff = similar::TextDiff::from_lines(before, after);
    diff.iter_all_changes()
        .map(|change| {
            let kind = match change.tag() {
                similar::ChangeTag::Equal => LineKind::Same,
                similar::ChangeTag::Delete => LineKind::Gone,
                similar::ChangeTag::Insert => LineKind::New,
            };
            (kind, change.value().trim_end_matches('\n').to_owned())
        })
        .collect()
}

/// Writes the buttons that save the draft.
fn save(html: &mut Html, workshop: &Workshop, host: &str, page: Option<usize>, changed: Option<&PageChange>) {
    if workshop.folder.path().is_none() {
        html.element(
            "p",
            &[("class", &"alarm")],
            "No folder of rules was named: start with --rules DIR to save.",
        );
        return;
    }
    let page = page
        .or(changed.map(|change| change.number))
        .map(|page| page.to_string());
    let mut fields: Vec<(&'static str, &str)> = vec![("host", host)];
    fields.extend(page.as_deref().map(|page| ("page", page)));
    form(
        html,
        &workshop.link("/save", &[]),
        &fields,
        &[
            ("example", "yes", "Save with an example"),
            ("example", "", "Save without one"),
        ],
    );
}

/// Writes the changes on a page.
fn one(html: &mut Html, workshop: &Workshop, change: &PageChange) {
    html.within("h3", &[], |html| {
        let to = workshop.link(&format!("/page/{}", change.number), &[]);
        html.within("a", &[("href", &to)], |html| {
            html.prose(workshop.crawl.name(change.number), 200);
        });
        html.element(
            "span",
            &[("class", &"note")],
            format!(" −{} +{}", change.gone, change.new),
        );
    });
    lines(html, &change.lines);
}

/// Writes the lines of a difference, with the differing words of similar lines marked.
pub(crate) fn lines(html: &mut Html, lines: &[(LineKind, String)]) {
    let words = changes::changed_words(lines);
    html.within("div", &[("class", &"diff")], |html| {
        for ((kind, line), words) in lines.iter().zip(&words) {
            let (class, sign, tag) = match kind {
                LineKind::Same => ("same", " ", "span"),
                LineKind::Gone => ("gone", "−", "del"),
                LineKind::New => ("new", "+", "ins"),
                LineKind::Gap => ("gap", "⋮", "span"),
            };
            html.within("div", &[("class", &class)], |html| {
                html.element("span", &[("class", &"sign"), ("aria-hidden", &"true")], sign);
                html.within(tag, &[("dir", &direction(line))], |html| {
                    marked(html, line, words);
                });
            });
        }
    });
}

/// Returns the direction of a line by its first letter. Browsers cannot determine it, because each marked
/// piece of a line would get a direction of its own.
pub(super) fn direction(line: &str) -> &'static str {
    let is_rtl =
        |c: char| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}');
    match line.chars().find(|c| c.is_alphabetic()) {
        Some(first) if is_rtl(first) => "rtl",
        _ => "ltr",
    }
}

/// Writes a line with these byte ranges marked.
fn marked(html: &mut Html, line: &str, words: &[Range<usize>]) {
    let mut from = 0;
    for range in words {
        html.prose(line.get(from..range.start).unwrap_or_default(), MAX_LINE);
        html.within("mark", &[], |html| {
            html.prose(line.get(range.clone()).unwrap_or_default(), MAX_LINE);
        });
        from = range.end;
    }
    html.prose(line.get(from..).unwrap_or_default(), MAX_LINE);
}

/// Shows the result of saving. `page` is the page on which the rules were made.
pub(crate) fn saved(workshop: &Workshop, host: &str, page: Option<usize>, saved: &Saved) -> Reply {
    let trail = [(host, workshop.link("/site", &[("host", host)]))];
    Reply::Page(shell::page(workshop, "Saved", &trail, |html| {
        html.within("p", &[("role", &"status")], |html| {
            html.text("The rules are in ");
            html.exact(&saved.path, 500);
        });
        for note in &saved.notes {
            html.within("p", &[("class", &"alarm")], |html| html.prose(note, 1000));
        }
        html.element(
            "p",
            &[("class", &"note")],
            "From now on, pages are extracted with them by this command:",
        );
        html.within("pre", &[("class", &"wide")], |html| {
            html.within("code", &[], |html| html.prose(&workshop.command, 2000));
        });
        let pages = workshop.crawl.pages_of(host);
        let at = page.and_then(|page| pages.binary_search(&page).ok());
        let next = at.and_then(|at| pages.get(at + 1));
        let to_page = |number: &usize| workshop.link(&format!("/page/{number}"), &[]);
        html.within("p", &[("class", &"actions")], |html| {
            for (name, to) in [
                ("Back to the page", page.as_ref().map(to_page)),
                ("Next page", next.map(to_page)),
                ("The site", Some(workshop.link("/site", &[("host", host)]))),
                ("All sites, by need", Some(workshop.link("/", &[]))),
            ] {
                if let Some(to) = to {
                    html.element("a", &[("href", &to), ("class", &"button")], name);
                }
            }
        });
    }))
}
