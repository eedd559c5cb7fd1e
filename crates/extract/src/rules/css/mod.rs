//! CSS selectors, matched by the crate `selectors` against the tree of the page.

mod element;
mod elements;
mod grammar;
mod reach;

use std::cell::Cell;

use cssparser::{BasicParseErrorKind, ParseError, ParseErrorKind, Parser, ParserInput, ToCss};
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode, SelectorCaches,
};
use selectors::matching::matches_selector_list;
use selectors::parser::{ParseRelative, SelectorList, SelectorParseErrorKind};

use self::element::{Candidate, View};
use self::elements::Elements;
use self::grammar::Grammar;
use self::reach::Reach;
use super::budget::{COMPARISONS, MAX_FOUND, RuleBudget, Stopped};
use super::error::Flaw;
use dehusk_html::narrow;
use dehusk_html::tree::{Dom, NodeId};

/// Maximum length of a selector, in bytes.
const MAX_BYTES: usize = 2000;
/// Maximum nesting depth of parentheses.
const MAX_NESTED: usize = 8;

/// A selector, with bounds on the cost of matching it against an element.
#[derive(Clone, Debug)]
pub(super) struct Css {
    selectors: SelectorList<Grammar>,
    reach: Reach,
}

impl Css {
    /// Parses a selector, bounded in length and nesting.
    pub(super) fn read(text: &str) -> Result<Css, Flaw> {
        if text.len() > MAX_BYTES {
            let message = format!("longer than {MAX_BYTES} bytes");
            return Err(Flaw::new(MAX_BYTES, message, "part it into several selectors"));
        }
        // The parser of selectors recurses, so nesting is bounded first. Parentheses in strings are counted,
        // too.
        let mut nested = 0_usize;
        for (at, c) in text.char_indices() {
            match c {
                '(' => nested += 1,
                ')' => nested = nested.saturating_sub(1),
                _ => {}
            }
            if nested > MAX_NESTED {
                let message = format!("nested more than {MAX_NESTED} deep");
                return Err(Flaw::new(at, message, "part it into several selectors"));
            }
        }
        let mut input = ParserInput::new(text);
        let selectors = SelectorList::parse(&Grammar, &mut Parser::new(&mut input), ParseRelative::No)
            .map_err(|error| flaw(text, &error))?;
        Ok(Css {
            reach: Reach::of(selectors.slice()),
            selectors,
        })
    }
}

/// Converts a parse error of a selector, at the byte offset where the parser stopped.
fn flaw(text: &str, error: &ParseError<'_, SelectorParseErrorKind<'_>>) -> Flaw {
    let why = match &error.kind {
        ParseErrorKind::Basic(BasicParseErrorKind::UnexpectedToken(token)) => {
            format!("`{}` was not expected", token.to_css_string())
        }
        ParseErrorKind::Basic(BasicParseErrorKind::EndOfInput) => "it ends too early".to_owned(),
        ParseErrorKind::Custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement(name)) => {
            format!("`{name}` is not known")
        }
        ParseErrorKind::Custom(SelectorParseErrorKind::EmptySelector) => "a part of it is empty".to_owned(),
        ParseErrorKind::Custom(SelectorParseErrorKind::DanglingCombinator) => {
            "nothing follows its last sign".to_owned()
        }
        ParseErrorKind::Custom(SelectorParseErrorKind::ExpectedNamespace(_)) => {
            "prefixes have no meaning".to_owned()
        }
        _ => "not understood".to_owned(),
    };
    let remedy = "write a selector such as `div.post > p`; state (`:hover`) and pseudo-elements (`::before`) are not known";
    let at = byte_of(text, error.location.line, error.location.column);
    Flaw::new(at, format!("no selector: {why}"), remedy)
}

/// Returns the byte offset of a line, counted from 0, and a column, counted from 1 in UTF-16 units.
fn byte_of(text: &str, line: u32, column: u32) -> usize {
    let lines = text.split_inclusive('\n');
    let start: usize = lines.take(line as usize).map(str::len).sum();
    let mut units = 1;
    let before = text[start..].chars().take_while(|c| {
        units += narrow::to_u32(c.len_utf16());
        units <= column
    });
    start + before.map(char::len_utf8).sum::<usize>()
}

/// The elements of a page that are not removed, as the targets of selectors.
pub(super) struct PageElements(Elements);

impl PageElements {
    pub(super) fn new(dom: &Dom<'_>, removed: &[bool]) -> PageElements {
        PageElements(Elements::new(dom, removed))
    }

    /// Removes a node with its descendants. The node must not be removed already.
    pub(super) fn remove(&mut self, dom: &Dom<'_>, id: NodeId) {
        self.0.remove(dom, id);
    }

    /// Returns the elements that a selector matches, in document order.
    pub(super) fn find(
        &self,
        css: &Css,
        dom: &Dom<'_>,
        removed: &[bool],
        budget: &RuleBudget,
    ) -> Result<Vec<NodeId>, Stopped> {
        let elements = &self.0;
        let view = View {
            dom,
            elements,
            budget,
            is_spent: Cell::new(false),
        };
        let mut out = Vec::new();
        // Each element is paid for before it is matched, by the most comparisons that the selector may need
        // there.
        for at in elements.all().filter(|at| !removed[at.origin.index()]) {
            let comparisons = css.reach.comparisons(at.depth, elements.siblings(at), at.below);
            budget.take(1 + comparisons / COMPARISONS)?;
            if matches(css, &Candidate { view: &view, at }) {
                out.push(at.origin);
            }
            // A refused reading looks like a missing attribute, so the match cannot be trusted.
            if view.is_spent.get() {
                return Err(Stopped::Steps);
            }
        }
        if out.len() > MAX_FOUND {
            return Err(Stopped::Found(out.len()));
        }
        Ok(out)
    }
}

/// Whether an element matches. Nothing is cached from element to element.
fn matches(css: &Css, element: &Candidate<'_>) -> bool {
    let mut caches = SelectorCaches::default();
    let mut context = MatchingContext::new(
        MatchingMode::Normal,
        None,
        &mut caches,
        QuirksMode::NoQuirks,
        NeedsSelectorFlags::No,
        MatchingForInvalidation::No,
    );
    matches_selector_list(&css.selectors, element, &mut context)
}

#[cfg(test)]
mod tests;
