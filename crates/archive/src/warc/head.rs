//! The head of a record: a version and fields.

use std::borrow::Cow;

use super::digest::Named;
use crate::fields::{Faults, Fields, decimal};
use crate::http;

/// What a record is: its `WARC-Type`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum RecordKind {
    /// What a server answered, with its HTTP head.
    Response,
    /// A file without protocol head.
    Resource,
    /// Another form of something, such as the text of a page (WET).
    Conversion,
    /// An answer that was the same as an earlier one, usually without its body.
    Revisit,
    /// What a server was asked.
    Request,
    /// On the archive itself.
    Warcinfo,
    /// On another record.
    Metadata,
    /// Any other type, or none.
    Other,
}

/// The head of a record. Names of fields are looked up without regard to case, and the first one of a name counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Head {
    fields: Fields,
}

impl Head {
    /// Reads a head, whose first line is the version; what it held before is gone.
    pub(crate) fn parse(&mut self, bytes: &[u8]) -> Faults {
        let mut faults = self.fields.parse(bytes, true);
        faults.bad |= self.get("WARC-Type").is_none();
        faults
    }

    /// The version, such as `1.1`; of ARC files `ARC`.
    pub fn version(&self) -> Cow<'_, str> {
        let version = self.fields.first_line();
        String::from_utf8_lossy(version.strip_prefix(b"WARC/").unwrap_or(version))
    }

    /// All fields, name and value, in their order. Folded lines are one, joined by a space.
    pub fn fields(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.fields.iter()
    }

    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.fields.get(name)
    }

    /// The value of a field; bytes that are no UTF-8 are replaced.
    fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        self.get(name).map(String::from_utf8_lossy)
    }

    /// What the record is.
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

    /// `WARC-Record-ID`, as it is written.
    pub fn id(&self) -> Option<Cow<'_, str>> {
        self.text("WARC-Record-ID")
    }

    /// `WARC-Target-URI`, without the angle brackets that some writers of WARC/1.0 put around it.
    pub fn target_uri(&self) -> Option<Cow<'_, str>> {
        let uri = self.get("WARC-Target-URI")?;
        let inner = uri.strip_prefix(b"<").and_then(|uri| uri.strip_suffix(b">"));
        Some(String::from_utf8_lossy(inner.unwrap_or(uri)))
    }

    /// `WARC-Date`, as it is written.
    pub fn date(&self) -> Option<Cow<'_, str>> {
        self.text("WARC-Date")
    }

    /// `Content-Type` of the block: `application/http; msgtype=response` of most responses.
    pub fn content_type(&self) -> Option<Cow<'_, str>> {
        self.text("Content-Type")
    }

    /// `WARC-Block-Digest`, as it is written.
    pub fn block_digest(&self) -> Option<Cow<'_, str>> {
        self.text("WARC-Block-Digest")
    }

    /// `WARC-Payload-Digest`, as it is written.
    pub fn payload_digest(&self) -> Option<Cow<'_, str>> {
        self.text("WARC-Payload-Digest")
    }

    /// `WARC-Truncated`: why the writer of the archive stored less than there was.
    pub fn truncated(&self) -> Option<Cow<'_, str>> {
        self.text("WARC-Truncated")
    }

    /// `Content-Length`, in bytes; `None` if there is none, or it is no number.
    pub fn content_length(&self) -> Option<u64> {
        decimal(self.get("Content-Length")?)
    }

    /// Whether the payload of a block has the digest that the head names: the body of a message as it was sent, or without its chunks.
    /// `false` if the head names none that can be checked, or another record has the payload.
    pub(crate) fn payload_is_of(&self, block: &[u8]) -> bool {
        if !matches!(self.kind(), RecordKind::Response | RecordKind::Resource) {
            return false;
        }
        let Some(digest) = self.get("WARC-Payload-Digest").and_then(Named::parse) else {
            return false;
        };
        let sent = http::sent_body(block);
        digest.is_of(sent) || http::without_chunks(block).is_some_and(|body| digest.is_of(&body))
    }

    /// The digest of the block, if it can be checked.
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
