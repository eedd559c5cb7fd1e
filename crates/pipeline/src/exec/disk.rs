//! All changes of the file system: every creation, write, sync, rename and removal goes through this module, and a lint forbids them in the
//! rest of the crate.
//!
//! With the feature `failing-disk` each of these operations can be made to fail (see [`faults`]). Tests can then check what happens to a
//! run whose disk is full, broken or read-only from any moment on. Without the feature the checks cost nothing.

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

/// A file open for writing.
#[derive(Debug)]
pub(crate) struct DiskFile {
    file: File,
    place: Place,
    /// Sync of an earlier part of the file, which runs in the background.
    syncing: Syncing,
}

/// A background sync of a file, if one is running. Its errors are returned once, by [`Syncing::wait`].
#[derive(Debug, Default)]
pub(crate) struct Syncing(Option<JoinHandle<io::Result<()>>>);

impl Syncing {
    /// Waits until the sync has ended.
    pub(crate) fn wait(&mut self) -> io::Result<()> {
        match self.0.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(synced)) => synced,
            Some(Err(_)) => Err(io::Error::other("a thread failed")),
        }
    }

    /// Returns `true` while the sync runs.
    fn is_under_way(&self) -> bool {
        self.0.as_ref().is_some_and(|syncing| !syncing.is_finished())
    }
}

impl DiskFile {
    /// Opens a file by `open`, unless the operation is made to fail.
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

    /// Opens an existing file that is not regular, such as a device or a pipe.
    pub(crate) fn open_special(path: &Path) -> io::Result<Self> {
        DiskFile::new(path, || File::options().write(true).open(path))
    }

    /// Opens or creates a lock file. A symbolic link is refused, since its target would be overwritten.
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

    /// Opens a file whose content is read first and then appended to.
    pub(crate) fn open_to_append(path: &Path) -> io::Result<Self> {
        DiskFile::new(path, || File::options().read(true).write(true).open(path))
    }

    /// Creates a file, replacing an existing one.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        DiskFile::new(path, || File::create(path))
    }

    /// Creates a file in `folder` with an unused name of the form `prefix...suffix`. It stays until it is removed or renamed.
    pub(crate) fn create_temporary(folder: &Path, prefix: &str, suffix: &str) -> io::Result<(Self, PathBuf)> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(prefix).suffix(suffix);
        // Permissions are those of ordinary new files: readable by others as far as the umask allows.
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

    /// Creates an unnamed file in `folder`. The system removes it when it is closed or the program ends in any way.
    pub(crate) fn create_unnamed(folder: &Path) -> io::Result<Self> {
        DiskFile::new(folder, || {
            tempfile::tempfile_in(folder).map_err(|error| without_path(&error))
        })
    }

    /// The underlying file, for locking.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Starts to sync the bytes written so far, without waiting. Does nothing while an earlier sync is running. The disk writes while more
    /// data is being produced.
    pub(crate) fn sync_ahead(&mut self) -> io::Result<()> {
        if self.syncing.is_under_way() {
            return Ok(());
        }
        self.syncing.wait()?;
        if let Turn::Go = turn(Operation::Sync, &self.place)? {
            let file = self.file.try_clone()?;
            // The length and other metadata are synced at the end, by `finish`.
            let sync = thread::Builder::new().spawn(move || file.sync_data());
            // If no thread can be started, everything is synced at the end.
            self.syncing = Syncing(sync.ok());
        }
        Ok(())
    }

    /// Syncs and closes the file in the background. Wait on the result before relying on it.
    ///
    /// Syncing several files at the same time takes hardly longer than syncing one.
    pub(crate) fn finish(self) -> io::Result<Syncing> {
        let DiskFile {
            file,
            place,
            mut syncing,
        } = self;
        if let Turn::Pretend = turn(Operation::Sync, &place)? {
            return syncing.wait().map(|()| syncing);
        }
        // The thread also waits for the earlier sync that may still be running.
        let written = Arc::new((file, Mutex::new(syncing)));
        let all_safe = |(file, earlier): &(File, Mutex<Syncing>)| {
            let mut earlier = earlier.lock().unwrap_or_else(PoisonError::into_inner);
            earlier.wait()?;
            file.sync_all()
        };
        let there = Arc::clone(&written);
        match thread::Builder::new().spawn(move || all_safe(&there)) {
            Ok(syncing) => Ok(Syncing(Some(syncing))),
            // Without a thread, the caller waits for the sync.
            Err(_) => all_safe(&written).map(|()| Syncing::default()),
        }
    }

    /// Truncates the file to length 0. The next write is at its beginning.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        self.cut(0)
    }

    /// Truncates the file to `bytes` bytes. The next write is at its end.
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
                // A disk that runs full takes part of the bytes.
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

/// Creates a folder and its missing parents.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    turn(Operation::Create, &Place::new(path))?;
    fs::create_dir_all(path)
}

/// Creates a folder that only this user may read, unless it exists.
///
/// # Errors
/// If it cannot be created, or exists and belongs to another user.
#[cfg_attr(
    not(feature = "remote"),
    allow(dead_code, reason = "only outputs to stores need it")
)]
pub(crate) fn create_private_folder(path: &Path) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        create_folder(parent)?;
    }
    turn(Operation::Create, &Place::new(path))?;
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(path) {
        // An existing folder is checked below.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    // The name is predictable, so another user might have created it, perhaps as a link. Links are not
    // followed here.
    let meta = fs::symlink_metadata(path)?;
    #[cfg(unix)]
    let is_ours = std::os::unix::fs::MetadataExt::uid(&meta) == rustix::process::geteuid().as_raw();
    #[cfg(not(unix))]
    let is_ours = true;
    match meta.is_dir() && is_ours {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it belongs to another user",
        )),
    }
}

/// Renames a file, replacing an existing one.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    turn(Operation::Rename, &Place::new(to))?;
    fs::rename(from, to)
}

/// Removes a file.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    turn(Operation::Remove, &Place::new(path))?;
    fs::remove_file(path)
}

/// Removes an empty folder.
pub(crate) fn remove_folder(path: &Path) -> io::Result<()> {
    turn(Operation::Remove, &Place::new(path))?;
    fs::remove_dir(path)
}

/// Syncs a folder, so that new names of its files survive a power cut. Does nothing on systems other than Unix.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    match turn(Operation::SyncFolder, &Place::new(path))? {
        Turn::Go if cfg!(unix) => File::open(path)?.sync_all(),
        _ => Ok(()),
    }
}

/// Returns the error of the system without the path that `tempfile` adds, since messages already name the
/// path.
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
