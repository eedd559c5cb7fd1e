use super::*;
use crate::{Options, Page, WarningKind, extract};
use dehusk_html::Parser;

/// Creates a layout of `html` with these texts: element, elements before it, left, top, width, height, flags.
fn layout(html: &str, texts: &[[i64; 7]]) -> Layout {
    let (dom, _) = Parser::default().parse(html);
    let shape = TreeShape::of(&dom);
    let texts: Vec<[i64; 9]> = texts
        .iter()
        .map(|&[element, behind, x, y, w, h, flags]| [element, behind, x, y, w, h, 1 + h / 20, 0, flags])
        .collect();
    let style = serde_json::json!({
        "size": 16, "weight": 400, "family": "serif", "color": "black", "background": "", "align": "start"
    });
    serde_json::from_value(serde_json::json!({
        "version": 1, "id": "p", "source_hash": source_hash(html), "viewport": [1000, 800], "page": [1000, 2000],
        "elements": shape.elements, "tags_hash": shape.tags_hash, "styles": [style], "texts": texts, "boxes": [],
        "a field of a later version": true,
    }))
    .unwrap()
}

const HTML: &str = "<body><div>One <b>two</b> three<!-- --> four</div><p>five</p>";

#[test]
fn texts_find_their_blocks() {
    // Elements in order: html, head, body, div, b, p.
    let layout = layout(
        HTML,
        &[
            [3, 0, 10, 10, 30, 20, 0],
            [4, 0, 40, 10, 30, 20, 0],
            [3, 1, 70, 10, 40, 20, 0],
            [3, 1, 10, 30, 30, 20, 0],
            [5, 0, 0, 0, 0, 0, 1],
        ],
    );
    let (dom, _) = Parser::default().parse(HTML);
    let table = crate::analysis::blocks::table::BlockTable::fill(&dom);
    let joined = PageLayout::join(&layout, &dom, &table).unwrap();
    let [Some(first), Some(second)] = joined.blocks[..] else {
        panic!("{joined:?}");
    };
    assert_eq!((first.rect, first.drawn), (Rect::new(10, 10, 100, 40), true));
    assert!(!second.drawn);
}

#[test]
fn a_layout_of_another_page_is_told_and_not_used() {
    let warned = |layout: &Layout, html: &str| {
        let options = Options::default().with_extractor("visual").unwrap();
        let got = extract(&Page::decoded(html).with_layout(Some(layout)), &options);
        got.warnings
            .iter()
            .any(|warning| warning.kind == WarningKind::LayoutMismatch)
    };
    let good = layout(HTML, &[[3, 0, 10, 10, 900, 20, 0]]);
    assert!(!warned(&good, HTML));
    assert!(warned(&good, &HTML.replace("five", "six!")), "another text");
    let mut other = good.clone();
    other.tags_hash ^= 1;
    assert!(warned(&other, HTML), "other names");
    let mut other = good.clone();
    other.elements += 1;
    assert!(warned(&other, HTML), "another count");
    let mut other = good;
    other.version = 2;
    assert!(warned(&other, HTML), "a later version");
}

#[test]
fn a_page_that_scripts_built_is_the_one_that_is_extracted() {
    let built = "<body><p>The river rose overnight.";
    let mut layout = layout(built, &[[3, 0, 300, 10, 400, 20, 0]]);
    let empty = "<body><script>build()</script>";
    layout.source_hash = source_hash(empty);
    layout.html = Some(built.to_owned());
    let options = Options::default().with_extractor("visual").unwrap();
    let got = extract(&Page::decoded(empty).with_layout(Some(&layout)), &options);
    assert_eq!(got.text, "The river rose overnight.\n");
}

#[test]
fn numbers_out_of_bounds_do_no_harm() {
    let far = i64::from(i32::MAX);
    let mut layout = layout(
        HTML,
        &[
            [9999, 0, 0, 0, 1, 1, 0],
            [3, 0, -far, -far, far, far, 0],
            [5, 0, far, far, far, far, 2],
        ],
    );
    layout.texts[1].style = u32::MAX;
    layout.boxes = vec![serde_json::from_str("[4294967295,0,0,1,1,0]").unwrap()];
    layout.page = (0, 0);
    layout.viewport = (0, 0);
    let options = Options::default()
        .with_extractor("visual")
        .unwrap()
        .with_blocks(true);
    extract(&Page::decoded(HTML).with_layout(Some(&layout)), &options);
}

#[test]
fn without_a_layout_visual_abstains_and_says_what_it_needs() {
    let options = Options::default().with_extractor("visual").unwrap();
    let got = extract(&Page::decoded(HTML), &options);
    assert_eq!(got.text, "");
    assert!(
        got.warnings
            .iter()
            .any(|warning| warning.message.contains("dehusk render")),
        "{got:?}"
    );
}
