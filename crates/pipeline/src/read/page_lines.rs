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
    let Ok(known) = postcard::from_bytes::<Known<'_>>(lines.known) else {
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
    let bytes = LineBytes::first(lines.bytes, std::mem::take(lines.buffer), known.feeds);
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
        *lines.buffer = bytes.into_buffer();
    }
    true
}
