//! Resources of pages: style sheets and images, from the page itself, or from the archive or folder in
//! which the page was found. The program never requests them from anywhere else.

use std::path::{Path, PathBuf};

use dehusk_browser::assets::{Assets, FOLDER_HOST};
use dehusk_html::url::{Address, Base};
use dehusk_pipeline::Error;
use dehusk_pipeline::extract::inspect;

use crate::crawl::CrawlPage;
use crate::css::rewritten;
use crate::fields::{Fields, link};
use crate::frame::{self, Links, Sheet};
use crate::reply::Reply;
use crate::workshop::Workshop;

/// Maximum size of a style sheet or image that is shown, in bytes.
const MAX_BYTES: usize = 8 << 20;
/// Media types of images that are shown. Images within a page cannot run scripts, and the policy of an
/// image that is opened by itself forbids everything.
const IMAGES: &[&str] = &[
    "image/avif",
    "image/bmp",
    "image/gif",
    "image/jpeg",
    "image/png",
    "image/svg+xml",
    "image/webp",
    "image/x-icon",
    "image/vnd.microsoft.icon",
];
/// Media type of style sheets as they are served.
const CSS: &str = "text/css; charset=utf-8";

/// Resolves the references of a page, or of one of its style sheets, to addresses.
pub(crate) struct Asked<'w> {
    workshop: &'w Workshop,
    number: usize,
    /// Base addresses for relative references: the address of the page, and that of its place in the
    /// folder.
    bases: Vec<String>,
}

impl<'w> Asked<'w> {
    /// A resolver for a page whose references are relative to `base`.
    pub(crate) fn by_page(workshop: &'w Workshop, number: usize, base: Option<String>) -> Asked<'w> {
        let has_assets = workshop.crawl.catalog().has_assets();
        let place = place(workshop, number);
        // Without any resources beside the page, no address could be answered.
        let base = base.filter(|_| has_assets || place.is_some());
        Asked {
            workshop,
            number,
            bases: base.into_iter().chain(place).collect(),
        }
    }

    /// Returns the number of style sheets that a page refers to and that are not in the crawl, and the
    /// number of all that it refers to.
    pub(crate) fn missing_sheets(
        workshop: &Workshop,
        number: usize,
        page: &CrawlPage,
    ) -> Result<(usize, usize), Error> {
        let url = workshop.crawl.url(number);
        let (sheets, base) = inspect(&page.page()?, &workshop.options, |view| {
            (frame::sheets(view.dom), frame::base(view.dom, url))
        });
        let asked = Asked::by_page(workshop, number, base);
        let links: Vec<String> = sheets
            .into_iter()
            .filter_map(|(sheet, _)| match sheet {
                Sheet::Link(href) => Some(href),
                Sheet::Inline(_) => None,
            })
            .collect();
        let is_missing = |href: &&String| {
            !asked
                .urls(href)
                .iter()
                .any(|url| find(workshop, number, url).is_some())
        };
        Ok((links.iter().filter(is_missing).count(), links.len()))
    }

    /// Returns the addresses to which a reference may resolve, without repetitions.
    fn urls(&self, href: &str) -> Vec<String> {
        let found = self
            .bases
            .iter()
            .filter_map(|base| Base::of_url(base).resolve(href));
        let mut found: Vec<String> = found.filter(|url| url.contains("://")).collect();
        found.dedup();
        found
    }

    /// Returns the address at which this program serves a reference; `None` if the reference cannot be
    /// resolved.
    fn at(&self, href: &str) -> Option<String> {
        let found = self.urls(href);
        let fields: Vec<(&str, &str)> = found.iter().map(|url| ("at", url.as_str())).collect();
        let path = format!("{}/beside/{}", self.workshop.base, self.number);
        (!fields.is_empty()).then(|| link(&path, &fields))
    }
}

impl Links for Asked<'_> {
    fn sheet(&self, number: usize, sheet: &Sheet) -> Option<String> {
        match sheet {
            Sheet::Inline(_) => Some(
                self.workshop
                    .link(&format!("/sheet/{}/{number}", self.number), &[]),
            ),
            Sheet::Link(href) => self.at(href),
        }
    }

    fn image(&self, src: &str) -> Option<String> {
        let src = src.trim();
        match IMAGES.iter().any(|known| is_data(src, known)) {
            true => Some(src.to_owned()),
            false => self.at(src),
        }
    }

    fn css(&self, css: &str) -> String {
        rewritten(css, &|href| self.image(href))
    }
}

/// Whether an address is a data URL of this media type.
fn is_data(src: &str, media_type: &str) -> bool {
    let rest = src.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("data:"));
    let rest = rest.and_then(|_| src.get(5..5 + media_type.len()));
    rest.is_some_and(|found| found.eq_ignore_ascii_case(media_type))
}

/// Returns an address for the place of a page in the folder that was opened; `None` for pages of archives
/// and lists.
fn place(workshop: &Workshop, number: usize) -> Option<String> {
    let (file, folder) = workshop.crawl.catalog().pages().get(number)?.file();
    let inside = file?.strip_prefix(folder?).ok()?;
    let mut url = format!("http://{FOLDER_HOST}");
    // The host does not exist, so such an address is never that of a real page.
    for part in inside.components() {
        url.push('/');
        for byte in part.as_os_str().as_encoded_bytes() {
            match byte {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_' | b'~' => {
                    url.push(char::from(*byte));
                }
                _ => url += &format!("%{byte:02X}"),
            }
        }
    }
    Some(url)
}

/// Serves an inline style sheet of a page, by its number.
pub(crate) fn sheet(workshop: &Workshop, number: usize, at: usize) -> Result<Reply, Error> {
    let record = workshop.crawl.read(number)?;
    let url = workshop.crawl.url(number);
    let (found, base) = inspect(&record.page()?, &workshop.options, |view| {
        (frame::sheets(view.dom), frame::base(view.dom, url))
    });
    let text = match found.into_iter().nth(at) {
        Some((Sheet::Inline(text), _)) => Asked::by_page(workshop, number, base).css(&text),
        _ => String::new(),
    };
    Ok(Reply::File(CSS, text.into_bytes()))
}

/// Serves a style sheet or an image that a page refers to.
pub(crate) fn answer(workshop: &Workshop, number: usize, fields: &Fields) -> Result<Reply, Error> {
    let found = fields.all("at").find_map(|url| find(workshop, number, url));
    Ok(found.unwrap_or(Reply::Missing))
}

/// Finds a resource in the archives of the crawl, or else in the folders of the page. Returns `None` for
/// other types than style sheets and images, and for files that are too large.
fn find(workshop: &Workshop, number: usize, url: &str) -> Option<Reply> {
    let (url, content_type, body) = match workshop.crawl.catalog().asset(url) {
        Some(asset) => (
            asset.url.into_owned(),
            asset.content_type,
            asset.body.into_owned(),
        ),
        None => {
            let host = workshop.crawl.host(number);
            let assets = Assets::open(&folders(workshop, number, &host)).ok()?;
            // A page may only use files of its own host, or of its folder.
            let is_place = Address::split(url).is_some_and(|address| address.host() == FOLDER_HOST);
            let page_host = if is_place { FOLDER_HOST } else { &host };
            let answer = assets.get(url, page_host, MAX_BYTES)?;
            (url.to_owned(), answer.content_type, answer.body)
        }
    };
    let content_type = content_type.unwrap_or_default().to_ascii_lowercase();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if body.len() > MAX_BYTES {
        return None;
    }
    // References of a style sheet are relative to the style sheet.
    if essence == "text/css" {
        let asked = Asked {
            workshop,
            number,
            bases: vec![url],
        };
        let text = asked.css(&String::from_utf8_lossy(&body));
        return Some(Reply::File(CSS, text.into_bytes()));
    }
    let image = IMAGES.iter().find(|known| **known == essence)?;
    Some(Reply::File(image, body))
}

/// Returns the folders that may have files of a page: the folder that was opened, and below it the folder
/// named after the host of the page, if there is one.
fn folders(workshop: &Workshop, number: usize, host: &str) -> Vec<PathBuf> {
    let page = workshop.crawl.catalog().pages().get(number);
    let (file, folder) = page.map_or((None, None), |page| page.file());
    let Some((beside, folder)) = file.and_then(Path::parent).zip(folder) else {
        return Vec::new();
    };
    // Ancestors of the page within the opened folder, the nearest first.
    let inside = beside.ancestors().take_while(|above| *above != folder);
    let of_host = inside
        .into_iter()
        .find(|above| above.ends_with(host))
        .filter(|_| !host.is_empty());
    [Some(folder), of_host]
        .into_iter()
        .flatten()
        .map(Path::to_owned)
        .collect()
}
