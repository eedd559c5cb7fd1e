//! MHTML: a page saved by a browser with its resources.

use std::sync::Arc;

use dehusk_archive::{Answer, mhtml};

use crate::error::plain;
use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Found, Place, Source, WholeFile, read_up_to};
use crate::read::compression::Unpacked;
use crate::record::{Content, Extra, PageRecord, Reason, Rejection};

/// MHTML (RFC 2557): one page per file. It is the part that the message names as its start, else the first
/// HTML part. Frames and images are not pages.
pub struct Mhtml;

/// Maximum number of bytes of a file per byte of the largest page. The file also holds images, and encodings lengthen
/// the page.
const SHARE: usize = 4;

impl Format for Mhtml {
    fn name(&self) -> &'static str {
        "mhtml"
    }

    fn summary(&self) -> &'static str {
        "MHTML files, each a page that a browser saved with all that it shows"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["mhtml", "mht"]
    }

    fn begins(&self, first: &[u8]) -> bool {
        mhtml::begins(first)
    }

    fn is_archive(&self) -> bool {
        true
    }

    fn open(&self, source: &Arc<Source>, bounds: &Bounds) -> Box<dyn Chunks> {
        let most = bounds.page_bytes.saturating_mul(SHARE);
        let read = || read_up_to(Unpacked::new(source.stream()?), most);
        let body = match read() {
            Ok(bytes) => Body::Page(bytes),
            Err(error) => Body::Rejected(Rejection::new(Reason::Unreadable, plain(&error))),
        };
        Box::new(WholeFile::new(source, body))
    }

    fn pages(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<PageRecord<'_>>)) {
        let Body::Page(bytes) = &chunk.body else {
            return;
        };
        let found = match mhtml::page(bytes) {
            Some(saved) => {
                let mut page = PageRecord::new(Content::Bytes(saved.page.body));
                page.url = saved.url.map(Into::into);
                page.content_type = saved.page.content_type.map(Into::into);
                let cut = "the file ends within the page";
                page.cut = saved.page.is_cut.then(|| cut.into());
                let date = saved
                    .date
                    .and_then(|date| serde_json::value::to_raw_value(&date).ok());
                page.extra = Extra(
                    date.into_iter()
                        .map(|date| ("captured".into(), std::borrow::Cow::Owned(date)))
                        .collect(),
                );
                Found::Record(page)
            }
            None => {
                let message = "no part of the message is HTML";
                Found::Rejected(Rejection::new(Reason::MissingContent, message))
            }
        };
        visit(Place::at(0), found);
    }

    fn assets(&self, chunk: &Chunk, visit: &mut dyn FnMut(Answer<'_>)) {
        let Body::Page(bytes) = &chunk.body else {
            return;
        };
        mhtml::each_part(bytes, &mut |part| {
            if let Some(asset) = Answer::of_part(part) {
                visit(asset);
            }
        });
    }
}
