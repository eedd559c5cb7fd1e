//! A part of a page that the user points at: selectors that match it, and decisions about it.

use dehusk_pipeline::extract::rules::Selector;
use dehusk_pipeline::markup::Html;
use dehusk_pipeline::site::Store;

use super::shell::{MAX_CHARS, count, hidden};
use crate::changes;
use crate::crawl::LayoutMark;
use crate::fields::Fields;
use crate::look::{self, Part, beginning};
use crate::workshop::{Workshop, folder_of};

/// Number of other pages of the site on which each view checks for changes.
const OTHERS: usize = 24;
/// Number of pages of the site on which the matches of selectors are counted.
const COUNTED: usize = 60;
/// Like [`COUNTED`], if the user wants all pages.
const COUNTED_MOST: usize = 5000;

/// Writes the selected part and the decisions about it.
pub(super) fn chosen(
    html: &mut Html,
    workshop: &Workshop,
    (number, host): (usize, &str),
    part: &Part,
    fields: &Fields,
) {
    html.within("p", &[("id", &"chosen"), ("data-e", &part.element)], |html| {
        html.exact(&part.name, MAX_CHARS);
    });
    html.within("blockquote", &[], |html| html.prose(&part.text, 500));
    html.within("p", &[("class", &"above")], |html| {
        html.text("Around it: ");
        for (element, name) in &part.above {
            let to =
                workshop.link(&format!("/page/{number}"), &[("element", &element.to_string())]) + "#part";
            html.within("a", &[("href", &to)], |html| html.exact(name, 60));
            html.text(" ");
        }
    });
    if host.is_empty() {
        html.element(
            "p",
            &[("class", &"note")],
            "The page has no address, so that no rule can be made for it. Start with --base.",
        );
        return;
    }
    if workshop.folder.path().is_none() {
        html.within("p", &[("class", &"alarm")], |html| {
            html.text("What is decided here can be tried but not saved: start with ");
            html.element("code", &[], "--rules DIR");
            html.text(" to save it.");
        });
    }
    // Each counted page is read and parsed, so few of them are counted at first.
    let all = workshop.crawl.pages_of(host).len();
    let most = all.min(COUNTED_MOST);
    let wide = fields.get("all").is_some();
    let pages = if wide { most } else { all.min(COUNTED) };
    let counted = counted(workshop, host, part, pages);
    html.within(
        "form",
        &[
            ("method", &"post"),
            ("action", &workshop.link("/rule", &[])),
            ("id", &"decide"),
        ],
        |html| {
            hidden(
                html,
                &[
                    ("page", &number.to_string()),
                    ("element", &part.element.to_string()),
                ],
            );
            html.within("fieldset", &[], |html| {
                html.element("legend", &[], "Selector");
                for (at, candidate) in part.candidates.iter().enumerate() {
                    html.within("label", &[("class", &"choice")], |html| {
                        choice(html, "selector", &candidate.selector, at == 0);
                        html.exact(&candidate.selector, 200);
                        let (on, parts, text) = counted.get(at).cloned().unwrap_or_default();
                        html.element(
                            "span",
                            &[("class", &"note")],
                            format!(
                                " {} here; {parts} on {on} of {pages} pages of the site that were looked at",
                                candidate.found
                            ),
                        );
                        if !text.is_empty() {
                            html.within("span", &[("class", &"note sample")], |html| {
                                html.prose(&text, 120);
                            });
                        }
                    });
                }
                // The link is shown as long as it would count more pages.
                if pages < most {
                    count_all(html, workshop, (number, part.element), fields, (most, all));
                }
            });
            html.within("fieldset", &[], |html| {
                html.element("legend", &[], "Where");
                let url = workshop.crawl.url(number).unwrap_or_default();
                let layout = workshop.layout_of(host, number);
                let layout =
                    layout.map_or_else(|| "this layout".to_owned(), |layout| format!("layout {layout}"));
                // The choice names what distinguishes the layout, so the user sees which pages the rule
                // affects.
                let (told, mark) = match workshop.layout_mark(host, number) {
                    LayoutMark::Folder(path) => (format!("on pages of {layout}, which lie below "), path),
                    LayoutMark::Element(name) => (format!("on pages of {layout}, which have "), name),
                    LayoutMark::Nothing => (
                        format!("on pages in this folder, since nothing tells {layout} from others: "),
                        folder_of(url).to_owned(),
                    ),
                };
                for (value, text, mark) in [
                    ("page", "on this page", None),
                    ("layout", told.as_str(), Some(&mark)),
                    ("site", "on the whole site", None),
                ] {
                    html.within("label", &[("class", &"choice")], |html| {
                        choice(html, "scope", value, value == "site");
                        html.text(text);
                        if let Some(mark) = mark {
                            html.exact(mark, 100);
                        }
                    });
                }
            });
            let buttons = |html: &mut Html, all: &[(&str, &str)]| {
                for (value, text) in all {
                    html.element("button", &[("name", &"action"), ("value", value)], *text);
                }
            };
            html.within("p", &[("class", &"actions")], |html| {
                let main_text = [
                    ("drop", "Drop it"),
                    ("keep", "Keep it too"),
                    ("only", "Keep nothing else"),
                ];
                buttons(html, &main_text);
            });
            html.within("fieldset", &[("class", &"actions")], |html| {
                html.element("legend", &[], "It is the");
                let fields = [
                    ("title", "Title"),
                    ("author", "Author"),
                    ("date", "Date"),
                    ("modified", "Date of the last change"),
                ];
                buttons(html, &fields);
            });
        },
    );
}

/// Writes a link that counts matches on more pages.
fn count_all(
    html: &mut Html,
    workshop: &Workshop,
    (number, element): (usize, usize),
    fields: &Fields,
    (most, all): (usize, usize),
) {
    let element = element.to_string();
    let mut query = vec![("element", element.as_str()), ("all", "1")];
    query.extend(fields.get("selector").map(|selector| ("selector", selector)));
    let to = workshop.link(&format!("/page/{number}"), &query) + "#part";
    let text = match most < all {
        true => format!("Count on {most} of all {all} pages"),
        false => format!("Count on all {all} pages"),
    };
    html.within("p", &[("class", &"count")], |html| {
        html.element("a", &[("href", &to)], text);
    });
}

/// Writes a radio button.
fn choice(html: &mut Html, name: &str, value: &str, is_chosen: bool) {
    match is_chosen {
        true => html.void(
            "input",
            &[
                ("type", &"radio"),
                ("name", &name),
                ("value", &value),
                ("checked", &""),
            ],
        ),
        false => html.void("input", &[("type", &"radio"), ("name", &name), ("value", &value)]),
    }
}

/// Returns for each selector of a part: the number of pages of the site with matches, the number of
/// matches, and the text of another match.
fn counted(workshop: &Workshop, host: &str, part: &Part, most: usize) -> Vec<(usize, usize, String)> {
    let selectors = part
        .candidates
        .iter()
        .map(|candidate| Selector::read(&candidate.selector));
    let selectors: Vec<Selector> = selectors.filter_map(Result::ok).collect();
    let mut out = vec![(0, 0, String::new()); selectors.len()];
    for number in workshop.crawl.spread(host, most) {
        // Pages that cannot be read have no matches.
        let Ok(record) = workshop.crawl.read(number) else {
            continue;
        };
        let found = look::find(&record, &workshop.options, &selectors).unwrap_or_default();
        for (sum, (parts, text)) in out.iter_mut().zip(found) {
            sum.0 += usize::from(parts > 0);
            sum.1 += parts;
            // A text that differs from that of the part shows what else the selector matches.
            if sum.2.is_empty() && parts > 0 && text != part.text {
                sum.2 = beginning(&text);
            }
        }
    }
    out
}

/// Writes an input for a selector.
pub(super) fn by_selector(html: &mut Html, workshop: &Workshop, number: usize, selector: &str) {
    let to = workshop.link(&format!("/page/{number}"), &[]) + "#part";
    html.within("form", &[("action", &to), ("class", &"search")], |html| {
        html.within("label", &[], |html| {
            html.text("Selector ");
            html.void(
                "input",
                &[
                    ("name", &"selector"),
                    ("value", &selector),
                    ("spellcheck", &"false"),
                    ("autocomplete", &"off"),
                ],
            );
        });
        html.element("button", &[], "Show");
    });
}

/// Writes the changes on other pages of the site.
pub(super) fn elsewhere(
    html: &mut Html,
    workshop: &Workshop,
    number: usize,
    host: &str,
    stores: (&Store, &Store),
) {
    // Without a change in the draft, nothing changes elsewhere.
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
            format!(
                "{} of {} that were looked at change.",
                changes.pages.len(),
                count(changes.looked_at, "page", "pages")
            ),
        );
        html.within("ul", &[], |html| {
            for change in changes.pages.iter().take(8) {
                html.within("li", &[], |html| {
                    let to = workshop.link(&format!("/page/{}", change.number), &[]);
                    html.within("a", &[("href", &to)], |html| {
                        html.prose(workshop.crawl.name(change.number), 80);
                    });
                    html.text(format!(" −{} +{} lines", change.gone, change.new));
                });
            }
        });
    });
}
