//! In place of rules by hand in a build without the feature `rules`: a setting that names some is refused.

use std::path::Path;

use dehusk_extract::Overrides;

use crate::error::Error;

/// There is no set of rules in this build.
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

/// What is known of a page's site, unchanged.
pub(super) fn with_rules<'a>(overrides: Overrides<'a>, _: Option<&'a RuleSet>) -> Overrides<'a> {
    overrides
}

/// Whether the method that gave a text is a rule: none is.
pub(super) fn is_rule(_: &str) -> bool {
    false
}
