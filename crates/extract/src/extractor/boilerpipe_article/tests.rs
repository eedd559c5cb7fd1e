use super::*;
use crate::{Options, Page, extract};

#[test]
fn decision_tree_as_in_the_worked_example() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/worked-examples.json");
    let all: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let example = all["examples"]
        .as_array()
        .unwrap()
        .iter()
        .find(|e| e["name"] == "boilerpipe_rules")
        .unwrap();
    let blocks: Vec<(u32, f64)> = example["input"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| {
            (
                b["num_words"].as_u64().unwrap() as u32,
                b["link_density"].as_f64().unwrap(),
            )
        })
        .collect();
    let at = |i: Option<usize>| i.and_then(|i| blocks.get(i).copied()).unwrap_or((0, 0.0));
    for (i, want) in example["expected"]["num_words_rules"]
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
    {
        let got = is_content(at(i.checked_sub(1)), blocks[i], at(Some(i + 1)));
        assert_eq!(got, want.as_bool().unwrap(), "block {i}");
    }
}

#[test]
fn parts_of_a_title_are_recognized() {
    let parts = title::parts("The river rose overnight | News of the Valley");
    assert!(title::matches(&parts, "The River rose overnight"));
    assert!(title::matches(&parts, "The river rose overnight."));
    assert!(!title::matches(&parts, "The river"));
    assert!(title::parts("  ").is_empty());
}

#[track_caller]
fn check(body: &str, kept: &[&str], dropped: &[&str]) {
    let page = format!("<title>Flood</title><body>{body}");
    let options = Options::default().with_method("boilerpipe-article").unwrap();
    let text = extract(&Page::decoded(&page), &options).text;
    for part in kept {
        assert!(text.contains(part), "{part:?} is missing in {text:?}");
    }
    for part in dropped {
        assert!(!text.contains(part), "{part:?} is left in {text:?}");
    }
}

const LONG: &str = "The river rose overnight after three days of rain in the hills, and by the morning the water stood in the \
    lower streets of the town, where people carried furniture and books up the stairs to the first floors. ";

#[test]
fn menus_go_and_articles_stay() {
    let body = format!(
        "<ul><li><a href=/>Home page of us</a><li><a href=/a>About all of us</a></ul><div><p>{LONG}<p>{LONG}</div>\
         <div class=f><a href=/t>Terms and conditions</a></div>"
    );
    check(&body, &["The river rose"], &["Home page", "Terms"]);
}

#[test]
fn nothing_stays_behind_the_end_of_an_article() {
    for end in [
        "12 comments on this",
        "Комментарии читателей",
        "Оставить комментарий ниже",
    ] {
        let body = format!("<p>{LONG}<p>{LONG}<h3>{end}</h3><p>Opinion. {LONG}");
        check(&body, &["The river rose"], &["Opinion."]);
    }
}

#[test]
fn no_content_is_told() {
    let options = Options::default().with_method("boilerpipe-article").unwrap();
    let got = extract(&Page::decoded("<a href=/>One</a><p>two"), &options);
    assert_eq!(got.text, "");
    assert_eq!(got.warnings[0].code, crate::Code::NoMainText);
}
