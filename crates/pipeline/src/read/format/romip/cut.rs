//! Cuts a stream of XML into document elements.

use std::io::{self, Read};
use std::sync::Arc;

use encoding_rs::Encoding;

use super::charset::charset;
use super::tags::{Found, Tags, next_tag};
use crate::error::plain;
use crate::read::chunk::{Body, Chunk, Chunks, Source};
use crate::read::compression;
use crate::record::{Reason, Rejection};

/// Number of bytes read at once.
const READ: usize = 256 << 10;

/// Cuts the `document` elements out of a stream.
pub(super) struct Documents {
    source: Arc<Source>,
    reader: Option<Box<dyn Read + Send>>,
    /// Error of the stream, which is reported at its end.
    failure: Option<io::Error>,
    charset: Option<&'static Encoding>,
    buffer: Vec<u8>,
    /// Offset of the buffer in the stream.
    offset: u64,
    /// Position in the buffer at which the search for tags continues.
    at: usize,
    /// Position in the buffer at which the open document starts.
    open: Option<usize>,
    pub(super) tags: Tags,
    /// Maximum number of bytes of a document.
    most: usize,
    /// Number of documents and rejections so far.
    documents: u64,
}

impl Documents {
    pub(super) fn new(source: Arc<Source>, reader: io::Result<Box<dyn Read + Send>>, most: usize) -> Self {
        let (reader, failure) = match reader {
            Ok(reader) => (Some(reader), None),
            Err(error) => (None, Some(error)),
        };
        Documents {
            source,
            reader,
            failure,
            charset: None,
            buffer: Vec::new(),
            offset: 0,
            at: 0,
            open: None,
            tags: Tags::default(),
            most,
            documents: 0,
        }
    }

    /// Reads more bytes into the buffer. At the end of the input, `reader` becomes `None`.
    fn fill(&mut self) {
        // Keep the open document, and the bytes that are not searched yet.
        let keep = self.open.unwrap_or(self.at).min(self.at);
        self.buffer.drain(..keep);
        self.offset += keep as u64;
        self.at -= keep;
        self.open = self.open.map(|open| open - keep);
        let Some(reader) = &mut self.reader else { return };
        let length = self.buffer.len();
        // The buffer doubles each time, so that kept bytes are moved only a few times.
        let room = READ.max(length) as u64;
        match reader.take(room).read_to_end(&mut self.buffer) {
            Ok(0) => self.reader = None,
            Ok(_) => {}
            Err(error) => {
                self.failure = Some(error);
                self.reader = None;
            }
        }
    }

    /// Returns the charset from the XML declaration, after at least 256 bytes were read. `None` if it is unknown.
    fn declared(&mut self) -> Option<&'static Encoding> {
        while self.charset.is_none() && self.buffer.len() < 256 && self.reader.is_some() {
            self.fill();
        }
        self.charset = self.charset.or_else(|| charset(&self.buffer));
        self.charset
    }

    fn chunk(&self, offset: usize, body: Body) -> Chunk {
        Chunk::new(&self.source, self.offset + offset as u64, 1, body)
    }

    fn rejection(&self, offset: usize, reason: Reason, message: String) -> Chunk {
        self.chunk(offset, Body::Rejected(Rejection::new(reason, message)))
    }

    /// Returns the rejection of a document that is too long, whether it was read completely or not.
    fn too_long(&self, offset: usize) -> Chunk {
        let message = format!(
            "the document is longer than {} bytes, the room for one page",
            self.most
        );
        self.rejection(offset, Reason::LineTooLong, message)
    }

    /// Returns the rejection that is due at the end of the stream, if there is one.
    fn last(&mut self) -> Option<Chunk> {
        // Each call returns one rejection, until none is due.
        if let Some(start) = self.open.take() {
            self.documents += 1;
            let message = "the input ends within this document".to_owned();
            return Some(self.rejection(start, Reason::Truncated, message));
        }
        if let Some(error) = self.failure.take() {
            self.documents += 1;
            let reason = if self.offset == 0 && self.buffer.is_empty() {
                Reason::Unreadable
            } else {
                Reason::Truncated
            };
            return Some(self.rejection(self.buffer.len(), reason, plain(&error)));
        }
        if self.documents == 0 {
            self.documents = 1;
            let message = "no `document` element is in this file".to_owned();
            return Some(self.rejection(0, Reason::BadXml, message));
        }
        None
    }
}

impl Chunks for Documents {
    fn next(&mut self) -> Option<Chunk> {
        let declared = self.declared();
        // Bytes of another compression format would be searched for tags in vain.
        if self.documents == 0
            && self.offset == 0
            && let Some(rejection) = compression::rejection(&self.buffer)
        {
            self.documents = 1;
            self.reader = None;
            self.buffer.clear();
            return Some(self.chunk(0, Body::Rejected(rejection)));
        }
        let Some(encoding) = declared else {
            if self.documents > 0 {
                return None;
            }
            self.documents = 1;
            self.reader = None;
            let message = "its charset is unknown or of more than one byte a letter of markup".to_owned();
            return Some(self.rejection(0, Reason::BadXml, message));
        };
        loop {
            let complete = self.reader.is_none();
            match next_tag(&mut self.tags, &self.buffer, self.at, self.offset, complete) {
                Found::Tag(tag) if tag.name == b"document" => {
                    let (start, end, closes, empty) = (tag.start, tag.end, tag.closes, tag.empty);
                    self.at = end;
                    match self.open {
                        Some(open) if closes => {
                            self.open = None;
                            self.documents += 1;
                            // A single read may have completed a document that is too long.
                            if end - open > self.most {
                                return Some(self.too_long(open));
                            }
                            let text = encoding.decode_without_bom_handling(&self.buffer[open..end]).0;
                            return Some(self.chunk(open, Body::Page(text.into_owned().into_bytes())));
                        }
                        // The end of the open document is missing. It is rejected, and the new document is
                        // read.
                        Some(open) if !empty => {
                            self.open = Some(start);
                            self.documents += 1;
                            let message = "another document begins before this one ends".to_owned();
                            return Some(self.rejection(open, Reason::BadXml, message));
                        }
                        None if !closes && !empty => self.open = Some(start),
                        // Empty elements and end tags without a start hold no page.
                        _ => {}
                    }
                }
                Found::Tag(tag) => self.at = tag.end,
                Found::Nothing(at) => {
                    self.at = at;
                    if self.reader.is_none() {
                        return self.last();
                    }
                    // Either the open document, or a comment or section without an end, is too long.
                    if self.buffer.len() - self.open.unwrap_or(self.at) > self.most {
                        let start = self.open.take().unwrap_or(self.at);
                        // Continue after its `<`, so that the search advances.
                        self.at = self.at.max(start + 1);
                        self.documents += 1;
                        return Some(self.too_long(start));
                    }
                    self.fill();
                }
            }
        }
    }
}
