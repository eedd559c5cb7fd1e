//! `dehusk serve`, asked over HTTP as a browser would ask.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::json;

use crate::support::{command, dehusk, folder, prose, text};

/// A workshop that ends with the test.
pub(crate) struct Workshop {
    child: Child,
    /// Host and port.
    host: String,
    /// What addresses begin with.
    pub(crate) base: String,
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Workshop {
    pub(crate) fn start(arguments: &[&str]) -> Workshop {
        let mut child = command()
            .arg("serve")
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut line = String::new();
        let output = child.stdout.take().expect("piped");
        BufReader::new(output).read_line(&mut line).expect("an address");
        let rest = line.trim().strip_prefix("http://").expect("an address");
        let (host, path) = rest.split_once('/').expect("a token");
        Workshop {
            child,
            host: host.to_owned(),
            base: format!("/{}", path.trim_end_matches('/')),
        }
    }

    /// Stops the server as Ctrl-C does. Returns its messages.
    #[cfg(unix)]
    pub(crate) fn end(mut self) -> String {
        let process = self.child.id().to_string();
        let sent = std::process::Command::new("kill")
            .args(["-INT", &process])
            .status()
            .expect("kill starts");
        assert!(sent.success());
        let mut said = String::new();
        let mut errors = self.child.stderr.take().expect("piped");
        errors.read_to_string(&mut said).expect("UTF-8");
        said
    }

    fn send(&self, method: &str, path: &str, fields: &[(&str, &str)], body: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n",
            body.len()
        );
        for (name, value) in fields {
            request += &format!("{name}: {value}\r\n");
        }
        stream
            .write_all(format!("{request}\r\n{body}").as_bytes())
            .expect("taken");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("UTF-8");
        let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        Answer {
            status: status.expect("a status"),
            head: head.to_lowercase(),
            body: body.to_owned(),
        }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(
            "GET",
            &format!("{}{path}", self.base),
            &[("Host", &self.host)],
            "",
        )
    }

    pub(crate) fn post(&self, path: &str, form: &str) -> Answer {
        let origin = format!("http://{}", self.host);
        let kind = "application/x-www-form-urlencoded";
        let fields = [
            ("Host", self.host.as_str()),
            ("Origin", &origin),
            ("Content-Type", kind),
        ];
        self.send("POST", &format!("{}{path}", self.base), &fields, form)
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn page(seed: u64) -> String {
    format!(
        "<!DOCTYPE html><title>Story {seed}</title><body onload=\"alert(1)\"><div class=menu><a href=/>Front page</a></div><div class=story>\
         <h1>Story {seed}</h1><p>{}</p><div class=share>Tell all of your friends about this story today, and tell them soon.</div>\
         <p>{}</p></div><script>alert(2)</script>",
        prose(seed, 60),
        prose(seed + 500, 50)
    )
}

fn crawl() -> tempfile::TempDir {
    let row = |seed: u64| {
        json!({ "url": format!("https://example.org/news/{seed}.html"), "html": page(seed) }).to_string()
    };
    let list = format!(
        "<table class=list><tr><td class=cell>{}<td class=cell>{}</table>",
        prose(7, 40),
        prose(8, 40)
    );
    let list = json!({ "url": "https://example.org/all/1.html", "html": list }).to_string();
    let other = json!({ "url": "https://other.example/a.html", "html": page(99) }).to_string();
    let lines: Vec<String> = (1..6).map(row).chain([list, other]).collect();
    folder(&[("crawl.jsonl", &lines.join("\n"))])
}

#[test]
fn a_part_is_dropped_and_saved_and_extraction_does_as_was_shown() {
    let dir = crawl();
    let (crawl, rules) = (
        text(&dir.path().join("crawl.jsonl")),
        text(&dir.path().join("rules")),
    );
    let workshop = Workshop::start(&[&crawl, "--rules", &rules]);
    let sites = workshop.get("/");
    assert_eq!(sites.status, 200, "{}", sites.body);
    assert!(
        sites.body.contains("example.org") && sites.body.contains("7 pages, 2 sites"),
        "{}",
        sites.body
    );
    let site = workshop.get("/site?host=example.org");
    assert!(
        site.body.contains("/news/") && site.body.contains("Layouts"),
        "{}",
        site.body
    );

    // The selector finds the part on all pages of the site.
    let shown = workshop.get("/page/2?selector=.share").body;
    assert!(shown.contains("Tell all of your friends"), "{shown}");
    assert!(shown.contains("5 on 5 of 6 pages"), "{shown}");
    let done = workshop.post("/rule", "page=2&scope=site&action=drop&selector=.share");
    assert_eq!(done.status, 303, "{}", done.body);
    assert!(
        !dir.path().join("rules").exists(),
        "nothing is written before it is saved"
    );
    let changes = workshop.get("/changes?host=example.org&page=2").body;
    assert!(changes.contains(" of 6 pages change"), "{changes}");
    let undone = workshop.post("/undo", "host=example.org&step=undo");
    assert_eq!(undone.status, 303);
    assert!(!workshop.get("/").body.contains("unsaved"));
    workshop.post("/undo", "host=example.org&step=redo");
    assert!(workshop.get("/").body.contains("unsaved"));

    // Everything but the story goes, and the share button within it.
    let done = workshop.post("/rule", "page=2&scope=layout&action=only&selector=.story");
    assert_eq!(done.status, 303, "{}", done.body);
    let saved = workshop.post("/save", "host=example.org&page=2&example=yes");
    assert!(
        saved.status == 200 && saved.body.contains("Saved"),
        "{}",
        saved.body
    );
    assert!(!saved.body.contains("alarm"), "{}", saved.body);
    let file = fs::read_to_string(dir.path().join("rules/example.org.toml")).expect("a file");
    for part in [
        "paths = [\"/news/*\"]",
        "{ css = \".share\" }",
        "{ css = \".story\" }",
        "[[rule.example]]",
    ] {
        assert!(file.contains(part), "`{part}` is not in {file}");
    }
    let extracted = dehusk(["extract", &crawl, "--rules", &rules, "--output-format", "jsonl"]).exits(0);
    let documents: Vec<serde_json::Value> = extracted
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for document in &documents[..5] {
        let text = document["text"].as_str().expect("text");
        assert_eq!(document["method"], "rules");
        assert!(
            text.contains("Story") && !text.contains("Tell all") && !text.contains("Front page"),
            "{text}"
        );
    }
    // The page shows the given values.
    let shown = workshop.get("/page/0").body;
    assert!(
        shown.contains("rule-remove") && shown.contains("rule-extract"),
        "{shown}"
    );

    let again = workshop.post("/save", "host=example.org");
    assert_eq!(again.status, 200);
    fs::write(dir.path().join("rules/example.org.toml"), "format = 1\n").expect("written");
    let refused = workshop.post("/save", "host=example.org");
    assert!(
        refused.body.contains("changed by somebody else"),
        "{}",
        refused.body
    );
}

#[test]
fn only_its_own_pages_with_the_token_are_answered() {
    let dir = crawl();
    let crawl = text(&dir.path().join("crawl.jsonl"));
    let workshop = Workshop::start(&[&crawl, "--rules", &text(&dir.path().join("rules"))]);
    let own = ("Host", workshop.host.as_str());
    for path in [
        "/",
        "/site?host=example.org",
        "/0123456789abcdef0123456789abcdef/",
        "/page/0",
    ] {
        assert_eq!(workshop.send("GET", path, &[own], "").status, 404, "{path}");
    }
    let base = format!("{}/", workshop.base);
    for host in ["evil.example", "127.0.0.1", "127.0.0.1:1"] {
        assert_eq!(
            workshop.send("GET", &base, &[("Host", host)], "").status,
            403,
            "{host}"
        );
    }
    let kind = ("Content-Type", "application/x-www-form-urlencoded");
    let rule = format!("{}/rule", workshop.base);
    let form = "page=2&scope=site&action=drop&selector=.share";
    for origin in [Some("http://evil.example"), Some("null"), None] {
        let mut fields = vec![own, kind];
        fields.extend(origin.map(|origin| ("Origin", origin)));
        assert_eq!(
            workshop.send("POST", &rule, &fields, form).status,
            403,
            "{origin:?}"
        );
    }
    let cross = workshop.send("GET", &base, &[own, ("Sec-Fetch-Site", "cross-site")], "");
    assert_eq!(cross.status, 403);
    assert!(!workshop.get("/").body.contains("unsaved"));
    // Hosts are not paths.
    for host in ["..%2F..%2Fx", "%2Fetc", "..", "a%00b"] {
        workshop.post("/text", &format!("host={host}&text=format+%3D+1"));
        workshop.post("/save", &format!("host={host}"));
    }
    let outside: Vec<_> = fs::read_dir(dir.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert!(
        outside
            .iter()
            .all(|name| name == "crawl.jsonl" || name == "rules"),
        "{outside:?}"
    );
}

#[test]
fn pages_of_the_crawl_can_do_nothing() {
    let dir = crawl();
    let crawl = text(&dir.path().join("crawl.jsonl"));
    let workshop = Workshop::start(&[&crawl]);
    let frame = workshop.get("/frame/0");
    for part in [
        "default-src 'none'",
        "sandbox allow-same-origin",
        "form-action 'none'",
        "nosniff",
        "referrer-policy: same-origin",
        "no-store",
    ] {
        assert!(frame.head.contains(part), "`{part}` is not in {}", frame.head);
    }
    assert!(
        !frame.head.contains("allow-scripts") && !frame.head.contains("script-src"),
        "{}",
        frame.head
    );
    assert!(
        !frame.body.contains("<script") && !frame.body.contains("onload"),
        "{}",
        frame.body
    );
    let page = workshop.get("/page/0");
    assert!(
        page.head.contains("script-src 'self'") && !page.head.contains("unsafe"),
        "{}",
        page.head
    );
    assert!(
        page.body.contains("sandbox=\"allow-same-origin\""),
        "{}",
        page.body
    );
    // Without a folder nothing is saved.
    workshop.post("/rule", "page=2&scope=site&action=drop&selector=.share");
    let refused = workshop.post("/save", "host=example.org");
    assert!(
        refused.status == 400 && refused.body.contains("--rules"),
        "{}",
        refused.body
    );
    for wrong in [
        "page=2&scope=site&action=drop&selector=p:hover",
        "page=2&scope=site&action=x&selector=p",
        "page=900&action=drop&selector=p",
    ] {
        let answer = workshop.post("/rule", wrong);
        assert!(
            answer.status == 400 && answer.body.contains("alert"),
            "{wrong}: {}",
            answer.body
        );
    }
}

#[test]
fn inputs_are_checked_before_anything_is_served() {
    dehusk(["serve", "/nowhere/at/all"]).exits(2);
    dehusk(["serve", "-"]).exits(2).says(&["once only"]);
    let dir = folder(&[("x.html", "<p>x"), ("rules/a.toml", "format = 7\n")]);
    let page = text(&dir.path().join("x.html"));
    dehusk(["serve", &page, "--rules", &text(&dir.path().join("rules"))])
        .exits(2)
        .says(&["format 7"]);
    dehusk(["serve", &page, "--listen", "everywhere"]).exits(2);
}

/// Pages whose bylines and dates have neither classes nor machine-readable forms.
fn bare_bylines() -> tempfile::TempDir {
    let people = ["Ann Lee", "Bob Mill", "Cy Rook", "Dee Hart", "Eve Marsh"];
    let row = |(at, name): (usize, &&str)| {
        let html = format!(
            "<div class=top><a href=/>Home</a> <a href=/news>News</a></div><div class=story><h1>Story {at} of the river</h1>\
             <div class=under><i>{name}</i> <b>The Herald, 0{}/02/2024</b></div><p>{}</p></div>",
            at + 1,
            prose(at as u64, 70)
        );
        json!({ "url": format!("https://example.org/news/{at}.html"), "html": html }).to_string()
    };
    let lines: Vec<String> = people.iter().enumerate().map(row).collect();
    folder(&[("crawl.jsonl", &lines.join("\n"))])
}

#[test]
fn a_byline_is_named_as_such_and_saved_and_extraction_reads_it() {
    let dir = bare_bylines();
    let (crawl, rules) = (
        text(&dir.path().join("crawl.jsonl")),
        text(&dir.path().join("rules")),
    );
    let workshop = Workshop::start(&[&crawl, "--rules", &rules]);
    let shown = workshop.get("/page/2?selector=.under%20i").body;
    assert!(
        shown.contains("Cy Rook") && shown.contains("value=\"author\""),
        "{shown}"
    );
    for (action, selector) in [("author", ".under%20i"), ("date", ".under%20b"), ("title", "h1")] {
        let fields = format!("page=2&scope=site&action={action}&selector={selector}");
        let done = workshop.post("/rule", &fields);
        assert_eq!(done.status, 303, "{}", done.body);
    }
    // The page shows the values with their source, and the changes list them.
    let shown = workshop.get("/page/2").body;
    assert!(
        shown.contains("Cy Rook") && shown.contains("rule: rules of the site"),
        "{shown}"
    );
    let changes = workshop.get("/changes?host=example.org&page=2").body;
    assert!(
        changes.contains("author: ") && changes.contains("Ann Lee"),
        "{changes}"
    );
    let saved = workshop.post("/save", "host=example.org&page=2");
    assert!(
        saved.status == 200 && saved.body.contains("Saved"),
        "{}",
        saved.body
    );
    let file = fs::read_to_string(dir.path().join("rules/example.org.toml")).expect("a file");
    assert!(file.contains("author = { css = \".under i\" }"), "{file}");
    let extracted = dehusk(["extract", &crawl, "--rules", &rules, "--output-format", "jsonl"]).exits(0);
    let documents: Vec<serde_json::Value> = extracted
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(documents.len(), 5);
    for (document, (author, date)) in documents.iter().zip([
        ("Ann Lee", "2024-02-01"),
        ("Bob Mill", "2024-02-02"),
        ("Cy Rook", "2024-02-03"),
        ("Dee Hart", "2024-02-04"),
        ("Eve Marsh", "2024-02-05"),
    ]) {
        assert_eq!(document["authors"], json!([author]), "{document}");
        assert_eq!(document["date"], date, "{document}");
        assert_eq!(document["metadata_sources"]["authors"], "rule: rules of the site");
    }
}

/// Forty people, or one with forty windows, at the same moment.
#[test]
fn all_who_save_at_once_are_answered_and_no_change_is_lost() {
    let dir = crawl();
    let (crawl, rules) = (
        text(&dir.path().join("crawl.jsonl")),
        text(&dir.path().join("rules")),
    );
    let workshop = Workshop::start(&[&crawl, "--rules", &rules]);
    let workshop = &workshop;
    let all = |ask: &(dyn Fn(usize) -> Answer + Sync)| -> Vec<Answer> {
        std::thread::scope(|scope| {
            let asked: Vec<_> = (0..40).map(|i| scope.spawn(move || ask(i))).collect();
            asked
                .into_iter()
                .map(|answer| answer.join().expect("an answer"))
                .collect()
        })
    };
    for answer in all(&|i| {
        workshop.post(
            "/rule",
            &format!("page=2&scope=site&action=drop&selector=.part{i}"),
        )
    }) {
        assert_eq!(answer.status, 303, "{}", answer.body);
    }
    for answer in all(&|_| workshop.post("/save", "host=example.org")) {
        assert!(
            answer.status == 200 && answer.body.contains("Saved"),
            "{}",
            answer.body
        );
    }
    let file = fs::read_to_string(dir.path().join("rules/example.org.toml")).expect("a file");
    for i in 0..40 {
        assert!(file.contains(&format!(".part{i}\"")), "part {i} is not in {file}");
    }
    let files = fs::read_dir(dir.path().join("rules")).expect("a folder").count();
    assert_eq!(files, 1, "no temporary file is left");
}

/// Requests of any kind: never a closed connection, never a defect, and the workshop answers afterwards.
#[test]
fn any_request_has_an_answer() {
    const PATHS: &[&str] = &[
        "/",
        "/site",
        "/page/",
        "/frame/",
        "/sheet/",
        "/beside/",
        "/changes",
        "/methods/",
        "/learn",
        "/clusters",
        "/cluster",
        "/mark",
        "/labelled",
        "/measures",
        "/label/",
        "/label",
        "/rule",
        "/undo",
        "/text",
        "/save",
        "/style.css",
        "/none",
        "/../..",
        "/%00",
        "//",
    ];
    const NAMES: &[&str] = &[
        "host", "page", "selector", "element", "scope", "action", "step", "text", "gold", "example",
        "cluster", "member", "a", "verdict", "name", "method", "at",
    ];
    let long = "x".repeat(3_000);
    let deep = "(".repeat(2_000);
    let values = [
        "",
        "0",
        "2",
        "6",
        "-1",
        "18446744073709551616",
        "1e9",
        "example.org",
        "other.example",
        "none.example",
        ".story",
        "p:not(",
        "[[[",
        "%",
        "%zz",
        "%00",
        "%FF%FE",
        "%F0%9F%98%80",
        "keep",
        "drop",
        "only",
        "site",
        "page",
        "layout",
        "undo",
        "redo",
        "format+%3D+1%0A",
        "%5B%5Brule%5D%5D",
        "../../etc/passwd",
        "%22%3E%3Cscript%3E",
        "&&==",
        &long,
        &deep,
    ];
    let dir = crawl();
    let (crawl, rules) = (
        text(&dir.path().join("crawl.jsonl")),
        text(&dir.path().join("rules")),
    );
    let workshop = Workshop::start(&[&crawl, "--rules", &rules]);
    let mut state = 55_u64;
    let mut random = move |most: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    };
    for _ in 0..600 {
        let mut path = PATHS[random(PATHS.len())].to_owned();
        if path.ends_with('/') {
            path += values[random(values.len())];
        }
        let fields: Vec<String> = (0..random(5))
            .map(|_| format!("{}={}", NAMES[random(NAMES.len())], values[random(values.len())]))
            .collect();
        let fields = fields.join("&");
        let answer = match random(2) {
            0 => workshop.get(&format!("{path}?{fields}")),
            _ => workshop.post(&path, &fields),
        };
        let asked = format!("{} {fields}", &path[..path.len().min(80)]);
        assert!(
            (200..=500).contains(&answer.status),
            "{asked}: {} {}",
            answer.status,
            answer.body
        );
        assert!(
            !answer.body.contains("a defect of this program"),
            "{asked}: {}",
            answer.body
        );
    }
    assert_eq!(workshop.get("/").status, 200);
    let outside = fs::read_dir(dir.path()).expect("a folder").count();
    assert!(outside <= 2, "nothing is written beside the rules");
}
