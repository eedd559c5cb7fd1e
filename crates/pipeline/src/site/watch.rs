//! What templates do to the pages of a run, site by site.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use dehusk_extract::site::TemplateUse;

use crate::write::report::markup::Html;

/// Sites that are looked at one by one; of more, the first by address.
pub(crate) const MOST_SITES: usize = 100;

/// Counts of all sites. They do not depend on the order in which pages come.
#[derive(Debug, Default)]
pub(crate) struct Watch(Mutex<BTreeMap<String, Seen>>);

/// What was seen of one site.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// Pages whose main text a template gave, and pages that none fits.
    pub(crate) fired: u64,
    pub(crate) unknown: u64,
    /// What was removed, by layout and part.
    pub(crate) removed: BTreeMap<(u32, usize), Removed>,
    /// A page to look at of each layout: the one with the smallest hash of its address.
    pub(crate) samples: BTreeMap<u32, Shown>,
}

/// What was removed of a part, and why: the same reason on all pages.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Removed {
    pub(crate) pages: u64,
    pub(crate) words: u64,
    pub(crate) reason: &'static str,
}

/// A page to look at.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) hash: u128,
    pub(crate) url: String,
    /// The page with its blocks marked.
    pub(crate) html: Html,
}

impl Watch {
    /// Counts a page of a site on which a template fired, or none. Returns whether the page should be shown.
    pub(crate) fn count(&self, site: &str, used: Option<&TemplateUse<'_>>, hash: u128) -> bool {
        let mut sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !sites.contains_key(site) {
            sites.insert(site.to_owned(), Seen::default());
            if sites.len() > MOST_SITES {
                sites.pop_last();
            }
        }
        let Some(seen) = sites.get_mut(site) else {
            return false;
        };
        let Some(TemplateUse { template, removed }) = used else {
            seen.unknown += 1;
            return false;
        };
        seen.fired += 1;
        let mut parts: BTreeSet<usize> = BTreeSet::new();
        for line in removed {
            let sum = seen
                .removed
                .entry((template.origin.layout, line.part))
                .or_default();
            sum.pages += u64::from(parts.insert(line.part));
            sum.words += u64::from(line.words);
            sum.reason = line.reason;
        }
        let shown = seen.samples.get(&template.origin.layout);
        shown.is_none_or(|shown| hash < shown.hash)
    }

    /// Takes a page of a layout to be shown, unless a better one has come since.
    pub(crate) fn show(&self, site: &str, layout: u32, shown: Shown) {
        let mut sites = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(seen) = sites.get_mut(site)
            && seen.samples.get(&layout).is_none_or(|old| shown.hash < old.hash)
        {
            seen.samples.insert(layout, shown);
        }
    }

    /// All that was seen, by site.
    pub(crate) fn seen(&self) -> BTreeMap<String, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
