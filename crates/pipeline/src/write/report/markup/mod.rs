//! HTML output for people. HTML is written only here.
//!
//! Texts come from the web, so two layers keep them from becoming markup. `escape` defines how untrusted
//! text is written in each context, and which addresses may become links. `html` writes markup, which is
//! `'static`, and passes all other text through `escape`.

mod escape;
mod html;

pub(crate) use escape::code_point;
pub use html::{Attributes, Html};

/// Whether a character is shown as its code point even in prose.
#[cfg(test)]
pub(crate) fn is_hidden(c: char) -> bool {
    escape::Sight::Prose.hides(c)
}

/// Icon of a sheet of paper with three bars, embedded so that browsers do not request one.
pub(crate) const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E\
    %3Crect width='16' height='16' rx='3' fill='%2317695a'/%3E%3Cpath d='M3 4h10v2H3zm0 4h7v2H3zm0 4h3v2H3z' \
    fill='white'/%3E%3C/svg%3E";

/// Writes the head of a page that loads nothing, runs no script, and uses the style sheet `style` only.
/// `sha256` is the hash of the style sheet in base64.
pub fn head(html: &mut Html, tool: &str, title: &str, style: &'static str, sha256: &str) {
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{sha256}'; img-src data:; base-uri 'none'; form-action 'none'"
    );
    html.markup("<meta charset=\"utf-8\">\n");
    html.void(
        "meta",
        &[("http-equiv", &"Content-Security-Policy"), ("content", &policy)],
    );
    html.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.markup("<meta name=\"color-scheme\" content=\"light dark\">\n");
    html.markup("<meta name=\"referrer\" content=\"no-referrer\">\n");
    html.void("meta", &[("name", &"generator"), ("content", &tool)]);
    html.element("title", &[], title);
    html.void("link", &[("rel", &"icon"), ("href", &ICON)]);
    html.within("style", &[], |html| html.markup(style));
    html.markup("\n");
}
