//! The URL line at the start of an ARC record.

use std::ops::Range;

use crate::fields::decimal;
use crate::limits::LINE;
use crate::members::probe::Found;

/// Maximum number of words examined from the end of the line to find the date. A content type may consist of several words.
const MAX_WORDS: usize = 24;

/// Fields of a URL line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct UrlLine<'a> {
    /// Address (URL) of the capture. It may contain spaces.
    pub(super) url: &'a [u8],
    /// IP address of the server.
    pub(super) ip: &'a [u8],
    /// Date of the capture: 8 to 17 digits.
    pub(super) date: &'a [u8],
    /// Value of `Content-Type`; empty if the line has none.
    pub(super) content_type: &'a [u8],
    /// Length of the block in bytes.
    pub(super) length: u64,
}

impl<'a> UrlLine<'a> {
    /// Parses a line without its line feed. Returns `None` if it is not a URL line.
    ///
    /// Fields are separated by spaces, and both the URL and the type may contain spaces. The line is
    /// therefore read from its end: the IP address and the date after it are located first, the other
    /// fields relative to them.
    pub(super) fn parse(line: &'a [u8]) -> Option<Self> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > LINE || !has_scheme(line) {
            return None;
        }
        // The words are read from the end, since the URL may contain spaces.
        let words: Vec<Range<usize>> = last_words(line);
        let word = |at: usize| words.get(at).map(|range| &line[range.clone()]);
        // `words` is ordered from the last word to the first.
        let length = decimal(word(0)?)?;
        // The date is the last word that looks like one and follows an IP address.
        let date_at = (1..words.len().saturating_sub(1))
            .find(|at| word(*at).is_some_and(is_date) && word(at + 1).is_some_and(is_server))?;
        let (date, server) = (words.get(date_at)?, words.get(date_at + 1)?);
        let url = line[..server.start].trim_ascii_end();
        if url.is_empty() {
            return None;
        }
        // In ARC 2.0 a status, a checksum, a location, an offset and a file name precede the length.
        let is_second = date_at >= 7
            && word(5).is_some_and(is_status)
            && word(2).is_some_and(|offset| decimal(offset).is_some());
        // The content type lies between the date and the first field after it.
        let behind_type = words.get(if is_second { 5 } else { 0 })?;
        Some(UrlLine {
            url,
            ip: &line[server.clone()],
            date: &line[date.clone()],
            content_type: line.get(date.end..behind_type.start)?.trim_ascii(),
            length,
        })
    }

    /// Returns the date in the format of WARC: `2005-03-12T12:01:02Z`.
    pub(super) fn iso_date(&self) -> String {
        let digits = |range: Range<usize>| {
            let digits = self.date.get(range).filter(|digits| !digits.is_empty());
            // Short dates lack the time: missing digits become zeros.
            String::from_utf8_lossy(digits.unwrap_or(b"00")).into_owned()
        };
        format!(
            "{}-{}-{}T{}:{}:{}Z",
            digits(0..4),
            digits(4..6),
            digits(6..8),
            digits(8..10),
            digits(10..12),
            digits(12..14)
        )
    }
}

/// Returns the ranges of the last words of a line, the last word first.
fn last_words(line: &[u8]) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut end = line.len();
    while words.len() < MAX_WORDS {
        while end > 0 && line[end - 1] == b' ' {
            end -= 1;
        }
        if end == 0 {
            break;
        }
        // Spaces separate words; several in a row count as one.
        let start = memchr::memrchr(b' ', &line[..end]).map_or(0, |space| space + 1);
        words.push(start..end);
        end = start;
    }
    words
}

/// Maximum number of bytes of a URL scheme with its colon. `warcinfo:` and `filedesc:` are the longest known ones.
const MAX_SCHEME: usize = 24;

/// Returns `true` if a line begins with a URL scheme.
fn has_scheme(line: &[u8]) -> bool {
    let start = &line[..line.len().min(MAX_SCHEME)];
    memchr::memchr(b':', start).is_some_and(|colon| {
        start[0].is_ascii_alphabetic()
            && start[..colon]
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    })
}

/// Returns `true` if a word is a date: digits only, at least a year, month and day.
fn is_date(word: &[u8]) -> bool {
    (8..=17).contains(&word.len())
        && word.iter().all(u8::is_ascii_digit)
        // A year from 1900 to 2099 and a month rule out most other numbers.
        && matches!(&word[..2], b"19" | b"20")
        && matches!(&word[4..6], [b'0', _] | [b'1', b'0'..=b'2'])
}

/// Returns `true` if a word looks like an IP address, version 4 or 6.
fn is_server(word: &[u8]) -> bool {
    let has_mark = word.iter().any(|byte| matches!(byte, b'.' | b':'));
    has_mark
        && word
            .iter()
            .all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':'))
}

/// Returns `true` if a word is a status of three digits, or the hyphen of a capture without status.
fn is_status(word: &[u8]) -> bool {
    word == b"-" || word.len() == 3 && word.iter().all(u8::is_ascii_digit)
}

/// Returns whether a record begins with these bytes. `whole` is set if no more bytes follow.
pub(super) fn begins(bytes: &[u8], whole: bool) -> Found {
    // A line end of two bytes may follow the longest line.
    let near = &bytes[..bytes.len().min(LINE + 2)];
    // The first bytes rule out most lines cheaply.
    let no_letter = near.first().is_some_and(|first| !first.is_ascii_alphabetic());
    if no_letter || near.len() >= MAX_SCHEME && !has_scheme(near) {
        return Found::No;
    }
    let line = match memchr::memchr(b'\n', near) {
        Some(end) => &near[..end],
        None if near.len() < LINE + 2 && !whole => return Found::More,
        None => near,
    };
    match UrlLine::parse(line) {
        Some(_) => Found::Yes,
        None => Found::No,
    }
}

/// Searches for a URL line after a line feed at or after `from`. With `Found::Yes` the offset is the start
/// of the line; with `Found::More` or `Found::No` it is where the search resumes.
pub(super) fn next_line(bytes: &[u8], from: usize, whole: bool) -> (Found, usize) {
    for at in memchr::memchr_iter(b'\n', &bytes[from..]).map(|at| from + at) {
        match begins(&bytes[at + 1..], whole) {
            Found::Yes => return (Found::Yes, at + 1),
            Found::More => return (Found::More, at),
            Found::No => {}
        }
    }
    (Found::No, bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_all_versions_are_read() {
        let parts = |line: &'static str| {
            let line = UrlLine::parse(line.as_bytes())?;
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            Some((
                text(line.url),
                text(line.content_type),
                line.iso_date(),
                line.length,
            ))
        };
        let told = |url: &str, kind: &str, date: &str, length| {
            Some((url.to_owned(), kind.to_owned(), date.to_owned(), length))
        };
        let noon = "2005-03-12T12:01:02Z";
        for (line, expected) in [
            (
                "http://a.example/ 192.0.2.1 20050312120102 text/html 608",
                told("http://a.example/", "text/html", noon, 608),
            ),
            (
                "http://a.example/a b.html 192.0.2.1 20050312120102 text/html 5\r",
                told("http://a.example/a b.html", "text/html", noon, 5),
            ),
            (
                "http://a.example/ 192.0.2.1 20050312120102 text/html; charset=utf-8 5",
                told("http://a.example/", "text/html; charset=utf-8", noon, 5),
            ),
            (
                "http://a.example/ 2001:db8::1 200503121201 text/html 0",
                told("http://a.example/", "text/html", "2005-03-12T12:01:00Z", 0),
            ),
            (
                "dns:a.example 192.0.2.53 20050312120102345 text/dns 51",
                told("dns:a.example", "text/dns", noon, 51),
            ),
            (
                "http://a.example/ 0.0.0.0 20050312120102 7",
                told("http://a.example/", "", noon, 7),
            ),
            (
                "http://a.example/ 192.0.2.1 20050312120102 text/html 200 fac069 - 0 a.arc 84",
                told("http://a.example/", "text/html", noon, 84),
            ),
            (
                "http://a.example/ 192.0.2.1 20050312120102 text/html 302 fac069 http://b.example/ 19 a.arc 84",
                told("http://a.example/", "text/html", noon, 84),
            ),
            (
                "filedesc://a.arc 0.0.0.0 20050312 text/plain 76",
                told("filedesc://a.arc", "text/plain", "2005-03-12T00:00:00Z", 76),
            ),
            ("http://a.example/ 192.0.2.1 20050312120102 text/html -1", None),
            ("http://a.example/ 192.0.2.1 20059912120102 text/html 1", None),
            ("http://a.example/ text/html 192 1", None),
            ("192.0.2.1 20050312120102 text/html 608", None),
            ("<p>http://a.example/ 192.0.2.1 20050312120102 text/html 1", None),
            ("", None),
        ] {
            assert_eq!(parts(line), expected, "{line}");
        }
    }

    #[test]
    fn a_line_is_waited_for() {
        let line = b"http://a.example/ 192.0.2.1 20050312120102 text/html 608\nx";
        assert_eq!(begins(line, false), Found::Yes);
        assert_eq!(begins(&line[..20], false), Found::More);
        assert_eq!(begins(&line[..20], true), Found::No);
        assert_eq!(begins(b"<p>", false), Found::No);
        let text = [b"some\ntext\n".as_slice(), line].concat();
        assert_eq!(next_line(&text, 0, false), (Found::Yes, 10));
        assert_eq!(next_line(&text[..30], 0, false), (Found::More, 9));
        assert_eq!(next_line(&text[..30], 0, true), (Found::No, 30));
    }
}
