use super::*;
use crate::{Options, Page, extract};

#[track_caller]
fn check(html: &str, want: [Option<&str>; 6]) -> Vec<Warning> {
    let page = Page::decoded(html).with_url(Some("https://www.valley.example/a/b?c#d"));
    let got = extract(&page, &Options::default());
    let m = got.metadata;
    let fields = [m.title, m.author, m.date, m.language, m.site_name, m.description];
    assert_eq!(fields.each_ref().map(Option::as_deref), want);
    got.warnings
}

#[test]
fn json_ld_graphs_arrays_and_several_authors() {
    let html = r#"<html lang=en><script type="application/ld+json">[{"@context":"https://schema.org/","@graph":[
        {"@type":"WebSite","name":"Valley &amp; Hills"},
        {"@type":["Thing","NewsArticle"],"headline":"The river rose","datePublished":"2024-03-05T10:00:00+03:00",
         "author":[{"@type":"Person","name":"The editors"},"Water desk"],"description":"What happened."}]}]</script>
        <title>The river rose - Valley & Hills</title>"#;
    let want = [
        "The river rose",
        "The editors; Water desk",
        "2024-03-05T10:00:00+03:00",
        "en",
        "Valley & Hills",
        "What happened.",
    ];
    check(html, want.map(Some));
}

#[test]
fn broken_json_is_skipped_with_a_warning() {
    let html = r#"<script type="application/ld+json">{"@type":"Article" "headline":}</script>
        <script type="application/ld+json">//<![CDATA[
        {"@context":"http://schema.org","@type":"Article","headline":"Kept"} //]]></script><p>x"#;
    let warnings = check(html, [Some("Kept"), None, None, None, None, None]);
    assert_eq!(warnings[0].kind, crate::WarningKind::BrokenJson);
    let deep = format!(
        "<script type='application/ld+json'>{}</script>",
        "[".repeat(100_000)
    );
    check(&deep, [None; 6]);
    let other = r#"<script type="application/ld+json">{"@context":"https://other.example","@type":"Article","headline":"No"}</script>"#;
    check(other, [None; 6]);
}

#[test]
fn open_graph_and_other_meta() {
    let html = "<meta property=og:title content='River: a story | Valley'><meta property=og:site_name content=Valley>\
        <meta name=author content='https://valley.example/me'><meta name=author content='Water desk'>\
        <meta name=DC.date content='5 March 2024'><meta name=description content=' A\n story. '><meta property=og:locale content=ru_RU>";
    let want = [
        Some("River: a story"),
        Some("Water desk"),
        Some("2024-03-05"),
        Some("ru"),
        Some("Valley"),
        Some("A story."),
    ];
    check(html, want);
}

#[test]
fn titles_lose_the_name_of_the_site() {
    for (head, body, want) in [
        ("Flood in town - Valley", "", "Flood in town - Valley"),
        ("Flood in town - valley.example", "", "Flood in town"),
        ("Valley :: Flood in town", "", "Flood in town"),
        (
            "Flood in town - The News",
            "<h1>Flood in <i>town</i></h1>",
            "Flood in town",
        ),
        (
            "Flood in town - The News",
            "<td>Flood in town</td>",
            "Flood in town",
        ),
        ("Flood in town", "<h1>Menu</h1>", "Flood in town"),
        ("", "<h1>Flood</h1>", "Flood"),
    ] {
        let html = format!("<title>{head}</title>{body}");
        let page = Page::decoded(&html).with_url(Some(if want == head {
            "http://x.example/"
        } else {
            "http://valley.example"
        }));
        let got = extract(&page, &Options::default());
        assert_eq!(got.metadata.title.as_deref(), Some(want), "{head} {body}");
    }
}

#[test]
fn marked_elements_tell_author_and_date() {
    let html = "<span itemprop=author><b itemprop=name>Water desk</b>, Valley</span><time datetime='2024-03-05T10:00Z'>x</time>\
        <i itemprop=datePublished content=2024-03-04>y</i>";
    check(
        html,
        [None, Some("Water desk"), Some("2024-03-04"), None, None, None],
    );
    check(
        "<a rel='nofollow author' href=/>Desk</a> <time datetime=2024-03-05>",
        [None, Some("Desk"), Some("2024-03-05"), None, None, None],
    );
}

#[test]
fn dates_in_many_forms() {
    for (text, want) in [
        ("2024-03-05", Some("2024-03-05")),
        ("2024-03-05T10:00:00.000Z", Some("2024-03-05")),
        ("2024-03-05 10:00", Some("2024-03-05")),
        ("20240305", Some("2024-03-05")),
        ("2024/03/05", Some("2024-03-05")),
        ("05.03.2024 10:00", Some("2024-03-05")),
        ("3/25/2024", Some("2024-03-25")),
        ("Tue, 05 Mar 2024 10:00:00 GMT", Some("2024-03-05")),
        ("March 5th, 2024", Some("2024-03-05")),
        ("5 марта 2024 г.", Some("2024-03-05")),
        ("2024-02-30", None),
        ("1234-01-01", None),
        ("2024-3-5", Some("2024-03-05")),
        ("2024年3月5日", Some("2024-03-05")),
        ("2024년 3월 5일", Some("2024-03-05")),
        ("1987-06-12", Some("1987-06-12")),
        ("12 June 1887", Some("1887-06-12")),
        ("2024-02-31", None),
        ("10:30 AM, March 5, 2024", Some("2024-03-05")),
        ("10 AM, March 5, 2024", Some("2024-03-05")),
        ("14:05:59 5 марта 2024", Some("2024-03-05")),
        ("5. März 2024", Some("2024-03-05")),
        ("mardi 5 avril 2024", Some("2024-04-05")),
        ("12 września 2024", Some("2024-09-12")),
        ("5 Μαρτίου 2024", Some("2024-03-05")),
        ("31 February 2024", None),
        ("yesterday", None),
        ("12345678901234567890", None),
        ("05.03.99999999999", None),
        ("é2024-03-05", None),
        ("", None),
    ] {
        assert_eq!(date::iso(text).as_deref(), want, "{text}");
    }
}

#[test]
fn months_of_slavic_and_kazakh_pages() {
    for names in [
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
        "студзеня лютага сакавіка красавіка траўня чэрвеня ліпеня жніўня верасня кастрычніка лістапада снежня",
        "қаңтар ақпан наурыз сәуір мамыр маусым шілде тамыз қыркүйек қазан қараша желтоқсан",
    ] {
        for (i, name) in names.split(' ').enumerate() {
            let want = format!("2024-{:02}-05", i + 1);
            for text in [format!("5 {name} 2024"), format!("2024 ж. 5 {name}, 14:30")] {
                assert_eq!(date::iso(&text).as_deref(), Some(&*want), "{text}");
            }
        }
    }
    // Days of the week that begin like a month.
    for (text, want) in [
        ("Середа, 5 березня 2024", "2024-03-05"),
        ("у сераду, 5 сакавіка 2024", "2024-03-05"),
        ("Сенбі, 5 наурыз 2024", "2024-03-05"),
        ("maandag 5 augustus 2024", "2024-08-05"),
    ] {
        assert_eq!(date::iso(text).as_deref(), Some(want), "{text}");
    }
}

#[test]
fn links_changes_tags_and_kind() {
    let read = |html: &str| {
        let page = Page::decoded(html).with_url(Some("https://www.valley.example/a/b?c#d"));
        extract(&page, &Options::default()).metadata
    };
    let m = read(
        r#"<link rel="shortlink canonical" href="/a/b"><meta property=og:image content="../p.jpg">
        <meta property=og:type content=website><meta name=keywords content="not, these">
        <meta property=article:tag content=Rivers><meta property=article:tag content=rivers><meta property=article:tag content=Mills>
        <meta property=article:modified_time content=2024-03-06T01:00:00Z>"#,
    );
    assert_eq!(m.canonical_url.as_deref(), Some("https://www.valley.example/a/b"));
    assert_eq!(m.image.as_deref(), Some("https://www.valley.example/p.jpg"));
    assert_eq!(m.tags, ["Rivers", "Mills"]);
    assert_eq!(m.modified.as_deref(), Some("2024-03-06T01:00:00+00:00"));
    assert_eq!(m.kind, Some(PageKind::Website));

    let m = read(
        r#"<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebPage"},
        {"@type":"BlogPosting","keywords":"flood; river , River","image":[{"@type":"ImageObject","url":"//i.example/1.png"}],
         "dateModified":"2024-05-01"},{"@type":"VideoObject"}]}</script><meta property=og:url content='javascript:x'>"#,
    );
    assert_eq!(m.image.as_deref(), Some("https://i.example/1.png"));
    assert_eq!(m.tags, ["flood", "river"]);
    assert_eq!((m.kind, m.canonical_url), (Some(PageKind::Article), None));
    assert_eq!(m.modified.as_deref(), Some("2024-05-01"));

    let m = read(
        "<div itemscope itemtype=http://schema.org/WebPage><div itemtype=https://schema.org/Product><a rel=tag>a <b>b</b></a>",
    );
    assert_eq!(
        (m.kind, m.tags),
        (Some(PageKind::Product), vec!["a b".to_owned()])
    );
    let nothing = read("<link rel=canonical><a rel=tag></a><p>x");
    assert_eq!(
        (
            nothing.kind,
            nothing.tags.len(),
            nothing.canonical_url,
            nothing.image,
            nothing.modified
        ),
        (None, 0, None, None, None)
    );
}

proptest::proptest! {
    #[test]
    fn what_is_a_date_is_one_of_the_calendar(
        text in "[ (]?[0-9]{1,4}[-./ 年,]{1,2}([0-9]{1,2}|may|Мая|dec[.]?|февраля|Sept|ii)[-./ 月,]{1,2}[0-9]{1,4}(T[0-9:+Z]{0,9}|日)?",
    ) {
        if let Some(found) = date::iso(&text) {
            let (month, day) = (&found[5..7], &found[8..]);
            let days = match month {
                "02" => 29,
                "04" | "06" | "09" | "11" => 30,
                _ => 31,
            };
            let known = ("01"..="12").contains(&month) && (1..=days).contains(&day.parse::<u32>().unwrap());
            proptest::prop_assert!(known && found.len() == 10, "{text}: {found}");
            proptest::prop_assert_eq!(date::iso(&found), Some(found));
        }
    }
}

pub(super) fn read(html: &str) -> Metadata {
    let page = Page::decoded(html).with_url(Some("https://www.valley.example/a/b?c#d"));
    extract(&page, &Options::default()).metadata
}

pub(super) const TEXT: &str = "<p>The river rose in the night and by noon it had left its bed, so that the mill stood in the water, and the road to the town was closed until \
    the evening of the next day.</p><p>Nobody was hurt, but the bridge will have to be built anew, said the council on its first meeting after the flood, and the money is there.</p>";

#[test]
fn lines_near_the_headline_name_writer_and_day() {
    for (line, author, date) in [
        (
            "<div class=byline>By Ann Lee</div><p class=date>Posted at 7:31 PM, Dec 30, 2013</p>",
            "Ann Lee",
            "2013-12-30",
        ),
        (
            "<p>Von <a href=/autoren/ann-lee>Ann Lee</a> | 5. März 2024, 10:00 Uhr</p>",
            "Ann Lee",
            "2024-03-05",
        ),
        (
            "<span class=entry-meta>Published on <b class=entry-date>March 5, 2024</b> by <a rel=author href=/x>Ann Lee</a></span>",
            "Ann Lee",
            "2024-03-05",
        ),
        (
            "<div class=news-date>5 марта 2024 г., 14:05</div><div class=author>Автор: Анна Ли</div>",
            "Анна Ли",
            "2024-03-05",
        ),
        (
            "<p class=writer>作者：李安</p><p>2024年3月5日 10:00</p>",
            "李安",
            "2024-03-05",
        ),
        (
            "<p class=article-author>Ann Lee and Bob Mill, Senior Writers</p><time>12.03.2020</time>",
            "Ann Lee; Bob Mill",
            "2020-03-12",
        ),
    ] {
        let got = read(&format!(
            "<html lang=de><title>Flood in the valley</title><h1>Flood in the valley</h1>{line}{TEXT}"
        ));
        // Some lines have a time, too.
        let day = got.date.as_deref().map(date::day_of);
        assert_eq!((got.author.as_deref(), day), (Some(author), Some(date)), "{line}");
    }
}

#[test]
fn days_of_other_texts_and_events_are_no_dates() {
    for part in [
        "<aside><h2>Latest news</h2><a href=/i><time datetime=2026-03-05>Mar 5, 2026</time> Another post</a></aside>",
        "<p>The mill stood still in 1961, and on 12 May 2023 guests will come from all towns of the valley to see it turn again, as the council says.</p>",
        "<footer>© 2023 Valley. Updated 1 January 2023</footer>",
    ] {
        let got = read(&format!(
            "<title>Flood in the valley</title><article><h1>Flood in the valley</h1>{TEXT}</article>{part}"
        ));
        assert_eq!(got.date, None, "{part}: {:?}", got.candidates);
    }
}

#[test]
fn writers_of_other_texts_in_a_list_beside_the_text_are_none() {
    let item =
        |name: &str, title: &str| format!("<li><a href=/x><span class=author>{name}</span> {title}</a>");
    let list = format!(
        "<ul>{}{}{}</ul>",
        item("Ann Mill", "How the weir was built again"),
        item("Oda Rook", "Fifty years of boats on the river"),
        item("Ben Ash", "Return of a town without a mill"),
    );
    for (part, author) in [
        (list.as_str(), None),
        ("<p class=author><a href=/ann>Ann Mill</a></p>", Some("Ann Mill")),
        (
            "<a href=/ann><span class=author>Ann Mill</span> 5 March</a>",
            Some("Ann Mill"),
        ),
    ] {
        let got = read(&format!(
            "<title>Flood in the valley</title><div>{part}</div><h1>Flood in the valley</h1>{TEXT}"
        ));
        assert_eq!(got.author.as_deref(), author, "{part}: {:?}", got.candidates);
    }
}

#[test]
fn json_ld_as_it_is_written() {
    let got = read(
        r##"<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebSite","name":"Courier","publisher":{"@id":"#org"}},
        {"@type":["Article"],"headline":"Weir","author":[{"@id":"#p1"},{"@id":"#p2"}],"publisher":{"@id":"#org"},"datePublished":"2022-02-02","articleSection":"Rivers",
         "license":"https://creativecommons.org/licenses/by/4.0/",}]} // end</script>
        <script type="application/ld+json">[{"@type":"Person","@id":"#p1","name":"Ann Mill"},{"@type":"Person","@id":"#p2","name":"Oda Rook"},
        {"@type":"Organization","@id":"#org","name":"Courier Media"}]</script>"##,
    );
    assert_eq!(got.authors, ["Ann Mill", "Oda Rook"]);
    assert_eq!(
        [got.author, got.publisher, got.licence, got.date, got.site_name]
            .each_ref()
            .map(Option::as_deref),
        [
            "Ann Mill; Oda Rook",
            "Courier Media",
            "CC BY 4.0",
            "2022-02-02",
            "Courier"
        ]
        .map(Some)
    );
    assert_eq!(got.categories, ["Rivers"]);
    let recipe = read(
        r#"<script type="application/ld+json">{"@context":"https://schema.org","@type":"Recipe","name":"Soup","datePublished":"2022-02-03","author":{"name":"Ann Mill"}}</script>"#,
    );
    assert_eq!(
        (recipe.author.as_deref(), recipe.date.as_deref(), recipe.kind),
        (Some("Ann Mill"), Some("2022-02-03"), Some(PageKind::Recipe))
    );
}

#[test]
fn persons_win_over_organizations_and_sources_are_told() {
    let got = read(&format!(
        r#"<script type="application/ld+json">{{"@context":"https://schema.org","@type":"NewsArticle","headline":"Flood","author":{{"@type":"Organization","name":"Courier"}}}}</script>
        <title>Flood in the valley | Courier</title><h1>Flood in the valley</h1><p class=byline>By Ann Lee</p>{TEXT}"#
    ));
    assert_eq!(got.authors, ["Ann Lee"]);
    assert_eq!(got.title.as_deref(), Some("Flood in the valley"));
    let sources = got.sources();
    assert_eq!(sources["authors"], "byline: class");
    assert!(
        got.candidates
            .iter()
            .any(|lost| !lost.chosen && lost.values == ["Courier"]),
        "{:?}",
        got.candidates
    );
}

#[test]
fn titles_are_headlines_if_both_say_the_same() {
    for (head, heading, want) in [
        (
            "Flood in the valley: mills stand in water",
            "Mills stand in water after flood in the valley",
            "Mills stand in water after flood in the valley",
        ),
        (
            "A guide to the rivers of the valley",
            "Rivers",
            "A guide to the rivers of the valley",
        ),
        (
            "Flood in the valley",
            "Interview: Flood in the valley",
            "Flood in the valley",
        ),
        (
            "Welcome to the courier of the valley",
            "Eine ganz andere Zeile",
            "Welcome to the courier of the valley",
        ),
        (
            "Flood in the valley | The Courier | News",
            "",
            "Flood in the valley",
        ),
    ] {
        let got = read(&format!("<title>{head}</title><h1>{heading}</h1>{TEXT}"));
        assert_eq!(got.title.as_deref(), Some(want), "{head}");
    }
}

#[test]
fn the_name_of_a_site_is_no_headline() {
    let got = read(&format!(
        "<title>Old Mill Diary: The second flood</title><h1>Old Mill Diary</h1><h2>Tuesday, March 5, 2024</h2>\
         <h3>The second flood</h3>{TEXT}<p>Posted by <b class=author>Oda Lee</b> at <abbr class=published title=2024-03-05T21:10>9:10 PM</abbr></p>"
    ));
    let fields = [&got.title, &got.author, &got.date];
    assert_eq!(
        fields.map(Option::as_deref),
        ["The second flood", "Oda Lee", "2024-03-05T21:10"].map(Some)
    );
}

#[test]
fn a_headline_may_be_no_heading() {
    for mark in ["：", "_", " | "] {
        let got = read(&format!(
            "<title>渡し船が再開{mark}河岸新聞デジタル</title><div><nav>メニュー</nav><div class=headline>渡し船が再開</div>{TEXT}</div>"
        ));
        assert_eq!(got.title.as_deref(), Some("渡し船が再開"), "{mark}");
    }
}

#[test]
fn kinds_by_what_the_page_is_made_of() {
    let dated = format!(
        "<title>Flood in the valley</title><h1>Flood in the valley</h1><p class=date>5 March 2024</p>{TEXT}"
    );
    assert_eq!(read(&dated).kind, Some(PageKind::Article));
    let classes = [
        "sphinxsidebar",
        "toctree-l1",
        "toctree-l2",
        "documentation",
        "docs-x",
    ];
    let docs: String = classes
        .iter()
        .map(|class| format!("<div class={class}>Rivers</div>"))
        .collect();
    assert_eq!(
        read(&format!("<h1>Flood</h1>{docs}{TEXT}")).kind,
        Some(PageKind::Documentation)
    );
    let faq = r#"<script type="application/ld+json">{"@context":"https://schema.org","@type":"FAQPage"}</script><p>x"#;
    assert_eq!(read(faq).kind, Some(PageKind::Website));
}

#[test]
fn rdfa_is_read_as_microdata_is() {
    let got = read(&format!(
        r#"<title>Flood</title><div vocab="https://schema.org/" typeof="NewsArticle"><h1 property="name">Flood</h1>
        <p property="author" typeof="Person"><span property="name">Ann Lee</span></p>
        <span property="datePublished" content="2024-03-05T10:30:00+01:00">today</span>
        <span property="dc:modified" content="2024-03-06">x</span>{TEXT}
        <div typeof="sioct:Comment"><span property="dc:date" content="2020-01-01">then</span></div></div>"#
    ));
    assert_eq!(got.author.as_deref(), Some("Ann Lee"));
    assert_eq!(got.date.as_deref(), Some("2024-03-05T10:30:00+01:00"));
    assert_eq!(got.modified.as_deref(), Some("2024-03-06"));
    assert_eq!(got.kind, Some(PageKind::Article));
    assert_eq!(got.sources()["date"], "rdfa: datePublished");
    // Without its vocabulary, `date` may be that of anything.
    assert_eq!(
        read(&format!(
            "<h1>Flood</h1><i property=date content=2024-03-05>x</i>{TEXT}"
        ))
        .date,
        None
    );
}

#[test]
fn names_around_a_byline_at_the_headline_say_little() {
    for byline in [
        "<aside class=header-extras><p class=share-nav>By <a rel=author href=/a>Ann Lee</a></p></aside>",
        "<div class=author><span class=author-name>Ann Lee</span></div>",
        "<p class=author>par Ann Lee</p>",
        "<ul class=authors><li class=author>Ann Lee</li></ul>",
    ] {
        let got = read(&format!(
            "<title>Flood in the valley</title><h1>Flood in the valley</h1>{byline}{TEXT}"
        ));
        assert_eq!(got.author.as_deref(), Some("Ann Lee"), "{byline}");
    }
    let several = "<p class=byline>Ann Lee</p><p class=byline>Bob Mill</p><p class=links><a href=/author/ann-lee>More posts</a></p>";
    let got = read(&format!(
        "<title>Flood in the valley</title><h1>Flood in the valley</h1>{several}{TEXT}"
    ));
    assert_eq!(got.authors, ["Ann Lee", "Bob Mill"]);
    let far = format!(
        "<title>Flood</title><h1>Flood</h1>{}<div class=post-author>By Ann Lee</div>{TEXT}",
        TEXT.repeat(3)
    );
    assert_eq!(read(&far).author.as_deref(), Some("Ann Lee"));
}

#[test]
fn words_above_a_headline_are_no_part_of_it() {
    for (head, heading, want) in [
        (
            "Olympics - Drinks by ship",
            "<span class=kicker>Olympics</span> Drinks by ship",
            "Drinks by ship",
        ),
        (
            "Olympics: Drinks by ship",
            "<em>Olympics</em> Drinks by ship",
            "Drinks by ship",
        ),
        ("Drinks by ship", "<em>Drinks</em> by ship", "Drinks by ship"),
        (
            "Seed: A step-by-step guide | Mill",
            "Seed: A step-by-step guide",
            "Seed: A step-by-step guide",
        ),
    ] {
        let got = read(&format!("<title>{head}</title><h1>{heading}</h1>{TEXT}"));
        assert_eq!(got.title.as_deref(), Some(want), "{head}");
    }
    let site = format!(
        "<title>Mill Diary</title><h1 id=site-title>Mill Diary</h1><h1 class=entry-title>Small lore of sheep</h1>{TEXT}"
    );
    assert_eq!(read(&site).title.as_deref(), Some("Small lore of sheep"));
}

#[test]
fn a_nickname_in_a_marked_part_after_a_phrase_is_the_writer() {
    let page = |foot: &str| {
        let text = "We set the third weir today, and the river took it before the evening. ".repeat(6);
        let html = format!(
            "<title>Weirs</title><h1>Weirs</h1><div class=entry>{text}</div><div class=foot>{foot}</div>"
        );
        extract(&Page::decoded(&html), &Options::default())
            .metadata
            .authors
    };
    let signed =
        "<span class='byline vcard'>Posted by <b class=fn>Moor</b></span> at 9:10 PM, in Rivers and weirs";
    assert_eq!(page(signed), ["Moor"]);
    // Without the phrase, the word may be the name of a section.
    let section =
        "<span class=author><b class=fn>Moor</b></span> with other texts of rivers and weirs and mills";
    assert!(page(section).is_empty(), "{:?}", page(section));
}
