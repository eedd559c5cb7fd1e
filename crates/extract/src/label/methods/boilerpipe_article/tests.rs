use super::*;
use crate::{Options, Page, extract};

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
    let options = Options::default().with_extractor("boilerpipe-article").unwrap();
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
    let options = Options::default().with_extractor("boilerpipe-article").unwrap();
    let got = extract(&Page::decoded("<a href=/>One</a><p>two"), &options);
    assert_eq!(got.text, "");
    assert_eq!(got.warnings[0].kind, crate::WarningKind::NoMainText);
}

#[test]
fn phrases_are_found_in_any_case() {
    for list in [STARTS, CONTAINS, AFTER_NUMBER, &[CLOSED]] {
        for phrase in list {
            for text in [
                (*phrase).to_owned(),
                phrase.to_uppercase(),
                phrase.replace('k', "\u{212A}"),
            ] {
                let begins = if list == AFTER_NUMBER { "1" } else { "" };
                let text = format!("{begins}{text}");
                assert!(ends_article(&text.to_lowercase()), "{text}");
                assert!(may_end_article(&text), "{text}");
            }
        }
    }
}

/// Returns the parts of a title by every set of separators.
fn longest_parts(title: &str) -> Vec<String> {
    let parts = title::parts(title);
    let whole = parts.first().cloned().unwrap_or_default();
    let names_site = whole.contains(".com");
    let mut out = vec![whole.clone()];
    for separators in title::SEPARATORS {
        let part = title::longest(&whole, separators, |part| !names_site || !part.contains(".com"));
        out.extend(
            part.map(|part| part.trim().to_owned())
                .filter(|part| !part.is_empty()),
        );
    }
    let mut known = std::collections::HashSet::new();
    out.retain(|part| known.insert(part.clone()));
    out
}

proptest::proptest! {
    #[test]
    fn each_set_of_separators_gives_its_part(title in "[ab|»:(),. -]{1,24}|[ab |-]{1,12}") {
        let want = longest_parts(&title);
        let parts = title::parts(&title);
        proptest::prop_assert!(want[0].is_empty() || parts.starts_with(&want), "{:?} {:?}", parts, want);
    }
}
