//! Pages as input records.

use std::borrow::Cow;
use std::path::PathBuf;

use dehusk_extract::AddressSource;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

/// Code of the warning with the text of [`PageRecord::damage`].
pub(crate) const DAMAGED_SOURCE: &str = "damaged-source";
/// Code of the warning with the message of [`PageRecord::cut`].
pub(crate) const TRUNCATED: &str = "truncated";
/// Code of the warning that a field was left out.
pub(crate) const DEEP_FIELD: &str = "deep-field";
/// Code of the warning that the file of layouts has no entry for the page.
pub(crate) const NO_LAYOUT: &str = "no-layout";

/// A page as an input record.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PageRecord<'a> {
    /// Id of the page, if given.
    pub id: Option<Cow<'a, str>>,
    /// Address.
    pub url: Option<Cow<'a, str>>,
    /// Source of the address, if it is not from the record.
    pub url_source: Option<UrlSource>,
    /// Address derived from the folders of the page. It is used if neither the record nor the page states an address.
    pub folder_url: Option<Cow<'a, str>>,
    /// The page itself.
    pub content: Content<'a>,
    /// HTTP header `Content-Type`.
    pub content_type: Option<Cow<'a, str>>,
    /// HTTP header `Last-Modified`.
    pub last_modified: Option<Cow<'a, str>>,
    /// Charset from another source than the header.
    pub charset: Option<Cow<'a, str>>,
    /// Date of the page or of the crawl, as given.
    pub date: Option<Cow<'a, str>>,
    /// Popularity, in the user's own unit; larger is more popular.
    pub popularity: Option<f64>,
    /// Description of damage to the bytes of the page, which are used nevertheless.
    pub damage: Option<Cow<'a, str>>,
    /// Description of how much of the end of the page is missing, and where.
    pub cut: Option<Cow<'a, str>>,
    /// `true` if the content is the main text itself, from which nothing is extracted.
    pub is_main_text: bool,
    /// Language of the page, as given. Used only if the content is a main text.
    pub language: Option<Cow<'a, str>>,
    /// Position of the record in its input. `None` for a page from memory.
    pub place: Option<RecordPlace<'a>>,
    /// Other fields.
    pub extra: Extra<'a>,
}

/// Position of a record in its input, by which the record can be found again.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RecordPlace<'a> {
    /// Name of the file: as the user gave it, or below a folder that the user gave. `-` is standard input.
    pub source: Cow<'a, str>,
    /// Offset of the record in the stored file, in bytes. For a record in a compressed file, the offset of
    /// the member that holds it. For a row of a table, its number from 0.
    pub offset: u64,
    /// Offset of the record in the decompressed file, in bytes. `None` if the file is not compressed.
    pub plain_offset: Option<u64>,
}

impl<'a> RecordPlace<'a> {
    /// Creates a position in the file `source`.
    pub fn new(source: impl Into<Cow<'a, str>>, offset: u64, plain_offset: Option<u64>) -> Self {
        RecordPlace {
            source: source.into(),
            offset,
            plain_offset,
        }
    }
}

impl<'a> PageRecord<'a> {
    /// Creates a page with this content and no other fields.
    pub fn new(content: Content<'a>) -> Self {
        PageRecord {
            id: None,
            url: None,
            url_source: None,
            folder_url: None,
            content,
            content_type: None,
            last_modified: None,
            charset: None,
            date: None,
            popularity: None,
            damage: None,
            cut: None,
            is_main_text: false,
            language: None,
            place: None,
            extra: Extra::default(),
        }
    }

    /// Returns a copy that owns its data.
    pub fn into_owned(self) -> PageRecord<'static> {
        let own = |text: Option<Cow<'a, str>>| text.map(|text| Cow::Owned(text.into_owned()));
        PageRecord {
            id: own(self.id),
            url: own(self.url),
            url_source: self.url_source,
            folder_url: own(self.folder_url),
            content: match self.content {
                Content::Text(text) => Content::Text(Cow::Owned(text.into_owned())),
                Content::Bytes(bytes) => Content::Bytes(Cow::Owned(bytes.into_owned())),
                Content::File { name, path } => Content::File {
                    name: Cow::Owned(name.into_owned()),
                    path,
                },
            },
            content_type: own(self.content_type),
            last_modified: own(self.last_modified),
            charset: own(self.charset),
            date: own(self.date),
            popularity: self.popularity,
            damage: own(self.damage),
            cut: own(self.cut),
            is_main_text: self.is_main_text,
            language: own(self.language),
            place: self.place.map(|place| RecordPlace {
                source: Cow::Owned(place.source.into_owned()),
                ..place
            }),
            extra: self.extra.to_owned(),
        }
    }
}

/// Source of the address of a page whose record has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UrlSource {
    /// The setting `base`, and the path of the page in its folder.
    Base,
    /// The page itself: its canonical link, or else `og:url`.
    Canonical,
    /// The page itself: the comment of HTTrack.
    Mirrored,
    /// A parent folder whose name is a host.
    Folder,
}

impl From<AddressSource> for UrlSource {
    fn from(source: AddressSource) -> Self {
        match source {
            AddressSource::Mirrored => UrlSource::Mirrored,
            AddressSource::Fallback => UrlSource::Folder,
            _ => UrlSource::Canonical,
        }
    }
}

/// Location of the HTML of a page.
#[derive(Clone, Debug)]
pub enum Content<'a> {
    /// In memory, decoded.
    Text(Cow<'a, str>),
    /// In memory, as sent by the server.
    Bytes(Cow<'a, [u8]>),
    /// In a file.
    File {
        /// Name as the record gives it.
        name: Cow<'a, str>,
        /// Path of the file.
        path: PathBuf,
    },
}

/// Unknown fields, with their values unchanged.
#[derive(Clone, Debug, Default)]
pub struct Extra<'a>(pub Vec<(Cow<'a, str>, Cow<'a, RawValue>)>);

impl Extra<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value of a field that is a string without escapes. `None` for other values.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(known, _)| known == name)?;
        serde_json::from_str(value.get()).ok()
    }

    /// Returns the names of fields that are nested too deep to be copied.
    pub(crate) fn deep(&self) -> impl Iterator<Item = &str> {
        let deep = self.0.iter().filter(|(_, value)| is_deep(value.get()));
        deep.map(|(name, _)| name.as_ref())
    }

    /// Returns a copy that owns its data, without fields that are nested too deep.
    pub(crate) fn to_owned(&self) -> Extra<'static> {
        let fields = self.0.iter().filter(|(_, value)| !is_deep(value.get()));
        let own = |(name, value): &(Cow<'_, str>, Cow<'_, RawValue>)| {
            (
                Cow::Owned(name.as_ref().to_owned()),
                Cow::Owned(value.as_ref().to_owned()),
            )
        };
        Extra(fields.map(own).collect())
    }
}

/// Maximum depth of nested lists and objects in a field. Many JSON parsers stop at 128, and the field is itself nested in a document.
const DEEPEST: usize = 100;

/// Returns `true` if a JSON text is nested deeper than [`DEEPEST`].
fn is_deep(json: &str) -> bool {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_text,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => {
                depth += 1;
                if depth > DEEPEST {
                    return true;
                }
            }
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}

impl Serialize for Extra<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value.as_ref())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_counts_outside_of_texts() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(!is_deep(&nested(DEEPEST)) && is_deep(&nested(DEEPEST + 1)) && is_deep(&nested(100_000)));
        let wide = format!("[{}1]", "{\"a\":[]},".repeat(1000));
        let text = serde_json::to_string(&("[\\\"{".repeat(1000), "\\")).unwrap();
        assert!(!is_deep(&wide) && !is_deep(&text), "{text}");
    }
}
