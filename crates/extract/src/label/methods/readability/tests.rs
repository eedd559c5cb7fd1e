use serde_json::Value;

use super::clean::TableShape;
use super::names::Names;
use super::score::paragraph_score;
use super::text_stat::TextStat;
use super::*;
use crate::analysis::blocks::table::BlockTable;
use crate::{Options, Page, extract};
use dehusk_html::Parser;
use dehusk_html::budget::Budget;
use dehusk_html::limits::Limits;

fn example(name: &str) -> Value {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/worked-examples.json");
    let all: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    all["examples"]
        .as_array()
        .unwrap()
        .iter()
        .find(|e| e["name"] == name)
        .unwrap()
        .clone()
}

fn pairs(example: &Value) -> impl Iterator<Item = (&Value, &Value)> {
    let (input, expected) = (
        example["input"].as_array().unwrap(),
        example["expected"].as_array().unwrap(),
    );
    assert_eq!(input.len(), expected.len());
    input.iter().zip(expected)
}

fn with_view(html: &str, check: impl FnOnce(&PageView<'_>)) {
    let limits = Limits::default();
    let budget = Budget::start(&limits, html.len());
    let (dom, _) = Parser::default().parse(html);
    let table = BlockTable::fill(&dom);
    check(&PageView {
        layout: None,
        dom: &dom,
        table: &table,
        title: None,
        metadata: &crate::analysis::metadata::Metadata::default(),
        url: None,
        url_source: None,
        focus: crate::Focus::Balanced,
        fast: false,
        limits,
        budget: &budget,
        scratch: &crate::label::scratch::Scratch::default(),
    });
}

#[test]
fn class_weights_as_in_the_worked_example() {
    let example = example("readability_class_weight");
    for (input, want) in pairs(&example) {
        let (class, id) = (input["class"].as_str().unwrap(), input["id"].as_str().unwrap());
        with_view(&format!("<div class='{class}' id='{id}'>x</div>"), |view| {
            let div = view.dom.find(NodeId::DOCUMENT, Tag::DIV).unwrap();
            assert_eq!(
                Names::of(view.dom, div).unwrap_or_default().weight(),
                want.as_f64().unwrap(),
                "{class} {id}"
            );
        });
    }
}

#[test]
fn unlikely_names_as_in_the_worked_example() {
    let example = example("readability_unlikely");
    for (input, want) in pairs(&example) {
        with_view(
            &format!("<div class='{}'>x</div>", input.as_str().unwrap()),
            |view| {
                let div = view.dom.find(NodeId::DOCUMENT, Tag::DIV).unwrap();
                assert_eq!(
                    Names::of(view.dom, div).unwrap_or_default().unlikely(),
                    want.as_bool().unwrap(),
                    "{input}"
                );
            },
        );
    }
}

#[test]
fn a_lone_hid_is_negative_and_a_longer_word_is_not() {
    with_view(
        "<div class='x hid'></div><p class='hide'></p><i class='hidden'></i>",
        |view| {
            let weight = |tag| {
                Names::of(view.dom, view.dom.find(NodeId::DOCUMENT, tag).unwrap())
                    .unwrap_or_default()
                    .weight()
            };
            assert_eq!(
                (weight(Tag::DIV), weight(Tag::P), weight(Tag::I)),
                (-25.0, 0.0, -25.0)
            );
        },
    );
}

#[test]
fn paragraph_scores_as_in_the_worked_example() {
    let example = example("readability_paragraph_score");
    for (i, text) in example["input"].as_array().unwrap().iter().enumerate() {
        let stat = TextStat::of(text.as_str().unwrap());
        assert_eq!(
            u64::from(stat.chars),
            example["expected"]["len"][i].as_u64().unwrap()
        );
        assert_eq!(paragraph_score(stat), example["expected"]["score"][i].as_f64());
    }
}

#[test]
fn scores_as_in_the_worked_example() {
    let example = example("readability_scores");
    with_view(example["input"].as_str().unwrap(), |view| {
        let page = PageContext::new(view);
        let flags = Flags {
            strip_unlikely: false,
            weight_classes: true,
            clean_conditionally: false,
        };
        let attempt = Attempt::new(&page, flags);
        let paragraphs: Vec<NodeId> = view
            .dom
            .preorder(NodeId::DOCUMENT)
            .filter(|&id| view.dom.html_tag(id) == Some(Tag::P))
            .collect();
        let scores = attempt.score(&paragraphs);
        for want in example["expected"]["nodes"].as_array().unwrap() {
            let name = want["node"].as_str().unwrap();
            let matches = |id: &NodeId| {
                let class = view.dom.attr(*id, "class").map(|c| format!("div.{c}"));
                let by_id = view.dom.attr(*id, "id").map(|c| format!("div#{c}"));
                class.or(by_id).unwrap_or(view.dom.name(*id).to_owned()) == name
            };
            let id = *scores.candidates.iter().find(|&id| matches(id)).unwrap();
            let density = scores.stats.get(id).link_density();
            assert!(
                (density - want["link_density"].as_f64().unwrap()).abs() < 1e-6,
                "{name}: {density}"
            );
            let score = scores.get(id).unwrap();
            assert!(
                (score - want["final"].as_f64().unwrap()).abs() < 1e-4,
                "{name}: {score}"
            );
        }
    });
}

#[test]
fn data_tables_as_in_the_worked_example() {
    let example = example("readability_data_table");
    for (input, want) in pairs(&example) {
        let number = |name: &str| input[name].as_u64().unwrap() as u32;
        let header = input["header"].as_bool().unwrap_or(false);
        let shape = TableShape {
            header,
            rows: number("rows"),
            columns: number("cols"),
            ..TableShape::default()
        };
        if input["role"].is_null() {
            assert_eq!(shape.holds_data(), want.as_bool().unwrap(), "{input}");
        }
        let row = format!("<tr>{}</tr>", "<td>1</td>".repeat(number("cols") as usize));
        let html = format!(
            "<table {}>{}{}</table>",
            input["role"]
                .as_str()
                .map_or(String::new(), |r| format!("role={r}")),
            if header { "<thead></thead>" } else { "" },
            row.repeat(number("rows") as usize)
        );
        with_view(&html, |view| {
            let page = PageContext::new(view);
            let flags = Flags {
                strip_unlikely: false,
                weight_classes: false,
                clean_conditionally: false,
            };
            let attempt = Attempt::new(&page, flags);
            let table = view.dom.find(NodeId::DOCUMENT, Tag::TABLE).unwrap();
            assert_eq!(
                attempt.data_tables(NodeId::DOCUMENT)[table.index()],
                want.as_bool().unwrap(),
                "{html}"
            );
        });
    }
}

#[test]
fn precheck_as_in_the_worked_example() {
    let example = example("readerable_precheck");
    for (lengths, want) in pairs(&example) {
        let lengths = lengths
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_u64().unwrap() as u32);
        assert_eq!(precheck::is_enough(lengths), want.as_bool().unwrap());
    }
}

#[test]
fn precheck_counts_visible_likely_paragraphs() {
    let text = "Rivers rise. ".repeat(60);
    let article = |html: String| crate::is_article(&Page::decoded(&html), &Options::default());
    assert!(article(format!("<p>{text}</p>")));
    assert!(article(format!("<div>{text}<br>{text}</div>")));
    assert!(!article(format!("<p hidden>{text}</p>")));
    assert!(!article(format!("<p class=sidebar>{text}</p>")));
    assert!(!article(format!("<ul><li><p>{text}</p></ul>")));
}

#[test]
fn lengths_of_parts_join_to_the_length_of_the_whole() {
    for (a, b) in [
        ("a ", " b"),
        ("", "b"),
        ("  ", "b "),
        ("a", "b"),
        ("a ", ""),
        (" ", "  "),
        ("a, ", "b，c"),
    ] {
        assert_eq!(
            TextStat::of(a).then(TextStat::of(b)),
            TextStat::of(&format!("{a}{b}")),
            "{a:?} {b:?}"
        );
    }
}

proptest::proptest! {
    #[test]
    fn lengths_join_for_any_texts(a in "[a ,\n]{0,6}", b in "[a ,\n]{0,6}", c in "[a ,\n]{0,6}") {
        let whole = TextStat::of(&format!("{a}{b}{c}"));
        assert_eq!(TextStat::of(&a).then(TextStat::of(&b).then(TextStat::of(&c))), whole);
        assert_eq!(TextStat::of(&a).then(TextStat::of(&b)).then(TextStat::of(&c)), whole);
    }
}

#[track_caller]
fn check(body: &str, kept: &[&str], dropped: &[&str]) {
    let page = format!("<title>Flood in the lower town</title><body>{body}");
    let options = Options::default().with_extractor("readability").unwrap();
    let text = extract(&Page::decoded(&page), &options).text;
    for part in kept {
        assert!(text.contains(part), "{part:?} is missing in {text:?}");
    }
    for part in dropped {
        assert!(!text.contains(part), "{part:?} is left in {text:?}");
    }
}

const LONG: &str = "The river rose overnight, after three days of rain in the hills, and by the morning the water stood in \
    the lower streets of the town, where people carried furniture, books and stoves up to the first floors. ";

#[test]
fn the_densest_part_wins_and_the_boilerplate_goes() {
    let body = format!(
        "<div class=menu><a href=/>Home page</a></div><div id=wrap><div class=post><h1>Flood in the lower town</h1>\
         <p>{LONG}<p>{LONG}<p>{LONG}<div class=share-bar><a href=/f>Send to friends</a></div></div>\
         <div class=sidebar><p>{LONG} Side.</p></div></div><div class=footer>All rights</div>"
    );
    check(
        &body,
        &["The river rose"],
        &["Home page", "Send to friends", "Side.", "All rights", "Flood in"],
    );
}

#[test]
fn runs_of_br_become_paragraphs_and_bare_divs_too() {
    let body = format!(
        "<div class=x>{LONG}<br><br>{LONG} Second.<br> <br>{LONG} Third.</div><div><a href=/>Links</a></div>"
    );
    check(&body, &["The river rose", "Second.", "Third."], &["Links"]);
}

#[test]
fn short_pages_get_further_attempts() {
    // The whole text is in an element named like a comment, so the first attempts find nothing.
    let body = format!("<div class=comment><p>{LONG}<p>{LONG}<p>{LONG}</div>");
    check(&body, &["The river rose"], &[]);
    let options = Options::default().with_extractor("readability").unwrap();
    let got = extract(&Page::decoded("<p>Short but here."), &options);
    assert_eq!(got.text, "Short but here.\n");
}

#[test]
fn bylines_go_only_once_and_only_when_short() {
    let body = format!(
        "<div><p class=byline>By the editors<p>{LONG}<p>{LONG}<p class=byline>{LONG} Kept.<p>{LONG}</div>"
    );
    check(&body, &["Kept."], &["By the editors"]);
}

#[test]
fn hidden_and_modal_elements_go() {
    let body = format!(
        "<div><p>{LONG}<p>{LONG}<p>{LONG}<p style='display:none'>{LONG} None.<div role=dialog aria-modal=true><p>{LONG} \
         Modal.</div></div>"
    );
    check(&body, &["The river rose"], &["None.", "Modal."]);
}
