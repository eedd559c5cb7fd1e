//! Plain text: one document per file.

use std::sync::Arc;

use crate::error::plain;
use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Found, Place, Source, WholeFile, read_up_to};
use crate::read::compression::{self, Unpacked};
use crate::record::{Capture, DocumentRecord, PageRecord, Ranking, Reason, Rejection};

/// Text in UTF-8. It has no pages and is therefore not in the table of formats.
pub(crate) struct Text;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Format for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn summary(&self) -> &'static str {
        "text in UTF-8, one document a file"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["txt", "text"]
    }

    fn open(&self, source: &Arc<Source>, bounds: &Bounds) -> Box<dyn Chunks> {
        let read = || read_up_to(Unpacked::new(source.stream()?), bounds.page_bytes);
        let body = match read() {
            Ok(bytes) if bytes.len() > bounds.page_bytes => {
                let message = format!("the text is longer than the {} bytes allowed", bounds.page_bytes);
                Body::Rejected(Rejection::new(Reason::LineTooLong, message))
            }
            Ok(bytes) => Body::Page(bytes),
            Err(error) => Body::Rejected(Rejection::new(Reason::Unreadable, plain(&error))),
        };
        Box::new(WholeFile::new(source, body))
    }

    fn pages(&self, _: &Chunk, _: &mut dyn FnMut(Place<'_>, Found<PageRecord<'_>>)) {}

    /// Visits the document of the file. Its offset is that of the first character, after a byte order mark.
    fn documents(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<DocumentRecord<'_>>)) {
        let Body::Page(bytes) = &chunk.body else {
            return;
        };
        let raw = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let offset = (bytes.len() - raw.len()) as u64;
        let place = Place {
            raw,
            ..Place::at(offset)
        };
        // Otherwise an archive would be reported as text that is not UTF-8.
        if let Some(compressed) = compression::rejection(raw) {
            return visit(place, Found::Rejected(compressed));
        }
        let document = match std::str::from_utf8(raw) {
            Ok(text) => Ok(DocumentRecord {
                id: None,
                url: None,
                path: None,
                title: None,
                text: text.into(),
                ranking: Ranking::default(),
                capture: Capture::default(),
            }),
            Err(error) => {
                let at = offset + error.valid_up_to() as u64;
                let message = format!("byte {at} is not UTF-8; bring the file into UTF-8 first");
                Err(Rejection::new(Reason::Unreadable, message))
            }
        };
        visit(place, document.into());
    }
}
