//! What a [`PageExtractor`] saves: the second page of equal size allocates less than the first.

#![allow(unsafe_code, reason = "a global allocator is unsafe to write")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use dehusk_extract::{Options, Page, PageExtractor, extract};

struct Counting;

static BYTES: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed on to the allocator of the system.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn page(name: &str) -> String {
    let paragraph = |i| {
        format!(
            "<div class=text><p>On night {i} the {name} rose, and nobody in the town knew why it had.</p></div>"
        )
    };
    (100..180).map(paragraph).collect()
}

#[test]
fn the_second_page_allocates_less_and_reads_the_same() {
    let pages = [page("river"), page("water")];
    let options = Options::default();
    // Models and word lists are read at the first page of all.
    let alone = pages
        .each_ref()
        .map(|page| extract(&Page::decoded(page), &options).text);
    let mut extractor = PageExtractor::new(&options);
    let [first, second] = [0, 1].map(|i| {
        let before = BYTES.load(Ordering::Relaxed);
        let text = extractor.extract(&Page::decoded(&pages[i])).text;
        let bytes = BYTES.load(Ordering::Relaxed) - before;
        assert_eq!(text, alone[i]);
        bytes
    });
    assert!(3 * second < 2 * first, "{first} bytes, then {second}");
}
