//! Lines of JSON on their way to a page process, which reads the records in them: what it has to know of them beside their bytes.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::page_process::PageLines;
use crate::read::address::Addresses;
use crate::read::chunk::{Body, Chunk, Packed, Source};
use crate::read::columns::Columns;
use crate::read::compression::Members;
use crate::read::format::Jsonl;
use crate::read::input_folder::InputFolder;
use crate::read::line_buffers::LineBytes;
use crate::read::records::{SkippedRecords, Visited, each_page};
use crate::record::PageRecord;

/// What is known of a chunk of lines, and all that decides how its records are read.
#[derive(Serialize, Deserialize)]
struct Known<'a> {
    name: &'a str,
    label: &'a str,
    path: Option<&'a Path>,
    /// The folder that was named as input: where it is, and its names.
    #[serde(borrow)]
    folder: Option<(&'a Path, Vec<&'a [u8]>)>,
    offset: u64,
    line: u64,
    feeds: Vec<usize>,
    open_end: bool,
    members: Option<Members>,
    page_bytes: usize,
    url: Option<&'a str>,
    base: Option<&'a str>,
}

/// What a page process must know of the lines of a chunk, and the lines; `None` if it has none that could be read there.
pub(super) fn known<'c>(
    chunk: &'c Chunk,
    page_bytes: usize,
    addresses: &Addresses<'_>,
) -> Option<(Vec<u8>, &'c [u8])> {
    let Body::Lines { bytes, open_end } = &chunk.body else {
        return None;
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
        offset: chunk.offset,
        line: chunk.line,
        feeds: bytes.feeds().to_vec(),
        open_end: *open_end,
        members: chunk.packed.as_ref().map(|packed| packed.members.clone()),
        page_bytes,
        url: addresses.url,
        base: addresses.base.map(|base| base.as_str()),
    };
    // Of names of files not all can be sent.
    Some((postcard::to_stdvec(&known).ok()?, bytes))
}

/// Visits every page of the lines; tells whether what is known of them could be read. Their buffer is left behind, with any bytes.
pub(crate) fn each(lines: PageLines<'_>, visit: &mut dyn FnMut(Visited<'_, PageRecord<'_>>)) -> bool {
    let PageLines { known, buffer, bytes } = lines;
    let Ok(known) = postcard::from_bytes::<Known<'_>>(known) else {
        return false;
    };
    let Ok(base) = known.base.map(str::parse).transpose() else {
        return false;
    };
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
        columns: Columns::default(),
        singly: false,
    });
    let bytes = LineBytes::first(bytes, std::mem::take(buffer), known.feeds);
    let chunk = Chunk {
        packed: known.members.map(|members| Packed { bytes: 0, members }),
        ..Chunk::new(
            &source,
            known.offset,
            known.line,
            Body::Lines {
                bytes,
                open_end: known.open_end,
            },
        )
    };
    let addresses = Addresses {
        url: known.url,
        base: base.as_ref(),
    };
    // What stands in lines is a page or rejected: nothing is passed over.
    each_page(
        &chunk,
        known.page_bytes,
        &addresses,
        &mut SkippedRecords::new(),
        visit,
    );
    if let Body::Lines { bytes, .. } = chunk.body {
        *buffer = bytes.into_buffer();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

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
                each_page(&chunk, 1 << 20, &addresses, &mut SkippedRecords::new(), visit);
            });
            assert_eq!(expected.len(), 7);

            let (known, sent) = known(&chunk, 1 << 20, &addresses).unwrap();
            let mut buffer = [sent, b"{\"html\":\"of earlier lines\"}\n"].concat();
            let lines = PageLines {
                known: &known,
                buffer: &mut buffer,
                bytes: sent.len(),
            };
            let got = visited(|visit| assert!(each(lines, visit)));
            assert_eq!(got, expected);
            assert!(buffer.len() > sent.len(), "the buffer is left behind");
            let cut = PageLines {
                known: &known[..known.len() - 1],
                buffer: &mut buffer,
                bytes: 0,
            };
            assert!(!each(cut, &mut |_| ()));
        }
    }
}
