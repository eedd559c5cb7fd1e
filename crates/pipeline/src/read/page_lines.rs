//! Lines of JSON on their way to a page process, which reads the records in them: what it has to know of them beside their bytes.

use std::borrow::Cow;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::page_process::PageLines;
use crate::read::address::Addresses;
use crate::read::chunk::{Body, Chunk, Packed, Source};
use crate::read::columns::Columns;
use crate::read::compression::Members;
use crate::read::format::{Jsonl, read_span};
use crate::read::input_folder::InputFolder;
use crate::read::line_buffers::LineBytes;
use crate::read::records::{Notes, Visited, each_page};
use crate::read::span::{FileId, PlainFile};
use crate::record::mend::LineNotes;
use crate::record::{PageRecord, StartAt};

/// What is known of a chunk of lines, and all that decides how its records are read.
#[derive(Serialize, Deserialize)]
struct Known<'a> {
    name: &'a str,
    label: &'a str,
    path: Option<&'a Path>,
    /// The folder that was named as input: where it is, and its names.
    #[serde(borrow)]
    folder: Option<(&'a Path, Vec<&'a [u8]>)>,
    lines: Place,
    columns: Cow<'a, Columns>,
    page_bytes: usize,
    url: Option<&'a str>,
    base: Option<&'a str>,
}

/// Where the lines are.
#[derive(Serialize, Deserialize)]
enum Place {
    /// They come.
    Here {
        start: StartAt,
        feeds: Vec<usize>,
        open_end: bool,
        members: Option<Members>,
    },
    /// In the file of this name if it is still that one: those that begin from `start` on and before `until`.
    File {
        id: FileId,
        start: StartAt,
        until: u64,
        most: usize,
    },
}

/// What a page process must know of the lines of a chunk, and the lines unless they lie in a file; `None` if it has none that could be read
/// there.
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
    // Of names of files not all can be sent.
    Some((postcard::to_stdvec(&known).ok()?, bytes))
}

/// The file that a page process has read lines of, which is most often that of the next lines, too.
#[derive(Default)]
pub(crate) struct LastFile(RefCell<Option<Rc<PlainFile>>>);

impl LastFile {
    /// The file of this name, if it is that one.
    fn open(&self, path: Option<&Path>, id: FileId) -> Option<Rc<PlainFile>> {
        let is_it = |file: &Rc<PlainFile>| file.id() == id;
        let mut last = self.0.borrow_mut();
        if !last.as_ref().is_some_and(is_it) {
            *last = PlainFile::open(path?).map(Rc::new);
        }
        last.clone().filter(is_it)
    }
}

/// Visits every page of the lines; `read` is told before where lines end that were read in a file, and not called if they are not there. Returns
/// the notes on the lines, or `None` if what is known of them could not be read. The buffer of lines that came is left behind, with any bytes.
pub(crate) fn each(
    lines: PageLines<'_>,
    last: &LastFile,
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
        singly: false,
    });
    let addresses = Addresses {
        url: known.url,
        base: base.as_ref(),
    };
    // What stands in lines is a page or rejected: nothing is passed over.
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
            let got =
                visited(|visit| assert!(each(lines, &last, &mut |_| panic!("they came"), visit).is_some()));
            assert_eq!(got, expected);
            assert!(buffer.len() > sent.len(), "the buffer is left behind");
            let cut = PageLines {
                known: &known[..known.len() - 1],
                buffer: &mut buffer,
                bytes: 0,
            };
            assert!(each(cut, &last, &mut |_| (), &mut |_| ()).is_none());
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
            assert!(
                each(
                    unsent(&known, &mut Vec::new()),
                    &last,
                    &mut |end| ends.push(end),
                    visit
                )
                .is_some()
            );
        });
        assert_eq!(got, expected);
        assert_eq!(ends, [StartAt { offset: 47, line: 4 }]);

        // A process that has the file open goes on with it; another finds that it is not that one.
        std::fs::rename(&path, dir.path().join("old.jsonl")).unwrap();
        std::fs::write(&path, "{\"html\":\"<p>another\"}\n").unwrap();
        let got = visited(|visit| {
            assert!(each(unsent(&known, &mut Vec::new()), &last, &mut |_| (), visit).is_some())
        });
        assert_eq!(got, expected);
        let got = visited(|visit| {
            let read = &mut |_| panic!("it is another");
            assert!(each(unsent(&known, &mut Vec::new()), &LastFile::default(), read, visit).is_some());
        });
        assert!(got.is_empty());
    }
}
