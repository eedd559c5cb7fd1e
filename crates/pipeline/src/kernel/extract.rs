//! Extraction of documents from pages.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dehusk_extract::analysis::metadata::DatePrecision;
use dehusk_extract::layout::Layout;
use dehusk_extract::{Extracted, Options, Page, PageExtractor};

use crate::exec::clock::Stopwatch;
use crate::record::document::{Document, Warning, round};
use crate::record::{Content, DAMAGED_SOURCE, DEEP_FIELD, PageRecord, Reason, Rejection, TRUNCATED};

/// A function that extracts the main text of a page: [`dehusk_extract::extract`] or another one.
pub type ExtractPage<'a> = dyn Fn(&Page<'_>, &Options) -> Extracted + Sync + 'a;

/// Extracts documents from pages. It reads no files and keeps only buffers between pages, so that threads may share it.
///
/// ```
/// use dehusk_pipeline::extract::Options;
/// use dehusk_pipeline::kernel::Extractor;
/// use dehusk_pipeline::record::{Content, PageRecord};
///
/// let mut page = PageRecord::new(Content::Text("<title>Flood</title><p>The river rose overnight.".into()));
/// page.url = Some("http://a.example/flood".into());
/// let document = Extractor::new(Options::default()).extract(&page).unwrap();
/// assert_eq!((&*document.id, &*document.text), ("http://a.example/flood", "The river rose overnight.\n"));
/// assert_eq!(document.title.as_deref(), Some("Flood"));
/// ```
#[derive(Clone)]
pub struct Extractor<'a> {
    options: Options,
    main_text: MainText<'a>,
    timings: bool,
}

/// Source of the main text.
#[derive(Clone)]
enum MainText<'a> {
    /// [`dehusk_extract`], with buffers of earlier pages.
    Own(Arc<Pool>),
    /// Another function.
    By(&'a ExtractPage<'a>),
}

/// Idle page extractors. Their number is the maximum number of threads that extracted at the same time. An
/// extractor that panics is not returned.
#[derive(Default)]
struct Pool(Mutex<Vec<PageExtractor>>);

impl Pool {
    fn extract(&self, page: &Page<'_>, options: &Options) -> Extracted {
        // The lock is held only to take an extractor and to return it.
        let waiting = self.waiting().pop();
        let mut extractor = waiting.unwrap_or_else(|| PageExtractor::new(options));
        let extracted = extractor.extract(page);
        self.waiting().push(extractor);
        extracted
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<PageExtractor>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Extractor<'static> {
    /// Creates an extractor with these options.
    pub fn new(options: Options) -> Self {
        Extractor {
            options,
            main_text: MainText::Own(Arc::default()),
            timings: false,
        }
    }
}

impl<'a> Extractor<'a> {
    /// Creates an extractor that calls `extract` for the main text.
    pub fn with(options: Options, extract: &'a ExtractPage<'a>) -> Self {
        Extractor {
            options,
            main_text: MainText::By(extract),
            timings: false,
        }
    }

    /// Sets whether documents state the processor time of their extraction. Default: no.
    #[must_use]
    pub fn with_timings(mut self, timings: bool) -> Self {
        self.timings = timings;
        self
    }

    /// Returns the document of a page. A page without an ID gets its URL as ID.
    ///
    /// # Errors
    /// If the content of the page is still in a file. Readers of records load it first.
    pub fn extract(&self, record: &PageRecord<'_>) -> Result<Document, Rejection> {
        self.extract_laid_out(record, None)
    }

    /// Like [`Extractor::extract`], with a layout of the page.
    ///
    /// # Errors
    /// The errors of [`Extractor::extract`].
    pub fn extract_laid_out(
        &self,
        record: &PageRecord<'_>,
        layout: Option<&Layout>,
    ) -> Result<Document, Rejection> {
        match &self.main_text {
            MainText::Own(pool) => {
                self.extract_by(record, layout, |page, options| pool.extract(page, options))
            }
            MainText::By(extract) => self.extract_by(record, layout, *extract),
        }
    }

    /// Like [`Extractor::extract_laid_out`], with another function for the main text.
    pub(crate) fn extract_by(
        &self,
        record: &PageRecord<'_>,
        layout: Option<&Layout>,
        extract: impl FnOnce(&Page<'_>, &Options) -> Extracted,
    ) -> Result<Document, Rejection> {
        // A main text needs no extraction.
        if record.is_main_text {
            return Ok(main_text(record, &self.options));
        }
        let page = page(record)?.with_layout(layout);
        let watch = self.timings.then(Stopwatch::start);
        let extracted = extract(&page, &self.options);
        let us = watch.map(Stopwatch::micros);
        Ok(document(record, extracted, us))
    }
}

/// Field of a record with the date on which its page was fetched. Readers of archives set it.
const CAPTURED: &str = "captured";

/// Returns the page of a record.
///
/// # Errors
/// If the content of the page is still in a file.
pub fn page<'r>(record: &'r PageRecord<'_>) -> Result<Page<'r>, Rejection> {
    let page = match &record.content {
        Content::Text(text) => Page::decoded(text),
        Content::Bytes(bytes) => Page::new(bytes),
        Content::File { name, .. } => {
            let message = format!("the file `{name}` of the page was not read");
            return Err(Rejection::new(Reason::MissingContent, message));
        }
    };
    let page = match record.url.as_deref().filter(|url| !url.is_empty()) {
        Some(url) => page.with_url(Some(url)),
        // The page may state an address. The folder gives another one for pages that do not.
        None => page.with_url_sought(record.folder_url.as_deref()),
    };
    Ok(page
        .with_content_type(record.content_type.as_deref())
        .with_captured(record.extra.text(CAPTURED))
        .with_last_modified(record.last_modified.as_deref())
        .with_charset(record.charset.as_deref()))
}

/// Value of the field `method` for texts that were extracted before they came here.
const GIVEN: &str = "given";

/// Returns the document of a record that is a main text itself.
fn main_text(record: &PageRecord<'_>, options: &Options) -> Document {
    let text = match &record.content {
        Content::Text(text) => text.trim_end(),
        Content::Bytes(_) | Content::File { .. } => {
            debug_assert!(false, "main texts are texts");
            ""
        }
    };
    // The extraction of an empty page fills all fields but the text.
    let mut extracted = dehusk_extract::extract(&Page::decoded(""), options);
    extracted.warnings.clear();
    extracted.text = text.replace('\0', "");
    if !text.is_empty() {
        extracted.text.push('\n');
    }
    (extracted.method, extracted.confidence) = (GIVEN, 1.0);
    extracted.kept_chars = extracted.text.chars().count();
    extracted.all_chars = extracted.kept_chars;
    let mut document = document(record, extracted, None);
    document.language = record.language.as_deref().map(str::to_owned);
    document
}

/// Returns the document that was extracted from a page.
pub(crate) fn document(record: &PageRecord<'_>, extracted: Extracted, us: Option<u64>) -> Document {
    let known = extracted.metadata;
    let place = record.place.as_ref();
    let date_is_given = record.date.is_some();
    let mut metadata_sources = known.sources();
    if date_is_given {
        metadata_sources.insert("date", "record".to_owned());
    }
    let date_precision = match record.date.as_deref() {
        Some(date) => DatePrecision::of(date),
        None => known.date_precision,
    };
    let given = |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().map(str::to_owned);
    // An address is searched only in pages whose record has none.
    let (url, url_source) = match extracted.found_address {
        Some(found) => (Some(found.url), Some(found.source.into())),
        None => (given(&record.url), record.url_source),
    };
    let damage = record.damage.as_ref().map(|damage| Warning {
        code: DAMAGED_SOURCE,
        message: damage.clone().into_owned(),
    });
    let cut = record.cut.as_ref().map(|cut| Warning {
        code: TRUNCATED,
        message: cut.clone().into_owned(),
    });
    let deep = record.extra.deep().map(|name| Warning {
        code: DEEP_FIELD,
        message: format!("the field `{name}` is nested too deep and was left out"),
    });
    let warning = |warning: dehusk_extract::Warning| Warning {
        code: warning.kind.name(),
        message: warning.message,
    };
    Document {
        id: given(&record.id).or_else(|| url.clone()).unwrap_or_default(),
        url,
        url_source,
        text: extracted.text,
        title: known.title,
        author: known.author,
        authors: known.authors,
        date: given(&record.date).or(known.date),
        date_precision: date_precision.map(DatePrecision::name),
        language: known.language,
        site_name: known.site_name,
        description: known.description,
        modified: known.modified,
        canonical_url: known.canonical_url,
        image: known.image,
        tags: known.tags,
        categories: known.categories,
        publisher: known.publisher,
        licence: known.licence,
        metadata_sources,
        metadata_candidates: extracted.blocks.is_some().then_some(known.candidates),
        structured: known.structured,
        kind: known.kind.map(dehusk_extract::analysis::metadata::PageKind::name),
        charset: extracted.charset.name,
        method: extracted.method,
        confidence: round(extracted.confidence),
        kept_chars: extracted.kept_chars,
        all_chars: extracted.all_chars,
        warnings: damage
            .into_iter()
            .chain(cut)
            .chain(deep)
            .chain(extracted.warnings.into_iter().map(warning))
            .collect(),
        markdown: extracted.markdown,
        html: extracted.html,
        content: extracted.content,
        tables: extracted.tables,
        comments: extracted.comments,
        blocks: extracted.blocks,
        visible_nodes: extracted.visible_nodes,
        layout: extracted.layout,
        source_bytes: match &record.content {
            Content::Text(text) => text.len(),
            Content::Bytes(bytes) => bytes.len(),
            Content::File { .. } => 0,
        },
        us,
        source: place.map(|place| place.source.clone().into_owned()),
        offset: place.map(|place| place.offset),
        plain_offset: place.and_then(|place| place.plain_offset),
        popularity: record.popularity,
        extra: record.extra.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_from_memory_becomes_a_document() {
        let mut page = PageRecord::new(Content::Text("<title>T</title><p>Rivers rose overnight.".into()));
        page.url = Some("http://a.example/".into());
        page.popularity = Some(2.5);
        let document = Extractor::new(Options::default()).extract(&page).unwrap();
        assert_eq!(
            (document.id.as_str(), document.text.as_str(), document.popularity),
            ("http://a.example/", "Rivers rose overnight.\n", Some(2.5))
        );
        assert_eq!(document.us, None);
        let timed = Extractor::new(Options::default()).with_timings(true);
        assert!(timed.extract(&page).unwrap().us.is_some());
    }

    #[test]
    fn a_page_in_a_file_is_not_read() {
        let page = PageRecord::new(Content::File {
            name: "x.html".into(),
            path: "/nowhere/x.html".into(),
        });
        let rejection = Extractor::new(Options::default()).extract(&page).unwrap_err();
        assert_eq!(rejection.reason, Reason::MissingContent);
    }
}
