//! Parts of large archives, so that several tasks, perhaps on different machines, share a file.

use std::io::Read;
use std::ops::Range;

use dehusk_archive::{Event, Form, Limits, Reader, Start, probable_starts};

use crate::read::chunk::Source;

/// A file of the inputs, and where it can be cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileParts {
    /// Size in bytes.
    pub bytes: u64,
    /// Offsets at which parts begin, the first part excluded. Empty if the file is read as a whole.
    pub cuts: Vec<u64>,
}

impl FileParts {
    /// Creates the parts of a file that is read as a whole.
    pub(crate) fn whole(bytes: u64) -> Self {
        FileParts {
            bytes,
            cuts: Vec::new(),
        }
    }

    /// Cuts an archive into parts of about `most` bytes, at most [`MAX_PARTS`].
    pub(crate) fn of(source: &Source, bytes: u64, most: u64) -> Self {
        // Large files get larger parts, to stay within the limit of their number.
        let most = most.max(bytes / MAX_PARTS).max(1);
        let mut cuts: Vec<u64> = Vec::new();
        while let Some(from) = cuts.last().copied().unwrap_or(0).checked_add(most)
            && from < bytes
        {
            match source.format.part_start(source, from) {
                // A part begins after `from`, so that cuts ascend.
                Some(start) if start < bytes => cuts.push(start),
                // The file has no further start, so the rest is one part.
                _ => break,
            }
        }
        FileParts { bytes, cuts }
    }
}

/// Largest number of parts of a file.
pub(crate) const MAX_PARTS: u64 = 250;

/// The work of one task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Portion {
    /// Whole files, by their numbers in reading order.
    Files(Range<u64>),
    /// A part of an archive.
    Part {
        /// Number of the file.
        file: u64,
        /// Number of the part in its file.
        number: u64,
        /// The bytes of the part, from one of the [cuts](FileParts::cuts) to the next one.
        bytes: Range<u64>,
    },
}

impl Portion {
    /// Returns the range of numbers of the files.
    pub(crate) fn files(&self) -> Range<u64> {
        match self {
            Portion::Files(files) => files.clone(),
            Portion::Part { file, .. } => *file..file.saturating_add(1),
        }
    }

    /// Returns the bytes of the only file that are read, or `None` for whole files.
    pub(crate) fn bytes(&self) -> Option<Range<u64>> {
        match self {
            Portion::Files(_) => None,
            Portion::Part { bytes, .. } => Some(bytes.clone()),
        }
    }
}

/// Numbers of bytes in which the start of a member is searched: few first, then more, since a member may be
/// large.
const WINDOWS: [u64; 2] = [1 << 20, 32 << 20];
/// Largest number of probable starts that are tried in a window.
const MAX_TRIED: usize = 16;

/// Returns the first offset after `from` at which a member with a readable record begins. `None` if there is no such member near.
pub(crate) fn part_start(source: &Source, form: Form, from: u64) -> Option<u64> {
    let mut stream = source.file_from(from)?;
    let mut bytes = Vec::new();
    for window in WINDOWS {
        let room = window.saturating_sub(bytes.len() as u64);
        (&mut stream).take(room).read_to_end(&mut bytes).ok()?;
        // Offset 0 may lie inside a record, whose bytes before it are not seen.
        let starts = probable_starts(&bytes).filter(|at| *at > 0).take(MAX_TRIED);
        let found = starts
            .map(|at| (at, from + at as u64))
            .find(|(at, offset)| begins_with_record(&bytes[*at..], Start::of(form, *offset)));
        if let Some((_, offset)) = found {
            return Some(offset);
        }
        // The file ended, so a larger window has nothing more.
        if (bytes.len() as u64) < window {
            return None;
        }
    }
    None
}

/// Returns `true` if the first event of a reader in these bytes is an undamaged record at their start.
fn begins_with_record(bytes: &[u8], start: Start) -> bool {
    const AT_ONCE: usize = 64 << 10;
    let offset = start.offset();
    let mut reader = Reader::new(start, Limits::default());
    let mut first = None;
    for some in bytes.chunks(AT_ONCE) {
        reader.push(some, &mut |event| {
            if first.is_none() {
                first = match event {
                    Event::Record(record) => Some(record.damage.is_empty() && record.place.member == offset),
                    Event::Damage(_) => Some(false),
                    _ => None,
                };
            }
        });
        if let Some(is_record) = first {
            return is_record;
        }
    }
    false
}
