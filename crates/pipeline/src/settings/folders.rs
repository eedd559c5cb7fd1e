//! Files that settings refer to: templates, rules and layouts.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use xxhash_rust::xxh3::Xxh3;

use super::table::Settings;
use crate::error::Error;
use crate::exec::cancel::Cancel;

/// Extension of files of templates and rules.
pub(crate) const EXTENSION: &str = "toml";

/// The `.toml` files of a folder, sorted by name.
pub(crate) fn toml_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).map_err(|e| Error::input(folder, e))? {
        let path = entry.map_err(|e| Error::input(folder, e))?.path();
        if path.extension().is_some_and(|e| e == EXTENSION) {
            // A pipe is refused: reading it could block forever.
            if fs::metadata(&path).is_ok_and(|meta| !meta.is_file()) {
                let message = format!("`{}` is not a regular file", path.display());
                return Err(Error::usage(message)
                    .with_path(&path)
                    .with_help("remove it from the folder"));
            }
            paths.push(path);
        }
    }
    // Folders are listed in any order; results must not depend on it.
    paths.sort();
    Ok(paths)
}

impl Settings {
    /// Registers the files that settings refer to with `cancel` as inputs, so that no output of the run
    /// replaces them. An index is not registered, since a run that reads it may also change it.
    pub(crate) fn protect(&self, cancel: &Cancel) {
        for (what, file) in [("the layouts", &self.layout), ("the statistics", &self.stats)] {
            if let Some(file) = file {
                cancel.reads(what, file);
            }
        }
        for (what, folder) in [("the template", &self.templates), ("the rules", &self.rules)] {
            let Some(folder) = folder else { continue };
            let at = folder.clone();
            // Errors of unreadable folders are reported when their files are read.
            let visit = move |visit: &mut dyn FnMut(&Path)| {
                let files = toml_files(&at).unwrap_or_default();
                files.iter().for_each(|path| visit(path));
            };
            cancel.reads_folder(what, folder, Box::new(visit));
        }
    }

    /// Hash of the contents of template and rule files, and of the size and modification time of the layout file.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(crate) fn hash_of_sites(&self) -> Result<u64, Error> {
        let mut hash = Xxh3::new();
        for folder in [&self.templates, &self.rules].into_iter().flatten() {
            for path in toml_files(folder)? {
                let text = fs::read(&path).map_err(|e| Error::input(&path, e))?;
                // The length separates files: two files and one file with the joined text have different
                // hashes.
                hash.update(&(text.len() as u64).to_le_bytes());
                hash.update(&text);
            }
        }
        if let Some(layout) = &self.layout {
            // A file of layouts may be as large as the crawl. As for inputs, size and modification time
            // stand for its content.
            let meta = fs::metadata(layout).map_err(|e| Error::input(layout, e))?;
            let changed = meta
                .modified()
                .ok()
                .and_then(|at| at.duration_since(UNIX_EPOCH).ok());
            hash.update(&meta.len().to_le_bytes());
            hash.update(&changed.map_or(0, |at| at.as_nanos()).to_le_bytes());
        }
        Ok(hash.digest())
    }
}
