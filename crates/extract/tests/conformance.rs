//! What holds for every extractor, whatever the page.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use dehusk_extract::document::{Block, Document, Inline, Span};
use dehusk_extract::{Extracted, HtmlWarningKind, Limits, Options, Page, WarningKind, extract, label};
use dehusk_html::tree::Tag;
use proptest::prelude::*;

fn run(html: &str, method: &str) -> Extracted {
    let options = Options::default()
        .with_extractor(method)
        .unwrap()
        .with_markdown(true)
        .with_content(true)
        .with_blocks(true);
    extract(&Page::decoded(html), &options)
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .collect()
}

fn letters(text: &str) -> Vec<&str> {
    let pieces = text.split("").filter(|s| s.chars().all(char::is_alphanumeric));
    pieces.filter(|s| !s.is_empty()).collect()
}

/// The text with a space for each formula: these are written as TeX, whose words need not be on the page.
fn text_without_formulas(mut content: Document) -> String {
    fn blank(inlines: &mut [Inline]) {
        for inline in inlines {
            let Inline::Span(span) = inline else { continue };
            match &mut **span {
                Span::Formula(_) => *inline = Inline::Text(" ".to_owned()),
                Span::Marked { inlines, .. } | Span::Link { inlines, .. } => blank(inlines),
                _ => {}
            }
        }
    }
    fn blocks(parts: &mut Vec<Block>) {
        parts.retain(|block| !matches!(block, Block::Formula(_)));
        for part in parts {
            match part {
                Block::Paragraph { inlines, .. } | Block::Heading { inlines, .. } => blank(inlines),
                Block::List(list) => list.items.iter_mut().for_each(|item| blocks(&mut item.blocks)),
                Block::Definitions { items } => {
                    for item in items {
                        item.terms.iter_mut().for_each(|term| blank(term));
                        item.definitions.iter_mut().for_each(blocks);
                    }
                }
                Block::Table(table) => {
                    blank(&mut table.caption);
                    let cells = table.rows.iter_mut().flat_map(|row| &mut row.cells);
                    cells.for_each(|cell| blocks(&mut cell.blocks));
                }
                Block::Quote { blocks: inner } => blocks(inner),
                Block::Figure {
                    blocks: inner,
                    caption,
                } => {
                    blocks(inner);
                    blank(caption);
                }
                _ => {}
            }
        }
    }
    blocks(&mut content.blocks);
    content.notes.iter_mut().for_each(|note| blocks(&mut note.blocks));
    content.text()
}

/// Whether a page has elements that HTML does not know.
fn has_own_elements(html: &str) -> bool {
    let (dom, _) = dehusk_html::Parser::default().parse(html);
    let is_own = |tag: Tag| tag.index() >= Tag::ALL.len();
    dom.tree().ids().any(|id| dom.tag(id).is_some_and(is_own))
}

#[track_caller]
fn check_invariants(html: &str) {
    for method in label::ALL {
        let got = run(html, method.name());
        let page: Vec<String> = got
            .blocks
            .as_ref()
            .unwrap()
            .iter()
            .map(|b| b.text.clone())
            .collect();
        let page = page.join(" ");
        // A formula stands in its line as it does on the page, with no space of its own, and parts blocks nevertheless: in
        // pages that have one words may be joined, so that letters are compared. So does an element of the page's own kind.
        let pieces = if html.contains("<math") || has_own_elements(html) {
            letters
        } else {
            words
        };
        let mut rest = pieces(&page).into_iter();
        let content = got.content.clone().unwrap();
        assert_eq!(content.text(), got.text, "{}", method.name());
        let text = text_without_formulas(content);
        for word in pieces(&text) {
            assert!(
                rest.any(|w| w == word),
                "{}: {word:?} is not on the page, or out of order",
                method.name()
            );
        }
        assert!((0.0..=1.0).contains(&got.confidence), "{}", got.confidence);
        assert!(!got.text.contains('\0') && !got.markdown.as_ref().unwrap().contains('\0'));
        assert!(got.kept_chars <= got.all_chars);
        for block in got.blocks.unwrap() {
            if let Some(range) = block.range {
                assert!(html.get(range).is_some(), "offsets stand on characters");
            }
        }
    }
}

#[rustfmt::skip]
const SOUP: &[&str] = &[
    "<p>", "</p>", "<div class=comment>", "<div>", "</div>", "<a href=/x>", "</a>", "<b>", "</b>", "<table>", "<tr>", "<td>",
    "</table>", "<ul>", "<li>", "</ul>", "<pre>", "</pre>", "<br>", "<h1>", "</h1>", "<script>", "</script>", "<!--", "-->",
    "<svg>", "</svg>", "<template>", "</template>", "<select>", "<option>", "word ", "река вышла, ", "12 ", "&amp;", "&nbsp;",
    "&#0;", "\0", "\n", "<font color=red>", "</font>", "<span style='display:none'>", "</span>", "<title>", "</title>",
    "A longer sentence, with commas, that counts as a paragraph of its own, because it is long enough to do so. ",
    "<math>", "<mi>", "<blockquote>", "</blockquote>", "<ol start=7>", "<code>", "</code>", "<textarea>", "<p hidden>", "<",
    "<body class=x>", "<frameset>", "<noscript>", "<img alt=x>", "<input>", "<th colspan=9>", "中文字，", "<nav>", "</nav>",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_soup_keeps_the_invariants(parts in prop::collection::vec(prop::sample::select(SOUP), 0..60)) {
        check_invariants(&parts.concat());
    }

    #[test]
    fn any_text_keeps_the_invariants(html: String) {
        check_invariants(&html);
    }

    #[test]
    fn bytes_of_any_charset_give_the_result_of_their_text(
        parts in prop::collection::vec((prop::sample::select(SOUP), prop::collection::vec(0x20_u8.., 0..8)), 0..30),
        charset in prop::sample::select(&["utf-8", "koi8-r", "gbk", "utf-16le", "iso-2022-jp", "shift_jis"][..]),
    ) {
        let bytes: Vec<u8> = parts.into_iter().flat_map(|(text, raw)| [text.as_bytes(), &raw].concat()).collect();
        for charset in [None, Some(charset)] {
            let (options, page) = (Options::default().with_markdown(true), Page::new(&bytes).with_charset(charset));
            let text = page.text(&options);
            let (got, wanted) = (extract(&page, &options), extract(&Page::decoded(&text), &options));
            prop_assert_eq!((&got.text, &got.markdown), (&wanted.text, &wanted.markdown));
            prop_assert!(!got.text.contains('\0'));
        }
    }
}

#[test]
fn scripts_inside_formulas_are_not_text() {
    for html in [
        "<p><math><mi>word <script><p>",
        "<p><math><mi>word <style>b{}</style> x",
        "<p>a <math><mtext>b<svg><text>c",
    ] {
        check_invariants(html);
    }
}

#[test]
fn unknown_elements_do_not_part_words() {
    check_invariants("¼<a𪜀>0");
    assert_eq!(run("foot<x-b>note</x-b>s", "default").text, "footnotes\n");
}

#[test]
fn small_pages_are_defined() {
    for html in [
        "",
        " \n ",
        "x",
        "<p>",
        "<html>",
        "<!-- -->",
        "\u{FEFF}",
        "<title>T</title>",
        "&nbsp;",
        "<script>x</script>",
    ] {
        check_invariants(html);
    }
    assert_eq!(run("x", "default").text, "x\n");
    assert_eq!(run("", "default").warnings[0].kind, WarningKind::NoText);
}

/// Runs on a stack of 256 KiB: whatever recursed with the depth of the page would overflow it.
#[track_caller]
fn on_small_stack(html: String, check: fn(Extracted)) {
    let run = move || {
        for method in label::ALL {
            check(run(&html, method.name()));
        }
    };
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

const ARTICLE: &str =
    "The river rose overnight, after three days of rain, and flooded the meadows by the old mill. ";

#[test]
fn deep_pages_are_flattened_and_their_text_is_kept() {
    for open in [
        "<div>",
        "<ul><li>",
        "<b>",
        "<table><tr><td>",
        "<blockquote><p>",
        "<span class=x>",
        "<x-y>",
        "<a><div>",
    ] {
        let html = format!("{}<p>{}", open.repeat(30_000), ARTICLE.repeat(10));
        on_small_stack(html, |got| {
            if matches!(got.method, "all-text" | "readability") {
                assert!(got.text.contains("old mill"), "{}", got.method);
            }
        });
    }
    let html = format!("{}<p>{}", "<div>".repeat(100_000), ARTICLE.repeat(10));
    let got = run(&html, "default");
    assert!(got.text.contains("old mill"));
    assert!(
        got.warnings
            .iter()
            .any(|w| w.kind == WarningKind::Html(HtmlWarningKind::DepthLimit)),
        "{:?}",
        got.warnings
    );
}

#[test]
fn limits_are_told() {
    let html = format!("{}<p>{}", "<i>x</i>".repeat(3000), ARTICLE.repeat(10));
    let options = Options::default().with_limits(Limits::default().with_nodes(1000));
    let got = extract(&Page::decoded(&html), &options);
    assert!(
        got.warnings
            .iter()
            .any(|w| w.kind == WarningKind::Html(HtmlWarningKind::NodesLimit)),
        "{:?}",
        got.warnings
    );
    assert!(got.text.contains("old mill"), "text is kept past the limit");

    let fonts: String = (0..500).map(|i| format!("<font color={i}>x")).collect();
    let got = run(&format!("{fonts}<p>{}", ARTICLE.repeat(10)), "default");
    assert!(
        got.warnings
            .iter()
            .any(|w| w.kind == WarningKind::Html(HtmlWarningKind::FormattingLimit)),
        "{:?}",
        got.warnings
    );

    let attrs: String = (0..2000).map(|i| format!(" a{i}=x")).collect();
    let got = run(&format!("<p{attrs}>{}", ARTICLE.repeat(10)), "default");
    assert!(
        got.warnings
            .iter()
            .any(|w| w.kind == WarningKind::Html(HtmlWarningKind::AttributesLimit)),
        "{:?}",
        got.warnings
    );

    let got = run(
        &format!("<p title='{}'>{}", "x".repeat(100_000), ARTICLE.repeat(10)),
        "default",
    );
    assert!(
        got.warnings
            .iter()
            .any(|w| w.kind == WarningKind::Html(HtmlWarningKind::AttributeBytesLimit)),
        "{:?}",
        got.warnings
    );

    let got = extract(
        &Page::decoded(&html),
        &Options::default().with_limits(Limits::default().with_bytes(500)),
    );
    assert_eq!(
        got.warnings[0].kind,
        WarningKind::Html(HtmlWarningKind::BytesLimit)
    );

    let long = html.repeat(20);
    let limits = Limits::default().with_time(std::time::Duration::ZERO);
    let got = extract(&Page::decoded(&long), &Options::default().with_limits(limits));
    assert!(
        got.warnings
            .iter()
            .any(|w| w.kind == WarningKind::Html(HtmlWarningKind::Deadline)),
        "{:?}",
        got.warnings
    );
}
