//! ARC files, the format of archives before WARC.

use super::bytes::gzip;
use super::capture::{Capture, Http};
use super::manner::{Made, Manner};

/// How a program writes its archives.
#[derive(Clone, Copy)]
struct Writer {
    file: &'static str,
    what: &'static str,
    /// Version 1 or 2. Version 2 has more fields in the line before a record.
    version: u8,
    is_packed: bool,
    /// Whether the first record has metadata in XML, as in version 1.1.
    has_metadata: bool,
    /// Whether HTTP messages end their lines with bare newlines.
    newlines: bool,
    /// Whether an empty line stands between records.
    separated: bool,
}

/// Returns the manners of ARC files.
pub(super) fn manners() -> Vec<Manner> {
    const COMMON: Writer = Writer {
        file: "",
        what: "",
        version: 1,
        is_packed: true,
        has_metadata: false,
        newlines: false,
        separated: true,
    };
    let named = |file, what| Writer { file, what, ..COMMON };
    let rows = [
        named("crawl-1-0", "ARC 1.0 in gzip members"),
        Writer {
            is_packed: false,
            ..named("crawl-1-0-plain", "ARC 1.0, not compressed")
        },
        Writer {
            has_metadata: true,
            ..named("crawl-1-1", "ARC 1.1 with metadata of the crawler")
        },
        Writer {
            has_metadata: true,
            is_packed: false,
            ..named("crawl-1-1-plain", "ARC 1.1, not compressed")
        },
        Writer {
            version: 2,
            ..named("crawl-2-0", "ARC 2.0, with more fields")
        },
        Writer {
            newlines: true,
            ..named(
                "crawl-newlines",
                "messages with bare newlines, as servers of the time sent them",
            )
        },
        Writer {
            separated: false,
            is_packed: false,
            ..named("crawl-joined", "no empty line between records")
        },
    ];
    rows.into_iter().map(manner).collect()
}

/// The manner of a writer.
fn manner(writer: Writer) -> Manner {
    Manner {
        file: format!("{}.arc{}", writer.file, if writer.is_packed { ".gz" } else { "" }),
        what: writer.what,
        write: Box::new(move |captures| Ok(archive(writer, captures))),
    }
}

/// Returns an archive of captures in the manner of `writer`.
fn archive(writer: Writer, captures: &[Capture]) -> Made {
    let metadata = match writer.has_metadata {
        true => {
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<arcmetadata><software>Heritrix 1.14.4</software></arcmetadata>\n"
        }
        false => "",
    };
    let (fields, names) = match writer.version {
        1 => (
            "1 0 InternetArchive",
            "URL IP-address Archive-date Content-type Archive-length",
        ),
        _ => (
            "2 0 InternetArchive",
            "URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length",
        ),
    };
    let fields = match writer.has_metadata {
        // Version 1.1 has the fields of version 1.0.
        true => "1 1 InternetArchive",
        false => fields,
    };
    // The first record describes the file: its version, the names of the fields, and metadata.
    let about = format!("{fields}\n{names}\n{metadata}");
    let name = format!("filedesc://{}.arc", writer.file);
    let more = match writer.version {
        1 => String::new(),
        _ => format!(" 200 - - 0 {}.arc", writer.file),
    };
    let mut records = vec![
        format!(
            "{name} 0.0.0.0 20050102030405 text/plain{more} {}\n{about}",
            about.len()
        )
        .into_bytes(),
    ];
    // Captures that are not pages follow. A reader must skip them.
    let others = captures.first().map(|first| Capture::others(first.host()));
    for capture in captures.iter().chain(others.iter().flatten()) {
        let http = Http {
            line_end: if writer.newlines { "\n" } else { "\r\n" },
            ..Http::PLAIN
        };
        let message = capture.message(&http);
        // The line before a record has the type without its parameters.
        let kind = capture.content_type.split(';').next().unwrap_or_default();
        let status = capture.status.split(' ').next().unwrap_or_default();
        let more = match writer.version {
            1 => String::new(),
            _ => format!(" {status} - - 0 {}.arc", writer.file),
        };
        let second = capture.second;
        let head = format!(
            "{} 192.0.2.1 200501020304{second:02} {kind}{more} {}\n",
            capture.url,
            message.len()
        );
        let mut record = head.into_bytes();
        record.extend(message);
        records.push(record);
    }
    if writer.separated {
        records.iter_mut().for_each(|record| record.push(b'\n'));
    }
    Made {
        bytes: match writer.is_packed {
            true => records.iter().flat_map(|record| gzip(record)).collect(),
            false => records.concat(),
        },
        pages: captures.iter().map(|capture| capture.url.clone()).collect(),
    }
}
