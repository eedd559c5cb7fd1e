//! What an extractor holds: lists and tables that all of them share, and what each keeps from page to page. docs/speed.md has the figures,
//! which this test prints.

use dehusk_pipeline::extract::{Options, Page, PageExtractor};

#[global_allocator]
static ALLOCATOR: dehusk_heap::Counting = dehusk_heap::Counting;

/// A page of about `bytes` bytes: articles between navigation, as pages are.
fn page(bytes: usize) -> String {
    let mut html = "<title>Rivers</title><body>".to_owned();
    let mut number = 0;
    while html.len() < bytes {
        html += &format!(
            "<div class=\"menu item-{number}\"><a href=\"/a/{number}\">More</a></div>\
             <p>The river rose overnight by {number} inches, and the mill stood in the water until the evening.</p>\n"
        );
        number += 1;
    }
    html
}

#[test]
fn an_extractor_holds_little_and_all_share_the_tables() {
    let options = Options::default();
    let began = dehusk_heap::held();
    let mut extractor = PageExtractor::new(&options);
    extractor.extract(&Page::decoded(&page(1 << 10)));
    drop(extractor);
    let tables = dehusk_heap::held() - began;
    println!("tables on the heap: {tables} bytes");
    assert!(tables <= 2 << 20);

    for (bytes, most_kept, most_taken) in [
        (1 << 10, 128 << 10, 512 << 10),
        (150 << 10, 2 << 20, 4 << 20),
        (5 << 20, 32 << 20, 80 << 20),
    ] {
        let html = page(bytes);
        let mut extractor = PageExtractor::new(&options);
        let before = dehusk_heap::held();
        dehusk_heap::start_peak();
        extractor.extract(&Page::decoded(&html));
        let (kept, taken) = (dehusk_heap::held() - before, dehusk_heap::peak() - before);
        println!("a page of {bytes} bytes: {taken} bytes while it is worked on, {kept} kept for the next");
        assert!(kept <= most_kept && taken <= most_taken);
    }
}
