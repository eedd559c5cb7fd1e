//! Indexes of lines: CDXJ, CDX with a line of field letters, JSON Lines, and tables separated by commas or tabs.

use std::borrow::Cow;
use std::io::{self, BufRead};

use serde_json::value::RawValue;

use super::columns::{Values, Wanted};
use crate::record::json;

/// Largest length of a line in bytes. Longer lines count as unreadable rows.
const MAX_LINE: usize = 1 << 20;

/// Result of reading one line.
pub(super) enum Line<'r> {
    Row(Values<'r>),
    /// A comment, a heading, or an empty line.
    Other,
    /// A line that cannot be read as a row.
    Bad,
}

/// Form of the lines of a file.
pub(super) enum Form {
    /// A key, a time, and a JSON object: `com,example)/ 20240501020304 {"url": …}`.
    Cdxj,
    /// A JSON object on each line.
    Json,
    /// Fields separated by spaces. Each wanted column has a position among them, or none.
    Cdx(Vec<Option<usize>>),
    /// Fields separated by this byte, some of them in quotes, and the positions of the wanted columns.
    Separated(u8, Vec<Option<usize>>),
}

/// Names of the fields of CDX files by their letters.
const CDX_LETTERS: &[(&str, &str)] = &[
    ("N", "urlkey"),
    ("A", "urlkey"),
    ("b", "timestamp"),
    ("a", "url"),
    ("m", "mime"),
    ("s", "status"),
    ("k", "digest"),
    ("r", "redirect"),
    ("S", "length"),
    ("V", "offset"),
    ("g", "filename"),
];

/// Detects the form of a file by its first line. `None` if it is not an index.
pub(super) fn form(first: &str, wanted: &mut Wanted<'_>) -> Option<Form> {
    // A byte order mark does not belong to the first name.
    let first = first.strip_prefix('\u{feff}').unwrap_or(first);
    // The header of CDX begins with the separator of the fields: ` CDX N b a m s k r M S V g`.
    if let Some(letters) = first.strip_prefix(" CDX ") {
        let name = |letter: &str| CDX_LETTERS.iter().find(|(known, _)| *known == letter);
        let names: Vec<String> = letters
            .split_whitespace()
            .map(|letter| name(letter).map_or(letter, |(_, name)| name).to_owned())
            .collect();
        return Some(Form::Cdx(wanted.places(&names)));
    }
    if first.trim_start().starts_with('{') {
        return Some(Form::Json);
    }
    // CDXJ may begin with lines of metadata, which start with `!`.
    if first.starts_with('!') || keyed(first).is_some() {
        return Some(Form::Cdxj);
    }
    // A heading is recognized by its column of archive names.
    for separator in [b',', b'\t'] {
        // A heading with quoted names might not be divisible by the other separator.
        let Some(names) = fields(first.as_bytes(), separator) else {
            continue;
        };
        let names: Vec<String> = names.into_iter().map(|name| name.trim().to_owned()).collect();
        let places = wanted.places(&names);
        if places[super::columns::FILE].is_some() {
            return Some(Form::Separated(separator, places));
        }
    }
    None
}

impl Form {
    /// Reads a line.
    pub(super) fn read<'r>(&self, line: &'r str, wanted: &mut Wanted<'_>) -> Line<'r> {
        // `-` in CDX and an empty field of a table stand for a missing value.
        let at = |places: &[Option<usize>], fields: &[Cow<'r, str>], none: &str| -> Values<'r> {
            let value = |place: &Option<usize>| fields.get((*place)?).filter(|value| *value != none).cloned();
            places.iter().map(value).collect()
        };
        match self {
            _ if line.trim().is_empty() => Line::Other,
            Form::Cdxj if line.starts_with('!') => Line::Other,
            Form::Cdxj => keyed(line).map_or(Line::Bad, |(key, time, object)| {
                let Some(members) = members(object) else {
                    return Line::Bad;
                };
                // Key and time precede the members, so they win over members of the same name.
                let head = [("urlkey", key), ("timestamp", time)];
                let head = head.map(|(name, value)| (Cow::Borrowed(name), Some(Cow::Borrowed(value))));
                Line::Row(wanted.of_members(head.into_iter().chain(members)))
            }),
            Form::Json => members(line).map_or(Line::Bad, |members| Line::Row(wanted.of_members(members))),
            Form::Cdx(_) if line.starts_with(" CDX ") => Line::Other,
            Form::Cdx(places) => {
                let fields: Vec<Cow<'r, str>> = line.split(' ').map(Cow::Borrowed).collect();
                Line::Row(at(places, &fields, "-"))
            }
            Form::Separated(separator, places) => match fields(line.as_bytes(), *separator) {
                Some(fields) => Line::Row(at(places, &fields, "")),
                None => Line::Bad,
            },
        }
    }

    /// Returns `true` if the first line names the columns.
    pub(super) fn has_heading(&self) -> bool {
        matches!(self, Form::Separated(..))
    }
}

/// Splits a line of CDXJ into its key, its time and its object.
fn keyed(line: &str) -> Option<(&str, &str, &str)> {
    let (key, rest) = line.split_once(' ')?;
    let (time, object) = rest.split_once(' ')?;
    let is_time = (1..=17).contains(&time.len()) && time.bytes().all(|byte| byte.is_ascii_digit());
    (is_time && object.starts_with('{')).then_some((key, time, object))
}

/// Names and values of members.
type Members<'r> = Vec<(Cow<'r, str>, Option<Cow<'r, str>>)>;

/// Returns the members of a JSON object as texts. Objects and arrays in it stay JSON.
fn members(object: &str) -> Option<Members<'_>> {
    let members = json::fields(object.as_bytes()).ok()?;
    Some(
        members
            .into_iter()
            .map(|(name, value)| (name, text(value)))
            .collect(),
    )
}

/// Returns a JSON value as text. `None` for `null` and, as in CDX files, for a dash.
fn text(value: &RawValue) -> Option<Cow<'_, str>> {
    let raw = value.get();
    if raw == "null" {
        return None;
    }
    let text = match raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        // Without escapes the text is borrowed.
        Some(plain) if !plain.contains('\\') => Cow::Borrowed(plain),
        Some(_) => Cow::Owned(serde_json::from_str(raw).ok()?),
        None => Cow::Borrowed(raw),
    };
    (text != "-").then_some(text)
}

/// Splits a line of a table. A field in double quotes may hold separators; two quotes in it stand for one.
/// `None` if a quote does not end, or text follows it.
fn fields(line: &[u8], separator: u8) -> Option<Vec<Cow<'_, str>>> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let (field, after) = match rest.strip_prefix(b"\"") {
            Some(quoted) => {
                let (mut content, mut at) = (Vec::new(), 0);
                loop {
                    let end = at + memchr::memchr(b'"', &quoted[at..])?;
                    content.extend_from_slice(&quoted[at..end]);
                    // A single quote ends the field. Two in a row stand for one.
                    if quoted.get(end + 1) != Some(&b'"') {
                        break (
                            Cow::Owned(String::from_utf8_lossy(&content).into_owned()),
                            &quoted[end + 1..],
                        );
                    }
                    content.push(b'"');
                    at = end + 2;
                }
            }
            None => {
                let end = memchr::memchr(separator, rest).unwrap_or(rest.len());
                (String::from_utf8_lossy(&rest[..end]), &rest[end..])
            }
        };
        fields.push(field);
        match after.split_first() {
            Some((byte, after)) if *byte == separator => rest = after,
            // Text follows a closing quote.
            Some(_) => return None,
            None => return Some(fields),
        }
    }
}

/// Reads the next line without its end into `line`. Returns `Some(false)` if it is longer than
/// [`MAX_LINE`], and `None` at the end of the file.
pub(super) fn next_line(from: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let (mut is_there, mut fits) = (false, true);
    loop {
        let some = from.fill_buf()?;
        if some.is_empty() {
            break;
        }
        is_there = true;
        let end = memchr::memchr(b'\n', some);
        let part = &some[..end.unwrap_or(some.len())];
        // The rest of a line that is too long is consumed but not stored.
        fits &= line.len() + part.len() <= MAX_LINE;
        if fits {
            line.extend_from_slice(part);
        }
        let passed = part.len() + usize::from(end.is_some());
        from.consume(passed);
        if end.is_some() {
            break;
        }
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(is_there.then_some(fits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::crawl_index::columns::{FILE, LENGTH, OFFSET, STATUS, TIME, URL};

    /// Returns file, offset, length, URL, time and status of each row, and `!` for a line that is not a row.
    fn rows(text: &str) -> Vec<String> {
        let mut wanted = Wanted::new(None);
        let mut lines = text.lines();
        let form = form(lines.clone().next().unwrap(), &mut wanted).expect("an index");
        if form.has_heading() {
            lines.next();
        }
        let mut rows = Vec::new();
        for line in lines {
            match form.read(line, &mut wanted) {
                Line::Row(values) => rows.push(
                    [FILE, OFFSET, LENGTH, URL, TIME, STATUS]
                        .map(|column| values[column].clone().unwrap_or(Cow::Borrowed("?")))
                        .join(" "),
                ),
                Line::Other => {}
                Line::Bad => rows.push("!".to_owned()),
            }
        }
        rows
    }

    #[test]
    fn every_kind_of_line_says_where_a_capture_lies() {
        let expected = ["a.warc.gz 7 30 http://a.example/ 20240501020304 200"];
        for text in [
            "example,a)/ 20240501020304 {\"url\": \"http://a.example/\", \"status\": \"200\", \"length\": \"30\", \"offset\": \"7\", \"filename\": \"a.warc.gz\"}",
            "!OpenWayback-CDXJ 1.0\nexample,a)/ 20240501020304 {\"url\":\"http:\\/\\/a.example\\/\",\"status\":200,\"length\":30,\"offset\":7,\"filename\":\"a.warc.gz\"}\n\n",
            "{\"warc_filename\":\"a.warc.gz\",\"warc_record_offset\":7,\"warc_record_length\":30,\"url\":\"http://a.example/\",\"fetch_time\":\"20240501020304\",\"fetch_status\":200}",
            " CDX N b a m s k r M S V g\nexample,a)/ 20240501020304 http://a.example/ text/html 200 ABC - - 30 7 a.warc.gz",
            "url,timestamp,status,filename,offset,length\nhttp://a.example/,20240501020304,200,a.warc.gz,7,30",
            "filename\toffset\tlength\turl\ttimestamp\tstatus\na.warc.gz\t7\t30\thttp://a.example/\t20240501020304\t200",
        ] {
            assert_eq!(rows(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_row_costs_itself() {
        let text = "filename,offset,length,url\n\"a,\"\"1\"\".warc\",1,2,u\na,1,2\n\"a,1,2\n\"a\"b,1\n";
        assert_eq!(rows(text), ["a,\"1\".warc 1 2 u ? ?", "a 1 2 ? ? ?", "!", "!"]);
        let text =
            "a)/ 2024 {\"filename\":\"x\",\"offset\":null,\"length\":\"-\"}\nno row\na)/ 2024 {\"x\"\n";
        assert_eq!(rows(text), ["x ? ? ? 2024 ?", "!", "!"]);
        assert!(form("<html>", &mut Wanted::new(None)).is_none());
        assert!(form("a,b,c", &mut Wanted::new(None)).is_none());
    }

    #[test]
    fn lines_have_any_end_and_a_longest_length() {
        let long = "x".repeat(MAX_LINE + 1);
        let text = format!("a\r\n{long}\n\nb");
        let mut from = io::BufReader::with_capacity(7, text.as_bytes());
        let (mut line, mut found) = (Vec::new(), Vec::new());
        while let Some(fits) = next_line(&mut from, &mut line).unwrap() {
            found.push((String::from_utf8_lossy(&line).len(), fits));
        }
        assert_eq!(found[0], (1, true));
        assert!(!found[1].1);
        assert_eq!(found[2..], [(0, true), (1, true)]);
    }
}
