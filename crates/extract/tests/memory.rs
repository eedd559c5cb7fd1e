//! The most memory that a page takes: for all forms of the output, and with rules, which take little more.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::sync::Mutex;

use dehusk_extract::rules::RuleSet;
use dehusk_extract::{Options, Overrides, Page, extract_with};

#[global_allocator]
static ALLOCATOR: dehusk_heap::Counting = dehusk_heap::Counting;

/// Held while one test counts.
static TURN: Mutex<()> = Mutex::new(());

/// The most bytes that are held while a page is extracted.
fn peak(html: &str, options: &Options, rules: Option<&RuleSet>) -> usize {
    let page = Page::decoded(html).with_url(Some("https://a.example/x"));
    let before = dehusk_heap::held();
    dehusk_heap::start_peak();
    let overrides = Overrides::default().with_rules(rules);
    drop(extract_with(&page, options, &overrides));
    dehusk_heap::peak() - before
}

/// A page of elements of three bytes, each with a text of one: few pages have more nodes for a byte.
fn short_paragraphs(bytes: usize) -> String {
    let half = |paragraph: &str| paragraph.repeat(bytes / 8);
    half("<p>y") + "<table><tr><td>x" + &half("<p>x")
}

#[test]
fn all_forms_keep_to_their_bound() {
    let _turn = TURN.lock();
    let options = Options::default()
        .with_markdown(true)
        .with_links(true)
        .with_images(true)
        .with_html(true)
        .with_content(true)
        .with_tables(true)
        .with_blocks(true)
        .with_comments(true);
    // Models and word lists are read at the first page of all.
    peak("<p>x", &options, None);
    let html = short_paragraphs(1_000_000);
    // `cargo xtask bench --products` asks for 40 bytes and 64 MB of memory that is touched. Here all counts that is reserved.
    let taken = peak(&html, &options, None);
    assert!(taken < 140 * html.len(), "{taken} bytes for {}", html.len());
}

#[test]
fn rules_take_little_memory_beside_the_page() {
    let _turn = TURN.lock();
    let (html, options) = (short_paragraphs(200_000), Options::default());
    for expression in [
        "{ css = \"div p, td > a[href]\" }",
        // More nodes than are copied for the evaluator.
        "{ xpath = \"//p | //td//a[@href]\" }",
    ] {
        let text = format!("format = 1\n[[rule]]\nhosts = [\"a.example\"]\nextract = [{expression}]\n");
        let rules = RuleSet::read([("a.toml", text.as_str())]).unwrap();
        peak("<p>x", &options, Some(&rules));
        let [without, with] = [None, Some(&rules)].map(|rules| peak(&html, &options, rules));
        assert!(
            with < without + without / 20,
            "{expression}: {without} bytes without the rule, {with} with it"
        );
    }
}
