//! The work tree to check.

use std::fs;
use std::path::{Path, PathBuf};

use crate::result::Result;
use crate::root::files;

/// A check. It returns a line for each finding, which begins with the file.
pub(super) type Check = fn(&Repository) -> Result<Vec<String>>;

/// The files of a work tree.
pub(super) struct Repository {
    root: PathBuf,
    /// Relative paths with `/`, sorted.
    pub(super) files: Vec<String>,
}

impl Repository {
    /// Lists the files of a work tree.
    pub(super) fn open(root: &Path) -> Result<Repository> {
        Ok(Repository {
            root: root.to_owned(),
            files: files(root)?,
        })
    }

    /// Whether there is a file with this path. Folders are not files.
    pub(super) fn has(&self, path: &str) -> bool {
        // `files` returns sorted paths.
        self.files
            .binary_search_by(|file| file.as_str().cmp(path))
            .is_ok()
    }

    /// Returns a file as text; an error if it is missing or not text.
    pub(super) fn text(&self, path: &str) -> Result<String> {
        fs::read_to_string(self.root.join(path)).map_err(|e| format!("{path}: {e}").into())
    }

    /// Returns our own Rust files. Rust files among the fixtures are data.
    pub(super) fn sources(&self) -> impl Iterator<Item = &str> {
        self.files
            .iter()
            .map(String::as_str)
            .filter(|path| path.ends_with(".rs") && !path.starts_with("fixtures/"))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::root::target;

    /// Runs one check on a work tree of these files.
    #[track_caller]
    pub(in crate::tidy) fn expect(check: Check, files: &[(&str, &str)], findings: &[&str]) {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = target()
            .join("tidy-tests")
            .join(format!("{}-{number}", std::process::id()));
        for (path, text) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let repository = Repository::open(&folder).unwrap();
        let found = check(&repository);
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found.unwrap(), findings);
    }
}
