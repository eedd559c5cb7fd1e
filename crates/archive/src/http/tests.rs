use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

use super::*;

const PAGE: &[u8] = b"<p>a page that says the same, a page that says the same</p>";

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn best(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn zlib(plain: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

fn raw(plain: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

/// Returns a message with these fields and this body.
fn sent(fields: &str, body: &[u8]) -> Vec<u8> {
    [format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n").as_bytes(), body].concat()
}

fn chunks(body: &[u8], length: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for chunk in body.chunks(length) {
        bytes.extend(format!("{:X};x=y\r\n", chunk.len()).as_bytes());
        bytes.extend([chunk, b"\r\n"].concat());
    }
    bytes.extend(b"0\r\nTrailer: x\r\n\r\n");
    bytes
}

fn expect(block: &[u8], body: &[u8], problems: &[Problem]) {
    let message = message(block, Limits::default().with_block(1 << 16));
    assert_eq!(message.problems, problems, "{}", String::from_utf8_lossy(block));
    assert_eq!(
        String::from_utf8_lossy(&message.body),
        String::from_utf8_lossy(body)
    );
}

#[test]
fn codings_are_undone_in_their_order() {
    expect(&sent("Content-Encoding: gzip", &gzip(PAGE)), PAGE, &[]);
    expect(
        &sent("content-encoding:x-gzip", &[gzip(b"<p>"), gzip(b"x")].concat()),
        b"<p>x",
        &[],
    );
    expect(&sent("Content-Encoding: deflate", &zlib(PAGE)), PAGE, &[]);
    expect(&sent("Content-Encoding: deflate", &raw(PAGE)), PAGE, &[]);
    expect(&sent("Content-Encoding: identity", PAGE), PAGE, &[]);
    expect(&sent("Transfer-Encoding: chunked", &chunks(PAGE, 7)), PAGE, &[]);
    let both = chunks(&gzip(&zlib(PAGE)), 9);
    expect(
        &sent(
            "Content-Encoding: deflate, gzip\r\nTransfer-Encoding: Chunked",
            &both,
        ),
        PAGE,
        &[],
    );
    expect(
        &sent("Transfer-Encoding: gzip, chunked", &chunks(&gzip(PAGE), 9)),
        PAGE,
        &[],
    );
}

#[cfg(feature = "brotli")]
#[test]
fn brotli_is_undone() {
    // A stored block of brotli: window of 16 bits, last-but-one metablock of 3 bytes, an empty last one.
    let body = [0x20, 0x00, 0x10, b'a', b'b', b'c', 0x03];
    expect(&sent("Content-Encoding: br", &body), b"abc", &[]);
    expect(
        &sent("Content-Encoding: br", &body[..5]),
        b"ab",
        &[Problem::CutBody],
    );
    expect(
        &sent("Content-Encoding: br", b"<p>text"),
        b"<p>text",
        &[Problem::FalseCoding],
    );
}

#[cfg(feature = "zstd")]
#[test]
fn zstd_is_undone() {
    let mut body = vec![0; 200];
    let length = zstd_safe::compress(body.as_mut_slice(), PAGE, 3).unwrap();
    body.truncate(length);
    expect(&sent("Content-Encoding: zstd", &body), PAGE, &[]);
    expect(
        &sent("Content-Encoding: zstd", &[body.clone(), body].concat()),
        &[PAGE, PAGE].concat(),
        &[],
    );
    expect(
        &sent("Content-Encoding: zstd", PAGE),
        PAGE,
        &[Problem::FalseCoding],
    );
}

#[test]
fn lies_leave_the_bytes_as_they_are() {
    use Problem::*;
    expect(&sent("Content-Encoding: gzip", PAGE), PAGE, &[FalseCoding]);
    expect(&sent("Content-Encoding: deflate", PAGE), PAGE, &[FalseCoding]);
    expect(&sent("Content-Encoding: utf-8", PAGE), PAGE, &[UnknownCoding]);
    expect(
        &sent("Content-Encoding: gzip, gzip", &gzip(PAGE)),
        PAGE,
        &[FalseCoding],
    );
    expect(&sent("Transfer-Encoding: chunked", PAGE), PAGE, &[FalseCoding]);
    expect(
        &sent(
            "Transfer-Encoding: chunked\r\nContent-Encoding: gzip",
            &gzip(PAGE),
        ),
        PAGE,
        &[FalseCoding],
    );
    expect(
        &sent("Content-Encoding: gzip,gzip,gzip,gzip,gzip", PAGE),
        PAGE,
        &[TooManyCodings],
    );
    expect(&sent("Content-Encoding: gzip", b""), b"", &[]);
}

#[test]
fn what_is_cut_or_broken_is_kept_so_far() {
    use Problem::*;
    let page: Vec<u8> = (0..3000_u32)
        .flat_map(|n| (n * n).to_string().into_bytes())
        .collect();
    let coded = gzip(&page);
    let cut = message(
        &sent("Content-Encoding: gzip", &coded[..coded.len() / 2]),
        Limits::default(),
    )
    .body
    .into_owned();
    assert!(cut.len() > 1000 && page.starts_with(&cut));
    expect(
        &sent("Content-Encoding: gzip", &coded[..coded.len() / 2]),
        &cut,
        &[CutBody],
    );
    let mut false_sum = coded.clone();
    let at = coded.len() - 5;
    false_sum[at] ^= 1;
    expect(&sent("Content-Encoding: gzip", &false_sum), &page, &[BadCoding]);
    expect(&sent("Content-Length: 9", b"abc"), b"abc", &[CutBody]);
    expect(&sent("Content-Length: 2", b"abc"), b"abc", &[LongBody]);
    expect(
        &sent(
            "Transfer-Encoding: chunked",
            b"3\r\nabc\r\nffffffffffffffffff\r\nx",
        ),
        b"abcx",
        &[CutBody],
    );
    expect(
        &sent("Transfer-Encoding: chunked", b"3\r\nabc\r\nzz\r\nx"),
        b"abc",
        &[BadChunks],
    );
    expect(
        &sent("Transfer-Encoding: chunked", b"3\r\nabc\r\n"),
        b"abc",
        &[CutBody],
    );
    expect(&sent("Transfer-Encoding: chunked", b"3\nabc\n0\n\n"), b"abc", &[]);
}

#[test]
fn bodies_that_are_too_large_are_cut() {
    use Problem::*;
    let long = vec![b'a'; (1 << 16) + 5];
    expect(&sent("X: y", &long), &long[..1 << 16], &[TooLarge]);
    expect(
        &sent("Content-Encoding: gzip", &gzip(&long)),
        &long[..1 << 16],
        &[TooLarge],
    );
    let bomb = best(&vec![0; 40 << 20]);
    let bomb = sent("Content-Encoding: gzip", &bomb);
    let message = message(&bomb, Limits::default());
    assert_eq!(message.problems, [Ratio]);
    assert!(message.body.len() < 8 << 20);
}

#[test]
fn heads_are_taken_as_they_come() {
    use Problem::*;
    let block = b"HTTP/1.0 404\nContent-Type: Text/HTML; Charset=\"utf-8\"\n\n<p>";
    let message = message(block, Limits::default());
    assert_eq!(message.head.status(), Some(404));
    assert_eq!(message.head.content_type().as_deref(), Some("text/html"));
    assert_eq!(message.head.charset().as_deref(), Some("utf-8"));
    assert_eq!((&*message.body, message.problems), (b"<p>".as_slice(), vec![]));
    expect(b"<p>no head", b"<p>no head", &[NoHead]);
    expect(b"", b"", &[NoHead]);
    expect(b"Content-Type: text/html\r\n\r\nx", b"x", &[NoStatus]);
    expect(b"HTTP/1.1 OK\r\n\r\nx", b"x", &[NoStatus]);
    expect(b"HTTP/1.1 200 OK\r\njunk\r\nA: b\r\n\r\nx", b"x", &[BadHead]);
    expect(
        b"HTTP/1.1 200 OK\r\nA: b\r\n<html>x\r\n\r\ny",
        b"<html>x\r\n\r\ny",
        &[BadHead],
    );
    expect(b"HTTP/1.1 200 OK\r\nA: b", b"", &[CutHead]);
    let long = sent(&format!("A: {}", "a".repeat(2 << 20)), b"x");
    expect(&long, b"", &[BadHead, HeadTooLarge]);
}

#[test]
fn names_of_problems_are_unique() {
    let mut names: Vec<&str> = Problem::ALL.iter().map(|problem| problem.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Problem::ALL.len());
}
