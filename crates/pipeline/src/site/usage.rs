//! What templates and rules did to pages: noted page by page, and counted site by site.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::write::report::markup::Html;
use crate::write::summary::SiteCounts;

/// Most sites whose pages are looked at closely: the first by address.
pub(crate) const MAX_SITES: usize = 100;

/// What rules and templates of its site did to one page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SiteUse {
    pub(crate) answer: Answer,
    /// Whether a rule found nothing or was given up.
    pub(crate) silent: bool,
    /// What the site's report tells of the page, if there is one and the site has templates.
    pub(crate) page: Option<PageUse>,
}

/// What gave the main text of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// A rule by hand.
    Rule,
    /// A template.
    Template,
    /// Something else, as none of the templates of its site fits.
    NoTemplateFits,
    /// Something else, as its site has no templates.
    NoTemplates,
}

/// What templates did to a page of a site.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PageUse {
    pub(crate) site: String,
    /// What the template did that fits, if one does.
    pub(crate) template: Option<TemplatePage>,
}

/// What a template did to a page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TemplatePage {
    pub(crate) layout: u32,
    /// The lines that were removed: part, words, and why.
    pub(crate) removed: Vec<(usize, u32, String)>,
    /// The page to show, unless one with a smaller hash was seen.
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

/// The smallest hash of an address seen so far, by site and layout: only such a page is worth showing. Which pages are made ready
/// depends on the order of pages, and which one is shown in the end does not.
#[derive(Debug, Default)]
pub(crate) struct SmallestHashes(Mutex<BTreeMap<String, BTreeMap<u32, u128>>>);

impl SmallestHashes {
    /// Whether the report may need this page: no page of its layout had a smaller hash, and its site is one of the first.
    pub(crate) fn lowers(&self, site: &str, layout: u32, hash: u128) -> bool {
        let mut sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !sites.contains_key(site) {
            sites.insert(site.to_owned(), BTreeMap::new());
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

/// What templates did to the pages of one site.
#[derive(Clone, Debug, Default)]
pub(crate) struct SiteUsage {
    /// Pages whose main text a template gave, and pages that no template fits.
    pub(crate) fired: u64,
    pub(crate) unknown: u64,
    /// What was removed, by layout and part.
    pub(crate) removed: BTreeMap<(u32, usize), RemovedPart>,
    /// A page to show for each layout: the one with the smallest hash of its address.
    pub(crate) samples: BTreeMap<u32, ShownPage>,
}

/// How much of a part was removed, and why; the reason is the same on all pages.
#[derive(Clone, Debug, Default)]
pub(crate) struct RemovedPart {
    pub(crate) pages: u64,
    pub(crate) words: u64,
    pub(crate) reason: String,
}

/// Counts of what rules and templates did to pages.
#[derive(Debug, Default)]
pub(crate) struct SiteTally {
    ruled: u64,
    silent: u64,
    fired: u64,
    unknown: u64,
    without: u64,
    sites: BTreeMap<String, SiteUsage>,
}

impl SiteTally {
    /// Counts a page.
    pub(crate) fn count(&mut self, done: SiteUse) {
        self.silent += u64::from(done.silent);
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

    fn count_page(&mut self, page: PageUse) {
        if !self.sites.contains_key(&page.site) {
            self.sites.insert(page.site.clone(), SiteUsage::default());
            if self.sites.len() > MAX_SITES {
                self.sites.pop_last();
            }
        }
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
            sum.pages += u64::from(parts.insert(part));
            sum.words += u64::from(words);
            sum.reason = reason;
        }
        if let Some(shown) = shown
            && usage.samples.get(&layout).is_none_or(|old| shown.hash < old.hash)
        {
            usage.samples.insert(layout, shown);
        }
    }

    /// What templates did to the pages of each site.
    pub(crate) fn sites(&self) -> &BTreeMap<String, SiteUsage> {
        &self.sites
    }

    /// Counts of pages, as the summary has them: of rules and of templates only where there are some.
    pub(crate) fn counts(&self, rules: bool, templates: bool) -> SiteCounts {
        SiteCounts {
            ruled: rules.then_some(self.ruled),
            silent: rules.then_some(self.silent),
            fired: templates.then_some(self.fired),
            unknown: templates.then_some(self.unknown),
            without: templates.then_some(self.without),
        }
    }
}
