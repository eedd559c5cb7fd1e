//! Warm buffers: after a few times over the same documents, nothing is allocated.
//!
//! The one exception is the Greek capital sigma, whose lower case the standard library decides.

#![allow(unsafe_code, reason = "counting allocations takes a global allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use dehusk_normalize::{Normalizer, Numbers, Profile, Splitter, Stemmer, StopWords, near_tokens, words};

struct Counting;

thread_local! {
    // Const-initialized and without a destructor, so that reading it never allocates.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system allocator with the arguments it came with; counting touches nothing but
// a thread-local number.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`, which is that of the system allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `System` through `alloc` or `realloc`, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: `pointer` came from `System` with this layout, and the caller keeps the contract on `size`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const DOCUMENTS: &[&str] = &[
    "Near-duplicates are found by the shingles they share; Mr. Smith's 1,234 pages had 12.5% of them!",
    "А. С. Пушкин родился в 1799 г. в Москве. Ёлки, №5 и «дубликаты» — всё это Mосква, pаypal.",
    "Аксоло\u{301}тль пере-\nнос ко\u{AD}рова ２０１６ ﬁle x² a&nbsp;b &amp;lt; R&D 12.10.2016: 63,15 руб.",
    "東京タワーは1958年に完成した。「高いね」と彼は言った。カ\u{3099}",
    "Ünïcödé naïve café straße İstanbul — ภาษาไทย हिन्दी עברית العربية 한국어",
    "",
];

/// Allocations of the last of several equal rounds: passes write two buffers in turn, and both must have grown.
fn last_round(mut round: impl FnMut()) -> usize {
    for _ in 0..3 {
        round();
    }
    let before = COUNT.get();
    round();
    COUNT.get() - before
}

#[test]
fn the_count_is_real() {
    assert!(last_round(|| drop(String::from("allocated"))) > 0);
}

#[test]
fn normalizing_allocates_nothing_once_warm() {
    let masked = Profile::near().with_numbers(Numbers::Mask);
    for profile in [
        Profile::near(),
        Profile::canonical(),
        Profile::exact(),
        Profile::spaceless(),
        masked,
    ] {
        let mut normalizer = Normalizer::new(profile);
        let mut mapped = 0;
        let allocations = last_round(|| {
            for document in DOCUMENTS {
                normalizer.normalize_text(document);
                let normal = normalizer.normalize(document);
                for token in near_tokens(normal.text()) {
                    mapped += normal.source(token).len();
                }
            }
        });
        assert!(mapped > 0);
        assert_eq!(allocations, 0, "{:?}", normalizer.profile());
    }
}

#[test]
fn tokens_sentences_stems_and_stop_words_allocate_nothing_once_warm() {
    let splitter = Splitter::new();
    let mut stemmer = Stemmer::by_script();
    let stop_words = StopWords::for_language("ru").unwrap();
    let mut stems = 0;
    let allocations = last_round(|| {
        for document in DOCUMENTS {
            for token in words(document) {
                stems += stemmer.stem(&document[token.clone()]).len();
                stems += usize::from(stop_words.contains(&document[token]));
            }
            stems += splitter.sentences(document).count();
        }
    });
    assert!(stems > 0);
    assert_eq!(allocations, 0);
}
