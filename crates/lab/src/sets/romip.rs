//! Writes ROMIP XML, and reads and writes its lists of groups. [`dehusk_pipeline::format::Romip`] reads the
//! pages.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use dehusk_pipeline::format::romip::xml;

/// The last line of a collection.
pub(crate) const TAIL: &str = "</romip:dataset>\n";

/// The first lines of a collection, in UTF-8.
#[must_use]
pub fn head(collection: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <romip:dataset xmlns:romip=\"http://www.romip.ru/data/common\" collectionId=\"{}\">\n",
        escaped(collection)
    )
}

/// A page whose id is its address. It is encoded in windows-1251, as ROMIP's collections are, or in UTF-8
/// if windows-1251 lacks one of its characters. It is written in base64, which preserves its bytes.
#[must_use]
pub fn document(url: &str, html: &str) -> String {
    let (bytes, _, lossy) = encoding_rs::WINDOWS_1251.encode(html);
    let bytes = if lossy { html.as_bytes() } else { &bytes };
    document_of(url, url, bytes)
}

/// A page with these bytes.
#[must_use]
pub(crate) fn document_of(id: &str, url: &str, bytes: &[u8]) -> String {
    format!(
        "<document>\n<docID>{}</docID>\n<docURL>{}</docURL>\n<content encoding=\"base64\">{}</content>\n</document>\n",
        escaped(id),
        escaped(url),
        STANDARD.encode(bytes)
    )
}

/// Groups of two or more documents as the result of a task: a `doclist` for each group.
#[must_use]
pub fn groups(collection: &str, system: &str, groups: &[Vec<&str>]) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <romip:taskresult xmlns:romip=\"http://www.romip.ru/data/common\" collectionId=\"{}\" trackId=\"duplicates\">\n\
         <romip:run><romip:systemID>{}</romip:systemID><romip:runID>1</romip:runID></romip:run>\n",
        escaped(collection),
        escaped(system)
    );
    for (number, group) in groups.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "<doclist taskID=\"group{}\">", number + 1);
        for id in group {
            let _ = writeln!(out, "<docID>{}</docID>", escaped(id));
        }
        out.push_str("</doclist>\n");
    }
    out.push_str("</romip:taskresult>\n");
    out
}

/// The groups of a task result, as pairs of document id and number of the group.
///
/// # Errors
/// If there are no groups.
pub(crate) fn read_groups(bytes: &[u8]) -> Result<Vec<(String, String)>, String> {
    let text = xml::decode(bytes).ok_or("its charset is unknown")?;
    let mut rows = Vec::new();
    let mut rest = text.as_ref();
    let mut number = 0;
    while let Some(list) = xml::element(rest, "doclist") {
        number += 1;
        let mut inner = list.inner;
        while let Some(id) = xml::element(inner, "docID") {
            rows.push((id.text().trim().to_owned(), number.to_string()));
            inner = id.rest;
        }
        rest = list.rest;
    }
    if rows.is_empty() {
        return Err("no `doclist` with a `docID` is in it".to_owned());
    }
    Ok(rows)
}

/// Text with the special characters of XML escaped.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML 1.0 allows no other control characters, not even escaped.
            c if c.is_control() && !matches!(c, '\t' | '\n' | '\r') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
