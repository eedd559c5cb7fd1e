//! Walks through folders file by file, and records which files are skipped.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use walkdir::WalkDir;

use crate::read::chunk::{Format, extension};
use crate::read::input::Input;
use crate::read::records::Notes;
use crate::record::header::MARKER;
use crate::record::mend::LineNotes;

/// Notes of a pass: skipped files below input folders by reason, valid but unwanted records by kind, and notes on the lines of records.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Skipped {
    files: BTreeMap<(&'static str, String), (u64, String)>,
    records: BTreeMap<&'static str, u64>,
    lines: LineNotes,
}

/// Skipped files with one reason and one extension.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SkippedFiles {
    /// Reason for skipping.
    pub reason: &'static str,
    /// Extension in lower case without the dot. Empty for names without an extension, and for extensions beyond the first 200.
    pub extension: String,
    /// Number of files.
    pub files: u64,
    /// Path of the first of them.
    pub example: String,
}

/// Most distinct entries; files with further extensions are counted together. Names may end in numbers, so extensions are unbounded.
const MOST_EXTENSIONS: usize = 200;

impl Skipped {
    pub(super) fn add(&mut self, reason: &'static str, path: &Path) {
        let mut key = (reason, extension(path).unwrap_or_default());
        if self.files.len() >= MOST_EXTENSIONS && !self.files.contains_key(&key) {
            // Beyond the limit, files count as having no extension.
            key.1.clear();
        }
        let example = || (0, path.display().to_string());
        self.files.entry(key).or_insert_with(example).0 += 1;
    }

    /// Adds notes on records.
    pub(crate) fn with_notes(mut self, notes: Notes) -> Self {
        for (kind, count) in notes.skipped {
            *self.records.entry(kind).or_default() += count;
        }
        self.lines.add(&notes.lines);
        self
    }

    /// Returns the notes on the lines of all records.
    pub(crate) fn lines(&self) -> &LineNotes {
        &self.lines
    }

    /// Returns the number of skipped records of each kind.
    pub fn records(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.records.iter().map(|(kind, count)| (*kind, *count))
    }

    /// Returns the number of skipped files by reason.
    pub fn by_reason(&self) -> BTreeMap<&'static str, u64> {
        let mut by_reason = BTreeMap::new();
        for ((reason, _), (count, _)) in &self.files {
            *by_reason.entry(*reason).or_default() += count;
        }
        by_reason
    }

    /// Returns the skipped files by reason and extension.
    pub fn files(&self) -> Vec<SkippedFiles> {
        let files = self.files.iter();
        files
            .map(|((reason, extension), (count, example))| SkippedFiles {
                reason,
                extension: extension.clone(),
                files: *count,
                example: example.clone(),
            })
            .collect()
    }

    /// Returns the number of skipped files.
    pub fn total(&self) -> u64 {
        self.files.values().map(|(count, _)| count).sum()
    }
}

/// A walk through a folder and its subfolders, sorted by name.
pub(super) struct Walk(walkdir::IntoIter);

/// A file found by a walk.
pub(super) struct Found {
    pub(super) path: PathBuf,
    /// Format in which the file is read, or the error that prevents reading.
    pub(super) format: Result<&'static dyn Format, io::Error>,
}

impl Walk {
    pub(super) fn start(root: &Path) -> Walk {
        Walk(WalkDir::new(root).min_depth(1).sort_by_file_name().into_iter())
    }

    /// Starts a walk in arbitrary order. It starts faster, because folders are not listed completely before the first file.
    pub(super) fn unsorted(root: &Path) -> Walk {
        Walk(WalkDir::new(root).min_depth(1).into_iter())
    }

    /// Returns the next file to read, or the next path with an error.
    pub(super) fn next(&mut self, input: &Input, skipped: &mut Skipped) -> Option<Found> {
        loop {
            let entry = match self.0.next()? {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().map(Path::to_owned).unwrap_or_default();
                    let error = error.into_io_error();
                    let error = error.unwrap_or_else(|| io::Error::other("a link leads back to its folder"));
                    return Some(Found {
                        path,
                        format: Err(error),
                    });
                }
            };
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let skips = if hidden && !input.all {
                Some("hidden")
            } else {
                match fs::metadata(entry.path()) {
                    Err(error) => {
                        return Some(Found {
                            path: entry.into_path(),
                            format: Err(error),
                        });
                    }
                    Ok(meta) if meta.is_dir() && entry.path().join(MARKER).exists() => Some("output-folder"),
                    // A link to a folder may lead back to one of its parents.
                    Ok(meta) if meta.is_dir() && entry.path_is_symlink() => Some("linked-folder"),
                    Ok(meta) if meta.is_dir() => continue,
                    Ok(meta) if !meta.is_file() => Some("special-file"),
                    Ok(_) => None,
                }
            };
            // Only regular files reach this point. Opening them for inspection has no side effects.
            let format = match skips {
                Some(reason) => Err(reason),
                None => input.format_in_folder(entry.path()),
            };
            let reason = match format {
                Ok(format) => {
                    return Some(Found {
                        path: entry.into_path(),
                        format: Ok(format),
                    });
                }
                Err(reason) => reason,
            };
            skipped.add(reason, entry.path());
            if entry.file_type().is_dir() {
                self.0.skip_current_dir();
            }
        }
    }
}

/// Returns the files below a folder that are read, in arbitrary order. Unreadable files are left out.
pub(super) fn files_below<'a>(
    input: &'a Input,
    folder: &Path,
    skipped: &'a mut Skipped,
) -> impl Iterator<Item = (PathBuf, &'static dyn Format)> {
    let mut walk = Walk::unsorted(folder);
    std::iter::from_fn(move || walk.next(input, skipped))
        .filter_map(|found| found.format.ok().map(|format| (found.path, format)))
}
