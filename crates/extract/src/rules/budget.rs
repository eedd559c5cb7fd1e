//! Limits on the cost of applying rules to a page.

use std::cell::Cell;
use std::rc::Rc;

/// Maximum number of steps of the rules of one page: about one visit of a node each. All of them take some
/// tenths of a second.
pub(super) const MAX_STEPS: u64 = 5_000_000;
/// Number of name comparisons that count as one step.
pub(super) const COMPARISONS: u64 = 16;
/// Number of bytes of text or of an attribute that count as one step.
pub(super) const BYTES: u64 = 64;
/// Number of bytes that count as one step for functions that look up every letter (`translate`), which takes
/// thirty times as long per byte.
pub(super) const BYTES_BY_LETTER: u64 = 2;
/// Maximum number of nodes that one expression may find.
pub(super) const MAX_FOUND: usize = 10_000;

/// Limits on the nodes and attributes that are copied for the evaluator of XPath expressions, where each
/// takes half a kilobyte: a fixed number, plus one per `BYTES_PER_COPIED` bytes of the page. Real pages stay
/// below.
const MAX_COPIED: usize = 64_000;
const BYTES_PER_COPIED: usize = 30;

/// Returns the maximum number of nodes and attributes that are copied from a page of `page` bytes.
pub(super) fn most_copied(page: usize) -> usize {
    MAX_COPIED + page / BYTES_PER_COPIED
}

/// Reason why a rule was stopped on a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stopped {
    /// The steps of the page are used up.
    Steps,
    /// An expression found this number of nodes, more than [`MAX_FOUND`].
    Found(usize),
    /// The page has more than this number of nodes and attributes.
    Page(usize),
    /// The evaluator reported an error.
    Evaluator(String),
}

impl Stopped {
    /// Returns the reason as the end of a sentence about a rule.
    pub(super) fn message(&self) -> String {
        match self {
            Stopped::Steps => format!("took more than {MAX_STEPS} steps"),
            Stopped::Found(n) => format!("found {n} nodes, more than {MAX_FOUND}"),
            Stopped::Page(most) => format!("needs a copy of more than {most} nodes and attributes"),
            Stopped::Evaluator(why) => why.clone(),
        }
    }
}

/// Steps that rules may still take on a page. Clones share the steps, because the functions of an XPath
/// evaluation own their budget. The steps taken are charged to the [`Budget`](dehusk_html::Budget) of the
/// page after each expression.
#[derive(Clone)]
pub(super) struct RuleBudget(Rc<Cell<u64>>);

impl RuleBudget {
    pub(super) fn new(steps: u64) -> RuleBudget {
        RuleBudget(Rc::new(Cell::new(steps)))
    }

    /// Returns the number of steps left.
    pub(super) fn left(&self) -> u64 {
        self.0.get()
    }

    /// Spends steps. If fewer are left, none are left afterwards.
    pub(super) fn take(&self, steps: u64) -> Result<(), Stopped> {
        let left = self.0.get();
        self.0.set(left.saturating_sub(steps));
        if left >= steps {
            Ok(())
        } else {
            Err(Stopped::Steps)
        }
    }
}
