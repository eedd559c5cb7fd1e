//! Extraction of a page, with every form of the result: the result is sound, bounded in size, free of
//! active content, and repeatable.

use dehusk_html::Limits;
use dehusk_pipeline::extract::{
    Extracted, Focus, Options, Page, PageExtractor, WarningKind, extract, is_article, label,
};
use dehusk_pipeline::record::{Content, PageRecord};
use dehusk_pipeline::verbs::explain::explain_page;

use crate::markup::assert_inert;
use crate::page::page;

/// Active elements that the program's own report of a page contains.
const OWN: &[&str] = &["style", "meta", "link", "input"];

/// Checks the extraction of the page of the input, with options that its hash chooses.
pub(super) fn check(input: &[u8]) {
    let page = page(input);
    let hash = hash(&page);
    let options = options(hash);
    let page = Page::new(&page).with_url(Some("http://a.example/2024/05/01/x.html?a=b#c"));
    let got = extract(&page, &options);
    let text = page.text(&options);
    sound(&got, &text);
    letters_are_of_the_page(&got);
    bounded(&got, &text);
    assert_inert(got.html.as_deref().unwrap_or_default(), &[]);
    is_article(&page, &options);
    // Each of these checks takes as long as all checks above, so each is made for a quarter of the pages.
    match hash % 4 {
        0 => same_again(&page, &options, &got),
        1 => explained(&text, &options),
        _ => {}
    }
}

/// Returns a hash that chooses the checks and options of a page, so that a page in the corpus always gets
/// the same.
fn hash(page: &[u8]) -> u64 {
    page.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Returns the options that the hash chooses: an extractor, and every form of the result.
fn options(hash: u64) -> Options {
    // Bits from 32 on. The lowest two choose the checks, and the highest sixteen the extractor.
    let bit = |n: u32| hash >> (32 + n) & 1 == 1;
    // Half of all pages use the default extractor, which matters most.
    // A number beyond the table means the default.
    let method = (hash >> 48) as usize % (2 * label::ALL.len());
    let method = label::ALL.get(method).map_or("default", |method| method.name());
    let focus = [Focus::Balanced, Focus::Precision, Focus::Recall][(hash >> 44) as usize % 3];
    let limits = match bit(5) {
        true => Limits::default().with_depth(16).with_nodes(500),
        false => Limits::default(),
    };
    Options::default()
        .with_extractor(method)
        .expect("a name of the table")
        .with_limits(limits)
        .with_focus(focus)
        .with_fast(bit(0))
        // Two bits each, so that tables and comments are left out in a quarter of the cases only.
        .without_tables(bit(1) && bit(2))
        .without_comments(bit(3) && bit(4))
        .with_markdown(true)
        .with_links(true)
        .with_images(true)
        .with_html(true)
        .with_content(true)
        .with_tables(true)
        .with_comments(true)
        .with_blocks(true)
        .with_visible_nodes(true)
}

/// Panics if a figure is out of its range, if a text contains NUL, or if a position is outside of the page.
fn sound(got: &Extracted, page: &str) {
    assert!((0.0..=1.0).contains(&got.confidence), "{}", got.confidence);
    assert!(got.kept_chars <= got.all_chars);
    let forms = [Some(&got.text), got.markdown.as_ref(), got.html.as_ref()];
    for form in forms.into_iter().flatten() {
        assert!(!form.contains('\0'), "NUL in {form:?}");
    }
    for (number, block) in got.blocks.iter().flatten().enumerate() {
        assert_eq!(block.i, number);
        assert!(
            block.scores.iter().all(|(_, score)| score.is_finite()),
            "{:?}",
            block.scores
        );
        if let Some(range) = &block.range {
            assert!(page.get(range.clone()).is_some(), "{range:?} of {}", page.len());
        }
    }
}

/// Panics if the letters of the text are not letters of the page's blocks in the same order. Words are not
/// compared, because words of several blocks may be adjacent in a line of the text.
fn letters_are_of_the_page(got: &Extracted) {
    let cut = got
        .warnings
        .iter()
        .any(|warning| warning.kind == WarningKind::OutputLimit);
    // Formulas are written as TeX, whose letters need not be on the page.
    let has_formula = got.content.as_ref().is_some_and(|content| {
        let json = serde_json::to_string(content).expect("a document can be written");
        json.contains("\"tex\":")
    });
    // The list of blocks may have been cut, and `markup` takes text from metadata in scripts.
    if cut || has_formula || got.method == "markup" {
        return;
    }
    let blocks = got.blocks.iter().flatten();
    // A subsequence check in one walk: `rest` never goes back.
    let mut rest = blocks.flat_map(|block| letters(&block.text));
    for letter in letters(&got.text) {
        assert!(
            rest.any(|other| other == letter),
            "`{letter}` is not on the page, or out of order ({}): {}",
            got.method,
            got.text
        );
    }
}

/// Returns the letters and digits of a text.
fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric())
}

/// Panics if a form of the result is much longer than the page.
fn bounded(got: &Extracted, page: &str) {
    // Output may be longer than the page through markup and escapes, but only by a constant factor.
    let most = 4 * page.len() + (1 << 20);
    let json = |value: serde_json::Result<Vec<u8>>| value.expect("a result can be written").len();
    let forms = [
        ("text", got.text.len()),
        ("markdown", got.markdown.as_ref().map_or(0, String::len)),
        ("html", got.html.as_ref().map_or(0, String::len)),
        ("content", json(serde_json::to_vec(&got.content))),
        ("tables", json(serde_json::to_vec(&got.tables))),
        ("comments", json(serde_json::to_vec(&got.comments))),
        ("blocks", json(serde_json::to_vec(&got.blocks))),
        ("metadata", json(serde_json::to_vec(&got.metadata))),
    ];
    for (form, length) in forms {
        assert!(
            length <= most,
            "{form}: {length} bytes of a page of {}",
            page.len()
        );
    }
}

/// Panics if a second extraction gives another result. The second extractor has extracted another page before.
fn same_again(page: &Page<'_>, options: &Options, got: &Extracted) {
    let mut extractor = PageExtractor::new(options);
    extractor.extract(&Page::decoded(
        "<title>T</title><table><tr><td>a<td>b</table><p>Another page, with words of its own.",
    ));
    let again = extractor.extract(page);
    let told = |extracted: &Extracted| serde_json::to_string(extracted).expect("a result can be written");
    assert!(told(got) == told(&again), "another result the second time");
}

/// Panics if the report of the page contains active content.
fn explained(text: &str, options: &Options) {
    // Id and address come from the crawl, so they may be hostile too.
    let mut record = PageRecord::new(Content::Text(text.into()));
    record.id = Some("\u{1b}[31m<script>\n".into());
    record.url = Some("javascript:alert(1)".into());
    let html = explain_page(&record, options).expect("a page from memory");
    assert_inert(&html, OWN);
}
