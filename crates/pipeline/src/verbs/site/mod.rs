//! The verbs of `site`: learning of templates, and checks whether they still fit.

mod check;
#[cfg(feature = "rules")]
mod check_rules;
mod learn;
mod pages;
mod texts;

pub use check::{Checked, Health, TemplateCheck, check, serve_check};
#[cfg(feature = "rules")]
pub use check_rules::{RuleCheck, check_rules, is_check_rules, serve_check_rules};
pub use learn::{LearnReport, LearntLayout, learn, serve_learn};
pub use texts::{serve_texts, texts};

#[cfg(test)]
mod tests;
