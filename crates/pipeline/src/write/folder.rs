//! The output folder: one writer at a time, and files that appear whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use fs4::{FileExt, TryLockError};

use crate::error::{Error, plain};
use crate::exec::cancel::Cancel;
use crate::write::file::OutFile;
use crate::write::summary::Header;

/// Name of the file that marks a folder as ours and holds the lock.
pub(crate) const MARKER: &str = ".dehusk-lock";
/// Name of the file that describes the others. It is written last: a folder without it is unfinished.
pub(crate) const SUMMARY: &str = "summary.json";
/// End of the names of files that are being written.
const PARTIAL: &str = ".partial";

/// An output folder that this process may write to.
pub struct OutFolder {
    path: PathBuf,
    lock: File,
    cancel: Cancel,
    files: Vec<&'static str>,
    /// Temporary names in use.
    partial: Vec<PathBuf>,
}

impl OutFolder {
    /// Creates the folder or takes over one of ours, for the run of `verb`.
    ///
    /// A folder that holds anything else is refused, and so is one that holds the results of another verb or that another
    /// process is writing to. What an interrupted run left half written is removed.
    ///
    /// # Errors
    /// If the folder is refused or cannot be written to.
    pub fn open(path: &Path, verb: &str, cancel: &Cancel) -> Result<OutFolder, Error> {
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
            Err(error) => return Err(unwritable(path, &error)),
        }
        fs::create_dir_all(path).map_err(|e| unwritable(path, &e))?;
        let lock = lock(path, verb)?;
        let cancel = cancel.clone();
        let folder = OutFolder {
            path: path.to_owned(),
            lock,
            cancel,
            files: Vec::new(),
            partial: Vec::new(),
        };
        folder.refuse_other_verb(verb)?;
        folder.remove_partial().map_err(|e| unwritable(path, &e))?;
        Ok(folder)
    }

    /// Starts a file that will have this name when all are done.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn file(&mut self, name: &'static str) -> Result<OutFile, Error> {
        self.files.push(name);
        self.scratch(name)
    }

    /// Starts a file that is gone when the run is over.
    pub(crate) fn scratch(&mut self, name: &'static str) -> Result<OutFile, Error> {
        let path = self.partial(name);
        self.cancel.begin(&path);
        self.partial.push(path.clone());
        OutFile::create(name, path)
    }

    /// Gives all files their names. Until the last of them, the folder has no summary and so tells that it is unfinished.
    ///
    /// # Errors
    /// If a file cannot be renamed.
    pub fn commit(self) -> Result<(), Error> {
        let summary = self.path.join(SUMMARY);
        match fs::remove_file(&summary) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::write(&summary, error));
            }
            _ => {}
        }
        let (last, first): (Vec<&str>, Vec<&str>) = self.files.iter().partition(|name| **name == SUMMARY);
        for name in first.into_iter().chain(last) {
            let to = self.path.join(name);
            fs::rename(self.partial(name), &to).map_err(|e| Error::write(&to, e))?;
        }
        sync_folder(&self.path).map_err(|e| Error::write(&self.path, e))
    }

    fn partial(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}{PARTIAL}"))
    }

    fn refuse_other_verb(&self, verb: &str) -> Result<(), Error> {
        let Some(found) = Header::beside(&self.path.join(SUMMARY)) else {
            return Ok(());
        };
        if found.verb == verb {
            return Ok(());
        }
        let message = format!(
            "`{}` holds the results of `dehusk {}`",
            self.path.display(),
            found.verb
        );
        Err(Error::usage(message)
            .with_path(&self.path)
            .with_option("out")
            .with_help("choose another folder with --out, or delete this one"))
    }

    fn remove_partial(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            if entry.file_name().as_encoded_bytes().ends_with(PARTIAL.as_bytes()) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

impl Drop for OutFolder {
    /// Without [`commit`](OutFolder::commit), nothing of the run stays but the marker.
    fn drop(&mut self) {
        // Nobody is left to tell of a failure here; the next run removes what stays.
        for path in &self.partial {
            let _ = fs::remove_file(path);
            self.cancel.end(path);
        }
        let _ = self.lock.set_len(0);
        let _ = FileExt::unlock(&self.lock);
    }
}

/// Refuses a folder with files that we did not write.
fn refuse_foreign(path: &Path) -> Result<(), Error> {
    if path.join(MARKER).exists() || Header::beside(&path.join(SUMMARY)).is_some() {
        return Ok(());
    }
    let entries = fs::read_dir(path).map_err(|e| unwritable(path, &e))?;
    let mut names = entries
        .map(|entry| entry.map(|e| e.file_name()))
        .collect::<io::Result<Vec<OsString>>>();
    let Ok(names) = &mut names else { return Ok(()) };
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

fn unwritable(path: &Path, error: &io::Error) -> Error {
    Error::output(format!("cannot write to `{}`: {}", path.display(), plain(error)))
        .with_path(path)
        .with_option("out")
        .with_help("choose a folder with --out that can be written to")
}

/// Takes the lock, and writes down who has it.
fn lock(folder: &Path, verb: &str) -> Result<File, Error> {
    let path = folder.join(MARKER);
    let open = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path);
    let mut file = open.map_err(|e| unwritable(folder, &e))?;
    match FileExt::try_lock(&file) {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut owner = String::new();
            let told = (&file).take(200).read_to_string(&mut owner).is_ok() && !owner.trim().is_empty();
            let owner = if told {
                owner.trim().to_owned()
            } else {
                "another process".to_owned()
            };
            let message = format!("`{}` is being written to by {owner}", folder.display());
            return Err(Error::output(message)
                .with_path(folder)
                .with_option("out")
                .with_help("wait until it ends, or choose another folder with --out"));
        }
        Err(TryLockError::Error(error)) => return Err(unwritable(folder, &error)),
    }
    let write = |file: &mut File| {
        file.set_len(0)?;
        file.rewind()?;
        writeln!(file, "`dehusk {verb}`, process {}", std::process::id())
    };
    write(&mut file).map_err(|e| unwritable(folder, &e))?;
    Ok(file)
}

/// Makes renamed files stay renamed after a power cut.
fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(path)?.sync_all()
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
