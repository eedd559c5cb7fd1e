//! The input of an extraction.

use crate::analysis::address::KnownAddress;
use crate::analysis::metadata::KnownPage;
use crate::layout::record::{LAYOUT_VERSION, Layout, source_hash};
use crate::options::Options;
use crate::warning::{Warning, WarningKind};
use dehusk_html::decode::{self, CharsetHints, Decoded};

/// One page as received from a server or an archive.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    content: Content<'a>,
    content_type: Option<&'a str>,
    charset: Option<&'a str>,
    known: KnownPage<'a>,
    layout: Option<&'a Layout>,
}

/// A page of unknown address.
const UNKNOWN: KnownPage<'_> = KnownPage {
    address: KnownAddress::Given(None),
    captured: None,
    last_modified: None,
};

#[derive(Clone, Copy, Debug)]
enum Content<'a> {
    Bytes(&'a [u8]),
    Text(&'a str),
}

impl<'a> Page<'a> {
    /// Creates a page from bytes; the charset is detected.
    pub fn new(bytes: &'a [u8]) -> Self {
        Page {
            content: Content::Bytes(bytes),
            content_type: None,
            charset: None,
            known: UNKNOWN,
            layout: None,
        }
    }

    /// Creates a page from decoded text; charsets declared in the page are ignored.
    pub fn decoded(text: &'a str) -> Self {
        Page {
            content: Content::Text(text),
            content_type: None,
            charset: None,
            known: UNKNOWN,
            layout: None,
        }
    }

    /// Sets the HTTP header `Content-Type`, whose charset takes precedence over that of `<meta>`.
    pub fn with_content_type(self, content_type: Option<&'a str>) -> Self {
        Page { content_type, ..self }
    }

    /// Sets a charset known from elsewhere, which takes precedence over everything but a byte order mark.
    pub fn with_charset(self, charset: Option<&'a str>) -> Self {
        Page { charset, ..self }
    }

    /// Sets where a browser drew the page. A layout of another page is ignored, with a warning.
    pub fn with_layout(self, layout: Option<&'a Layout>) -> Self {
        Page { layout, ..self }
    }

    /// The layout, if it belongs to this page; `None` if no layout was set.
    ///
    /// If the layout records the page as built by its scripts, that source replaces the decoded text.
    ///
    /// # Errors
    /// If the layout has another version or belongs to another page; the warning says which.
    pub(crate) fn layout_of(
        &self,
        decoded: &mut Decoded<'a>,
        options: &Options,
    ) -> Result<Option<&'a Layout>, Warning> {
        let Some(layout) = self.layout else {
            return Ok(None);
        };
        if layout.version != LAYOUT_VERSION {
            let message = format!(
                "the layout has version {}, and this program reads {LAYOUT_VERSION}; it was not used",
                layout.version
            );
            return Err(Warning::new(WarningKind::LayoutMismatch, message));
        }
        // The hash is that of the page as received, even if the layout holds another page, built by scripts.
        if layout.source_hash != source_hash(&decoded.text) {
            let message = "the layout is of another version of the page; it was not used";
            return Err(Warning::new(WarningKind::LayoutMismatch, message));
        }
        // The layout describes the page that scripts built, so that page is parsed.
        if let Some(built) = &layout.html {
            decoded.text = decode::from_text(built, options.limits.bytes()).text;
        }
        Ok(Some(layout))
    }

    /// Address of the page; `None` if the caller gave none.
    pub fn url(&self) -> Option<&'a str> {
        match self.known.address {
            KnownAddress::Given(url) => url,
            KnownAddress::Sought { .. } => None,
        }
    }

    /// Address and dates known from outside the page.
    pub(crate) fn known(&self) -> KnownPage<'a> {
        self.known
    }

    /// Text of the page, decoded like [`extract`](crate::extract) does.
    pub fn text(&self, options: &Options) -> String {
        self.decode(options).text.into_owned()
    }

    /// Decodes the page up to the limit of bytes. The charset of decoded text is not detected.
    pub(crate) fn decode(&self, options: &Options) -> Decoded<'a> {
        match self.content {
            Content::Bytes(bytes) => {
                let hints = CharsetHints {
                    charset: self.charset,
                    content_type: self.content_type,
                };
                decode::decode(bytes, hints, options.limits.bytes())
            }
            Content::Text(text) => decode::from_text(text, options.limits.bytes()),
        }
    }

    /// Sets the address of the page. It resolves relative links, and names the site if the page does not.
    pub fn with_url(self, url: Option<&'a str>) -> Self {
        let address = KnownAddress::Given(url);
        let known = KnownPage {
            address,
            ..self.known
        };
        Page { known, ..self }
    }

    /// Reads the address from the page: from its canonical link, `og:url` or the comment of HTTrack, else `fallback`.
    ///
    /// [`Extracted::found_address`](crate::Extracted::found_address) holds the result.
    ///
    /// ```
    /// use dehusk_extract::{Options, Page, extract};
    ///
    /// let html = "<link rel=canonical href='https://news.example/rivers'><p>The <a href=ledra>river</a> rose overnight.";
    /// let got = extract(&Page::decoded(html).with_url_sought(None), &Options::default());
    /// assert_eq!(got.found_address.unwrap().url, "https://news.example/rivers");
    /// ```
    pub fn with_url_sought(self, fallback: Option<&'a str>) -> Self {
        let address = KnownAddress::Sought { fallback };
        let known = KnownPage {
            address,
            ..self.known
        };
        Page { known, ..self }
    }

    /// Sets when the page was fetched, such as `2024-03-05T10:30:00Z`. Relative dates such as `3 days ago`
    /// are counted from it, and later dates are not taken for the page's own. Text that is not a date is
    /// ignored.
    ///
    /// ```
    /// use dehusk_extract::{Options, Page, extract};
    ///
    /// let html = "<h1>Rivers</h1><p class=date>3 days ago</p><p>The river rose overnight, and the mill stood in the water.";
    /// let page = Page::decoded(html).with_captured(Some("2024-03-05T10:30:00Z"));
    /// assert_eq!(extract(&page, &Options::default()).metadata.date.as_deref(), Some("2024-03-02"));
    /// ```
    pub fn with_captured(self, captured: Option<&'a str>) -> Self {
        let known = KnownPage {
            captured,
            ..self.known
        };
        Page { known, ..self }
    }

    /// Sets the HTTP header `Last-Modified`. It gives the date of the last change if the page states none. Any other text than a date
    /// is ignored.
    pub fn with_last_modified(self, last_modified: Option<&'a str>) -> Self {
        let known = KnownPage {
            last_modified,
            ..self.known
        };
        Page { known, ..self }
    }
}
