//! A page with every form of its result: sound, bounded, inert, and the same again.

use dehusk_html::Limits;
use dehusk_pipeline::extract::{
    Extracted, Focus, Options, Page, PageExtractor, WarningKind, extract, is_article, label,
};
use dehusk_pipeline::record::{Content, PageRecord};
use dehusk_pipeline::verbs::explain::explain_page;

use crate::markup::assert_inert;
use crate::page::page;

/// What our own page of explanation consists of besides inert elements.
const OWN: &[&str] = &["style", "meta", "link", "input"];

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
    // Each takes as long as all before, so pages share them.
    match hash % 4 {
        0 => same_again(&page, &options, &got),
        1 => explained(&text, &options),
        _ => {}
    }
}

/// Decides what is done with a page, so that a page that is in a corpus keeps it.
fn hash(page: &[u8]) -> u64 {
    page.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Options of one of the extractors, with every form of the result.
fn options(hash: u64) -> Options {
    let bit = |n: u32| hash >> (32 + n) & 1 == 1;
    // Half of all pages go to the extractor that everybody uses.
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

/// Figures are in their ranges, texts are free of NUL, and positions lie in the page.
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

/// The letters of the text are letters of the page's blocks, in their order. Words are not compared, since text that stands in one line may
/// be of several blocks.
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
    // The list of blocks may be cut, and `markup` takes text from scripts of metadata.
    if cut || has_formula || got.method == "markup" {
        return;
    }
    let blocks = got.blocks.iter().flatten();
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

fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric())
}

/// No form is much longer than the page.
fn bounded(got: &Extracted, page: &str) {
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

/// The same page gives the same result, also to an extractor that has seen other pages.
fn same_again(page: &Page<'_>, options: &Options, got: &Extracted) {
    let mut extractor = PageExtractor::new(options);
    extractor.extract(&Page::decoded(
        "<title>T</title><table><tr><td>a<td>b</table><p>Another page, with words of its own.",
    ));
    let again = extractor.extract(page);
    let told = |extracted: &Extracted| serde_json::to_string(extracted).expect("a result can be written");
    assert!(told(got) == told(&again), "another result the second time");
}

/// The page that explains it runs nothing.
fn explained(text: &str, options: &Options) {
    let mut record = PageRecord::new(Content::Text(text.into()));
    record.id = Some("\u{1b}[31m<script>\n".into());
    record.url = Some("javascript:alert(1)".into());
    let html = explain_page(&record, options).expect("a page from memory");
    assert_inert(&html, OWN);
}
