//! Addresses of pages of folders, and what follows from them.

use std::path::Path;

use serde_json::Value;

use crate::support::{contents, dehusk, folder, json, prose, rows, text};

/// A page with the layout of its site, and something in its head.
fn page(head: &str, seed: u64) -> String {
    format!(
        "<html>{head}<body><div class=menu><a href=/>Front page</a> <a href=/x>Weather</a></div><div class=story><h1>Story {seed}</h1>\
         <p>{}</p><p>{} <a href=\"next.html\">the next one</a></p><div class=share>Tell others about it</div></div>\
         <div class=end>Printed in the old town</div></body></html>",
        prose(seed, 60),
        prose(seed + 500, 50)
    )
}

/// Addresses by path, each with its source.
fn addresses(documents: &[Value]) -> Vec<(&str, &str, &str)> {
    let mut all: Vec<_> = documents
        .iter()
        .map(|document| {
            let of = |name: &str| document[name].as_str().unwrap_or("");
            (of("id"), of("url"), of("url_source"))
        })
        .collect();
    all.sort_unstable();
    all
}

fn extracted(arguments: &[&str]) -> Vec<Value> {
    let all = ["extract", "--output-format", "jsonl"].iter().chain(arguments);
    let ran = dehusk(all).exits(0);
    let lines = ran.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// [`folder`] with names that were made.
fn folder_of(files: &[(String, String)]) -> tempfile::TempDir {
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    folder(&files)
}

#[test]
fn each_way_to_an_address_has_its_rank() {
    let canonical = "<head><link rel=canonical href=\"https://told.example/a\"></head>";
    let open_graph = "<head><link rel=canonical href=\"a.html\"><meta property=og:url content=\"http://told.example/b\"></head>";
    let mirrored = "\n<!-- Mirrored from told.example/c?p=1 by HTTrack Website Copier/3.x [XR&CO'2014] -->\n";
    let dir = folder(&[
        ("top/news.example/a.html", &page(canonical, 1)),
        ("top/news.example/b.html", &page(open_graph, 2)),
        ("top/news.example/c4f2.html", &page(mirrored, 3)),
        ("top/news.example/d e.html", &page("", 4)),
        ("top/plain/f.html", &page("", 5)),
        (
            "top/list.jsonl",
            &serde_json::json!({"url": "https://own.example/", "id": "g", "html": page(canonical, 6)})
                .to_string(),
        ),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    let documents = extracted(&[&at("top")]);
    assert_eq!(
        addresses(&documents),
        [
            ("news.example/a.html", "https://told.example/a", "canonical"),
            ("news.example/b.html", "http://told.example/b", "canonical"),
            ("news.example/c4f2.html", "https://told.example/c?p=1", "mirrored"),
            (
                "news.example/d e.html",
                "https://news.example/d%20e.html",
                "folder"
            ),
            ("plain/f.html", "", ""),
        ]
    );
    assert_eq!(
        addresses(&extracted(&[&at("top/list.jsonl")])),
        [("g", "https://own.example/", "")]
    );
    // The base comes before what pages say of themselves, and ids are no matter of either.
    let base = extracted(&[&at("top"), "--base", "http://base.example/x"]);
    assert_eq!(
        addresses(&base)[3],
        (
            "news.example/d e.html",
            "http://base.example/x/news.example/d%20e.html",
            "base"
        )
    );
    assert!(base.iter().all(|document| document["url_source"] == "base"));
    let single = extracted(&[&at("top/news.example/d e.html"), "--base", "http://base.example/"]);
    assert_eq!(single[0]["url"], "http://base.example/d%20e.html");
    // The links of a page stand on its address.
    let linked = extracted(&[&at("top"), "--markdown", "--links"]);
    let markdown = |number: usize| linked[number]["markdown"].as_str().expect("Markdown").to_owned();
    assert!(
        markdown(0).contains("(https://told.example/next.html)"),
        "{}",
        markdown(0)
    );
    assert!(
        markdown(3).contains("(https://news.example/next.html)"),
        "{}",
        markdown(3)
    );
    // Without a base, addresses stay relative.
    assert!(markdown(4).contains("(next.html)"), "{}", markdown(4));
}

#[test]
fn an_address_of_a_page_and_one_of_a_folder_exclude_each_other() {
    let dir = folder(&[("a.html", &page("", 1))]);
    let at = |name: &str| text(&dir.path().join(name));
    for verb in [&["extract"][..], &["explain"], &["site", "learn"], &["run"]] {
        let mut all: Vec<&str> = verb.to_vec();
        let (pages, out) = (at("a.html"), at("out"));
        all.extend([
            pages.as_str(),
            "--url",
            "http://a.example/",
            "--base",
            "http://b.example/",
        ]);
        all.extend(["--out", &out]);
        dehusk(all)
            .exits(2)
            .says(&["`--url`", "`--base`", "for a single page"]);
        assert!(!Path::new(&out).exists());
    }
    for (wrong, why) in [
        ("b.example", "not the address of a folder"),
        ("http://b.example/?q", "a query"),
    ] {
        dehusk(["extract", &at("a.html"), "--base", wrong])
            .exits(2)
            .says(&[why]);
    }
}

/// Learns the sites of a folder, and applies the templates to it in every way. Returns what was learnt, a line each.
fn learnt_and_applied(dir: &Path, pages: &str, others: &[&str]) -> Vec<String> {
    let at = |name: &str| text(&dir.join(name));
    let (templates, out) = (at("templates"), at("out"));
    let with = |all: &[&str]| dehusk(all.iter().chain(others));
    let learnt = with(&["site", "learn", pages, "--out", &templates])
        .exits(0)
        .stdout;
    let again = at("again");
    with(&[
        "site",
        "learn",
        pages,
        "--out",
        &again,
        "--threads",
        "1",
        "--in-process",
    ])
    .exits(0);
    assert_eq!(contents(&dir.join("templates")), contents(&dir.join("again")));
    with(&["run", pages, "--templates", &templates, "--out", &out]).exits(0);
    let documents = rows(&dir.join("out/documents.jsonl"));
    assert!(
        documents.iter().all(|document| document["method"] == "site"),
        "{documents:?}"
    );
    let summary = json(&dir.join("out/summary.json"));
    assert_eq!(summary["sites"]["fired"], documents.len());
    let report = std::fs::read_to_string(dir.join("out/report.html")).expect("a report");
    assert!(report.contains("What templates did to their sites"));
    assert!(
        report.contains("such as “<bdi>Printed in the old town"),
        "{report}"
    );
    // The same, however the work is spread.
    let plain = ["--templates", &templates, "--threads", "1", "--in-process"];
    let mut alone = vec![pages];
    alone.extend(plain);
    alone.extend(others);
    assert_eq!(extracted(&alone), documents);
    let checked = with(&["site", "check", pages, "--templates", &templates])
        .exits(0)
        .stdout;
    let fires = format!("{} pages\tfires on {}", documents.len(), documents.len());
    assert!(
        checked.contains(&fires) && !checked.contains("warning"),
        "{checked}"
    );
    // Rules by hand find their pages by the same addresses.
    let rules = at("rules");
    dehusk(["site", "export", &templates, "--out", &rules]).exits(0);
    let mut by_rules = vec![pages, "--rules", &rules];
    by_rules.extend(others);
    assert!(
        extracted(&by_rules)
            .iter()
            .all(|document| document["method"] == "rules")
    );
    let checked = with(&["site", "check", pages, "--rules", &rules]).exits(0).stdout;
    assert!(checked.contains(&fires), "{checked}");
    learnt.lines().map(str::to_owned).collect()
}

#[test]
#[cfg(unix)] // names with `?` are none elsewhere
fn a_mirror_of_wget_is_a_site() {
    let mut files = vec![
        ("mirror/news.example/story.html@p=3".to_owned(), page("", 1)),
        ("mirror/news.example/story?p=4.html".to_owned(), page("", 2)),
        ("mirror/news.example/view.php?id=7.html".to_owned(), page("", 3)),
    ];
    for seed in 4..8 {
        files.push((format!("mirror/news.example/{seed}.html"), page("", seed)));
    }
    files.push(("mirror/news.example/robots.txt".to_owned(), String::new()));
    let dir = folder_of(&files);
    let at = |name: &str| text(&dir.path().join(name));
    let learnt = learnt_and_applied(dir.path(), &at("mirror"), &[]);
    assert_eq!(learnt.len(), 1, "{learnt:?}");
    assert!(
        learnt[0].contains("https://news.example/\tlayout 1\t7 pages"),
        "{learnt:?}"
    );
    // The folder of the host is known by its own name, too.
    let documents = extracted(&[&at("mirror/news.example")]);
    let urls: Vec<&str> = addresses(&documents).into_iter().map(|(_, url, _)| url).collect();
    for url in ["story?p=3", "story?p=4", "view.php?id=7", "5.html"] {
        let url = format!(
            "https://news.example/{}",
            url.replace("story?p=3", "story.html?p=3")
        );
        assert!(urls.contains(&url.as_str()), "{url} is not in {urls:?}");
    }
}

#[test]
fn a_mirror_of_httrack_is_a_site() {
    let comment = |name: &str| {
        format!(
            "\n<!-- Mirrored from news.example/{name} by HTTrack Website Copier/3.x [XR&CO'2014], Mon, 01 Jan 2024 -->\n"
        )
    };
    let page_of = |seed: u64| {
        (
            format!("saved/site/story{seed:x}.html"),
            page(&comment(&format!("story.php?id={seed}")), seed),
        )
    };
    let files: Vec<(String, String)> = (1..6).map(page_of).collect();
    let dir = folder_of(&files);
    let at = |name: &str| text(&dir.path().join(name));
    let learnt = learnt_and_applied(dir.path(), &at("saved"), &[]);
    assert!(
        learnt[0].contains("https://news.example/\tlayout 1\t5 pages"),
        "{learnt:?}"
    );
    let documents = extracted(&[&at("saved")]);
    assert_eq!(
        addresses(&documents)[0],
        (
            "site/story1.html",
            "https://news.example/story.php?id=1",
            "mirrored"
        )
    );
}

#[test]
fn a_folder_without_addresses_is_learnt_with_a_base() {
    let files: Vec<(String, String)> = (1..6)
        .map(|seed| (format!("pages/{seed}.html"), page("", seed)))
        .collect();
    let dir = folder_of(&files);
    let at = |name: &str| text(&dir.path().join(name));
    let nothing = dehusk(["site", "learn", &at("pages"), "--out", &at("none")]).exits(0);
    assert_eq!(nothing.stdout, "");
    nothing.says(&["nothing was learnt", "5 pages have no address", "`--base URL`"]);
    let one = dehusk([
        "site",
        "learn",
        &at("pages/1.html"),
        "--base",
        "http://a.example/",
        "--out",
        &at("none"),
    ])
    .exits(0);
    one.says(&["nothing was learnt", "1 page has too few others"]);
    let learnt = learnt_and_applied(dir.path(), &at("pages"), &["--base", "https://news.example/x/"]);
    assert!(
        learnt[0].contains("https://news.example/x/\tlayout 1\t5 pages"),
        "{learnt:?}"
    );
}

#[test]
fn an_archive_counts_as_unpacked() {
    let dir = folder(&[("top/news.example/a.html", &page("", 1))]);
    let at = |name: &str| text(&dir.path().join(name));
    let archive = std::fs::File::create(at("top/pages.tar")).expect("a file");
    let mut archive = tar::Builder::new(archive);
    let content = page("", 2);
    let mut header = tar::Header::new_gnu();
    header.set_size(content.len() as u64);
    header.set_cksum();
    archive
        .append_data(&mut header, "other.example/b.html", content.as_bytes())
        .expect("an entry");
    archive.finish().expect("an archive");
    let both = extracted(&[&at("top")]);
    assert_eq!(
        addresses(&both),
        [
            ("news.example/a.html", "https://news.example/a.html", "folder"),
            (
                "pages.tar/other.example/b.html",
                "https://other.example/b.html",
                "folder"
            ),
        ]
    );
    let alone = extracted(&[&at("top/pages.tar"), "--base", "http://a.example/x"]);
    assert_eq!(
        addresses(&alone),
        [(
            "other.example/b.html",
            "http://a.example/x/other.example/b.html",
            "base"
        )]
    );
}
