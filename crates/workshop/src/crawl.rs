//! The opened crawl: its pages by site, which are read when they are needed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use dehusk_html::narrow;
use dehusk_html::url::{Address, is_host};
use dehusk_pipeline::extract::site::{Origin, Sample, Template};
use dehusk_pipeline::extract::{Options, Page, inspect, layout};
use dehusk_pipeline::kernel;
use dehusk_pipeline::record::PageRecord;
use dehusk_pipeline::site::{Layout, layouts, site_key};
use dehusk_pipeline::{Error, Layouts, PageCatalog};

use crate::selectors;

/// Number of pages of a site that are analyzed to find its layouts and to count the matches of selectors.
const LOOKED_AT: usize = 60;
/// Number of pages that are analyzed if a person asks for more. Analyzed pages stay in memory and take
/// about 20 KiB each.
pub(crate) const LOOKED_AT_MOST: usize = 1000;
/// Minimum number of pages from which a template is learned.
pub(crate) const MIN_LEARNT: usize = 2;
/// Number of sites whose analyzed pages stay in memory.
const MAX_SITES: usize = 4;

/// Returns the host of an address in the form that rules use: in lower case, without a final dot. `None` if
/// it has no valid host.
pub(crate) fn host_of(url: &str) -> Option<String> {
    let host = Address::split(url.trim())?.host();
    is_host(host).then(|| host.trim_end_matches('.').to_lowercase())
}

/// Returns path and query of an address; `/` if they are empty.
pub(crate) fn path_of(url: &str) -> &str {
    Address::split(url.trim()).map_or("/", |address| match address.path_and_query {
        "" => "/",
        path => path,
    })
}

/// A page, with its layout if the crawl has one.
pub(crate) struct CrawlPage {
    record: PageRecord<'static>,
    layout: Option<layout::Layout>,
}

impl CrawlPage {
    /// A page with its layout; `None` if the crawl has none for it.
    pub(crate) fn new(record: PageRecord<'static>, layout: Option<layout::Layout>) -> CrawlPage {
        CrawlPage { record, layout }
    }

    /// Returns the page in the form that extractors take.
    pub(crate) fn page(&self) -> Result<Page<'_>, Error> {
        let page = kernel::page(&self.record).map_err(|rejection| Error::failed(rejection.message))?;
        Ok(page.with_layout(self.layout.as_ref()))
    }

    /// Returns its address, if it has one.
    pub(crate) fn url(&self) -> Option<&str> {
        self.record.url.as_deref()
    }

    /// Returns whether it has a layout.
    pub(crate) fn has_layout(&self) -> bool {
        self.layout.is_some()
    }
}

/// The pages of a crawl, by site.
pub(crate) struct Crawl {
    catalog: PageCatalog,
    drawn: Option<Layouts>,
    /// Numbers of pages by host. Pages without an address have an empty host.
    sites: BTreeMap<String, Vec<usize>>,
    /// Analyzed pages of the sites that were opened last, by host.
    looked_at: Mutex<Vec<(String, Arc<SitePages>)>>,
}

/// Some pages of a site, analyzed.
pub(crate) struct SitePages {
    /// Number of pages that were asked for. A site may have fewer.
    sought: usize,
    /// Numbers of the pages.
    pub(crate) numbers: Vec<usize>,
    pub(crate) samples: Vec<Sample>,
    /// Their layouts, which refer to pages by index into these lists.
    pub(crate) layouts: Vec<Layout>,
    /// For each page, the names of its outermost elements, such as `body.story`.
    names: Vec<Vec<String>>,
    /// The templates of all layouts, which are learnt when the first of them is needed.
    learnt: OnceLock<Vec<Option<Template>>>,
}

/// What distinguishes the pages of a layout from other pages of the site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum LayoutMark {
    /// The folder that contains them and no page of another layout.
    Folder(String),
    /// The name of an outermost element that all of them have and no page of another layout has.
    Element(String),
    /// Nothing that a rule could express.
    Nothing,
}

/// Learns a template from pages of a layout whose addresses lie below `path`.
pub(crate) fn learn(samples: &[&Sample], path: &str) -> Template {
    let mut template = Template::learn(samples);
    // The site is the scheme and host of the first page with an address, followed by `path`.
    let key = samples
        .iter()
        .find_map(|sample| site_key(sample.name()))
        .unwrap_or_default();
    let root = key
        .find("://")
        .and_then(|at| key[at + 3..].find('/').map(|slash| at + 3 + slash));
    template.origin.site = format!("{}{path}", &key[..root.unwrap_or(0)]);
    template.origin.layout = 1;
    template
}

impl SitePages {
    /// Returns the template of the layout with index `at`; `None` if it has too few pages.
    pub(crate) fn learnt(&self, at: usize) -> Option<&Template> {
        let learnt = self.learnt.get_or_init(|| {
            let of_layout = |(at, layout): (usize, &Layout)| {
                let pages = layout.pages.iter().take(Origin::MAX_PAGES);
                let samples: Vec<&Sample> = pages.filter_map(|page| self.samples.get(*page)).collect();
                let mut template = (samples.len() >= MIN_LEARNT).then(|| learn(&samples, &layout.path))?;
                template.origin.layout = narrow::to_u32(at) + 1;
                Some(template)
            };
            self.layouts.iter().enumerate().map(of_layout).collect()
        });
        learnt.get(at)?.as_ref()
    }

    /// Returns what distinguishes the layout of a page from the others.
    pub(crate) fn mark_of(&self, crawl: &Crawl, number: usize) -> LayoutMark {
        let Some(layout) = self.layout_of(number) else {
            return LayoutMark::Nothing;
        };
        if self.layouts.len() == 1 {
            return LayoutMark::Folder("/".to_owned());
        }
        let others = || (0..self.numbers.len()).filter(|at| !layout.pages.contains(at));
        let below = |at: usize| {
            let url = self.numbers.get(at).and_then(|number| crawl.url(*number));
            url.is_some_and(|url| path_of(url).starts_with(&layout.path))
        };
        // A folder is preferred: rules with folders are simpler than rules with elements.
        if !others().any(below) {
            return LayoutMark::Folder(layout.path.clone());
        }
        let has = |at: usize, name: &String| self.names.get(at).is_some_and(|names| names.contains(name));
        let first = layout.pages.first().and_then(|at| self.names.get(*at));
        let mut telling = first
            .into_iter()
            .flatten()
            .filter(|name| layout.pages.iter().all(|at| has(*at, name)) && !others().any(|at| has(at, name)));
        telling
            .next()
            .map_or(LayoutMark::Nothing, |name| LayoutMark::Element(name.clone()))
    }

    /// Returns the layout of a page; `None` if the page was not analyzed.
    pub(crate) fn layout_of(&self, number: usize) -> Option<&Layout> {
        self.layouts.get(self.number_of(number)? - 1)
    }

    /// Returns the number of the layout of a page, from 1 as lists show it; `None` if the page was not
    /// analyzed.
    pub(crate) fn number_of(&self, number: usize) -> Option<usize> {
        let at = self.numbers.iter().position(|known| *known == number)?;
        let found = self.layouts.iter().position(|layout| layout.pages.contains(&at));
        found.map(|layout| layout + 1)
    }
}

impl Crawl {
    /// Groups the pages of a catalog by host. `drawn` are the layouts of pages.
    pub(crate) fn new(catalog: PageCatalog, drawn: Option<Layouts>) -> Crawl {
        let mut sites: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (number, page) in catalog.pages().iter().enumerate() {
            let host = page.url.as_deref().and_then(host_of).unwrap_or_default();
            sites.entry(host).or_default().push(number);
        }
        Crawl {
            catalog,
            drawn,
            sites,
            looked_at: Mutex::default(),
        }
    }

    /// Returns the list of all pages.
    pub(crate) fn catalog(&self) -> &PageCatalog {
        &self.catalog
    }

    /// Returns the hosts with the numbers of their pages.
    pub(crate) fn sites(&self) -> &BTreeMap<String, Vec<usize>> {
        &self.sites
    }

    /// Returns the numbers of the pages of a site.
    pub(crate) fn pages_of(&self, host: &str) -> &[usize] {
        self.sites.get(host).map_or(&[], Vec::as_slice)
    }

    /// Returns the host of a page; empty if it has no address.
    pub(crate) fn host(&self, number: usize) -> String {
        self.url(number).and_then(host_of).unwrap_or_default()
    }

    /// Returns the address of a page.
    pub(crate) fn url(&self, number: usize) -> Option<&str> {
        self.catalog.pages().get(number)?.url.as_deref()
    }

    /// Returns the display name of a page: its address, or its id if it has none.
    pub(crate) fn name(&self, number: usize) -> &str {
        let page = self.catalog.pages().get(number);
        page.map_or("", |page| page.url.as_deref().unwrap_or(&page.id))
    }

    /// Reads a page.
    pub(crate) fn read(&self, number: usize) -> Result<CrawlPage, Error> {
        let mut record = self.catalog.page(number)?;
        // If the record has no address, the address that the page itself names is used from here on, as in
        // extraction.
        if record.url.as_deref().is_none_or(str::is_empty) {
            record.url = self.url(number).map(|url| Cow::Owned(url.to_owned()));
        }
        let id = self.catalog.pages().get(number).map(|page| page.id.as_str());
        let layout = match (&self.drawn, id) {
            (Some(drawn), Some(id)) => drawn.of(id)?,
            _ => None,
        };
        Ok(CrawlPage::new(record, layout))
    }

    /// Returns at most `most` pages of a site, spread evenly over it.
    pub(crate) fn spread(&self, host: &str, most: usize) -> Vec<usize> {
        let pages = self.pages_of(host);
        let taken = pages.len().min(most);
        (0..taken).map(|i| pages[i * pages.len() / taken]).collect()
    }

    /// Returns the analyzed pages of a site, grouped by layout: those analyzed before, or else 60 pages.
    pub(crate) fn looked_at(&self, host: &str, options: &Options) -> Arc<SitePages> {
        self.look_at(host, options, 0)
    }

    /// Like [`looked_at`](Self::looked_at), with at least `least` pages, or all pages of a smaller site.
    pub(crate) fn look_at(&self, host: &str, options: &Options, least: usize) -> Arc<SitePages> {
        let most = least.clamp(LOOKED_AT, LOOKED_AT_MOST);
        let known = |list: &[(String, Arc<SitePages>)]| {
            let found = list.iter().find(|(name, _)| name == host);
            let found = found.filter(|(_, pages)| least <= LOOKED_AT || pages.sought >= most);
            found.map(|(_, pages)| Arc::clone(pages))
        };
        if let Some(pages) = known(&self.lock()) {
            return pages;
        }
        let (mut numbers, mut samples, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for number in self.spread(host, most) {
            // Pages that cannot be read are left out.
            if let Ok(read) = self.read(number)
                && let Ok(page) = read.page()
            {
                numbers.push(number);
                samples.push(Sample::new(&page, options));
                names.push(inspect(&page, options, |view| selectors::outermost(view.dom)));
            }
        }
        let layouts = layouts(&samples);
        let pages = Arc::new(SitePages {
            sought: most,
            numbers,
            samples,
            layouts,
            names,
            learnt: OnceLock::new(),
        });
        let mut list = self.lock();
        // The lock is not held while pages are analyzed, so another request may have stored the site by
        // now.
        if known(&list).is_none() {
            list.retain(|(name, _)| name != host);
            list.push((host.to_owned(), Arc::clone(&pages)));
            // The site that was analyzed first is dropped.
            if list.len() > MAX_SITES {
                list.remove(0);
            }
        }
        pages
    }

    /// The analyzed sites, also after a panic of another thread.
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(String, Arc<SitePages>)>> {
        self.looked_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_those_that_rules_name() {
        assert_eq!(
            host_of("https://u@News.Example.:8080/a?b").as_deref(),
            Some("news.example")
        );
        assert_eq!(host_of("no address"), None);
        assert_eq!(path_of("https://a.example"), "/");
        assert_eq!(path_of("https://a.example/b?c=d#e"), "/b?c=d");
    }
}
