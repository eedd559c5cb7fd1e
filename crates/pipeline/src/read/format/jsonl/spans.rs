//! Plain files of lines, which are read where their records are worked on: who cuts them reads nothing, and only says in which bytes the lines
//! of each chunk begin.

use std::io::Read;
use std::mem;
use std::sync::Arc;

use memchr::memchr_iter;

use crate::exec::baton::Baton;
use crate::read::chunk::{Body, Chunk, Chunks, Source};
use crate::read::compression::{self, FIRST, Unpacked};
use crate::read::format::jsonl::lines::Lines;
use crate::read::format::jsonl::shape;
use crate::read::span::{PlainFile, Span};
use crate::record::StartAt;

/// Spans that a file is cut into, about, as long as they have no less and no more bytes than these: few enough that the threads share a file of usual
/// size, and enough that a message for each costs little. They follow from the file alone, since a run that is resumed counts them.
const SPANS: u64 = 64;
const LEAST: u64 = 256 << 10;
const MOST: u64 = 1 << 20;

/// No span has more than this part of what is left of the file, unless it has no more than [`LEAST`] bytes: threads that get the last spans end at about the
/// same time.
const LEFT: u64 = 8;

/// Bytes at the beginning of a file that tell whether its lines are short, and how many there are in them then. Spans of short lines have
/// [`LEAST`] bytes: what is held of their many records takes memory.
const BEGINNING: u64 = shape::BEGINNING;
const SHORT: usize = 16;

/// Cuts a plain file into spans.
pub(crate) struct Spans {
    source: Arc<Source>,
    file: Arc<PlainFile>,
    most: usize,
    /// Bytes of a span at most.
    span: u64,
    at: u64,
    before: Arc<Baton<StartAt>>,
}

impl Spans {
    /// The spans of a file, with lines of at most `most` bytes. None of a stream, and of a file that is compressed, cannot be opened, or whose
    /// records are not one on each line: these are read from their beginning.
    pub(crate) fn open(source: &Arc<Source>, most: usize) -> Option<Spans> {
        let path = source.path.as_deref().filter(|_| source.kept.is_none())?;
        let file = PlainFile::open(path)?;
        let mut first = Vec::new();
        file.from(0).take(BEGINNING).read_to_end(&mut first).ok()?;
        let are_short = memchr_iter(b'\n', &first).count() >= SHORT;
        let is_plain = shape::has_lines(&first);
        first.truncate(FIRST);
        let mut unpacked = Unpacked::new(&*first).named(source.is_packed());
        // Files that the system makes as they are read have no length.
        let has_lines = file.bytes() > 0 && compression::rejection(&first).is_none();
        let most_of_span = if are_short { LEAST } else { MOST };
        (has_lines && is_plain && !unpacked.is_compressed().ok()?).then(|| Spans {
            source: Arc::clone(source),
            span: (file.bytes() / SPANS).clamp(LEAST, most_of_span),
            file: Arc::new(file),
            most,
            at: 0,
            before: Arc::new(Baton::here(StartAt::FIRST)),
        })
    }
}

impl Chunks for Spans {
    fn next(&mut self) -> Option<Chunk> {
        let bytes = self.file.bytes();
        if self.at >= bytes {
            return None;
        }
        let span = self.span.min((bytes - self.at) / LEFT).max(LEAST);
        let begins = self.at..bytes.min(self.at + span);
        self.at = begins.end;
        let (start, after) = (begins.start, Arc::default());
        let before = mem::replace(&mut self.before, Arc::clone(&after));
        let span = Span::new(&self.file, begins, self.most, before, &after);
        Some(Chunk::new(&self.source, start, 1, Body::Span(span)))
    }
}

/// Reads the lines that begin from `start` on and before `until`: chunks of lines, or of what is wrong with them, and where the first line behind
/// them begins.
pub(crate) fn read_span(
    source: &Arc<Source>,
    file: &PlainFile,
    (start, until): (StartAt, u64),
    most: usize,
) -> (Vec<Chunk>, StartAt) {
    let stream = file.from(start.offset);
    let mut lines = Lines::new(Arc::clone(source), stream, most)
        .starting(start)
        .until(until, &file.buffers);
    let mut chunks = Vec::new();
    while let Some(chunk) = lines.next() {
        chunks.push(chunk);
    }
    (chunks, lines.end())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;
    use crate::read::format::Jsonl;

    fn source(path: &Path) -> Arc<Source> {
        Arc::new(Source {
            name: "pages.jsonl".to_owned(),
            label: String::new(),
            path: Some(path.to_owned()),
            kept: None,
            format: &Jsonl,
            folder: None,
            columns: Default::default(),
            named_files: Default::default(),
            singly: false,
        })
    }

    /// A file with these bytes.
    fn file(bytes: &[u8]) -> (tempfile::TempDir, Arc<Source>) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pages.jsonl");
        fs::write(&path, bytes).unwrap();
        let source = source(&path);
        (dir, source)
    }

    /// Chunks as `offset:line:content`, and `<` where the file may end in the middle of a line; refusals as `offset:line:!reason`.
    fn told(chunk: &Chunk) -> String {
        let body = match &chunk.body {
            Body::Lines { bytes, open_end } => {
                let end = if *open_end { "<" } else { "" };
                format!("{}{end}", String::from_utf8_lossy(bytes))
            }
            Body::Rejected(rejection) => format!("!{}", rejection.reason.name()),
            _ => unreachable!(),
        };
        format!("{}:{}:{body}", chunk.offset, chunk.line)
    }

    /// What is read in spans that end at these bytes and at the end of the file.
    fn in_spans(source: &Arc<Source>, ends: &[u64], most: usize) -> Vec<String> {
        let file = PlainFile::open(source.path.as_deref().unwrap()).unwrap();
        let (mut start, mut all) = (StartAt::FIRST, Vec::new());
        for until in ends.iter().copied().chain([file.bytes()]) {
            let (chunks, end) = read_span(source, &file, (start, until), most);
            all.extend(chunks.iter().map(told));
            assert!(end.offset >= until.max(start.offset));
            start = end;
        }
        all
    }

    /// The same, read as a stream, with a chunk for each line.
    fn as_stream(bytes: &[u8]) -> Vec<String> {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let (mut offset, mut all) = (0, Vec::new());
        for (number, line) in lines.enumerate() {
            let end = if line.ends_with(b"\n") { "" } else { "<" };
            let text = String::from_utf8_lossy(line);
            all.push(format!("{offset}:{}:{text}{end}", number + 1));
            offset += line.len();
        }
        all
    }

    proptest! {
        #[test]
        fn each_line_is_read_in_the_span_in_which_it_begins(
            lines in proptest::collection::vec("[a-z]{0,12}", 0..20),
            cuts in proptest::collection::vec(0..240_u64, 0..9),
        ) {
            let bytes = lines.join("\n").into_bytes();
            let (_dir, source) = file(&bytes);
            let mut ends: Vec<u64> = cuts.into_iter().filter(|cut| *cut < bytes.len() as u64).collect();
            ends.sort_unstable();
            let lines = as_stream(&bytes);
            let begins: Vec<usize> = lines.iter().map(|line| line.split(':').next().unwrap().parse().unwrap()).collect();
            let mut expected: Vec<String> = Vec::new();
            let mut last = None;
            for (line, begin) in lines.iter().zip(begins) {
                let span = ends.iter().filter(|end| **end <= begin as u64).count();
                match expected.last_mut() {
                    Some(chunk) if last == Some(span) => chunk.push_str(line.splitn(3, ':').nth(2).unwrap()),
                    _ => expected.push(line.clone()),
                }
                last = Some(span);
            }
            prop_assert_eq!(in_spans(&source, &ends, 1000), expected);
        }
    }

    #[test]
    fn a_plain_file_is_cut_without_being_read() {
        let line = format!("{{\"html\":\"{}\"}}\n", "x".repeat(300 << 10));
        let bytes = line.repeat(5).into_bytes();
        let (_dir, source) = file(&bytes);
        let spans = Spans::open(&source, 1 << 20).unwrap();
        let spans: Vec<Chunk> = std::iter::from_fn({
            let mut spans = spans;
            move || spans.next()
        })
        .collect();
        let total: u64 = spans.iter().map(Chunk::len).sum();
        assert_eq!((spans.len(), total), (6, bytes.len() as u64));
        let mut seen = Vec::new();
        for chunk in &spans {
            crate::read::records::each_part(chunk, &mut |part| {
                seen.push((part.offset, part.line, part.len()));
            });
        }
        let long = line.len() as u64;
        let expected: Vec<_> = (0..5).map(|number| (number * long, number + 1, long)).collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn spans_of_short_lines_are_small() {
        for (line, span) in [(100, LEAST), (4000, LEAST), (9000, MOST)] {
            let (_dir, source) = file(b"");
            let lines = format!("{}\n", "x".repeat(line)).into_bytes();
            fs::write(source.path.as_deref().unwrap(), lines.repeat(20)).unwrap();
            let file = fs::OpenOptions::new()
                .write(true)
                .open(source.path.as_deref().unwrap());
            // The rest takes no place on disk.
            file.unwrap().set_len(SPANS * MOST).unwrap();
            assert_eq!(Spans::open(&source, 1000).unwrap().span, span, "{line}");
        }
    }

    #[test]
    fn streams_and_compressed_files_are_no_spans() {
        let packed = crate::read::compression::testing::gzip(b"{\"html\":\"x\"}\n");
        for bytes in [&packed[..], b"PK\x03\x04 and more", b""] {
            let (_dir, source) = file(bytes);
            assert!(Spans::open(&source, 1000).is_none());
        }
        let (dir, _) = file(b"{}\n");
        assert!(Spans::open(&source(dir.path()), 1000).is_none());
        assert!(Spans::open(&source(&dir.path().join("missing")), 1000).is_none());
    }

    #[test]
    fn a_line_too_long_costs_that_line_in_whichever_span_it_ends() {
        let long = "x".repeat(400 << 10);
        let bytes = format!("a\n{long}\nb\nc\n");
        let (_dir, source) = file(bytes.as_bytes());
        let behind = 2 + long.len() + 1;
        // As of a stream, a line is too long if so much of it was read without its end.
        for ends in [&[1, 300_000][..], &[2, 290_000], &[5], &[2, 200_000], &[300_000]] {
            let got = in_spans(&source, ends, 300 << 10);
            let expected = ["0:1:a\n".to_owned(), "2:2:!line-too-long".to_owned()];
            assert_eq!(got[..2], expected, "{ends:?}");
            assert_eq!(got[2..].concat(), format!("{behind}:3:b\nc\n"), "{ends:?}");
        }
    }

    #[test]
    fn a_file_that_became_shorter_is_told_once() {
        let (_dir, source) = file(b"one\ntwo\nthree\nfour\n");
        let path = source.path.clone().unwrap();
        let file = PlainFile::open(&path).unwrap();
        fs::OpenOptions::new()
            .write(true)
            .open(&path)
            .unwrap()
            .set_len(6)
            .unwrap();
        let (mut start, mut all) = (StartAt::FIRST, Vec::new());
        for until in [5, 10, 19] {
            let (chunks, end) = read_span(&source, &file, (start, until), 1000);
            all.extend(chunks.iter().map(told));
            start = end;
        }
        assert_eq!(all, ["0:1:one\ntw<", "6:2:!truncated"]);
        let (chunks, _) = read_span(&source, &file, (StartAt::FIRST, 2), 1000);
        assert_eq!(chunks.iter().map(told).collect::<Vec<_>>(), ["0:1:one\n"]);
    }

    #[test]
    fn a_line_that_is_still_being_written_is_read_to_where_it_ends_then() {
        let (_dir, source) = file(b"one\ntw");
        let path = source.path.clone().unwrap();
        let file = PlainFile::open(&path).unwrap();
        fs::write(&path, b"one\ntwo\nthree\n").unwrap();
        let (chunks, end) = read_span(&source, &file, (StartAt::FIRST, file.bytes()), 1000);
        assert_eq!(chunks.iter().map(told).collect::<Vec<_>>(), ["0:1:one\ntwo\n"]);
        assert_eq!(end, StartAt { offset: 8, line: 3 });
    }
}
