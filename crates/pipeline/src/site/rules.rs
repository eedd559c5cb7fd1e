//! Rules by hand, from a folder.

use std::fs;
use std::path::Path;

use dehusk_extract::Overrides;
pub use dehusk_extract::rules::RuleSet;

use super::folder::toml_files;
use crate::error::Error;

/// Largest file of rules.
const MAX_BYTES: u64 = 16 << 20;

/// Reads the rules of a folder: its `.toml` files in the order of their names.
///
/// # Errors
/// If the folder cannot be read, holds no such file, or one of them is no file of rules; the error names file, line and
/// column, and what to do.
pub fn rules(folder: &Path) -> Result<RuleSet, Error> {
    let paths = toml_files(folder).map_err(|e| e.with_option("rules"))?;
    if paths.is_empty() {
        return Err(Error::usage(format!("`{}` holds no rules", folder.display()))
            .with_path(folder)
            .with_option("rules")
            .with_help("rules stand in files that end in `.toml`; `dehusk site export` writes some"));
    }
    let mut files: Vec<(String, String)> = Vec::new();
    for path in &paths {
        let length = fs::metadata(path).map_err(|e| Error::input(path, e))?.len();
        if length > MAX_BYTES {
            return Err(
                Error::usage(format!("`{}` is too large for a file of rules", path.display()))
                    .with_path(path),
            );
        }
        let text = fs::read_to_string(path).map_err(|e| Error::input(path, e))?;
        files.push((path.display().to_string(), text));
    }
    RuleSet::read(files.iter().map(|(name, text)| (name.as_str(), text.as_str()))).map_err(|error| {
        let wrong = Error::usage(error.to_string())
            .with_path(Path::new(error.file()))
            .with_line(error.line() as u64)
            .with_option("rules");
        match error.remedy() {
            "" => wrong,
            remedy => wrong.with_help(remedy),
        }
    })
}

/// Adds rules to what is known of a page's site.
pub(super) fn with_rules<'a>(overrides: Overrides<'a>, rules: Option<&'a RuleSet>) -> Overrides<'a> {
    overrides.with_rules(rules)
}

/// Whether the method that gave a text is a rule.
pub(super) fn is_rule(method: &str) -> bool {
    method == dehusk_extract::rules::NAME
}
