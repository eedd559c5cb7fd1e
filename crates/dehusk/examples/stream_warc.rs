//! A WARC file is read as its bytes arrive: from a socket, an object store or a pipe, in pieces of any size.
//!
//! The reader opens nothing and waits for nothing. The program pushes bytes, and the reader calls back with
//! every record that is complete. Memory holds one record at a time, whatever the size of the archive.
//!
//! Crawl archives are rarely without damage. The reader reports each damage with its place, and goes on
//! with the next record: here, garbage between two members costs 7 bytes and no page. [`http::message`]
//! then splits a response into head and body, and undoes `Transfer-Encoding` and `Content-Encoding` within
//! limits.
//!
//! `cargo run -p dehusk --features archive --example stream_warc`

use std::error::Error;
use std::io::{self, Write};

use dehusk::archive::{Event, Limits, Reader, RecordKind, Start, http};
use dehusk::extract::{Options, Page, PageExtractor};
use flate2::{Compression, write::GzEncoder};

/// Makes one gzip member with the response to a request for `url`, as crawlers write it.
fn member(url: &str, html: &str) -> io::Result<Vec<u8>> {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}");
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    write!(gzip, "{head}{block}\r\n\r\n")?;
    gzip.finish()
}

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut archive = member(
        "http://news.example/flood",
        "<title>Flood</title><nav><a href=/>Home</a></nav><p>The river rose in the night, and by noon it had left its bed.",
    )?;
    archive.extend_from_slice(b"garbage");
    archive.extend(member(
        "http://news.example/market",
        "<title>Market</title><nav><a href=/>Home</a></nav><p>Apples are cheap this week, says the baker on the corner.",
    )?);

    let limits = Limits::default();
    let mut pages = PageExtractor::new(&Options::default());
    let mut lines = Vec::new();
    let mut visit = |event: Event<'_>| match event {
        Event::Record(record) if record.head.kind() == RecordKind::Response => {
            let message = http::message(record.block, limits);
            let (url, kind) = (record.head.target_uri(), message.head.content_type());
            let page = Page::new(&message.body)
                .with_url(url.as_deref())
                .with_content_type(kind.as_deref());
            let document = pages.extract(&page);
            let title = document.metadata.title.unwrap_or_default();
            lines.push(format!("{title} ({})", url.unwrap_or_default()));
            lines.push(format!("  {}", document.text.trim()));
        }
        Event::Damage(damage) => lines.push(format!("damage: {damage}")),
        // Requests, metadata and other kinds of records.
        _ => {}
    };
    let mut reader = Reader::new(Start::at(0), limits);
    // The size of the pieces does not show in the events.
    for piece in archive.chunks(64) {
        reader.push(piece, &mut visit);
    }
    reader.finish(&mut visit);
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}
