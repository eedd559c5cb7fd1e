//! Checks whether manual rules still fit the pages of their sites.

use std::collections::BTreeMap;

use dehusk_extract::rules::{self, RuleSet};
use dehusk_extract::{Options, Overrides, Page, extract_with};

use crate::error::Error;
use crate::job::Job;
use crate::record::Rejected;
use crate::verbs::site::check::{Checked, Health, judge};
use crate::verbs::site::pages::{self, each_page};

/// Name of this work of page processes.
const WORK: &str = "site check rules";

/// Whether `work`, the name of the work of a page process, is to check rules.
pub fn is_check_rules(work: &str) -> bool {
    work == WORK
}

/// Address of a page, and the number of words that a rule gives; `None` if no rule gives text.
type Found = (Option<String>, Option<u64>);

/// Returns a function that applies rules to a page.
fn words_by(rules: &RuleSet) -> impl Fn(&Page<'_>, &Options) -> Found + Sync {
    |page, options| {
        let got = extract_with(page, options, &Overrides::default().with_rules(Some(rules)));
        let words = (got.method == rules::NAME).then(|| rules::words(&got.text));
        // If the record has no address, the address that the page itself names counts.
        let given = page.url().map(str::to_owned);
        (given.or(got.found_address.map(|found| found.url)), words)
    }
}

/// Processes pages for a parent that runs [`check_rules`], see [`Job::launch`]. `job` must equal that of the parent.
///
/// # Errors
/// If the parent has ended.
pub fn serve_check_rules(job: &Job<'_>, rules: &RuleSet) -> Result<(), Error> {
    pages::serve(job, WORK, &words_by(rules))
}

/// Measures page by page how rules fit. A page counts for the first rule for its address that extracts main
/// text.
pub struct RuleCheck<'r> {
    rules: &'r RuleSet,
    found: BTreeMap<&'r str, (Health, Vec<u64>)>,
}

impl<'r> RuleCheck<'r> {
    /// A check without pages.
    pub fn new(rules: &'r RuleSet) -> Self {
        let mut found: BTreeMap<&str, (Health, Vec<u64>)> = BTreeMap::new();
        for rule in rules.rules().iter().filter(|rule| rule.extracts()) {
            let health = Health {
                site: format!("{} ({})", rule.name(), rule.place()),
                usual: rule.usual_words().map(f64::from),
                ..Health::default()
            };
            found.insert(rule.place(), (health, Vec::new()));
        }
        RuleCheck { rules, found }
    }

    /// Adds a page with this address. `words` is the number of words that a rule gave; `None` if no rule gave text.
    pub fn add(&mut self, url: Option<&str>, words: Option<u64>) {
        let fitting = url.map(|url| self.rules.find_all(url)).unwrap_or_default();
        let rule = fitting.into_iter().find(|rule| rule.extracts());
        if let Some((health, lengths)) = rule.and_then(|rule| self.found.get_mut(rule.place())) {
            health.pages += 1;
            health.fires += u64::from(words.is_some());
            lengths.extend(words);
        }
    }

    /// The fit of each rule, in the order of the files.
    pub fn finish(mut self) -> Vec<Health> {
        // In the order of the files; `found` is ordered by position as text.
        let places = self.rules.rules().iter().map(|rule| rule.place());
        places
            .filter_map(|place| self.found.remove(place))
            .map(|(health, lengths)| judge(health, lengths, "mend the rule"))
            .collect()
    }
}

/// Measures how rules fit pages.
///
/// # Errors
/// If an input is missing. An unusable record is not an error.
pub fn check_rules(
    job: &Job<'_>,
    rules: &RuleSet,
    on_rejected: &mut dyn FnMut(&Rejected),
) -> Result<Checked, Error> {
    let (mut found, words) = (RuleCheck::new(rules), words_by(rules));
    let read = each_page(job, WORK, &words, on_rejected, &mut |(url, words): Found| {
        found.add(url.as_deref(), words);
        Ok(())
    })?;
    Ok(Checked {
        health: found.finish(),
        read,
    })
}
