//! Bounds on the cost of applying rules to a page.

use std::cell::Cell;
use std::rc::Rc;

/// Steps over nodes that the rules of one page may take: some tenths of a second.
pub(super) const MAX_STEPS: u64 = 5_000_000;
/// Comparisons of names that count as a step.
pub(super) const COMPARISONS: u64 = 16;
/// Bytes of text or of an attribute that count as a step.
pub(super) const BYTES: u64 = 64;
/// The same for functions that look up every letter, which takes thirty times as long.
pub(super) const BYTES_BY_LETTER: u64 = 2;
/// Most nodes that one expression may find.
pub(super) const MAX_FOUND: usize = 10_000;

/// Nodes and attributes of a page that are copied for the evaluator of XPath expressions, where each takes half a kilobyte: so many,
/// and one for so many bytes of the page, which is more than pages have.
const MAX_COPIED: usize = 64_000;
const BYTES_PER_COPIED: usize = 30;

/// Nodes and attributes of a page of so many bytes that are copied.
pub(super) fn most_copied(page: usize) -> usize {
    MAX_COPIED + page / BYTES_PER_COPIED
}

/// Why a rule was stopped on a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stopped {
    /// The page's steps are used up.
    Steps,
    /// An expression found more than [`MAX_FOUND`] nodes.
    Found(usize),
    /// The page has more than so many nodes and attributes.
    Page(usize),
    /// The evaluator gave an error.
    Evaluator(String),
}

impl Stopped {
    pub(super) fn message(&self) -> String {
        match self {
            Stopped::Steps => format!("took more than {MAX_STEPS} steps"),
            Stopped::Found(n) => format!("found {n} nodes, more than {MAX_FOUND}"),
            Stopped::Page(most) => format!("needs a copy of more than {most} nodes and attributes"),
            Stopped::Evaluator(why) => why.clone(),
        }
    }
}

/// Steps that rules may still take on a page. Clones share them, as the functions of an XPath evaluation own their budget. What they
/// take is charged to the [`Budget`](dehusk_html::Budget) of the page after each expression.
#[derive(Clone)]
pub(super) struct RuleBudget(Rc<Cell<u64>>);

impl RuleBudget {
    pub(super) fn new(steps: u64) -> RuleBudget {
        RuleBudget(Rc::new(Cell::new(steps)))
    }

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
