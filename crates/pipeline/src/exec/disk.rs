//! Everything that changes the file system: each file that is created, written, made safe, renamed or removed goes through here, and a
//! lint keeps it out of the rest of the crate.
//!
//! With the feature `failing-disk` each of these operations can be made to fail (see [`faults`]), so that tests can ask what becomes of
//! a run whose disk is full, broken or read-only from any instant on. Without it the questions cost nothing.

#![allow(
    clippy::disallowed_methods,
    reason = "the one place for changes of the file system"
)]

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

#[cfg(feature = "failing-disk")]
pub mod faults;
mod operation;

use operation::{Operation, Place, Turn};

#[cfg(not(feature = "failing-disk"))]
#[inline]
#[allow(clippy::unnecessary_wraps, reason = "with the feature, operations fail")]
fn turn(_: Operation, _: &Place) -> io::Result<Turn> {
    Ok(Turn::Go)
}

#[cfg(feature = "failing-disk")]
use faults::turn;

/// A file that is written to.
#[derive(Debug)]
pub(crate) struct DiskFile {
    file: File,
    place: Place,
    /// What makes an earlier part of the file safe on disk meanwhile.
    syncing: Syncing,
}

/// What makes a file safe on disk on a thread of its own, as long as somebody does. Its errors are told once, by [`Syncing::wait`].
#[derive(Debug, Default)]
pub(crate) struct Syncing(Option<JoinHandle<io::Result<()>>>);

impl Syncing {
    /// Waits until it is done.
    pub(crate) fn wait(&mut self) -> io::Result<()> {
        match self.0.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(synced)) => synced,
            Some(Err(_)) => Err(io::Error::other("a thread failed")),
        }
    }

    fn is_under_way(&self) -> bool {
        self.0.as_ref().is_some_and(|syncing| !syncing.is_finished())
    }
}

impl DiskFile {
    fn new(path: &Path, open: impl FnOnce() -> io::Result<File>) -> io::Result<Self> {
        let place = Place::new(path);
        turn(Operation::Create, &place)?;
        let file = open()?;
        Ok(DiskFile {
            file,
            place,
            syncing: Syncing::default(),
        })
    }

    /// Opens what is there already and is no regular file, such as a device or a pipe.
    pub(crate) fn open_special(path: &Path) -> io::Result<Self> {
        DiskFile::new(path, || File::options().write(true).open(path))
    }

    /// Opens the file of a lock, or creates it. A link in its place is refused: its target would be overwritten.
    pub(crate) fn open_lock(path: &Path) -> io::Result<Self> {
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(
            &mut options,
            rustix::fs::OFlags::NOFOLLOW.bits() as i32,
        );
        DiskFile::new(path, || options.open(path))
    }

    /// Opens a file that is read first and written behind that then; what is there stays.
    pub(crate) fn open_to_append(path: &Path) -> io::Result<Self> {
        DiskFile::new(path, || File::options().read(true).write(true).open(path))
    }

    /// Creates a file, in the place of one that has its name.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        DiskFile::new(path, || File::create(path))
    }

    /// Creates a file in `folder`, whose name begins with `prefix`, ends with `suffix` and is not taken yet. It stays until it is
    /// removed or renamed.
    pub(crate) fn create_temporary(folder: &Path, prefix: &str, suffix: &str) -> io::Result<(Self, PathBuf)> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(prefix).suffix(suffix);
        // Readable by others as far as the process's mask allows, as files are that are created in the usual way.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut path = PathBuf::new();
        let file = DiskFile::new(folder, || {
            let created = builder
                .tempfile_in(folder)
                .map_err(|error| without_path(&error))?;
            let (file, at) = created.keep().map_err(|error| error.error)?;
            path = at;
            Ok(file)
        })?;
        Ok((file, path))
    }

    /// Creates a file without a name in `folder`, which is gone when it is closed, however the program ends.
    pub(crate) fn create_unnamed(folder: &Path) -> io::Result<Self> {
        DiskFile::new(folder, || {
            tempfile::tempfile_in(folder).map_err(|error| without_path(&error))
        })
    }

    /// The file itself, to be locked.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Begins to make safe on disk what was written so far, unless that is still done with an earlier part, and does not wait for
    /// it: the disk writes while more is being made for it.
    pub(crate) fn sync_ahead(&mut self) -> io::Result<()> {
        if self.syncing.is_under_way() {
            return Ok(());
        }
        self.syncing.wait()?;
        if let Turn::Go = turn(Operation::Sync, &self.place)? {
            let file = self.file.try_clone()?;
            let sync = thread::Builder::new().spawn(move || file.sync_data());
            // Without another thread all is made safe at the end.
            self.syncing = Syncing(sync.ok());
        }
        Ok(())
    }

    /// Makes what was written safe on disk, and closes the file; whoever needs to know that it is safe waits for it. Files that are
    /// made safe at the same time take the disk hardly longer than one.
    pub(crate) fn finish(self) -> io::Result<Syncing> {
        let DiskFile {
            file,
            place,
            mut syncing,
        } = self;
        if let Turn::Pretend = turn(Operation::Sync, &place)? {
            return syncing.wait().map(|()| syncing);
        }
        // Also what is still done with an earlier part is waited for there.
        let written = Arc::new((file, Mutex::new(syncing)));
        let all_safe = |(file, earlier): &(File, Mutex<Syncing>)| {
            let mut earlier = earlier.lock().unwrap_or_else(PoisonError::into_inner);
            earlier.wait()?;
            file.sync_all()
        };
        let there = Arc::clone(&written);
        match thread::Builder::new().spawn(move || all_safe(&there)) {
            Ok(syncing) => Ok(Syncing(Some(syncing))),
            Err(_) => all_safe(&written).map(|()| Syncing::default()),
        }
    }

    /// Removes all that the file holds; what is written next stands at its beginning.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        self.cut(0)
    }

    /// Removes what the file holds behind so many bytes; what is written next stands there.
    pub(crate) fn cut(&mut self, bytes: u64) -> io::Result<()> {
        turn(Operation::Write, &self.place)?;
        self.file.set_len(bytes)?;
        self.file.seek(SeekFrom::Start(bytes)).map(drop)
    }
}

impl Write for DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match turn(Operation::Write, &self.place) {
            Ok(_) => self.file.write(bytes),
            Err(error) => {
                // A disk that gets full takes some of it.
                self.file.write_all(&bytes[..bytes.len() / 2])?;
                Err(error)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for DiskFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        turn(Operation::Read, &self.place)?;
        self.file.read(buffer)
    }
}

impl Seek for DiskFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Creates a folder and those above it, as far as they are not there.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    turn(Operation::Create, &Place::new(path))?;
    fs::create_dir_all(path)
}

/// Gives a file its name, in the place of one that has it.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    turn(Operation::Rename, &Place::new(to))?;
    fs::rename(from, to)
}

/// Removes a file.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    turn(Operation::Remove, &Place::new(path))?;
    fs::remove_file(path)
}

/// Removes a folder that is empty.
pub(crate) fn remove_folder(path: &Path) -> io::Result<()> {
    turn(Operation::Remove, &Place::new(path))?;
    fs::remove_dir(path)
}

/// Makes renamed files of a folder stay renamed after a power cut. Systems other than Unix have no such thing.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    match turn(Operation::SyncFolder, &Place::new(path))? {
        Turn::Go if cfg!(unix) => File::open(path)?.sync_all(),
        _ => Ok(()),
    }
}

/// The system's error without the path that `tempfile` adds, which messages have already.
fn without_path(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::from(error.kind()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_while_an_earlier_part_is_made_safe_is_there_too() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let mut file = DiskFile::create(&path).unwrap();
        for part in ["one ", "two ", "three"] {
            file.write_all(part.as_bytes()).unwrap();
            file.sync_ahead().unwrap();
        }
        file.finish().unwrap().wait().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one two three");
    }
}
