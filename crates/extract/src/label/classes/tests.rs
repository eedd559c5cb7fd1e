use crate::{Inclusion, Options, Page, extract};

const LONG: &str = "The river rose in the night and by noon it had left its bed, so that the mill stood in the water, and the road to the \
     town was closed until the evening of the next day.";

fn page() -> String {
    format!(
        "<title>The mill in the river | Town News</title><body><nav><a href=/>Home</a> <a href=/sport>Sport</a></nav>\
         <article><h1>The mill in the river</h1><p class=byline>By Ann Lee</p><p><time>5 March 2024</time></p>\
         <p>{LONG}</p><figure><img src=m.jpg><figcaption>The mill on Monday</figcaption></figure><p>Photo: Ann Lee / Getty Images</p>\
         <p>{LONG} Again.</p><p><a href=/x>Read also: The bridge of the old town</a></p><p>{LONG} Once more.</p>\
         <p>By noon the water fell.</p></article><p>Subscribe to our newsletter</p></body>"
    )
}

/// Returns the class and the first characters of every block.
fn classes(html: &str) -> Vec<(&'static str, String)> {
    let out = extract(&Page::decoded(html), &Options::default().with_blocks(true));
    let blocks = out.blocks.unwrap().into_iter();
    blocks
        .map(|b| (b.class, b.text.chars().take(16).collect()))
        .collect()
}

#[test]
fn each_line_of_an_article_has_its_class() {
    let got = classes(&page());
    let got: Vec<(&str, &str)> = got.iter().map(|(class, text)| (*class, text.as_str())).collect();
    assert_eq!(
        got[1..],
        [
            ("title", "The mill in the "),
            ("byline", "By Ann Lee"),
            ("date", "5 March 2024"),
            ("body", "The river rose i"),
            ("caption", "The mill on Mond"),
            ("credit", "Photo: Ann Lee /"),
            ("body", "The river rose i"),
            ("related", "Read also: The b"),
            ("body", "The river rose i"),
            ("body", "By noon the wate"),
            ("promotion", "Subscribe to our"),
        ]
    );
}

#[test]
fn lines_in_other_languages_have_classes() {
    for (line, class) in [
        ("Автор: Анна Лисицына", "byline"),
        ("Опубликовано 5 марта 2024", "date"),
        ("Фото: РИА Новости", "credit"),
        ("<a href=/x>Читайте также: Мост старого города</a>", "related"),
        ("Подпишитесь на наш канал", "promotion"),
        ("Von Anna Lehmann", "byline"),
        ("<a href=/x>相关阅读：老城的桥</a>", "related"),
    ] {
        let html = format!("<title>Река</title><body><div>{line}</div><p>{LONG}</p><p>{LONG}</p></body>");
        assert_eq!(classes(&html)[0].0, class, "{line}");
    }
}

#[test]
fn the_convention_chooses_between_classes() {
    let page = page();
    let text = |options: Options| extract(&Page::decoded(&page), &options).text;
    for (wanted, title, caption, byline) in [
        (Inclusion::Keep, true, true, true),
        (Inclusion::Drop, false, false, false),
    ] {
        let all = Options::default()
            .with_title(wanted)
            .with_captions(wanted)
            .with_byline(wanted);
        let text = text(all);
        let has = |part: &str| text.contains(part);
        assert_eq!(
            (
                has("The mill in the river"),
                has("The mill on Monday"),
                has("By Ann Lee")
            ),
            (title, caption, byline),
            "{text}"
        );
        assert!(text.contains("Once more."));
    }
    let empty = Options::default().with_title(Inclusion::Keep);
    assert_eq!(
        extract(
            &Page::decoded("<title>A</title><nav><a href=/>b</a></nav>"),
            &empty
        )
        .text,
        "b\n"
    );
}
