//! `dehusk serve` on archives, folders and runs in all forms, and what it leaves when it ends.

use std::fs;
use std::net::TcpListener;
use std::path::Path;

use serde_json::json;

use crate::serve::{Workshop, page};
use crate::support::{dehusk, folder, prose, text};

fn record(url: &str, media_type: &str, body: &str) -> String {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\n\r\n{body}");
    let length = block.len();
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
}

/// The address of the first thing that a frame asks for whose element begins so.
fn asked(frame: &str, element: &str) -> String {
    let at = frame.match_indices("/beside/").find(|(at, _)| {
        frame[..*at]
            .rfind('<')
            .is_some_and(|tag| frame[tag..].starts_with(element))
    });
    let (at, _) = at.unwrap_or_else(|| panic!("no {element} in {frame}"));
    let rest = &frame[at..];
    rest[..rest.find('"').expect("an end")].replace("&amp;", "&")
}

#[test]
fn pages_of_an_archive_have_its_style_sheets_and_images() {
    let html = "<html><head><link rel=stylesheet href=/s.css></head><body><img src=../i.png alt=a><p>Some text of a page.</body></html>";
    let css = "@import 'more.css'; body { background: url(http://elsewhere.example/x.png) }";
    let records = [
        record("http://a.example/news/1.html", "text/html", html),
        record("http://a.example/i.png", "image/png", "the image"),
        record("https://a.example/s.css", "text/css", css),
        record("http://a.example/secret.json", "application/json", "{}"),
    ];
    let dir = folder(&[("crawl.warc", &records.concat())]);
    let workshop = Workshop::start(&[&text(&dir.path().join("crawl.warc"))]);
    let frame = workshop.get("/frame/0");
    assert!(frame.head.contains("img-src 'self' data:;"), "{}", frame.head);
    let sheet = workshop.get(&asked(&frame.body, "<link"));
    assert!(
        sheet.status == 200 && sheet.head.contains("text/css"),
        "{}",
        sheet.head
    );
    assert!(
        sheet.body.contains("at=https%3A%2F%2Fa.example%2Fmore.css"),
        "{}",
        sheet.body
    );
    assert!(!sheet.body.contains("url(http"), "{}", sheet.body);
    let image = workshop.get(&asked(&frame.body, "<img"));
    assert!(
        image.status == 200 && image.head.contains("image/png"),
        "{}",
        image.head
    );
    assert!(
        image.head.contains("sandbox") && image.body == "the image",
        "{}",
        image.head
    );
    // No other machine is asked, and nothing but style sheets and images is given.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("set");
    let other = format!(
        "http%3A%2F%2F{}%2Fi.png",
        listener.local_addr().expect("an address")
    );
    for at in [
        other.as_str(),
        "http%3A%2F%2Fa.example%2Fsecret.json",
        "file%3A%2F%2F%2Fetc%2Fpasswd",
        "",
    ] {
        assert_eq!(workshop.get(&format!("/beside/0?at={at}")).status, 404, "{at}");
    }
    assert!(listener.accept().is_err(), "another host was asked");
}

#[test]
fn pages_of_a_folder_have_its_style_sheets_and_images() {
    let html = "<link rel=stylesheet href=style.css><img src=../реки/i.png><p>Some text of a page.";
    let dir = folder(&[
        ("crawl/news/1.html", html),
        ("crawl/news/style.css", "p { background: url(../реки/i.png) }"),
        ("crawl/реки/i.png", "the image"),
        ("secret.css", "secret"),
    ]);
    let workshop = Workshop::start(&[&text(&dir.path().join("crawl"))]);
    let frame = workshop.get("/frame/0").body;
    assert_eq!(workshop.get(&asked(&frame, "<link")).status, 200);
    assert_eq!(workshop.get(&asked(&frame, "<img")).body, "the image");
    for at in [
        "..%2Fsecret.css",
        "%2E%2E%2Fsecret.css",
        "news%2F..%2F..%2Fsecret.css",
    ] {
        let at = format!("/beside/0?at=http%3A%2F%2Ffolder.invalid%2F{at}");
        assert_eq!(workshop.get(&at).status, 404, "{at}");
    }
}

/// A run over copies of a story that differ a little, written in another form.
fn run(form: &[&str]) -> tempfile::TempDir {
    let row = |n: u64| {
        let html = page(1).replace("all of your friends", &format!("all of your {n} friends"));
        json!({ "url": format!("http://a.example/{n}"), "html": html }).to_string()
    };
    let rows: Vec<String> = (1..4).map(row).collect();
    let dir = folder(&[("crawl.jsonl", &rows.join("\n"))]);
    let (crawl, out) = (
        text(&dir.path().join("crawl.jsonl")),
        text(&dir.path().join("out")),
    );
    let mut arguments = vec!["run", &crawl, "--out", &out];
    arguments.extend(form);
    dehusk(arguments).exits(0);
    dir
}

#[test]
fn runs_in_all_forms_are_opened_and_any_two_members_are_set_apart() {
    for form in [
        &[][..],
        &["--compress", "gzip"],
        &["--compress", "zstd", "--shard-size", "1"],
        &["--output-format", "parquet"],
    ] {
        let dir = run(form);
        let (out, rules) = (text(&dir.path().join("out")), text(&dir.path().join("rules")));
        let workshop = Workshop::start(&[&out, "--rules", &rules]);
        let list = workshop.get("/clusters").body;
        assert!(
            list.contains("1 cluster of two documents or more"),
            "{form:?}: {list}"
        );
        let from = list.find("/cluster?name=").expect("a cluster");
        let name = &list[from + "/cluster?name=".len()..];
        let name = &name[..name.find('"').expect("an end")];
        let (a, b) = ("http%3A%2F%2Fa.example%2F2", "http%3A%2F%2Fa.example%2F3");
        let two = format!("/cluster?name={name}&a={a}&b={b}");
        let shown = workshop.get(&two).body;
        assert_eq!(shown.matches("class=\"member\"").count(), 1, "{shown}");
        // The words that differ are marked.
        assert!(
            shown.contains("<mark>") && !shown.contains("Marked:"),
            "{form:?}: {shown}"
        );
        let marked = workshop.post("/mark", &format!("cluster={name}&a={a}&member={b}&verdict=wrong"));
        assert_eq!(marked.status, 303);
        assert!(
            workshop
                .get(&two)
                .body
                .contains("Marked: these two are no duplicates"),
            "{form:?}"
        );
        assert_eq!(workshop.post("/labelled", "set=write").status, 200);
        let truth =
            fs::read_to_string(dir.path().join("rules/labels/duplicates/truth.jsonl")).expect("written");
        assert_eq!(truth.lines().count(), 3, "{truth}");
        assert_eq!(truth.matches("part 1 of").count(), 1, "{truth}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_not_saved_is_there_the_next_time() {
    let row = |n: u64| {
        let html = page(n) + &prose(n, 20);
        json!({ "url": format!("http://a.example/{n}"), "html": html }).to_string()
    };
    let rows: Vec<String> = (1..4).map(row).collect();
    let dir = folder(&[("crawl.jsonl", &rows.join("\n"))]);
    let (crawl, rules) = (
        text(&dir.path().join("crawl.jsonl")),
        text(&dir.path().join("rules")),
    );
    let drop = "page=1&scope=site&action=drop&selector=.share";

    let workshop = Workshop::start(&[&crawl]);
    workshop.post("/rule", drop);
    let said = workshop.end();
    assert!(
        said.contains("rules of a.example") && said.contains("--rules"),
        "{said}"
    );

    let left = dir.path().join("rules/drafts/unsaved.json");
    let workshop = Workshop::start(&[&crawl, "--rules", &rules]);
    workshop.post("/rule", drop);
    assert!(!left.exists());
    let said = workshop.end();
    assert!(said.contains("unsaved.json") && left.exists(), "{said}");

    let workshop = Workshop::start(&[&crawl, "--rules", &rules]);
    assert!(workshop.get("/").body.contains("1 unsaved"));
    workshop.post("/save", "host=a.example&page=1");
    let said = workshop.end();
    assert!(!said.contains("not saved") && !left.exists(), "{said}");
    assert!(dir.path().join("rules/a.example.toml").exists());
}

#[test]
fn the_visual_method_is_compared_where_layouts_are_given() {
    let layouts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/layouts");
    let pages = text(&layouts.join("pages"));
    let without = Workshop::start(&[&pages]).get("/methods/0").body;
    assert!(
        without.contains("--layout") && !without.contains(">visual<"),
        "{without}"
    );
    let workshop = Workshop::start(&[&pages, "--layout", &text(&layouts.join("layouts.jsonl"))]);
    let with = workshop.get("/methods/0").body;
    assert!(with.contains(">visual<") && !with.contains("--layout"), "{with}");
}
