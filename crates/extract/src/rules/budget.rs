//! What the rules of a page may cost.

use std::cell::Cell;
use std::rc::Rc;

/// Steps over nodes that the rules of one page may take: some tenths of a second.
pub(super) const STEPS: u64 = 5_000_000;
/// Most nodes that one expression may find.
pub(super) const MOST_FOUND: usize = 10_000;

/// Why a rule was given up on a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// The page's steps are used up.
    Steps,
    /// An expression found more than [`MOST_FOUND`] nodes.
    Found(usize),
    /// The evaluator refused.
    Evaluator(String),
}

impl Trouble {
    pub(super) fn tell(&self) -> String {
        match self {
            Trouble::Steps => format!("took more than {STEPS} steps"),
            Trouble::Found(n) => format!("found {n} nodes, more than {MOST_FOUND}"),
            Trouble::Evaluator(why) => why.clone(),
        }
    }
}

/// Steps that are left, shared by whoever takes some.
#[derive(Clone)]
pub(super) struct Budget(Rc<Cell<u64>>);

impl Budget {
    pub(super) fn new(steps: u64) -> Budget {
        Budget(Rc::new(Cell::new(steps)))
    }

    pub(super) fn left(&self) -> u64 {
        self.0.get()
    }

    /// Takes steps; none are left from then on if there were fewer.
    pub(super) fn take(&self, steps: u64) -> Result<(), Trouble> {
        let left = self.0.get();
        self.0.set(left.saturating_sub(steps));
        if left >= steps {
            Ok(())
        } else {
            Err(Trouble::Steps)
        }
    }
}
