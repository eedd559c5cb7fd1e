//! Whether templates still fit the pages of their sites.

use std::collections::BTreeMap;

use extract::site::Sample;

use super::Store;
use super::learn::each_sample;
use crate::Job;
use crate::error::Error;
use crate::record::Rejected;

/// Share of the pages of a site on which a template must fire, and the factor by which the usual length of main text may
/// change.
const LEAST_FIRES: f64 = 0.8;
const MOST_CHANGE: f64 = 3.0;

/// How the templates of one part of a site do.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Health {
    /// Key of the part of the site the templates were learnt for.
    pub site: String,
    /// Pages of it.
    pub pages: u64,
    /// Pages on which a template fired.
    pub fires: u64,
    /// Mean share of a page's words that the template knows, over pages on which one fired.
    pub coverage: f64,
    /// Median words that the template keeps of a page.
    pub median: u64,
    /// Mean words it kept of a page when it was learnt.
    pub learnt: f64,
    /// What a person should look at; empty if all is well.
    pub warnings: Vec<String>,
}

/// Looks how the templates of a store fit pages.
///
/// # Errors
/// If an input is missing; a bad record is no error.
pub fn check(job: &Job<'_>, store: &Store, told: &mut dyn FnMut(&Rejected)) -> Result<Vec<Health>, Error> {
    let mut found: BTreeMap<String, (Health, Vec<u64>)> = BTreeMap::new();
    for template in store.iter() {
        let entry = found.entry(template.about.site.clone()).or_default();
        entry.0.site.clone_from(&template.about.site);
        entry.0.learnt = entry
            .0
            .learnt
            .max(template.kept_tokens() / f64::from(template.pages().max(1)));
    }
    each_sample(job, told, &mut |url, sample: Sample| {
        let Some(url) = url else { return };
        let Some(site) = store.of(&url).first().map(|t| t.about.site.clone()) else {
            return;
        };
        let (health, lengths) = found.entry(site).or_default();
        health.pages += 1;
        if let (Some((_, fit)), _) = store.best(&url, &sample) {
            health.fires += 1;
            health.coverage += fit.known;
            lengths.push(fit.kept_tokens);
        }
    })?;
    Ok(found
        .into_values()
        .map(|(health, lengths)| judge(health, lengths))
        .collect())
}

fn judge(mut health: Health, mut lengths: Vec<u64>) -> Health {
    lengths.sort_unstable();
    health.median = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
    health.coverage /= health.fires.max(1) as f64;
    let share = health.fires as f64 / health.pages.max(1) as f64;
    if health.pages == 0 {
        health
            .warnings
            .push("no page of this site was looked at".to_owned());
    } else if share < LEAST_FIRES {
        let message = format!(
            "fires on {:.0} % of the pages: the layout has changed, learn anew",
            100.0 * share
        );
        health.warnings.push(message);
    }
    let change = health.median as f64 / health.learnt.max(1.0);
    if health.fires > 0 && !(1.0 / MOST_CHANGE..=MOST_CHANGE).contains(&change) {
        let message = format!(
            "keeps {} words of a page, {:.0} when it was learnt: look at some pages",
            health.median, health.learnt
        );
        health.warnings.push(message);
    }
    health
}
