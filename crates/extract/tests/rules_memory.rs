//! Selectors are matched against the tree of the page: a rule takes about the memory that the page takes without one.

#![allow(unsafe_code, reason = "a global allocator is unsafe to write")]
#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use dehusk_extract::rules::RuleSet;
use dehusk_extract::{Options, Overrides, Page, extract_with};

struct Counting;

static BYTES: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed on to the allocator of the system.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let bytes = BYTES.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(bytes, Ordering::Relaxed);
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes that are held while a page is extracted.
fn peak(html: &str, rules: Option<&RuleSet>) -> usize {
    let page = Page::decoded(html).with_url(Some("https://a.example/x"));
    let before = BYTES.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    drop(extract_with(
        &page,
        &Options::default(),
        &Overrides::default().with_rules(rules),
    ));
    PEAK.load(Ordering::Relaxed) - before
}

#[test]
fn rules_take_little_memory_beside_the_page() {
    // Elements of three bytes, each with a text of one.
    let html = "<p>y".repeat(25_000) + "<table><tr><td>x" + &"<p>x".repeat(25_000);
    for expression in [
        "{ css = \"div p, td > a[href]\" }",
        // More nodes than are copied for the evaluator.
        "{ xpath = \"//p | //td//a[@href]\" }",
    ] {
        let text = format!("format = 1\n[[rule]]\nhosts = [\"a.example\"]\nextract = [{expression}]\n");
        let rules = RuleSet::read([("a.toml", text.as_str())]).unwrap();
        // Models and word lists are read at the first page of all.
        peak("<p>x", Some(&rules));
        let [without, with] = [None, Some(&rules)].map(|rules| peak(&html, rules));
        assert!(
            with < without + without / 20,
            "{expression}: {without} bytes without the rule, {with} with it"
        );
    }
}
