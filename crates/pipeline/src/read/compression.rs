//! Compressed content, recognized by its first bytes. Gzip and zstd are read. Other formats are rejected and never taken for text.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, Read};

use dehusk_archive::{Limits, PlainStream, StreamEvent};
use serde::{Deserialize, Serialize};

use crate::record::{Content, Reason, Rejection};

/// First bytes of gzip members and of zstd frames.
const GZIP: &[u8] = b"\x1f\x8b\x08";
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";

/// First bytes of other compressed files. They hold no line feed, so the first line of a file suffices to recognize them.
const REFUSED: &[(&[u8], &str)] = &[
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\xfd7zXZ\0", "xz"),
];

/// A bzip2 file begins with these letters, a digit, and the mark of its first block or of its end.
const BZIP2: &[u8] = b"BZh";
const BZIP2_MARKS: [&[u8]; 2] = [b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"];

/// Number of compressed bytes decompressed at once. They may inflate a thousandfold.
const AT_ONCE: usize = 16 << 10;

/// Number of plain bytes from which the format is detected.
pub(crate) const FIRST: usize = 512;

/// Number of compressed bytes that certainly hold [`FIRST`] plain bytes. Zstd decodes whole blocks of up to 128 KiB.
pub(crate) const FIRST_STORED: u64 = 160 << 10;

/// Returns `true` if content with these first bytes is compressed in a supported format.
pub(crate) fn is_read(bytes: &[u8]) -> bool {
    bytes.starts_with(GZIP) || bytes.starts_with(ZSTD)
}

/// Returns `true` if content cannot be compressed, whatever its file name: it is text or a tar archive.
fn is_plain(first: &[u8]) -> bool {
    // ESC (27) is allowed: texts in ISO-2022-JP hold it. Tar archives have `ustar` at byte 257.
    let is_text = |byte: &u8| !matches!(*byte, 0..9 | 14..27);
    first.iter().all(is_text) || first.get(257..).is_some_and(|rest| rest.starts_with(b"ustar"))
}

/// Returns the name of an unsupported compression format, or `None`.
fn refused(bytes: &[u8]) -> Option<&'static str> {
    let signature = REFUSED.iter().find(|(start, _)| bytes.starts_with(start));
    let bzip2 = || {
        // Text may begin with `BZh9` too, so the mark after it is compared as well.
        let (level, mark) = bytes.strip_prefix(BZIP2)?.split_first()?;
        let marked = level.is_ascii_digit() && BZIP2_MARKS.iter().any(|known| mark.starts_with(known));
        marked.then_some("bzip2")
    };
    signature.map(|(_, name)| *name).or_else(bzip2)
}

/// Returns the rejection of content in an unsupported compression format, or `None` for other content.
pub(crate) fn rejection(bytes: &[u8]) -> Option<Rejection> {
    let name = refused(bytes)?;
    Some(Rejection::new(
        Reason::Compressed,
        format!("{name}-compressed; unpack it first"),
    ))
}

/// Returns the first plain bytes of a file, decompressed if necessary.
pub(crate) fn first_bytes(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    // Damage is ignored here, because it is reported when the file is read.
    let _ = Unpacked::new(bytes).take(FIRST as u64).read_to_end(&mut plain);
    plain
}

/// Returns the decompressed content, up to `most + 1` bytes. The extra byte shows that there are more.
/// Uncompressed content is returned unchanged.
///
/// # Errors
/// If the compression format is unsupported, or the content is damaged before that many bytes.
pub(crate) fn unpacked(bytes: Cow<'_, [u8]>, most: usize) -> Result<Cow<'_, [u8]>, Rejection> {
    if let Some(refused) = rejection(&bytes) {
        return Err(refused);
    }
    if !is_read(&bytes) {
        return Ok(bytes);
    }
    let mut plain = Vec::new();
    let read = Unpacked::new(&*bytes)
        .take(most as u64 + 1)
        .read_to_end(&mut plain);
    match read {
        Ok(_) => Ok(Cow::Owned(plain)),
        Err(error) => Err(Rejection::new(Reason::Compressed, error.to_string())),
    }
}

/// Decompresses the bytes of a page, up to `most + 1` bytes. Servers send pages compressed, and archives keep them so.
///
/// # Errors
/// If the compression format is unsupported, or the content is damaged before that many bytes.
pub fn inflate(content: &mut Content<'_>, most: usize) -> Result<(), Rejection> {
    if let Content::Bytes(bytes) = content {
        *bytes = unpacked(std::mem::take(bytes), most)?;
    }
    Ok(())
}

/// A stream that is decompressed if its first bytes show compression, and passed through otherwise.
///
/// Damage is an error of kind [`io::ErrorKind::InvalidData`]. Reading may continue after it with the next intact member.
pub(crate) struct Unpacked<R> {
    from: R,
    /// `true` if the name of the stream indicates compression.
    named: bool,
    state: State,
}

enum State {
    /// Collecting the first bytes to detect the format.
    Beginning(Vec<u8>),
    /// Passing through; these first bytes come before the rest.
    Plain(VecDeque<u8>),
    Inflating(Box<Inflating>),
}

/// A stream that may be compressed where it is stored.
pub(crate) trait Stored: Read {
    /// Returns the offset of the compressed member whose bytes or damage were read last; `None` if the stream is not compressed.
    fn member(&self) -> Option<u64> {
        None
    }

    /// Returns the number of compressed bytes consumed; `None` if the stream is not compressed.
    fn taken(&self) -> Option<u64> {
        None
    }
}

impl<R: Read> Stored for Unpacked<R> {
    fn member(&self) -> Option<u64> {
        match &self.state {
            State::Inflating(inflating) => Some(inflating.read),
            _ => None,
        }
    }

    fn taken(&self) -> Option<u64> {
        match &self.state {
            State::Inflating(inflating) => Some(inflating.taken),
            _ => None,
        }
    }
}

/// Maps plain offsets of a file to compressed members, as pairs of first plain byte and member offset.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Members(VecDeque<(u64, u64)>);

impl Members {
    /// Notes that plain bytes from this offset on belong to `member`.
    pub(crate) fn note(&mut self, plain: u64, member: Option<u64>) {
        if let Some(member) = member
            && self.0.back().is_none_or(|(_, last)| *last != member)
        {
            self.0.push_back((plain, member));
        }
    }

    /// Returns the offset of the member that holds a plain byte; `None` if the file is not compressed.
    pub(crate) fn at(&self, plain: u64) -> Option<u64> {
        // The last member that begins at or before `plain`.
        let after = self.0.partition_point(|(first, _)| *first <= plain);
        let (_, member) = self.0.get(after.checked_sub(1)?)?;
        Some(*member)
    }

    /// Drops members that end before this plain offset.
    pub(crate) fn forget_before(&mut self, plain: u64) {
        // The first member ends where the second one begins.
        while self.0.get(1).is_some_and(|(first, _)| *first <= plain) {
            self.0.pop_front();
        }
    }
}

struct Inflating {
    /// Offset of the member whose bytes were read last. `member` below is the one being decompressed.
    read: u64,
    member: u64,
    /// Number of compressed bytes consumed.
    taken: u64,
    /// `None` after the end of the input.
    stream: Option<PlainStream>,
    /// Buffer for compressed bytes, reused by all reads.
    raw: Vec<u8>,
    /// Decompressed parts that are not read yet.
    found: VecDeque<Part>,
}

enum Part {
    /// Bytes of the member at offset `member`; `at` of them were read.
    Plain { bytes: Vec<u8>, at: usize, member: u64 },
    /// Description of damage in the member at this offset.
    Damage(String, u64),
}

impl<R: Read> Unpacked<R> {
    pub(crate) fn new(from: R) -> Self {
        let state = State::Beginning(Vec::new());
        let named = false;
        Unpacked { from, named, state }
    }

    /// Sets whether the name indicates compression. Then a damaged beginning is searched for members, unless it is text.
    pub(crate) fn named(self, named: bool) -> Self {
        Unpacked { named, ..self }
    }

    /// Returns `true` if the stream is compressed. Reads its first bytes if necessary.
    pub(crate) fn is_compressed(&mut self) -> io::Result<bool> {
        if let State::Beginning(first) = &mut self.state {
            self.state = Unpacked::begin(&mut self.from, first, self.named)?;
        }
        Ok(matches!(self.state, State::Inflating(_)))
    }

    /// Reads the first bytes until the format is known, and not one byte more: an interactive sender may wait for an answer first.
    fn begin(from: &mut R, first: &mut Vec<u8>, named: bool) -> io::Result<State> {
        let mut ended = false;
        loop {
            // `true` once there are enough bytes to exclude compression.
            let looked = ended || first.len() == FIRST;
            // A name such as `a.gz` with a beginning that is neither compressed nor text is damaged. Later
            // members may be intact.
            if is_read(first) || named && looked && !is_plain(first) {
                let mut inflating = Inflating {
                    read: 0,
                    member: 0,
                    taken: 0,
                    stream: Some(PlainStream::packed(Limits::default())),
                    raw: vec![0; AT_ONCE],
                    found: VecDeque::new(),
                };
                inflating.push(first);
                return Ok(State::Inflating(Box::new(inflating)));
            }
            // More bytes help only while they may complete a magic number, or while a named file has too
            // few bytes to decide.
            let may_be = [GZIP, ZSTD].iter().any(|start| start.starts_with(first)) || named && !looked;
            if ended || !may_be {
                return Ok(State::Plain(std::mem::take(first).into()));
            }
            let mut byte = [0];
            ended = from.read(&mut byte)? == 0;
            if !ended {
                first.push(byte[0]);
            }
        }
    }
}

impl Inflating {
    fn push(&mut self, bytes: &[u8]) {
        self.taken += bytes.len() as u64;
        if let Some(stream) = &mut self.stream {
            stream.push(bytes, &mut |event| add(&mut self.found, &mut self.member, event));
        }
    }

    fn finish(&mut self) {
        if let Some(stream) = self.stream.take() {
            stream.finish(&mut |event| add(&mut self.found, &mut self.member, event));
        }
    }

    fn read(&mut self, from: &mut impl Read, out: &mut [u8]) -> io::Result<usize> {
        loop {
            // Decompressed parts are returned in order. More is read only when none is left.
            match self.found.front_mut() {
                Some(Part::Plain { bytes, at, member }) => {
                    self.read = *member;
                    let some = (bytes.len() - *at).min(out.len());
                    out[..some].copy_from_slice(&bytes[*at..*at + some]);
                    *at += some;
                    if *at == bytes.len() {
                        self.found.pop_front();
                    }
                    return Ok(some);
                }
                Some(Part::Damage(told, member)) => {
                    self.read = *member;
                    let error = io::Error::new(io::ErrorKind::InvalidData, std::mem::take(told));
                    self.found.pop_front();
                    return Err(error);
                }
                // The input has ended, and all parts are read.
                None if self.stream.is_none() => return Ok(0),
                None => {}
            }
            // `push` borrows all of `self`, so the buffer is moved out and put back.
            let mut raw = std::mem::take(&mut self.raw);
            match from.read(&mut raw) {
                Ok(0) => self.finish(),
                Ok(read) => self.push(&raw[..read]),
                Err(error) => {
                    self.raw = raw;
                    return Err(error);
                }
            }
            self.raw = raw;
        }
    }
}

/// Adds the part that an event describes. `member` is the offset of the member being decompressed.
fn add(found: &mut VecDeque<Part>, member: &mut u64, event: StreamEvent<'_>) {
    match event {
        StreamEvent::Member(at) => *member = at,
        StreamEvent::Plain(bytes) if !bytes.is_empty() => found.push_back(Part::Plain {
            bytes: bytes.to_vec(),
            at: 0,
            member: *member,
        }),
        StreamEvent::Damage(damage) => {
            let told = format!(
                "damaged at compressed byte {}: {}",
                damage.place.member, damage.reason
            );
            found.push_back(Part::Damage(told, damage.place.member));
        }
        _ => {}
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        self.is_compressed()?;
        match &mut self.state {
            State::Plain(first) if !first.is_empty() => first.read(out),
            State::Inflating(inflating) => inflating.read(&mut self.from, out),
            _ => self.from.read(out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::read_all;
    use super::*;

    #[test]
    fn the_first_bytes_decide() {
        let cases: [(&[u8], Option<&str>); 10] = [
            (b"PK\x03\x04\x14", Some("zip")),
            (b"PK\x05\x06\0\0", Some("zip")),
            (b"\xfd7zXZ\0\0", Some("xz")),
            (b"BZh91AY&SY\x12", Some("bzip2")),
            (b"BZh9\x17rE8P\x90", Some("bzip2")),
            (b"BZh9 is how a page may begin", None),
            (b"PKWARE made zip", None),
            (b"\x1f\x8b", None),
            (b"<p>\x1f\x8b\x08", None),
            (b"", None),
        ];
        for (bytes, expected) in cases {
            assert_eq!(refused(bytes), expected, "{bytes:?}");
        }
        for start in REFUSED.iter().map(|(start, _)| *start).chain([GZIP, ZSTD]) {
            assert!(!start.contains(&b'\n'));
        }
        let told = rejection(b"PK\x03\x04").unwrap();
        assert_eq!(told.message, "zip-compressed; unpack it first");
    }

    /// A reader that returns one byte at a time.
    struct Drops<'a>(&'a [u8]);

    impl Read for Drops<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let (Some((first, rest)), Some(to)) = (self.0.split_first(), out.first_mut()) else {
                return Ok(0);
            };
            (*to, self.0) = (*first, rest);
            Ok(1)
        }
    }

    /// Returns the bytes of a stream, with `!` for each damage.
    fn all(from: impl Read) -> String {
        read_all(Unpacked::new(from))
    }

    #[test]
    fn streams_are_inflated_member_by_member_and_others_stay_as_they_are() {
        let two = [testing::gzip(b"one, "), testing::gzip(b"two")].concat();
        let mut broken = [
            testing::gzip(b"one"),
            testing::gzip(b"two"),
            testing::gzip(b"three"),
        ]
        .concat();
        let at = testing::gzip(b"one").len() + 12;
        broken[at] ^= 0x55;
        for plain in ["", "\x1f", "\x1f\u{8b}", "{}", "(\u{b5}", "some text"] {
            assert_eq!(all(plain.as_bytes()), plain);
            assert_eq!(all(Drops(plain.as_bytes())), plain);
        }
        assert_eq!(
            (all(&*two), all(Drops(&two))),
            ("one, two".to_owned(), "one, two".to_owned())
        );
        let got = all(&*broken);
        assert!(
            got.starts_with("one") && got.ends_with("three") && got.contains('!'),
            "{got}"
        );
    }

    #[test]
    fn a_name_tells_of_compression_where_the_beginning_is_damaged() {
        let one: Vec<u8> = (0..90)
            .flat_map(|number: u32| (number * 7919).to_string().into_bytes())
            .collect();
        let members = [testing::gzip(&one), testing::gzip(b"two")];
        for damage in [0, 1, 2, 3] {
            let mut broken = members.concat();
            broken[damage] ^= 0xE0;
            let stream = Unpacked::new(&*broken).named(true);
            assert!(read_all(stream).ends_with("!two"), "{damage}");
        }
        for text in ["", "{\"html\": \"x\"}\n", "текст"] {
            assert_eq!(read_all(Unpacked::new(text.as_bytes()).named(true)), text);
        }
    }

    #[test]
    fn content_is_unpacked_up_to_a_bound() {
        let page = |bytes: &[u8], most| unpacked(bytes.to_vec().into(), most).map(Cow::into_owned);
        assert_eq!(page(b"<p>x", 2), Ok(b"<p>x".to_vec()));
        assert_eq!(page(&testing::gzip(b"<p>x"), 9), Ok(b"<p>x".to_vec()));
        assert_eq!(page(&testing::gzip(&vec![b'x'; 1 << 20]), 9), Ok(vec![b'x'; 10]));
        let cut = page(&testing::gzip(b"<p>x")[..12], 9).unwrap_err();
        assert_eq!(cut.reason, Reason::Compressed);
        assert_eq!(page(b"PK\x03\x04", 9).unwrap_err().reason, Reason::Compressed);
    }
}

/// Compressed content for tests.
#[cfg(test)]
pub(crate) mod testing {
    use std::io::{self, Read, Write};

    /// Returns the bytes of a stream, with `!` for each damage.
    pub(crate) fn read_all(mut stream: impl Read) -> String {
        let (mut out, mut some) = (Vec::new(), [0; 7]);
        loop {
            match stream.read(&mut some) {
                Ok(0) => return String::from_utf8_lossy(&out).into_owned(),
                Ok(read) => out.extend_from_slice(&some[..read]),
                Err(error) => {
                    assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{error}");
                    out.push(b'!');
                }
            }
        }
    }

    /// Returns a gzip member.
    pub(crate) fn gzip(plain: &[u8]) -> Vec<u8> {
        let mut to = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        to.write_all(plain).expect("memory takes all");
        to.finish().expect("memory takes all")
    }
}
