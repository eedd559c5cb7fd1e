//! The output folder: it has one writer at a time, and its files appear all together or not at all.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind};
use crate::exec::cancel::Cancel;
use crate::exec::disk;
use crate::record::Rejected;
use crate::record::header::{COMING, EARLIER, Header, MARKER, SUMMARY, TEMPLATES, TOOL};
use crate::write::file::{Finished, OutFile, remove_partial, sync_folder};
use crate::write::format::write_lines;
use crate::write::lock::{FolderLock, LockError};
use crate::write::shards::Shards;
use crate::write::summary::{Outcome, Summary};

/// An output folder that this process may write to.
///
/// ```
/// use dehusk_pipeline::{Cancel, OutFolder};
///
/// let place = tempfile::tempdir()?;
/// let folder = OutFolder::open(&place.path().join("out"), "count", &Cancel::new())?;
/// let mut file = folder.file("words.txt")?;
/// file.write(b"river\n")?;
/// let finished = file.finish()?;
/// assert!(!place.path().join("out/words.txt").exists()); // it has a temporary name
/// folder.commit(vec![finished])?;
/// assert!(place.path().join("out/words.txt").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct OutFolder {
    path: PathBuf,
    cancel: Cancel,
    _lock: FolderLock,
}

impl OutFolder {
    /// Opens the folder for a run of `verb`. Creates it if missing, or takes over an output folder of an
    /// earlier run.
    ///
    /// The folder is refused if it holds other files or the results of another verb, or if another process
    /// is writing to it. Half-written files of an interrupted run are removed.
    ///
    /// # Errors
    /// If the folder is refused or cannot be written to, or one of its files is read by the run.
    pub fn open(path: &Path, verb: &str, cancel: &Cancel) -> Result<OutFolder, Error> {
        OutFolder::check(path, verb, cancel)?;
        disk::create_folder(path).map_err(|e| unwritable(path, e))?;
        let lock = lock(path, verb)?;
        refuse_other_verb(path, verb)?; // another process may have ended in between
        let folder = OutFolder {
            path: path.to_owned(),
            cancel: cancel.clone(),
            _lock: lock,
        };
        remove_partial(path, None);
        Ok(folder)
    }

    /// Refuses a folder that a run of `verb` must not take over. Changes nothing.
    ///
    /// # Errors
    /// If the folder holds other files than results of that verb, or if the run reads one of these.
    pub fn check(path: &Path, verb: &str, cancel: &Cancel) -> Result<(), Error> {
        match fs::metadata(path) {
            Ok(meta) if !meta.is_dir() => {
                let message = format!("`--out {}` is a file, not a folder", path.display());
                return Err(Error::usage(message)
                    .with_path(path)
                    .with_option("out")
                    .with_help("name a folder"));
            }
            Ok(_) => refuse_foreign(path)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(unwritable(path, error)),
        }
        refuse_other_verb(path, verb)?;
        // Files of the earlier run are replaced or removed at the end. A run that reads one of them is
        // refused at the start.
        OutFolder::files_of_earlier(path).try_for_each(|name| cancel.refuse_read(&path.join(name)))
    }

    /// Path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Names of the files of earlier runs, as listed in their summaries.
    pub(crate) fn files_of_earlier(path: &Path) -> impl Iterator<Item = String> {
        let earlier =
            [SUMMARY, EARLIER, COMING].map(|name| Header::beside(&path.join(name)).map(Header::into_files));
        // A summary may have been edited. Only names in the folder itself, and templates in their
        // subfolder, are accepted: nothing outside is ever removed.
        let beside = fs::symlink_metadata(path.join(TEMPLATES)).is_ok_and(|meta| meta.is_dir());
        // `beside` excludes a symbolic link to another folder.
        let inside = move |name: &String| {
            let template = name.strip_prefix(TEMPLATES).filter(|_| beside);
            let name = template.and_then(|rest| rest.strip_prefix('/')).unwrap_or(name);
            Path::new(name).file_name() == Some(OsStr::new(name)) && name != MARKER
        };
        earlier.into_iter().flatten().flatten().filter(inside)
    }

    /// Creates a file that gets this name when all files are [committed](Self::commit). A file that is dropped before is removed.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn file(&self, name: &str) -> Result<OutFile, Error> {
        OutFile::create(&self.path.join(name), &self.cancel)
    }

    /// Starts a list with this file name, or with numbered file names.
    pub(crate) fn shards(&self, name: &str, numbered: bool) -> Result<Shards, Error> {
        Shards::create(&self.path.join(name), numbered, &self.cancel)
    }

    /// Gives the files their names, and removes files of an earlier run that this run has not written.
    ///
    /// The summary is renamed last. Until then the folder has no summary, so it counts as unfinished.
    ///
    /// # Errors
    /// If a file cannot be renamed or removed.
    pub fn commit(self, mut files: Vec<Finished>) -> Result<(), Error> {
        // All contents are on disk before the first name changes.
        files.iter_mut().try_for_each(Finished::settle)?;
        let outdated = self.outdated(&files);
        // From here on, the summary has another name, so the folder is unfinished. The summaries under
        // other names still list all files, which the next run removes if this process ends now.
        if self.rename_if_there(SUMMARY, EARLIER)? {
            sync_folder(&self.path)?;
        }
        outdated.iter().try_for_each(|name| self.remove(name))?;
        let (mut last, first): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| file.name() == SUMMARY);
        // The new summary is visible under the name `COMING` before any file of the run gets its name.
        for summary in &mut last {
            summary.hide(&self.path.join(COMING))?;
        }
        let subfolder = first.iter().find_map(Finished::subfolder).map(Path::to_owned);
        first.into_iter().try_for_each(Finished::rename)?;
        match subfolder {
            Some(subfolder) => sync_folder(&subfolder)?,
            // The subfolder is empty by this time, unless the user has put files there. Then removing it
            // fails, and it stays.
            None if self.path.join(TEMPLATES).is_dir() => {
                drop(disk::remove_folder(&self.path.join(TEMPLATES)));
            }
            None => {}
        }
        // The names of all files are on disk before the summary appears.
        sync_folder(&self.path)?;
        last.into_iter().try_for_each(Finished::rename)?;
        sync_folder(&self.path)?;
        self.remove(EARLIER)
    }
}

impl OutFolder {
    /// Names of the files that summaries in the folder list and that are not in `files`.
    fn outdated(&self, files: &[Finished]) -> Vec<String> {
        let written: BTreeSet<String> = files.iter().map(Finished::name).collect();
        OutFolder::files_of_earlier(&self.path)
            .filter(|name| !written.contains(name))
            .collect()
    }

    /// Renames a file; returns whether it existed.
    fn rename_if_there(&self, from: &str, to: &str) -> Result<bool, Error> {
        let (from, to) = (self.path.join(from), self.path.join(to));
        match disk::rename(&from, &to) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Error::write(&from, error)),
        }
    }

    /// Removes a file if it exists.
    fn remove(&self, name: &str) -> Result<(), Error> {
        let path = self.path.join(name);
        match disk::remove(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::write(&path, error)),
            _ => Ok(()),
        }
    }
}

/// Takes the lock of a folder for the run of `verb`.
///
/// # Errors
/// If another process holds the lock, which the error names, or if the folder cannot be written to.
pub(crate) fn lock(path: &Path, verb: &str) -> Result<FolderLock, Error> {
    FolderLock::take(path, &format!("{TOOL} {verb}")).map_err(|error| match error {
        LockError::Held(owner) => {
            Error::output(format!("`{}` is being written to by {owner}", path.display()))
                .with_path(path)
                .with_option("out")
                .with_help("wait until it ends, or choose another folder with --out")
        }
        LockError::Failed(error) => unwritable(path, error),
    })
}

/// Creates the folder of templates or texts of sites if missing, and takes its lock for the run of `verb`.
///
/// # Errors
/// The errors of [`lock`]; also if the folder cannot be created.
pub(crate) fn create_locked(path: &Path, verb: &str) -> Result<FolderLock, Error> {
    disk::create_folder(path).map_err(|e| unwritable(path, e))?;
    lock(path, verb)
}

/// Refuses a folder with the results of another verb.
fn refuse_other_verb(path: &Path, verb: &str) -> Result<(), Error> {
    let Some(found) = Header::beside(&path.join(SUMMARY)).filter(|found| found.verb != verb) else {
        return Ok(());
    };
    let message = format!(
        "`{}` holds the results of `dehusk {}`",
        path.display(),
        found.verb
    );
    Err(Error::usage(message)
        .with_path(path)
        .with_option("out")
        .with_help("choose another folder with --out, or delete this one"))
}

/// Refuses a folder with files that this program did not write.
fn refuse_foreign(path: &Path) -> Result<(), Error> {
    if Header::beside(&path.join(SUMMARY)).is_some() {
        return Ok(());
    }
    let marked = path.join(MARKER).exists();
    let entries = fs::read_dir(path).map_err(|e| unwritable(path, e))?;
    let mut names = entries
        .map(|entry| entry.map(|e| e.file_name()))
        .collect::<io::Result<Vec<OsString>>>();
    let Ok(names) = &mut names else { return Ok(()) };
    names.retain(|name| name != MARKER);
    // Learning templates takes the same lock in its folder. So a folder with the marker may hold templates,
    // which are not ours to replace.
    if marked && !names.iter().any(|name| has_extension(name, "toml")) {
        return Ok(());
    }
    names.sort_unstable();
    let Some(first) = names.first() else { return Ok(()) };
    let others = match names.len() - 1 {
        0 => String::new(),
        1 => " and another file".to_owned(),
        n => format!(" and {n} other files"),
    };
    let message = format!(
        "`{}` is not empty and not an output folder of dehusk: it holds `{}`{others}",
        path.display(),
        first.to_string_lossy()
    );
    Err(Error::usage(message)
        .with_path(path)
        .with_option("out")
        .with_help("name a new or an empty folder with --out; nothing was changed"))
}

/// Whether a file name has this extension.
fn has_extension(name: &OsStr, extension: &str) -> bool {
    Path::new(name).extension() == Some(OsStr::new(extension))
}

/// Error for a folder that cannot be written to.
fn unwritable(path: &Path, error: io::Error) -> Error {
    let error = Error::create(path, error);
    match error.kind() {
        ErrorKind::Output => error
            .with_option("out")
            .with_help("choose a folder with --out that can be written to"),
        _ => error,
    }
}

/// Writes the summary with the list of all files, and commits the folder.
pub(crate) fn conclude(
    folder: OutFolder,
    mut summary: Summary,
    mut files: Vec<Finished>,
    rejected: Vec<Rejected>,
) -> Result<Outcome, Error> {
    for file in &files {
        summary.file(file);
    }
    let mut file = folder.file(SUMMARY)?;
    let mut text = Vec::new();
    write_lines(&summary, &mut text).map_err(|e| Error::failed(format!("cannot write {SUMMARY}: {e}")))?;
    file.line(&text)?;
    files.push(file.finish()?);
    folder.commit(files)?;
    Ok(Outcome { summary, rejected })
}

#[cfg(test)]
mod tests;
