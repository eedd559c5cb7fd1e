//! A bound on the work on one page, in steps instead of time, so that the result depends on the page alone.

use std::cell::Cell;
use std::time::Instant;

use crate::limits::Limits;
use crate::warning::{Warning, WarningKind};

/// Why work on a page stopped before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Spent {
    /// All steps were taken.
    Steps,
    /// The time was over that [`Limits::time`] allows.
    Time,
}

/// The steps that work on one page may take. It travels with the page, and every stage charges what it does where the page decides
/// how much that is. A step is a token, a node or something of that size. Once it is spent, each stage stops with what it has.
///
/// Stages are linear in the page, and take a few steps for each byte of it at most. The budget is there for what nobody thought of.
#[derive(Debug)]
pub struct Budget {
    left: Cell<u64>,
    end: Option<Instant>,
    /// Why it is spent, and the stage that was at work.
    spent: Cell<Option<(Spent, &'static str)>>,
}

impl Budget {
    /// What `limits` allow for a page of `bytes` bytes. Their time begins now.
    pub fn start(limits: &Limits, bytes: usize) -> Self {
        Budget {
            left: Cell::new(limits.steps_for(bytes)),
            end: limits.time.and_then(|time| Instant::now().checked_add(time)),
            spent: Cell::new(None),
        }
    }

    /// Charges a stage, which has a name for warnings such as `parsing`, for some steps; tells whether it may go on. Called every few
    /// thousand steps, since it asks the clock where there is a limit of time.
    pub fn charge(&self, stage: &'static str, steps: usize) -> bool {
        if self.spent.get().is_some() {
            return false;
        }
        match self.left.get().checked_sub(steps as u64) {
            None => self.spent.set(Some((Spent::Steps, stage))),
            Some(_) if self.end.is_some_and(|end| Instant::now() >= end) => {
                self.spent.set(Some((Spent::Time, stage)));
            }
            Some(left) => {
                self.left.set(left);
                return true;
            }
        }
        false
    }

    /// Charges a stage step by step.
    pub fn meter(&self, stage: &'static str) -> Meter<'_> {
        Meter {
            budget: self,
            stage,
            pending: 0,
        }
    }

    /// Why it is spent, and the stage that was at work then; `None` while there is something left.
    pub fn spent(&self) -> Option<(Spent, &'static str)> {
        self.spent.get()
    }

    /// The warning that names the stage at which the budget was spent, if it is.
    pub fn warning(&self) -> Option<Warning> {
        self.spent.get().map(|(why, stage)| match why {
            Spent::Steps => Warning::new(
                WarningKind::StepsLimit,
                format!("the page took more steps than its length allows; {stage} stopped"),
            ),
            Spent::Time => Warning::new(WarningKind::Deadline, format!("time ran out; {stage} stopped")),
        })
    }
}

/// Steps that are taken before they are charged.
const BATCH: usize = 4096;

/// Charges a [`Budget`] for one stage, a few thousand steps at a time.
#[derive(Debug)]
pub struct Meter<'b> {
    budget: &'b Budget,
    stage: &'static str,
    /// Steps that are not charged yet.
    pending: usize,
}

impl Meter<'_> {
    /// Takes some steps; tells whether the stage may go on. Once it may not, it should stop.
    #[inline]
    pub fn step(&mut self, steps: usize) -> bool {
        self.pending += steps;
        self.pending < BATCH || self.charge()
    }

    #[cold]
    fn charge(&mut self) -> bool {
        self.budget.charge(self.stage, std::mem::take(&mut self.pending))
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.charge();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_budget_is_spent_once() {
        let budget = Budget::start(&Limits::default().with_steps(0), 10);
        assert!(budget.charge("one", 8_000_000) && budget.spent().is_none());
        assert!(!budget.charge("two", 1));
        assert!(!budget.charge("three", 0));
        assert_eq!(budget.spent(), Some((Spent::Steps, "two")));
        let warning = budget.warning().expect("a warning");
        assert_eq!(warning.kind, WarningKind::StepsLimit);
        assert!(warning.message.contains("two stopped"), "{warning}");
    }

    #[test]
    fn a_meter_charges_all_of_its_steps() {
        let budget = Budget::start(&Limits::default().with_steps(0), 10);
        let mut meter = budget.meter("walking");
        let taken = (0..9_000_000).take_while(|_| meter.step(1)).count();
        assert!(
            (8_000_000 - BATCH..=8_000_000 + BATCH).contains(&taken),
            "{taken}"
        );
        drop(meter);
        assert_eq!(budget.spent(), Some((Spent::Steps, "walking")));

        let budget = Budget::start(&Limits::default().with_steps(0), 10);
        for _ in 0..800 {
            assert!(budget.meter("a short stage").step(10_000 - 1));
            assert!(budget.meter("a shorter one").step(1));
        }
        assert!(budget.spent().is_none());
        assert!(!budget.charge("the last one", 1));
    }

    #[test]
    fn time_is_asked_only_where_it_is_limited() {
        assert!(Budget::start(&Limits::default(), 0).charge("any", 1));
        let budget = Budget::start(&Limits::default().with_time(Duration::ZERO), 0);
        assert!(!budget.charge("any", 1));
        assert_eq!(budget.spent(), Some((Spent::Time, "any")));
    }
}
