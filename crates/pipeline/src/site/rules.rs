//! Manual rules, read from a folder.

use std::fs;
use std::path::Path;

use dehusk_extract::Overrides;
use dehusk_extract::rules::RuleError;
pub use dehusk_extract::rules::RuleSet;

use crate::error::Error;
use crate::settings::folders::toml_files;

/// Maximum size of a file of rules in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Reads the rules of a folder from its `.toml` files, in the order of their names.
///
/// # Errors
/// If the folder cannot be read, has no such file, or has files that are not valid rules. The error names file, line and column of each
/// fault, and a remedy.
pub fn rules(folder: &Path) -> Result<RuleSet, Error> {
    let paths = toml_files(folder).map_err(|e| e.with_option("rules"))?;
    if paths.is_empty() {
        return Err(Error::usage(format!("`{}` holds no rules", folder.display()))
            .with_path(folder)
            .with_option("rules")
            .with_help("rules stand in files that end in `.toml`; `dehusk site export` writes some"));
    }
    let mut faults: Vec<Error> = Vec::new();
    let mut files: Vec<(String, String)> = Vec::new();
    for path in &paths {
        let name = path.display().to_string();
        match read_text(path) {
            Ok(text) => files.push((name, text)),
            Err(fault) => faults.push(fault),
        }
    }
    let all = RuleSet::read(files.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    // The set is read as a whole first: a fault may concern several files.
    if faults.is_empty() && all.is_ok() {
        return all.map_err(wrong);
    }
    // Files are checked one by one only after a fault. The faults of all files are reported together, in
    // the order of names.
    let of_texts = files.iter().filter_map(|(name, text)| check(name, text).err());
    faults.extend(of_texts);
    faults.sort_by(|a, b| a.path().cmp(&b.path()));
    match faults.len() {
        0 => all.map_err(wrong),
        1 => Err(faults.remove(0)),
        several => {
            let told = faults.iter().map(|fault| match fault.help() {
                Some(help) => format!("{fault}; {help}"),
                None => fault.to_string(),
            });
            let message = format!(
                "`{}` holds {several} files of rules with faults",
                folder.display()
            );
            Err(Error::usage(message)
                .with_path(folder)
                .with_option("rules")
                .with_notes(told.collect()))
        }
    }
}

/// The text of a file of rules. Refuses files of more than [`MAX_BYTES`] before reading them.
fn read_text(path: &Path) -> Result<String, Error> {
    let length = fs::metadata(path).map_err(|e| Error::input(path, e))?.len();
    if length > MAX_BYTES {
        let message = format!("`{}` is too large for a file of rules", path.display());
        return Err(Error::usage(message).with_path(path).with_option("rules"));
    }
    fs::read_to_string(path).map_err(|e| Error::input(path, e))
}

/// Refuses a text that is not a valid file of rules.
fn check(name: &str, text: &str) -> Result<(), Error> {
    RuleSet::read([(name, text)]).map(drop).map_err(wrong)
}

/// Error for an invalid file of rules.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
fn wrong(error: RuleError) -> Error {
    let wrong = Error::usage(error.to_string())
        .with_path(Path::new(error.file()))
        .with_line(error.line() as u64)
        .with_option("rules");
    match error.remedy() {
        "" => wrong,
        remedy => wrong.with_help(remedy),
    }
}

/// Adds rules to the overrides of a page.
pub(super) fn with_rules<'a>(overrides: Overrides<'a>, rules: Option<&'a RuleSet>) -> Overrides<'a> {
    overrides.with_rules(rules)
}

/// Whether the method that gave a text is a rule.
pub(super) fn is_rule(method: &str) -> bool {
    method == dehusk_extract::rules::NAME
}
