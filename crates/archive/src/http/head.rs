//! The header of an HTTP message as servers really send it: lines that end with LF, lines that are not
//! fields, a missing status.

use std::borrow::Cow;

use super::problem::Problem;
use crate::fields::{Fields, decimal, end_of_head};

/// The header of an HTTP message.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MessageHead {
    fields: Fields,
}

impl MessageHead {
    /// Returns the status of a response, such as 200. `None` if the first line has no status.
    pub fn status(&self) -> Option<u16> {
        let line = self.fields.first_line();
        let mut words = line.split(|byte| *byte == b' ').filter(|word| !word.is_empty());
        // The second word must be three digits: `HTTP/1.1 OK` has no status.
        let status = words.nth(1).filter(|status| status.len() == 3)?;
        decimal(status).and_then(|status| u16::try_from(status).ok())
    }

    /// Returns all fields as name and value, in their order.
    pub fn fields(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.fields.iter()
    }

    /// Returns the value of a field. Names are compared without regard to case; the first field of a name counts.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.fields.get(name)
    }

    /// Returns `Content-Type` without parameters in lower case, such as `text/html`.
    pub fn content_type(&self) -> Option<String> {
        let field = String::from_utf8_lossy(self.get("Content-Type")?);
        let name = field
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        (!name.is_empty()).then_some(name)
    }

    /// Returns the parameter `charset` of `Content-Type`, as written.
    pub fn charset(&self) -> Option<Cow<'_, str>> {
        let field = self.get("Content-Type")?;
        let mut parameters = field.split(|byte| *byte == b';').skip(1);
        let value = parameters.find_map(|parameter| {
            let equals = memchr::memchr(b'=', parameter)?;
            let is = parameter[..equals].trim_ascii().eq_ignore_ascii_case(b"charset");
            is.then(|| parameter[equals + 1..].trim_ascii())
        })?;
        let quote = |byte: &u8| matches!(byte, b'"' | b'\'');
        let value = value
            .strip_prefix(b"\"")
            .or(value.strip_prefix(b"'"))
            .unwrap_or(value);
        let value = value.split(quote).next().unwrap_or_default().trim_ascii();
        (!value.is_empty()).then(|| String::from_utf8_lossy(value))
    }

    pub(super) fn content_length(&self) -> Option<u64> {
        decimal(self.get("Content-Length")?)
    }

    pub(super) fn is_chunked(&self) -> bool {
        let coding = self
            .get("Transfer-Encoding")
            .unwrap_or_default()
            .to_ascii_lowercase();
        memchr::memmem::find(&coding, b"chunked").is_some()
    }

    /// Returns the content codings, then the transfer codings other than `chunked`, in the order in which
    /// they were applied.
    pub(super) fn codings(&self) -> Vec<String> {
        let names = ["Content-Encoding", "Transfer-Encoding"];
        let fields = names.iter().flat_map(|name| {
            let is = |(field, _): &(&[u8], &[u8])| field.eq_ignore_ascii_case(name.as_bytes());
            self.fields.iter().filter(is).map(|(_, value)| value)
        });
        fields
            .flat_map(|value| value.split(|byte| *byte == b','))
            .map(|name| String::from_utf8_lossy(name.trim_ascii()).to_ascii_lowercase())
            .filter(|name| !matches!(name.as_str(), "" | "identity" | "chunked" | "none"))
            .collect()
    }
}

/// Splits a block into header and body.
///
/// `most` is the longest header allowed, in bytes. Damage is added to `problems`.
pub(super) fn split<'a>(
    block: &'a [u8],
    most: usize,
    problems: &mut Vec<Problem>,
) -> (MessageHead, &'a [u8]) {
    let mut head = MessageHead::default();
    let first = block.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let has_status = block
        .get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/"));
    // A body that begins like neither a status line nor a field has no header.
    if !has_status && !is_field(first) {
        problems.push(Problem::NoHead);
        return (head, block);
    }
    let probed = &block[..block.len().min(most)];
    // Some servers omit the empty line, so markup at the start of a line ends the header, too.
    let (end, problem) = match (end_of_head(probed, 0), start_of_markup(probed)) {
        (Some(end), Some(markup)) if markup < end => (markup, Some(Problem::BadHead)),
        (Some(end), _) => (end, None),
        (None, Some(markup)) => (markup, Some(Problem::BadHead)),
        (None, None) if probed.len() < block.len() => (block.len(), Some(Problem::HeadTooLarge)),
        (None, None) => (block.len(), Some(Problem::CutHead)),
    };
    let faults = head.fields.parse(&block[..end.min(most)], has_status);
    if head.status().is_none() {
        problems.push(Problem::NoStatus);
    }
    // Reported once, even if both the lines and the end of the header are bad.
    if (faults.bad || faults.long_line) && problem != Some(Problem::BadHead) {
        problems.push(Problem::BadHead);
    }
    problems.extend(problem);
    (head, &block[end..])
}

/// Returns `true` if a line is a field: a name of letters, digits, hyphens and underscores, then a colon.
fn is_field(line: &[u8]) -> bool {
    memchr::memchr(b':', line).is_some_and(|colon| {
        colon > 0
            && line[..colon]
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    })
}

/// Returns the offset of a line that begins with `<`. No field does, so a page begins there without the
/// empty line that should precede it.
fn start_of_markup(head: &[u8]) -> Option<usize> {
    memchr::memmem::find(head, b"\n<").map(|at| at + 1)
}
