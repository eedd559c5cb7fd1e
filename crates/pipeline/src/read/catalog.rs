//! Catalog of the positions of pages in inputs, so that single pages can be read again.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use dehusk_archive::Answer;
use dehusk_extract::{Options, Page, extract, may_state_address};

use crate::error::Error;
use crate::exec::ordered_pool::{Plan, process};
use crate::read::address::{Addresses, BaseUrl};
use crate::read::asset_list::{AssetList, AssetPlace};
use crate::read::catalog_file::{Kept, KeptPage, Origin, Spot};
use crate::read::chunk::{Body, Bounds, Chunk, Place, Source, StartAt};
use crate::read::inputs::Inputs;
use crate::read::records::{Item, Notes, Visited, each_page, each_unread_page};
use crate::record::{Content, PageRecord, Rejected};

/// Number of bytes at the start of a page in which its address is searched.
const HEAD: usize = 32 << 10;

/// The pages of inputs, and the resources in archives among them, without their content. The default catalog is empty.
///
/// ```
/// use dehusk_pipeline::{Cancel, Job, Settings};
///
/// let folder = tempfile::tempdir()?;
/// let pages = folder.path().join("pages.jsonl");
/// std::fs::write(&pages, "{\"id\":\"a\",\"html\":\"<p>One\"}\n{\"id\":\"b\",\"html\":\"<p>Two\"}\n")?;
/// let (inputs, settings, cancel) = ([pages.display().to_string()], Settings::default(), Cancel::new());
/// let catalog = Job::new(&inputs, &settings, &cancel).catalog(None, &mut |_| ())?;
/// let second = catalog.pages().iter().position(|page| page.id == "b").unwrap();
/// assert_eq!(catalog.page(second)?.id.as_deref(), Some("b")); // read by itself
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PageCatalog {
    bounds: Bounds,
    url: Option<String>,
    base: Option<BaseUrl>,
    pages: Vec<CatalogPage>,
    assets: AssetList,
    rejected: Vec<Rejected>,
    /// Everything the catalog depends on. `None` if a change of the inputs might go unnoticed.
    origin: Option<Origin>,
}

impl Default for PageCatalog {
    fn default() -> Self {
        PageCatalog {
            bounds: Bounds::NONE,
            url: None,
            base: None,
            pages: Vec::new(),
            assets: AssetList::default(),
            rejected: Vec::new(),
            origin: None,
        }
    }
}

/// A page of a catalog.
#[derive(Clone)]
pub struct CatalogPage {
    /// ID, the same as in other commands.
    pub id: String,
    /// Address, if the record, the HTML head or the folder gives one.
    pub url: Option<String>,
    source: Arc<Source>,
    /// Number of the file.
    number: u64,
    spot: Spot,
}

impl PageCatalog {
    /// Catalogs the pages of inputs that can be read again.
    ///
    /// If `known` is the result of [`to_bytes`](Self::to_bytes) for the inputs in their current state, their content is not read.
    ///
    /// # Errors
    /// If the work was cancelled.
    pub(crate) fn read(
        inputs: &Inputs,
        known: Option<&[u8]>,
        bounds: Bounds,
        plan: &Plan<'_>,
        addresses: Addresses<'_>,
        on_rejected: &mut dyn FnMut(&Rejected),
    ) -> Result<PageCatalog, Error> {
        let (origin, is_settled) = Origin::of(inputs, bounds, addresses);
        let empty = || PageCatalog {
            bounds,
            url: addresses.url.map(str::to_owned),
            base: addresses.base.cloned(),
            ..PageCatalog::default()
        };
        // A stored catalog is used only if its origin equals the current one.
        let known = known.and_then(|bytes| Kept::read(bytes, &origin));
        if let Some(catalog) = known.and_then(|kept| empty().restored(kept, inputs)) {
            catalog.rejected.iter().for_each(on_rejected);
            return Ok(catalog);
        }
        let mut catalog = PageCatalog {
            // If files changed a moment ago, the catalog must not be stored: a further change could go
            // unnoticed.
            origin: is_settled.then_some(origin),
            ..empty()
        };
        let mut reader = inputs.reader(bounds, false);
        process(
            plan,
            || reader.next_placed(),
            || (),
            |(), placed| {
                let (mut pages, mut assets, mut number) = (Vec::new(), Vec::new(), 0);
                let chunk = placed.chunk;
                // `placed.end` counts this chunk too, so the chunks before it are fewer by one.
                let (file, before) = (placed.end.file(), placed.end.chunks().saturating_sub(1));
                let mut add = |item: Visited<'_, PageRecord<'_>>| {
                    let entry = item.and_then(|item| entry(item, &chunk, file, (before, number), bounds));
                    pages.extend(entry.transpose());
                    // Rejected records are counted too, because `in_file` counts them.
                    number += 1;
                };
                let mut beside =
                    |place: Place<'_>| assets.extend(AssetPlace::new(&chunk, file, before, &place));
                each_unread_page(&chunk, &addresses, &mut Notes::default(), &mut add, &mut beside);
                (pages, assets)
            },
            |(pages, assets)| {
                // Results arrive in the order of the inputs, on whichever thread they were made.
                assets.into_iter().for_each(|asset| catalog.assets.push(asset));
                for page in pages {
                    match page {
                        Ok(page) => catalog.pages.push(page),
                        Err(rejected) => {
                            on_rejected(&rejected);
                            catalog.rejected.push(rejected);
                        }
                    }
                }
                Ok(())
            },
        )?;
        catalog.assets.finish();
        Ok(catalog)
    }

    /// Fills the catalog from its stored form. Returns `None` if it does not match the files.
    fn restored(self, kept: Kept<'_>, inputs: &Inputs) -> Option<PageCatalog> {
        let files = inputs.reader(self.bounds, false).files();
        let page = |page: KeptPage<'_>| {
            let source = files.get(usize::try_from(page.file).ok()?)?;
            Some(CatalogPage {
                id: page.id.to_owned(),
                url: page.url.map(str::to_owned),
                source: Arc::clone(source),
                number: page.file,
                spot: page.spot.into_owned(),
            })
        };
        let rejected = kept.rejected.iter().map(|line| serde_json::from_str(line));
        // `origin` stays `None`: a restored catalog need not be stored again.
        Some(PageCatalog {
            pages: kept.pages.into_iter().map(page).collect::<Option<_>>()?,
            assets: AssetList::restore(&kept.assets, &files)?,
            rejected: rejected.collect::<Result<_, _>>().ok()?,
            ..self
        })
    }

    /// Returns the pages in the order of the inputs.
    pub fn pages(&self) -> &[CatalogPage] {
        &self.pages
    }

    /// Returns the number of records that could not be used.
    pub fn rejected(&self) -> u64 {
        self.rejected.len() as u64
    }

    /// Returns the catalog as bytes, for the next time that the same inputs are opened.
    ///
    /// `None` if the catalog was itself restored from such bytes. `None` too if files of the inputs were
    /// written a moment ago, so that a further change might go unnoticed.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let kept = Kept {
            origin: Cow::Borrowed(self.origin.as_ref()?),
            pages: self.pages.iter().map(CatalogPage::kept).collect(),
            assets: self.assets.kept(),
            rejected: self
                .rejected
                .iter()
                .map(serde_json::to_string)
                .collect::<Result<_, _>>()
                .ok()?,
        };
        kept.to_bytes()
    }

    /// Returns `true` if archives among the inputs hold resources in addition to pages.
    pub fn has_assets(&self) -> bool {
        !self.assets.is_empty()
    }

    /// Returns the resource stored in the archives for an address, such as a style sheet or an image.
    ///
    /// Redirects are followed. `http` and `https` addresses are equivalent.
    pub fn asset(&self, url: &str) -> Option<Answer<'static>> {
        self.assets.get(url, &self.bounds)
    }

    /// Reads a page again, by its index in [`pages`](Self::pages).
    ///
    /// # Errors
    /// If the number is out of range, or the file has changed.
    pub fn page(&self, number: usize) -> Result<PageRecord<'static>, Error> {
        let Some(page) = self.pages.get(number) else {
            return Err(Error::usage(format!("there is no page {number}")));
        };
        let found = match &page.spot {
            Spot::File => self.in_chunk(&Chunk::new(&page.source, 0, 1, Body::File), page, None),
            Spot::Chunk(chunk, within) => self.in_file(page, *chunk, *within),
            Spot::At(at, record) => self.at(page, *at, record.as_deref()),
        };
        found.ok_or_else(|| {
            let name = &page.source.name;
            Error::failed(format!("cannot find `{}` in `{name}` again", page.id)).with_help(
                "its content cannot be used, or the file was changed since it was opened: start again",
            )
        })
    }

    /// Finds the page that begins at a place, or later within the same compressed member.
    fn at(&self, page: &CatalogPage, at: StartAt, record: Option<&str>) -> Option<PageRecord<'static>> {
        let mut chunks = page.source.format.open_at(&page.source, &self.bounds, at)?;
        while let Some(chunk) = chunks.next() {
            let found = self.in_chunk(&chunk, page, record);
            // The line of the page is the first record read, so a mismatch is final.
            if found.is_some() || page.source.format.is_lines() {
                return found;
            }
        }
        None
    }

    /// Finds the page by its number in a chunk. The file is read from its beginning.
    fn in_file(&self, page: &CatalogPage, chunk: u64, within: usize) -> Option<PageRecord<'static>> {
        let mut chunks = page.source.format.open(&page.source, &self.bounds);
        for _ in 0..chunk {
            let passed = chunks.next()?;
            if let Body::Archive(piece) = &passed.body {
                // Visiting a piece passes its reader on to the next one.
                piece.each(&mut |_| {});
            }
        }
        let (chunk, mut number, mut found) = (chunks.next()?, 0, None);
        self.each(&chunk, &mut |item| {
            if number == within {
                found = item.map(|item| item.record.into_owned());
            }
            number += 1;
        });
        found
    }

    /// Finds the page in a chunk by its ID and record ID.
    fn in_chunk(
        &self,
        chunk: &Chunk,
        page: &CatalogPage,
        record: Option<&str>,
    ) -> Option<PageRecord<'static>> {
        let mut found = None;
        self.each(chunk, &mut |item| {
            if let Some(item) = item
                && found.is_none()
                && item.id == page.id
                && (record.is_none() || item.place.record == record)
            {
                found = Some(item.record.into_owned());
            }
        });
        found
    }

    fn each(&self, chunk: &Chunk, visit: &mut dyn FnMut(Option<Item<'_, PageRecord<'_>>>)) {
        let addresses = Addresses {
            url: self.url.as_deref(),
            base: self.base.as_ref(),
        };
        let mut skipped = Notes::default();
        each_page(
            chunk,
            self.bounds.page_bytes,
            &addresses,
            &mut skipped,
            &mut |item| {
                visit(item.ok());
            },
        );
    }
}

impl CatalogPage {
    fn kept(&self) -> KeptPage<'_> {
        KeptPage {
            id: &self.id,
            url: self.url.as_deref(),
            file: self.number,
            spot: Cow::Borrowed(&self.spot),
        }
    }

    /// Returns the file that holds the page, and the input folder that contains the file.
    pub fn file(&self) -> (Option<&Path>, Option<&Path>) {
        let folder = self.source.folder.as_ref().map(|folder| folder.path());
        (self.source.path.as_deref(), folder)
    }
}

/// Returns the catalog entry of a page, or `None` if the content is not a page.
fn entry(
    item: Item<'_, PageRecord<'_>>,
    chunk: &Chunk,
    number: u64,
    place: (u64, usize),
    bounds: Bounds,
) -> Result<Option<CatalogPage>, Rejected> {
    let at = StartAt {
        offset: item.place.offset,
        line: item.place.line.unwrap_or(1),
    };
    let format = chunk.source.format;
    // Standard input and kept streams cannot be opened at an offset.
    let rereadable = chunk.source.kept.is_none() && chunk.source.path.is_some();
    let spot = match &chunk.body {
        Body::File => Spot::File,
        // Lines of compressed files (`plain` is set) are found by chunk and number instead, because
        // decompression cannot start at a line.
        Body::Lines { .. } if rereadable && format.is_lines() && item.place.plain.is_none() => {
            Spot::At(at, None)
        }
        Body::Archive(_) if rereadable && item.place.record.is_some() => {
            // Whether an archive can be read from this offset on is known only after trying.
            match format.open_at(&chunk.source, &bounds, at) {
                Some(_) => Spot::At(at, item.place.record.map(Box::from)),
                None => Spot::Chunk(place.0, place.1),
            }
        }
        _ => Spot::Chunk(place.0, place.1),
    };
    let (id, known) = (item.id.clone(), item.record.url.as_deref().map(str::to_owned));
    let url = match known.filter(|url| !url.is_empty()) {
        Some(url) => Some(url),
        None => {
            // The record gives no address: search the start of the page.
            let item = item.read(HEAD)?;
            if item.other().is_some() {
                return Ok(None);
            }
            address_in_head(&item.record)
        }
    };
    Ok(Some(CatalogPage {
        id,
        url,
        source: Arc::clone(&chunk.source),
        number,
        spot,
    }))
}

/// Returns the address stated at the start of a page, else the address given by its folder.
fn address_in_head(record: &PageRecord<'_>) -> Option<String> {
    let head = match &record.content {
        Content::Text(text) => text.as_bytes(),
        Content::Bytes(bytes) => bytes,
        Content::File { .. } => &[],
    };
    let head = &head[..head.len().min(HEAD)];
    // Parsing is skipped for bytes that cannot state an address.
    if !may_state_address(head) {
        return record.folder_url.as_deref().map(str::to_owned);
    }
    let page = Page::new(head).with_url_sought(record.folder_url.as_deref());
    let options = Options::default().with_extractor("all-text");
    debug_assert!(options.is_ok(), "`all-text` is an extractor");
    let options = options.unwrap_or_default();
    extract(&page, &options).found_address.map(|found| found.url)
}
