use std::path::Path;

use dehusk_extract::{Options, Page};

use super::{article, learnt, pages};
use crate::site::usage::SiteTally;
use crate::site::{RuleSet, SiteCounts, Store, read_all, rules};

#[test]
fn a_store_needs_no_folder() {
    let dir = tempfile::tempdir().expect("a folder");
    learnt(dir.path(), "a.jsonl", &pages("news/", 1..7, article));
    let templates = read_all(&dir.path().join("templates")).expect("templates");
    let text = "format = 1\n[[rule]]\nhosts = [\"example.org\"]\npaths = [\"/by-hand/*\"]\nextract = [{ css = \".story p\" }]\n";
    let rules = RuleSet::read([("rules.toml", text)]).expect("rules");
    let store = Store::from_parts(templates, Some(rules));
    let options = Options::default();
    let mut tally = SiteTally::default();
    let mut method = |url: &str, html: &str| {
        let page = Page::decoded(html).with_url(Some(url));
        let (extracted, done) = store.extract_noting(&page, &options, None);
        tally.count(done.unwrap());
        extracted.method
    };
    assert_eq!(method("https://example.org/news/a", &article(30)), "site");
    assert_eq!(method("https://example.org/by-hand/a", &article(31)), "rules");
    assert_eq!(method("https://other.example/a", &article(32)), "default");
    let counts = store.counts(&tally);
    assert_eq!(
        (counts.fired, counts.ruled, counts.without),
        (Some(1), Some(1), Some(1))
    );
    assert_eq!(
        Store::default().counts(&SiteTally::default()),
        SiteCounts::default()
    );
}

/// The rules of the project are stored outside of this crate.
#[test]
fn examples_of_the_projects_rules_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules/sites");
    let rules = rules(&folder).expect("rules");
    assert!(rules.rules().iter().all(|rule| !rule.examples().is_empty()));
    let failures = rules.check(&Options::default());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
