//! Archives made of records, in every form of compression.

use std::io::Write;

use dehusk_archive::{Event, Integrity, Limits, Reader, Start};
use flate2::Compression;
use flate2::write::GzEncoder;

/// A record with a block of its own and a right digest; blocks differ in length, and some compress badly.
pub(crate) fn record(number: usize) -> Vec<u8> {
    let block = block(number);
    head_and_block(number, &format!("Content-Length: {}", block.len()), &block)
}

/// A record with any line in the place of its length.
pub(crate) fn head_and_block(number: usize, length: &str, block: &[u8]) -> Vec<u8> {
    let mut record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{number}>\r\nWARC-Target-URI: http://x/{number}\r\n\
         WARC-Block-Digest: sha1:{}\r\nContent-Type: application/http; msgtype=response\r\n{length}\r\n\r\n",
        sha1(block)
    )
    .into_bytes();
    record.extend(block);
    record.extend(b"\r\n\r\n");
    record
}

fn sha1(block: &[u8]) -> String {
    use sha1::Digest;
    sha1::Sha1::digest(block)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The block of a record: an HTTP message that quotes an archive.
pub(crate) fn block(number: usize) -> Vec<u8> {
    let mut block =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page {number}\r\nWARC/1.0\r\n\r\n<p>")
            .into_bytes();
    let mut noise = number as u64 * 0x9E37_79B9 + 1;
    for _ in 0..200 + number * 37 % 1500 {
        noise ^= noise << 13;
        noise ^= noise >> 7;
        noise ^= noise << 17;
        let word = if number.is_multiple_of(3) {
            noise
        } else {
            noise % 8
        };
        block.extend(format!("{word:x} ").as_bytes());
    }
    block
}

/// How an archive is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Plain,
    Gzip,
    /// Gzip members of deflate blocks that are stored as they are.
    Stored,
    Zstd,
    /// Zstd frames without checksums.
    Unchecked,
}

pub(crate) const FORMS: [Form; 5] = [Form::Plain, Form::Gzip, Form::Stored, Form::Zstd, Form::Unchecked];

pub(crate) fn gzip(plain: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(plain).expect("valid input");
    encoder.finish().expect("memory")
}

pub(crate) fn zstd(plain: &[u8], checksum: bool, dictionary: &[u8]) -> Vec<u8> {
    let mut context = zstd_safe::CCtx::create();
    context
        .set_parameter(zstd_safe::CParameter::ChecksumFlag(checksum))
        .expect("valid input");
    if !dictionary.is_empty() {
        context.load_dictionary(dictionary).expect("valid input");
    }
    let mut out = vec![0; zstd_safe::compress_bound(plain.len())];
    let length = context.compress2(out.as_mut_slice(), plain).expect("valid input");
    out.truncate(length);
    out
}

/// Compresses what becomes one member.
pub(crate) fn member(plain: &[u8], form: Form) -> Vec<u8> {
    match form {
        Form::Plain => plain.to_vec(),
        Form::Gzip => gzip(plain, 6),
        Form::Stored => gzip(plain, 0),
        Form::Zstd => zstd(plain, true, &[]),
        Form::Unchecked => zstd(plain, false, &[]),
    }
}

/// Events of a reader as texts that can be compared, without the borders of plain pieces.
#[derive(Default, PartialEq, Eq, Debug, Clone)]
pub(crate) struct Told {
    /// Numbers of the records whose block is right, and whose bytes nothing speaks against.
    pub(crate) intact: Vec<usize>,
    /// Member offset and reason of everything that is wrong.
    pub(crate) damage: Vec<(u64, String)>,
    /// Everything.
    pub(crate) all: Vec<String>,
}

impl Told {
    pub(crate) fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Record(record) => {
                let id = record.head.id().unwrap_or_default().into_owned();
                let number = id.trim_start_matches("<urn:x:").trim_end_matches('>').parse();
                if let Ok(number) = number
                    && record.integrity != Integrity::Wrong
                    && record.block == block(number)
                {
                    self.intact.push(number);
                }
                for damage in record.damage {
                    self.damage.push((damage.place.member, damage.reason.to_string()));
                }
                self.all.push(format!(
                    "{id} {:?} {} {} {:?} {:?} {:x?}",
                    record.place,
                    record.block.len(),
                    record.dropped,
                    record.integrity,
                    record.damage,
                    &record.block[record.block.len().saturating_sub(9)..]
                ));
            }
            Event::Damage(damage) => {
                self.damage.push((damage.place.member, damage.reason.to_string()));
                self.all.push(format!("{damage:?}"));
            }
            _ => {}
        }
    }
}

/// Reads bytes in pieces of the given lengths. The last length is repeated.
pub(crate) fn read_in(bytes: &[u8], lengths: &[usize], limits: Limits) -> Told {
    let mut told = Told::default();
    let mut reader = Reader::new(Start::at(0), limits);
    let (mut at, mut turn) = (0, 0);
    while at < bytes.len() {
        let length = lengths[turn.min(lengths.len() - 1)].max(1);
        let end = bytes.len().min(at + length);
        reader.push(&bytes[at..end], &mut |event| told.take(event));
        (at, turn) = (end, turn + 1);
    }
    reader.finish(&mut |event| told.take(event));
    told
}

pub(crate) fn read(bytes: &[u8]) -> Told {
    read_in(bytes, &[usize::MAX >> 1], Limits::default())
}
