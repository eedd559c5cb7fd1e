//! Requests to and answers from page processes.

use std::borrow::Cow;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::record::mend::LineNotes;
use crate::record::{Content, Extra, PageRecord, RecordPlace, Rejected, StartAt, UrlSource};

/// Request to a page process. The content follows in a second message, unless it is in a file.
#[derive(Serialize, Deserialize)]
#[expect(
    clippy::large_enum_variant,
    reason = "one lives at a time, and is not moved about"
)]
pub(super) enum Ask<'a> {
    /// Processes one page, whose content follows.
    #[serde(borrow)]
    Page(Request<'a>),
    /// Processes all pages of lines that follow or are in a file. The bytes describe the lines.
    Lines(&'a [u8]),
}

/// Answer of a page process about lines.
pub(crate) enum Told<M> {
    /// The lines were read from their file; the next line begins here.
    Read(StartAt),
    /// Result of the next record.
    Record(Result<M, Rejected>),
    /// Notes on the lines of all records. Sent last.
    Noted(LineNotes),
}

/// Encoded answer to [`Ask::Lines`]: one for each record, and the end.
#[derive(Serialize, Deserialize)]
pub(super) enum Answer<M> {
    /// The lines were read from their file; the next line begins here.
    Read(StartAt),
    /// Result of a page.
    Made(M),
    /// A rejected record as JSON, since its serialization omits fields, which the binary format does not support.
    Rejected(String),
    End,
    Noted(LineNotes),
}

impl<M> Answer<M> {
    pub(super) fn of(told: Told<M>) -> Self {
        match told {
            Told::Read(end) => Answer::Read(end),
            Told::Noted(notes) => Answer::Noted(notes),
            Told::Record(Ok(made)) => Answer::Made(made),
            Told::Record(Err(rejected)) => Answer::Rejected(rejected.to_json()),
        }
    }
}

/// Returns the size of a page in bytes, with all fields of its record.
pub(super) fn size(page: &PageRecord<'_>) -> usize {
    let texts = [
        &page.id,
        &page.url,
        &page.folder_url,
        &page.content_type,
        &page.last_modified,
        &page.charset,
        &page.date,
        &page.damage,
        &page.cut,
        &page.language,
    ];
    let texts = texts.into_iter().flatten().map(|text| text.len());
    let extra = page
        .extra
        .0
        .iter()
        .map(|(name, value)| name.len() + value.get().len());
    Request::content(page).len() + texts.chain(extra).sum::<usize>()
}

/// The fields of [`PageRecord`], with texts borrowed from the message. The content is sent in a second message.
#[derive(Serialize, Deserialize)]
pub(super) struct Request<'a> {
    id: Option<&'a str>,
    url: Option<&'a str>,
    url_source: Option<UrlSource>,
    folder_url: Option<&'a str>,
    content_type: Option<&'a str>,
    last_modified: Option<&'a str>,
    charset: Option<&'a str>,
    date: Option<&'a str>,
    popularity: Option<f64>,
    damage: Option<&'a str>,
    cut: Option<&'a str>,
    is_main_text: bool,
    language: Option<&'a str>,
    /// Source, offset and plain offset.
    place: Option<(&'a str, u64, Option<u64>)>,
    /// Names, and values as JSON.
    #[serde(borrow)]
    extra: Vec<(&'a str, &'a str)>,
    content: RequestContent,
}

/// Location of the content.
#[derive(Serialize, Deserialize)]
enum RequestContent {
    /// In a message of its own, as text.
    Text,
    /// In a message of its own, as bytes.
    Bytes,
    File {
        name: String,
        path: PathBuf,
    },
}

impl<'a> Request<'a> {
    /// Describes a page, without its content.
    pub(super) fn of(page: &'a PageRecord<'_>) -> Self {
        let extra = page.extra.0.iter();
        Request {
            id: page.id.as_deref(),
            url: page.url.as_deref(),
            url_source: page.url_source,
            folder_url: page.folder_url.as_deref(),
            content_type: page.content_type.as_deref(),
            last_modified: page.last_modified.as_deref(),
            charset: page.charset.as_deref(),
            date: page.date.as_deref(),
            popularity: page.popularity,
            damage: page.damage.as_deref(),
            cut: page.cut.as_deref(),
            is_main_text: page.is_main_text,
            language: page.language.as_deref(),
            place: page
                .place
                .as_ref()
                .map(|place| (place.source.as_ref(), place.offset, place.plain_offset)),
            extra: extra.map(|(name, value)| (name.as_ref(), value.get())).collect(),
            content: match &page.content {
                Content::Text(_) => RequestContent::Text,
                Content::Bytes(_) => RequestContent::Bytes,
                Content::File { name, path } => RequestContent::File {
                    name: name.clone().into_owned(),
                    path: path.clone(),
                },
            },
        }
    }

    /// Returns the content of the second message, without copying it. Empty for a page in a file.
    pub(super) fn content<'c>(page: &'c PageRecord<'_>) -> &'c [u8] {
        match &page.content {
            Content::Text(text) => text.as_bytes(),
            Content::Bytes(bytes) => bytes,
            Content::File { .. } => &[],
        }
    }

    /// Returns the page that the two messages describe.
    pub(super) fn page(self, content: &'a [u8]) -> PageRecord<'a> {
        let text = |text: Option<&'a str>| text.map(Cow::Borrowed);
        let value = |(name, value)| {
            let value: &RawValue = serde_json::from_str(value).ok()?;
            Some((Cow::Borrowed(name), Cow::Borrowed(value)))
        };
        PageRecord {
            id: text(self.id),
            url: text(self.url),
            url_source: self.url_source,
            folder_url: text(self.folder_url),
            content_type: text(self.content_type),
            last_modified: text(self.last_modified),
            charset: text(self.charset),
            date: text(self.date),
            popularity: self.popularity,
            damage: text(self.damage),
            cut: text(self.cut),
            is_main_text: self.is_main_text,
            language: text(self.language),
            place: self
                .place
                .map(|(source, offset, plain)| RecordPlace::new(source, offset, plain)),
            extra: Extra(self.extra.into_iter().filter_map(value).collect()),
            content: match self.content {
                RequestContent::Text => Content::Text(match simdutf8::basic::from_utf8(content) {
                    Ok(text) => Cow::Borrowed(text),
                    Err(_) => String::from_utf8_lossy(content),
                }),
                RequestContent::Bytes => Content::Bytes(content.into()),
                RequestContent::File { name, path } => Content::File {
                    name: name.into(),
                    path,
                },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_arrives_as_it_was_sent() {
        let contents = [
            Content::Text("<p>é".into()),
            Content::Bytes((&[0, 255, b'<'][..]).into()),
            Content::File {
                name: "a".into(),
                path: "/b/a".into(),
            },
        ];
        for content in contents {
            let mut page = PageRecord::new(content);
            (page.id, page.url) = (Some("i".into()), Some("http://a.example/".into()));
            (page.url_source, page.folder_url) = (Some(UrlSource::Base), Some("http://b.example/".into()));
            (page.content_type, page.charset) = (Some("text/html".into()), Some("utf-8".into()));
            page.last_modified = Some("Tue, 05 Mar 2024 10:00:00 GMT".into());
            (page.date, page.popularity) = (Some("2024".into()), Some(0.1));
            page.damage = Some("broken".into());
            (page.cut, page.is_main_text, page.language) = (Some("cut".into()), true, Some("eng".into()));
            page.place = Some(RecordPlace::new("c/x.warc.gz", 7, Some(1 << 40)));
            let value: &RawValue = serde_json::from_str(r#"{"b" : [1, "é"]}"#).unwrap();
            page.extra = Extra(vec![("name".into(), Cow::Borrowed(value))]);
            let message = postcard::to_stdvec(&Request::of(&page)).unwrap();
            let got = postcard::from_bytes::<Request<'_>>(&message).unwrap();
            let got = got.page(Request::content(&page));
            assert_eq!(format!("{got:?}"), format!("{page:?}"));
        }
    }
}
