//! Weights of the documents of an index: how many documents each represents.
//!
//! A segment has the weight of each document when it was added. Weights added later, for duplicates that were not added themselves, are in
//! one separate file, which every such change rewrites.
//!
//! The file has 16 bytes that identify the format, then 24 bytes for each document with added weight, sorted by place: index of its segment
//! in the manifest (4 bytes), its number there (4 bytes), and the amounts added to the two counts (8 bytes each). Numbers are
//! little-endian. Checksums follow, see [`blocks`](super::blocks).

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use dehusk_html::narrow;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::record::weight::Weight;
use crate::search::index::blocks::{BLOCK, BlockReader, BlockWriter, file_bytes, wrong};
use crate::search::index::segment::{Segment, damaged, word};

/// Place of a document in an index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Place {
    /// Index of its segment in the manifest.
    pub(super) segment: u32,
    pub(super) document: u32,
}

/// Weights added to documents.
pub(super) type Added = HashMap<Place, Weight>;

/// Minimum bytes of memory of an added weight: place, two counts, and a byte of the hash table, rounded up.
pub(super) const ADDED_BYTES: u64 = 28;

/// Figures of the file, as stored in the manifest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct WeightsFile {
    pub(super) file: String,
    pub(super) documents: u64,
    /// Size of the file in bytes.
    pub(super) bytes: u64,
    /// Checksum of the checksums of its blocks, in hexadecimal digits.
    pub(super) checksum: String,
}

/// First bytes of the file.
const MAGIC: &[u8; 16] = b"dehusk weights 1";
/// Bytes of a row.
const ROW: u64 = 24;

/// Name of the weights file with this number.
pub(super) fn weights_name(number: u64) -> String {
    format!("{number:06}.weights")
}

/// Writes the file of weights.
pub(super) fn write(out: &mut impl Write, file: String, added: &Added) -> io::Result<WeightsFile> {
    let mut rows: Vec<(Place, Weight)> = added.iter().map(|(place, weight)| (*place, *weight)).collect();
    rows.sort_unstable_by_key(|(place, _)| *place);
    let mut out = BlockWriter::new(out);
    out.write(MAGIC)?;
    for (place, weight) in &rows {
        out.write(&place.segment.to_le_bytes())?;
        out.write(&place.document.to_le_bytes())?;
        out.write(&weight.cluster_size.to_le_bytes())?;
        out.write(&weight.copies.to_le_bytes())?;
    }
    let (bytes, checksum) = out.finish()?;
    Ok(WeightsFile {
        file,
        documents: rows.len() as u64,
        bytes,
        checksum: format!("{checksum:016x}"),
    })
}

impl WeightsFile {
    /// Bytes of data of the file; `None` on overflow.
    fn data(&self) -> Option<u64> {
        self.documents.checked_mul(ROW)?.checked_add(MAGIC.len() as u64)
    }

    /// Whether the figures are consistent, in an index whose next file has the number `next`.
    pub(super) fn is_sound(&self, next: u64) -> bool {
        let number = self.file.strip_suffix(".weights").and_then(|n| n.parse().ok());
        let ours = number.is_some_and(|n| n < next && self.file == weights_name(n));
        ours && self.data().and_then(file_bytes) == Some(self.bytes)
    }

    /// Reads the file from the folder of the index. Every place is verified to be in one of the segments.
    pub(super) fn read(&self, folder: &Path, segments: &[Segment]) -> Result<Added, Error> {
        let path = folder.join(&self.file);
        let read = || -> io::Result<Added> {
            let data = self
                .data()
                .ok_or_else(|| wrong("the index has figures of it that cannot be right"))?;
            let checksum = u64::from_str_radix(&self.checksum, 16)
                .map_err(|_| wrong("the index has a checksum of it that cannot be right"))?;
            let mut blocks = BlockReader::new(File::open(&path)?, data, checksum)?;
            if blocks.bytes(0, MAGIC.len() as u64)? != MAGIC {
                return Err(wrong("it holds no weights of this version"));
            }
            // The file size has been verified against the number of rows, so that this allocation is bounded by the file.
            let mut added = Added::with_capacity(usize::try_from(self.documents).map_err(io::Error::other)?);
            let mut at = MAGIC.len() as u64;
            while at < data {
                // Whole rows that fit into a block, so memory stays bounded however many rows there are.
                let rows = (data - at).min(BLOCK as u64 / ROW * ROW);
                for row in blocks.bytes(at, rows)?.chunks_exact(narrow::to_usize(ROW)) {
                    let number = |from: usize, to: usize| word(&row[from..to]);
                    let half =
                        |at: usize| u32::from_le_bytes([row[at], row[at + 1], row[at + 2], row[at + 3]]);
                    let place = Place {
                        segment: half(0),
                        document: half(4),
                    };
                    let segment = segments.get(place.segment as usize);
                    if segment.is_none_or(|segment| u64::from(place.document) >= segment.documents) {
                        return Err(wrong("it names a document that the index does not have"));
                    }
                    let weight = Weight {
                        cluster_size: number(8, 16),
                        copies: number(16, 24),
                    };
                    if added.insert(place, weight).is_some() {
                        return Err(wrong("it names a document twice"));
                    }
                }
                at += rows;
            }
            Ok(added)
        };
        read().map_err(|error| damaged(&path, error))
    }
}
