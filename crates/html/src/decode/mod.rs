//! Bytes to text: which charset a page is in, and its decoding.
//!
//! The order of trust is that of browsers: byte order mark, what the caller or the HTTP header says, `<meta>` or an XML
//! declaration, a detector. It is left in two cases that real crawls are full of: a page that names a legacy charset
//! although its bytes are valid UTF-8 beyond ASCII, and one that names UTF-8 and is not.

mod prescan;

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use crate::warning::{Code, Warning};

/// How a page's bytes were read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Charset {
    /// Name as the WHATWG Encoding Standard writes it, such as `UTF-8` or `windows-1251`.
    pub name: &'static str,
    /// What the choice rests on.
    pub source: CharsetSource,
}

/// What the choice of a charset rests on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum CharsetSource {
    /// The caller gave text, not bytes.
    Decoded,
    /// A byte order mark.
    Bom,
    /// The caller named it.
    Given,
    /// The HTTP header `Content-Type`.
    Http,
    /// A `<meta>` element.
    Meta,
    /// An XML declaration.
    Xml,
    /// The bytes: valid UTF-8, or the pattern of NULs of UTF-16.
    Bytes,
    /// The detector's guess.
    Detector,
}

impl CharsetSource {
    /// Name in records.
    pub fn name(self) -> &'static str {
        match self {
            CharsetSource::Decoded => "decoded",
            CharsetSource::Bom => "bom",
            CharsetSource::Given => "given",
            CharsetSource::Http => "http",
            CharsetSource::Meta => "meta",
            CharsetSource::Xml => "xml",
            CharsetSource::Bytes => "bytes",
            CharsetSource::Detector => "detector",
        }
    }
}

/// A page as text.
#[derive(Debug)]
pub struct Decoded<'a> {
    /// The text, without byte order mark; malformed sequences are U+FFFD.
    pub text: Cow<'a, str>,
    /// How it was read.
    pub charset: Charset,
    /// What was odd.
    pub warnings: Vec<Warning>,
}

/// Takes text as it is, but for its length and a byte order mark.
pub fn from_text(text: &str, limit: usize) -> Decoded<'_> {
    let mut warnings = Vec::new();
    let kept = &text[..text.floor_char_boundary(limit)];
    if kept.len() < text.len() {
        warnings.push(cut(kept.len(), text.len()));
    }
    let charset = Charset {
        name: UTF_8.name(),
        source: CharsetSource::Decoded,
    };
    Decoded {
        text: Cow::Borrowed(kept.strip_prefix('\u{FEFF}').unwrap_or(kept)),
        charset,
        warnings,
    }
}

/// Decodes a page. `given` and the charset of `content_type` are labels of the WHATWG Encoding Standard; unknown ones are
/// passed over. At most `limit` bytes are read.
pub fn decode<'a>(
    bytes: &'a [u8],
    given: Option<&str>,
    content_type: Option<&str>,
    limit: usize,
) -> Decoded<'a> {
    let mut warnings = Vec::new();
    let all = bytes.len();
    let bytes = &bytes[..all.min(limit)];
    if bytes.len() < all {
        warnings.push(cut(bytes.len(), all));
    }
    let (encoding, source) = choose(bytes, given, content_type, &mut warnings);
    let charset = Charset {
        name: encoding.name(),
        source,
    };
    if is_binary(bytes, encoding) {
        warnings.push(Warning::new(Code::Binary, "the bytes are no text"));
        return Decoded {
            text: Cow::Borrowed(""),
            charset,
            warnings,
        };
    }
    let (text, malformed) = encoding.decode_with_bom_removal(bytes);
    if malformed {
        let n = text.matches('\u{FFFD}').count();
        warnings.push(Warning::new(
            Code::Malformed,
            format!("{n} places are invalid in {}", encoding.name()),
        ));
    }
    Decoded {
        text,
        charset,
        warnings,
    }
}

/// The warning that a page was cut off.
pub fn cut(kept: usize, all: usize) -> Warning {
    Warning::new(
        Code::BytesLimit,
        format!("the page has {all} bytes; the first {kept} were read"),
    )
}

fn choose(
    bytes: &[u8],
    given: Option<&str>,
    content_type: Option<&str>,
    warnings: &mut Vec<Warning>,
) -> (&'static Encoding, CharsetSource) {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return (encoding, CharsetSource::Bom);
    }
    let label = |s: &str| Encoding::for_label(s.trim().as_bytes());
    if let Some(encoding) = given.and_then(label) {
        return (encoding, CharsetSource::Given);
    }
    let http = content_type.and_then(prescan::charset_parameter).and_then(label);
    let declared = http
        .map(|e| (e, CharsetSource::Http))
        .or_else(|| prescan::prescan(bytes));
    let Some((encoding, source)) = declared else {
        return detect(bytes);
    };
    // UTF-16 cannot have been declared in ASCII; `x-user-defined` is a trick of scripts.
    let encoding = match encoding {
        e if e == UTF_16LE || e == UTF_16BE => detect_utf16(bytes).unwrap_or(UTF_8),
        e if e == X_USER_DEFINED => WINDOWS_1252,
        e => e,
    };
    let (real, why) = contradict(bytes, encoding);
    if real != encoding {
        let message = format!(
            "{} says {}, the bytes are {}",
            source.name(),
            encoding.name(),
            real.name()
        );
        warnings.push(Warning::new(Code::CharsetConflict, message));
        return (real, why);
    }
    (encoding, source)
}

/// What the bytes say when they contradict the declared charset, else that charset.
fn contradict(bytes: &[u8], declared: &'static Encoding) -> (&'static Encoding, CharsetSource) {
    let high = bytes.iter().filter(|b| !b.is_ascii()).count();
    if high == 0 {
        return (declared, CharsetSource::Bytes);
    }
    let valid = Encoding::utf8_valid_up_to(bytes);
    // A cut page may end inside a character.
    let utf8 = valid + 3 >= bytes.len();
    if declared != UTF_8 {
        // Legacy text of several non-ASCII letters is valid UTF-8 by accident about never.
        let certain = utf8 && high >= 6 && declared.is_ascii_compatible();
        return if certain {
            (UTF_8, CharsetSource::Bytes)
        } else {
            (declared, CharsetSource::Bytes)
        };
    }
    if utf8 {
        return (UTF_8, CharsetSource::Bytes);
    }
    let (text, _) = UTF_8.decode_without_bom_handling(bytes);
    let broken = text.matches('\u{FFFD}').count();
    // A few broken places are damage; where most letters are broken, the declaration is wrong.
    if broken * 3 > high {
        detect(bytes)
    } else {
        (UTF_8, CharsetSource::Bytes)
    }
}

fn detect(bytes: &[u8]) -> (&'static Encoding, CharsetSource) {
    if let Some(encoding) = detect_utf16(bytes) {
        return (encoding, CharsetSource::Bytes);
    }
    if Encoding::utf8_valid_up_to(bytes) + 3 >= bytes.len() {
        return (UTF_8, CharsetSource::Bytes);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    (
        detector.guess(None, Utf8Detection::Allow),
        CharsetSource::Detector,
    )
}

/// UTF-16 without a byte order mark: markup is ASCII, so every other byte of it is NUL.
fn detect_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(1024)];
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|&&b| b == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), head.len() / 2);
    match () {
        () if pairs < 8 => None,
        () if odd * 5 > pairs * 2 && even * 10 < pairs => Some(UTF_16LE),
        () if even * 5 > pairs * 2 && odd * 10 < pairs => Some(UTF_16BE),
        () => None,
    }
}

/// Whether the bytes are those of an image, an archive or another file that is no text.
fn is_binary(bytes: &[u8], encoding: &'static Encoding) -> bool {
    const MAGIC: &[&[u8]] = &[
        b"\x89PNG\r\n",
        b"GIF87a",
        b"GIF89a",
        b"\xFF\xD8\xFF",
        b"PK\x03\x04",
        b"\x1F\x8B\x08",
        b"%PDF-",
        b"BZh",
        b"\x28\xB5\x2F\xFD",
        b"\xFD7zXZ\0",
        b"Rar!\x1A\x07",
        b"7z\xBC\xAF\x27\x1C",
        b"\x7FELF",
        b"OggS",
        b"ID3",
        b"wOFF",
        b"wOF2",
        b"\0asm",
        b"SQLite format 3\0",
    ];
    if MAGIC.iter().any(|magic| bytes.starts_with(magic)) {
        return true;
    }
    if encoding == UTF_16LE || encoding == UTF_16BE {
        return false;
    }
    let head = &bytes[..bytes.len().min(4096)];
    let control = head
        .iter()
        .filter(|&&b| b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B))
        .count();
    control * 20 > head.len()
}

#[cfg(test)]
mod tests;
