//! A segment of an index: a file of documents that were added together.
//!
//! Numbers are little-endian. The parts of the file are, in this order:
//!
//! - 16 bytes that identify the format;
//! - for each document the hash of its content (16 bytes) and of its text (8 bytes), in ascending order, which numbers the documents;
//! - for each document the ends of its id and of its features, and the sizes of its cluster and of its copies when it was added (8 bytes
//!   each);
//! - the ids;
//! - for every column of keys, key (6 bytes) and document (4 bytes) of all documents with keys, in ascending order;
//! - the features (words of 8 bytes);
//! - in an index with passages, for each document the ends of its host and of its words (8 bytes each),
//!   then the hosts (empty if unknown) and the words (8 bytes each);
//! - checksums, see [`blocks`](super::blocks).
//!
//! Contents and keys are sorted, so that they are found by binary search without reading all of them.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use dehusk_dedup::candidates::{KeyColumns, Layout};
use dehusk_html::narrow;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::record::weight::Weight;
use crate::search::index::blocks::{BlockReader, BlockWriter, file_bytes, wrong};

/// Figures of a segment, as stored in the manifest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Segment {
    /// File name.
    pub(super) file: String,
    pub(super) documents: u64,
    /// Number of keys in each column.
    pub(super) keyed: u64,
    pub(super) id_bytes: u64,
    pub(super) feature_words: u64,
    /// Sizes of the part for passages; `None` in an index without them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) passages: Option<PassagePart>,
    /// Size of the file in bytes, by which a truncated file is detected.
    pub(super) bytes: u64,
    /// Checksum of the checksums of its blocks, in hexadecimal digits.
    pub(super) checksum: String,
}

/// Sizes of the part of a segment by which passages are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct PassagePart {
    pub(super) host_bytes: u64,
    pub(super) words: u64,
}

/// The data of a document by which passages are found.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub(crate) struct PassageWords {
    /// Its host; empty if unknown.
    pub(crate) host: String,
    /// Hashes of its tokens, or of its lines, sentences or paragraphs.
    pub(crate) words: Vec<u64>,
}

/// A document as stored in a segment.
#[derive(Clone, Debug)]
pub(super) struct IndexedDocument {
    pub(super) id: String,
    pub(super) content: u128,
    /// Hash of its text. Exact duplicates have equal contents and equal texts.
    pub(super) exact: u64,
    /// Its keys; empty if the document is compared by content only.
    pub(super) keys: Vec<u64>,
    pub(super) features: Vec<u64>,
    /// Number of documents that it represented when it was added.
    pub(super) weight: Weight,
    /// In an index with passages, its words.
    pub(super) passages: Option<PassageWords>,
}

/// First bytes of a segment.
const MAGIC: &[u8; 16] = b"dehusk segment 3";
/// First bytes of a segment of an index with passages.
const MAGIC_PASSAGES: &[u8; 16] = b"dehusk segment 4";

/// Hash of the content and hash of the text. Both are equal only for exact duplicates.
pub(super) type TextHash = (u128, u64);

impl IndexedDocument {
    /// The hashes of its content and of its text.
    pub(super) fn text(&self) -> TextHash {
        (self.content, self.exact)
    }
}

/// Bytes of the hashes of a document.
const HASHES: u64 = 24;
/// Bytes of the ends of the id and of the features of a document, and of its weight.
const ENDS: u64 = 32;
/// Bytes of a key with its document.
const ENTRY: u64 = 10;
/// Bytes of the ends of the host and of the words of a document.
const PASSAGE_ENDS: u64 = 16;

/// Writes a segment. Sorts `entries` by content and text. With `has_passages`, a document without words is
/// written with an empty host and no words.
pub(super) fn write(
    out: &mut impl Write,
    file: &str,
    entries: &mut [IndexedDocument],
    columns: KeyColumns,
    has_passages: bool,
) -> io::Result<Segment> {
    entries.sort_unstable_by_key(IndexedDocument::text);
    let mut out = BlockWriter::new(out);
    out.write(if has_passages { MAGIC_PASSAGES } else { MAGIC })?;
    for entry in &*entries {
        out.write(&entry.content.to_le_bytes())?;
        out.write(&entry.exact.to_le_bytes())?;
    }
    // Ends are running totals, so each document takes one number and its start is the end of the previous
    // document.
    let (mut id_bytes, mut feature_words) = (0, 0);
    for entry in &*entries {
        id_bytes += entry.id.len() as u64;
        feature_words += entry.features.len() as u64;
        out.write(&id_bytes.to_le_bytes())?;
        out.write(&feature_words.to_le_bytes())?;
        out.write(&entry.weight.cluster_size.to_le_bytes())?;
        out.write(&entry.weight.copies.to_le_bytes())?;
    }
    for entry in &*entries {
        out.write(entry.id.as_bytes())?;
    }
    let mut keyed = 0;
    for column in 0..columns.columns {
        let mut keys: Vec<(u64, u32)> = (0..)
            .zip(&*entries)
            .flat_map(|(document, entry)| columns.keys(&entry.keys, column).map(move |key| (key, document)))
            .collect();
        keys.sort_unstable();
        keyed = keys.len() as u64; // equal in every column
        for (key, document) in keys {
            // Keys have at most 48 bits, so the two upper bytes are 0.
            out.write(&key.to_le_bytes()[..6])?;
            out.write(&document.to_le_bytes())?;
        }
    }
    for word in entries.iter().flat_map(|entry| &entry.features) {
        out.write(&word.to_le_bytes())?;
    }
    let passages = match has_passages {
        true => Some(write_passages(&mut out, entries)?),
        false => None,
    };
    let (bytes, checksum) = out.finish()?;
    Ok(Segment {
        file: file.to_owned(),
        documents: entries.len() as u64,
        keyed,
        id_bytes,
        feature_words,
        passages,
        bytes,
        checksum: format!("{checksum:016x}"),
    })
}

/// Writes the part for passages: ends of hosts and of words, then hosts, then words.
fn write_passages<W: Write>(
    out: &mut BlockWriter<'_, W>,
    entries: &[IndexedDocument],
) -> io::Result<PassagePart> {
    let all = || entries.iter().filter_map(|entry| entry.passages.as_ref());
    debug_assert!(
        all().count() == entries.len(),
        "an index with passages has the words of every document"
    );
    let mut part = PassagePart::default();
    for entry in entries {
        let (host, words) = entry
            .passages
            .as_ref()
            .map_or((0, 0), |one| (one.host.len(), one.words.len()));
        part.host_bytes += host as u64;
        part.words += words as u64;
        out.write(&part.host_bytes.to_le_bytes())?;
        out.write(&part.words.to_le_bytes())?;
    }
    all().try_for_each(|one| out.write(one.host.as_bytes()))?;
    let mut words = all().flat_map(|one| &one.words);
    words.try_for_each(|word| out.write(&word.to_le_bytes()))?;
    Ok(part)
}

impl Segment {
    /// Byte offset of the ends and weights of documents.
    fn ends_offset(&self) -> u64 {
        MAGIC.len() as u64 + self.documents * HASHES
    }

    /// Byte offset of the ids.
    fn ids_offset(&self) -> u64 {
        self.ends_offset() + self.documents * ENDS
    }

    /// Byte offset of a column of keys. The offset after the last column is that of the features.
    fn column_offset(&self, column: u32) -> u64 {
        self.ids_offset() + self.id_bytes + u64::from(column) * self.keyed * ENTRY
    }

    /// The first bytes of the file.
    fn magic(&self) -> &'static [u8; 16] {
        if self.passages.is_some() {
            MAGIC_PASSAGES
        } else {
            MAGIC
        }
    }

    /// Byte offset of the part for passages, in an index of `columns` columns of keys.
    fn passages_offset(&self, columns: u32) -> u64 {
        self.column_offset(columns) + self.feature_words * 8
    }

    /// Bytes of data according to the manifest; `None` if its figures are impossible.
    fn data(&self, columns: u32) -> Option<u64> {
        let documents = u64::from(u32::try_from(self.documents).ok()?); // they are numbered with 32 bits
        let keys = self.keyed.checked_mul(ENTRY)?.checked_mul(columns.into())?;
        // The first sum cannot overflow: fewer than 2^32 documents of 56 bytes. Other figures come from the
        // manifest unchecked.
        (MAGIC.len() as u64 + documents * (HASHES + ENDS))
            .checked_add(self.id_bytes)?
            .checked_add(keys)?
            .checked_add(self.feature_words.checked_mul(8)?)?
            .checked_add(match &self.passages {
                Some(part) => (documents * PASSAGE_ENDS)
                    .checked_add(part.host_bytes)?
                    .checked_add(part.words.checked_mul(8)?)?,
                None => 0,
            })
    }

    /// Size of the file according to the manifest; `None` if its figures are impossible.
    pub(super) fn expected_bytes(&self, columns: u32) -> Option<u64> {
        file_bytes(self.data(columns)?)
    }
}

/// An open segment.
pub(super) struct SegmentReader {
    path: PathBuf,
    blocks: BlockReader,
    segment: Segment,
    columns: u32,
    /// Numbers of its removed documents, in ascending order.
    removed: Vec<u32>,
}

/// Error for a file that does not match the manifest.
pub(super) fn damaged(path: &Path, error: io::Error) -> Error {
    Error::input(path, error).with_help(
        "the file was damaged, changed or taken from elsewhere: put back a copy of the whole index, or make the index again from \
         its documents with `index add`",
    )
}

impl SegmentReader {
    /// A reader of a segment. Its size and checksums must be those of the manifest.
    pub(super) fn new(
        path: PathBuf,
        segment: &Segment,
        columns: u32,
        removed: Vec<u32>,
    ) -> Result<Self, Error> {
        let open = || -> io::Result<BlockReader> {
            let data = segment
                .data(columns)
                .filter(|_| segment.expected_bytes(columns) == Some(segment.bytes))
                .ok_or_else(|| wrong("the index has figures of it that cannot be right"))?;
            let checksum = u64::from_str_radix(&segment.checksum, 16)
                .map_err(|_| wrong("the index has a checksum of it that cannot be right"))?;
            let mut blocks = BlockReader::new(File::open(&path)?, data, checksum)?;
            // The size and the checksum match, so these bytes differ only for a file of another format.
            if blocks.bytes(0, MAGIC.len() as u64)? != segment.magic() {
                return Err(wrong("it is no segment of this version"));
            }
            blocks.forget();
            Ok(blocks)
        };
        match open() {
            Ok(blocks) => Ok(Self {
                path,
                blocks,
                segment: segment.clone(),
                columns,
                removed,
            }),
            Err(error) => Err(damaged(&path, error)),
        }
    }

    /// Adds the path and a remedy to an error of reading.
    fn told<T>(&self, read: io::Result<T>) -> Result<T, Error> {
        read.map_err(|error| damaged(&self.path, error))
    }

    /// Whether a document has not been removed.
    pub(super) fn is_live(&self, document: u32) -> bool {
        self.removed.binary_search(&document).is_err()
    }

    /// Frees cached blocks until the segment is read again.
    pub(super) fn forget(&mut self) {
        self.blocks.forget();
    }

    #[cfg(test)]
    pub(super) fn blocks_read(&self) -> u64 {
        self.blocks.blocks_read
    }

    /// The hashes of the document with this number.
    fn text_at(&mut self, document: u64) -> io::Result<TextHash> {
        let mut bytes = [0; narrow::to_usize(HASHES)];
        let at = MAGIC.len() as u64 + document * HASHES;
        self.blocks.read(at, &mut bytes)?;
        let (content, exact) = bytes.split_at(size_of::<u128>());
        let content = u128::from(word(&content[..8])) | u128::from(word(&content[8..])) << 64;
        Ok((content, word(exact)))
    }

    /// The hashes of a document.
    pub(super) fn text(&mut self, document: u32) -> Result<TextHash, Error> {
        let read = self.text_at(document.into());
        self.told(read)
    }

    /// Number of documents, removed ones included.
    fn documents(&self) -> u32 {
        numbered(self.segment.documents)
    }

    /// Visits the number and the hashes of every live document.
    pub(super) fn texts(&mut self, mut visit: impl FnMut(u32, TextHash)) -> Result<(), Error> {
        for document in 0..self.documents() {
            let text = self.text(document)?;
            if self.is_live(document) {
                visit(document, text);
            }
        }
        Ok(())
    }

    /// Visits the live documents with one of these contents. `contents` must be in ascending order.
    pub(super) fn find_contents(
        &mut self,
        contents: impl IntoIterator<Item = u128>,
        mut visit: impl FnMut(u32, TextHash),
    ) -> Result<(), Error> {
        // Both sides ascend, so each search starts at the end of the previous one.
        let mut at = 0;
        for content in contents {
            let below = |reader: &mut Self, place| Ok(reader.text_at(place)?.0 < content);
            let found = self.first_not_below(at, self.segment.documents, below);
            at = self.told(found)?;
            // Several texts may have the same content.
            while at < self.segment.documents {
                let document = numbered(at);
                let text = self.text(document)?;
                if text.0 != content {
                    break;
                }
                if self.is_live(document) {
                    visit(document, text);
                }
                at += 1;
            }
        }
        Ok(())
    }

    /// Key and document at `place` of a column.
    fn entry(&mut self, column: u32, place: u64) -> io::Result<(u64, u32)> {
        let mut bytes = [0; narrow::to_usize(ENTRY)];
        let at = self.segment.column_offset(column) + place * ENTRY;
        self.blocks.read(at, &mut bytes)?;
        let [a, b, c, d, e, f, document @ ..] = bytes;
        let document = u32::from_le_bytes(document);
        // Callers index with the number, so it is checked although its block has a valid checksum.
        if u64::from(document) >= self.segment.documents {
            return Err(wrong("it names a document that it does not have"));
        }
        Ok((u64::from_le_bytes([a, b, c, d, e, f, 0, 0]), document))
    }

    /// Visits the live documents that have one of these keys in a column, with the index of the key.
    ///
    /// `keys` must be in ascending order. The documents of one key are visited in the order of their contents, at most `most` of them.
    pub(super) fn find_keys(
        &mut self,
        column: u32,
        keys: impl IntoIterator<Item = u64>,
        most: usize,
        mut visit: impl FnMut(u32, u32),
    ) -> Result<(), Error> {
        let mut at = 0;
        for (place, key) in (0..).zip(keys) {
            let below = |reader: &mut Self, entry| Ok(reader.entry(column, entry)?.0 < key);
            let found = self.first_not_below(at, self.segment.keyed, below);
            at = self.told(found)?;
            let (mut entry, mut live) = (at, 0);
            // Removed documents do not count for `most`: an answer must not depend on the history of the
            // index.
            while live < most && entry < self.segment.keyed {
                let read = self.entry(column, entry);
                let (found, document) = self.told(read)?;
                if found != key {
                    break;
                }
                if self.is_live(document) {
                    visit(place, document);
                    live += 1;
                }
                entry += 1;
            }
        }
        Ok(())
    }

    /// The first place in `from..end` whose entry is not `below` the target, or `end`.
    ///
    /// The search starts with steps that double in length: nearby targets take few steps, and neighbors share a block.
    fn first_not_below(
        &mut self,
        from: u64,
        end: u64,
        mut below: impl FnMut(&mut Self, u64) -> io::Result<bool>,
    ) -> io::Result<u64> {
        let (mut low, mut step) = (from, 1);
        // Gallop: entries before `low` are below the target, and the entry at `high` is not.
        let mut high = loop {
            let next = low.saturating_add(step - 1);
            if next >= end {
                break end;
            }
            if !below(self, next)? {
                break next;
            }
            low = next + 1;
            step *= 2;
        };
        // Binary search between the last two steps.
        while low < high {
            let middle = low.midpoint(high);
            if below(self, middle)? {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    /// Ranges of the bytes of the id, and of the words of the features, of a document.
    fn ranges(&mut self, document: u32) -> io::Result<[(u64, u64); 2]> {
        let mut bytes = [[0_u8; narrow::to_usize(ENDS)]; 2];
        let at = self.segment.ends_offset() + u64::from(document) * ENDS;
        if document > 0 {
            self.blocks.read(at - ENDS, &mut bytes[0])?;
        }
        self.blocks.read(at, &mut bytes[1])?;
        let [start, end] = bytes.map(|bytes| [word(&bytes[..8]), word(&bytes[8..16])]);
        let right = (0..2).all(|part| start[part] <= end[part])
            && end[0] <= self.segment.id_bytes
            && end[1] <= self.segment.feature_words;
        if !right {
            return Err(wrong("the places of a document in it cannot be right"));
        }
        Ok([(start[0], end[0]), (start[1], end[1])])
    }

    /// The id of a document.
    pub(super) fn id(&mut self, document: u32) -> Result<String, Error> {
        let mut read = || -> io::Result<String> {
            let [(start, end), _] = self.ranges(document)?;
            let bytes = self
                .blocks
                .bytes(self.segment.ids_offset() + start, end - start)?;
            String::from_utf8(bytes).map_err(|_| wrong("an id in it is no UTF-8"))
        };
        let read = read();
        self.told(read)
    }

    /// The weight of a document when it was added.
    pub(super) fn weight(&mut self, document: u32) -> Result<Weight, Error> {
        let mut bytes = [0; narrow::to_usize(ENDS)];
        let at = self.segment.ends_offset() + u64::from(document) * ENDS;
        let read = self.blocks.read(at, &mut bytes);
        self.told(read)?;
        Ok(Weight {
            cluster_size: word(&bytes[16..24]),
            copies: word(&bytes[24..]),
        })
    }

    /// The number of words in the features of a document.
    pub(super) fn feature_words(&mut self, document: u32) -> Result<usize, Error> {
        let read = self.ranges(document);
        let [_, (start, end)] = self.told(read)?;
        Ok(usize::try_from(end - start).unwrap_or(usize::MAX))
    }

    /// The features of a document, in the order of writing.
    pub(super) fn features(&mut self, document: u32) -> Result<Vec<u64>, Error> {
        let mut read = || -> io::Result<Vec<u64>> {
            let [_, (start, end)] = self.ranges(document)?;
            let at = self.segment.column_offset(self.columns) + start * 8;
            let bytes = self.blocks.bytes(at, (end - start) * 8)?;
            Ok(bytes.chunks_exact(8).map(word).collect())
        };
        let read = read();
        self.told(read)
    }

    /// The words and the host of a document; `None` in an index without passages.
    pub(super) fn passages(&mut self, document: u32) -> Result<Option<PassageWords>, Error> {
        let Some(part) = self.segment.passages else {
            return Ok(None);
        };
        let ends_at = self.segment.passages_offset(self.columns);
        let hosts_at = ends_at + self.segment.documents * PASSAGE_ENDS;
        let mut read = || -> io::Result<PassageWords> {
            let mut bytes = [[0_u8; narrow::to_usize(PASSAGE_ENDS)]; 2];
            let at = ends_at + u64::from(document) * PASSAGE_ENDS;
            if document > 0 {
                self.blocks.read(at - PASSAGE_ENDS, &mut bytes[0])?;
            }
            self.blocks.read(at, &mut bytes[1])?;
            let [start, end] = bytes.map(|bytes| [word(&bytes[..8]), word(&bytes[8..])]);
            let ascend = (0..2).all(|part| start[part] <= end[part]);
            if !ascend || end[0] > part.host_bytes || end[1] > part.words {
                return Err(wrong("the places of a document in it cannot be right"));
            }
            let host = self.blocks.bytes(hosts_at + start[0], end[0] - start[0])?;
            let at = hosts_at + part.host_bytes + start[1] * 8;
            let words = self.blocks.bytes(at, (end[1] - start[1]) * 8)?;
            Ok(PassageWords {
                host: String::from_utf8(host).map_err(|_| wrong("a host in it is no UTF-8"))?,
                words: words.chunks_exact(8).map(word).collect(),
            })
        };
        let read = read();
        self.told(read).map(Some)
    }

    /// The first live document from a number on, with its hashes.
    pub(super) fn next_live(&mut self, from: u32) -> Result<Option<(TextHash, u32)>, Error> {
        let next = (from..self.documents()).find(|document| self.is_live(*document));
        next.map(|document| Ok((self.text(document)?, document)))
            .transpose()
    }

    /// Visits the number and the id of every live document.
    pub(super) fn ids(&mut self, mut visit: impl FnMut(u32, String)) -> Result<(), Error> {
        for document in 0..self.documents() {
            if self.is_live(document) {
                visit(document, self.id(document)?);
            }
        }
        Ok(())
    }

    /// All live documents, to be written again. `later` returns the weight that was added to a document later.
    pub(super) fn entries(
        &mut self,
        layout: Layout,
        later: impl Fn(u32) -> Option<Weight>,
    ) -> Result<Vec<IndexedDocument>, Error> {
        // Keys are stored by column, so all are read first and gathered by document. Each column is visited
        // in order, so the keys of a document end up in the order of columns.
        let mut keys: Vec<Vec<u64>> = vec![Vec::new(); narrow::to_usize(self.segment.documents)];
        for column in 0..self.columns {
            for place in 0..self.segment.keyed {
                let read = self.entry(column, place);
                let (key, document) = self.told(read)?;
                keys[document as usize].push(key);
            }
        }
        let mut entries = Vec::new();
        for (document, keys) in (0..).zip(keys) {
            // Removed documents have keys in the columns until the segment is written again.
            if !self.is_live(document) {
                continue;
            }
            let mut row = Vec::new();
            KeyColumns::pack(layout, keys, &mut row);
            let (content, exact) = self.text(document)?;
            let mut weight = self.weight(document)?;
            weight.add(later(document).unwrap_or(Weight::NONE));
            entries.push(IndexedDocument {
                id: self.id(document)?,
                content,
                exact,
                keys: row,
                features: self.features(document)?,
                weight,
                passages: self.passages(document)?,
            });
        }
        self.forget();
        Ok(entries)
    }
}

/// Number of the document at a place of the segment.
#[expect(
    clippy::cast_possible_truncation,
    reason = "documents are numbered with 32 bits, and a segment that claims more is not opened"
)]
fn numbered(place: u64) -> u32 {
    debug_assert!(
        u32::try_from(place).is_ok(),
        "a segment has fewer than 2^32 documents"
    );
    place as u32
}
/// The little-endian number in at most 8 bytes.
pub(super) fn word(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |word, byte| word << 8 | u64::from(*byte))
}
