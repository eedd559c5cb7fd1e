//! Files that appear as a whole: they are written under a temporary name in the same folder, synced to disk, and renamed.
//!
//! A target that is not a regular file, such as a device or a pipe, is written to directly. A symbolic link stays, and the file that it
//! points to is replaced.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::exec::cancel::Cancel;
use crate::exec::disk::{self, DiskFile, Syncing};
use crate::record::header::FileFacts;

/// Suffix of the temporary names of files that are being written.
pub(crate) const PARTIAL: &str = ".dehusk-partial";

/// Size of the write buffer in bytes.
const WRITE: usize = 1 << 20;

/// Interval in bytes after which the bytes written are synced to disk, while writing continues.
const SYNC: u64 = 64 << 20;

/// Minimum size in bytes of writes that bypass the buffer.
const LARGE: usize = 128 << 10;

/// A file under a temporary name, or a target that is not a regular file.
///
/// The temporary file is removed unless the file is finished and renamed.
pub struct OutFile {
    to: PathBuf,
    /// `None` if the target is not a regular file.
    partial: Option<Partial>,
    writer: BufWriter<DiskFile>,
    facts: FileFacts,
    /// Number of bytes that are on disk, or on the way there.
    synced: u64,
}

/// A complete file, still under its temporary name. It is being synced to disk; renaming waits for the
/// sync.
pub struct Finished {
    to: PathBuf,
    /// Subfolder of the output folder for the file; `None` for the output folder itself.
    within: Option<&'static str>,
    partial: Option<Partial>,
    facts: FileFacts,
    syncing: Syncing,
}

/// A temporary name, registered with [`Cancel`] so that the file is removed if the program is stopped.
struct Partial {
    at: PathBuf,
    /// Whether the file stays when this value is dropped: it has its final name, or is hidden for the next
    /// run.
    kept: bool,
    cancel: Cancel,
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.kept {
            // A file that cannot be removed here is removed by the next run.
            let _ = disk::remove(&self.at);
        }
        self.cancel.end(&self.at);
    }
}

impl OutFile {
    /// Creates the temporary file that will be renamed to `to`.
    ///
    /// # Errors
    /// If `to` is a file that the run reads, or a folder, or if its folder cannot be written to.
    pub(crate) fn create(to: &Path, cancel: &Cancel) -> Result<OutFile, Error> {
        cancel.refuse_read(to)?;
        // `/dev/null` and pipes are opened as they are: renaming a file to such a name would replace it.
        let found = fs::metadata(to);
        if found
            .as_ref()
            .is_ok_and(|found| !found.is_file() && !found.is_dir())
        {
            let file = DiskFile::open_special(to).map_err(|e| Error::create(to, e))?;
            return Ok(OutFile::of(to.to_owned(), None, file));
        }
        let to = &link_target(to);
        let Some(name) = to.file_name().filter(|_| !to.is_dir()) else {
            let message = format!("`--out {}` is a folder, not a file", to.display());
            return Err(Error::usage(message)
                .with_path(to)
                .with_option("out")
                .with_help("name a file"));
        };
        let folder = folder_of(to);
        if !folder.is_dir() {
            disk::create_folder(folder).map_err(|e| Error::create(folder, e))?;
        }
        let prefix = format!(".{}.", name.to_string_lossy());
        let created = DiskFile::create_temporary(folder, &prefix, PARTIAL);
        let (file, at) = created.map_err(|e| Error::create(to, e))?;
        // The lock is held until the file is closed. It distinguishes a file that is being written from a
        // file that a killed run left behind.
        let _ = file.file().try_lock();
        cancel.begin(&at);
        let partial = Partial {
            at,
            kept: false,
            cancel: cancel.clone(),
        };
        Ok(OutFile::of(to.clone(), Some(partial), file))
    }

    /// A file without content.
    fn of(to: PathBuf, partial: Option<Partial>, file: DiskFile) -> OutFile {
        OutFile {
            to,
            partial,
            writer: BufWriter::with_capacity(WRITE, file),
            facts: FileFacts { rows: 0, bytes: 0 },
            synced: 0,
        }
    }

    /// Folder in which the file will lie; `None` if the target is not a regular file.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.partial.as_ref().map(|_| folder_of(&self.to))
    }

    /// Removes temporary files of the same target that killed runs left behind.
    pub(crate) fn remove_abandoned(&self) {
        if let (Some(folder), Some(name)) = (self.folder(), self.to.file_name()) {
            remove_partial(folder, Some(&name.to_string_lossy()));
        }
    }

    /// Writes bytes unchanged.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.put(bytes).map_err(|error| self.failed(error))
    }

    /// Writes bytes, large ones without the buffer, and starts a sync now and then.
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.facts.bytes += bytes.len() as u64;
        if bytes.len() < LARGE {
            self.writer.write_all(bytes)?;
        } else {
            self.writer.flush()?;
            self.writer.get_mut().write_all(bytes)?;
        }
        // Syncing during writing spreads the work. A single sync at the end would stall the run for as long
        // as the disk needs for all bytes.
        if self.facts.bytes - self.synced >= SYNC && self.partial.is_some() {
            self.synced = self.facts.bytes;
            self.writer.get_mut().sync_ahead()?;
        }
        Ok(())
    }

    /// Adds to the number of rows, for rows that are written as bytes.
    pub(crate) fn count_rows(&mut self, rows: u64) {
        self.facts.rows += rows;
    }

    /// Error for a failed write to this file.
    pub(crate) fn failed(&self, error: io::Error) -> Error {
        Error::write(&self.to, error)
    }

    /// Writes `count` lines. Each ends with its line feed.
    pub(crate) fn lines(&mut self, lines: &[u8], count: u64) -> Result<(), Error> {
        self.facts.rows += count;
        self.write(lines)
    }

    /// Writes a line and appends its line feed.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn line(&mut self, line: &[u8]) -> Result<(), Error> {
        self.facts.rows += 1;
        self.write(line)?;
        self.write(b"\n")
    }

    /// Completes the file, still under its temporary name, and begins to sync it to disk.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(self) -> Result<Finished, Error> {
        let OutFile {
            to,
            partial,
            writer,
            facts,
            ..
        } = self;
        let file = writer.into_inner().map_err(io::IntoInnerError::into_error);
        // A device or a pipe cannot be synced.
        let syncing = file.and_then(|file| match &partial {
            Some(_) => file.finish(),
            None => Ok(Syncing::default()),
        });
        Ok(Finished {
            syncing: syncing.map_err(|e| Error::write(&to, e))?,
            to,
            within: None,
            partial,
            facts,
        })
    }
}

impl Write for OutFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.put(bytes)?;
        Ok(bytes.len())
    }

    /// Does nothing: bytes may stay in the buffer until the file is finished.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Finished {
    /// A file that is complete and on disk at `at`. It stays there until it is renamed to `to`, in the
    /// folder `within` of the output folder.
    pub(crate) fn lying(at: &Path, within: &'static str, to: &Path) -> Result<Finished, Error> {
        let bytes = fs::metadata(at).map_err(|e| Error::input(at, e))?.len();
        Ok(Finished {
            to: to.to_owned(),
            within: Some(within),
            partial: Some(Partial {
                at: at.to_owned(),
                kept: true,
                cancel: Cancel::new(),
            }),
            facts: FileFacts { rows: 0, bytes },
            syncing: Syncing::default(),
        })
    }

    /// Current path of the file.
    pub(crate) fn path(&self) -> &Path {
        self.partial.as_ref().map_or(&self.to, |partial| &partial.at)
    }

    /// Name that the file will have, relative to the output folder.
    pub(crate) fn name(&self) -> String {
        let name = self.to.file_name().unwrap_or_default().to_string_lossy();
        match self.within {
            Some(folder) => format!("{folder}/{name}"),
            None => name.into_owned(),
        }
    }

    /// Subfolder of the output folder in which it will lie; `None` for the output folder itself.
    pub(crate) fn subfolder(&self) -> Option<&Path> {
        self.within.and_then(|_| self.to.parent())
    }

    /// Number of rows and bytes.
    pub(crate) fn facts(&self) -> FileFacts {
        self.facts
    }

    /// Waits until the file is synced to disk.
    pub(crate) fn settle(&mut self) -> Result<(), Error> {
        self.syncing.wait().map_err(|e| Error::write(&self.to, e))
    }

    /// Gives the file another temporary name, under which it stays even if the process is killed.
    pub(crate) fn hide(&mut self, at: &Path) -> Result<(), Error> {
        self.settle()?;
        if let Some(partial) = &mut self.partial {
            disk::rename(&partial.at, at).map_err(|e| Error::write(&self.to, e))?;
            // From here on, stopping the program no longer removes the file.
            partial.cancel.end(&partial.at);
            at.clone_into(&mut partial.at);
            partial.kept = true;
        }
        Ok(())
    }

    /// Gives the file its final name. The name is safe on disk once [`sync_folder`] has returned.
    pub(crate) fn rename(mut self) -> Result<(), Error> {
        self.settle()?;
        if let Some(partial) = &mut self.partial {
            disk::rename(&partial.at, &self.to).map_err(|e| Error::write(&self.to, e))?;
            partial.kept = true;
        }
        Ok(())
    }
}

/// Writes one file with `write`. The file appears when it is complete.
pub(crate) fn whole_file<T>(
    to: &Path,
    cancel: &Cancel,
    write: impl FnOnce(&mut OutFile) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut file = OutFile::create(to, cancel)?;
    let folder = file.folder().map(Path::to_owned);
    file.remove_abandoned();
    let done = write(&mut file).map_err(|e| e.with_path(to))?;
    file.finish()?.rename()?;
    folder.map_or(Ok(()), |folder| sync_folder(&folder))?;
    Ok(done)
}

/// Writes a file that appears as a whole. Its folder is created if missing.
///
/// # Errors
/// If the folder cannot be created or the file cannot be written.
pub fn write_file(path: &Path, content: &[u8], cancel: &Cancel) -> Result<(), Error> {
    let folder = folder_of(path);
    disk::create_folder(folder).map_err(|e| Error::create(folder, e))?;
    whole_file(path, cancel, |file| file.write(content))
}

/// Folder in which a file lies.
fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Maximum number of chained symbolic links that are followed: the limit of Linux.
const MAX_LINKS: usize = 40;

/// Final target of a chain of symbolic links. It need not exist.
fn link_target(path: &Path) -> PathBuf {
    let mut at = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&at) else { break };
        // `join` replaces the folder if the link is absolute.
        at = folder_of(&at).join(next);
    }
    at
}

/// Removes from a folder the temporary files that killed runs left behind: of all files, or of the file named `of`.
///
/// Files that another process is writing stay, and so do files that cannot be removed.
pub(crate) fn remove_partial(folder: &Path, of: Option<&str>) {
    let prefix = of.map_or(".".to_owned(), |name| format!(".{name}."));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let ours = name.starts_with(&prefix) && name.ends_with(PARTIAL);
        if ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // A file that can be locked has no writer: it was left by a killed run.
            let left = File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
            if left {
                let _ = disk::remove(&entry.path());
            }
        }
    }
}

/// Syncs a folder, so that the new names of its files survive a power cut.
pub(crate) fn sync_folder(path: &Path) -> Result<(), Error> {
    disk::sync_folder(path).map_err(|e| Error::write(path, e))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::Read;
    use std::os::unix::fs::{FileTypeExt, symlink};
    use std::thread;

    use super::*;

    fn write(to: &Path) {
        whole_file(to, &Cancel::new(), |file| file.line(b"text")).expect("written");
    }

    #[test]
    fn devices_and_pipes_are_written_to_and_stay() {
        write(Path::new("/dev/null"));
        assert!(
            fs::metadata("/dev/null")
                .expect("a device")
                .file_type()
                .is_char_device()
        );
        let dir = tempfile::tempdir().expect("a folder");
        let pipe = dir.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::from_raw_mode(0o600)).expect("a pipe");
        let reader = {
            let pipe = pipe.clone();
            thread::spawn(move || {
                let mut text = String::new();
                File::open(pipe)
                    .and_then(|mut file| file.read_to_string(&mut text))
                    .map(|_| text)
            })
        };
        write(&pipe);
        assert_eq!(reader.join().expect("a reader").expect("read"), "text\n");
        assert!(fs::metadata(&pipe).expect("a pipe").file_type().is_fifo());
        assert_eq!(fs::read_dir(dir.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_link_stays_and_its_target_is_replaced() {
        let dir = tempfile::tempdir().expect("a folder");
        fs::create_dir(dir.path().join("far")).expect("a folder");
        let (link, second) = (dir.path().join("link"), dir.path().join("second"));
        symlink("far/file", &link).expect("a link");
        symlink("link", &second).expect("a link");
        // First without, then with an existing target.
        for _ in 0..2 {
            write(&second);
            let text = fs::read_to_string(dir.path().join("far/file")).expect("the target");
            assert_eq!(text, "text\n");
            assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
            assert!(fs::symlink_metadata(&second).expect("a link").is_symlink());
        }
    }

    #[test]
    fn what_a_killed_run_left_goes_and_what_others_write_stays() {
        let dir = tempfile::tempdir().expect("a folder");
        let at = |name: &str| dir.path().join(name);
        let names = [
            ".out.jsonl.Ab12Cd.dehusk-partial",
            "mine.partial",
            ".other.x.dehusk-partial",
        ];
        for name in names {
            fs::write(at(name), "").expect("written");
        }
        let running = OutFile::create(&at("out.jsonl"), &Cancel::new()).expect("a file");
        write(&at("out.jsonl"));
        assert!(!at(names[0]).exists());
        assert!(at(names[1]).exists() && at(names[2]).exists());
        assert!(
            running
                .partial
                .as_ref()
                .is_some_and(|partial| partial.at.exists())
        );
    }
}
