//! The choice of keys by which documents ask, for keys in a file.

use crate::candidates::columns::KEY_BYTES;
use crate::candidates::join::asking::{Asked, Asking};
use crate::candidates::join::group::KEY_BITS;
use crate::candidates::join::key_file::{each_pair, each_piece, key_bytes, key_of};
use crate::candidates::join::spill::{Spill, SpillError, SpillFile, Writer};

/// Largest number of files that keys are distributed to. Their buffers take 2 MiB.
const MAX_PARTS: u64 = 32;

/// The keys of all documents whose hashes lie in one range.
pub(crate) struct Part {
    pub(crate) file: Box<dyn SpillFile>,
    /// Number of keys.
    pub(crate) keys: u64,
}

/// Number of bytes of an entry in a part: document number, key, and a byte that is 1 if the document asks by the key.
const ENTRY: usize = 4 + KEY_BYTES + 1;

/// Distributes the `keys` keys of a file to up to `parts` files. The keys of a document must be adjacent in the file.
/// `taking_part` is the number of keys of documents that take part. Reads the file twice: first to count document
/// frequencies, then to choose the keys.
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
    let mut parts = Parts::new(parts.clamp(1, MAX_PARTS), spill)?;
    let mut scratch = Vec::new();
    // `choose` takes a visitor that cannot fail, so the first error is kept and later keys are skipped.
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
        // The keys of a document are adjacent, so a new number ends the row before it. The first row may be
        // empty.
        if document != last {
            add(last, &mut row)?;
            last = document;
        }
        if takes_part(document) {
            row.push(key);
        }
        Ok(())
    })?;
    // No document follows the last one to end its row.
    add(last, &mut row)?;
    parts.finish()
}

/// Calls `visit` with each document and key of a part, and with true if the document asks by the key.
pub(crate) fn each_asked(
    part: &mut Part,
    mut visit: impl FnMut(u32, u64, bool) -> Result<(), SpillError>,
) -> Result<(), SpillError> {
    each_piece(&mut *part.file, part.keys, |entry: &[u8; ENTRY]| {
        let [a, b, c, d, key @ .., asks] = *entry;
        visit(u32::from_le_bytes([a, b, c, d]), key_of(key), asks == 1)
    })
}

/// The writers of parts, each with the number of its keys.
struct Parts(Vec<(Writer, u64)>);

impl Parts {
    fn new(parts: u64, spill: &dyn Spill) -> Result<Self, SpillError> {
        let writers = (0..parts).map(|_| Ok((Writer::new(spill.file()?), 0)));
        Ok(Self(writers.collect::<Result<_, SpillError>>()?))
    }

    fn add(&mut self, document: u32, key: u64, asks: bool) -> Result<(), SpillError> {
        // The part is computed from the upper 32 bits of the key, so that the product fits into 64 bits and
        // all equal keys have one part.
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
