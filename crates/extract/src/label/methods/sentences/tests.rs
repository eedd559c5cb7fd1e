use super::*;
use crate::{Extracted, Options, Page, extract};

fn run(page: &str, rules: SentenceRules) -> Extracted {
    let options = Options::default()
        .with_own_extractor(std::sync::Arc::new(Sentences(rules)))
        .with_blocks(true);
    extract(&Page::decoded(page), &options)
}

#[track_caller]
fn check(page: &str, want: &[&str]) {
    let got = run(page, SentenceRules::default());
    let kept: Vec<&str> = got
        .blocks
        .as_ref()
        .unwrap()
        .iter()
        .filter(|b| b.kept)
        .map(|b| b.text.as_str())
        .collect();
    assert_eq!(kept, want);
}

const RIVER: &str = "The river rose overnight after three days of rain in the hills, and by the morning the water stood in the \
    lower streets of the town, where people carried furniture and books up the stairs to the first floors.";
const MILL: &str = "At the mill they had moved the flour to the loft in time, and so there will be bread.";

#[test]
fn text_stays_with_what_stands_among_it() {
    check(
        &format!(
            "<ul><li><a href=/>Home</a><li><a href=/n>News</a></ul><h2>The flood</h2><p>{RIVER}<p>Half a street.<p>{MILL}\
             <p hidden>{RIVER}<p>{RIVER}<p>Boots Coats Hats Gloves Scarves Umbrellas Torches Batteries Candles Matches\
             <p>© {RIVER}<button>{RIVER}</button>"
        ),
        &["The flood", RIVER, "Half a street.", MILL, RIVER],
    );
}

#[test]
fn two_line_breaks_part_paragraphs_and_one_does_not() {
    let page = |gap: &str| format!("<div>{RIVER}{gap}Gloves<p>Hats</div>");
    check(&page("<br>"), &[RIVER, "Gloves"]);
    check(&page("<br> <span></span>\n<br>"), &[RIVER]);
    check(&page("<small>"), &[RIVER, "Gloves"]);
}

#[test]
fn languages_are_declared_or_detected_and_need_a_list() {
    let russian = "Ночью река вышла из берегов и затопила все луга, которые лежат за старой мельницей, а вода все ещё не \
        спадает, и люди ждут её на верхних этажах, куда они перенесли мебель, книги и всё, что было внизу. К утру по \
        улицам можно было проплыть на лодке, и по ним плыли те, кто вёз другим хлеб.";
    let german = "In der Nacht trat der Fluss über die Ufer, und am Morgen stand das Wasser in den unteren Straßen der Stadt, \
        wo die Leute ihre Möbel und Bücher die Treppen hinauf in den ersten Stock trugen, denn dort war es noch trocken.";
    let chinese = "昨天晚上河水已经涨到了桥上，但是我们这里的人都还没有离开自己的家。他们说，如果水再涨，就要把所有的东西搬到楼上去，因为去年也是这样的，那个时候很多人没有准备。";
    for (lang, text) in [
        ("", russian),
        ("ru", russian),
        ("en", russian),
        ("de", german),
        ("en", german),
        ("zh-CN", chinese),
    ] {
        check(&format!("<html lang='{lang}'><p>Menu<p>{text}"), &[text]);
    }
    let welsh = "Cododd yr afon dros nos ar ôl tri diwrnod o law yn y bryniau, ac erbyn y bore roedd y dŵr yn strydoedd isaf y dref, \
        lle roedd pobl yn cario dodrefn a llyfrau i fyny'r grisiau i'r lloriau cyntaf.";
    let got = run(&format!("<html lang=cy><p>{welsh}"), SentenceRules::default());
    assert_eq!(got.text, "");
    assert!(
        got.warnings[0]
            .message
            .ends_with("there is no stop list for `cy`"),
        "{:?}",
        got.warnings
    );
    assert_eq!(got.blocks.unwrap()[0].reason, "no-stop-list");
    let got = run("<p>x", SentenceRules::default());
    assert!(
        got.warnings[0]
            .message
            .ends_with("the language of the text is not known")
    );
}

#[test]
fn thresholds_are_used() {
    let strict = SentenceRules {
        stopwords_low: 0.7,
        stopwords_high: 0.8,
        ..SentenceRules::default()
    };
    assert_eq!(run(&format!("<html lang=en><p>{RIVER}"), strict).text, "");
    let lax = SentenceRules {
        length_low: 10,
        length_high: 20,
        stopwords_low: 0.2,
        ..SentenceRules::default()
    };
    assert_eq!(
        run("<html lang=en><p>It is the end of the road.", lax).text,
        "It is the end of the road.\n"
    );
}
