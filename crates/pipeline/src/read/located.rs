//! Records of a crawl archive whose places are known, read from ranges of its bytes.

use dehusk_archive::{Form, Limits, Reader, Start};

use crate::read::capture_rules::Captures;
use crate::read::piece::{Held, Holding};
use crate::record::{Reason, Rejection};

/// Some records of an archive, with the bytes that hold them.
pub struct Located {
    /// Bytes of the archive from `start` on, or why they could not be read.
    bytes: Result<Vec<u8>, Rejection>,
    start: u64,
    /// Offsets and lengths of the records, in order.
    places: Vec<(u64, u32)>,
    form: Form,
    captures: Captures,
    limits: Limits,
}

impl Located {
    pub(crate) fn new(
        bytes: Result<Vec<u8>, Rejection>,
        start: u64,
        places: Vec<(u64, u32)>,
        (form, captures): (Form, Captures),
        limits: Limits,
    ) -> Self {
        Located {
            bytes,
            start,
            places,
            form,
            captures,
            limits,
        }
    }

    /// Returns how captures are read.
    pub(crate) fn captures(&self) -> Captures {
        self.captures
    }

    /// Returns the number of bytes that were read.
    pub(crate) fn len(&self) -> u64 {
        self.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)
    }

    /// Visits the record at each place, or the reason why it cannot be read.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(u64, Result<Held, Rejection>)) {
        let bytes = match &self.bytes {
            Ok(bytes) => bytes,
            Err(rejection) => {
                return self
                    .places
                    .iter()
                    .for_each(|(offset, _)| visit(*offset, Err(rejection.clone())));
            }
        };
        for (offset, length) in &self.places {
            // The archive may end within the range; then fewer bytes are here, or none.
            let from = usize::try_from(offset - self.start)
                .unwrap_or(usize::MAX)
                .min(bytes.len());
            let until = from.saturating_add(*length as usize).min(bytes.len());
            visit(*offset, self.read(*offset, &bytes[from..until]));
        }
    }

    /// Reads the first record of some bytes. Others follow if the length is too large.
    fn read(&self, offset: u64, bytes: &[u8]) -> Result<Held, Rejection> {
        if bytes.is_empty() {
            let message = "the archive ends before the place that the index gives";
            return Err(Rejection::new(Reason::Truncated, message));
        }
        let mut reader = Reader::new(Start::of(self.form, offset), self.limits);
        let mut holding = Holding::default();
        reader.push(bytes, &mut |event| holding.add(event));
        reader.finish(&mut |event| holding.add(event));
        // Bytes before the first record are damage: the place is not the beginning of a record.
        let mut damage = None;
        for held in holding.found {
            match held {
                Held::Record(record) if record.place.member == offset => return Ok(Held::Record(record)),
                // A record at another offset is not the one that the index lists.
                Held::Record(_) => break,
                Held::Damage(found) => damage = damage.or(Some(found)),
            }
        }
        match damage {
            Some(damage) => Ok(Held::Damage(damage)),
            None => {
                let message = "no record begins at the place that the index gives";
                Err(Rejection::new(Reason::BadArchive, message))
            }
        }
    }
}
