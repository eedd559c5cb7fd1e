//! Whether templates and rules still fit the pages of their sites.

use std::collections::BTreeMap;

use dehusk_extract::site::Sample;

use crate::error::Error;
use crate::job::Job;
use crate::record::Rejected;
use crate::site::Store;
use crate::verbs::site::pages::{self, each_page};

/// Least share of the pages of a site on which a template must fire.
const MIN_FIRES: f64 = 0.8;
/// Largest factor by which the usual length of main text may change.
const MAX_CHANGE: f64 = 3.0;

/// How well a rule, or the templates of one part of a site, fit pages.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Health {
    /// Key of the part of the site the templates were learnt for; of a rule its name and where it stands.
    pub site: String,
    /// Pages of it.
    pub pages: u64,
    /// Pages on which a template fired or the rule gave text.
    pub fires: u64,
    /// Mean share of a page's words that the template knows, over pages on which one fired; rules have none.
    pub coverage: Option<f64>,
    /// Median words that are kept of a page.
    pub median: u64,
    /// Mean words a template kept of a page when it was learnt, or those that a rule calls usual.
    pub usual: Option<f64>,
    /// Problems a person should look at; empty if there are none.
    pub warnings: Vec<String>,
}

/// How templates or rules fit pages.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Checked {
    /// A row for each part of a site, or for each rule.
    pub health: Vec<Health>,
    /// Records read, rejected ones among them.
    pub read: u64,
}

/// Name of the work on pages.
const WORK: &str = "site check";

/// Works on pages that the program [`check`] runs in hands to this process, see [`Job::launch`]: `job` is the same.
///
/// # Errors
/// If that program is gone.
pub fn serve_check(job: &Job<'_>) -> Result<(), Error> {
    pages::serve(job, WORK, &Sample::new)
}

/// How the templates of a store fit pages, page by page.
pub struct TemplateCheck<'s> {
    store: &'s Store,
    found: BTreeMap<String, (Health, Vec<u64>)>,
}

impl<'s> TemplateCheck<'s> {
    /// A check that has seen no page.
    pub fn new(store: &'s Store) -> Self {
        let mut found: BTreeMap<String, (Health, Vec<u64>)> = BTreeMap::new();
        for template in store.iter() {
            let entry = found.entry(template.origin.site.clone()).or_default();
            entry.0.site.clone_from(&template.origin.site);
            let usual = template.kept_tokens() / f64::from(template.pages().max(1));
            entry.0.usual = Some(entry.0.usual.unwrap_or(0.0).max(usual));
        }
        TemplateCheck { store, found }
    }

    /// Looks at a page.
    pub fn add(&mut self, sample: &Sample) {
        let url = sample.name();
        let best = self.store.best_for(url, sample);
        let first = || self.store.for_url(url).first().copied();
        let Some(template) = best.as_ref().map(|(template, _)| *template).or_else(first) else {
            return;
        };
        let (health, lengths) = self.found.entry(template.origin.site.clone()).or_default();
        health.pages += 1;
        if let Some((_, fit)) = best {
            health.fires += 1;
            health.coverage = Some(health.coverage.unwrap_or(0.0) + fit.known);
            lengths.push(fit.kept_tokens);
        }
    }

    /// What it came to, for each part of a site.
    pub fn finish(self) -> Vec<Health> {
        self.found
            .into_values()
            .map(|(health, lengths)| judge(health, lengths, "learn anew"))
            .collect()
    }
}

/// Tells how the templates of a store fit pages.
///
/// # Errors
/// If an input is missing; a bad record is no error.
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

/// Adds median, mean and warnings. `remedy` is advice for what fires on few pages.
pub(super) fn judge(mut health: Health, mut lengths: Vec<u64>, remedy: &str) -> Health {
    lengths.sort_unstable();
    health.median = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
    health.coverage = health.coverage.map(|sum| sum / health.fires.max(1) as f64);
    let share = health.fires as f64 / health.pages.max(1) as f64;
    if health.pages == 0 {
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
