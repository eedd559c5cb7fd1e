//! Stand-in for manual rules in a build without the feature `rules`: settings that name rules are refused.

use std::path::Path;

use dehusk_extract::Overrides;

use crate::error::Error;

/// A set of rules. It has no values in this build.
#[derive(Debug)]
pub enum RuleSet {}

/// Refuses rules.
///
/// # Errors
/// Always: this build reads no rules.
pub fn rules(folder: &Path) -> Result<RuleSet, Error> {
    Err(Error::usage("this build reads no rules by hand")
        .with_path(folder)
        .with_option("rules")
        .with_help("build with the cargo feature `rules`"))
}

/// Returns the overrides unchanged.
pub(super) fn with_rules<'a>(overrides: Overrides<'a>, _: Option<&'a RuleSet>) -> Overrides<'a> {
    overrides
}

/// Whether a rule gave the text: always `false`.
pub(super) fn is_rule(_: &str) -> bool {
    false
}
