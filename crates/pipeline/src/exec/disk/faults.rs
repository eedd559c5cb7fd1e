//! Simulated disk failures for tests.
//!
//! A [`Disk`] watches everything that is written below a folder, from its creation until it is dropped. It counts the operations there, and
//! makes one of them fail. For programs, the environment variable [`VARIABLE`] does this for all files.

use std::collections::BTreeMap;
use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

pub use super::operation::Operation;
use super::operation::{Place, Turn};

/// Environment variable with a [`Fault`] for all files of a program built with the feature `failing-disk`.
///
/// Its value is operation (or `any`), number from 1, and cause, separated by colons, such as `write:3:full`; see [`Fault::parse`].
pub const VARIABLE: &str = "DEHUSK_FAILING_DISK";

/// Cause of a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// No space is left (`ENOSPC`): later operations that need space fail, too. Files can still be removed.
    Full,
    /// The device fails (`EIO`), once.
    Broken,
    /// The file system becomes read-only (`EROFS`): later changes fail, too.
    ReadOnly,
    /// Permission is denied (`EACCES`): later changes fail, too.
    Denied,
}

impl Cause {
    fn error(self) -> io::Error {
        match self {
            Cause::Full => io::ErrorKind::StorageFull.into(),
            Cause::Broken => io::Error::other("the device failed"),
            Cause::ReadOnly => io::ErrorKind::ReadOnlyFilesystem.into(),
            Cause::Denied => io::ErrorKind::PermissionDenied.into(),
        }
    }

    /// Returns `true` if an operation after the first failure fails, too.
    fn stays(self, operation: Operation) -> bool {
        match self {
            Cause::Full => matches!(operation, Operation::Create | Operation::Write),
            Cause::Broken => false,
            Cause::ReadOnly | Cause::Denied => operation != Operation::Read,
        }
    }
}

/// Selects the operation that fails, with the cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Kind of operation that is counted; `None` for all.
    pub operation: Option<Operation>,
    /// Number of the operation that fails, from 1.
    pub number: u64,
    /// Cause of the failure.
    pub cause: Cause,
}

const OPERATIONS: &[(&str, Option<Operation>)] = &[
    ("any", None),
    ("create", Some(Operation::Create)),
    ("write", Some(Operation::Write)),
    ("read", Some(Operation::Read)),
    ("sync", Some(Operation::Sync)),
    ("rename", Some(Operation::Rename)),
    ("sync-folder", Some(Operation::SyncFolder)),
    ("remove", Some(Operation::Remove)),
];

const CAUSES: &[(&str, Cause)] = &[
    ("full", Cause::Full),
    ("broken", Cause::Broken),
    ("read-only", Cause::ReadOnly),
    ("denied", Cause::Denied),
];

impl Fault {
    /// Parses a fault such as `write:3:full`: an operation (`any`, `create`, `write`, `read`, `sync`, `rename`, `sync-folder` or `remove`),
    /// a number from 1, and a cause (`full`, `broken`, `read-only` or `denied`). `None` for other texts.
    pub fn parse(text: &str) -> Option<Fault> {
        fn named<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
            table.iter().find(|(known, _)| *known == name).map(|(_, it)| *it)
        }
        let mut parts = text.split(':');
        let fault = Fault {
            operation: named(OPERATIONS, parts.next()?)?,
            number: parts.next()?.parse().ok().filter(|number| *number > 0)?,
            cause: named(CAUSES, parts.next()?)?,
        };
        parts.next().is_none().then_some(fault)
    }
}

/// The disk below a folder, watched by a test. While the value exists, syncs are counted but not performed, since they only take time.
#[derive(Debug)]
pub struct Disk(Arc<Watch>);

#[derive(Debug)]
struct Watch {
    folder: PathBuf,
    fault: Option<Fault>,
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    counts: BTreeMap<Operation, u64>,
    struck: Option<(Operation, PathBuf)>,
}

/// The watched disks.
static DISKS: Mutex<Vec<Arc<Watch>>> = Mutex::new(Vec::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Disk {
    /// Watches operations on paths that begin with `folder`, and injects the fault.
    pub fn below(folder: &Path, fault: Option<Fault>) -> Disk {
        let watch = Arc::new(Watch::new(folder, fault));
        lock(&DISKS).push(Arc::clone(&watch));
        Disk(watch)
    }

    /// Returns the number of operations so far, by kind.
    pub fn counts(&self) -> BTreeMap<Operation, u64> {
        lock(&self.0.seen).counts.clone()
    }

    /// Returns the first operation that failed, with its path. `None` if none failed so far.
    pub fn struck(&self) -> Option<(Operation, PathBuf)> {
        lock(&self.0.seen).struck.clone()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        lock(&DISKS).retain(|other| !Arc::ptr_eq(other, &self.0));
    }
}

impl Watch {
    fn new(folder: &Path, fault: Option<Fault>) -> Watch {
        Watch {
            folder: folder.to_owned(),
            fault,
            seen: Mutex::default(),
        }
    }

    fn turn(&self, operation: Operation, path: &Path) -> io::Result<()> {
        let mut seen = lock(&self.seen);
        *seen.counts.entry(operation).or_default() += 1;
        let Some(fault) = self.fault else { return Ok(()) };
        // The first failure is found by counting. After it, the cause decides.
        let fails = if seen.struck.is_some() {
            fault.cause.stays(operation)
        } else {
            let counted = match fault.operation {
                Some(operation) => seen.counts.get(&operation).copied().unwrap_or(0),
                None => seen.counts.values().sum(),
            };
            fault.operation.is_none_or(|counted| counted == operation) && counted == fault.number
        };
        if !fails {
            return Ok(());
        }
        seen.struck.get_or_insert((operation, path.to_owned()));
        Err(fault.cause.error())
    }
}

/// Returns the fault for all files that the environment sets.
fn of_environment() -> io::Result<Option<&'static Watch>> {
    static WATCH: OnceLock<Option<Result<Watch, String>>> = OnceLock::new();
    let read = || {
        let text = env::var(VARIABLE).ok()?;
        let fault = Fault::parse(&text).ok_or_else(|| format!("{VARIABLE}: `{text}` is no fault"));
        Some(fault.map(|fault| Watch::new(Path::new(""), Some(fault))))
    };
    match WATCH.get_or_init(read) {
        None => Ok(None),
        Some(Ok(watch)) => Ok(Some(watch)),
        Some(Err(message)) => Err(io::Error::other(message.as_str())),
    }
}

/// Decides whether an operation is performed, pretended or failed.
pub(super) fn turn(operation: Operation, place: &Place) -> io::Result<Turn> {
    if let Some(watch) = of_environment()? {
        watch.turn(operation, &place.path)?;
    }
    // The list is copied, so that its lock is free while a disk counts.
    let watches: Vec<Arc<Watch>> = lock(&DISKS)
        .iter()
        .filter(|watch| place.path.starts_with(&watch.folder))
        .map(Arc::clone)
        .collect();
    watches
        .iter()
        .try_for_each(|watch| watch.turn(operation, &place.path))?;
    Ok(if watches.is_empty() {
        Turn::Go
    } else {
        Turn::Pretend
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_read() {
        let fault = Fault {
            operation: Some(Operation::SyncFolder),
            number: 12,
            cause: Cause::ReadOnly,
        };
        assert_eq!(Fault::parse("sync-folder:12:read-only"), Some(fault));
        assert!(Fault::parse("any:1:full").is_some_and(|fault| fault.operation.is_none()));
        for wrong in [
            "",
            "any",
            "any:0:full",
            "any:1:worn",
            "move:1:full",
            "any:1:full:",
        ] {
            assert_eq!(Fault::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_full_disk_stays_full_and_files_can_be_removed() {
        use super::super::{DiskFile, remove};
        use std::io::Write;

        let dir = tempfile::tempdir().expect("a folder");
        let other = tempfile::tempdir().expect("a folder");
        let fault = Fault::parse("write:2:full");
        let disk = Disk::below(dir.path(), fault);
        let (mut file, path) = DiskFile::create_temporary(dir.path(), "a", "").expect("a file");
        file.write_all(b"1234").expect("room for it");
        assert!(
            file.write_all(b"5678")
                .is_err_and(|e| e.kind() == io::ErrorKind::StorageFull)
        );
        assert!(file.write_all(b"9").is_err());
        assert!(DiskFile::create_unnamed(dir.path()).is_err());
        assert!(DiskFile::create_unnamed(other.path()).is_ok());
        assert_eq!(std::fs::read(&path).expect("the file"), b"123456");
        remove(&path).expect("removed");
        assert_eq!(
            disk.struck().map(|(operation, _)| operation),
            Some(Operation::Write)
        );
        assert_eq!(disk.counts()[&Operation::Write], 3);
        drop(disk);
        assert!(DiskFile::create_unnamed(dir.path()).is_ok());
    }
}
