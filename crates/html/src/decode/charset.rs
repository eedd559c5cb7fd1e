//! Charsets, and the sources by which they are chosen.

/// How a page's bytes were read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Charset {
    /// Name as the WHATWG Encoding Standard writes it, such as `UTF-8` or `windows-1251`.
    pub name: &'static str,
    /// Why it was chosen.
    pub source: CharsetSource,
}

/// A charset as it is deserialized, before its name is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    name: String,
    source: CharsetSource,
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Charset {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Unchecked { name, source } = Unchecked::deserialize(deserializer)?;
        match encoding_rs::Encoding::for_label(name.as_bytes()) {
            Some(encoding) => Ok(Charset {
                name: encoding.name(),
                source,
            }),
            None => Err(serde::de::Error::custom(format_args!("unknown charset `{name}`"))),
        }
    }
}

/// Why a charset was chosen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum CharsetSource {
    /// The caller gave text, not bytes.
    Decoded,
    /// A byte order mark.
    Bom,
    /// The caller named it.
    Given,
    /// The HTTP header `Content-Type`.
    Http,
    /// A `<meta>` element.
    Meta,
    /// An XML declaration.
    Xml,
    /// The bytes: valid UTF-8, or the pattern of NULs of UTF-16.
    Bytes,
    /// The detector's guess.
    Detector,
}

impl CharsetSource {
    /// Name in records.
    pub fn name(self) -> &'static str {
        match self {
            CharsetSource::Decoded => "decoded",
            CharsetSource::Bom => "bom",
            CharsetSource::Given => "given",
            CharsetSource::Http => "http",
            CharsetSource::Meta => "meta",
            CharsetSource::Xml => "xml",
            CharsetSource::Bytes => "bytes",
            CharsetSource::Detector => "detector",
        }
    }
}

/// What is known about a page's charset besides its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CharsetHints<'a> {
    /// The charset that the caller knows the page to be in: only a byte order mark is trusted more.
    pub charset: Option<&'a str>,
    /// The HTTP header `Content-Type`, such as `text/html; charset=koi8-r`.
    pub content_type: Option<&'a str>,
}
