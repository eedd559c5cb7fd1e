use std::fmt::Write as _;

use super::buffers::CandidateBuffers;
use super::reference;
use crate::analyze::analyze_page;
use crate::label::model::page_table::PageTable;
use crate::training::page_lines;
use crate::{Options, Page};

/// Returns the text of the lines that the candidate keeps.
fn kept(html: &str) -> Vec<String> {
    let lines = page_lines(html, None);
    let column = lines
        .features
        .names
        .iter()
        .position(|name| name == "candidate-keeps")
        .unwrap();
    let rows = lines.features.rows.chunks(lines.features.width());
    let kept = rows.zip(lines.texts).filter(|(row, _)| row[column] > 0.5);
    kept.map(|(_, text)| text.chars().take(12).collect()).collect()
}

#[test]
fn paragraphs_choose_the_element_they_stand_in() {
    let long =
        "The river rose overnight, and by morning the meadows, the mill and the road were under water. "
            .repeat(4);
    let page = format!(
        "<body><div class=menu><a href=/>Home of the long, long river</a></div><div class=text><h2>Flood</h2><p>1 {long}<p>2 {long}\
         <div class=share><a href=/>Share this with all of your friends</a></div></div>\
         <div class=sidebar><p>Latest news of the town, all the day, every day, for free</div></body>"
    );
    assert_eq!(kept(&page), ["Flood", "1 The river ", "2 The river "]);
}

#[test]
fn unlikely_names_have_a_second_chance() {
    let page =
        "<body><div class=community><p>The river rose overnight, and by morning all was under water.</div>";
    assert_eq!(kept(page), ["The river ro"]);
    assert_eq!(kept("<p>x"), ["x"]);
}

/// Builds a page of elements that open and close, with names of all kinds and texts of all lengths.
fn page(parts: &[(u8, u8, u8)]) -> String {
    let tags = [
        "div",
        "p",
        "section",
        "ul",
        "li",
        "table",
        "td",
        "th",
        "h2",
        "h1",
        "aside",
        "form",
        "pre",
        "code",
        "a",
        "blockquote",
    ];
    let names = [
        "",
        "",
        "",
        "content",
        "sidebar",
        "comment",
        "community main",
        "share",
        "footer",
        "x",
    ];
    let mut out = String::new();
    for &(kind, name, size) in parts {
        let tag = tags[usize::from(kind) % tags.len()];
        let name = names[usize::from(name) % names.len()];
        let _ = match kind % 5 {
            4 => write!(out, "</{tag}>"),
            _ => write!(out, "<{tag} class='{name}'>"),
        };
        let words = usize::from(size % 16).pow(2);
        out.push_str(&"The river, it rose. ".repeat(words / 4));
    }
    out
}

proptest::proptest! {
    #[test]
    fn one_way_and_the_other_agree(
        pages in proptest::collection::vec(proptest::collection::vec(proptest::prelude::any::<(u8, u8, u8)>(), 0..60), 1..4)
    ) {
        // The memory of one page is reused for the next.
        let mut buffers = CandidateBuffers::default();
        for parts in pages {
            let html = page(&parts);
            analyze_page(&Page::decoded(&html), &Options::default(), |view, _, _| {
                let Some(page) = PageTable::new(view) else { return };
                let want = reference::kept(view, &page);
                assert_eq!(buffers.find(view, &page), want, "{html}");
            });
        }
    }
}
