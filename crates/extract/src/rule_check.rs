//! Checks rules against their examples.

use crate::analysis::blocks::words::collapsed;
use crate::analysis::metadata::date::day_of;
use crate::options::Options;
use crate::overrides::Overrides;
use crate::page::Page;
use crate::pipeline::extract_with;
use crate::rules::set::{Example, Rule, RuleSet};

impl RuleSet {
    /// Applies every rule to its examples and returns a message for each example that fails.
    pub fn check(&self, options: &Options) -> Vec<String> {
        let mut out = Vec::new();
        for rule in self.rules() {
            for example in rule.examples() {
                out.extend(check(self, rule, example, options));
            }
        }
        out
    }
}

/// Extracts the example as a page of its address; returns what differs first, or `None` if the result is as
/// expected.
fn check(set: &RuleSet, rule: &Rule, example: &Example, options: &Options) -> Option<String> {
    let told = |what: &str| {
        Some(format!(
            "{}: `{}`, example {}: {what}",
            rule.place(),
            rule.name(),
            example.url
        ))
    };
    // Places identify rules: names may occur twice.
    match set.find(&example.url) {
        Some(found) if found.place() == rule.place() => {}
        Some(other) => return told(&format!("the rule at {} comes before this one", other.place())),
        None => return told("the rule is not for this address"),
    }
    let page = Page::decoded(&example.html).with_url(Some(&example.url));
    let got = extract_with(&page, options, &Overrides::default().with_rules(Some(set)));
    // White space around lines and empty lines are not compared.
    let lines = |text: &str| -> Vec<String> {
        let lines = text.lines().map(collapsed);
        lines.filter(|l| !l.is_empty()).collect()
    };
    let (expected, found) = (lines(&example.text), lines(&got.text));
    if expected != found {
        let differs = expected.iter().zip(&found).position(|(a, b)| a != b);
        let at = differs.unwrap_or(expected.len().min(found.len()));
        let show = |lines: &[String]| {
            lines
                .get(at)
                .map_or("no more lines".to_owned(), |l| format!("\"{l}\""))
        };
        return told(&format!(
            "line {} is {}, expected {}",
            at + 1,
            show(&found),
            show(&expected)
        ));
    }
    // An example may leave out the time of its date.
    let date = got.metadata.date.as_ref().map(|found| match &example.date {
        Some(expected) if expected == day_of(found) => expected.clone(),
        _ => found.clone(),
    });
    for (name, expected, found) in [
        ("title", &example.title, &got.metadata.title),
        ("author", &example.author, &got.metadata.author),
        ("date", &example.date, &date),
    ] {
        if expected.is_some() && expected != found {
            return told(&format!("{name} is {found:?}, expected {expected:?}"));
        }
    }
    None
}
