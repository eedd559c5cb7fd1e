//! Rules by hand: which parts of a site's pages are main text.
//!
//! A file of rules is TOML:
//!
//! ```toml
//! format = 1
//!
//! [[rule]]
//! hosts = ["news.example.org", "*.example.net"]
//! paths = ["/20*", 're:^/story/\d+$']
//! extract = [{ css = "article .body" }, { xpath = "//div[@class='box'][p]" }]
//! remove = [{ css = ".share, .related" }]
//! title = { css = "h1" }
//! author = { css = ".byline", regex = "by (.+)" }
//! date = { css = "time", attribute = "datetime" }
//! usual_words = 400
//!
//! [[rule.example]]
//! url = "https://news.example.org/2024/rivers"
//! html = "<article><h1>Rivers</h1><div class=body><p>One river rose.</p><p class=share>Share</p></div></article>"
//! text = "One river rose."
//! title = "Rivers"
//! ```
//!
//! On a page, fields are read first, then what `remove` finds is taken out, then what `extract` finds is the main text, in the
//! order of the page, nothing twice. A rule without `extract` takes parts out of what else answers. A rule comes before
//! templates and page-level methods; where it finds nothing the next rule for the address is tried, and where all are silent
//! those methods answer, and warnings say so.
//!
//! Expressions are CSS selectors, matched by scraper, or XPath 1.0, evaluated by sxd-xpath. Both work on copies of the page
//! that are only made for pages with such a rule. Rules cannot hang: expressions are bounded in length and depth when they are
//! read, a page's rules in steps and in the number of nodes found, and regular expressions are matched in linear time.

mod apply;
mod budget;
mod css;
mod error;
mod pattern;
mod set;
mod xpath;

pub(crate) use apply::{Outcome, Silence, apply};
pub use error::RuleError;
pub(crate) use pattern::split;
pub use set::{Example, FORMAT, Rule, RuleSet};

use crate::options::Options;
use crate::page::Page;
use crate::site;

/// Name of the method in records.
pub const NAME: &str = "rules";

/// What a rule says of a page beside its main text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Fields {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) date: Option<String>,
}

/// Words of a text as templates and [`Rule::usual_words`] count them: runs of letters and digits, and each character of scripts
/// that are written without spaces.
pub fn words(text: &str) -> u64 {
    u64::from(crate::analysis::blocks::tokens(text))
}

impl RuleSet {
    /// Applies every rule to its examples. What differs is told, a message for each example.
    pub fn check(&self, options: &Options) -> Vec<String> {
        let mut out = Vec::new();
        for rule in self.rules() {
            for example in rule.examples() {
                out.extend(check(self, rule, example, options));
            }
        }
        out
    }
}

fn check(set: &RuleSet, rule: &Rule, example: &Example, options: &Options) -> Option<String> {
    let told = |what: &str| {
        Some(format!(
            "{}: `{}`, example {}: {what}",
            rule.place(),
            rule.name(),
            example.url
        ))
    };
    match set.find(&example.url) {
        Some(found) if found.place() == rule.place() => {}
        Some(other) => return told(&format!("the rule at {} comes before this one", other.place())),
        None => return told("the rule is not for this address"),
    }
    let page = Page::decoded(&example.html).with_url(Some(&example.url));
    let got = site::extract_by(&page, options, Some(set), &[]);
    let lines = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "));
        lines.filter(|l| !l.is_empty()).collect()
    };
    let (expected, found) = (lines(&example.text), lines(&got.text));
    if expected != found {
        let differs = expected.iter().zip(&found).position(|(a, b)| a != b);
        let at = differs.unwrap_or(expected.len().min(found.len()));
        let show = |lines: &[String]| {
            lines
                .get(at)
                .map_or("no more lines".to_owned(), |l| format!("\"{l}\""))
        };
        return told(&format!(
            "line {} is {}, expected {}",
            at + 1,
            show(&found),
            show(&expected)
        ));
    }
    for (name, expected, found) in [
        ("title", &example.title, &got.metadata.title),
        ("author", &example.author, &got.metadata.author),
        ("date", &example.date, &got.metadata.date),
    ] {
        if expected.is_some() && expected != found {
            return told(&format!("{name} is {found:?}, expected {expected:?}"));
        }
    }
    None
}

#[cfg(test)]
mod tests;
