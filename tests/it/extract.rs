//! `dehusk extract`

use std::io::Read;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{Talk, command, dehusk, dehusk_reading, folder, page, prose, text};

#[test]
fn a_page_becomes_text_markdown_or_json() {
    let html = page("Title", "One sentence about rivers. Another one about hills") + "<!-- -->";
    let dir = folder(&[("a.html", &html)]);
    let file = text(&dir.path().join("a.html"));
    let plain = dehusk(["extract", &file]).exits(0);
    assert!(
        plain.stdout.contains("One sentence about rivers.") && !plain.stdout.contains("All rights"),
        "{}",
        plain.stdout
    );
    assert_eq!(plain.stderr, "");
    assert!(
        dehusk(["extract", &file, "--extractor", "all-text", "--markdown"])
            .exits(0)
            .stdout
            .contains("# Title")
    );
    assert!(
        dehusk([
            "extract",
            &file,
            "--extractor",
            "all-text",
            "--output-format",
            "markdown"
        ])
        .exits(0)
        .stdout
        .contains("# Title")
    );
    let document: Value = serde_json::from_str(
        &dehusk(["extract", &file, "--output-format", "json"])
            .exits(0)
            .stdout,
    )
    .unwrap();
    assert_eq!(document["title"], "Title");
    let read = dehusk_reading(["extract", "-"], html.as_bytes()).exits(0);
    assert_eq!(read.stdout, plain.stdout);
}

#[test]
fn a_page_without_main_text_is_told() {
    let empty = "<title>Order</title><main><p>You must be logged in to see this order.</p></main>".to_owned();
    let dir = folder(&[("a.html", &empty), ("b.html", &page("Title", &prose(1, 80)))]);
    let one = dehusk(["extract", &text(&dir.path().join("a.html"))]).exits(0);
    assert_eq!(one.stdout.trim(), "");
    assert!(one.stderr.contains("the page has no main text"), "{}", one.stderr);
    let silent = dehusk(["extract", "--quiet", &text(&dir.path().join("a.html"))]).exits(0);
    assert_eq!(silent.stderr, "");
    let both = dehusk(["extract", &text(dir.path())]).exits(0);
    assert!(both.stderr.contains("without text:         1"), "{}", both.stderr);
}

#[test]
fn a_page_becomes_html_and_typed_elements() {
    let body = format!(
        "<article><p>{}</p><p onclick=x()>See <a href=/more>more</a> <script>y()</script>of it.</p>\
         <ul><li>one<li>two</ul><img src=/p.png alt=Picture width=600 height=400></article>",
        prose(1, 100)
    );
    let dir = folder(&[("a.html", &page("Title", &body))]);
    let file = text(&dir.path().join("a.html"));
    let with = |more: &[&'static str]| {
        let all = [
            "extract",
            &file,
            "--extractor",
            "all-text",
            "--url",
            "http://a.example/x",
        ];
        let all = all.into_iter().chain(more.iter().copied());
        dehusk(all).exits(0).stdout
    };
    let html = with(&["--html"]);
    assert!(
        html.contains("<a href=\"http://a.example/more\">more</a> of it.</p>"),
        "{html}"
    );
    assert!(
        html.contains("<li>one</li>") && html.contains("src=\"http://a.example/p.png\""),
        "{html}"
    );
    assert!(!html.contains("onclick") && !html.contains("script"), "{html}");
    assert_eq!(with(&["--output-format", "html"]), html);

    let document: Value = serde_json::from_str(&with(&["--content", "--html"])).unwrap();
    assert_eq!(document["html"], html.trim_end_matches('\n').to_owned() + "\n");
    assert_eq!(document["content"]["version"], 1);
    let kinds: Vec<&str> = document["content"]["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|element| element["kind"].as_str().unwrap())
        .collect();
    for kind in ["paragraph", "list"] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    let markdown = with(&["--markdown", "--images"]);
    assert!(
        markdown.contains("![Picture](http://a.example/p.png)"),
        "{markdown}"
    );
}

#[test]
fn markdown_has_the_extensions_that_were_chosen() {
    let html = "<p>So <img class=tex alt='x^2'>, a rope<sup><a href='#fn7' id=r7>7</a></sup>.<dl><dt>Hull<dd>Body</dl>\
        <p><iframe src='https://www.youtube.com/embed/abc' title='On mills'></iframe><ol><li id=fn7>Hemp <a href='#r7'>↩</a></ol>";
    let with = |flags: &[&str]| {
        let all = ["extract", "-", "--extractor", "all-text", "--markdown", "--links"];
        dehusk_reading(all.iter().chain(flags), html.as_bytes())
    };
    let video = "[On mills](https://www.youtube.com/watch?v=abc)";
    let all = format!("So $x^2$, a rope[^7].\n\nHull\n: Body\n\n{video}\n\n[^7]: Hemp\n");
    let none = format!("So `x^2`, a rope[7].\n\n**Hull**\n\nBody\n\n{video}\n\n---\n\n7. Hemp\n");
    assert_eq!(with(&[]).exits(0).stdout, all);
    assert_eq!(
        with(&["--markdown-extensions", "footnotes,definition-lists,dollars"])
            .exits(0)
            .stdout,
        all
    );
    assert_eq!(with(&["--markdown-extensions", "none"]).exits(0).stdout, none);
    let some = with(&[
        "--markdown-extensions",
        "footnotes",
        "--markdown-extensions",
        "dollars",
    ])
    .exits(0);
    assert_eq!(some.stdout, all.replace("Hull\n: Body", "**Hull**\n\nBody"));
    with(&["--markdown-extensions", "emoji"])
        .exits(2)
        .says(&["emoji", "footnotes, definition-lists, dollars"]);
}

#[test]
fn comments_and_tables_are_fields_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("page.html");
    let line = "The river rose by two meters in one night, and the lower streets of the town were under water by noon.";
    let comment = |id: u8, who: &str, what: &str| {
        format!("<li class=comment id=comment-{id}><cite>{who}</cite><p>{what}</p></li>")
    };
    let comments = comment(1, "Vera", "Our cellar was full of water.") + &comment(2, "Ivan", "Ours, too.");
    let page = format!(
        "<title>The river rose</title><article><h1>The river rose</h1><p>{line}</p><p>{line}</p>\
         <table><tr><th>Day</th><th>Meters above normal</th></tr><tr><td>Monday</td><td>2.5</td></tr>\
         <tr><td>Tuesday</td><td>1.5</td></tr><tr><td>Wednesday</td><td>0.5</td></tr></table><p>{line}</p></article>\
         <ol id=comments>{comments}</ol>"
    );
    std::fs::write(&file, page).unwrap();
    let file = text(&file);
    let with = |more: &[&str]| {
        let all = ["extract", &file].into_iter().chain(more.iter().copied());
        dehusk(all).exits(0).stdout
    };
    let document: Value = serde_json::from_str(&with(&["--comments=field", "--tables=field"])).unwrap();
    let comments = document["comments"].as_array().unwrap();
    assert_eq!(comments.len(), 2);
    assert_eq!(
        comments[0],
        serde_json::json!({"author": "Vera", "text": "Our cellar was full of water."})
    );
    assert_eq!(document["tables"][0]["rows"][1]["cells"][1]["text"], "2.5");
    let all = with(&["--extractor", "all-text"]);
    assert!(all.contains("Monday") && all.contains("cellar"), "{all}");
    let less = with(&["--extractor", "all-text", "--tables=omit", "--comments=omit"]);
    assert!(
        !less.contains("Monday") && !less.contains("cellar") && less.contains("The river rose by"),
        "{less}"
    );
}

#[test]
fn posts_of_a_thread_are_found_by_structure_and_the_first_one_is_marked() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("thread.html");
    let post = |day: u8, who: &str, what: &str| {
        format!(
            "<section><div><a href=/members/{who}>{who}</a> <i>Joined: Jan 4, 2001</i></div><div>Posted Mar {day}, 2012 at 10:11 AM</div>\
             <div class=words>{what}</div></section>"
        )
    };
    let posts = post(
        1,
        "Vera",
        "How do I dry a cellar after the river was in it for a whole week?",
    ) + &post(
        2,
        "Ivan",
        "Open all windows, wait for dry weather, and do not heat it before June.",
    ) + &post(
        3,
        "Olga",
        "We rented a machine for it, which took a day for every room we had.",
    );
    std::fs::write(
        &file,
        format!("<title>Wet cellar</title><h1>Wet cellar</h1><div>{posts}</div>"),
    )
    .unwrap();
    let written = dehusk(["extract", &text(&file), "--comments=field"])
        .exits(0)
        .stdout;
    let document: Value = serde_json::from_str(&written).unwrap();
    assert_eq!(
        document["comments"],
        serde_json::json!([
            {"author": "Vera", "date": "2012-03-01", "first": true, "text": "How do I dry a cellar after the river was in it for a whole week?"},
            {"author": "Ivan", "date": "2012-03-02", "text": "Open all windows, wait for dry weather, and do not heat it before June."},
            {"author": "Olga", "date": "2012-03-03", "text": "We rented a machine for it, which took a day for every room we had."},
        ])
    );
}

#[test]
fn precision_and_recall_lie_on_either_side_of_the_default() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/crawl");
    let folder = text(&folder);
    let chars = |more: &[&str]| -> u64 {
        // One of the pages is a compressed attachment, which is rejected.
        let all = ["extract", &folder, "--max-bad", "1"]
            .into_iter()
            .chain(more.iter().copied());
        let documents = dehusk(all).exits(0).stdout;
        let kept = |line: &str| {
            serde_json::from_str::<Value>(line).unwrap()["kept_chars"]
                .as_u64()
                .unwrap()
        };
        documents.lines().map(kept).sum()
    };
    let (less, plain, more) = (chars(&["--precision"]), chars(&[]), chars(&["--recall"]));
    assert!(
        less <= plain && plain <= more && less < more,
        "{less} {plain} {more}"
    );
    let fast = chars(&["--fast"]);
    assert!(fast != plain && fast * 4 > plain * 3, "{fast} {plain}");
    let both = dehusk(["extract", &folder, "--precision", "--recall"]).exits(2);
    assert!(both.stderr.contains("--precision"), "{}", both.stderr);
}

#[test]
fn both_parsers_give_the_same_documents() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/crawl/news.example");
    let folder = text(&folder);
    let own = dehusk(["extract", &folder]).exits(0).stdout;
    assert_eq!(
        dehusk(["extract", &folder, "--parser", "whatwg"]).exits(0).stdout,
        own
    );
    let theirs = dehusk(["extract", &folder, "--parser", "html5ever"])
        .exits(0)
        .stdout;
    assert_eq!(theirs, own);
    dehusk(["extract", &folder, "--parser", "lynx"])
        .exits(2)
        .says(&["--parser", "unknown parser `lynx`; known: whatwg, html5ever"]);
    let help = dehusk(["extract", "--help"]).exits(0).stdout;
    assert!(
        help.contains("--parser <NAME>") && help.contains("html5ever"),
        "{help}"
    );
}

#[test]
fn blocks_tell_what_became_of_each_of_them() {
    let dir = folder(&[("a.html", &page("Title", &prose(1, 100)))]);
    let ran = dehusk([
        "extract",
        &text(&dir.path().join("a.html")),
        "--blocks",
        "--url",
        "http://a.example/x",
    ])
    .exits(0);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(document["url"], "http://a.example/x");
    let blocks = document["blocks"].as_array().unwrap();
    assert!(
        blocks.iter().any(|block| block["kept"] == true) && blocks.iter().any(|block| block["kept"] == false)
    );
    for (n, block) in blocks.iter().enumerate() {
        assert_eq!(block["i"], n);
        assert!(
            block["reason"].is_string()
                && block["kind"].is_string()
                && block["class"].is_string()
                && block["scores"].is_object(),
            "{block}"
        );
        assert!(block["path"].as_str().unwrap().starts_with("html"), "{block}");
        assert!(block["votes"]["readability"].is_boolean(), "{block}");
    }
}

#[test]
fn a_page_is_explained_in_one_file() {
    let html = page("Title", &prose(1, 100));
    let dir = folder(&[("a.html", &html), ("b.html", &html)]);
    let out = text(&dir.path().join("why.html"));
    let ran = dehusk(["explain", &text(&dir.path().join("a.html")), "--out", &out]).exits(0);
    assert!(
        ran.stdout.is_empty() && ran.stderr.contains("why.html"),
        "{}",
        ran.stderr
    );
    let why = std::fs::read_to_string(&out).unwrap();
    assert!(why.contains("Content-Security-Policy") && !why.contains("<script"));
    assert!(why.contains("kept: ") && why.contains("dropped: ") && why.contains("✓ readability"));

    let several = dehusk(["explain", &text(dir.path()), "--out", &out]).exits(2);
    assert!(
        several.stderr.contains("more than one page"),
        "{}",
        several.stderr
    );
    let none = dehusk(["explain", &text(&dir.path().join("c.html")), "--out", &out]).exits(2);
    assert!(none.stderr.contains("c.html"), "{}", none.stderr);
    assert_eq!(
        std::fs::read_to_string(&out).unwrap(),
        why,
        "what was there stays"
    );
}

#[test]
fn a_line_is_answered_before_the_next_is_read() {
    let mut talk = Talk::start([
        "extract",
        "--input-format",
        "jsonl",
        "--output-format",
        "jsonl",
        "--threads",
        "1",
        "--timings",
        "-",
    ]);
    for n in 0..20_u64 {
        let html = page(&format!("Page {n}"), &prose(n, 50));
        talk.write(&format!(
            "{}\n",
            json!({"id": n.to_string(), "url": null, "html": html})
        ));
        let answer = talk.answer();
        assert_eq!(
            (&answer["id"], &answer["title"]),
            (&json!(n.to_string()), &json!(format!("Page {n}")))
        );
        assert!(answer["us"].as_u64().unwrap() > 0);
    }
    talk.write("this is no page\n");
    let answer = talk.answer();
    assert_eq!(
        (&answer["id"], &answer["error"]["reason"]),
        (&json!("21"), &json!("bad-json"))
    );
    talk.write("\n\n");
    talk.write(&format!("{}\n", json!({"id": "x", "html": ""})));
    let answer = talk.answer();
    assert_eq!((&answer["id"], &answer["text"]), (&json!("x"), &json!("")));
    talk.write(r#"{"id":"lone","html":"<p>half a pair: \ud83d, and more words"}"#);
    talk.write("\n");
    assert!(
        talk.answer()["text"]
            .as_str()
            .unwrap()
            .contains("half a pair: \u{fffd}")
    );
    talk.end().exits(0);
}

#[test]
fn several_threads_answer_too_and_in_order() {
    let mut talk = Talk::start([
        "extract",
        "--input-format",
        "jsonl",
        "--output-format",
        "jsonl",
        "--threads",
        "3",
        "-",
    ]);
    for n in 0..10_u64 {
        talk.write(&format!(
            "{}\n",
            json!({"id": n.to_string(), "html": page("T", &prose(n, 50))})
        ));
        assert_eq!(talk.answer()["id"], n.to_string());
    }
    talk.end().exits(0);
}

fn many(count: u64) -> String {
    (0..count)
        .map(|n| json!({"id": n.to_string(), "html": page("T", &prose(n, 60))}).to_string() + "\n")
        .collect()
}

#[test]
fn output_is_in_the_order_of_input_unless_told_otherwise() {
    let dir = folder(&[("pages.jsonl", &many(300))]);
    let file = text(&dir.path().join("pages.jsonl"));
    let one = dehusk(["extract", &file, "--threads", "1"]).exits(0).stdout;
    for threads in ["2", "7"] {
        assert_eq!(
            dehusk(["extract", &file, "--threads", threads]).exits(0).stdout,
            one
        );
    }
    let mut sorted: Vec<&str> = one.lines().collect();
    sorted.sort_unstable();
    let unordered = dehusk(["extract", &file, "--threads", "3", "--unordered"])
        .exits(0)
        .stdout;
    let mut lines: Vec<&str> = unordered.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, sorted);
    let array: Value = serde_json::from_str(
        &dehusk(["extract", &file, "--output-format", "json"])
            .exits(0)
            .stdout,
    )
    .unwrap();
    assert_eq!(array.as_array().unwrap().len(), 300);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let dir = folder(&[("pages.jsonl", &many(3000))]);
    let mut child = command()
        .args(["extract", &text(&dir.path().join("pages.jsonl"))])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut start = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).as_ref()
        ),
        (Some(0), "")
    );
}

#[test]
fn limits_cut_and_say_so() {
    let dir = folder(&[("a.html", &page("Title", &prose(1, 2000)))]);
    let file = text(&dir.path().join("a.html"));
    let ran = dehusk(["extract", &file, "--output-format", "json", "--max-bytes", "1KiB"]).exits(0);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    let codes: Vec<&str> = document["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| w["code"].as_str().unwrap())
        .collect();
    assert!(codes.contains(&"bytes-limit"), "{codes:?}");
    assert!(document["text"].as_str().unwrap().len() < 1024);
}

#[test]
fn a_file_is_written_whole() {
    let dir = folder(&[("a.html", &page("Title", &prose(1, 50)))]);
    let (file, out) = (text(&dir.path().join("a.html")), dir.path().join("a.txt"));
    let ran = dehusk(["extract", &file, "--out", &text(&out)]).exits(0);
    assert_eq!(ran.stdout, "");
    assert_eq!(
        std::fs::read_to_string(&out).unwrap(),
        dehusk(["extract", &file]).exits(0).stdout
    );
    dehusk(["extract", &file, "--out", &text(dir.path())])
        .exits(2)
        .says(&["is a folder, not a file"]);
    dehusk(["extract", &file, "--out", &format!("{file}/a.txt")])
        .exits(4)
        .says(&["cannot write `"]);
}
