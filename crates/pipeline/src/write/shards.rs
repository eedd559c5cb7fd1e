//! A list of rows in one file, or in several of which each begins where the one before it ends.

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
    /// Whether names have a number: without, there is one file.
    numbered: bool,
    cancel: Cancel,
    current: OutFile,
    finished: Vec<Finished>,
}

impl Shards {
    /// Starts the file that will be at `to`, or the first of several whose names have a number in front of the extension.
    pub(crate) fn create(to: &Path, numbered: bool, cancel: &Cancel) -> Result<Shards, Error> {
        let first = if numbered {
            numbered_path(to, 0)
        } else {
            to.to_owned()
        };
        if numbered {
            // Files of an earlier list are replaced or removed, which may be refused only at the end of a long run.
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

    /// Begins the next file.
    pub(crate) fn next(&mut self) -> Result<(), Error> {
        let next = OutFile::create(&numbered_path(&self.to, self.finished.len() + 1), &self.cancel)?;
        let done = std::mem::replace(&mut self.current, next);
        // Of many files not all are made safe at once.
        self.finished.last_mut().map_or(Ok(()), Finished::settle)?;
        self.finished.push(done.finish()?);
        Ok(())
    }

    /// All files, still under their temporary names.
    pub(crate) fn finish(mut self) -> Result<Vec<Finished>, Error> {
        self.finished.push(self.current.finish()?);
        Ok(self.finished)
    }

    /// Gives all files their names. Files of an earlier list of the same name that was longer are removed.
    pub(crate) fn commit(self) -> Result<(), Error> {
        let (to, numbered, cancel) = (self.to.clone(), self.numbered, self.cancel.clone());
        let folder = self.current.folder().map(Path::to_owned);
        let files = self.finish()?;
        let count = files.len();
        if numbered {
            // Before the first file gets its name: those that a shorter list removes are outputs, too.
            files_from(&to, count).try_for_each(|path| cancel.refuse_read(&path))?;
        }
        files.into_iter().try_for_each(Finished::rename)?;
        if numbered {
            remove_from(&to, count)?;
        }
        folder.map_or(Ok(()), |folder| sync_folder(&folder))
    }
}

/// Removes the files of a list from that number on, as far as they follow one another.
fn remove_from(to: &Path, first: usize) -> Result<(), Error> {
    files_from(to, first).try_for_each(|path| disk::remove(&path).map_err(|e| Error::write(&path, e)))
}

/// The files of a list from that number on, as far as they follow one another.
fn files_from(to: &Path, first: usize) -> impl Iterator<Item = PathBuf> {
    let paths = (first..).map(|number| numbered_path(to, number));
    paths.take_while(|path| path.is_file())
}

/// The path with a number in front of its extension, and of that of its compression: `a/pages-00003.jsonl.gz`.
fn numbered_path(to: &Path, number: usize) -> PathBuf {
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    let plain = Compression::of_path(to).map_or_else(|| to.to_owned(), |_| to.with_extension(""));
    let stem = plain.file_stem().unwrap_or_default().to_string_lossy();
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
