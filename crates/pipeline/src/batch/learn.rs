//! Learning of templates: an engine groups the pages of sites, and templates are returned.

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::DataType;
use dehusk_extract::Options;
use dehusk_extract::site::{Sample, Template};

use super::extract::PAGE;
use super::table::{self, Read};
use crate::error::Error;
use crate::exec::panic_guard::catch_panic;
use crate::kernel::extract::page;
use crate::page_process::stored;
use crate::site::group::{Groups, Member};
use crate::site::key;
use crate::site::learning::template_of;
use crate::site::page_marks::PageMeasure;

/// Learns templates host by host. The pages of a host may span several batches.
pub struct Learner {
    options: Options,
    host: Option<String>,
    groups: Groups<(Sample, ())>,
    measure: PageMeasure,
}

/// Returns the host of each page in `dehusk_page`, by which rows must be sorted for a [`Learner`].
///
/// It is the host of the column `url`, or else of the address that the page itself names. Null if there is neither.
///
/// # Errors
/// If a column is missing or has another type.
pub fn hosts(batch: &RecordBatch, options: &Options) -> Result<RecordBatch, Error> {
    let (urls, pages) = (Read(batch).texts("url")?, Read(batch).bytes(PAGE)?);
    let told = |row| {
        let record = pages.value(row).and_then(stored::of_bytes)?;
        // A panic costs only the host of this page.
        let sample = catch_panic(|| Some(Sample::new(&page(&record).ok()?, options)));
        key::site_key(sample.ok().flatten()?.name())
    };
    let mut hosts = StringBuilder::new();
    for row in 0..batch.num_rows() {
        let url = urls.value(row).filter(|url| !url.is_empty());
        let key = url.map_or_else(|| told(row), key::site_key);
        hosts.append_option(key.as_deref().map(key::host_key));
    }
    let arrays: Vec<(&str, DataType, ArrayRef)> = vec![("host", DataType::Utf8, Arc::new(hosts.finish()))];
    table::batch(arrays).map_err(|error| table::unfit(&error))
}

impl Learner {
    /// Creates a learner for pages that are parsed and labelled with these options.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Learner {
            options,
            host: None,
            groups: Groups::default(),
            measure: PageMeasure::new(),
        }
    }

    /// Takes pages sorted by `host`, and within a host in the order of learning. The pages are in `dehusk_page`, as
    /// [`pages`](super::pages()) returns them.
    ///
    /// Returns the templates of the hosts that have ended: `site`, `layout`, `pages` (the number of pages
    /// learned from), and `template` (the text of the template file).
    ///
    /// # Errors
    /// If a column is missing or has another type.
    pub fn push(&mut self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let read = Read(batch);
        let (hosts, pages) = (read.texts("host")?, read.bytes(PAGE)?);
        let mut templates = Templates::default();
        for row in 0..batch.num_rows() {
            // Pages without a host belong to no site.
            let Some(host) = hosts.value(row) else { continue };
            // The rows of a host follow each other, so its templates are learned when the next host begins.
            if self.host.as_deref() != Some(host) {
                self.end(&mut templates);
                self.host = Some(host.to_owned());
            }
            // Rows of rejected records have no page.
            let Some(record) = pages.value(row).and_then(stored::of_bytes) else {
                continue;
            };
            let (options, measure) = (&self.options, &mut self.measure);
            let sampled = catch_panic(|| {
                let sample = Sample::new(&page(&record).ok()?, options);
                let marks = measure.marks(&sample);
                Some((sample, marks))
            });
            match sampled {
                Ok(Some((sample, marks))) => {
                    let page = (sample, ());
                    self.groups.add(host, Member { page, marks });
                }
                Ok(None) => {}
                // A panic may leave the measure half changed.
                Err(_) => self.measure = PageMeasure::new(),
            }
        }
        templates.finish()
    }

    /// Returns the templates of the last host.
    ///
    /// # Errors
    /// If they do not fit into a batch.
    pub fn finish(&mut self) -> Result<RecordBatch, Error> {
        let mut templates = Templates::default();
        self.end(&mut templates);
        templates.finish()
    }

    /// Learns the templates of the current host, and starts with the next one.
    fn end(&mut self, templates: &mut Templates) {
        self.host = None;
        let method = self.options.extractor().name();
        for group in std::mem::take(&mut self.groups).finish().0 {
            let pages: Vec<&Sample> = group.pages.iter().map(|(page, ())| page).collect();
            let dates = pages.iter().filter_map(|page| page.date());
            let learnt = Template::learn(&pages);
            templates.add(&template_of(learnt, &group.site, group.layout, method, dates));
        }
    }
}

/// Templates gathered into a batch.
#[derive(Default)]
struct Templates {
    sites: StringBuilder,
    layouts: Int32Builder,
    pages: Int32Builder,
    templates: StringBuilder,
}

impl Templates {
    fn add(&mut self, template: &Template) {
        self.sites.append_value(&template.origin.site);
        self.layouts.append_value(template.origin.layout.cast_signed());
        self.pages.append_value(template.pages().cast_signed());
        self.templates.append_value(template.to_toml());
    }

    fn finish(mut self) -> Result<RecordBatch, Error> {
        let arrays: Vec<(&str, DataType, ArrayRef)> = vec![
            ("site", DataType::Utf8, Arc::new(self.sites.finish())),
            ("layout", DataType::Int32, Arc::new(self.layouts.finish())),
            ("pages", DataType::Int32, Arc::new(self.pages.finish())),
            ("template", DataType::Utf8, Arc::new(self.templates.finish())),
        ];
        table::batch(arrays).map_err(|error| table::unfit(&error))
    }
}
