use super::*;

/// A run of twelve records that covers most cases.
fn small() -> ReportData {
    let text = str::to_owned;
    let count = |name: &str, count| Count {
        name: name.to_owned(),
        count,
    };
    let dropped = |stage: &str, reason: &str, count| Dropped {
        stage: stage.to_owned(),
        reason: reason.to_owned(),
        count,
    };
    let member = |id: &str, similarity, kept, reason: &str| MemberRow {
        id: id.to_owned(),
        url: Some(format!("https://news.example/{id}")),
        title: Some(text("Ice on the river")),
        similarity,
        kept,
        reason: reason.to_owned(),
    };
    let input = |name: &str, [read, kept, dropped, rejected]: [u64; 4]| InputRow {
        name: name.to_owned(),
        read,
        kept,
        dropped,
        rejected,
    };
    ReportData {
        tool: text("dehusk 0.1.0"),
        inputs: vec![text("crawl"), text("more.jsonl")],
        settings: vec![
            Setting {
                name: text("method"),
                value: text("default"),
            },
            Setting {
                name: text("threshold"),
                value: text("0.8"),
            },
        ],
        counts: Counts {
            read: 12,
            kept: 7,
            dropped: vec![
                dropped("read", "bad-json", 1),
                dropped("dedup", "empty", 1),
                dropped("dedup", "near-duplicate", 3),
            ],
            skipped_files: vec![count("hidden", 1), count("other-extension", 2)],
            skipped_records: vec![count("request", 5), count("http-error", 2)],
            mended: vec![count("invalid-utf8", 3)],
            pairs: 3,
            clusters: 1,
        },
        by_input: InputRows {
            rows: vec![input("crawl", [8, 5, 3, 0]), input("more.jsonl", [4, 2, 1, 1])],
            more: 0,
        },
        damaged_files: InputRows {
            rows: vec![input("more.jsonl", [4, 2, 1, 1])],
            more: 3,
        },
        sites: SiteRows {
            rows: vec![SiteRow {
                site: text("https://news.example/2024/"),
                layouts: 2,
                fired: 6,
                unknown: 2,
                cuts: vec![CutRow {
                    part: text("body/div.menu"),
                    reason: text("repeats"),
                    pages: 6,
                    words: 42,
                    example: Some(text("Front page")),
                }],
            }],
            more: 1,
        },
        kept_share: vec![0, 1, 0, 2, 5, 2],
        cluster_sizes: vec![
            SizeBin {
                from: 1,
                to: 1,
                clusters: 6,
                documents: 6,
            },
            SizeBin {
                from: 2,
                to: 2,
                clusters: 0,
                documents: 0,
            },
            SizeBin {
                from: 3,
                to: 4,
                clusters: 1,
                documents: 4,
            },
        ],
        deleted: vec![
            SimilarityBin {
                from: 0.95,
                to: 1.0,
                documents: 2,
            };
            1
        ],
        deleted_below_threshold: 0,
        largest_clusters: vec![ClusterRow {
            id: text("a"),
            size: 4,
            members: vec![
                member("a", Some(1.0), true, "representative"),
                member("b", Some(0.9996), false, "near-duplicate"),
                member("c", None, false, "near-duplicate"),
            ],
        }],
        least_confident: vec![PageRow {
            has_text: true,
            id: text("https://blog.example/1"),
            url: Some(text("https://blog.example/1")),
            title: None,
            confidence: 0.29,
            method: text("all-text"),
            kept_chars: 1204,
            all_chars: 20_000,
            warnings: vec![text("fallback")],
            excerpt: text("The stone does not crush grain, it cuts it."),
        }],
        warnings: vec![WarningRow {
            code: text("fallback"),
            count: 2,
            example: text("https://blog.example/1"),
            message: text("readability abstained"),
        }],
        methods: vec![count("readability", 9), count("all-text", 2)],
        languages: vec![count("en", 10), count("und", 1)],
        charsets: vec![count("UTF-8", 11)],
        passages: None,
        only_passages: false,
    }
}

/// The page without its style sheet and the hash of the style sheet.
fn body(page: &str) -> String {
    let (head, rest) = page.split_once("<style>").unwrap();
    let (_, rest) = rest.split_once("</style>").unwrap();
    let head = head.replace(render::STYLE_SHA256, "…");
    format!("{head}<style>…</style>{rest}")
}

/// Tags of a page with their attributes, in order.
fn tags(page: &str) -> Vec<&str> {
    page.split('<')
        .skip(1)
        .map(|tag| tag.split_once('>').unwrap().0)
        .collect()
}

/// Checks properties of every page: balanced tags, quoted and known attributes, unique ids, no scripts, no external resources, no deceptive
/// characters.
fn check(page: &str) {
    const VOID: [&str; 6] = ["circle", "line", "link", "meta", "rect", "br"];
    const ATTRIBUTES: &str = " aria-hidden aria-label aria-labelledby charset class content cx cy height href http-equiv id \
        lang name r rel role scope title width x x1 x2 y y1 y2 ";
    let mut open = Vec::new();
    let mut ids = std::collections::BTreeSet::new();
    let markup = body(page);
    let markup = markup.strip_prefix("<!DOCTYPE html>").unwrap();
    for tag in tags(markup) {
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap();
        assert!(name.bytes().all(|b| b.is_ascii_alphanumeric()), "<{tag}>");
        assert!(
            !["script", "img", "iframe", "object", "embed", "form", "base"].contains(&name),
            "<{tag}>"
        );
        if !VOID.contains(&name) {
            open.push(name);
        }
        let mut rest = tag[name.len()..].trim_end_matches('/');
        while !rest.is_empty() {
            let (key, value) = rest.strip_prefix(' ').unwrap().split_once("=\"").unwrap();
            let (value, next) = value.split_once('"').unwrap();
            assert!(ATTRIBUTES.contains(&format!(" {key} ")), "<{tag}>");
            match key {
                "href" if name == "a" => {
                    let own = value
                        .strip_prefix('#')
                        .is_some_and(|id| page.contains(&format!(" id=\"{id}\"")));
                    assert!(
                        own || value.starts_with("http://") || value.starts_with("https://"),
                        "<{tag}>"
                    );
                    assert!(own || tag.contains("rel=\"noopener noreferrer\""), "<{tag}>");
                }
                "href" => assert!(value.starts_with("data:"), "<{tag}>"),
                "id" => assert!(ids.insert(value), "<{tag}>"),
                _ => {}
            }
            rest = next;
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(!page.contains("url(") && !page.contains("@import"));
    let hidden = |c: char| crate::write::report::markup::is_hidden(c);
    assert_eq!(page.chars().find(|c| hidden(*c)), None);
    assert!(page.contains(
        "http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; style-src &#39;sha256-"
    ));
    assert!(!page.contains("unsafe") && !page.contains("NaN") && !page.contains(" inf"));
}

/// The text as it occurs in the page, if it does.
fn shown<'a>(page: &'a str, text: &str) -> Option<&'a str> {
    page.find(text).map(|at| &page[at..at + text.len()])
}

#[test]
fn a_small_run() {
    let page = render(&small());
    check(&page);
    insta::assert_snapshot!(body(&page));
}

#[test]
fn no_record_at_all() {
    let page = render(&ReportData::default());
    check(&page);
    insta::assert_snapshot!(body(&page));
}

#[test]
fn equal_figures_give_equal_pages() {
    assert_eq!(render(&small()), render(&small()));
}

#[test]
fn the_policy_names_the_style_sheet() {
    use base64::Engine;
    use sha2::{Digest, Sha256};

    // Browsers normalize line ends to `\n` before hashing.
    let sheet = include_str!("style.css").replace("\r\n", "\n");
    let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(&sheet));
    assert_eq!(
        hash,
        render::STYLE_SHA256,
        "the style sheet was changed: set `STYLE_SHA256` to {hash}"
    );
    assert!(!sheet.contains('<'), "markup in the style sheet");
}

#[test]
fn foreign_text_is_never_markup() {
    const EVIL: &str = "</title></style><script>alert(1)</script>\" onload=\"alert(2)' --> &lt; ]]>";
    let mut data = small();
    let Setting { name, value } = &mut data.settings[0];
    let everywhere = [&mut data.tool, &mut data.inputs[0], name, value];
    everywhere.into_iter().for_each(|text| *text = EVIL.to_owned());
    for row in &mut data.counts.dropped {
        (row.stage, row.reason) = (EVIL.to_owned(), EVIL.to_owned());
    }
    for rows in [
        &mut data.counts.skipped_files,
        &mut data.counts.skipped_records,
        &mut data.methods,
        &mut data.languages,
        &mut data.charsets,
    ] {
        rows[0].name = EVIL.to_owned();
    }
    let cluster = &mut data.largest_clusters[0];
    cluster.id = EVIL.to_owned();
    for (member, url) in
        cluster
            .members
            .iter_mut()
            .zip([EVIL.to_owned(), format!("https://x/{EVIL}"), String::new()])
    {
        (member.id, member.reason) = (EVIL.to_owned(), EVIL.to_owned());
        (member.title, member.url) = (Some(EVIL.to_owned()), Some(url));
    }
    let page = &mut data.least_confident[0];
    let site = &mut data.sites.rows[0];
    let cut = &mut site.cuts[0];
    (cut.part, cut.reason, cut.example) = (EVIL.to_owned(), EVIL.to_owned(), Some(EVIL.to_owned()));
    site.site = EVIL.to_owned();
    (page.id, page.method, page.excerpt) = (EVIL.to_owned(), EVIL.to_owned(), EVIL.to_owned());
    (page.title, page.url, page.warnings) = (
        Some(EVIL.to_owned()),
        Some(EVIL.to_owned()),
        vec![EVIL.to_owned()],
    );
    let warning = &mut data.warnings[0];
    (warning.code, warning.example, warning.message) = (EVIL.to_owned(), EVIL.to_owned(), EVIL.to_owned());

    let page = render(&data);
    check(&page);
    let written =
        "&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&quot;alert(2)&#39; --&gt; &amp;lt; ]]&gt;";
    assert!(page.matches(written).count() > 20);
}

#[test]
fn only_web_addresses_are_links() {
    let links = |url: &str| {
        let mut data = ReportData::default();
        data.least_confident.push(PageRow {
            has_text: true,
            id: "p".to_owned(),
            url: Some(url.to_owned()),
            ..PageRow::default()
        });
        let page = render(&data);
        check(&page);
        tags(&page)
            .into_iter()
            .any(|tag| tag.starts_with("a href=\"http") || tag.starts_with("a href=\"HTTP"))
    };
    for url in [
        "https://a.example/?q='<b>\"",
        "http://a",
        "https://xn--e1afmkfd.example/",
        "https://пример.example/ä",
    ] {
        assert!(links(url), "{url}");
    }
    let long = format!("https://a.example/{}", "x".repeat(3000));
    for url in [
        "javascript:alert(1)",
        "JavaScript:alert(1)//http://a",
        " https://a.example/",
        "java\nscript:alert(1)",
        "https://a.example/\u{202e}gpj",
        "https://a.example\\@b.example/",
        "https:///a.example",
        "https://user@/a",
        "https://",
        "https:a.example",
        "//a.example",
        "ftp://a.example/",
        "file:///etc/passwd",
        "data:text/html,x",
        "http",
        "",
        &long,
    ] {
        assert!(!links(url), "{url}");
    }
}

#[test]
fn what_cannot_be_seen_is_shown() {
    let mut data = small();
    data.largest_clusters[0].members[0].title = Some("invoice\u{202e}fdp.exe \u{0}\u{1b}[31m".to_owned());
    data.least_confident[0].title = Some("می\u{200c}خواهم co\u{ad}operate".to_owned());
    data.least_confident[0].id = "a\u{200b}b\tc".to_owned();
    data.settings[0].value = "x\u{a0}y".to_owned();
    data.least_confident[0].warnings = vec!["\u{2066}".to_owned()];
    data.tool = "dehusk\u{202e}".to_owned();
    let page = render(&data);
    check(&page);
    let code = |c: &str| format!("<span class=\"cp\">⟨U+{c}⟩</span>");
    for text in [
        format!(
            "invoice{}fdp.exe {}{}[31m",
            code("202E"),
            code("0000"),
            code("001B")
        ),
        // Joiners and soft hyphens, which many scripts need, stay in running text, but not in names that are compared.
        "می\u{200c}خواهم co\u{ad}operate".to_owned(),
        format!("a{}b{}c", code("200B"), code("0009")),
        format!("x{}y", code("00A0")),
        code("2066"),
        "content=\"dehusk⟨U+202E⟩\"".to_owned(),
    ] {
        assert!(shown(&page, &text).is_some(), "{text}");
    }
}

#[test]
fn long_texts_are_cut() {
    let mut data = small();
    data.inputs = (0..10_000).map(|i| format!("page-{i}.html")).collect();
    let long = "x".repeat(1_000_000);
    data.least_confident[0] = PageRow {
        has_text: true,
        id: long.clone(),
        url: Some(long.clone()),
        title: Some(long.clone()),
        excerpt: long.clone(),
        ..PageRow::default()
    };
    data.warnings[0].message = long;
    let page = render(&data);
    check(&page);
    assert!(page.len() < 60_000, "{}", page.len());
    assert!(page.contains("9\u{202f}998 more inputs") && page.contains("… and 9\u{202f}950 more inputs."));
}

#[test]
fn counts_that_do_not_add_up_are_told() {
    let mut data = small();
    assert!(!render(&data).contains("do not add up"));
    data.counts.read = 13;
    assert!(render(&data).contains("7 kept and 5 dropped are not 13 read"));
}

#[test]
fn extreme_figures_do_no_harm() {
    let mut data = small();
    data.counts = Counts {
        read: u64::MAX,
        kept: u64::MAX,
        dropped: vec![
            Dropped {
                stage: "x".to_owned(),
                reason: "y".to_owned(),
                count: u64::MAX
            };
            3
        ],
        skipped_records: Vec::new(),
        mended: Vec::new(),
        skipped_files: vec![
            Count {
                name: "z".to_owned(),
                count: u64::MAX
            };
            3
        ],
        pairs: u64::MAX,
        clusters: u64::MAX,
    };
    data.kept_share = vec![u64::MAX; 20];
    data.cluster_sizes = vec![
        SizeBin {
            from: u64::MAX,
            to: u64::MAX,
            clusters: u64::MAX,
            documents: u64::MAX
        };
        64
    ];
    for value in [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -1.0,
        2.0,
        f64::MIN_POSITIVE,
    ] {
        data.least_confident[0].confidence = value;
        data.least_confident[0].all_chars = 0;
        data.largest_clusters[0]
            .members
            .iter_mut()
            .for_each(|member| member.similarity = Some(value));
        check(&render(&data));
    }
    data.largest_clusters[0].members.clear();
    data.largest_clusters[0].size = 0;
    check(&render(&data));
}
