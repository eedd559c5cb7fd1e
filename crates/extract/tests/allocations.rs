//! What a [`PageExtractor`] saves: the second page of equal size allocates less than the first.

use dehusk_extract::{Options, Page, PageExtractor, extract};

#[global_allocator]
static ALLOCATOR: dehusk_heap::Counting = dehusk_heap::Counting;

fn page(name: &str) -> String {
    let paragraph = |i| {
        format!(
            "<div class=text><p>On night {i} the {name} rose, and nobody in the town knew why it had.</p></div>"
        )
    };
    (100..180).map(paragraph).collect()
}

/// Most allocations for a page of 80 paragraphs by an extractor that has seen such a page. It makes 497. A paragraph of the document takes two. Short lines near the
/// headline that have a digit take most of the others, at most 85 lines a page: the words of each are cut to look for dates, once for the date and once for the writer.
const MOST: usize = 515;

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
        let before = dehusk_heap::allocated();
        let count = dehusk_heap::allocations();
        let text = extractor.extract(&Page::decoded(&pages[i])).text;
        let bytes = dehusk_heap::allocated() - before;
        let count = dehusk_heap::allocations() - count;
        assert!(i == 0 || count <= MOST, "{count} allocations");
        assert_eq!(text, alone[i]);
        bytes
    });
    assert!(3 * second < 2 * first, "{first} bytes, then {second}");
}
