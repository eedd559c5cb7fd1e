//! Extraction with the templates and rules of sites and with the layouts of pages.

use dehusk_extract::layout::Layout;

use crate::error::Error;
use crate::kernel::extract::Extractor;
use crate::read::layouts::Layouts;
use crate::record::{Document, PageRecord, Reason, Rejection};
use crate::site::store::Store;
use crate::site::usage::{SiteUse, SmallestHashes};

/// An extractor that applies the templates and rules of a store, if it has one.
pub(crate) struct SiteExtractor<'a> {
    extractor: Extractor<'a>,
    store: Option<&'a Store>,
    report: Option<&'a SmallestHashes>,
    layouts: Option<&'a Layouts>,
}

impl<'a> SiteExtractor<'a> {
    /// An extractor like `extractor`, except for pages that templates or rules decide. With `report`, it also collects the pages that the
    /// report about sites shows.
    pub(crate) fn new(
        extractor: Extractor<'a>,
        store: Option<&'a Store>,
        report: Option<&'a SmallestHashes>,
    ) -> Self {
        SiteExtractor {
            extractor,
            store,
            report,
            layouts: None,
        }
    }

    /// Adds layouts of pages, if there are any.
    pub(crate) fn with_layouts(self, layouts: Option<&'a Layouts>) -> Self {
        SiteExtractor { layouts, ..self }
    }

    /// The document of a page, and how rules and templates were used for it. The use is `None` without a store.
    ///
    /// # Errors
    /// The errors of [`Extractor::extract`]. Also if the layout of the page, or a learnt template of its host, cannot be read.
    pub(crate) fn extract(&self, record: &PageRecord<'_>) -> Result<(Document, Option<SiteUse>), Rejection> {
        let unread = |error: Error| Rejection::new(Reason::Unreadable, error.to_string());
        let layout = match (self.layouts, record.id.as_deref()) {
            (Some(layouts), Some(id)) => layouts.of(id).map_err(unread)?,
            _ => None,
        };
        let (document, done) = self.extract_laid_out(record, layout.as_ref())?;
        Ok(match self.layouts.is_some() && layout.is_none() {
            true => (document.missing_layout(), done),
            false => (document, done),
        })
    }

    /// Extracts a page with its layout. Notes the use of rules and templates if there are any.
    fn extract_laid_out(
        &self,
        record: &PageRecord<'_>,
        layout: Option<&Layout>,
    ) -> Result<(Document, Option<SiteUse>), Rejection> {
        let unread = |error: Error| Rejection::new(Reason::Unreadable, error.to_string());
        let Some(store) = self.store else {
            return Ok((self.extractor.extract_laid_out(record, layout)?, None));
        };
        let mut done = Ok(None);
        let document = self.extractor.extract_by(record, layout, |page, options| {
            let (extracted, noted) = store.extract_noting(page, options, self.report);
            done = noted.map(Some).map_err(unread);
            extracted
        })?;
        Ok((document, done?))
    }
}
