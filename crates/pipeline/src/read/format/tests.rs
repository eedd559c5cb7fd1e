use std::collections::BTreeSet;

use proptest::prelude::*;
use std::io::{self, Read};

use std::sync::Arc;

use super::*;
use crate::read::compression::Stored;
use crate::record::{Content, Reason};

#[test]
fn the_table_lists_the_files_of_the_folder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/read/format");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            entry
                .unwrap()
                .path()
                .file_stem()
                .unwrap()
                .to_string_lossy()
                .replace('_', "-")
        })
        .filter(|stem| stem != "mod" && stem != "tests")
        .filter(|stem| cfg!(feature = "parquet") || stem != "parquet")
        .collect();
    let table: BTreeSet<String> = ALL.iter().map(|format| format.name().to_owned()).collect();
    assert_eq!(table, files);
    assert_eq!(table.len(), ALL.len());
}

#[test]
fn extensions_lead_to_formats() {
    let named = |name: &str| by_extension(Path::new(name)).map(Format::name);
    assert_eq!(named("a/b.HTML"), Some("html"));
    assert_eq!(named("a/b.html?id=3.5"), Some("html"));
    assert_eq!(named("pages.ndjson"), Some("jsonl"));
    assert_eq!(named("a/b"), None);
    assert_eq!(named("a/.html"), None);
}

#[test]
fn in_folders_pages_may_lack_an_extension() {
    let takes = |name: &str| Html.takes(Path::new(name));
    assert!(takes("a/index.htm") && !takes("a/about") && !takes("about?page=2"));
    assert!(!takes("style.css") && !takes("index.php?x=1") && !takes("b.jsonl"));
    assert!(!Jsonl.takes(Path::new("about")));
}

/// Returns its parts one by one like a pipe, and then an error if one is given.
struct Pipe(Vec<Result<&'static [u8], io::ErrorKind>>);

impl Stored for Pipe {}

impl Read for Pipe {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Ok(0);
        }
        let part = self.0.remove(0)?;
        out[..part.len()].copy_from_slice(part);
        Ok(part.len())
    }
}

fn source(singly: bool) -> Arc<Source> {
    let label = String::new();
    Arc::new(Source {
        name: "-".to_owned(),
        label,
        path: None,
        kept: None,
        folder: None,
        format: &Jsonl,
        columns: Default::default(),
        named_files: Default::default(),
        singly,
    })
}

/// Formats chunks as `offset:line:content`, rejections as `offset:line:!reason`, and compares them with `expected`.
fn check(singly: bool, most: usize, parts: &[Result<&'static [u8], io::ErrorKind>], expected: &[&str]) {
    let mut lines = jsonl::Lines::new(source(singly), Pipe(parts.to_vec()), most);
    let mut got = Vec::new();
    while let Some(chunk) = Chunks::next(&mut lines) {
        let body = match &chunk.body {
            Body::Lines { bytes, open_end } => {
                format!(
                    "{}{}",
                    String::from_utf8_lossy(bytes),
                    if *open_end { "<" } else { "" }
                )
            }
            Body::Rejected(rejection) => format!("!{}", rejection.reason.name()),
            _ => unreachable!(),
        };
        got.push(format!("{}:{}:{body}", chunk.offset, chunk.line));
    }
    assert_eq!(got, expected);
}

#[test]
fn lines_are_returned_as_soon_as_they_are_there() {
    let parts: &[Result<&[u8], _>] = &[Ok(b"a\nb\nc"), Ok(b"d"), Ok(b"\n"), Ok(b"\ne\nf")];
    check(
        false,
        100,
        parts,
        &["0:1:a\nb\n", "4:3:cd\n", "7:4:\ne\n", "10:6:f<"],
    );
    check(
        true,
        100,
        parts,
        &["0:1:a\n", "2:2:b\n", "4:3:cd\n", "7:4:\n", "8:5:e\n", "10:6:f<"],
    );
    check(false, 100, &[], &[]);
    check(
        false,
        100,
        &[Ok(b"a"), Err(io::ErrorKind::Interrupted), Ok(b"\n")],
        &["0:1:a\n"],
    );
}

#[test]
fn a_line_too_long_costs_that_line() {
    let parts: &[Result<&[u8], _>] = &[Ok(b"a\nxxxx"), Ok(b"xxxx"), Ok(b"xxx"), Ok(b"x\nb\nc"), Ok(b"\n")];
    check(
        false,
        6,
        parts,
        &["0:1:a\n", "2:2:!line-too-long", "15:3:b\n", "17:4:c\n"],
    );
    check(false, 3, &[Ok(b"xxxxx"), Ok(b"xx")], &["0:1:!line-too-long"]);
}

#[test]
fn a_read_error_keeps_what_came_before() {
    let parts: &[Result<&[u8], _>] = &[Ok(b"a\nb"), Err(io::ErrorKind::ConnectionReset), Ok(b"c\n")];
    check(false, 100, parts, &["0:1:a\n", "2:2:!truncated"]);
    check(
        false,
        100,
        &[Err(io::ErrorKind::PermissionDenied)],
        &["0:1:!unreadable"],
    );
}

#[test]
fn records_know_their_place() {
    let bytes = b"\xef\xbb\xbf{\"html\":\"a\"}\r\n\n  \n{\"html\"\n{\"html\":\"b".to_vec();
    let body = Body::Lines {
        bytes: bytes.into(),
        open_end: true,
    };
    let chunk = Chunk::new(&source(false), 0, 1, body);
    let mut got = Vec::new();
    Jsonl.pages(&chunk, &mut |place, page| {
        let told = match page {
            Found::Record(page) => match page.content {
                Content::Text(text) => text.into_owned(),
                other => panic!("{other:?}"),
            },
            Found::Rejected(rejection) => rejection.reason.name().to_owned(),
            Found::Skipped(why) => why.to_owned(),
        };
        got.push((place.offset, place.line.unwrap(), told));
    });
    let expected = [
        (0, 1, "a"),
        (21, 4, "bad-json"),
        (29, 5, Reason::Truncated.name()),
    ];
    assert_eq!(
        got,
        expected.map(|(offset, line, told)| (offset, line, told.to_owned()))
    );
}

/// Returns a stream in pieces of the given lengths.
pub(super) struct Pieces<'a>(pub(super) &'a [u8], pub(super) Vec<usize>);

impl Stored for Pieces<'_> {}

impl Read for Pieces<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let piece = self
            .1
            .pop()
            .unwrap_or(usize::MAX)
            .min(self.0.len())
            .min(out.len());
        let (now, later) = self.0.split_at(piece);
        out[..piece].copy_from_slice(now);
        self.0 = later;
        Ok(piece)
    }
}

proptest! {
    #[test]
    fn every_line_is_seen_once_wherever_reads_end(
        lines in proptest::collection::vec("[a-z{}\":,\\\\\\[\\] ]{0,30}", 0..20),
        pieces in proptest::collection::vec(1..40_usize, 0..40),
        singly: bool,
    ) {
        let stream = lines.join("\n");
        let mut reader = jsonl::Lines::new(source(singly), Pieces(stream.as_bytes(), pieces), 1000);
        let (mut got, mut joined) = (Vec::new(), Vec::new());
        while let Some(chunk) = Chunks::next(&mut reader) {
            prop_assert_eq!(chunk.offset as usize, joined.len());
            each_line(&chunk, &mut |place, _| got.push((place.line, String::from_utf8_lossy(place.raw).into_owned())));
            let mut seen = 0;
            Jsonl.pages(&chunk, &mut |_, _| seen += 1);
            let Body::Lines { bytes, .. } = chunk.body else { unreachable!() };
            prop_assert_eq!(seen, bytes.split(|b| *b == b'\n').filter(|line| !line.trim_ascii().is_empty()).count());
            joined.extend_from_slice(&bytes);
        }
        prop_assert_eq!(joined, stream.as_bytes());
        let expected: Vec<(Option<u64>, String)> = (1..)
            .zip(&lines)
            .map(|(number, line)| (Some(number), line.trim().to_owned()))
            .filter(|(_, line)| !line.is_empty())
            .collect();
        prop_assert_eq!(got, expected);
    }

    #[test]
    fn every_line_of_any_bytes_is_one_record_or_one_refusal(
        lines in proptest::collection::vec(
            (proptest::sample::select(&["{\"html\":\"", "{\"text\":", "", "{\"id\":1,", "\u{feff}"][..]),
            proptest::collection::vec(any::<u8>(), 0..60), proptest::sample::select(&["", "\"}", "}", "\r"][..])),
            0..6,
        ),
    ) {
        let lines: Vec<Vec<u8>> = lines.into_iter().map(|(start, any, end)| [start.as_bytes(), &any, end.as_bytes()].concat()).collect();
        let bytes = lines.join(&b'\n');
        let start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let lines = bytes[start..].split(|byte| *byte == b'\n');
        let expected = lines.filter(|line| !line.trim_ascii().is_empty()).count();
        let body = Body::Lines { bytes: bytes.clone().into(), open_end: true };
        let chunk = Chunk::new(&source(false), 0, 1, body);
        let (mut pages, mut documents) = (0, 0);
        Jsonl.pages(&chunk, &mut |_, _| pages += 1);
        Jsonl.documents(&chunk, &mut |_, _| documents += 1);
        prop_assert_eq!((pages, documents), (expected, expected));
    }
}

#[test]
fn a_compressed_stream_is_one_rejected_record() {
    let start: &[u8] = b"PK\x03\x04\x00a\nb";
    check(false, 100, &[Ok(start), Ok(b"c\nd\n")], &["0:1:!compressed"]);
    check(true, 100, &[Ok(b"PK"), Ok(b"\x03\x04\n\n")], &["0:1:!compressed"]);
    check(false, 3, &[Ok(b"PK\x03\x04"), Ok(b"long")], &["0:1:!compressed"]);
    check(false, 100, &[Ok(b"\xfd7zX"), Ok(b"Z\0")], &["0:1:!compressed"]);
    // Compression is recognized only at the start of a stream.
    check(
        false,
        100,
        &[Ok(b"a\n"), Ok(b"PK\x03\x04\n")],
        &["0:1:a\n", "2:2:PK\x03\x04\n"],
    );
}

#[test]
fn extensions_of_all_formats_are_known_inside_of_archives() {
    for format in ALL.iter().filter(|format| format.name() != "html") {
        let known = if format.is_archive() {
            kinds::ARCHIVE_EXTENSIONS
        } else {
            kinds::TABLE_EXTENSIONS
        };
        for extension in format.extensions() {
            assert!(known.contains(extension), "{}: {extension}", format.name());
        }
    }
}
