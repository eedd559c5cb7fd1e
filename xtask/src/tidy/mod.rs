//! `cargo xtask tidy`: rules of the repository that no compiler checks. A test runs it too.

mod fixtures;
mod manifests;
mod modules;
mod texts;

use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;
use crate::root::{files, root};

/// Gives what it found, one line a finding, beginning with the file it is about.
type Check = fn(&Repository) -> Result<Vec<String>>;

/// The checks by name.
const CHECKS: &[(&str, Check)] = &[
    ("crates know only what they may", manifests::edges),
    ("crates inherit the workspace's lints", manifests::lints),
    ("one HTML parser is compiled", manifests::one_parser),
    ("every module is part of a crate", modules::strays),
    ("every strategy is in its table", modules::tables),
    ("libraries stay away from the system", modules::absences),
    ("fixtures have their provenance", fixtures::provenance),
    ("files are short", texts::lengths),
    ("files name no folder of a machine", texts::machine_paths),
];

/// Runs all checks and prints what they find.
pub(crate) fn run() -> Result<()> {
    let findings = check(&Repository::open(&root())?)?;
    for finding in &findings {
        eprintln!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("tidy: {} checks found nothing", CHECKS.len());
            Ok(())
        }
        count => Err(format!("tidy: {count} findings").into()),
    }
}

fn check(repository: &Repository) -> Result<Vec<String>> {
    let mut findings = Vec::new();
    for (name, check) in CHECKS {
        findings.extend(
            check(repository)?
                .into_iter()
                .map(|finding| format!("{finding} [{name}]")),
        );
    }
    Ok(findings)
}

/// The files of a work tree.
struct Repository {
    root: PathBuf,
    /// Relative paths with `/`, sorted.
    files: Vec<String>,
}

impl Repository {
    fn open(root: &Path) -> Result<Repository> {
        Ok(Repository {
            root: root.to_owned(),
            files: files(root)?,
        })
    }

    fn has(&self, path: &str) -> bool {
        self.files
            .binary_search_by(|file| file.as_str().cmp(path))
            .is_ok()
    }

    /// A file as text; an error if it is missing or no text.
    fn text(&self, path: &str) -> Result<String> {
        fs::read_to_string(self.root.join(path)).map_err(|e| format!("{path}: {e}").into())
    }

    /// Our own files of Rust. Those among the fixtures are data.
    fn sources(&self) -> impl Iterator<Item = &str> {
        self.files
            .iter()
            .map(String::as_str)
            .filter(|path| path.ends_with(".rs") && !path.starts_with("fixtures/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_tidy() {
        let findings = check(&Repository::open(&root()).unwrap()).unwrap();
        assert!(findings.is_empty(), "\n{}\n", findings.join("\n"));
    }

    /// Runs one check on a work tree of these files.
    #[track_caller]
    pub(super) fn expect(check: Check, files: &[(&str, &str)], findings: &[&str]) {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let repository = Repository::open(folder.path()).unwrap();
        assert_eq!(check(&repository).unwrap(), findings);
    }
}
