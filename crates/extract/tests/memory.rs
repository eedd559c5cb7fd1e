//! The most memory that a page takes: for all forms of the output, and with rules, which take little more.

#![allow(unsafe_code, reason = "a global allocator is unsafe to write")]
#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
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

    // Long buffers grow in place or move page by page: old and new are not held at once.
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let before = BYTES.fetch_add(size, Ordering::Relaxed);
        PEAK.fetch_max(before + size - layout.size(), Ordering::Relaxed);
        BYTES.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Held while one test counts.
static TURN: Mutex<()> = Mutex::new(());

/// The most bytes that are held while a page is extracted.
fn peak(html: &str, options: &Options, rules: Option<&RuleSet>) -> usize {
    let page = Page::decoded(html).with_url(Some("https://a.example/x"));
    let before = BYTES.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let overrides = Overrides::default().with_rules(rules);
    drop(extract_with(&page, options, &overrides));
    PEAK.load(Ordering::Relaxed) - before
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
    assert!(taken < 125 * html.len(), "{taken} bytes for {}", html.len());
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
