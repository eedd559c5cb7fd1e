mod fields;
mod kinds;
mod repeated;
mod variants;

#[cfg(feature = "template-files")]
use super::Doubt;
use super::{Sample, Template, TemplatePart};
use crate::analyze::analyze_page;
use crate::extracted::Extracted;
use crate::options::Options;
use crate::overrides::Overrides;
use crate::page::Page;
use crate::pipeline::{extract_dom_with, extract_with};
use crate::warning::WarningKind;
use dehusk_html::tree::Dom;

fn extract(page: &Page<'_>, options: &Options, templates: &[&Template]) -> Extracted {
    extract_with(page, options, &Overrides::default().with_templates(templates))
}

/// Generates text for part `part` of page `page`: running words that no other part has.
fn words(page: usize, part: usize, n: usize) -> String {
    let mut random = (page as u64 + 1) * 7919 + (part as u64 + 1) * 104_729;
    let mut out = String::new();
    for i in 0..n {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let word: String = (0..3 + (random >> 60) % 5)
            .map(|j| char::from(b'a' + ((random >> (8 + 5 * j)) % 26) as u8))
            .collect();
        out.push_str(if i == 0 { "" } else { " " });
        out.push_str(&word);
    }
    out + "."
}

/// Builds an article with a menu, a share bar inside, labels inside the text, related links that vary, and comments that vary.
fn article(page: usize) -> String {
    let paragraphs: String = (0..3 + page % 3)
        .map(|i| format!("<p>{}</p>", words(page, i, 40)))
        .collect();
    let label = if page.is_multiple_of(3) {
        ""
    } else {
        "<h3>Sources</h3>"
    };
    format!(
        "<html><body class='page-{page}'><div id=top><a href=/>Home page</a> <a href=/news>All the news</a></div>\
         <div id=main class='post post-{page}'><h1>{}</h1><div class=share>Share this page on the net</div>{paragraphs}{label}\
         <p>{}</p><div class=related><h4>Read more</h4><ul><li><a href=/a>{}</a><li><a href=/b>{}</a></ul></div></div>\
         <div class=comments><p>{}</p><p>{}</p></div><div id=end>All rights are reserved by us</div></body></html>",
        words(page, 90, 5),
        words(page, 91, 25),
        words(page, 92, 4),
        words(page, 93, 5),
        words(page, 94, 12),
        words(page, 95, 15),
    )
}

/// Builds a thread with several posts, each with an author, a text and a signature.
fn thread(page: usize) -> String {
    let posts: String = (0..3 + page % 4)
        .map(|i| {
            format!(
                "<div class=post><div class=poster>Member {}</div><p>{}</p><p>{}</p>\
                 <div class=signature>{}</div></div>",
                words(page % 2, i % 3, 1),
                words(page, i, 45),
                words(page, 50 + i, 30),
                words(0, i % 3, 6)
            )
        })
        .collect();
    format!(
        "<html><body><div class=bar>Forum index of the board</div><div class=topic>{posts}</div>\
         <div class=foot>Powered by a board</div></body></html>"
    )
}

fn samples(make: fn(usize) -> String, pages: std::ops::Range<usize>) -> Vec<Sample> {
    let options = Options::default();
    pages
        .map(|p| {
            Sample::new(
                &Page::decoded(&make(p)).with_url(Some(&format!("https://example.org/{p}"))),
                &options,
            )
        })
        .collect()
}

fn learn(samples: &[Sample]) -> Template {
    Template::learn(&samples.iter().collect::<Vec<_>>())
}

fn text(template: &Template, html: &str) -> Extracted {
    extract(
        &Page::decoded(html),
        &Options::default().with_blocks(true),
        &[template],
    )
}

#[test]
fn what_surrounds_an_article_goes_and_labels_inside_stay() {
    let template = learn(&samples(article, 0..8));
    let got = text(&template, &article(20));
    assert_eq!(got.method, "site");
    for part in [0, 1, 2, 91] {
        assert!(
            got.text
                .contains(&words(20, part, if part == 91 { 25 } else { 40 })),
            "part {part}"
        );
    }
    assert!(got.text.contains("Sources"), "{}", got.text);
    for gone in ["Home page", "Share this", "Read more", "rights"] {
        assert!(!got.text.contains(gone), "{gone} in {}", got.text);
    }
    for (part, n) in [(92, 4), (93, 5), (94, 12), (95, 15)] {
        assert!(!got.text.contains(&words(20, part, n)), "part {part}");
    }
    let blocks = got.blocks.expect("asked for");
    let reason = |what: &str| blocks.iter().find(|b| b.text.contains(what)).map(|b| b.reason);
    assert_eq!(reason("Home page"), Some("outside-containers"));
    assert_eq!(reason("Sources"), Some("in-container"));
    assert!(
        reason("Share this").is_some_and(|r| r.starts_with("cut-")),
        "{:?}",
        reason("Share this")
    );
}

#[test]
fn the_posts_of_a_thread_stay_and_their_signatures_go() {
    let template = learn(&samples(thread, 0..6));
    let got = text(&template, &thread(11));
    for i in 0..3 + 11 % 4 {
        assert!(got.text.contains(&words(11, i, 45)), "post {i}");
        assert!(got.text.contains(&words(11, 50 + i, 30)), "post {i}");
    }
    assert!(!got.text.contains(&words(0, 1, 6)), "signature in {}", got.text);
    assert!(!got.text.contains("Powered"));
}

#[cfg(feature = "template-files")]
#[test]
fn a_file_says_all_that_was_learnt() {
    let known = samples(article, 0..6);
    let template = learn(&known);
    let file = template.to_toml();
    let again = Template::from_toml(&file).expect("own file");
    assert_eq!(again.origin, template.origin);
    assert_eq!(again.to_toml(), file);
    for page in known.iter().chain(&samples(article, 30..34)) {
        assert_eq!(again.kept(page), template.kept(page));
        assert_eq!(again.fit(page), template.fit(page));
    }
    assert!(file.contains("Share this page"), "a reader sees what repeats");
}

#[cfg(feature = "template-files")]
#[test]
fn what_is_main_text_and_what_is_cut_stand_one_a_line() {
    let marked = |html: String| html.replace("Share this page", "Share \"this\" \\ page");
    let page = |seed| {
        let (html, url) = (marked(article(seed)), format!("https://example.org/{seed}"));
        Sample::new(&Page::decoded(&html).with_url(Some(&url)), &Options::default())
    };
    let file = learn(&(0..6).map(page).collect::<Vec<_>>()).to_toml();
    let entries = |key: &str| -> Vec<String> {
        let list = file.split_once(&format!("\n{key} = [\n")).expect(key).1;
        let list = list.split_once("\n]\n").expect("its end").0;
        list.lines().map(str::to_owned).collect()
    };
    for key in ["learnt_from", "cut"] {
        let entries = entries(key);
        assert!(entries.len() > 1, "{key} in {file}");
        for entry in &entries {
            assert!(entry.starts_with("    ") && entry.ends_with(','), "{entry}");
        }
    }
    assert!(file.contains("\nmain_text = ["), "{file}");
    // Files of earlier versions have each list on one line.
    let mut old = file.clone();
    for key in ["learnt_from", "cut"] {
        let lines = entries(key).join("\n");
        let list: String = lines
            .lines()
            .map(|entry| entry.trim_start().to_owned() + " ")
            .collect();
        let list = list.trim_end_matches(", ");
        old = old.replace(&format!("{key} = [\n{lines}\n]"), &format!("{key} = [{list}]"));
    }
    assert!(old.len() < file.len() && !old.contains(",\n]"), "{old}");
    assert_eq!(Template::from_toml(&old).expect("an old file").to_toml(), file);
}

#[cfg(feature = "template-files")]
#[test]
fn new_pages_are_added_without_the_old_ones() {
    let pages = samples(article, 0..10);
    let mut grown = Template::from_toml(&learn(&pages[..5]).to_toml()).expect("own file");
    grown.add(&pages[5..].iter().collect::<Vec<_>>());
    assert_eq!(grown.pages(), 10);
    assert_eq!(grown.origin.learnt_from.len(), 10);
    let at_once = learn(&pages);
    for page in &samples(article, 40..45) {
        assert_eq!(grown.kept(page), at_once.kept(page));
    }
}

#[test]
fn weak_evidence_changes_nothing() {
    let page = samples(article, 3..4);
    let single = learn(&page);
    assert!(!single.fit(&page[0]).fires, "one page shows nothing that repeats");
    let template = learn(&samples(article, 0..5));
    let got = text(&template, &thread(1));
    assert_eq!(got.method, "default");
    assert!(got.warnings.iter().any(|w| w.kind == WarningKind::UnknownLayout));
    let alone = crate::extract(&Page::decoded(&thread(1)), &Options::default());
    assert_eq!(got.text, alone.text);
    let none = learn(&[]);
    assert_eq!(none.kept(&page[0]), page[0].page_level());
}

#[test]
fn the_best_fitting_template_answers() {
    let (articles, threads) = (learn(&samples(article, 0..5)), learn(&samples(thread, 0..5)));
    let options = Options::default();
    for (html, gone) in [(article(9), "Share this"), (thread(9), "Powered")] {
        for templates in [[&articles, &threads], [&threads, &articles]] {
            let got = extract(&Page::decoded(&html), &options, &templates);
            assert_eq!(got.method, "site");
            assert!(!got.text.contains(gone));
        }
    }
}

/// An unsure template is not applied, and a warning gives the reason. Without the line `sure` in its file, it is applied.
#[cfg(feature = "template-files")]
#[test]
fn an_unsure_template_leaves_pages_to_the_page_level() {
    let file = learn(&samples(article, 0..5)).to_toml();
    assert!(
        file.contains("\nsure = 1.0\n") && !file.contains("unsure"),
        "{file}"
    );
    let unsure = Template::from_toml(&file.replacen("\nsure = 1.0\n", "\nsure = 0.0\nunsure = true\n", 1))
        .expect("a template");
    assert_eq!((unsure.sure(), unsure.doubt()), (Some(0.0), Some(Doubt::Unsure)));
    let got = text(&unsure, &article(20));
    assert_eq!(got.method, "default");
    let warning = got.warnings.iter().find(|w| w.kind == WarningKind::UnknownLayout);
    let message = &warning.expect("a warning").message;
    assert!(message.contains("its choice of parts changes"), "{message}");
    let again = Template::from_toml(&unsure.to_toml()).expect("own file");
    assert_eq!((again.sure(), again.doubt()), (unsure.sure(), unsure.doubt()));
    let settled =
        Template::from_toml(&unsure.to_toml().replacen("unsure = true\n", "", 1)).expect("a template");
    assert_eq!(text(&settled, &article(20)).method, "site");
    // Files of version 2 have no field `sure` and are applied.
    let old = file
        .replacen("format = 6", "format = 2", 1)
        .replacen("\nsure = 1.0\n", "\n", 1);
    let old = Template::from_toml(&old).expect("a file of version 2");
    assert_eq!((old.sure(), old.doubt()), (None, None));
    assert_eq!(text(&old, &article(20)).method, "site");
}

#[cfg(feature = "template-files")]
#[test]
fn broken_files_are_refused_with_a_reason() {
    let file = learn(&samples(article, 0..3)).to_toml();
    let error = |text: &str| Template::from_toml(text).expect_err("broken").to_string();
    assert!(error(&file.replacen("format = 6", "format = 9", 1)).contains("format 9"));
    assert!(error(&file.replacen("format = 6", "format = 1", 1)).contains("formats 2 to 6"));
    assert!(error(&file.replacen("parent = 0", "parent = 7000", 1)).contains("parent"));
    let misspelt = error(&file.replacen("elements = ", "elemens = ", 1));
    assert!(
        misspelt.contains("line") && misspelt.contains("elemens"),
        "{misspelt}"
    );
    error("");
    error("format = ");
}

#[cfg(feature = "template-files")]
#[test]
fn a_person_may_change_the_verdicts_of_a_file() {
    let template = learn(&samples(article, 0..6));
    let file = template.to_toml();
    let at = file
        .find("path = \"html/body/div#main.post/div.share\"")
        .expect("a part");
    let keep = at + file[at..].find("keep = false").expect("it was cut");
    let edited = format!(
        "{}keep = true{}",
        &file[..keep],
        &file[keep + "keep = false".len()..]
    );
    let why = at + edited[at..].find("why = ").expect("it was told why");
    let end = why + edited[why..].find('\n').expect("a line");
    let edited = format!(
        "{}why = \"the editors want it\"{}",
        &edited[..why],
        &edited[end..]
    );
    let got = text(&Template::from_toml(&edited).expect("edited"), &article(20));
    assert!(got.text.contains("Share this page"));
}

#[cfg(feature = "template-files")]
#[test]
fn hostile_pages_do_no_harm() {
    let deep = |p: usize| format!("{}<p>{}</p>", "<div class=a>".repeat(3000), words(p, 0, 30));
    let wide = |p: usize| {
        (0..500)
            .map(|i| format!("<div class=c{i}>{}</div>", words(p, i, 2)))
            .collect::<String>()
    };
    for make in [
        deep as fn(usize) -> String,
        wide,
        |_| String::new(),
        |_| "<p>x".to_owned(),
    ] {
        let pages = samples(make, 0..4);
        let template = learn(&pages);
        let again = Template::from_toml(&template.to_toml()).expect("own file");
        for page in &pages {
            assert_eq!(again.kept(page), template.kept(page));
        }
    }
}

#[cfg(feature = "rules")]
#[test]
fn any_bytes_are_a_template_or_an_error() {
    let page = |text: &str| {
        format!(
            "<nav><a href=/>Home</a></nav><div class=box><p>{text}</p><p class=tail>Tell others</p></div><div class=end>The end</div>"
        )
    };
    let texts = [
        "One river rose overnight.",
        "Two towns were built.",
        "Three ships came in today.",
    ];
    let samples: Vec<_> = texts
        .iter()
        .map(|text| Sample::new(&Page::decoded(&page(text)), &Options::default()))
        .collect();
    let written = Template::learn(&samples.iter().collect::<Vec<_>>()).to_toml();
    let (mut random, mut read) = (7_u64, 0);
    for _ in 0..3000 {
        let mut bytes = written.clone().into_bytes();
        let mut next = || {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize
        };
        for _ in 0..1 + next() % 4 {
            let at = next() % bytes.len();
            match next() % 4 {
                0 => bytes[at] = next() as u8,
                1 => drop(bytes.remove(at)),
                2 => bytes[at] = b'0' + (next() % 10) as u8,
                _ => bytes.insert(at, b"[]{}'\"=-.,9\n"[next() % 12]),
            }
        }
        // Any template that can be parsed can be used, written and extended.
        match Template::from_toml(&String::from_utf8_lossy(&bytes)) {
            Ok(mut template) => {
                read += 1;
                let _ = template.kept(&samples[0]);
                let _ = (super::to_rules(&[&template]), template.parts().len());
                template.add(&[&samples[1]]);
                let _ = template.to_toml();
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    assert!(read > 100, "{read}");
}

/// Builds a post of a blog whose tail has meaningless names. On the index page, several beginnings of posts appear without the tail.
fn post(page: usize, whole: bool) -> String {
    let tail = format!(
        "<div class=q1><b>You may go on</b> <a href=/x>{}</a></div><p class=q2>Seen by 12 people</p>",
        words(page, 70, 4)
    );
    let text: String = (0..if whole { 4 } else { 1 })
        .map(|i| format!("<p>{}</p>", words(page, i, 35)))
        .collect();
    format!(
        "<div class=entry><h1>{}</h1>{text}{}</div>",
        words(page, 80, 4),
        if whole { &tail } else { "" }
    )
}

#[test]
fn an_index_page_among_the_texts_hides_no_tail() {
    let page = |posts: &str| {
        format!(
            "<div class=top>The blog of the valley</div><div class=all>{posts}</div><div class=end>Since 2003</div>"
        )
    };
    let mut pages: Vec<String> = (0..9).map(|p| page(&post(p, true))).collect();
    pages.push(page(&(20..28).map(|p| post(p, false)).collect::<String>()));
    let options = Options::default();
    let samples: Vec<_> = pages
        .iter()
        .map(|p| Sample::new(&Page::decoded(p), &options))
        .collect();
    let got = text(&learn(&samples), &page(&post(40, true)));
    assert_eq!(got.method, "site");
    assert!(got.text.contains(&words(40, 3, 35)), "{}", got.text);
    for gone in ["go on", "Seen by", "the valley", "Since"] {
        assert!(!got.text.contains(gone), "{gone} in {}", got.text);
    }
}

/// Builds a thread with many authors, some of whom sign with a text of their own. The names of the elements do not identify signatures.
fn signed(page: usize) -> String {
    let posts: String = (0..3 + page % 4)
        .map(|i| {
            let person = (5 * page + 3 * i) % 7;
            format!(
                "<div class=m><p>{}</p><p>{}</p><div class=z>{}</div></div>",
                words(page, i, 45),
                words(page, 50 + i, 30),
                words(900 + person, 0, 9)
            )
        })
        .collect();
    format!(
        "<div class=bar>Index of the board</div><div class=t>{posts}</div><div class=foot>Made of boards</div>"
    )
}

/// The trees of `sites.model` do not distinguish signatures without a name from short paragraphs. More important is that no post is lost with them.
#[test]
fn posts_that_are_signed_are_whole_whoever_wrote_them() {
    let got = text(&learn(&samples(signed, 0..8)), &signed(30));
    assert_eq!(got.method, "site");
    for post in 0..3 + 30 % 4 {
        assert!(got.text.contains(&words(30, post, 45)), "{}", got.text);
        assert!(got.text.contains(&words(30, 50 + post, 30)), "{}", got.text);
    }
    assert!(!got.text.contains("Index of the board"));
}

#[test]
fn layouts_that_are_learnt_together_do_not_spoil_each_other() {
    let mixed = |page: usize| {
        if page.is_multiple_of(2) {
            article(page)
        } else {
            thread(page)
        }
    };
    let template = learn(&samples(mixed, 0..12));
    let got = text(&template, &article(20));
    assert_eq!(got.method, "site");
    assert!(got.text.contains(&words(20, 91, 25)), "{}", got.text);
    // Comments beside articles are kept here: on half of the pages, what looks like them are the posts of a thread.
    assert!(!got.text.contains("Share this"), "{}", got.text);
    let got = text(&template, &thread(21));
    assert_eq!(got.method, "site");
    assert!(got.text.contains(&words(21, 50, 30)), "{}", got.text);
    assert!(!got.text.contains("board"), "{}", got.text);
}

#[test]
fn comments_are_known_by_their_names_in_other_languages() {
    for name in [
        "kommentare",
        "blok-otzyvov",
        "commentaires",
        "comentarios",
        "reacties",
        "pinglun",
        "Комментарии",
    ] {
        let page = |p: usize| article(p).replace("class=comments", &format!("class={name}"));
        let options = Options::default();
        let samples: Vec<_> = (0..6)
            .map(|p| Sample::new(&Page::decoded(&page(p)), &options))
            .collect();
        let got = text(&learn(&samples), &page(20));
        assert!(got.text.contains(&words(20, 91, 25)), "{name}");
        assert!(!got.text.contains(&words(20, 95, 15)), "{name}: {}", got.text);
    }
}

#[test]
fn near_copies_leave_the_text_alone() {
    // One article at several addresses, with different dates and counters: its common text is not the template of the site.
    let copy = |p: usize| {
        article(3)
            .replace("Home page", &format!("Home page {p}"))
            .replace("post-3", &format!("post-{p}"))
    };
    let options = Options::default();
    let samples: Vec<_> = (0..5)
        .map(|p| Sample::new(&Page::decoded(&copy(p)), &options))
        .collect();
    let template = learn(&samples);
    let got = text(&template, &article(20));
    assert!(got.text.contains(&words(20, 0, 40)), "{}", got.text);
    let got = text(&template, &copy(9));
    assert!(got.text.contains(&words(3, 0, 40)), "{}", got.text);
}

/// Builds a post with the names of its categories. Page 3 and every fourth page from there list several posts.
fn filed(page: usize) -> String {
    let post = |of: usize| {
        let category = ["news", "travel", "books"][of % 3];
        format!(
            "<div class='post hentry entry type-post cat-{category} filed-{category}'><h2>{}</h2><p>{}</p></div>",
            words(of, 0, 6),
            words(of, 1, 60)
        )
    };
    let posts: String = match page % 4 {
        3 => (0..6).map(|i| post(100 * page + i)).collect(),
        _ => post(page),
    };
    format!("<html><body><div id=top>A site of many posts</div><div id=main>{posts}</div></body></html>")
}

#[test]
fn posts_are_one_part_whatever_their_categories() {
    let template = learn(&samples(filed, 0..12));
    let parts = template.parts();
    let posts: Vec<&TemplatePart<'_>> = parts
        .iter()
        .filter(|p| p.path.rsplit('/').next().is_some_and(|s| s.contains("post")))
        .collect();
    assert_eq!(
        posts.len(),
        1,
        "{:?}",
        posts.iter().map(|p| &p.path).collect::<Vec<_>>()
    );
    assert_eq!(posts[0].pages, 12);
}

#[test]
fn a_page_that_is_analyzed_already_is_labelled_alike() {
    let options = Options::default();
    let learnt: Vec<Sample> = (0..8)
        .map(|p| {
            let (html, url) = (article(p), format!("https://example.org/{p}"));
            let page = Page::decoded(&html).with_url(Some(&url));
            analyze_page(&page, &options, |view, _, _| {
                Sample::from_view(view, options.extractor.get(), &url)
            })
        })
        .collect();
    let template = learn(&learnt);
    assert_eq!(template.origin.learnt_from.len(), 8);
    let labelled = |html: &str| {
        analyze_page(&Page::decoded(html), &options, |view, _, _| {
            let labels = options.extractor.get().label(view);
            let labels = template.label(view, &labels)?;
            Some(labels.texts(view.table).map(str::to_owned).collect::<Vec<_>>())
        })
    };
    let expected = text(&template, &article(20)).text;
    let found = labelled(&article(20)).expect("the template fires");
    assert!(found.iter().all(|block| expected.contains(block)), "{found:?}");
    assert!(found.contains(&words(20, 1, 40)));
    assert_eq!(labelled(&thread(1)), None, "another layout");
}

#[test]
fn a_tree_is_learnt_from_and_labelled_as_its_page() {
    let options = Options::default();
    let dom_of =
        |html: &str, work: &mut dyn FnMut(&Dom<'_>)| work(&dehusk_html::Parser::default().parse(html).0);
    let mut trees = Vec::new();
    for page in 0..8 {
        let url = format!("https://example.org/{page}");
        dom_of(&article(page), &mut |dom| {
            trees.push(Sample::from_dom(dom, Some(&url), &options));
        });
    }
    let (template, of_pages) = (learn(&trees), learn(&samples(article, 0..8)));
    assert_eq!(template.parts(), of_pages.parts());
    dom_of(&article(20), &mut |dom| {
        let templates = [&template];
        let overrides = Overrides::default().with_templates(&templates);
        let got = extract_dom_with(dom, None, &options, &overrides);
        assert_eq!(
            (got.method, got.text),
            ("site", text(&template, &article(20)).text)
        );
    });
}
