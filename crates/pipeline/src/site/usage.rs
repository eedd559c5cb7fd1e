//! Counts of what templates remove from the pages of a run, site by site.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use dehusk_extract::site::TemplateUse;

use crate::write::report::markup::Html;

/// Most sites that are counted: the first by address.
pub(crate) const MAX_SITES: usize = 100;

/// Counts of what templates did to the pages of each site. They do not depend on the order of the pages.
#[derive(Debug, Default)]
pub(crate) struct TemplateUsageCounts(Mutex<BTreeMap<String, SiteUsage>>);

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
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RemovedPart {
    pub(crate) pages: u64,
    pub(crate) words: u64,
    pub(crate) reason: &'static str,
}

/// A page that the report shows.
#[derive(Clone, Debug)]
pub(crate) struct ShownPage {
    pub(crate) hash: u128,
    pub(crate) url: String,
    /// The page with its blocks marked.
    pub(crate) html: Html,
}

impl TemplateUsageCounts {
    /// Counts a page of a site, with the template that answered, if one did. Returns whether the page should be shown.
    pub(crate) fn count(&self, site: &str, used: Option<&TemplateUse<'_>>, hash: u128) -> bool {
        let mut sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !sites.contains_key(site) {
            sites.insert(site.to_owned(), SiteUsage::default());
            if sites.len() > MAX_SITES {
                sites.pop_last();
            }
        }
        let Some(usage) = sites.get_mut(site) else {
            return false;
        };
        let Some(TemplateUse { template, removed }) = used else {
            usage.unknown += 1;
            return false;
        };
        usage.fired += 1;
        let mut parts: BTreeSet<usize> = BTreeSet::new();
        for line in removed {
            let sum = usage
                .removed
                .entry((template.origin.layout, line.part))
                .or_default();
            sum.pages += u64::from(parts.insert(line.part));
            sum.words += u64::from(line.words);
            sum.reason = line.reason;
        }
        let shown = usage.samples.get(&template.origin.layout);
        shown.is_none_or(|shown| hash < shown.hash)
    }

    /// Keeps a page of a layout for the report, unless one with a smaller hash is there.
    pub(crate) fn show(&self, site: &str, layout: u32, shown: ShownPage) {
        let mut sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(usage) = sites.get_mut(site)
            && usage.samples.get(&layout).is_none_or(|old| shown.hash < old.hash)
        {
            usage.samples.insert(layout, shown);
        }
    }

    /// What templates did so far, by site.
    pub(crate) fn usage(&self) -> BTreeMap<String, SiteUsage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
