//! ROMIP XML: many pages per file, the format of the collections of the Russian information retrieval evaluation seminar.

use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use self::cut::Documents;
use crate::read::ahead::Ahead;
use crate::read::chunk::{Body, Bounds, Chunk, Chunks, Format, Found, Place, Source};
use crate::record::{Content, Extra, PageRecord, Reason, Rejection};

mod charset;
mod cut;
mod tags;
pub mod xml;

#[cfg(test)]
mod tests;

/// Web and news collections of ROMIP: `<document>` elements with `docID`, `docURL`, `content`, and for news
/// `subject`, `agency` and `timestamp`. The elements may have any root and any prefix. The file is in UTF-8
/// or in a single-byte charset named by the XML declaration.
///
/// The file is cut while it is read and never held as a whole. Base64 in elements is decoded, white space
/// in it ignored. A page keeps its bytes and its charset. A document that is truncated, has no end or has
/// invalid base64 is rejected with its byte offset, and reading continues with the next one.
pub struct Romip;

/// Base64 with or without padding; ROMIP has both.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

impl Format for Romip {
    fn name(&self) -> &'static str {
        "romip"
    }

    fn summary(&self) -> &'static str {
        "ROMIP XML: pages in `document` elements, in base64 or as text"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["xml"]
    }

    fn holds_many(&self) -> bool {
        true
    }

    fn open(&self, source: &Arc<Source>, bounds: &Bounds) -> Box<dyn Chunks> {
        let stream = |from: Box<dyn Read + Send>| -> Box<dyn Read + Send> {
            Box::new(Ahead::new(from, source.is_packed(), bounds.ahead))
        };
        let reader = source.stream().map(stream);
        Box::new(Documents::new(Arc::clone(source), reader, bounds.line_bytes()))
    }

    fn pages(&self, chunk: &Chunk, visit: &mut dyn FnMut(Place<'_>, Found<PageRecord<'_>>)) {
        let Body::Page(bytes) = &chunk.body else { return };
        let place = Place::at(chunk.offset);
        // The bytes were converted to UTF-8 when the file was cut. Invalid UTF-8 is replaced by U+FFFD.
        let text = String::from_utf8_lossy(bytes);
        visit(place, page(&text).into());
    }
}

/// Parses one `document` element.
fn page(document: &str) -> Result<PageRecord<'static>, Rejection> {
    // Fields fill in the rejection as they are read, so that it names the document.
    let mut rejection = Rejection::new(Reason::BadXml, String::new());
    let field = |name: &str| -> Option<String> {
        let element = xml::element(document, name)?;
        let text = element.text();
        let text = if element.is_base64() {
            words(&decode(&text).ok()?)
        } else {
            text.into_owned()
        };
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    };
    let id = field("docID");
    // An ID that is an address also serves as the URL.
    let url = field("docURL").or_else(|| id.clone().filter(|id| id.contains("://")));
    let date = xml::element(document, "timestamp")
        .and_then(|stamp| xml::element(stamp.inner, "date"))
        .and_then(|date| day(date.text().trim()));
    let about: Vec<_> = ["subject", "agency"]
        .into_iter()
        .filter_map(|name| Some((name, field(name)?)))
        .collect();
    (rejection.id, rejection.url) = (id.clone(), url.clone());
    let Some(element) = xml::element(document, "content") else {
        rejection.reason = Reason::MissingContent;
        "`content` is missing, or it has no end".clone_into(&mut rejection.message);
        return Err(rejection);
    };
    let text = element.text();
    let content = if element.is_base64() {
        match decode(&text) {
            Ok(bytes) => Content::Bytes(Cow::Owned(bytes)),
            Err(error) => {
                rejection.reason = Reason::BadBase64;
                rejection.message = format!("`content`: {error}");
                return Err(rejection);
            }
        }
    } else {
        Content::Text(Cow::Owned(text.into_owned()))
    };
    let mut page = PageRecord::new(content);
    page.id = id.map(Cow::Owned);
    page.url = url.map(Cow::Owned);
    page.date = date.map(Cow::Owned);
    page.extra = Extra(
        about
            .into_iter()
            .filter_map(|(name, text)| {
                let value = serde_json::value::to_raw_value(&text).ok()?; // a string is always valid JSON
                Some((Cow::Borrowed(name), Cow::Owned(value)))
            })
            .collect(),
    );
    Ok(page)
}

fn decode(text: &str) -> Result<Vec<u8>, base64::DecodeError> {
    let packed: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    BASE64.decode(packed)
}

/// Decodes a short text, for which no charset is given: as UTF-8 if valid, else as windows-1251, the charset of all ROMIP collections.
fn words(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => encoding_rs::WINDOWS_1251.decode(bytes).0.into_owned(),
    }
}

/// Converts `20070513` to `2007-05-13`.
fn day(digits: &str) -> Option<String> {
    let plain = digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| format!("{}-{}-{}", &digits[..4], &digits[4..6], &digits[6..]))
}
