//! The header of a record: a version line and fields.

use std::borrow::Cow;

use super::digest::Named;
use crate::fields::{Faults, Fields, decimal};
use crate::http;

/// Type of a record, from the field `WARC-Type`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum RecordKind {
    /// Response of a server, with its HTTP header.
    Response,
    /// A file without a protocol header.
    Resource,
    /// A converted form of another record, such as the text of a page (WET).
    Conversion,
    /// A response identical to an earlier one, usually stored without its body.
    Revisit,
    /// Request sent to a server.
    Request,
    /// Description of the archive file.
    Warcinfo,
    /// Metadata about another record.
    Metadata,
    /// Any other type, or no type.
    Other,
}

/// The header of a record. Field names are compared without regard to case, and the first field of a name counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Head {
    fields: Fields,
}

impl Head {
    /// Parses a header whose first line is the version, replacing the previous content.
    pub(crate) fn parse(&mut self, bytes: &[u8]) -> Faults {
        let mut faults = self.fields.parse(bytes, true);
        // A header without a type is returned, too, but reported.
        faults.bad |= self.get("WARC-Type").is_none();
        faults
    }

    /// Returns the version, such as `1.1`. For ARC files it is `ARC`.
    pub fn version(&self) -> Cow<'_, str> {
        let version = self.fields.first_line();
        String::from_utf8_lossy(version.strip_prefix(b"WARC/").unwrap_or(version))
    }

    /// Returns all fields as name and value, in their order. Folded lines are joined by a space.
    pub fn fields(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.fields.iter()
    }

    /// Returns the value of a field.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.fields.get(name)
    }

    /// Returns the value of a field, with invalid UTF-8 replaced.
    fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        self.get(name).map(String::from_utf8_lossy)
    }

    /// Returns the type of the record.
    pub fn kind(&self) -> RecordKind {
        let kind = self.get("WARC-Type").unwrap_or_default().to_ascii_lowercase();
        match kind.as_slice() {
            b"response" => RecordKind::Response,
            b"resource" => RecordKind::Resource,
            b"conversion" => RecordKind::Conversion,
            b"revisit" => RecordKind::Revisit,
            b"request" => RecordKind::Request,
            b"warcinfo" => RecordKind::Warcinfo,
            b"metadata" => RecordKind::Metadata,
            _ => RecordKind::Other,
        }
    }

    /// Returns `WARC-Record-ID`, as written.
    pub fn id(&self) -> Option<Cow<'_, str>> {
        self.text("WARC-Record-ID")
    }

    /// Returns `WARC-Target-URI`, without the angle brackets that some writers of WARC/1.0 add.
    pub fn target_uri(&self) -> Option<Cow<'_, str>> {
        let uri = self.get("WARC-Target-URI")?;
        let inner = uri.strip_prefix(b"<").and_then(|uri| uri.strip_suffix(b">"));
        Some(String::from_utf8_lossy(inner.unwrap_or(uri)))
    }

    /// Returns `WARC-Date`, as written.
    pub fn date(&self) -> Option<Cow<'_, str>> {
        self.text("WARC-Date")
    }

    /// Returns `Content-Type` of the block; for most responses it is `application/http; msgtype=response`.
    pub fn content_type(&self) -> Option<Cow<'_, str>> {
        self.text("Content-Type")
    }

    /// Returns `WARC-Block-Digest`, as written.
    pub fn block_digest(&self) -> Option<Cow<'_, str>> {
        self.text("WARC-Block-Digest")
    }

    /// Returns `WARC-Payload-Digest`, as written.
    pub fn payload_digest(&self) -> Option<Cow<'_, str>> {
        self.text("WARC-Payload-Digest")
    }

    /// Returns `WARC-Truncated`: why the writer stored less than the whole content.
    pub fn truncated(&self) -> Option<Cow<'_, str>> {
        self.text("WARC-Truncated")
    }

    /// Returns `Content-Length` in bytes; `None` if it is missing or not a number.
    pub fn content_length(&self) -> Option<u64> {
        decimal(self.get("Content-Length")?)
    }

    /// Returns `true` if the payload of a block matches `WARC-Payload-Digest`. The payload is the body as
    /// sent, or without its chunked coding.
    ///
    /// `false` if the header has no digest that can be checked, or the record is neither a response nor a resource.
    pub(crate) fn payload_is_of(&self, block: &[u8]) -> bool {
        if !matches!(self.kind(), RecordKind::Response | RecordKind::Resource) {
            return false;
        }
        let Some(digest) = self.get("WARC-Payload-Digest").and_then(Named::parse) else {
            return false;
        };
        // The payload is compared as sent first, since writers disagree about the chunked coding.
        let sent = http::sent_body(block);
        digest.is_of(sent) || http::without_chunks(block).is_some_and(|body| digest.is_of(&body))
    }

    /// Returns the digest of the block, or `None` if it is missing or cannot be checked.
    pub(crate) fn digest(&self) -> Option<Named> {
        Named::parse(self.get("WARC-Block-Digest")?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::LINE;

    #[test]
    fn fields_are_read_in_any_case_and_folded() {
        let mut head = Head::default();
        let faults = head.parse(
            b"WARC/1.1\r\nwarc-type:response\r\nWARC-Target-URI: <http://x/>\r\nSubject: one\r\n\ttwo\r\n  three\r\nContent-Length : 12\n\n",
        );
        assert_eq!(faults, Faults::default());
        assert_eq!(head.version(), "1.1");
        assert_eq!(head.kind(), RecordKind::Response);
        assert_eq!(head.target_uri().unwrap(), "http://x/");
        assert_eq!(head.get("SUBJECT").unwrap(), b"one two three");
        assert_eq!(head.content_length(), Some(12));
        assert_eq!(head.fields().count(), 4);
    }

    #[test]
    fn lines_that_are_no_fields_are_told() {
        let mut head = Head::default();
        assert!(head.parse(b"WARC/1.0\r\nWARC-Type: resource\r\nno field\r\n").bad);
        assert!(head.parse(b"WARC/1.0\r\nContent-Length: 1\r\n").bad);
        let long = [b"WARC/1.0\nWARC-Type: x\nA: ".as_slice(), &vec![b'a'; LINE]].concat();
        assert!(head.parse(&long).long_line);
        assert_eq!(head.get("A").unwrap().len(), LINE - 3);
    }

    #[test]
    fn lengths_that_are_no_numbers_are_none() {
        let mut head = Head::default();
        for length in ["", "-1", "+1", "1x", "99999999999999999999"] {
            head.parse(format!("WARC/1.0\nContent-Length: {length}\n").as_bytes());
            assert_eq!(head.content_length(), None, "{length}");
        }
    }
}
