//! The journal of a run: the results for the records read so far. A killed run is resumed after these
//! records.
//!
//! The journal is a hidden file of the output folder. Its first line is JSON and describes how the run was
//! begun. Entries follow, one for each chunk of the inputs: length and checksum (8 bytes each,
//! little-endian), then the bytes of the entry.
//!
//! If the process or the machine died while an entry was being written, the entry fails its checksum. The
//! journal ends there.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::error::Error;
use crate::exec::disk::{self, DiskFile};
use crate::write::folder::OutFolder;

/// File name of the journal.
const NAME: &str = ".dehusk-journal";

/// Bytes of the length and the checksum before an entry.
const FRAME: usize = 16;

/// Maximum length of the first line in bytes.
const LONGEST_HEAD: u64 = 64 << 20;

/// Interval in bytes after which the journal is synced to disk, while the run continues.
///
/// Killing the process loses no entries. After a crash of the machine, a run is resumed after the last
/// synced entry.
const SYNC: u64 = 16 << 20;

/// Maximum capacity in bytes of the buffer that is reused for the next entry.
const KEPT: usize = 4 << 20;

/// Maximum capacity in bytes that is reserved for an entry before its bytes are read: a damaged length must
/// not cause a large allocation.
const TRUSTED: u64 = 1 << 20;

/// A journal that is being written.
pub(crate) struct Journal {
    path: PathBuf,
    file: DiskFile,
    /// Length of the file in bytes.
    end: u64,
    /// Whether the journal stays on disk when dropped: it has entries, or was [kept](Journal::keep).
    used: bool,
    /// Number of bytes written since the last sync.
    unsafe_bytes: u64,
    /// Buffer of the last entry, reused for the next.
    buffer: Vec<u8>,
}

/// The first line of the journal of a folder; `None` without a readable journal.
pub(crate) fn head<H: DeserializeOwned>(folder: &Path) -> Option<H> {
    read_head(&mut BufReader::new(File::open(folder.join(NAME)).ok()?)).map(|(head, _)| head)
}

/// The first line and its length in bytes.
fn read_head<H: DeserializeOwned>(from: &mut impl BufRead) -> Option<(H, u64)> {
    let mut line = Vec::new();
    from.take(LONGEST_HEAD).read_until(b'\n', &mut line).ok()?;
    let head = serde_json::from_slice(line.strip_suffix(b"\n")?).ok()?;
    Some((head, line.len() as u64))
}

/// Checksum of an entry, seeded with its offset in the file: an entry that was moved is damaged, too.
fn checksum(entry: &[u8], at: u64) -> u64 {
    xxh3_64_with_seed(entry, at)
}

impl Journal {
    /// Begins a new journal in a folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn create(folder: &OutFolder, head: &impl Serialize) -> Result<Journal, Error> {
        let path = folder.path().join(NAME);
        let begin = || {
            let mut line = serde_json::to_vec(head)?;
            line.push(b'\n');
            let mut file = DiskFile::create(&path)?;
            file.write_all(&line)?;
            Ok((file, line.len() as u64))
        };
        let (file, end) = begin().map_err(|error| Error::write(&path, error))?;
        Ok(Journal {
            path,
            file,
            end,
            used: false,
            // The first line counts, since it is not synced yet.
            unsafe_bytes: end,
            buffer: Vec::new(),
        })
    }

    /// Opens the journal of a folder, to read its entries and then to add others.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn open(folder: &OutFolder) -> Result<Entries, Error> {
        let path = folder.path().join(NAME);
        let open = || {
            let file = DiskFile::open_to_append(&path)?;
            let bytes = file.file().metadata()?.len();
            let mut from = BufReader::with_capacity(1 << 20, file);
            let head: Option<(serde::de::IgnoredAny, u64)> = read_head(&mut from);
            let (_, end) = head.ok_or(io::ErrorKind::InvalidData)?;
            Ok((from, bytes, end))
        };
        let (from, bytes, end) = open().map_err(|error: io::Error| Error::input(&path, error))?;
        Ok(Entries {
            path,
            from,
            bytes,
            end,
        })
    }

    /// Removes the journal of a folder, if it exists.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub(crate) fn discard(folder: &OutFolder) -> Result<(), Error> {
        let path = folder.path().join(NAME);
        match disk::remove(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::write(&path, error)),
            _ => Ok(()),
        }
    }

    /// Keeps the journal on disk even if the run ends before an entry is added.
    pub(crate) fn keep(self) -> Journal {
        let mut kept = self;
        kept.used = true;
        kept
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn add(&mut self, entry: &impl Serialize) -> Result<(), Error> {
        let mut bytes = std::mem::take(&mut self.buffer);
        bytes.clear();
        // Room for the frame, whose values are known after the entry is encoded. So one write suffices.
        bytes.resize(FRAME, 0);
        bytes = postcard::to_extend(entry, bytes)
            .map_err(|error| Error::failed(format!("cannot write `{}`: {error}", self.path.display())))?;
        let (frame, entry) = bytes.split_at_mut(FRAME);
        frame[..8].copy_from_slice(&(entry.len() as u64).to_le_bytes());
        frame[8..].copy_from_slice(&checksum(entry, self.end).to_le_bytes());
        self.used = true;
        self.end += bytes.len() as u64;
        self.unsafe_bytes += bytes.len() as u64;
        // The buffer is put back before an error is returned.
        let mut written = self.file.write_all(&bytes);
        if self.unsafe_bytes >= SYNC {
            self.unsafe_bytes = 0;
            written = written.and_then(|()| self.file.sync_ahead());
        }
        // An unusually large buffer is freed.
        if bytes.capacity() <= KEPT {
            self.buffer = bytes;
        }
        written.map_err(|error| Error::write(&self.path, error))
    }

    /// Removes the journal of a run that is complete.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub(crate) fn remove(self) -> Result<(), Error> {
        disk::remove(&self.path).map_err(|error| Error::write(&self.path, error))
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        if !self.used {
            // A journal without entries is useless for resuming. The next run begins a new one.
            let _ = disk::remove(&self.path);
        }
    }
}

/// The entries of a journal that an earlier run left.
pub(crate) struct Entries {
    path: PathBuf,
    from: BufReader<DiskFile>,
    /// Length of the file in bytes.
    bytes: u64,
    /// Offset of the end of the last entry that was read.
    end: u64,
}

impl Entries {
    /// The bytes of the next entry; `None` at the end, or where the journal was cut off.
    pub(crate) fn next(&mut self) -> Option<Vec<u8>> {
        let mut frame = [0; FRAME];
        self.from.read_exact(&mut frame).ok()?;
        let (length, sum) = frame.split_at(8);
        let length = u64::from_le_bytes(length.try_into().ok()?);
        let sum = u64::from_le_bytes(sum.try_into().ok()?);
        // The length is checked against the file before anything is reserved.
        let left = self.bytes.checked_sub(self.end + FRAME as u64)?;
        if length > left {
            return None;
        }
        let mut entry = Vec::with_capacity(length.min(TRUSTED) as usize);
        (&mut self.from).take(length).read_to_end(&mut entry).ok()?;
        if entry.len() as u64 != length || checksum(&entry, self.end) != sum {
            return None;
        }
        self.end += FRAME as u64 + length;
        Some(entry)
    }

    /// Continues the journal after the entries that were read. Bytes after them are cut off.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn go_on(self) -> Result<Journal, Error> {
        let Entries { path, from, end, .. } = self;
        let mut file = from.into_inner();
        // Otherwise entries after a damaged one could become readable again.
        file.cut(end).map_err(|error| Error::write(&path, error))?;
        Ok(Journal {
            path,
            file,
            end,
            used: true,
            unsafe_bytes: 0,
            buffer: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::exec::cancel::Cancel;

    fn all(folder: &OutFolder) -> (Vec<String>, Journal) {
        let mut entries = Journal::open(folder).unwrap();
        let mut found = Vec::new();
        while let Some(entry) = entries.next() {
            found.push(postcard::from_bytes(&entry).unwrap());
        }
        (found, entries.go_on().unwrap())
    }

    #[test]
    fn a_journal_goes_on_wherever_it_was_cut_off_or_damaged() {
        let dir = tempfile::tempdir().unwrap();
        let folder = OutFolder::open(dir.path(), "run", &Cancel::new()).unwrap();
        let path = dir.path().join(NAME);
        let mut journal = Journal::create(&folder, &7).unwrap();
        let mut ends = vec![journal.end];
        for entry in ["one", "", "three"] {
            journal.add(&entry).unwrap();
            ends.push(journal.end);
        }
        let whole = fs::read(&path).unwrap();
        assert_eq!((head::<u64>(dir.path()), whole.len() as u64), (Some(7), ends[3]));
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x40;
            for bytes in [&whole[..at], &damaged] {
                fs::write(&path, bytes).unwrap();
                if (at as u64) < ends[0] {
                    assert_ne!(head::<u64>(dir.path()), Some(7), "byte {at}");
                    continue;
                }
                let sound = ends.iter().filter(|end| **end <= at as u64).count() - 1;
                let (found, mut journal) = all(&folder);
                assert_eq!(found, ["one", "", "three"][..sound], "byte {at}");
                journal.add(&"more").unwrap();
                drop(journal);
                assert_eq!(all(&folder).0.len(), sound + 1, "byte {at}");
            }
        }
        fs::write(&path, &whole).unwrap();
        all(&folder).1.remove().unwrap();
        assert!(!path.exists() && head::<u64>(dir.path()).is_none());
    }
}
