//! Converts JSON objects that are not one per line into lines: arrays of objects, and objects over several lines.
//!
//! Bytes are replaced one by one, so that each record keeps its offset. Brackets of an array become spaces
//! or line feeds, commas between records become line feeds, and line feeds within a record become spaces.
//! The start of the file shows whether this is necessary.

use std::collections::VecDeque;
use std::io::{self, Read};

use crate::read::compression::Stored;
use crate::record::mend::is_utf16;

/// Number of bytes examined at the start of a file. A longer first line is one record.
pub(super) const BEGINNING: u64 = 64 << 10;

/// Layout of the records in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// Not yet known.
    Unknown,
    /// One record per line.
    Lines,
    /// JSON values independent of lines.
    Values,
}

/// Returns `true` if a file that begins with these bytes has one record per line.
pub(super) fn has_lines(beginning: &[u8]) -> bool {
    if is_utf16(beginning) {
        return false;
    }
    let mut cutter = Cutter::default();
    let mut copy = beginning.to_vec();
    cutter.cut(&mut copy);
    // A line feed within a string is damage that affects only its line.
    cutter.shape != Shape::Values && (!cutter.waits || cutter.in_string)
}

/// Finds the borders between records, byte by byte.
struct Cutter {
    shape: Shape,
    /// Number of bytes seen while the layout is unknown.
    seen: u64,
    /// `true` if the records are items of an array.
    in_array: bool,
    /// Number of open objects and arrays in the record.
    depth: u64,
    in_string: bool,
    escaped: bool,
    /// Last byte that is neither white space nor part of a string; a space before the first one.
    last: u8,
    /// `true` if the last byte was a line feed within a record. The next byte decides its meaning.
    waits: bool,
}

impl Default for Cutter {
    fn default() -> Self {
        Cutter {
            shape: Shape::Unknown,
            seen: 0,
            in_array: false,
            depth: 0,
            in_string: false,
            escaped: false,
            last: b' ',
            waits: false,
        }
    }
}

impl Cutter {
    /// Converts the next bytes into lines. If the cutter [waits](Self::waits) afterwards, the last byte is
    /// undecided and must be the first byte of the next call.
    fn cut(&mut self, bytes: &mut [u8]) {
        let mut at = 0;
        if std::mem::take(&mut self.waits) {
            // The undecided line feed is the first byte again.
            self.feed_within(bytes, 0);
            at = 1;
        }
        while at < bytes.len() && self.shape != Shape::Lines && !self.waits {
            self.byte(bytes, at);
            at += 1;
            self.seen += 1;
            if self.shape == Shape::Unknown && self.seen >= BEGINNING {
                self.shape = Shape::Lines;
            }
        }
    }

    /// Examines the byte at `at`, and replaces it if it separates records.
    fn byte(&mut self, bytes: &mut [u8], at: usize) {
        let byte = bytes[at];
        match byte {
            // Line feeds are tested before strings: a line feed in a string ends or repairs the record.
            b'\n' if self.depth > 0 => return self.feed_within(bytes, at),
            _ if self.in_string => {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_string = false,
                    _ => {}
                }
                return;
            }
            b' ' | b'\t' | b'\r' => return,
            // The byte order mark of UTF-8.
            0xef | 0xbb | 0xbf if self.seen < 3 => return,
            b'\n' => {
                match (self.shape, self.in_array) {
                    // The first record ends with its line, so each line is a record.
                    (Shape::Unknown, false) if self.last != b' ' => self.shape = Shape::Lines,
                    // In an array only commas separate records.
                    (_, true) => bytes[at] = b' ',
                    _ => {}
                }
                return;
            }
            // The first `[` of the file begins an array of records.
            b'[' if self.depth == 0 && self.last == b' ' && !self.in_array => {
                (self.in_array, self.shape, bytes[at]) = (true, Shape::Values, b' ');
            }
            // A reader that starts at a record inside an array meets the closing bracket without an opening one.
            b']' if self.depth == 0 && (self.in_array || self.last == b'}') => {
                (self.in_array, self.shape, bytes[at], self.last) = (false, Shape::Values, b'\n', b' ');
                return;
            }
            b',' if self.depth == 0 && self.last == b'}' => {
                (self.shape, bytes[at]) = (Shape::Values, b'\n');
            }
            // Outside of objects and arrays, quotes are ignored: a lone string is not a record, and a line feed ends its line.
            b'"' => self.in_string = self.depth > 0,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.last = byte;
    }

    /// Handles a line feed inside an incomplete record. It belongs to the record, unless the next line
    /// begins an object where JSON allows none. Then this record is damaged, and the following ones must
    /// not be lost with it.
    fn feed_within(&mut self, bytes: &mut [u8], at: usize) {
        let Some(next) = bytes.get(at + 1) else {
            self.waits = true;
            return;
        };
        let is_damaged = *next == b'{' && (self.in_string || !matches!(self.last, b'[' | b',' | b':'));
        // Strings hold no line feeds, so a file of lines has a damaged line here.
        let is_line = self.shape == Shape::Unknown && (is_damaged || self.in_string);
        if is_damaged || is_line {
            // The next byte begins a new record.
            (self.depth, self.in_string, self.escaped, self.last) = (0, false, false, b' ');
        }
        if is_line {
            self.shape = Shape::Lines;
        } else if !is_damaged {
            self.shape = Shape::Values;
            self.escaped = false;
            // A carriage return is a control character as well, but does not end the line. It is repaired
            // with all other control characters.
            bytes[at] = if self.in_string { b'\r' } else { b' ' };
        }
    }
}

/// A stream of JSON objects, converted to lines.
pub(super) struct Shaped<R> {
    inner: R,
    cutter: Cutter,
    /// `true` if nothing was read yet.
    begins: bool,
    /// Converted bytes not yet returned, for a reader with room for a single byte. Two bytes are needed
    /// because a line feed is decided by the next byte.
    spare: VecDeque<u8>,
}

impl<R: Read> Shaped<R> {
    pub(super) fn new(inner: R) -> Self {
        Shaped {
            inner,
            cutter: Cutter::default(),
            begins: true,
            spare: VecDeque::new(),
        }
    }

    /// Reads and converts. The buffer must have room for at least two bytes.
    fn cut_into(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            // A line feed at the end of the previous buffer may still be undecided. Then it is processed again,
            // before the bytes that follow it.
            let held = usize::from(self.cutter.waits);
            if held > 0 {
                buffer[0] = b'\n';
            }
            let read = self.inner.read(&mut buffer[held..])?;
            let bytes = &mut buffer[..held + read];
            if std::mem::take(&mut self.begins) && is_utf16(bytes) {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "the file is UTF-16; convert it, such as by `iconv -f UTF-16 -t UTF-8`",
                ));
            }
            match read {
                // At the end an undecided line feed stays a line feed.
                0 => self.cutter.waits = false,
                _ => self.cutter.cut(bytes),
            }
            match held + read - usize::from(self.cutter.waits) {
                // Only the undecided line feed was read. Returning 0 would mean the end.
                0 if read > 0 => {}
                ready => return Ok(ready),
            }
        }
    }
}

impl<R: Read> Read for Shaped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Once each line is known to be a record, bytes pass through unchanged.
        if self.spare.is_empty() && (self.cutter.shape == Shape::Lines || buffer.is_empty()) {
            return self.inner.read(buffer);
        }
        if self.spare.is_empty() && buffer.len() > 1 {
            return self.cut_into(buffer);
        }
        if self.spare.is_empty() {
            let mut room = [0; 64];
            let read = self.cut_into(&mut room)?;
            self.spare.extend(&room[..read]);
        }
        self.spare.read(buffer)
    }
}

impl<R: Stored> Stored for Shaped<R> {
    fn member(&self) -> Option<u64> {
        self.inner.member()
    }

    fn taken(&self) -> Option<u64> {
        self.inner.taken()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    /// Returns a few bytes at a time.
    struct Pieces<'b>(&'b [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(to.len());
            self.0.read(&mut to[..most])
        }
    }

    fn shaped(text: &str, piece: usize) -> String {
        let mut out = String::new();
        Shaped::new(Pieces(text.as_bytes(), piece))
            .read_to_string(&mut out)
            .unwrap();
        out
    }

    fn records(text: &str) -> Vec<String> {
        let whole = shaped(text, 1000);
        for piece in [1, 2, 3, 7] {
            assert_eq!(shaped(text, piece), whole, "{text}");
        }
        assert_eq!(whole.len(), text.len());
        let lines = whole.trim_start_matches('\u{feff}').lines().map(str::trim);
        lines
            .filter(|line| !line.is_empty())
            .map(|line| line.split_whitespace().collect())
            .collect()
    }

    #[test]
    fn records_come_as_lines_however_they_are_laid_out() {
        let expected = [r#"{"a":1}"#, r#"{"b":[{"c":"]},"}]}"#];
        for text in [
            "{\"a\":1}\n{\"b\":[{\"c\":\"]},\"}]}\n",
            "[{\"a\":1},{\"b\":[{\"c\":\"]},\"}]}]",
            "[\n{\"a\":1},\n{\"b\":[{\"c\":\"]},\"}]}\n]\n",
            "\u{feff} [\r\n  {\r\n    \"a\": 1\r\n  },\r\n  {\"b\": [\r\n{\"c\": \"]},\"}\r\n]}\r\n]\r\n",
            "{\n  \"a\": 1\n}\n{\n\"b\": [\n{\n\"c\": \"]},\"\n}\n]\n}\n",
            "{\"a\":\n1}\n\n{\"b\":[{\"c\":\"]},\"}]}",
            "{\"a\":1},\n{\"b\":[{\"c\":\"]},\"}]},\n",
            "[{\"a\":1}]\n[{\"b\":[{\"c\":\"]},\"}]}]\n",
            "[\n{\"a\":1}\n,\n{\"b\":[{\"c\":\"]},\"}]}]",
        ] {
            assert_eq!(records(text), expected, "{text}");
        }
        assert_eq!(records("[]\n"), [""; 0]);
        assert_eq!(records(" \n\n"), [""; 0]);
    }

    #[test]
    fn a_damaged_record_costs_itself() {
        assert_eq!(
            records("{\"a\":\"cut\n{\"b\":1}\n"),
            ["{\"a\":\"cut", "{\"b\":1}"]
        );
        assert_eq!(
            records("{\"a\":1\n{\"b\":1}\n{\"c\":1}\n"),
            ["{\"a\":1", "{\"b\":1}", "{\"c\":1}"]
        );
        assert_eq!(
            records("[\n{\"a\":\"cut},\n{\"b\":1},\n{\"c\":1}\n]"),
            ["{\"a\":\"cut},", "{\"b\":1}", "{\"c\":1}"]
        );
        for text in ["text", "a [ b", "a ] b", "a { b", "a \" b"] {
            let expected = [
                text.replace(' ', ""),
                "{\"a\":1}".to_owned(),
                "{\"b\":1}".to_owned(),
            ];
            assert_eq!(records(&format!("{text}\n{{\"a\":1}}\n{{\"b\":1}}\n")), expected);
        }
    }

    #[test]
    fn files_of_lines_are_told_by_their_beginning() {
        for text in ["{\"a\":1}\n[", "", "\n\n{\"a\":\"[", "{\"a\":\"line\n", "no JSON"] {
            assert!(has_lines(text.as_bytes()), "{text}");
        }
        for text in ["[{", "\n [", "{\n", "{\"a\":1,\n\"b\":2}", "\u{feff}[1", "{},{}"] {
            assert!(
                !has_lines(text.strip_prefix('\u{feff}').unwrap_or(text).as_bytes()),
                "{text}"
            );
        }
        assert!(!has_lines(b"\xff\xfe{\0\"\0"));
        let error = Shaped::new(&b"\xfe\xff\0{"[..]).read(&mut [0; 9]).unwrap_err();
        assert!(error.to_string().contains("UTF-16"), "{error}");
    }

    fn objects() -> impl Strategy<Value = Vec<Value>> {
        let leaf = prop_oneof![
            any::<i32>().prop_map(Value::from),
            "[a\\[\\]{},:\"\\\\\n ]{0,9}".prop_map(Value::from)
        ];
        let value = leaf.prop_recursive(3, 9, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::hash_map("[ab\"{\n]{1,3}", inner, 0..3)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        });
        let object = prop::collection::hash_map("[a-c]{1,3}", value, 1..4)
            .prop_map(|map| Value::Object(map.into_iter().collect()));
        prop::collection::vec(object, 1..5)
    }

    proptest! {
        #[test]
        fn every_layout_has_the_same_records(objects in objects(), piece in 1..40_usize) {
            let array = Value::from(objects.clone());
            let one = serde_json::to_string_pretty(&objects[0]).unwrap();
            let pretty: Vec<String> = objects.iter().map(|object| serde_json::to_string_pretty(object).unwrap()).collect();
            // A pretty-printed object is on one line only if it is empty; these are not.
            for text in [array.to_string(), serde_json::to_string_pretty(&array).unwrap(), pretty.join("\n"), one.replace("  ", "")] {
                let lines = shaped(&text, piece);
                let read: Vec<Value> = lines.lines().filter(|line| !line.trim().is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect();
                let expected = if text == one.replace("  ", "") { vec![serde_json::from_str(&text).unwrap()] } else { objects.clone() };
                prop_assert_eq!(read, expected);
            }
        }
    }
}
