//! ARC: the crawl archives before WARC.

use std::sync::Arc;

use dehusk_archive::{Answer, Form};

use crate::read::captures;
use crate::read::chunk::{Bounds, Chunk, Chunks, Format, Found, Place, Source, StartAt};
use crate::record::PageRecord;

/// ARC 1.0, 1.1 and 2.0, plain, in gzip members or zstd frames, as the Internet Archive, Heritrix, Nutch
/// and Common Crawl wrote them until 2012.
///
/// Pages are captures with status 200 to 299 that are HTML. Other records are skipped and counted.
pub struct ArcArchive;

impl Format for ArcArchive {
    fn name(&self) -> &'static str {
        "arc"
    }

    fn summary(&self) -> &'static str {
        "ARC archives of crawls, as they were before WARC: captures of HTML are pages"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["arc"]
    }

    fn begins(&self, first: &[u8]) -> bool {
        first.starts_with(b"filedesc:")
    }

    fn is_archive(&self) -> bool {
        true
    }

    fn holds_many(&self) -> bool {
        true
    }

    fn open(&self, source: &Arc<Source>, bounds: &Bounds) -> Box<dyn Chunks> {
        captures::open(source, Form::Arc, bounds)
    }

    fn open_at(&self, source: &Arc<Source>, bounds: &Bounds, at: StartAt) -> Option<Box<dyn Chunks>> {
        captures::open_at(source, Form::Arc, bounds, at)
    }

    fn pages(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<PageRecord<'_>>)) {
        captures::pages(chunk, visit);
    }

    fn assets(&self, chunk: &Chunk, visit: &mut dyn FnMut(Answer<'_>)) {
        captures::assets(chunk, visit);
    }
}
