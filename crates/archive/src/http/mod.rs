//! HTTP messages in archives: a header, and a body in the codings in which it was sent.

mod chunked;
mod codings;
mod head;
mod problem;

use std::borrow::Cow;

use crate::limits::Limits;
pub use head::MessageHead;
pub use problem::Problem;

/// A message with its decoded body.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Message<'a> {
    /// Status and fields.
    pub head: MessageHead,
    /// Body without its codings, up to [`Limits::block`] bytes. If the bytes are not in the coding that the
    /// header names, they are unchanged.
    pub body: Cow<'a, [u8]>,
    /// Problems of the message, in the order in which they were found.
    pub problems: Vec<Problem>,
}

/// Maximum number of content codings applied to one body.
const MAX_CODINGS: usize = 4;

/// Splits the block of a `response` record into header and body. Parsing never fails: problems are
/// reported, and the body is decoded as far as possible.
///
/// A block without a status line or fields, like that of a `resource` record, is returned as the body.
///
/// ```
/// use dehusk_archive::{Limits, http};
///
/// let block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=koi8-r\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
/// let message = http::message(block, Limits::default());
/// assert_eq!(message.head.status(), Some(200));
/// assert_eq!(message.head.charset().as_deref(), Some("koi8-r"));
/// assert_eq!(&*message.body, b"hello");
/// assert!(message.problems.is_empty());
/// ```
pub fn message(block: &[u8], limits: Limits) -> Message<'_> {
    let mut problems = Vec::new();
    let (head, body) = head::split(block, limits.head, &mut problems);
    let mut body = Cow::Borrowed(body);
    // The chunked coding was applied last, so it is removed first.
    if head.is_chunked() {
        match chunked::decode(&body, &mut problems) {
            Some(plain) => body = Cow::Owned(plain),
            None => problems.push(Problem::FalseCoding),
        }
    } else if let Some(length) = head.content_length() {
        // The length counts the bytes as sent, with their content codings.
        let have = body.len() as u64;
        if have < length {
            problems.push(Problem::CutBody);
        } else if have > length {
            problems.push(Problem::LongBody);
        }
    }
    let codings = head.codings();
    if codings.len() > MAX_CODINGS {
        problems.push(Problem::TooManyCodings);
    } else {
        // Codings are undone in reverse order. A coding that does not apply leaves the body unchanged.
        for name in codings.iter().rev() {
            if let Some(plain) = codings::decode(name, &body, limits, &mut problems) {
                body = Cow::Owned(plain);
            }
        }
    }
    if body.len() > limits.block {
        // Decoders stop one byte after the limit, which shows that the body is longer.
        problems.push(Problem::TooLarge);
        match &mut body {
            Cow::Borrowed(bytes) => *bytes = &bytes[..limits.block],
            Cow::Owned(bytes) => bytes.truncate(limits.block),
        }
    }
    Message { head, body, problems }
}

/// Returns the body of a message with its codings. Returns the whole block if it has no header.
pub(crate) fn sent_body(block: &[u8]) -> &[u8] {
    head::split(block, Limits::default().head, &mut Vec::new()).1
}

/// Returns the body with the chunked coding removed. `None` if the body is not chunked.
pub(crate) fn without_chunks(block: &[u8]) -> Option<Vec<u8>> {
    let (head, body) = head::split(block, Limits::default().head, &mut Vec::new());
    head.is_chunked()
        .then(|| chunked::decode(body, &mut Vec::new()))
        .flatten()
}

#[cfg(test)]
mod tests;
