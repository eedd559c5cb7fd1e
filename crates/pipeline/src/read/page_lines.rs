//! Lines of JSON sent to a page process, which parses the records in them, and the context it needs for that.

use std::borrow::Cow;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::exec::file_id::FileId;
use crate::page_process::PageLines;
use crate::read::address::Addresses;
use crate::read::chunk::{Body, Chunk, Packed, Source};
use crate::read::columns::Columns;
use crate::read::compression::Members;
use crate::read::format::{Jsonl, read_span};
use crate::read::input_folder::InputFolder;
use crate::read::line_buffers::LineBytes;
use crate::read::named_files::{AllowedRoots, NamedFiles};
use crate::read::records::{Notes, Visited, each_page};
use crate::read::span::PlainFile;
use crate::record::mend::LineNotes;
use crate::record::{PageRecord, StartAt};

/// Context of a chunk of lines: all that affects how its records are parsed.
#[derive(Serialize, Deserialize)]
struct Known<'a> {
    name: &'a str,
    label: &'a str,
    path: Option<&'a Path>,
    /// Folder to which paths in the records are relative. It is resolved before sending, because stream
    /// names such as `/dev/stdin` mean another file in the process.
    page_folder: Option<&'a Path>,
    /// The input folder: its path and its names.
    #[serde(borrow)]
    folder: Option<(&'a Path, Vec<&'a [u8]>)>,
    lines: Place,
    columns: Cow<'a, Columns>,
    page_bytes: usize,
    url: Option<&'a str>,
    base: Option<&'a str>,
}

/// Location of the lines.
#[derive(Serialize, Deserialize)]
enum Place {
    /// The lines are sent to the process.
    Here {
        start: StartAt,
        feeds: Vec<usize>,
        open_end: bool,
        members: Option<Members>,
    },
    /// The lines are in the file at the path, if that file still has this ID: those that begin at or after `start` and before `until`.
    File {
        id: FileId,
        start: StartAt,
        until: u64,
        most: usize,
    },
}

/// Returns the encoded context for the lines of a chunk, and the lines themselves unless the process reads
/// them from a file. `None` if the process cannot read this chunk.
pub(super) fn known<'c>(
    chunk: &'c Chunk,
    page_bytes: usize,
    addresses: &Addresses<'_>,
) -> Option<(Vec<u8>, &'c [u8])> {
    let (lines, bytes) = match &chunk.body {
        Body::Lines { bytes, open_end } => {
            let here = Place::Here {
                start: StartAt {
                    offset: chunk.offset,
                    line: chunk.line,
                },
                feeds: bytes.feeds().to_vec(),
                open_end: *open_end,
                members: chunk.packed.as_ref().map(|packed| packed.members.clone()),
            };
            (here, &bytes[..])
        }
        Body::Span(span) => {
            // A long line may cover the whole span. Then no line begins in it, and the process has nothing
            // to read.
            let start = span.start().filter(|start| start.offset < span.until())?;
            let file = Place::File {
                id: span.file.id(),
                start,
                until: span.until(),
                most: span.most,
            };
            (file, &[][..])
        }
        _ => return None,
    };
    let source = &chunk.source;
    let folder = source.folder.as_ref();
    let known = Known {
        name: &source.name,
        label: &source.label,
        path: source.path.as_deref(),
        page_folder: source.page_folder(),
        folder: folder.map(|folder| {
            let names = folder.names.iter().map(Vec::as_slice);
            (folder.path(), names.collect())
        }),
        lines,
        columns: Cow::Borrowed(&source.columns),
        page_bytes,
        url: addresses.url,
        base: addresses.base.map(|base| base.as_str()),
    };
    // File names that are not valid Unicode cannot be serialized.
    Some((postcard::to_stdvec(&known).ok()?, bytes))
}

/// The file whose lines a page process read last. The next lines are mostly from the same file.
#[derive(Default)]
pub(crate) struct LastFile(RefCell<Option<Rc<PlainFile>>>);

impl LastFile {
    /// Opens the file at this path, if it has this ID.
    fn open(&self, path: Option<&Path>, id: FileId) -> Option<Rc<PlainFile>> {
        let is_it = |file: &Rc<PlainFile>| file.id() == id;
        let mut last = self.0.borrow_mut();
        if !last.as_ref().is_some_and(is_it) {
            *last = PlainFile::open(path?).map(Rc::new);
        }
        last.clone().filter(is_it)
    }
}

/// Visits every page of the lines. Returns notes on the lines, or `None` if the context cannot be decoded.
///
/// `read` is called first with the end of the lines if they are read from a file, and is not called if the
/// file is gone. `buffer` of `lines` is returned with arbitrary content.
pub(crate) fn each(
    lines: PageLines<'_>,
    last: &LastFile,
    allowed: &AllowedRoots,
    read: &mut dyn FnMut(StartAt),
    visit: &mut dyn FnMut(Visited<'_, PageRecord<'_>>),
) -> Option<LineNotes> {
    let PageLines { known, buffer, bytes } = lines;
    let known = postcard::from_bytes::<Known<'_>>(known).ok()?;
    let base = known.base.map(str::parse).transpose().ok()?;
    let folder = known.folder.map(|(path, names)| InputFolder {
        path: path.to_owned(),
        names: names.into_iter().map(<[u8]>::to_vec).collect(),
    });
    let source = Arc::new(Source {
        name: known.name.to_owned(),
        label: known.label.to_owned(),
        path: known.path.map(Path::to_owned),
        kept: None,
        format: &Jsonl,
        folder: folder.map(Arc::new),
        columns: known.columns.into_owned(),
        named_files: NamedFiles::in_folder(allowed.clone(), known.page_folder),
        singly: false,
    });
    let addresses = Addresses {
        url: known.url,
        base: base.as_ref(),
    };
    // Records in lines are pages or rejected, never skipped, so only the notes on lines matter.
    let mut notes = Notes::default();
    let mut each = |chunk: &Chunk| {
        each_page(chunk, known.page_bytes, &addresses, &mut notes, visit);
    };
    match known.lines {
        Place::Here {
            start,
            feeds,
            open_end,
            members,
        } => {
            let bytes = LineBytes::first(bytes, std::mem::take(buffer), feeds);
            let chunk = Chunk {
                // The process needs only the offsets of members. The parent counts the bytes.
                packed: members.map(|members| Packed { bytes: 0, members }),
                ..Chunk::new(&source, start.offset, start.line, Body::Lines { bytes, open_end })
            };
            each(&chunk);
            if let Body::Lines { bytes, .. } = chunk.body {
                *buffer = bytes.into_buffer();
            }
        }
        Place::File {
            id,
            start,
            until,
            most,
        } => {
            if let Some(file) = last.open(known.path, id) {
                let (chunks, end) = read_span(&source, &file, (start, until), most);
                read(end);
                chunks.iter().for_each(each);
            }
        }
    }
    Some(notes.lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::chunk::{Bounds, Format as _};

    fn visited(visit: impl FnOnce(&mut dyn FnMut(Visited<'_, PageRecord<'_>>))) -> Vec<String> {
        let mut got = Vec::new();
        visit(&mut |item| {
            got.push(match item {
                Ok(item) => {
                    let rejected = item.reject(crate::record::Reason::Panic, "here".to_owned());
                    format!("{:?} {rejected:?}", item.record)
                }
                Err(rejected) => format!("{rejected:?}"),
            });
        });
        got
    }

    #[test]
    fn a_page_process_finds_the_records_that_the_program_finds() {
        let lines = b"\xef\xbb\xbf{\"html\":\"<p>one\\n\",\"extra\":{\"a\":1}}\n\n{\"id\":\"b\",\"html\":3}\n{\"path\":\"no.html\"}\n\
            {\"url\":\"http://a.example/\",\"html_base64\":\"PHA+\"}\nnot json\n{\"html\":\"\xd0\"}\n{\"html\":\"cut";
        let folder = InputFolder::new(Path::new("x/a.example"));
        for (path, folder, members, base) in [
            (None, None, None, None),
            (Some("x/a.example/pages.jsonl"), Some(folder), None, None),
            (
                Some("pages.jsonl.gz"),
                None,
                Some((Members::default(), 7)),
                Some("https://b.example/"),
            ),
        ] {
            let source = Arc::new(Source {
                name: path.unwrap_or("-").to_owned(),
                label: "pages".to_owned(),
                path: path.map(Into::into),
                kept: None,
                format: &Jsonl,
                folder: folder.map(Arc::new),
                columns: Columns::default(),
                named_files: Default::default(),
                singly: false,
            });
            let packed = members.map(|(mut members, at)| {
                members.note(0, Some(at));
                Packed { bytes: 9, members }
            });
            let body = Body::Lines {
                bytes: lines.to_vec().into(),
                open_end: true,
            };
            let chunk = Chunk {
                packed,
                ..Chunk::new(&source, 0, 1, body)
            };
            let base = base.map(|base| base.parse().unwrap());
            let addresses = Addresses {
                url: None,
                base: base.as_ref(),
            };
            let expected = visited(|visit| {
                each_page(&chunk, 1 << 20, &addresses, &mut Notes::default(), visit);
            });
            assert_eq!(expected.len(), 7);

            let (known, sent) = known(&chunk, 1 << 20, &addresses).unwrap();
            let mut buffer = [sent, b"{\"html\":\"of earlier lines\"}\n"].concat();
            let lines = PageLines {
                known: &known,
                buffer: &mut buffer,
                bytes: sent.len(),
            };
            let last = LastFile::default();
            let got = visited(|visit| {
                let read = each(
                    lines,
                    &last,
                    &AllowedRoots::default(),
                    &mut |_| panic!("they came"),
                    visit,
                );
                assert!(read.is_some());
            });
            assert_eq!(got, expected);
            assert!(buffer.len() > sent.len(), "the buffer is left behind");
            let cut = PageLines {
                known: &known[..known.len() - 1],
                buffer: &mut buffer,
                bytes: 0,
            };
            let cut = each(cut, &last, &AllowedRoots::default(), &mut |_| (), &mut |_| ());
            assert!(cut.is_none());
        }
    }
    /// Lines in a file.
    #[cfg(unix)]
    fn unsent<'l>(known: &'l [u8], buffer: &'l mut Vec<u8>) -> PageLines<'l> {
        PageLines {
            known,
            buffer,
            bytes: 0,
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_page_process_reads_lines_in_their_file_unless_it_is_another() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pages.jsonl");
        std::fs::write(
            &path,
            "{\"html\":\"<p>one\"}\nnot json\n{\"html\":\"<p>three\"}\n",
        )
        .unwrap();
        let source = Arc::new(Source {
            name: "pages.jsonl".to_owned(),
            label: String::new(),
            path: Some(path.clone()),
            kept: None,
            format: &Jsonl,
            folder: None,
            columns: Columns::default(),
            named_files: Default::default(),
            singly: false,
        });
        let bounds = Bounds {
            unread: true,
            ..Bounds::NONE
        };
        let chunk = || Jsonl.open(&source, &bounds).next().unwrap();
        let addresses = Addresses::default();
        let expected = visited(|visit| {
            each_page(&chunk(), 1 << 20, &addresses, &mut Notes::default(), visit);
        });
        assert_eq!(expected.len(), 3);
        let (chunk, last) = (chunk(), LastFile::default());
        let (known, sent) = known(&chunk, 1 << 20, &addresses).unwrap();
        assert!(sent.is_empty());
        let mut ends = Vec::new();
        let got = visited(|visit| {
            let read = each(
                unsent(&known, &mut Vec::new()),
                &last,
                &AllowedRoots::default(),
                &mut |end| ends.push(end),
                visit,
            );
            assert!(read.is_some());
        });
        assert_eq!(got, expected);
        assert_eq!(ends, [StartAt { offset: 47, line: 4 }]);

        // A process with the old file open can go on; another process detects that the file ID differs.
        std::fs::rename(&path, dir.path().join("old.jsonl")).unwrap();
        std::fs::write(&path, "{\"html\":\"<p>another\"}\n").unwrap();
        let got = visited(|visit| {
            let read = each(
                unsent(&known, &mut Vec::new()),
                &last,
                &AllowedRoots::default(),
                &mut |_| (),
                visit,
            );
            assert!(read.is_some());
        });
        assert_eq!(got, expected);
        let got = visited(|visit| {
            let read = &mut |_| panic!("it is another");
            let read = each(
                unsent(&known, &mut Vec::new()),
                &LastFile::default(),
                &AllowedRoots::default(),
                read,
                visit,
            );
            assert!(read.is_some());
        });
        assert!(got.is_empty());
    }
}
