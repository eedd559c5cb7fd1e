//! Parsing of a JSON line to a page or document. Strings without escapes are borrowed from the line.

use std::borrow::{Borrow, Cow};
use std::fmt::{self, Write};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::record::document::{Capture, DocumentRecord, Ranking};
use crate::record::mend::is_utf16;
use crate::record::object::{self, StringRoom};
use crate::record::page::{Content, Extra, PageRecord};
use crate::record::rejected::{Reason, Rejection};

/// Parses a line as a page. One unescaped string may be stored in `room`.
pub(crate) fn page<'a>(
    line: &'a [u8],
    base: Option<&Path>,
    room: Option<&'a StringRoom>,
) -> Result<PageRecord<'a>, Rejection> {
    let fields = parse(line, room, PageVisitor)?;
    let refuse = |reason, message: String| Rejection {
        id: fields.id.as_deref().map(str::to_owned),
        url: fields.url.as_deref().map(str::to_owned),
        reason,
        message,
    };
    // `html` takes precedence over `html_base64`, and both over `path`.
    let content = match (fields.html, fields.html_base64, fields.path) {
        (Some(html), ..) => Content::Text(html),
        (None, Some(coded), _) => match STANDARD.decode(coded.as_bytes()) {
            Ok(bytes) => Content::Bytes(Cow::Owned(bytes)),
            Err(error) => return Err(refuse(Reason::BadBase64, format!("`html_base64`: {error}"))),
        },
        (None, None, Some(name)) => Content::File {
            path: joined(base, &name),
            name,
        },
        (None, None, None) => {
            let message = if fields.text {
                "this line is a document with `text`, not a page with `html`, `html_base64` or `path`"
            } else {
                "none of `html`, `html_base64`, `path` is here; `--column html=NAME` names the field to read"
            };
            return Err(refuse(Reason::MissingContent, message.to_owned()));
        }
    };
    Ok(PageRecord {
        id: fields.id,
        url: fields.url,
        content_type: fields.content_type,
        charset: fields.charset,
        date: fields.date,
        popularity: fields.popularity,
        extra: fields.extra,
        ..PageRecord::new(content)
    })
}

/// Parses a line as a document. One unescaped string may be stored in `room`.
pub(crate) fn document<'a>(
    line: &'a [u8],
    room: Option<&'a StringRoom>,
) -> Result<DocumentRecord<'a>, Rejection> {
    let fields = parse(line, room, DocumentVisitor)?;
    let Some(text) = fields.text else {
        let message = if fields.html {
            "this line is a page with `html`, not a document with `text`; extract it first"
        } else {
            "`text` is missing; `--column text=NAME` names the field to read"
        };
        return Err(Rejection {
            id: fields.id.map(Cow::into_owned),
            url: fields.url.map(Cow::into_owned),
            reason: Reason::MissingContent,
            message: message.to_owned(),
        });
    };
    Ok(DocumentRecord {
        id: fields.id,
        url: fields.url,
        path: fields.path,
        title: fields.title,
        text,
        ranking: fields.ranking,
        capture: Capture::default(),
    })
}

/// Returns the line with another ID. Other fields keep their order and their bytes.
pub(crate) fn with_id(line: &[u8], id: &str) -> Vec<u8> {
    with_text(line, "id", id)
}

/// Returns the line with `field` set to this text. Other fields keep their order and their bytes.
pub(crate) fn with_text(line: &[u8], field: &str, text: &str) -> Vec<u8> {
    let text = serde_json::value::to_raw_value(text).ok();
    let mut members: Vec<_> = text
        .iter()
        .map(|text| (Cow::Borrowed(field), text.as_ref()))
        .collect();
    let fields = fields(line).unwrap_or_default();
    debug_assert!(!fields.is_empty(), "lines that are written were read before");
    members.extend(fields.into_iter().filter(|(name, _)| name != field));
    object_of(&members).into_bytes()
}

/// Returns the line with these values as its last fields. They replace fields of the same names.
pub(crate) fn with_values(line: &[u8], values: &[(&str, Value)]) -> Vec<u8> {
    let fields = fields(line).unwrap_or_default();
    let is_new = |name: &str| values.iter().any(|(field, _)| *field == name);
    let others = fields.into_iter().filter(|(name, _)| !is_new(name));
    let mut members: Vec<(Cow<'_, str>, Cow<'_, RawValue>)> =
        others.map(|(name, value)| (name, Cow::Borrowed(value))).collect();
    for (field, value) in values {
        let value = serde_json::value::to_raw_value(value).ok();
        members.extend(value.map(|value| (Cow::Borrowed(*field), Cow::Owned(value))));
    }
    object_of(&members).into_bytes()
}

/// Returns the line with these counts as its last fields. They replace fields of the same names.
pub(crate) fn with_counts(line: &[u8], counts: &[(&str, u64)]) -> Vec<u8> {
    let mut members = String::with_capacity(64);
    for (name, count) in counts {
        let _ = write!(members, ",\"{name}\":{count}"); // writing to a string cannot fail
    }
    // A field name ends just before a quotation mark, so only the bytes before quotation marks are
    // compared.
    let has =
        |name: &str| memchr::memchr_iter(b'"', line).any(|mark| line[..mark].ends_with(name.as_bytes()));
    // Usually the counts are inserted before the closing brace, without parsing. In an empty object they
    // would follow a comma.
    if let Some(object) = line.trim_ascii_end().strip_suffix(b"}")
        && !object.trim_ascii_end().ends_with(b"{")
        && !counts.iter().any(|(name, _)| has(name))
    {
        let mut whole = Vec::with_capacity(object.len() + members.len() + 1);
        for part in [object, members.as_bytes(), b"}"] {
            whole.extend_from_slice(part);
        }
        return whole;
    }
    // A name occurs in the line, perhaps only within a string. Parsing separates fields from strings.
    let line = String::from_utf8_lossy(line);
    let fields = fields(line.as_bytes()).unwrap_or_default();
    let others = fields
        .into_iter()
        .filter(|(name, _)| counts.iter().all(|(other, _)| name != other));
    let others = object_of(&others.collect::<Vec<_>>());
    let others = others.strip_suffix('}').unwrap_or(&others);
    // The first member of an object has no comma before it.
    let members = if others == "{" { &members[1..] } else { &members };
    format!("{others}{members}}}").into_bytes()
}

/// Returns the members of an object in their order, with unparsed values.
pub(crate) fn fields(object: &[u8]) -> Result<Vec<(Cow<'_, str>, &RawValue)>, Rejection> {
    parse(object, None, AllVisitor)
}

/// Returns an object with these members.
pub(crate) fn object_of<V: Borrow<RawValue>>(members: &[(Cow<'_, str>, V)]) -> String {
    let mut object = String::from("{");
    for (number, (name, value)) in members.iter().enumerate() {
        let comma = if number > 0 { "," } else { "" };
        let name = Value::from(name.as_ref());
        object += &format!("{comma}{name}:{}", value.borrow().get());
    }
    object.push('}');
    object
}

/// Returns the text of a string or a number. `None` for other values.
pub(crate) fn scalar_text(value: &RawValue) -> Option<Cow<'_, str>> {
    text_of(value).ok().flatten()
}

/// Converts an error to a rejection with its column and message. The line number is left out, since the
/// caller knows the line in the file.
fn bad_json(error: &serde_json::Error) -> Rejection {
    let text = error.to_string();
    let message = text.rfind(" at line ").map_or(text.as_str(), |at| &text[..at]);
    let reason = if error.is_eof() {
        Reason::Truncated
    } else {
        Reason::BadJson
    };
    Rejection::new(reason, format!("column {}: {message}", error.column()))
}

/// Parses a line. One unescaped string may be stored in `room`.
///
/// Success means that the whole line is valid UTF-8 and strict JSON without lone surrogates. Such a line can be copied unchanged.
/// [`mend`](crate::record::mend) repairs other lines.
fn parse<'de, V>(line: &'de [u8], room: Option<&'de StringRoom>, visitor: V) -> Result<V::Value, Rejection>
where
    V: Visitor<'de> + Copy,
{
    match object::read(line, room, visitor) {
        Some(fields) => Ok(fields),
        // Lines cut out of a UTF-16 file.
        None if is_utf16(line) => Err(Rejection::new(
            Reason::BadJson,
            "the file is UTF-16; convert it, such as by `iconv -f UTF-16 -t UTF-8`",
        )),
        // `object::read` gives no reason. The slower parser finds it.
        None => Err(match by_serde(line, visitor) {
            Err(error) => bad_json(&error),
            // `serde_json` overlooks both flaws in values that it skips.
            Ok(_) if str::from_utf8(line).is_err() => Rejection::new(Reason::BadJson, NO_UTF8),
            Ok(_) => Rejection::new(Reason::BadJson, HALF_A_PAIR),
        }),
    }
}

/// Errors that `serde_json` overlooks in ignored values.
const NO_UTF8: &str = "a string is not UTF-8";
const HALF_A_PAIR: &str = "half of a surrogate pair is missing";

/// Parses a line by `serde_json`.
fn by_serde<'de, V: Visitor<'de>>(line: &'de [u8], visitor: V) -> serde_json::Result<V::Value> {
    let mut json = serde_json::Deserializer::from_slice(line);
    let fields = json.deserialize_map(visitor)?;
    json.end()?;
    Ok(fields)
}

/// A string.
struct Text;

impl<'de> DeserializeSeed<'de> for Text {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Cow<'de, str>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Cow::Borrowed(text))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Cow::Owned(text.to_owned()))
            }

            fn visit_string<E: de::Error>(self, text: String) -> Result<Self::Value, E> {
                Ok(Cow::Owned(text))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

/// A string or `null`.
struct Optional;

impl<'de> DeserializeSeed<'de> for Optional {
    type Value = Option<Cow<'de, str>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for Optional {
    type Value = Option<Cow<'de, str>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or null")
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        Text.deserialize(deserializer).map(Some)
    }

    fn visit_none<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
}

/// Reads a string, or a number as a string, because IDs and dates occur in both forms. `None` for `null`.
fn scalar<'de, A>(map: &mut A, name: &str) -> Result<Option<Cow<'de, str>>, A::Error>
where
    A: MapAccess<'de>,
{
    let raw: &'de RawValue = map.next_value()?;
    match raw.get().as_bytes().first() {
        Some(b'n') => Ok(None),
        _ => match text_of(raw).map_err(de::Error::custom)? {
            Some(text) => Ok(Some(text)),
            None => Err(de::Error::custom(format_args!(
                "`{name}` is neither a string nor a number"
            ))),
        },
    }
}

/// Returns the text of a string or a number. `None` for other values.
fn text_of(raw: &RawValue) -> serde_json::Result<Option<Cow<'_, str>>> {
    let value = raw.get();
    match value.as_bytes().first() {
        Some(b'"') => {
            let mut json = serde_json::Deserializer::from_str(value);
            Text.deserialize(&mut json).map(Some)
        }
        Some(b'0'..=b'9' | b'-') => Ok(Some(Cow::Borrowed(value))),
        _ => Ok(None),
    }
}

/// Fields of a page. Unknown ones are in `extra`.
#[derive(Default, Debug)]
struct PageFields<'a> {
    id: Option<Cow<'a, str>>,
    url: Option<Cow<'a, str>>,
    html: Option<Cow<'a, str>>,
    html_base64: Option<Cow<'a, str>>,
    path: Option<Cow<'a, str>>,
    content_type: Option<Cow<'a, str>>,
    charset: Option<Cow<'a, str>>,
    date: Option<Cow<'a, str>>,
    popularity: Option<f64>,
    /// `true` if there is a field `text`, which suggests a document instead of a page.
    text: bool,
    extra: Extra<'a>,
}

/// Visitor of the members of a page.
#[derive(Clone, Copy)]
struct PageVisitor;

impl<'de> Visitor<'de> for PageVisitor {
    type Value = PageFields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `html`, `html_base64` or `path`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = PageFields::default();
        while let Some(key) = map.next_key_seed(Text)? {
            // Of several fields of one name the last one counts, except for unknown fields.
            match key.as_ref() {
                "id" => fields.id = scalar(&mut map, "id")?,
                "url" => fields.url = map.next_value_seed(Optional)?,
                "html" => fields.html = map.next_value_seed(Optional)?,
                "html_base64" => fields.html_base64 = map.next_value_seed(Optional)?,
                "path" => fields.path = map.next_value_seed(Optional)?,
                "content_type" => fields.content_type = map.next_value_seed(Optional)?,
                "charset" => fields.charset = map.next_value_seed(Optional)?,
                "date" => fields.date = scalar(&mut map, "date")?,
                "popularity" => fields.popularity = map.next_value()?,
                "extra" => fields.extra.take_in(map.next_value()?),
                _ => {
                    fields.text |= key == "text";
                    fields.extra.0.push((key, Cow::Borrowed(map.next_value()?)));
                }
            }
        }
        Ok(fields)
    }
}

impl<'a> Extra<'a> {
    /// Takes over the members of an object `extra` one by one, so that `extra` does not nest deeper with
    /// each tool in a chain.
    fn take_in(&mut self, value: &'a RawValue) {
        match parse(value.get().as_bytes(), None, AllVisitor) {
            Ok(fields) => {
                self.0.extend(
                    fields
                        .into_iter()
                        .map(|(name, value)| (name, Cow::Borrowed(value))),
                );
            }
            // A value that is not an object stays a field `extra`.
            Err(_) => self.0.push((Cow::Borrowed("extra"), Cow::Borrowed(value))),
        }
    }
}

/// Fields of a document.
#[derive(Default, Debug)]
struct DocumentFields<'a> {
    id: Option<Cow<'a, str>>,
    url: Option<Cow<'a, str>>,
    path: Option<Cow<'a, str>>,
    title: Option<Cow<'a, str>>,
    text: Option<Cow<'a, str>>,
    ranking: Ranking<'a>,
    /// `true` if there is a field `html`, which suggests a page instead of a document.
    html: bool,
}

/// Visitor of the members of a document.
#[derive(Clone, Copy)]
struct DocumentVisitor;

impl<'de> Visitor<'de> for DocumentVisitor {
    type Value = DocumentFields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `text`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = DocumentFields::default();
        while let Some(key) = map.next_key_seed(Text)? {
            match key.as_ref() {
                "id" => fields.id = scalar(&mut map, "id")?,
                "url" => fields.url = map.next_value_seed(Optional)?,
                "path" => fields.path = map.next_value_seed(Optional)?,
                "title" => fields.title = map.next_value_seed(Optional)?,
                "text" => fields.text = map.next_value_seed(Optional)?,
                "date" => fields.ranking.date = scalar(&mut map, "date")?,
                "popularity" => fields.ranking.popularity = map.next_value()?,
                "kept_chars" => fields.ranking.kept_chars = map.next_value()?,
                "all_chars" => fields.ranking.all_chars = map.next_value()?,
                _ => {
                    fields.html |= key == "html" || key == "html_base64";
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(fields)
    }
}

/// Visitor of all members of an object, with unparsed values.
#[derive(Clone, Copy)]
struct AllVisitor;

impl<'de> Visitor<'de> for AllVisitor {
    type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(key) = map.next_key_seed(Text)? {
            fields.push((key, map.next_value()?));
        }
        Ok(fields)
    }
}

/// Returns the path of the file with the page of a record.
fn joined(base: Option<&Path>, path: &str) -> PathBuf {
    base.map_or_else(|| PathBuf::from(path), |base| base.join(path))
}

#[cfg(test)]
mod tests;
