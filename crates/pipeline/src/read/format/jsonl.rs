//! JSON Lines: one JSON object per line.

use std::cell::Cell;
use std::io::{self, Read};
use std::sync::Arc;

use crate::read::ahead::Ahead;
use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Found, Place, Source};
use crate::read::line::{Documents, Pages, ReadLine};
use crate::record::{DocumentRecord, PageRecord, StartAt, StringRoom};

mod lines;
mod shape;
mod spans;

pub(crate) use lines::Lines;
use shape::Shaped;
pub(crate) use spans::{Spans, read_span};

/// JSON Lines: pages with `html`, `html_base64` or `path`, or documents with `text`.
///
/// Empty lines are ignored. Arrays of objects and objects over several lines are read as if each object were on its own line.
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
        let first = first.trim_ascii_start();
        let object = first.strip_prefix(b"[").unwrap_or(first).trim_ascii_start();
        // A brace alone begins other texts too. A quoted name follows it in JSON.
        let member = object.strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
        member.is_some_and(|member| member.starts_with(b"\""))
    }

    fn has_documents(&self) -> bool {
        true
    }

    fn is_lines(&self) -> bool {
        true
    }

    fn open(&self, source: &Arc<Source>, bounds: &Bounds) -> Box<dyn Chunks> {
        // Plain files are read by the threads that parse them. Streams and compressed files are cut into
        // lines here.
        if bounds.unread
            && let Some(spans) = Spans::open(source, bounds.line_bytes())
        {
            return Box::new(spans);
        }
        let reader = source
            .stream()
            .unwrap_or_else(|error| Box::new(Broken(Some(error))));
        let reader = Ahead::new(reader, source.is_packed(), bounds.ahead);
        Box::new(Lines::new(
            Arc::clone(source),
            Shaped::new(reader),
            bounds.line_bytes(),
        ))
    }

    fn open_at(&self, source: &Arc<Source>, bounds: &Bounds, at: StartAt) -> Option<Box<dyn Chunks>> {
        let file = Ahead::new(source.file_from(at.offset)?, false, false);
        let lines = Lines::new(Arc::clone(source), Shaped::new(file), bounds.line_bytes());
        Some(Box::new(lines.starting(at)))
    }

    fn pages(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<PageRecord<'_>>)) {
        let base = chunk.source.page_folder();
        each_record(chunk, &Pages { base }, visit);
    }

    fn documents(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<DocumentRecord<'_>>)) {
        each_record(chunk, &Documents, visit);
    }
}

/// Visits the record of every line.
fn each_record<'v, L: ReadLine + 'v>(
    chunk: &Chunk,
    reader: &L,
    visit: &'v mut dyn FnMut(Place<'_>, Found<L::Record<'_>>),
) {
    with_room(|room| {
        each_line(chunk, &mut |place, cut| {
            reader.visit((place, cut), &chunk.source.columns, Some(room), visit);
            room.clear();
        });
    });
}

/// Runs `work` with string buffers that the thread reuses for every chunk.
fn with_room(work: impl FnOnce(&mut StringRoom)) {
    thread_local!(static ROOM: Cell<StringRoom> = Cell::default());
    // After a panic the buffers are lost, and the thread starts with new ones.
    let mut room = ROOM.take();
    work(&mut room);
    ROOM.set(room);
}

/// Calls `visit` with every line that is not empty. The flag is `true` if the file may end in the middle of the line.
pub(crate) fn each_line<'c>(chunk: &'c Chunk, visit: &mut dyn FnMut(Place<'c>, bool)) {
    let Body::Lines { bytes, open_end } = &chunk.body else {
        return;
    };
    let mut start = 0;
    for (number, end) in bytes.ends().enumerate() {
        let offset = chunk.offset + start as u64;
        let mut raw = &bytes[start..end];
        // Only the first line can have the byte order mark of the file.
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

/// A reader that returns the error of a file that could not be opened.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
