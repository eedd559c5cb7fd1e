//! Handwritten rules: which parts of a site's pages are main text.
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
//! Fields are `title`, `author`, `date` and `modified`. On a page, the fields are read first, each from the
//! first result that has a value. Then the parts that `remove` finds are removed. The parts that `extract`
//! finds are the main text, in the order of the page and each once. A rule without `extract` removes parts of
//! the main text that another method finds.
//!
//! Rules take precedence over templates and page-level extractors. If a rule finds nothing, the next rule for
//! the address is tried. If no rule finds anything, templates and extractors are used, with a warning.
//!
//! Expressions are CSS selectors, matched against the tree of the page, or XPath 1.0. XPath is evaluated by
//! sxd-xpath on a copy of the page, which is made only for pages with such a rule.
//!
//! Rules cannot hang. The length and depth of expressions are bounded when they are read. The rules of a page
//! are bounded in steps and in the number of nodes found. Regular expressions are matched in linear time.

pub(crate) mod apply;
mod budget;
mod css;
mod error;
pub(crate) mod pattern;
mod selector;
pub(crate) mod set;
mod xpath;

pub use apply::NAME;
pub use error::RuleError;
pub use selector::{Selector, SelectorSearch, escape_name};
pub use set::{Example, FORMAT, Rule, RuleSet};

/// Returns the number of words in a text, as counted by templates and [`Rule::usual_words`]: runs of letters
/// and digits, and each character of scripts that are written without spaces.
pub fn words(text: &str) -> u64 {
    u64::from(crate::analysis::blocks::counts::tokens(text))
}

#[cfg(test)]
mod tests;
