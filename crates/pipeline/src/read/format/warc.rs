//! WARC: crawl archives, with pages as servers sent them (WARC files) or with their texts (WET files).

use std::ops::Range;
use std::sync::Arc;

use dehusk_archive::{Answer, Form};

use crate::read::captures;
use crate::read::chunk::{Bounds, Chunk, Chunks, Format, Found, Place, Source, StartAt};
use crate::read::parts;
use crate::record::{DocumentRecord, PageRecord};

/// WARC 0.17 to 1.1 (ISO 28500), plain, in gzip members or zstd frames.
///
/// Pages are responses with status 200 to 299 and resources, if they are HTML. Documents are conversions to
/// text. Other records are skipped and counted.
///
/// A damaged record affects no other record. A record whose bytes are known to be wrong is not used.
pub struct Warc;

impl Format for Warc {
    fn name(&self) -> &'static str {
        "warc"
    }

    fn summary(&self) -> &'static str {
        "WARC archives of crawls: responses and resources are pages; texts of WET files are documents"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["warc", "wet", "wat"]
    }

    fn begins(&self, first: &[u8]) -> bool {
        first.starts_with(b"WARC/")
    }

    fn is_archive(&self) -> bool {
        true
    }

    fn has_documents(&self) -> bool {
        true
    }

    fn open(&self, source: &Arc<Source>, bounds: &Bounds) -> Box<dyn Chunks> {
        captures::open(source, Form::Warc, bounds)
    }

    fn open_at(&self, source: &Arc<Source>, bounds: &Bounds, at: StartAt) -> Option<Box<dyn Chunks>> {
        captures::open_at(source, Form::Warc, bounds, at)
    }

    fn part_start(&self, source: &Source, from: u64) -> Option<u64> {
        parts::part_start(source, Form::Warc, from)
    }

    fn open_part(&self, source: &Arc<Source>, bounds: &Bounds, part: Range<u64>) -> Option<Box<dyn Chunks>> {
        captures::open_part(source, Form::Warc, bounds, part)
    }

    fn pages(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<PageRecord<'_>>)) {
        captures::pages(chunk, visit);
    }

    fn assets(&self, chunk: &Chunk, visit: &mut dyn FnMut(Answer<'_>)) {
        captures::assets(chunk, visit);
    }

    fn documents(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<DocumentRecord<'_>>)) {
        captures::documents(chunk, visit);
    }
}
