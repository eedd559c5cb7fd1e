//! A bound on the work on one page. It is counted in steps instead of time, so that the result depends only
//! on the page.

use std::cell::Cell;
use std::time::Instant;

use crate::limits::Limits;
use crate::warning::{Warning, WarningKind};

/// Why work on a page stopped early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Spent {
    /// All steps were used.
    Steps,
    /// The time allowed by [`Limits::time`] was over.
    Time,
}

/// Number of steps that work on one page may take.
///
/// The budget is passed along with the page, and every stage charges its work where the page determines the
/// amount. A step is a token, a node or a unit of similar cost. Once the budget is exhausted, each stage
/// stops and returns its result so far.
///
/// Stages are linear in the page and take at most a few steps per byte. The budget guards against cases
/// that were not foreseen.
#[derive(Debug)]
pub struct Budget {
    left: Cell<u64>,
    end: Option<Instant>,
    /// Why the budget was exhausted, and the stage that was running; `None` while steps are left.
    spent: Cell<Option<(Spent, &'static str)>>,
}

impl Budget {
    /// Creates the budget that `limits` allow for a page of `bytes` bytes. Its time starts now.
    pub fn start(limits: &Limits, bytes: usize) -> Self {
        Budget {
            left: Cell::new(limits.steps_for(bytes)),
            end: limits.time.and_then(|time| Instant::now().checked_add(time)),
            spent: Cell::new(None),
        }
    }

    /// Charges `steps` to a stage and returns whether it may continue. `stage` is its name in warnings,
    /// such as `parsing`.
    ///
    /// Call it every few thousand steps, since it reads the clock if there is a limit on time.
    pub fn charge(&self, stage: &'static str, steps: usize) -> bool {
        // Once spent, a budget stays spent, so that all later stages stop as well.
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

    /// Creates a meter that charges a stage step by step.
    pub fn meter(&self, stage: &'static str) -> Meter<'_> {
        Meter {
            budget: self,
            stage,
            pending: 0,
        }
    }

    /// Why the budget was exhausted, and the stage that was running then; `None` while steps are left.
    pub fn spent(&self) -> Option<(Spent, &'static str)> {
        self.spent.get()
    }

    /// Warning that names the stage at which the budget was exhausted; `None` if it is not.
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

/// Number of steps that are collected before they are charged.
const BATCH: usize = 4096;

/// Charges a [`Budget`] for one stage, a few thousand steps at a time.
#[derive(Debug)]
pub struct Meter<'b> {
    budget: &'b Budget,
    stage: &'static str,
    /// Number of steps that are not charged yet.
    pending: usize,
}

impl Meter<'_> {
    /// Counts `steps` and returns whether the stage may continue; if not, it should stop.
    #[inline]
    pub fn step(&mut self, steps: usize) -> bool {
        // The clock is read once per batch.
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
        // Steps of an unfinished batch are charged, too.
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
