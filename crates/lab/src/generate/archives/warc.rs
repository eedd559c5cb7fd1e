//! WARC files (ISO 28500) and the texts in WET files, as different programs write them.

use dehusk_pipeline::Error;

use super::bytes::{self, gzip};
use super::capture::{Capture, Coding, Http};
use super::manner::{Made, Manner};

/// How a program writes its archives.
#[derive(Clone, Copy)]
struct Writer {
    /// Name of the file, without extensions.
    file: &'static str,
    /// What is special about the file.
    what: &'static str,
    version: &'static str,
    line_end: &'static str,
    form: Form,
    digest: Digest,
    http: Http,
    /// Value of `software` in the first record; `None` for a file without such a record.
    software: Option<&'static str>,
    /// Whether addresses are in angle brackets.
    brackets: bool,
    /// Whether names of fields are in lower case.
    lower_case: bool,
    /// Whether there are also records of requests and metadata, and captures that are not pages.
    others: bool,
    kind: Kind,
    /// Content type that servers state for pages; `None` for HTML with its charset.
    page_type: Option<&'static str>,
    flaw: Flaw,
}

/// The most common form. Rows of the table change some of its fields.
const COMMON: Writer = Writer {
    file: "",
    what: "",
    version: "WARC/1.0",
    line_end: "\r\n",
    form: Form::GzipMembers,
    digest: Digest::Base32,
    http: Http::PLAIN,
    software: Some("crawler/1.0"),
    brackets: false,
    lower_case: false,
    others: true,
    kind: Kind::Response,
    page_type: None,
    flaw: Flaw::None,
};

/// How the records are compressed.
#[derive(Clone, Copy)]
enum Form {
    Plain,
    /// Each record is a gzip member.
    GzipMembers,
    /// The file is one gzip member.
    GzipWhole,
    /// Each record is a zstd frame.
    Zstd,
    /// Each record is a zstd frame made with the dictionary in the first frame.
    ZstdDictionary,
}

/// Digests of blocks and payloads.
#[derive(Clone, Copy)]
enum Digest {
    None,
    Base32,
    Hex,
    Sha256,
    /// Of the payload alone.
    PayloadOnly,
}

/// The kind of record that holds a page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Response,
    /// The page alone, without an HTTP message.
    Resource,
    /// The text of a page, as in WET files.
    Conversion,
}

/// A flaw of the archive. All pages can still be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flaw {
    None,
    /// The digest of a block belongs to another block, as in archives that were copied from others.
    BlockDigest,
    /// Only one empty line follows a record.
    OneEmptyLine,
    /// Zeros follow the last record.
    Zeros,
    /// A record that is not a page states a wrong length.
    OtherLength,
    /// The type of HTTP messages lacks its parameter.
    BareType,
    /// Fields are folded, have no space after their colon, or occur twice.
    Fields,
}

/// Returns the manners of WARC and WET files.
pub(super) fn manners() -> Vec<Manner> {
    let http = |coding| Http {
        coding,
        ..Http::PLAIN
    };
    let named = |file, what| Writer { file, what, ..COMMON };
    let rows = [
        // Forms of compression.
        named("members", "a gzip member a record"),
        Writer {
            form: Form::Plain,
            ..named("plain", "not compressed")
        },
        Writer {
            form: Form::GzipWhole,
            ..named("whole", "one gzip member for all records")
        },
        Writer {
            form: Form::Zstd,
            ..named("zstd", "a zstd frame a record")
        },
        Writer {
            form: Form::ZstdDictionary,
            ..named("zstd-dictionary", "zstd frames with a dictionary in the file")
        },
        Writer {
            // Programs of different times wrote different versions of the format.
            version: "WARC/0.17",
            ..named("version-0-17", "the draft of 2008")
        },
        Writer {
            version: "WARC/0.18",
            digest: Digest::None,
            ..named("version-0-18", "the last draft, without digests")
        },
        Writer {
            version: "WARC/0.18",
            form: Form::Plain,
            ..named("version-0-18-plain", "the last draft, not compressed")
        },
        Writer {
            version: "WARC/1.1",
            digest: Digest::Sha256,
            ..named("version-1-1", "WARC 1.1 with SHA-256")
        },
        Writer {
            brackets: true,
            software: Some("Wget/1.14 (linux-gnu)"),
            ..named(
                "brackets",
                "addresses in angle brackets, as early Wget wrote them",
            )
        },
        Writer {
            brackets: true,
            form: Form::Plain,
            digest: Digest::PayloadOnly,
            ..named("brackets-plain", "addresses in angle brackets, not compressed")
        },
        Writer {
            lower_case: true,
            ..named("lower-case", "names of fields in lower case")
        },
        Writer {
            digest: Digest::Hex,
            ..named("digest-hex", "digests in hexadecimal digits")
        },
        Writer {
            digest: Digest::PayloadOnly,
            ..named("digest-payload", "a digest of the payload alone")
        },
        Writer {
            digest: Digest::None,
            software: None,
            others: false,
            ..named("bare", "nothing but responses")
        },
        Writer {
            digest: Digest::None,
            software: None,
            others: false,
            form: Form::Plain,
            ..named("bare-plain", "nothing but responses, not compressed")
        },
        Writer {
            software: Some("Heritrix/1.14.4 http://crawler.archive.org"),
            version: "WARC/0.17",
            form: Form::GzipMembers,
            ..named("heritrix-1", "the crawler of web archives until 2010")
        },
        Writer {
            software: Some("Heritrix/3.4.0 http://crawler.archive.org"),
            ..named("heritrix-3", "the crawler of web archives since")
        },
        Writer {
            software: Some("Browsertrix-Crawler 1.5"),
            version: "WARC/1.1",
            digest: Digest::Sha256,
            http: Http {
                version: "HTTP/1.1",
                coding: Coding::ChunkedNamed,
                ..Http::PLAIN
            },
            ..named("browser", "a crawler in a browser, which joins chunks")
        },
        Writer {
            http: Http {
                version: "HTTP/2",
                has_reason: false,
                lower_case: true,
                ..Http::PLAIN
            },
            ..named("http-2", "HTTP/2 without reasons")
        },
        Writer {
            http: Http {
                version: "HTTP/3",
                has_reason: false,
                lower_case: true,
                has_length: false,
                ..Http::PLAIN
            },
            ..named("http-3", "HTTP/3 without lengths")
        },
        Writer {
            http: Http {
                version: "HTTP/1.0",
                has_length: false,
                ..Http::PLAIN
            },
            ..named("http-1-0", "HTTP/1.0 without lengths")
        },
        Writer {
            http: Http {
                line_end: "\n",
                ..Http::PLAIN
            },
            ..named("http-newlines", "HTTP messages with bare newlines")
        },
        Writer {
            http: Http {
                has_reason: false,
                ..Http::PLAIN
            },
            ..named("no-reason", "status lines without reasons")
        },
        Writer {
            http: http(Coding::Gzip),
            ..named("coding-gzip", "bodies in gzip")
        },
        Writer {
            http: http(Coding::GzipNamed),
            ..named("coding-gzip-named", "bodies decoded, fields as they were sent")
        },
        Writer {
            http: http(Coding::Chunked),
            ..named("coding-chunked", "bodies in chunks")
        },
        Writer {
            http: http(Coding::ChunkedNamed),
            ..named("coding-chunked-named", "bodies joined, fields as they were sent")
        },
        Writer {
            http: http(Coding::ChunkedGzip),
            ..named("coding-both", "bodies in gzip and chunks")
        },
        Writer {
            http: http(Coding::ChunkedGzip),
            form: Form::Plain,
            ..named("coding-both-plain", "bodies in gzip and chunks, not compressed")
        },
        Writer {
            http: http(Coding::Gzip),
            form: Form::Zstd,
            ..named("coding-gzip-zstd", "bodies in gzip, in zstd frames")
        },
        Writer {
            line_end: "\n",
            form: Form::Plain,
            ..named("newlines", "bare newlines in the heads of records")
        },
        Writer {
            kind: Kind::Resource,
            ..named("resources", "pages without HTTP messages")
        },
        Writer {
            kind: Kind::Resource,
            version: "WARC/1.1",
            form: Form::Plain,
            ..named("resources-plain", "pages without HTTP messages, not compressed")
        },
        Writer {
            flaw: Flaw::BlockDigest,
            ..named("copied", "digests of blocks from before the archive was copied")
        },
        Writer {
            flaw: Flaw::OneEmptyLine,
            ..named("one-empty-line", "one empty line between records")
        },
        Writer {
            flaw: Flaw::OneEmptyLine,
            form: Form::Plain,
            ..named(
                "one-empty-line-plain",
                "one empty line between records, not compressed",
            )
        },
        Writer {
            flaw: Flaw::Zeros,
            form: Form::Plain,
            ..named("zeros", "zeros behind the last record")
        },
        Writer {
            flaw: Flaw::OtherLength,
            ..named("wrong-length", "a wrong length of a record that is no page")
        },
        Writer {
            flaw: Flaw::BareType,
            ..named("bare-type", "application/http without a parameter")
        },
        Writer {
            flaw: Flaw::Fields,
            ..named(
                "fields",
                "folded fields, fields without a space, fields that occur twice",
            )
        },
        Writer {
            flaw: Flaw::Fields,
            form: Form::Plain,
            lower_case: true,
            ..named("fields-plain", "the same, not compressed, in lower case")
        },
        Writer {
            kind: Kind::Conversion,
            others: false,
            ..named("texts", "texts of pages (WET)")
        },
        Writer {
            kind: Kind::Conversion,
            others: false,
            form: Form::Plain,
            ..named("texts-plain", "texts of pages (WET), not compressed")
        },
        Writer {
            page_type: Some("unknown"),
            ..named("type-unknown", "pages whose servers state no known type")
        },
        Writer {
            page_type: Some("text/htm"),
            ..named("type-htm", "pages whose servers misspell their type")
        },
        Writer {
            page_type: Some("application/xhtml+xml"),
            ..named("type-xhtml", "pages in XHTML")
        },
    ];
    rows.into_iter().map(manner).collect()
}

/// The manner of a writer.
fn manner(writer: Writer) -> Manner {
    let stem = match writer.kind {
        Kind::Conversion => format!("{}.warc.wet", writer.file),
        Kind::Response | Kind::Resource => format!("{}.warc", writer.file),
    };
    let extension = match writer.form {
        Form::Plain => "",
        Form::GzipMembers | Form::GzipWhole => ".gz",
        Form::Zstd | Form::ZstdDictionary => ".zst",
    };
    Manner {
        file: format!("{stem}{extension}"),
        what: writer.what,
        write: Box::new(move |captures| archive(&writer, captures)),
    }
}

/// Writes pages as an archive in gzip members, for files that contain such archives.
pub(super) fn members(captures: &[Capture]) -> Result<Vec<u8>, Error> {
    Ok(archive(&COMMON, captures)?.bytes)
}

/// Returns an archive of captures in the manner of `writer`.
fn archive(writer: &Writer, captures: &[Capture]) -> Result<Made, Error> {
    let mut records = Vec::new();
    if let Some(software) = writer.software {
        let about = format!("software: {software}\r\nformat: WARC File Format 1.0\r\nrobots: obey\r\n");
        records.push(record(
            writer,
            "warcinfo",
            None,
            "application/warc-fields",
            about.as_bytes(),
        ));
    }
    for capture in captures {
        if writer.others {
            let request = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", capture.host());
            let kind = "application/http; msgtype=request";
            records.push(record(writer, "request", Some(capture), kind, request.as_bytes()));
        }
        // Only the stated type changes; the body stays HTML.
        let content_type = writer.page_type.unwrap_or(capture.content_type);
        let capture = &Capture {
            content_type,
            ..capture.clone()
        };
        records.push(page(writer, capture));
        if writer.others {
            let about = b"fetchTimeMs: 100\r\n";
            records.push(record(
                writer,
                "metadata",
                Some(capture),
                "application/warc-fields",
                about,
            ));
        }
    }
    if writer.others
        && let Some(first) = captures.first()
    {
        let others = Capture::others(first.host());
        // A page without an HTTP message has no status, so redirects and errors cannot be stored in this
        // form.
        let stored = |other: &&Capture| writer.kind != Kind::Resource || other.status == "200 OK";
        records.extend(others.iter().filter(stored).map(|other| page(writer, other)));
        // A capture that equals an earlier one is stored as a revisit, without its body.
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
        records.push(record(
            writer,
            "revisit",
            Some(first),
            "application/http; msgtype=response",
            head,
        ));
    }
    if writer.flaw == Flaw::Zeros {
        records.push(vec![0; 512]);
    }
    let bytes = match writer.form {
        Form::Plain => records.concat(),
        Form::GzipMembers => records.iter().flat_map(|record| gzip(record)).collect(),
        Form::GzipWhole => gzip(&records.concat()),
        Form::Zstd => frames(&records, &[])?,
        Form::ZstdDictionary => {
            // All pages begin with these bytes.
            let dictionary = b"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Notes on </title></head>";
            let mut bytes = bytes::dictionary_frame(dictionary);
            bytes.extend(frames(&records, dictionary)?);
            bytes
        }
    };
    Ok(Made {
        bytes,
        pages: captures.iter().map(|capture| capture.url.clone()).collect(),
    })
}

/// Compresses each record to a zstd frame.
fn frames(records: &[Vec<u8>], dictionary: &[u8]) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    for record in records {
        bytes.extend(bytes::zstd(record, dictionary)?);
    }
    Ok(bytes)
}

/// Returns the record of a capture.
fn page(writer: &Writer, capture: &Capture) -> Vec<u8> {
    match writer.kind {
        Kind::Response => {
            let kind = match writer.flaw {
                Flaw::BareType => "application/http",
                _ => "application/http; msgtype=response",
            };
            let message = capture.message(&writer.http);
            record(writer, "response", Some(capture), kind, &message)
        }
        Kind::Resource => record(
            writer,
            "resource",
            Some(capture),
            capture.content_type,
            &capture.body,
        ),
        Kind::Conversion => {
            let markup = String::from_utf8_lossy(&capture.body);
            record(
                writer,
                "conversion",
                Some(capture),
                "text/plain",
                without_tags(&markup).as_bytes(),
            )
        }
    }
}

/// The text of markup without attributes that contain `>`.
fn without_tags(markup: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for c in markup.chars() {
        match c {
            '<' => is_tag = true,
            '>' => is_tag = false,
            _ if !is_tag => text.push(c),
            _ => {}
        }
    }
    text
}

/// Returns a record with its header. Without a capture, it is the record that describes the file.
fn record(
    writer: &Writer,
    kind: &str,
    capture: Option<&Capture>,
    content_type: &str,
    block: &[u8],
) -> Vec<u8> {
    let url = capture.map_or("", |capture| &capture.url);
    // The id follows from kind and address, so all records of an archive have different ids.
    let id = bytes::sha1_hex(format!("{kind} {url}").as_bytes());
    // The digits have the layout of a random UUID.
    let id = format!(
        "{}-{}-4{}-8{}-{}",
        &id[..8],
        &id[8..12],
        &id[13..16],
        &id[17..20],
        &id[20..32]
    );
    let second = capture.map_or(0, |capture| capture.second);
    let mut fields = vec![
        ("WARC-Type", kind.to_owned()),
        ("WARC-Record-ID", format!("<urn:uuid:{id}>")),
        ("WARC-Date", format!("2019-03-14T09:26:{second:02}Z")),
    ];
    if capture.is_some() {
        let url = match writer.brackets {
            true => format!("<{url}>"),
            false => url.to_owned(),
        };
        fields.push(("WARC-Target-URI", url));
    } else {
        fields.push(("WARC-Filename", writer.file.to_owned()));
    }
    digests(writer, kind, block, &mut fields);
    fields.push(("Content-Type", content_type.to_owned()));
    // One byte more than the block: a reader that trusts it starts the next record one byte too late.
    let is_wrong = writer.flaw == Flaw::OtherLength && kind == "metadata";
    fields.push((
        "Content-Length",
        (block.len() + usize::from(is_wrong)).to_string(),
    ));
    let mut head = format!("{}{}", writer.version, writer.line_end);
    for (number, (name, value)) in fields.iter().enumerate() {
        let name = match writer.lower_case {
            true => name.to_lowercase(),
            false => (*name).to_owned(),
        };
        // Every second field has no space after its colon.
        let colon = match writer.flaw == Flaw::Fields && number % 2 == 1 {
            true => ":",
            false => ": ",
        };
        head.push_str(&format!("{name}{colon}{value}{}", writer.line_end));
    }
    if writer.flaw == Flaw::Fields {
        // The first of these fields is folded, and the second occurs twice.
        let end = writer.line_end;
        head.push_str(&format!(
            "WARC-Json-Metadata: {{\"a\":{end}\t1}}{end}X-Seen: 1{end}X-Seen: 2{end}"
        ));
    }
    head.push_str(writer.line_end);
    let mut record = head.into_bytes();
    record.extend(block);
    let empty_lines = match writer.flaw {
        Flaw::OneEmptyLine => 1,
        _ => 2,
    };
    record.extend(writer.line_end.repeat(empty_lines).as_bytes());
    record
}

/// Adds the fields of digests.
fn digests(writer: &Writer, kind: &str, block: &[u8], fields: &mut Vec<(&'static str, String)>) {
    let digest = |bytes: &[u8]| match writer.digest {
        Digest::Hex => format!("sha1:{}", bytes::sha1_hex(bytes)),
        Digest::Sha256 => format!("sha256:{}", bytes::sha256_hex(bytes)),
        Digest::None | Digest::Base32 | Digest::PayloadOnly => format!("sha1:{}", bytes::sha1_base32(bytes)),
    };
    if matches!(writer.digest, Digest::Base32 | Digest::Hex | Digest::Sha256) {
        let of_block = match writer.flaw == Flaw::BlockDigest {
            true => digest(b"as it was before the copy"),
            false => digest(block),
        };
        fields.push(("WARC-Block-Digest", of_block));
    }
    // The payload of a message is its body as it was sent, before decoding.
    let end = block.windows(4).position(|bytes| bytes == b"\r\n\r\n");
    if kind == "response"
        && !matches!(writer.digest, Digest::None)
        && let Some(end) = end
    {
        fields.push(("WARC-Payload-Digest", digest(&block[end + 4..])));
    }
}
