//! The common frame of all pages of the workshop.

use axum::http::StatusCode;
use dehusk_pipeline::markup::Html;
use dehusk_pipeline::{Error, ErrorKind};

use crate::reply::Reply;
use crate::workshop::Workshop;

/// Maximum number of characters of untrusted text that are shown.
pub(crate) const MAX_CHARS: usize = 300;

/// Returns a page of the workshop. `trail` has the links that lead to it.
pub(crate) fn page(
    workshop: &Workshop,
    title: &str,
    trail: &[(&str, String)],
    body: impl FnOnce(&mut Html),
) -> String {
    let mut html = Html::default();
    html.markup("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.markup("<meta name=\"color-scheme\" content=\"light dark\">\n");
    html.element("title", &[], format!("{title} · dehusk"));
    let (style, script) = (workshop.link("/style.css", &[]), workshop.link("/app.js", &[]));
    html.void("link", &[("rel", &"stylesheet"), ("href", &style)]);
    // Without an icon, browsers would request one from an address outside the secret prefix.
    html.void("link", &[("rel", &"icon"), ("href", &"data:,")]);
    html.within("script", &[("src", &script), ("defer", &"")], |_| {});
    html.markup("</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the content</a>\n");
    html.within("header", &[("class", &"top")], |html| {
        html.within("nav", &[("aria-label", &"Where you are")], |html| {
            html.element("a", &[("href", &workshop.link("/", &[]))], "Sites");
            for (name, to) in trail {
                html.element("span", &[("class", &"sep"), ("aria-hidden", &"true")], "›");
                html.within("a", &[("href", to)], |html| html.prose(name, 60));
            }
        });
        html.within(
            "nav",
            &[("aria-label", &"Elsewhere"), ("class", &"else")],
            |html| {
                if workshop.clusters.is_some() {
                    html.element("a", &[("href", &workshop.link("/clusters", &[]))], "Duplicates");
                }
                let unsaved = workshop.unsaved();
                if !unsaved.is_empty() {
                    html.element(
                        "span",
                        &[("class", &"badge")],
                        format!("{} unsaved", unsaved.len()),
                    );
                }
            },
        );
    });
    html.within("main", &[("id", &"main")], |html| {
        html.within("h1", &[], |html| html.prose(title, MAX_CHARS));
        body(html);
    });
    html.markup("</body>\n</html>\n");
    html.finish()
}

/// Returns a page with an error message.
pub(crate) fn failed(workshop: &Workshop, error: &Error) -> Reply {
    let status = match error.kind() {
        ErrorKind::Usage => StatusCode::BAD_REQUEST,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    let page = page(workshop, "That did not work", &[], |html| {
        html.within("p", &[("class", &"alarm"), ("role", &"alert")], |html| {
            html.prose(&error.to_string(), 2000);
        });
        if let Some(help) = error.help() {
            html.within("p", &[], |html| html.prose(help, 1000));
        }
        html.element(
            "p",
            &[],
            "Nothing was changed. Go back to where you were, or to the sites.",
        );
    });
    Reply::Failed(status, page)
}

/// Returns a number with its noun.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Writes a form that changes something, with hidden fields. Each button has a name, a value and a text.
pub(crate) fn form(
    html: &mut Html,
    to: &str,
    fields: &[(&'static str, &str)],
    buttons: &[(&'static str, &str, &str)],
) {
    html.within("form", &[("method", &"post"), ("action", &to)], |html| {
        hidden(html, fields);
        for (name, value, text) in buttons {
            html.element("button", &[("name", name), ("value", value)], text);
        }
    });
}

/// Writes hidden fields.
pub(crate) fn hidden(html: &mut Html, fields: &[(&'static str, &str)]) {
    for (name, value) in fields {
        html.void("input", &[("type", &"hidden"), ("name", name), ("value", value)]);
    }
}
