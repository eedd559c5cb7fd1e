//! Rules by hand say which part of a site's pages is the main text.
//!
//! Extractors guess, and on one site in some dozens they guess wrong on every page. A rule is the remedy: a
//! few lines of TOML with CSS selectors or XPath for the main text, for parts to remove, and for title,
//! author and date. Rules go before templates and extractors. If a rule finds nothing on a page, the next
//! method answers, with a warning, so that a site that changed its layout is noticed.
//!
//! A rule carries examples: a page and the text that the rule gives. They are checked when a program asks
//! for it, so that a rule cannot rot unnoticed. The workshop (`dehusk serve`) writes such files while a
//! person points at parts of pages.
//!
//! `cargo run -p dehusk --features rules --example rules`

use std::error::Error;
use std::io::{self, Write};

use dehusk::extract::rules::RuleSet;
use dehusk::extract::{Options, Overrides, Page, extract_with};

const RULES: &str = r#"
format = 1

[[rule]]
hosts = ["recipes.example"]
paths = ["/cake/*"]
extract = [{ css = ".card > p, .card > ol" }]
remove = [{ css = ".advert" }]
title = { css = "h2" }
author = { css = ".by", regex = "by (.+)" }
"#;

const PAGE: &str = "<h2>Apple cake</h2><div class=by>by Ann Miller</div>\
    <div class=card><p>For a form of 26 cm.<ol><li>Peel four apples.<li>Beat two eggs.</ol>\
    <p class=advert>Buy our knives, they are sharp.</div><p>Ten more cakes that you have never heard of, all of them with plums.";

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    // Each file has a name, which errors and warnings give with line and column.
    let rules = RuleSet::read([("recipes.toml", RULES)])?;
    let overrides = Overrides::default().with_rules(Some(&rules));
    for (url, html) in [
        ("http://recipes.example/cake/1", PAGE),
        (
            "http://recipes.example/cake/2",
            "<title>Plum cake</title><h2>Plum cake</h2><main><p>The site has a new layout, and no card anywhere.</main>",
        ),
    ] {
        let page = Page::decoded(html).with_url(Some(url));
        let found = extract_with(&page, &Options::default(), &overrides);
        let (title, author) = (found.metadata.title, found.metadata.author);
        writeln!(
            out,
            "{url}: {}, by {}",
            title.unwrap_or_default(),
            author.as_deref().unwrap_or("an unknown author")
        )?;
        writeln!(out, "method: {}", found.method)?;
        for warning in &found.warnings {
            writeln!(out, "warning: {}", warning.message)?;
        }
        writeln!(out, "{}", found.text)?;
    }

    // `>>` is not a combinator of CSS.
    let broken = RULES.replace(".card > p, ", ".card >> p, ");
    if let Err(error) = RuleSet::read([("recipes.toml", broken.as_str())]) {
        writeln!(out, "a broken rule: {error}")?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}
