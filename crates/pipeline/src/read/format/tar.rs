//! Tar archives of HTML files.

mod entries;
mod header;
mod kinds;

use std::sync::Arc;

use crate::read::ahead::Ahead;
use crate::read::chunk::Packed;
use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Found, Place, Source, WholeFile};
use crate::read::compression::{Members, Stored};
use crate::read::entry::EntryContent;
use crate::record::{Content, PageRecord};
use entries::Entries;
pub(super) use kinds::SKIPPED;

/// Tar archives (POSIX ustar and pax, GNU, and older), plain or in gzip or zstd.
///
/// Entries that are HTML by name or content are pages, and their paths are their IDs. Other entries are
/// skipped and counted. A damaged header loses its entry.
pub struct Tar;

/// Approximate number of page bytes in a batch.
const BATCH: usize = 1 << 20;

/// Largest number of entries in a batch.
const ENTRIES: usize = 1000;

impl Format for Tar {
    fn name(&self) -> &'static str {
        "tar"
    }

    fn summary(&self) -> &'static str {
        "tar archives of HTML files"
    }

    fn extensions(&self) -> &'static [&'static str] {
        kinds::EXTENSIONS
    }

    fn begins(&self, first: &[u8]) -> bool {
        header::begins(first)
    }

    fn is_archive(&self) -> bool {
        true
    }

    fn holds_many(&self) -> bool {
        true
    }

    fn open(&self, source: &Arc<Source>, bounds: &Bounds) -> Box<dyn Chunks> {
        let from = match source.stream() {
            Ok(from) => from,
            Err(error) => return Box::new(WholeFile::unreadable(source, &error)),
        };
        Box::new(Batches {
            source: Arc::clone(source),
            entries: Entries::new(
                Ahead::new(from, source.is_packed(), bounds.ahead),
                bounds.page_bytes,
            ),
            taken: 0,
        })
    }

    fn pages(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<PageRecord<'_>>)) {
        let Body::Entries { entries, .. } = &chunk.body else {
            return;
        };
        for entry in entries {
            let name = match &entry.content {
                EntryContent::Page { name, .. } => Some(name.as_str()),
                _ => None,
            };
            // In a compressed file, the offset is that of the member that holds the entry.
            let place = Place {
                plain: Some(entry.plain),
                entry: name,
                ..Place::at(entry.member.unwrap_or(entry.plain))
            };
            let found = match &entry.content {
                EntryContent::Page { name, bytes } => {
                    let mut page = PageRecord::new(Content::Bytes(bytes.as_slice().into()));
                    page.id = Some(named(&chunk.source, name).into());
                    Found::Record(page)
                }
                EntryContent::Skipped(why) => Found::Skipped(why),
                EntryContent::Rejected(rejection) => {
                    let mut rejection = rejection.clone();
                    rejection.id = rejection.id.map(|name| named(&chunk.source, &name));
                    Found::Rejected(rejection)
                }
            };
            visit(place, found);
        }
    }
}

/// Returns the ID of an entry: its path, prefixed with that of the archive if there are other inputs.
fn named(source: &Source, name: &str) -> String {
    if source.label.is_empty() {
        name.to_owned()
    } else {
        format!("{}/{name}", source.label)
    }
}

/// Cuts an archive into batches of entries.
struct Batches<R> {
    source: Arc<Source>,
    entries: Entries<R>,
    /// Number of compressed bytes covered by the batches so far.
    taken: u64,
}

impl<R: Stored + Send> Chunks for Batches<R> {
    fn next(&mut self) -> Option<Chunk> {
        let offset = self.entries.offset();
        let (mut batch, mut bytes) = (Vec::new(), 0);
        // The number of entries is limited too, because most of them might not be pages.
        while bytes < BATCH && batch.len() < ENTRIES {
            let Some(entry) = self.entries.next() else { break };
            if let EntryContent::Page { bytes: page, .. } = &entry.content {
                bytes += page.len();
            }
            batch.push(entry);
        }
        if batch.is_empty() {
            return None;
        }
        let packed = self.entries.taken().map(|taken| {
            let bytes = taken - std::mem::replace(&mut self.taken, taken);
            let members = Members::default(); // each entry stores its own member
            Packed { bytes, members }
        });
        let body = Body::Entries {
            entries: batch,
            bytes: self.entries.offset() - offset,
        };
        Some(Chunk {
            packed,
            ..Chunk::new(&self.source, offset, 1, body)
        })
    }
}

#[cfg(test)]
mod tests;
