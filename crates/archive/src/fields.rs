//! Field lines of record headers and HTTP headers.

use std::ops::Range;

use crate::limits::LINE;

/// Fields of a header. Names are compared without regard to case, and the first field of a name counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Fields {
    text: Vec<u8>,
    /// Range of the first line (version or status line), which is not a field.
    first: Range<usize>,
    fields: Vec<(Range<usize>, Range<usize>)>,
}

/// Faults of a header.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Faults {
    /// Some lines are not fields.
    pub(crate) bad: bool,
    /// Some lines are longer than [`LINE`] bytes and are cut.
    pub(crate) long_line: bool,
}

impl Fields {
    /// Parses a header, replacing the previous fields. `has_first_line` is set if the first line is a
    /// version or status line.
    pub(crate) fn parse(&mut self, bytes: &[u8], has_first_line: bool) -> Faults {
        self.text.clear();
        self.fields.clear();
        self.first = 0..0;
        let mut faults = Faults::default();
        for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            // Lines may end in LF alone.
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.is_empty() {
                continue;
            }
            faults.long_line |= line.len() > LINE;
            let line = &line[..line.len().min(LINE)];
            let start = self.text.len();
            if number == 0 && has_first_line {
                self.text.extend_from_slice(line.trim_ascii());
                self.first = start..self.text.len();
            } else if line[0] == b' ' || line[0] == b'\t' {
                faults.bad |= !self.unfold(line, &mut faults.long_line);
            } else if let Some(colon) = memchr::memchr(b':', line) {
                self.text.extend_from_slice(line[..colon].trim_ascii());
                let middle = self.text.len();
                self.text.extend_from_slice(line[colon + 1..].trim_ascii());
                self.fields.push((start..middle, middle..self.text.len()));
            } else {
                faults.bad = true;
            }
        }
        faults
    }

    /// Appends a folded line to the preceding value. Returns `false` if there is no preceding field.
    fn unfold(&mut self, line: &[u8], long: &mut bool) -> bool {
        let Some((_, value)) = self.fields.last_mut() else {
            return false;
        };
        let line = line.trim_ascii();
        // Dropped instead of cut, so that a value never ends inside a folded line.
        if value.len() + line.len() >= LINE {
            *long = true;
            return true;
        }
        // The value lies at the end of `text`, so appending extends it.
        if value.start < value.end && !line.is_empty() {
            self.text.push(b' ');
        }
        self.text.extend_from_slice(line);
        value.end = self.text.len();
        true
    }

    pub(crate) fn first_line(&self) -> &[u8] {
        &self.text[self.first.clone()]
    }

    /// Returns all fields as name and value.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.fields
            .iter()
            .map(|(name, value)| (&self.text[name.clone()], &self.text[value.clone()]))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&[u8]> {
        self.iter()
            .find(|(field, _)| field.eq_ignore_ascii_case(name.as_bytes()))
            .map(|(_, value)| value)
    }
}

/// Returns the length of a header including the empty line that ends it; `None` if it does not end. The end
/// is known not to begin in the first `searched` bytes.
pub(crate) fn end_of_head(data: &[u8], searched: usize) -> Option<usize> {
    // The empty line may be `\n\n` or `\n\r\n`, so it is found from the first line feed.
    let newlines = memchr::memchr_iter(b'\n', &data[searched..]).map(|at| searched + at);
    for at in newlines {
        let rest = &data[at + 1..];
        if rest.starts_with(b"\n") {
            return Some(at + 2);
        }
        if rest.starts_with(b"\r\n") {
            return Some(at + 3);
        }
    }
    None
}

/// Parses a number that consists of decimal digits only. `None` if empty, malformed or beyond 64 bits.
pub(crate) fn decimal(digits: &[u8]) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(digits)
        .ok()
        .filter(|_| is_number)?
        .parse()
        .ok()
}
