//! Folders, walked through file by file, and what is passed over there.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::read::chunk::Format;
use crate::read::input::Input;
use crate::read::records::Notes;
use crate::record::header::MARKER;
use crate::record::mend::LineNotes;

/// What a pass says beside the records: files found below input folders that are no input, by reason; sound records of other kinds than are
/// read, by kind; and what is known of the lines of records.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Skipped {
    by_reason: BTreeMap<&'static str, (u64, String)>,
    records: BTreeMap<&'static str, u64>,
    lines: LineNotes,
}

impl Skipped {
    pub(super) fn add(&mut self, reason: &'static str, path: &Path) {
        let (count, _) = self
            .by_reason
            .entry(reason)
            .or_insert_with(|| (0, path.display().to_string()));
        *count += 1;
    }

    /// Adds the notes on records.
    pub(crate) fn with_notes(mut self, notes: Notes) -> Self {
        for (kind, count) in notes.skipped {
            *self.records.entry(kind).or_default() += count;
        }
        self.lines.add(&notes.lines);
        self
    }

    /// What is known of the lines of all records.
    pub(crate) fn lines(&self) -> &LineNotes {
        &self.lines
    }

    /// Records that were passed over: their kinds, with their number.
    pub fn records(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.records.iter().map(|(kind, count)| (*kind, *count))
    }

    /// Reason, number of files, and the first of them.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64, &str)> {
        self.by_reason
            .iter()
            .map(|(reason, (count, first))| (*reason, *count, first.as_str()))
    }

    /// Number of files.
    pub fn total(&self) -> u64 {
        self.by_reason.values().map(|(count, _)| count).sum()
    }
}

/// A folder walked through in the order of its names, folder by folder.
pub(super) struct Walk(walkdir::IntoIter);

/// A file that was found.
pub(super) struct Found {
    pub(super) path: PathBuf,
    /// How it is read, or why it cannot be.
    pub(super) format: Result<&'static dyn Format, io::Error>,
}

impl Walk {
    pub(super) fn start(root: &Path) -> Walk {
        Walk(WalkDir::new(root).min_depth(1).sort_by_file_name().into_iter())
    }

    /// The same in any order, which begins without a look at a whole folder.
    pub(super) fn unsorted(root: &Path) -> Walk {
        Walk(WalkDir::new(root).min_depth(1).into_iter())
    }

    /// The next file that is read, or what cannot be.
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
            let format = input.format_in_folder(entry.path());
            let skips = if entry.file_name().as_encoded_bytes().starts_with(b".") {
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
                    // A link to a folder may lead back to where it lies.
                    Ok(meta) if meta.is_dir() && entry.path_is_symlink() => Some("linked-folder"),
                    Ok(meta) if meta.is_dir() => continue,
                    Ok(meta) if !meta.is_file() => Some("special-file"),
                    Ok(_) if format.is_none() => Some("other-extension"),
                    Ok(_) => None,
                }
            };
            let reason = match (skips, format) {
                (None, Some(format)) => {
                    return Some(Found {
                        path: entry.into_path(),
                        format: Ok(format),
                    });
                }
                (skips, _) => skips.unwrap_or("other-extension"),
            };
            skipped.add(reason, entry.path());
            if entry.file_type().is_dir() {
                self.0.skip_current_dir();
            }
        }
    }
}

/// The files below a folder that are read, in any order, without those that cannot be.
pub(super) fn files_below<'a>(
    input: &'a Input,
    folder: &Path,
    skipped: &'a mut Skipped,
) -> impl Iterator<Item = (PathBuf, &'static dyn Format)> {
    let mut walk = Walk::unsorted(folder);
    std::iter::from_fn(move || walk.next(input, skipped))
        .filter_map(|found| found.format.ok().map(|format| (found.path, format)))
}
