//! A page as it comes in.

use crate::analysis::address::KnownAddress;
use crate::layout::record::{LAYOUT_VERSION, Layout, source_hash};
use crate::options::Options;
use crate::warning::{Warning, WarningKind};
use dehusk_html::decode::{self, CharsetHints, Decoded};

/// One page as it came from a server or an archive.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    content: Content<'a>,
    content_type: Option<&'a str>,
    charset: Option<&'a str>,
    address: KnownAddress<'a>,
    layout: Option<&'a Layout>,
}

#[derive(Clone, Copy, Debug)]
enum Content<'a> {
    Bytes(&'a [u8]),
    Text(&'a str),
}

impl<'a> Page<'a> {
    /// A page whose charset is to be found out.
    pub fn new(bytes: &'a [u8]) -> Self {
        Page {
            content: Content::Bytes(bytes),
            content_type: None,
            charset: None,
            address: KnownAddress::Given(None),
            layout: None,
        }
    }

    /// A page that has been decoded already; what it says about its charset is ignored.
    pub fn decoded(text: &'a str) -> Self {
        Page {
            content: Content::Text(text),
            content_type: None,
            charset: None,
            address: KnownAddress::Given(None),
            layout: None,
        }
    }

    /// The HTTP header `Content-Type`, whose charset comes before that of `<meta>`.
    pub fn with_content_type(self, content_type: Option<&'a str>) -> Self {
        Page { content_type, ..self }
    }

    /// A charset known from elsewhere; comes before all but a byte order mark.
    pub fn with_charset(self, charset: Option<&'a str>) -> Self {
        Page { charset, ..self }
    }

    /// Where a browser drew the page, if it was rendered. One of another page is not used, and a warning tells so.
    pub fn with_layout(self, layout: Option<&'a Layout>) -> Self {
        Page { layout, ..self }
    }

    /// The layout, if it is one of this page, and the text that it is a layout of: the page as its scripts built it, if they ran.
    ///
    /// # Errors
    /// Why it is none of this page.
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
        if layout.source_hash != source_hash(&decoded.text) {
            let message = "the layout is of another version of the page; it was not used";
            return Err(Warning::new(WarningKind::LayoutMismatch, message));
        }
        if let Some(built) = &layout.html {
            decoded.text = decode::from_text(built, options.limits.bytes()).text;
        }
        Ok(Some(layout))
    }

    /// Address of the page, if it was given.
    pub fn url(&self) -> Option<&'a str> {
        match self.address {
            KnownAddress::Given(url) => url,
            KnownAddress::Sought { .. } => None,
        }
    }

    pub(crate) fn address(&self) -> KnownAddress<'a> {
        self.address
    }

    /// The page as text, decoded as [`extract`](crate::extract) does it.
    pub fn text(&self, options: &Options) -> String {
        self.decode(options).text.into_owned()
    }

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

    /// Address of the page: resolves relative links and names the site where the page does not.
    pub fn with_url(self, url: Option<&'a str>) -> Self {
        let address = KnownAddress::Given(url);
        Page { address, ..self }
    }

    /// Lets the page tell its address, by its canonical link, by `og:url` or by the comment of HTTrack; if it tells none, the address
    /// is `fallback`. [`Extracted::found_address`](crate::Extracted::found_address) tells what was found.
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
        Page { address, ..self }
    }
}
