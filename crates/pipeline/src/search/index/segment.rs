//! One file of an index: documents that were added together.
//!
//! Numbers are little-endian. The parts, one after the other: the content hash of each document (16 bytes); where its id and its
//! features end (8 bytes each); the ids; for every column of keys, key and document (4 bytes each, the document first) of
//! all that have keys, ascending by key; the features (words of 8 bytes).

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use dehusk_dedup::candidates::{KeyColumns, Layout};
use serde::{Deserialize, Serialize};

/// Figures of a segment, as the manifest has them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Segment {
    /// Name of the file.
    pub(super) file: String,
    pub(super) documents: u64,
    /// Keys in each column.
    pub(super) keyed: u64,
    pub(super) id_bytes: u64,
    pub(super) feature_words: u64,
    /// Size of the file, which tells one that was cut off.
    pub(super) bytes: u64,
}

/// A document as a segment stores it.
#[derive(Clone, Debug)]
pub(super) struct IndexedDocument {
    pub(super) id: String,
    pub(super) content: u128,
    /// Hashes in columns; empty where the document is compared by content only.
    pub(super) keys: Vec<u64>,
    pub(super) features: Vec<u64>,
}

const BUFFER: usize = 1 << 18;

/// Writes a segment. Whoever finishes the file fills in its size.
pub(super) fn write(
    out: &mut impl Write,
    file: &str,
    entries: &[IndexedDocument],
    columns: KeyColumns,
) -> io::Result<Segment> {
    for entry in entries {
        out.write_all(&entry.content.to_le_bytes())?;
    }
    let (mut id_bytes, mut feature_words) = (0, 0);
    for entry in entries {
        id_bytes += entry.id.len() as u64;
        feature_words += entry.features.len() as u64;
        out.write_all(&id_bytes.to_le_bytes())?;
        out.write_all(&feature_words.to_le_bytes())?;
    }
    for entry in entries {
        out.write_all(entry.id.as_bytes())?;
    }
    let mut keyed = 0;
    for column in 0..columns.columns {
        let mut words: Vec<u64> = (0_u64..)
            .zip(entries)
            .flat_map(|(number, entry)| {
                let keys = columns.keys(&entry.keys, column);
                keys.map(move |key| u64::from(key) << 32 | number)
            })
            .collect();
        words.sort_unstable();
        keyed = words.len() as u64; // the same in every column
        for word in words {
            out.write_all(&word.to_le_bytes())?;
        }
    }
    for word in entries.iter().flat_map(|entry| &entry.features) {
        out.write_all(&word.to_le_bytes())?;
    }
    Ok(Segment {
        file: file.to_owned(),
        documents: entries.len() as u64,
        keyed,
        id_bytes,
        feature_words,
        bytes: 0,
    })
}

impl Segment {
    fn ends_offset(&self) -> u64 {
        self.documents * 16
    }

    fn ids_offset(&self) -> u64 {
        self.ends_offset() + self.documents * 16
    }

    fn column_offset(&self, column: u32) -> u64 {
        self.ids_offset() + self.id_bytes + u64::from(column) * self.keyed * 8
    }

    /// Size of the file by the figures of the manifest; none if they cannot be right.
    pub(super) fn expected_bytes(&self, columns: u32) -> Option<u64> {
        let documents = self.documents.checked_mul(32)?;
        let keys = self.keyed.checked_mul(8)?.checked_mul(columns.into())?;
        let features = self.feature_words.checked_mul(8)?;
        documents
            .checked_add(self.id_bytes)?
            .checked_add(keys)?
            .checked_add(features)
    }
}

/// A segment that is being read.
pub(super) struct SegmentReader {
    file: File,
    pub(super) segment: Segment,
    columns: u32,
    /// Where ids and features end, by document.
    ends: Vec<(u64, u64)>,
}

impl SegmentReader {
    pub(super) fn new(path: &Path, segment: &Segment, columns: u32) -> io::Result<Self> {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len();
        if bytes != segment.bytes || segment.expected_bytes(columns) != Some(bytes) {
            return Err(damaged());
        }
        let mut reader = Self {
            file,
            segment: segment.clone(),
            columns,
            ends: Vec::new(),
        };
        let mut previous = (0, 0);
        let mut ends = Vec::with_capacity(segment.documents as usize);
        reader.each::<16>(segment.ends_offset(), segment.documents, |_, both| {
            let (id, features) = both.split_at(8);
            let end = (word(id), word(features));
            let ascends = end.0 >= previous.0 && end.1 >= previous.1;
            previous = end;
            ends.push(end);
            if ascends { Ok(()) } else { Err(damaged()) }
        })?;
        if previous != (segment.id_bytes, segment.feature_words) {
            return Err(damaged());
        }
        reader.ends = ends;
        Ok(reader)
    }

    /// Visits `count` pieces of `N` bytes each from `at` on, with their numbers.
    fn each<const N: usize>(
        &mut self,
        at: u64,
        count: u64,
        mut visit: impl FnMut(u32, &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(at))?;
        let mut reader = BufReader::with_capacity(BUFFER, &self.file);
        let mut piece = [0; N];
        for number in 0..count {
            reader.read_exact(&mut piece)?;
            visit(number as u32, &piece)?; // documents are numbered with 32 bits
        }
        Ok(())
    }

    /// Visits the content hash of every document.
    pub(super) fn contents(&mut self, mut visit: impl FnMut(u32, u128)) -> io::Result<()> {
        self.each::<16>(0, self.segment.documents, |document, bytes| {
            let (low, high) = bytes.split_at(8);
            visit(document, u128::from(word(low)) | u128::from(word(high)) << 64);
            Ok(())
        })
    }

    /// Visits the keys of a column, ascending, with their documents.
    pub(super) fn column(&mut self, column: u32, mut visit: impl FnMut(u32, u32)) -> io::Result<()> {
        let (at, keyed, documents) = (
            self.segment.column_offset(column),
            self.segment.keyed,
            self.segment.documents,
        );
        self.each::<8>(at, keyed, |_, bytes| {
            let word = word(bytes);
            if u64::from(word as u32) >= documents {
                return Err(damaged());
            }
            visit((word >> 32) as u32, word as u32);
            Ok(())
        })
    }

    fn bytes(&mut self, at: u64, length: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        self.file.seek(SeekFrom::Start(at))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn id(&mut self, document: u32) -> io::Result<String> {
        let (start, end) = self.range(document, |end| end.0);
        let bytes = self.bytes(self.segment.ids_offset() + start, end - start)?;
        String::from_utf8(bytes).map_err(|_| damaged())
    }

    /// All ids.
    pub(super) fn ids(&mut self) -> io::Result<Vec<String>> {
        let bytes = self.bytes(self.segment.ids_offset(), self.segment.id_bytes)?;
        let text = String::from_utf8(bytes).map_err(|_| damaged())?;
        let mut start = 0;
        let cut = self.ends.iter().map(|end| {
            let id = text.get(start..end.0 as usize).ok_or_else(damaged)?;
            start = end.0 as usize;
            Ok(id.to_owned())
        });
        cut.collect()
    }

    pub(super) fn features(&mut self, document: u32) -> io::Result<Vec<u64>> {
        let (start, end) = self.range(document, |end| end.1);
        let at = self.segment.column_offset(self.columns) + start * 8;
        let bytes = self.bytes(at, (end - start) * 8)?;
        Ok(bytes.chunks_exact(8).map(word).collect())
    }

    /// Where the data of a document begins and ends: at the end of the document before it, and at its own.
    fn range(&self, document: u32, of: impl Fn(&(u64, u64)) -> u64) -> (u64, u64) {
        let place = document as usize;
        let start = place
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .map_or(0, &of);
        (start, self.ends.get(place).map_or(start, &of))
    }

    /// All documents, to be written again.
    pub(super) fn entries(&mut self, layout: Layout) -> io::Result<Vec<IndexedDocument>> {
        let mut entries: Vec<IndexedDocument> = self
            .ids()?
            .into_iter()
            .map(|id| IndexedDocument {
                id,
                content: 0,
                keys: Vec::new(),
                features: Vec::new(),
            })
            .collect();
        self.contents(|document, content| entries[document as usize].content = content)?;
        for column in 0..self.columns {
            self.column(column, |key, document| {
                let keys = &mut entries[document as usize].keys;
                if layout == Layout::Any {
                    keys.push(u64::from(key) << 32);
                    return;
                }
                keys.resize(words_of(column + 1), 0);
                keys[column as usize / 2] |= u64::from(key) << if column.is_multiple_of(2) { 32 } else { 0 };
            })?;
        }
        for (number, entry) in (0..).zip(&mut entries) {
            entry.features = self.features(number)?;
        }
        Ok(entries)
    }
}

/// Words that so many keys take.
fn words_of(columns: u32) -> usize {
    columns.div_ceil(2) as usize
}

fn word(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |word, byte| word << 8 | u64::from(*byte))
}

pub(super) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the file is not as the index says")
}
