//! Verbs of `site`: learn templates, and see whether they still fit.

mod check;
#[cfg(feature = "rules")]
mod check_rules;
mod learn;
mod pages;
mod texts;

pub use check::{Checked, Health, check};
#[cfg(feature = "rules")]
pub use check_rules::check_rules;
pub use learn::{LearnReport, LearntLayout, learn};
pub use texts::texts;

#[cfg(test)]
mod tests;
