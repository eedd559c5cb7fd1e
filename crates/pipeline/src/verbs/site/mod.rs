//! Verbs of `site`: learn templates, and see whether they still fit.

mod check;
mod learn;
mod pages;
mod texts;

pub use check::{Checked, Health, check, check_rules};
pub use learn::{LearnReport, LearntLayout, learn};
pub use texts::texts;

#[cfg(test)]
mod tests;
