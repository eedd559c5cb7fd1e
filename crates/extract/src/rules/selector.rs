//! Single selectors on a page, for programs that help a person to write rules.

use std::fmt::Write;

use super::budget::{MAX_STEPS, RuleBudget};
use super::css::{Css, PageElements};
use super::error::{RuleError, SourceFile};
use crate::label::extractor::PageView;
use dehusk_html::tree::NodeId;

/// A CSS selector with the syntax and limits of rules.
#[derive(Clone, Debug)]
pub struct Selector(Css);

impl Selector {
    /// Parses a selector.
    ///
    /// # Errors
    /// If the selector is invalid. Line and column refer to the selector.
    pub fn read(text: &str) -> Result<Selector, RuleError> {
        let place = SourceFile {
            file: "selector",
            text,
        };
        Css::read(text)
            .map(Selector)
            .map_err(|flaw| place.error(flaw.at, flaw.message, flaw.remedy))
    }
}

/// The elements of one page, for searches with any number of selectors.
pub struct SelectorSearch<'v> {
    view: &'v PageView<'v>,
    elements: PageElements,
    removed: Vec<bool>,
}

impl<'v> SelectorSearch<'v> {
    /// Links the elements of a page.
    pub fn new(view: &'v PageView<'v>) -> SelectorSearch<'v> {
        let removed = vec![false; view.dom.len()];
        SelectorSearch {
            view,
            // Nothing is removed: a rule's `remove` is not applied here.
            elements: PageElements::new(view.dom, &removed),
            removed,
        }
    }

    /// Returns the elements that a selector matches, in document order, as a rule would find them.
    ///
    /// # Errors
    /// If the search takes more steps or finds more elements than rules may. The message names the limit.
    pub fn find(&self, selector: &Selector) -> Result<Vec<NodeId>, String> {
        let budget = RuleBudget::new(MAX_STEPS);
        self.elements
            .find(&selector.0, self.view.dom, &self.removed, &budget)
            .map_err(|why| why.message())
    }
}

/// Escapes a name for CSS: all ASCII characters except letters, digits, `-` and `_`, and digits at the start.
pub fn escape_name(name: &str) -> String {
    let mut out = String::new();
    for (i, c) in name.chars().enumerate() {
        // An identifier does not begin with a digit, or with a hyphen and a digit.
        let digit = c.is_ascii_digit() && (i == 0 || (i == 1 && name.starts_with('-')));
        if digit || c.is_control() || name == "-" {
            let _ = write!(out, "\\{:x} ", u32::from(c));
        } else {
            if !(c.is_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii()) {
                out.push('\\');
            }
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Page, inspect};

    fn found(html: &str, selector: &str) -> Result<usize, String> {
        let selector = Selector::read(selector).map_err(|error| error.to_string())?;
        inspect(&Page::decoded(html), &Options::default(), |view| {
            SelectorSearch::new(view).find(&selector).map(|found| found.len())
        })
    }

    #[test]
    fn selectors_find_what_rules_would_find() {
        let html = "<div class=a><p>one<p>two</div><p class='x:1'>three";
        assert_eq!(found(html, "div.a > p"), Ok(2));
        assert_eq!(found(html, &format!("p.{}", escape_name("x:1"))), Ok(1));
        assert_eq!(found(html, ".b"), Ok(0));
        let wrong = found(html, "p:hover").unwrap_err();
        assert!(
            wrong.starts_with("selector:1:") && wrong.contains("hover"),
            "{wrong}"
        );
    }
}
