//! Walks through folders file by file, and records which files are skipped.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use walkdir::WalkDir;

use crate::read::chunk::{Format, extension};
use crate::read::files::{self, About, Kind};
use crate::read::input::Input;
use crate::read::records::Notes;
#[cfg(feature = "remote")]
use crate::read::remote;
use crate::record::header::MARKER;
use crate::record::mend::LineNotes;

/// Notes of a pass: skipped files below input folders by reason, valid but unwanted records by kind, and notes on the lines of records.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Skipped {
    files: BTreeMap<(&'static str, String), (u64, String)>,
    records: BTreeMap<&'static str, u64>,
    lines: LineNotes,
    changed: Option<ChangedFiles>,
}

/// Files that were changed while they were read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChangedFiles {
    /// Number of files.
    pub files: u64,
    /// Name of the first of them.
    pub example: String,
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

/// Largest number of distinct entries. Files with further extensions are counted together: names may end in
/// numbers, so the number of extensions is unbounded.
const MAX_EXTENSIONS: usize = 200;

impl Skipped {
    pub(super) fn add(&mut self, reason: &'static str, path: &Path) {
        let mut key = (reason, extension(path).unwrap_or_default());
        if self.files.len() >= MAX_EXTENSIONS && !self.files.contains_key(&key) {
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

    /// Counts a file that was changed while it was read.
    pub(super) fn add_changed(&mut self, name: &str) {
        let none = || ChangedFiles {
            files: 0,
            example: name.to_owned(),
        };
        self.changed.get_or_insert_with(none).files += 1;
    }

    /// Returns the files that were changed while they were read.
    pub(crate) fn changed(&self) -> Option<&ChangedFiles> {
        self.changed.as_ref()
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
pub(super) struct Walk(Way);

/// Source of the files of a walk.
enum Way {
    Folder(walkdir::IntoIter),
    /// The objects below an address.
    #[cfg(feature = "remote")]
    Objects(Box<remote::Listing>),
    /// A folder that cannot be listed and has not been reported yet.
    Broken(Option<(PathBuf, io::Error)>),
}

/// A file found by a walk.
pub(super) struct Found {
    pub(super) path: PathBuf,
    /// Format in which the file is read, or the error that prevents reading.
    pub(super) format: Result<&'static dyn Format, io::Error>,
    /// Kind, length and modification time, if available.
    pub(super) about: Option<About>,
}

impl Found {
    fn broken(path: PathBuf, error: io::Error) -> Self {
        Found {
            path,
            format: Err(error),
            about: None,
        }
    }
}

impl Walk {
    pub(super) fn start(root: &Path) -> Walk {
        Walk::of(root, |walk| walk.sort_by_file_name())
    }

    /// Starts a walk in arbitrary order. It starts faster, because folders are not listed completely before the first file.
    pub(super) fn unsorted(root: &Path) -> Walk {
        Walk::of(root, |walk| walk)
    }

    fn of(root: &Path, sort: impl FnOnce(WalkDir) -> WalkDir) -> Walk {
        Walk(match files::address(root) {
            None => Way::Folder(sort(WalkDir::new(root).min_depth(1)).into_iter()),
            // Stores list objects in an order of their own.
            #[cfg(feature = "remote")]
            Some(address) => match remote::Listing::start(address) {
                Ok(listing) => Way::Objects(Box::new(listing)),
                Err(error) => Way::Broken(Some((root.to_owned(), error))),
            },
            #[cfg(not(feature = "remote"))]
            Some(_) => Way::Broken(Some((root.to_owned(), io::ErrorKind::Unsupported.into()))),
        })
    }

    /// Returns the next file to read, or the next path with an error.
    pub(super) fn next(&mut self, input: &Input, skipped: &mut Skipped) -> Option<Found> {
        let walk = match &mut self.0 {
            Way::Folder(walk) => walk,
            #[cfg(feature = "remote")]
            Way::Objects(listing) => return next_object(listing, input, skipped),
            Way::Broken(told) => return told.take().map(|(path, error)| Found::broken(path, error)),
        };
        loop {
            let entry = match walk.next()? {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().map(Path::to_owned).unwrap_or_default();
                    let error = error.into_io_error();
                    let error = error.unwrap_or_else(|| io::Error::other("a link leads back to its folder"));
                    return Some(Found::broken(path, error));
                }
            };
            let mut about = None;
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let skips = if hidden && !input.all {
                Some("hidden")
            } else {
                match fs::metadata(entry.path()) {
                    Err(error) => {
                        return Some(Found::broken(entry.into_path(), error));
                    }
                    // Results of an earlier run are not inputs.
                    Ok(meta) if meta.is_dir() && entry.path().join(MARKER).exists() => Some("output-folder"),
                    // A link to a folder may lead back to one of its parents.
                    Ok(meta) if meta.is_dir() && entry.path_is_symlink() => Some("linked-folder"),
                    Ok(meta) if meta.is_dir() => continue,
                    Ok(meta) if !meta.is_file() => Some("special-file"),
                    Ok(meta) => {
                        about = Some(About::from(meta));
                        None
                    }
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
                        about,
                    });
                }
                Err(reason) => reason,
            };
            skipped.add(reason, entry.path());
            // Nothing below a skipped folder is read or counted.
            if entry.file_type().is_dir() {
                walk.skip_current_dir();
            }
        }
    }
}

/// Returns the next object of a listing that is read, or the error that ended the listing.
#[cfg(feature = "remote")]
fn next_object(listing: &mut remote::Listing, input: &Input, skipped: &mut Skipped) -> Option<Found> {
    let root = input.path.as_deref().unwrap_or(Path::new(""));
    loop {
        let listed = match listing.next()? {
            Ok(listed) => listed,
            Err(error) => return Some(Found::broken(root.to_owned(), error)),
        };
        let path = PathBuf::from(listed.address);
        let below = path.strip_prefix(root).unwrap_or(&path);
        // Objects are listed without their folders, so each part of the name is tested.
        let is_hidden =
            |part: std::path::Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
        let format = match below.components().any(is_hidden) && !input.all {
            true => Err("hidden"),
            false => input.format_in_folder(&path),
        };
        match format {
            Ok(format) => {
                return Some(Found {
                    path,
                    format: Ok(format),
                    about: Some(About::from(listed.version)),
                });
            }
            Err(reason) => skipped.add(reason, &path),
        }
    }
}

/// Returns the files below a folder that are read, in arbitrary order. Unreadable files are left out.
pub(super) fn files_below<'a>(
    input: &'a Input,
    folder: &Path,
    skipped: &'a mut Skipped,
) -> impl Iterator<Item = (PathBuf, &'static dyn Format, About)> {
    let mut walk = Walk::unsorted(folder);
    let unknown = About {
        kind: Kind::File,
        bytes: 0,
        modified: None,
    };
    std::iter::from_fn(move || walk.next(input, skipped)).filter_map(move |found| {
        let format = found.format.ok()?;
        Some((found.path, format, found.about.unwrap_or(unknown)))
    })
}
