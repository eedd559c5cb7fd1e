//! Charsets, and how they were determined.

/// Charset of a page, and how it was determined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Charset {
    /// Name as in the WHATWG Encoding Standard, such as `UTF-8` or `windows-1251`.
    pub name: &'static str,
    /// How it was determined.
    pub source: CharsetSource,
}

/// Deserialized charset whose name is not validated yet.
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

/// How a charset was determined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum CharsetSource {
    /// The caller passed text, not bytes.
    Decoded,
    /// A byte order mark.
    Bom,
    /// The caller specified it.
    Given,
    /// The HTTP header `Content-Type`.
    Http,
    /// A `<meta>` element.
    Meta,
    /// An XML declaration.
    Xml,
    /// The bytes: valid UTF-8, or the NUL pattern of UTF-16.
    Bytes,
    /// A guess of the detector.
    Detector,
}

impl CharsetSource {
    /// Name of the source in records and warnings.
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

/// Information about a page's charset besides its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CharsetHints<'a> {
    /// Charset specified by the caller; only a byte order mark takes precedence.
    pub charset: Option<&'a str>,
    /// The HTTP header `Content-Type`, such as `text/html; charset=koi8-r`.
    pub content_type: Option<&'a str>,
}
