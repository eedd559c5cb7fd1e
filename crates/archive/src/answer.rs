//! Records as answers to a request for their address: content or redirect.

use std::borrow::Cow;

use crate::http;
use crate::limits::Limits;
use crate::mhtml::Part;
use crate::warc::{Head, RecordKind};

/// The content stored for an address, or the redirect stored for it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Answer<'r> {
    /// Address (URL) of the record or part.
    pub url: Cow<'r, str>,
    /// HTTP status: 200 to 299 for content, or 301, 302, 303, 307 or 308 for a redirect.
    pub status: u16,
    /// Value of the field `Content-Type` as stored, with parameters. `None` if the field is missing.
    pub content_type: Option<String>,
    /// Target of a redirect as stored, possibly relative. The body of a redirect is meaningless. `None` for content.
    pub location: Option<String>,
    /// Body, with transfer and content codings removed.
    pub body: Cow<'r, [u8]>,
}

impl<'r> Answer<'r> {
    /// Returns the answer held by a record with this head and block.
    ///
    /// `None` if the record has no target address, is neither a response nor a resource, or is a response
    /// with another status. `None` too for a redirect without `Location`.
    ///
    /// ```
    /// use dehusk_archive::{Answer, Event, Limits, Reader, Start};
    ///
    /// let file = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/s.css\r\nContent-Length: 44\r\n\r\n\
    ///     HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n\r\np{}\r\n\r\n";
    /// let mut visit = |event: Event<'_>| {
    ///     if let Event::Record(record) = event {
    ///         let answer = Answer::of(record.head, record.block).unwrap();
    ///         assert_eq!((&*answer.url, answer.content_type.as_deref()), ("http://a.example/s.css", Some("text/css")));
    ///         assert_eq!(&*answer.body, b"p{}");
    ///     }
    /// };
    /// let mut reader = Reader::new(Start::at(0), Limits::default());
    /// reader.push(file, &mut visit);
    /// reader.finish(&mut visit);
    /// ```
    pub fn of(head: &'r Head, block: &'r [u8]) -> Option<Answer<'r>> {
        let url = head.target_uri()?;
        match head.kind() {
            RecordKind::Resource => Some(Answer {
                url,
                status: 200,
                content_type: head.content_type().map(Cow::into_owned),
                location: None,
                body: Cow::Borrowed(block),
            }),
            RecordKind::Response => {
                let message = http::message(block, Limits::default());
                let field = |name| {
                    let value = message.head.get(name)?;
                    Some(String::from_utf8_lossy(value).trim().to_owned())
                };
                let status = message.head.status()?;
                let location = match status {
                    200..=299 => None,
                    // A redirect without a target answers nothing.
                    301..=303 | 307 | 308 => Some(field("Location")?),
                    _ => return None,
                };
                Some(Answer {
                    url,
                    status,
                    content_type: field("Content-Type"),
                    location,
                    body: message.body,
                })
            }
            _ => None,
        }
    }

    /// Returns the part of a saved page as an answer. `None` if the part has no `Content-Location`.
    pub fn of_part(part: Part<'r>) -> Option<Answer<'r>> {
        Some(Answer {
            url: part.location?.into(),
            status: 200,
            content_type: part.content_type,
            location: None,
            body: part.body,
        })
    }

    /// Converts to an answer that owns its address and body.
    pub fn into_owned(self) -> Answer<'static> {
        Answer {
            url: self.url.into_owned().into(),
            body: self.body.into_owned().into(),
            ..self
        }
    }

    /// Returns `true` if this is content whose `Content-Type` contains `html`.
    pub fn is_page(&self) -> bool {
        let told = self.content_type.as_deref().unwrap_or_default();
        self.location.is_none() && told.to_ascii_lowercase().contains("html")
    }
}
