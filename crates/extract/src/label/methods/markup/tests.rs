use super::*;
use crate::warning::WarningKind;
use crate::{Extracted, Limits, Options, Page, extract};
use dehusk_html::Parser;
use dehusk_html::budget::Budget;

fn run(page: &str) -> Extracted {
    let options = Options::default()
        .with_extractor("markup")
        .unwrap()
        .with_blocks(true);
    extract(&Page::decoded(page), &options)
}

fn reasons(got: &Extracted) -> Vec<&'static str> {
    got.blocks.as_ref().unwrap().iter().map(|b| b.reason).collect()
}

const LONG: &str = "The river rose overnight after three days of rain in the hills, and by the morning the water stood in the \
    lower streets of the town, where people carried furniture and books up the stairs to the first floors.";
const MORE: &str = "By noon the wind had turned and the water fell a little, so that the ferry could cross again, first empty, \
    then with the mail and at last with the children from the school on the island, who had slept on the benches.";

/// Builds a page whose JSON-LD is `object` and whose body is `body`.
fn page(object: &serde_json::Value, body: &str) -> String {
    format!("<script type=application/ld+json>{object}</script><body>{body}")
}

fn news(body: &str) -> serde_json::Value {
    serde_json::json!({"@context": "https://schema.org", "@type": "NewsArticle", "articleBody": body})
}

#[test]
fn sources_are_trusted_in_the_order_of_the_worked_example() {
    let example = crate::label::tests::worked_example("structured_data_body");
    let html = example["input"].as_str().unwrap();
    let limits = Limits::default();
    let budget = Budget::start(&limits, html.len());
    let (dom, _) = Parser::default().parse(html);
    let table = crate::analysis::blocks::table::BlockTable::fill(&dom);
    let unknown = crate::analyze::Known::at(None).page;
    let wanted = crate::analysis::metadata::Wanted::default();
    let (metadata, _) =
        crate::analysis::metadata::read(&dom, &table, unknown, wanted, &budget, &mut Vec::new());
    let view = PageView {
        layout: None,
        dom: &dom,
        table: &table,
        title: None,
        metadata: &metadata,
        url: None,
        url_source: None,
        focus: crate::Focus::Balanced,
        fast: false,
        limits,
        budget: &budget,
        scratch: &crate::label::scratch::Scratch::default(),
    };
    let want = &example["expected"];
    let mut bodies = bodies(&view);
    let first = bodies.next().unwrap();
    assert_eq!(want["source"], "json-ld");
    assert_eq!(first.body.as_deref(), want["body"].as_str());
    assert_eq!(bodies.next().unwrap().verdicts[0].reason, "in-article-element");
    drop(bodies);
    let short = Markup.label(&view);
    assert_eq!(
        short.abstained.as_deref(),
        Some("what is marked up as body has 27 characters, 200 are needed")
    );
    assert_eq!(short.kept_chars(&table), 0);
}

#[test]
fn blocks_answer_for_a_body_that_the_page_shows() {
    let body = format!(
        "<p>Home page of this site<div><p>{LONG}<p>Advertisement<p>{MORE}</div><p>All rights reserved"
    );
    let got = run(&page(&news(&format!("{LONG}\n{MORE}")), &body));
    assert_eq!(got.text, format!("{LONG}\n\n{MORE}\n"));
    let (kept, dropped) = ("in-json-ld-body", "outside-json-ld-body");
    assert_eq!(reasons(&got), [dropped, kept, dropped, kept, dropped]);
}

#[test]
fn scripts_are_a_source_of_their_own() {
    let html = format!("<p>{LONG}</p><ul><li>{MORE}</ul>Fish &amp; chips");
    for raw in [format!("{LONG}\n\n{MORE}\r\nFish &amp; chips"), html] {
        let got = run(&page(&news(&raw), "<nav>Home</nav><div id=root></div>"));
        assert_eq!(got.text, format!("{LONG}\n\n{MORE}\n\nFish & chips\n"));
        assert_eq!(
            (got.kept_chars, got.all_chars),
            (got.all_chars - 4, got.all_chars)
        );
        assert_eq!(got.metadata.language.as_deref(), Some("en"));
        assert!(got.warnings.is_empty(), "{:?}", got.warnings);
    }
    // The page shows the first of two paragraphs: the text of the script is returned for both.
    let got = run(&page(
        &news(&format!("{LONG}\n{MORE}")),
        &format!("<p>{LONG}<p>Read more"),
    ));
    assert_eq!(got.text, format!("{LONG}\n\n{MORE}\n"));
    assert_eq!(reasons(&got), ["part-of-json-ld-body", "outside-json-ld-body"]);
}

#[test]
fn bodies_are_found_wherever_they_stand() {
    let article = news(&format!("{LONG}\n{MORE}"));
    let mut bare = article.clone();
    bare.as_object_mut().unwrap().remove("@context");
    let typed = |kind: serde_json::Value| {
        let mut article = article.clone();
        article["@type"] = kind;
        article
    };
    for object in [
        serde_json::json!([{"@type": "Person"}, article]),
        serde_json::json!({"@context": {"@vocab": "http://schema.org/"}, "@graph": [{"@type": "WebPage"}, bare]}),
        serde_json::json!({"@context": "https://schema.org", "@type": "WebPage", "hasPart": {"about": [bare]}}),
        typed(serde_json::json!(["Thing", "BlogPosting"])),
        typed(serde_json::json!("http://schema.org/Article")),
    ] {
        assert_eq!(
            run(&page(&object, "")).text,
            format!("{LONG}\n\n{MORE}\n"),
            "{object}"
        );
    }
    for object in [
        typed(serde_json::json!("Recipe")),
        typed(serde_json::json!("DiscussionForumPosting")),
        serde_json::json!({"@context": "https://example.org", "@type": "Article", "articleBody": LONG}),
        serde_json::json!({"@graph": [news(LONG), news(MORE)]}),
    ] {
        assert_eq!(run(&page(&object, "<p>x")).text, "", "{object}");
    }
    let broken = format!(
        "<script type=application/ld+json>{{\"articleBody\": </script>{}",
        page(&article, "")
    );
    let got = run(&broken);
    assert!(got.text.starts_with(LONG));
    assert_eq!(got.warnings[0].kind, WarningKind::BrokenJson);
}

#[test]
fn attributes_and_elements_point_out_bodies() {
    let boilerplate = "<p>Menu of the page";
    for (body, reason) in [
        (
            "<div itemscope itemtype='http://schema.org/NewsArticle'>MENU<div itemprop='text articleBody'>BODY</div></div>",
            "in-microdata-body",
        ),
        (
            "<div property='schema:articleBody'>BODY</div>MENU",
            "in-rdfa-body",
        ),
        ("<article>BODY</article>MENU", "in-article-element"),
        (
            "<article>MENU</article><article>BODY</article>",
            "in-article-element",
        ),
        ("<main>BODY</main>MENU", "in-main-element"),
        ("<div role=main>BODY</div><main>MENU</main>", "in-main-element"),
    ] {
        let html = body.replace("MENU", boilerplate).replace(
            "BODY",
            &format!("<p>{LONG}<p hidden>Unseen<nav>Part 1</nav><p>{MORE}"),
        );
        let got = run(&html);
        assert_eq!(got.text, format!("{LONG}\n\n{MORE}\n"), "{html}");
        assert!(reasons(&got).contains(&reason), "{:?}", reasons(&got));
    }
    for body in [
        // Outside a scope, in a scope of another type, in a list of teasers.
        format!("<p itemprop=articleBody>{LONG}"),
        format!("<div itemscope itemtype=http://schema.org/Product><p itemprop=articleBody>{LONG}</div>"),
        format!("<article><p>{LONG}</article><article><p>{MORE}</article><article><p>{LONG}</article>"),
        format!("<p>{LONG}"),
    ] {
        let got = run(&body);
        assert_eq!(got.text, "");
        assert_eq!(got.warnings[0].kind, WarningKind::NoMainText);
        assert!(
            got.warnings[0]
                .message
                .ends_with("nothing on the page is marked up as its body"),
            "{}",
            got.warnings[0]
        );
    }
}

#[test]
fn teasers_are_not_taken_for_the_body() {
    let text = format!("<p>{MORE}").repeat(5);
    let got = run(&format!("<article><p>{LONG}</article><div>{text}</div>"));
    assert_eq!(got.text, "");
    assert!(
        got.warnings[0].message.contains("are needed"),
        "{}",
        got.warnings[0]
    );
    let got = run(&format!("<article><p>{LONG}</article><main>{text}</main>"));
    assert!(!got.text.contains("overnight") && got.text.contains("By noon"));
}
