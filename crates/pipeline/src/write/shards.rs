//! The files of one list of rows: a single file, or numbered shards.

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::exec::disk;
use crate::record::header::shard_name;
use crate::settings::words::Compression;
use crate::write::file::{Finished, OutFile, sync_folder};

/// The files of one list.
pub(crate) struct Shards {
    to: PathBuf,
    /// Whether file names have a number. If not, there is one file.
    numbered: bool,
    cancel: Cancel,
    current: OutFile,
    finished: Vec<Finished>,
}

impl Shards {
    /// Creates the file `to`, or the first of several files whose names have a number before the extension.
    pub(crate) fn create(to: &Path, numbered: bool, cancel: &Cancel) -> Result<Shards, Error> {
        let first = if numbered {
            numbered_path(to, 0)
        } else {
            to.to_owned()
        };
        if numbered {
            // Files of an earlier list are replaced or removed at the end. A conflict with an input is
            // reported before a long run.
            files_from(to, 1).try_for_each(|path| cancel.refuse_read(&path))?;
        }
        let current = OutFile::create(&first, cancel)?;
        current.remove_abandoned();
        Ok(Shards {
            current,
            to: to.to_owned(),
            numbered,
            cancel: cancel.clone(),
            finished: Vec::new(),
        })
    }

    /// The file that is being written.
    pub(crate) fn current(&mut self) -> &mut OutFile {
        &mut self.current
    }

    /// Completes the current file and begins the next one.
    pub(crate) fn next(&mut self) -> Result<(), Error> {
        let next = OutFile::create(&numbered_path(&self.to, self.finished.len() + 1), &self.cancel)?;
        let done = std::mem::replace(&mut self.current, next);
        // At most one finished file is being synced at a time: the earlier one is waited for.
        self.finished.last_mut().map_or(Ok(()), Finished::settle)?;
        self.finished.push(done.finish()?);
        Ok(())
    }

    /// All files, complete but still under their temporary names.
    pub(crate) fn finish(mut self) -> Result<Vec<Finished>, Error> {
        self.finished.push(self.current.finish()?);
        Ok(self.finished)
    }

    /// Gives all files their names. Surplus files of an earlier, longer list of this name are removed.
    pub(crate) fn commit(self) -> Result<(), Error> {
        let (to, numbered, cancel) = (self.to.clone(), self.numbered, self.cancel.clone());
        let folder = self.current.folder().map(Path::to_owned);
        let files = self.finish()?;
        let count = files.len();
        if numbered {
            // Checked before the renames: files that are removed because this list is shorter may have
            // become inputs since.
            files_from(&to, count).try_for_each(|path| cancel.refuse_read(&path))?;
        }
        files.into_iter().try_for_each(Finished::rename)?;
        if numbered {
            remove_from(&to, count)?;
        }
        folder.map_or(Ok(()), |folder| sync_folder(&folder))
    }
}

/// Removes the consecutively numbered files of a list, from number `first` on.
fn remove_from(to: &Path, first: usize) -> Result<(), Error> {
    files_from(to, first).try_for_each(|path| disk::remove(&path).map_err(|e| Error::write(&path, e)))
}

/// Existing files of a list from number `first` on, up to the first missing number.
fn files_from(to: &Path, first: usize) -> impl Iterator<Item = PathBuf> {
    let paths = (first..).map(|number| numbered_path(to, number));
    paths.take_while(|path| path.is_file())
}

/// The path with a number before the extensions of format and compression: `a/pages-00003.jsonl.gz`.
fn numbered_path(to: &Path, number: usize) -> PathBuf {
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    let plain = Compression::of_path(to).map_or_else(|| to.to_owned(), |_| to.with_extension(""));
    let stem = plain.file_stem().unwrap_or_default().to_string_lossy();
    // The name begins with its stem, so the rest are all extensions.
    to.with_file_name(shard_name(&stem, number, &name[stem.len()..]))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn numbers_stand_in_front_of_extensions() {
        let name = |to: &str| numbered_path(Path::new(to), 3).display().to_string();
        assert_eq!(name("a/pages.jsonl.gz"), "a/pages-00003.jsonl.gz");
        assert_eq!(name("pages.v2.jsonl"), "pages.v2-00003.jsonl");
        assert_eq!(name("pages"), "pages-00003");
        assert_eq!(name(".hidden"), ".hidden-00003");
    }

    #[test]
    fn a_shorter_list_replaces_a_longer_one() {
        let dir = tempfile::tempdir().unwrap();
        let to = dir.path().join("a.jsonl");
        let write = |count: usize| {
            let mut shards = Shards::create(&to, true, &Cancel::new()).unwrap();
            for number in 0..count {
                if number > 0 {
                    shards.next().unwrap();
                }
                shards.current().line(b"{}").unwrap();
            }
            shards.commit().unwrap();
        };
        let count = || fs::read_dir(dir.path()).unwrap().count();
        write(4);
        assert_eq!(count(), 4);
        fs::write(dir.path().join("a-00009.jsonl"), "").unwrap();
        write(2);
        assert_eq!(count(), 3);
        assert!(dir.path().join("a-00001.jsonl").exists() && !dir.path().join("a-00002.jsonl").exists());
    }
}
