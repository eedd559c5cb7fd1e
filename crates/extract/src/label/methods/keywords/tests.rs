use super::dictionary::{FILES, Match, fold};
use super::*;
use crate::{Extracted, Options, Page, extract};

fn run(page: &str) -> Extracted {
    let options = Options::default()
        .with_extractor("keywords")
        .unwrap()
        .with_blocks(true);
    extract(&Page::decoded(page), &options)
}

#[track_caller]
fn check(page: &str, want: &[(&str, bool, &str)]) {
    let got = run(page);
    let blocks = got.blocks.as_ref().unwrap().iter();
    let got: Vec<_> = blocks.map(|b| (b.text.as_str(), b.kept, b.reason)).collect();
    assert_eq!(got, want);
}

const LONG: &str = "The river rose overnight after three days of rain in the hills, and by the morning the water stood in the \
    lower streets of the town, where people carried furniture and books up the stairs to the first floors.";

#[test]
fn dictionaries_are_large_and_every_rule_has_an_example_that_it_decides() {
    for &(lang, file) in FILES {
        assert!(file.contains("Provenance: "));
        let dictionary = Dictionary::read(std::iter::once(file)).unwrap();
        assert!(
            dictionary.rules.len() >= 120,
            "{lang}: {}",
            dictionary.rules.len()
        );
        let mut folded = String::new();
        for rule in &dictionary.rules {
            if rule.kind != Match::Regex {
                fold(&rule.text, &mut folded);
                assert_eq!(rule.text, folded, "a rule is compared with folded text");
            }
            let words = rule.example.split_whitespace().count() as u32;
            let found = dictionary.find(&rule.example, words, &mut folded);
            let found = found.map(|rule| &*rule.text);
            assert_eq!(found, Some(&*rule.text), "{lang}: {}", rule.example);
        }
    }
    let stems: Vec<String> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/data/phrases"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(stems.len(), FILES.len());
    assert!(
        FILES
            .iter()
            .all(|(lang, _)| stems.iter().any(|stem| stem == lang))
    );
}

#[test]
fn running_text_is_left_alone() {
    let dictionary = Dictionary::bundled();
    let mut folded = String::new();
    for text in [
        "Share prices fell after the report.",
        "Share this with nobody, she said, and closed the door behind her.",
        "Comments on the draft were taken into account by the committee.",
        "Home is where the mill stands.",
        "Follow us, the ferryman called to the children on the other bank of the river.",
        "Previous attempts to cross had failed.",
        "Advertising paid for the new bridge.",
        "Read more books, the librarian told them.",
        "Print was his trade for forty years.",
        "Note how the water turns.",
        "Поделиться хлебом было не с кем.",
        "Комментарии к закону заняли три тома.",
        "Главная улица ведёт к реке.",
        "Реклама окупила новый мост.",
        "Подробнее об этом расскажет смотритель.",
        "Далее дорога идёт вдоль реки.",
        "Важно, что вода спала.",
        "Поиск пропавшей лодки занял неделю.",
    ] {
        let words = text.split_whitespace().count() as u32;
        let found = dictionary.find(text, words, &mut folded);
        assert!(found.is_none(), "{text}: {:?}", found.map(|rule| &rule.text));
    }
}

#[test]
fn phrases_drop_end_and_keep() {
    let page = format!(
        "<p>Comments (0)<p>{LONG}<p>Читайте также: мост через реку откроют в пятницу утром, в восемь часов, у пристани\
         <p>{LONG}<p>Note: <a href=/x>the gauge</a><p>Комментарии<p>{LONG}<p hidden>x"
    );
    check(
        &page,
        &[
            ("Comments (0)", false, r"end-phrase: ^comments? \(\d+\)?$"),
            (LONG, true, "many-words"),
            (
                "Читайте также: мост через реку откроют в пятницу утром, в восемь часов, у пристани",
                false,
                "boilerplate-phrase: читайте также",
            ),
            (LONG, true, "many-words"),
            ("Note: the gauge", true, "text-phrase: note:"),
            ("Комментарии", false, "end-phrase: комментарии"),
            (LONG, false, "after-end-phrase"),
            ("x", false, "hidden"),
        ],
    );
    assert_eq!(run("<p>Menu").text, "");
}

#[test]
fn rules_match_on_borders_of_words() {
    let file = "equals\t15\tdrop\tads\tx\n\
        starts\t15\tdrop\ttags:\tx\n\
        contains\t3\tdrop\tnews\tx\n\
        contains\t15\tdrop-rest\t©\tx\n\
        regex\t15\tkeep\t^\\d+ more$\tx\n";
    let dictionary = Dictionary::read(std::iter::once(file)).unwrap();
    let mut folded = String::new();
    let mut find = |text: &str| {
        let words = text.split_whitespace().count() as u32;
        dictionary
            .find(text, words, &mut folded)
            .map(|rule| rule.text.clone())
    };
    for (text, rule) in [
        ("» ADS «", Some("ads")),
        ("ads here", None),
        ("loads", None),
        ("— Tags: rivers", Some("tags:")),
        ("My tags: rivers", None),
        ("the news today", Some("news")),
        ("all the news today", None),
        ("newspapers", None),
        ("(c) or ©2024", Some("©")),
        ("7 more…", Some(r"^\d+ more$")),
        ("7 more news", Some("news")),
    ] {
        assert_eq!(find(text).as_deref(), rule, "{text}");
    }
    assert_eq!(find(&"ads ".repeat(2000)), None);
}

#[test]
fn bad_dictionaries_are_refused_with_the_rule() {
    for (rule, error) in [
        ("equals\t15\tdrop\tx", "line 2: 4 fields, not 5"),
        (
            "equals\t15\tdrop\tx\t",
            "line 2: a rule without a text or an example",
        ),
        (
            "like\t15\tdrop\tx\tx",
            "line 2: unknown match `like` of the rule `x`",
        ),
        (
            "equals\t15\tcut\tx\tx",
            "line 2: unknown action `cut` of the rule `x`",
        ),
        (
            "equals\t-1\tdrop\tx\tx",
            "line 2: the most words of the rule `x` are no number",
        ),
    ] {
        let file = format!("# Phrases.\n{rule}\n");
        assert_eq!(Dictionary::read(std::iter::once(&*file)).unwrap_err(), error);
    }
    let open = "regex\t15\tdrop\t(\tx";
    assert!(Dictionary::read(std::iter::once(open)).is_err());
}
