//! JSON Lines: one JSON object a line.

use std::cell::Cell;
use std::io::{self, Read};
use std::sync::Arc;

use crate::read::ahead::Ahead;
use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Found, Place, Source};
use crate::record::json;
use crate::record::{DocumentRecord, PageRecord, Reason, Rejection, StartAt, StringRoom};

mod lines;
mod spans;

pub(crate) use lines::Lines;
pub(crate) use spans::{Spans, read_span};

/// JSON Lines: pages with `html`, `html_base64` or `path`, or documents with `text`. Empty lines do not count.
pub struct Jsonl;

impl Format for Jsonl {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn summary(&self) -> &'static str {
        "JSON Lines: pages with `html`, `html_base64` or `path`; documents with `text`"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["jsonl", "ndjson"]
    }

    fn begins(&self, first: &[u8]) -> bool {
        let first = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first);
        first.trim_ascii_start().starts_with(b"{\"")
    }

    fn has_documents(&self) -> bool {
        true
    }

    fn is_lines(&self) -> bool {
        true
    }

    fn open(&self, source: &Arc<Source>, bounds: &Bounds) -> Box<dyn Chunks> {
        if bounds.unread
            && let Some(spans) = Spans::open(source, bounds.line_bytes())
        {
            return Box::new(spans);
        }
        let reader = source
            .stream()
            .unwrap_or_else(|error| Box::new(Broken(Some(error))));
        let reader = Ahead::new(reader, source.is_packed(), bounds.ahead);
        Box::new(Lines::new(Arc::clone(source), reader, bounds.line_bytes()))
    }

    fn open_at(&self, source: &Arc<Source>, bounds: &Bounds, at: StartAt) -> Option<Box<dyn Chunks>> {
        let file = Ahead::new(Box::new(source.file_from(at.offset)?), false, false);
        let lines = Lines::new(Arc::clone(source), file, bounds.line_bytes());
        Some(Box::new(lines.starting(at)))
    }

    fn pages(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<PageRecord<'_>>)) {
        let base = chunk.source.page_folder();
        with_room(|room| {
            each_line(chunk, &mut |place, cut| {
                visit(
                    place,
                    tell_cut(json::page(place.raw, base, Some(room)), cut).into(),
                );
                room.clear();
            });
        });
    }

    fn documents(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<DocumentRecord<'_>>)) {
        with_room(|room| {
            each_line(chunk, &mut |place, cut| {
                visit(place, tell_cut(json::document(place.raw, Some(room)), cut).into());
                room.clear();
            });
        });
    }
}

/// Does some work with the room for strings that the thread keeps from chunk to chunk.
fn with_room(work: impl FnOnce(&mut StringRoom)) {
    thread_local!(static ROOM: Cell<StringRoom> = Cell::default());
    // A panic leaves the thread without.
    let mut room = ROOM.take();
    work(&mut room);
    ROOM.set(room);
}

/// JSON that ends too early is cut off only where the file ends; elsewhere it is just wrong.
fn tell_cut<T>(result: Result<T, Rejection>, cut: bool) -> Result<T, Rejection> {
    result.map_err(|rejection| match rejection.reason {
        Reason::Truncated if !cut => Rejection {
            reason: Reason::BadJson,
            ..rejection
        },
        _ => rejection,
    })
}

/// Calls `visit` with every line that is not empty, and with whether the file may end in the middle of it.
pub(crate) fn each_line<'c>(chunk: &'c Chunk, visit: &mut dyn FnMut(Place<'c>, bool)) {
    let Body::Lines { bytes, open_end } = &chunk.body else {
        return;
    };
    let mut start = 0;
    for (number, end) in bytes.ends().enumerate() {
        let offset = chunk.offset + start as u64;
        let mut raw = &bytes[start..end];
        if offset == 0 {
            raw = raw.strip_prefix(b"\xef\xbb\xbf").unwrap_or(raw);
        }
        let raw = raw.trim_ascii();
        if !raw.is_empty() {
            let place = Place {
                line: Some(chunk.line + number as u64),
                raw,
                ..chunk.place(offset)
            };
            visit(place, *open_end && end == bytes.len());
        }
        start = end + 1;
    }
}

/// A file that could not be opened, in the place of its content.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
