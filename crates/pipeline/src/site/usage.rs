//! Use of templates and rules: recorded for each page, and counted for each site.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::write::report::markup::Html;
use crate::write::summary::SiteCounts;

/// Maximum number of sites with detailed figures: the first by address.
pub(crate) const MAX_SITES: usize = 100;

/// Use of the rules and templates of its site for one page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SiteUse {
    pub(crate) answer: Answer,
    /// Whether a rule found nothing or was given up.
    pub(crate) silent: bool,
    /// Whether a rule removed parts of a main text that another source gave.
    pub(crate) cut: bool,
    /// Data for the report about sites; `None` without a report, or if the site has no templates.
    pub(crate) page: Option<PageUse>,
}

/// Source of the main text of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// A manual rule.
    Rule,
    /// A template.
    Template,
    /// Another source, since none of the templates of its site fits.
    NoTemplateFits,
    /// Another source, since its site has no templates.
    NoTemplates,
}

/// Use of templates on a page of a site.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PageUse {
    pub(crate) site: String,
    /// Use of the template that fits; `None` if none fits.
    pub(crate) template: Option<TemplatePage>,
}

/// Use of a template on a page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TemplatePage {
    pub(crate) layout: u32,
    /// The removed lines: index of the part, number of words, and reason.
    pub(crate) removed: Vec<(usize, u32, String)>,
    /// The page to show; `None` if a page with a smaller hash was seen.
    pub(crate) shown: Option<ShownPage>,
}

/// A page that the report shows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ShownPage {
    pub(crate) hash: u128,
    pub(crate) url: String,
    /// The page with its blocks marked.
    pub(crate) html: Html,
}

/// The smallest hash of an address so far, by site and layout. Only the page with this hash is shown.
///
/// Which pages are rendered depends on the order of pages. The page that is shown in the end does not.
#[derive(Debug, Default)]
pub(crate) struct SmallestHashes(Mutex<BTreeMap<String, BTreeMap<u32, u128>>>);

impl SmallestHashes {
    /// Whether the report may show this page: no page of its layout had a smaller hash, and its site is among the first [`MAX_SITES`].
    /// Records the hash.
    pub(crate) fn lowers(&self, site: &str, layout: u32, hash: u128) -> bool {
        let mut sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !sites.contains_key(site) {
            sites.insert(site.to_owned(), BTreeMap::new());
            // The site may remove itself here: it is the last one by address. Then it is not found below.
            if sites.len() > MAX_SITES {
                sites.pop_last();
            }
        }
        let Some(layouts) = sites.get_mut(site) else {
            return false;
        };
        let smallest = layouts.entry(layout).or_insert(u128::MAX);
        let lowers = hash < *smallest;
        *smallest = hash.min(*smallest);
        lowers
    }
}

/// Use of templates on the pages of one site.
#[derive(Clone, Debug, Default)]
pub(crate) struct SiteUsage {
    /// Number of pages whose main text a template gave.
    pub(crate) fired: u64,
    /// Number of pages that no template fits.
    pub(crate) unknown: u64,
    /// Removed words, by layout and index of the part.
    pub(crate) removed: BTreeMap<(u32, usize), RemovedPart>,
    /// The page to show for each layout: the page with the smallest hash of its address.
    pub(crate) samples: BTreeMap<u32, ShownPage>,
}

/// Removals of a part, with the reason, which is equal on all pages.
#[derive(Clone, Debug, Default)]
pub(crate) struct RemovedPart {
    pub(crate) pages: u64,
    pub(crate) words: u64,
    pub(crate) reason: String,
}

/// Counts of the use of rules and templates on pages.
#[derive(Debug, Default)]
pub(crate) struct SiteTally {
    ruled: u64,
    silent: u64,
    cut: u64,
    fired: u64,
    unknown: u64,
    without: u64,
    sites: BTreeMap<String, SiteUsage>,
}

impl SiteTally {
    /// Counts a page.
    pub(crate) fn count(&mut self, done: SiteUse) {
        self.silent += u64::from(done.silent);
        self.cut += u64::from(done.cut);
        *match done.answer {
            Answer::Rule => &mut self.ruled,
            Answer::Template => &mut self.fired,
            Answer::NoTemplateFits => &mut self.unknown,
            Answer::NoTemplates => &mut self.without,
        } += 1;
        if let Some(page) = done.page {
            self.count_page(page);
        }
    }

    /// Counts the use of templates on a page, by site.
    fn count_page(&mut self, page: PageUse) {
        if !self.sites.contains_key(&page.site) {
            self.sites.insert(page.site.clone(), SiteUsage::default());
            // A site that was removed is never kept again: 100 sites with smaller addresses are known. So
            // its counts are dropped as a whole.
            if self.sites.len() > MAX_SITES {
                self.sites.pop_last();
            }
        }
        // The site that was just added may have been removed.
        let Some(usage) = self.sites.get_mut(&page.site) else {
            return;
        };
        let Some(TemplatePage {
            layout,
            removed,
            shown,
        }) = page.template
        else {
            usage.unknown += 1;
            return;
        };
        usage.fired += 1;
        let mut parts: BTreeSet<usize> = BTreeSet::new();
        for (part, words, reason) in removed {
            let sum = usage.removed.entry((layout, part)).or_default();
            // Several removed lines of one part on a page count as one page.
            sum.pages += u64::from(parts.insert(part));
            sum.words += u64::from(words);
            sum.reason = reason;
        }
        // Several pages of a layout may have been rendered. The smallest hash decides, whatever their
        // order.
        if let Some(shown) = shown
            && usage.samples.get(&layout).is_none_or(|old| shown.hash < old.hash)
        {
            usage.samples.insert(layout, shown);
        }
    }

    /// Use of templates on the pages of each site.
    pub(crate) fn sites(&self) -> &BTreeMap<String, SiteUsage> {
        &self.sites
    }

    /// Counts of pages for the summary. Counts of rules are `None` without `rules`, those of templates `None` without `templates`.
    pub(crate) fn counts(&self, rules: bool, templates: bool) -> SiteCounts {
        SiteCounts {
            ruled: rules.then_some(self.ruled),
            cut: rules.then_some(self.cut),
            silent: rules.then_some(self.silent),
            fired: templates.then_some(self.fired),
            unknown: templates.then_some(self.unknown),
            without: templates.then_some(self.without),
        }
    }
}
