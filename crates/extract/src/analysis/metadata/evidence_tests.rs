//! Tests of decisions that weigh several parts of a page: titles by address and headline, writers by place and phrase, dates by the
//! words before them, names of sites by host, kinds by what a page is made of.

use super::tests::TEXT;
use super::*;
use crate::{Options, Page, extract};

fn read_at(url: &str, html: &str) -> Metadata {
    let page = Page::decoded(html).with_url(Some(url));
    extract(&page, &Options::default()).metadata
}

#[test]
fn words_of_the_address_decide_between_unrelated_titles() {
    let html = format!(
        "<meta property=og:title content='The heart of the valley'><h1>Why do mills stand still?</h1>{TEXT}"
    );
    for (url, want) in [
        (
            "https://valley.example/why-do-mills-stand-still/77",
            "Why do mills stand still?",
        ),
        (
            "https://valley.example/the-heart-of-the-valley",
            "The heart of the valley",
        ),
        ("https://valley.example/77", "The heart of the valley"),
    ] {
        assert_eq!(read_at(url, &html).title.as_deref(), Some(want), "{url}");
    }
}

#[test]
fn titles_are_whole() {
    for (title, body, want) in [
        // The head cuts the title.
        (
            "How to dress the stone of...",
            "<h1>How to dress the stone of a mill</h1>",
            "How to dress the stone of a mill",
        ),
        // The title of the head ends before the element.
        (
            "Dressing stones | Valley",
            "<h1>Dressing stones <div>What every miller has to know of his stones</div></h1>",
            "Dressing stones",
        ),
        // Words of a title are not a title.
        (
            "All rivers of the valley",
            "<h2>rivers of the valley</h2>",
            "All rivers of the valley",
        ),
        (
            "Rivers of the valley: a guide",
            "<h2>Rivers of the valley</h2>",
            "Rivers of the valley",
        ),
        // A headline of the first level may be short.
        ("Boots - Boots for hills and dales", "<h1>Boots</h1>", "Boots"),
    ] {
        let html = format!("<title>{title}</title>{body}{TEXT}");
        let got = read_at("https://mill.example/1", &html);
        assert_eq!(got.title.as_deref(), Some(want), "{title}");
    }
}

#[test]
fn writers_by_place_and_phrase() {
    for (line, want) in [
        ("<p>by oz on March 4, 2024", Some("oz")),
        ("<p>Posted by Konstantin 21.10.2019", Some("Konstantin")),
        ("<p>by the river we stood", None),
        (
            "<div class=author>Written by Ann Lee in Rivers on 21 March 2024 at 09:31 AM EST. 18 remarks of readers follow</div>",
            Some("Ann Lee"),
        ),
        ("<div class=author>李安2024-03-01 14:27:02</div>", Some("李安")),
        ("<div class=author>Interview: Ann Lee</div>", Some("Ann Lee")),
        ("<div class=author>Donnerstag, 5. März 2024</div>", None),
        (
            "<div class=author><div class=row><div class=name><p>Ann Lee</div></div></div>",
            Some("Ann Lee"),
        ),
        ("<div class=byline>Last Updated: 5 March 2024</div>", None),
        ("<p class=author hidden>Ann Lee</p>", Some("Ann Lee")),
    ] {
        let html = format!("<title>Flood in the valley</title><h1>Flood in the valley</h1>{line}{TEXT}");
        let got = read_at("https://mill.example/1", &html);
        assert_eq!(got.author.as_deref(), want, "{line}");
    }
}

#[test]
fn organizations_are_writers_if_no_person_is() {
    let head = "<title>Flood</title><meta name=author content='Valley Mill'>";
    let byline = "<h1>Flood</h1><p class=author>Ann Lee</p>";
    let url = "https://www.valley-mill.example/1";
    let got = read_at(url, &format!("{head}{byline}{TEXT}"));
    assert_eq!(got.author.as_deref(), Some("Ann Lee"));
    let got = read_at(url, &format!("{head}<h1>Flood</h1>{TEXT}"));
    assert_eq!(got.author.as_deref(), Some("Valley Mill"));
}

#[test]
fn dates_of_a_change_are_known_by_the_words_before_them() {
    let html = format!(
        "<title>Flood</title><h1>Flood</h1><p>This page was <b>last modified</b> on <time datetime=2024-03-05>then</time></p>{TEXT}"
    );
    let got = read_at("https://mill.example/1", &html);
    assert_eq!(
        (got.date.as_deref(), got.modified.as_deref()),
        (None, Some("2024-03-05"))
    );
}

#[test]
fn one_element_does_not_agree_with_itself() {
    // A `<meta itemprop>` is microdata and a `<meta>`.
    let html = "<meta property=article:published_time content=2024-03-05><meta itemprop=datePublished content=2025-01-01><h1>Flood</h1>";
    assert_eq!(
        read_at("https://mill.example/1", html).date.as_deref(),
        Some("2024-03-05")
    );
}

#[test]
fn sites_are_known_by_their_host() {
    for (head, want) in [
        (
            "<title>How to dress stones - Recipes | Valley Mill</title>",
            "Valley Mill",
        ),
        ("<title>Valley Mill | How to dress stones</title>", "Valley Mill"),
        (
            "<meta property=og:site_name content='Valley Mill • All about stones'>",
            "Valley Mill",
        ),
        (
            "<meta property=og:site_name content='The Millers'>",
            "The Millers",
        ),
    ] {
        let got = read_at(
            "https://www.valleymill.example/stones/1",
            &format!("{head}{TEXT}"),
        );
        assert_eq!(got.site_name.as_deref(), Some(want), "{head}");
    }
}

#[test]
fn kinds_by_address_and_parts() {
    let teasers: String = (0..10)
        .map(|i| format!("<h2><a href=/{i}>The river rose in the valley {i}</a></h2><p>It rained."))
        .collect();
    let cards: String = [
        "product-card",
        "product-card-name",
        "product-grid",
        "product-list",
        "facet-size",
        "plp-sort",
    ]
    .iter()
    .map(|class| format!("<div class={class}>A stone</div>"))
    .collect();
    let text = format!("<h1>Stones</h1>{TEXT}");
    for (url, html, want) in [
        ("https://mill.example/", &teasers, Some(PageKind::Listing)),
        ("https://mill.example/stones", &cards, Some(PageKind::Listing)),
        (
            "https://mill.example/collections/stones",
            &text,
            Some(PageKind::Listing),
        ),
        (
            "https://mill.example/products/stone",
            &text,
            Some(PageKind::Product),
        ),
        (
            "https://mill.example/threads/stones.7/",
            &text,
            Some(PageKind::Forum),
        ),
        (
            "https://mill.example/how-to-dress-a-stone",
            &text,
            Some(PageKind::Article),
        ),
        ("https://mill.example/about", &text, None),
    ] {
        assert_eq!(read_at(url, html).kind, want, "{url}");
    }
}

#[test]
fn a_headline_in_other_words_than_the_title_is_the_headline() {
    // The head shortens the headline. The article element of the text does not have the headline in it.
    for (title, headline) in [
        (
            "Miller says the river rose by a foot in one night",
            "Miller of the valley says the old river rose by almost a foot in one night",
        ),
        (
            "Why mills of the valley stand still in summer",
            "Summer: why the mills of this valley have to stand still",
        ),
        (
            "Мельники долины ждут воды уже третью неделю",
            "Уже третью неделю мельники нашей долины ждут воды",
        ),
    ] {
        let html = format!(
            "<title>{title}</title><h1>{headline}</h1><article><p class=by-line>By Ann Lee</p>\
             <p class=when>5 March 2024</p>{TEXT}</article>"
        );
        let got = read_at("https://mill.example/1", &html);
        assert_eq!(got.authors, ["Ann Lee"], "{title}");
        assert_eq!(got.date.as_deref(), Some("2024-03-05"), "{title}");
    }
}

#[test]
fn dates_of_a_list_of_other_texts_are_not_the_date() {
    let item = |day: u32, class: &str| {
        format!(
            "<li class={class}><span>{day:02}.03.2024</span> Another story of the valley and its mills</li>"
        )
    };
    for class in ["entry", "news-line", "m"] {
        let items: String = (1..6).map(|day| item(day, class)).collect();
        let html = format!("<title>The mill</title><ul>{items}</ul>{TEXT}");
        assert_eq!(read_at("https://mill.example/1", &html).date, None, "{class}");
    }
}

#[test]
fn the_first_of_several_articles_is_not_the_page() {
    let item = |day: u32| {
        format!(
            "<article><h2><a href=/{day}>Story {day}</a></h2><time>{day:02}.03.2024</time>{TEXT}</article>"
        )
    };
    for (before, after) in [("<div>", "</div>"), ("<ul>", "</ul>")] {
        let wrap = |text: String| match before {
            "<ul>" => format!("<li>{text}</li>"),
            _ => text,
        };
        let items: String = (1..4).map(|day| wrap(item(day))).collect();
        let html = format!("<title>News of the mill</title><h1>News of the mill</h1>{before}{items}{after}");
        assert_eq!(read_at("https://mill.example/news", &html).date, None, "{before}");
    }
}

#[test]
fn speakers_and_photographers_are_not_the_writers() {
    for part in [
        "<blockquote>The water rose.<footer><a rel=author href=/people/bob>Bob Mill</a></footer></blockquote>",
        "<figure><img src=a.jpg><figcaption class=author>Bob Mill</figcaption></figure>",
        "<blockquote class=byline><p>By Bob Mill</blockquote>",
    ] {
        let html = format!("<title>The mill</title><h1>The mill</h1>{part}{TEXT}");
        assert!(
            read_at("https://mill.example/1", &html).authors.is_empty(),
            "{part}"
        );
    }
}

#[test]
fn words_beside_names_in_marked_lines() {
    for (line, want) in [
        // Two elements without a space between them.
        (
            "<div class=dateline><span class=dateline-author>By <a href=/author/ann>Ann Lee</a></span><span \
             class=dateline-day>Jun 15th, 2019, 5:58 pm</span></div>",
            "Ann Lee",
        ),
        ("<p class=byline>By Ann Lee/Mill News</p>", "Ann Lee"),
        (
            "<p class=author>Column by</p><p class=author>Ann Lee</p>",
            "Ann Lee",
        ),
        ("<p class=author>Ann Lee | Political Commentator</p>", "Ann Lee"),
        (
            "<p>Ann Lee, <a href=/about/editors/ann-lee>Ann Lee</a></p>",
            "Ann Lee",
        ),
        (
            "<p class=author><a href=/author/ann>Ann (Annie) Lee</a></p>",
            "Ann (Annie) Lee",
        ),
    ] {
        let html = format!("<title>The mill</title><h1>The mill</h1>{line}{TEXT}");
        assert_eq!(read_at("https://mill.example/1", &html).authors, [want], "{line}");
    }
}

#[test]
fn a_person_in_the_byline_precedes_an_account_in_the_head() {
    let html = format!(
        "<title>The mill</title><meta name=dcterms.creator content=newsroom7><h1>The mill</h1>\
         <p class=field-authors><a href=/authors/ann-lee>Ann Lee</a></p>{TEXT}"
    );
    assert_eq!(read_at("https://mill.example/1", &html).authors, ["Ann Lee"]);
}
