//! Checks whether templates and rules still fit the pages of their sites.

use std::collections::BTreeMap;

use dehusk_extract::site::Sample;

use crate::error::Error;
use crate::job::Job;
use crate::record::Rejected;
use crate::site::Store;
use crate::site::group::{GroupedPage, Groups, Joined, LayoutId, MIN_PAGES, Member};
use crate::site::key;
use crate::site::page_marks::PageMeasure;
use crate::verbs::site::pages::{self, each_page};

/// Minimum share of the pages of a site on which a template must apply. Below it, the layout counts as
/// changed.
const MIN_FIRES: f64 = 0.8;
/// Maximum factor by which the median length of the main text may differ from the usual one.
const MAX_CHANGE: f64 = 3.0;

/// Fit of a rule, or of the templates of one part of a site.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Health {
    /// Key of the part of the site that the templates are for. For a rule, its name and its position in the
    /// files.
    pub site: String,
    /// Number of its pages, without those counted in `alone`.
    pub pages: u64,
    /// Number of pages that no template fits and whose layout no other page has. Learning would leave them
    /// out, too.
    pub alone: u64,
    /// Number of pages on which a template applied or the rule gave text.
    pub fires: u64,
    /// Mean share of the words of a page that the template knows, over the pages on which one applied.
    /// `None` for rules.
    pub coverage: Option<f64>,
    /// Median number of words kept of a page.
    pub median: u64,
    /// For templates, the mean number of words that the template kept of a page when it was learnt. For a
    /// rule, the number that the rule states.
    pub usual: Option<f64>,
    /// Problems that a person should look at.
    pub warnings: Vec<String>,
}

/// Fit of templates or rules.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Checked {
    /// A row for each part of a site, or for each rule.
    pub health: Vec<Health>,
    /// Number of records read, including rejected ones.
    pub read: u64,
}

/// Name of this work of page processes.
const WORK: &str = "site check";

/// Processes pages for a parent that runs [`check`], see [`Job::launch`]. `job` must equal that of the parent.
///
/// # Errors
/// If the parent has ended.
pub fn serve_check(job: &Job<'_>) -> Result<(), Error> {
    pages::serve(job, WORK, &Sample::new)
}

/// Measures page by page how the templates of a store fit.
pub struct TemplateCheck<'s> {
    store: &'s Store,
    found: BTreeMap<String, (Health, Vec<u64>)>,
    measure: PageMeasure,
    /// Pages that no template fits, by layout.
    strays: Groups<Stray>,
    /// For each layout of these pages: host, key of the part of the site that counts them, and number of
    /// pages.
    layouts: BTreeMap<LayoutId, (String, String, u64)>,
}

/// The address of a page that no template fits.
struct Stray(String);

impl GroupedPage for Stray {
    fn address(&self) -> &str {
        &self.0
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.0.len()
    }
}

impl<'s> TemplateCheck<'s> {
    /// A check without pages.
    pub fn new(store: &'s Store) -> Self {
        let mut found: BTreeMap<String, (Health, Vec<u64>)> = BTreeMap::new();
        for template in store.iter() {
            let entry = found.entry(template.origin.site.clone()).or_default();
            entry.0.site.clone_from(&template.origin.site);
            let usual = template.kept_tokens() / f64::from(template.pages().max(1));
            entry.0.usual = Some(entry.0.usual.unwrap_or(0.0).max(usual));
            if let Some(doubt) = template.doubt() {
                let message = format!(
                    "layout {} is not applied, since {doubt}: learn from more pages, or look at its parts",
                    template.origin.layout
                );
                entry.0.warnings.push(message);
            }
        }
        TemplateCheck {
            store,
            found,
            measure: PageMeasure::new(),
            strays: Groups::default(),
            layouts: BTreeMap::new(),
        }
    }

    /// Adds a page.
    pub fn add(&mut self, sample: &Sample) {
        let url = sample.name();
        let best = self.store.best_for(url, sample);
        // A page that no template fits counts for the part whose template would be tried first.
        let first = || self.store.for_url(url).first().copied();
        let Some(template) = best.as_ref().map(|(template, _)| *template).or_else(first) else {
            return;
        };
        let site = &template.origin.site;
        let Some((_, fit)) = best else {
            let key = key::site_key(url).unwrap_or_default();
            let host = key::host_key(&key);
            let marks = self.measure.marks(sample);
            let page = Stray(url.to_owned());
            // Only learners close layouts, so `Joined::Closed` does not occur.
            if let Joined::Open(id) | Joined::New(id, _) = self.strays.add(host, Member { page, marks }) {
                let first = || (host.to_owned(), site.clone(), 0);
                self.layouts.entry(id).or_insert_with(first).2 += 1;
            }
            return;
        };
        let (health, lengths) = self.found.entry(site.clone()).or_default();
        health.pages += 1;
        health.fires += 1;
        // The field holds the sum until `judge` divides it.
        health.coverage = Some(health.coverage.unwrap_or(0.0) + fit.known);
        lengths.push(fit.kept_tokens);
    }

    /// The fit for each part of a site.
    pub fn finish(mut self) -> Vec<Health> {
        for (id, (host, site, pages)) in self.layouts {
            let health = &mut self.found.entry(site).or_default().0;
            // A layout is learnt from two pages that are not copies of each other. `Groups` has already left
            // out copies.
            match self.strays.pages(&host, id).len() < MIN_PAGES {
                true => health.alone += pages,
                false => health.pages += pages,
            }
        }
        self.found
            .into_values()
            .map(|(health, lengths)| judge(health, lengths, "learn anew"))
            .collect()
    }
}

/// Measures how the templates of a store fit pages.
///
/// # Errors
/// If an input is missing. An unusable record is not an error.
pub fn check(job: &Job<'_>, store: &Store, on_rejected: &mut dyn FnMut(&Rejected)) -> Result<Checked, Error> {
    let mut found = TemplateCheck::new(store);
    let read = each_page(job, WORK, &Sample::new, on_rejected, &mut |sample| {
        found.add(&sample);
        Ok(())
    })?;
    Ok(Checked {
        health: found.finish(),
        read,
    })
}

/// Computes median, mean and warnings. `remedy` is the advice for templates or rules that apply to few pages.
pub(super) fn judge(mut health: Health, mut lengths: Vec<u64>, remedy: &str) -> Health {
    lengths.sort_unstable();
    health.median = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
    health.coverage = health.coverage.map(|sum| sum / health.fires.max(1) as f64);
    let share = health.fires as f64 / health.pages.max(1) as f64;
    if health.pages == 0 && health.alone > 0 {
        let message = format!(
            "fires on none of {} pages, but each of them alone has its layout: look at more pages",
            health.alone
        );
        health.warnings.push(message);
    } else if health.pages == 0 {
        health
            .warnings
            .push("no page of this site was looked at".to_owned());
    } else if share < MIN_FIRES {
        let message = format!(
            "fires on {:.0} % of the pages: the layout has changed, {remedy}",
            100.0 * share
        );
        health.warnings.push(message);
    }
    if let Some(usual) = health.usual.filter(|_| health.fires > 0) {
        let change = health.median as f64 / usual.max(1.0);
        if !(1.0 / MAX_CHANGE..=MAX_CHANGE).contains(&change) {
            let message = format!(
                "keeps {} words of a page, {usual:.0} are usual: look at some pages",
                health.median
            );
            health.warnings.push(message);
        }
    }
    health
}
