//! The keys by which documents ask, chosen from keys that lie in a file.

use crate::candidates::columns::KEY_BYTES;
use crate::candidates::join::asking::{Asked, Asking};
use crate::candidates::join::group::KEY_BITS;
use crate::candidates::join::key_file::{each_pair, each_piece, key_bytes, key_of};
use crate::candidates::join::spill::{Spill, SpillError, SpillFile, Writer};

/// Most files that keys are parted into: their buffers take 2 MiB.
const MOST_PARTS: u64 = 32;

/// Some of the keys: those with neighboring hashes, of all documents.
pub(crate) struct Part {
    pub(crate) file: Box<dyn SpillFile>,
    /// Number of keys.
    pub(crate) keys: u64,
}

/// Bytes of a key in a part: document, key, and whether the document asks by it.
const ENTRY: usize = 4 + KEY_BYTES + 1;

/// Parts the `keys` keys of a file, in which those of a document stand side by side, into up to so many files. Of those of documents that
/// take part, `taking_part` is the number. Reads the file twice: to count how rare keys are, and to choose by it.
pub(crate) fn part(
    file: &mut dyn SpillFile,
    (keys, taking_part): (u64, u64),
    takes_part: impl Fn(u32) -> bool,
    asked: &Asked<'_>,
    spill: &dyn Spill,
    parts: u64,
) -> Result<Vec<Part>, SpillError> {
    let mut asking = Asking::new(asked, taking_part);
    each_pair(file, keys, |document, key| {
        if takes_part(document) {
            asking.add(key);
        }
        Ok(())
    })?;
    let mut parts = Parts::new(parts.clamp(1, MOST_PARTS), spill)?;
    let mut scratch = Vec::new();
    let mut add = |document: u32, row: &mut Vec<u64>| {
        let mut added = Ok(());
        asking.choose(row.drain(..), &mut scratch, |key, asks| {
            if added.is_ok() {
                added = parts.add(document, key, asks);
            }
        });
        added
    };
    let (mut last, mut row) = (0, Vec::new());
    each_pair(file, keys, |document, key| {
        if document != last {
            add(last, &mut row)?;
            last = document;
        }
        if takes_part(document) {
            row.push(key);
        }
        Ok(())
    })?;
    add(last, &mut row)?;
    parts.finish()
}

/// Calls `visit` with every document and key of a part, and with whether the document asks by it.
pub(crate) fn each_asked(
    part: &mut Part,
    mut visit: impl FnMut(u32, u64, bool) -> Result<(), SpillError>,
) -> Result<(), SpillError> {
    each_piece(&mut *part.file, part.keys, |entry: &[u8; ENTRY]| {
        let [a, b, c, d, key @ .., asks] = *entry;
        visit(u32::from_le_bytes([a, b, c, d]), key_of(key), asks == 1)
    })
}

/// Parts that are being written.
struct Parts(Vec<(Writer, u64)>);

impl Parts {
    fn new(parts: u64, spill: &dyn Spill) -> Result<Self, SpillError> {
        let writers = (0..parts).map(|_| Ok((Writer::new(spill.file()?), 0)));
        Ok(Self(writers.collect::<Result<_, SpillError>>()?))
    }

    fn add(&mut self, document: u32, key: u64, asks: bool) -> Result<(), SpillError> {
        // The upper half of a key decides, so that the product fits.
        let part = ((key >> (KEY_BITS - u32::BITS)) * self.0.len() as u64) >> u32::BITS;
        let (writer, keys) = &mut self.0[part as usize];
        writer.write(&document.to_le_bytes())?;
        writer.write(&key_bytes(key))?;
        writer.write(&[u8::from(asks)])?;
        *keys += 1;
        Ok(())
    }

    fn finish(self) -> Result<Vec<Part>, SpillError> {
        let part = |(writer, keys): (Writer, u64)| {
            Ok(Part {
                file: writer.finish()?,
                keys,
            })
        };
        self.0.into_iter().map(part).collect()
    }
}
