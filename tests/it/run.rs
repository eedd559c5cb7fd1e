//! `dehusk run`

use std::fs;

use serde_json::{Value, json};

use crate::support::{
    contents, counts_add_up, dehusk, dehusk_reading, folder, json, page, partition, prose, rows, text,
};

/// Twelve pages: three copies of one, two near-copies of another, an empty one, and single ones.
fn pages() -> Vec<(String, String)> {
    let mut pages: Vec<(String, String)> = (0..6)
        .map(|n| {
            (
                format!("single/{n}.html"),
                page(&format!("Page {n}"), &prose(n, 120)),
            )
        })
        .collect();
    for name in ["copy/a.html", "copy/b.htm", "copy/c"] {
        pages.push((name.to_owned(), page("Copied", &prose(100, 150))));
    }
    let near = prose(200, 200);
    pages.push(("near/first.html".to_owned(), page("Near", &near)));
    let edited = near.replacen(' ', " indeed ", 2);
    pages.push(("near/second.html".to_owned(), page("Near again", &edited)));
    pages.push(("empty.html".to_owned(), String::new()));
    pages
}

fn as_files(pages: &[(String, String)]) -> Vec<(&str, &str)> {
    pages
        .iter()
        .map(|(name, html)| (name.as_str(), html.as_str()))
        .collect()
}

#[test]
fn a_folder_becomes_clean_unique_documents() {
    let pages = pages();
    let mut files = as_files(&pages);
    files.extend([("style.css", "p {}"), (".cache/x.html", "<p>hidden")]);
    let dir = folder(&files);
    let out = dir.path().join("out");
    // The output lies beside the pages, so the pages are named one by one.
    let inputs = ["single", "copy", "near", "empty.html"].map(|name| text(&dir.path().join(name)));
    let ran = dehusk(
        ["run", "--out", &text(&out)]
            .map(str::to_owned)
            .into_iter()
            .chain(inputs),
    )
    .exits(0);
    assert_eq!(ran.stdout, "");
    assert!(
        ran.stderr.contains("12 pages read, 8 documents kept in "),
        "{}",
        ran.stderr
    );
    counts_add_up(&out);
    let summary = json(&out.join("summary.json"));
    assert_eq!(
        summary["counts"]["dropped"],
        json!({"empty": 1, "exact-duplicate": 2, "near-duplicate": 1})
    );
    let documents = rows(&out.join("documents.jsonl"));
    let first = &documents[0];
    assert_eq!(first["title"], "Page 0");
    assert_eq!(first["language"].as_str().map(str::len), Some(2));
    let names: Vec<&str> = first.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = vec![
        "id",
        "url",
        "text",
        "title",
        "author",
        "date",
        "language",
        "site_name",
        "description",
        "metadata_sources",
        "charset",
        "method",
        "confidence",
        "kept_chars",
        "all_chars",
        "warnings",
        "source",
        "offset",
    ];
    expected.sort_unstable();
    assert_eq!(names, expected);
    assert!(
        first["text"].as_str().unwrap().contains("bo")
            && !first["text"].as_str().unwrap().contains("All rights")
    );
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(
        report.contains("Content-Security-Policy") && report.contains("near/second.html"),
        "no report"
    );
}

#[test]
fn bytes_do_not_depend_on_threads() {
    let pages = pages();
    let dir = folder(&as_files(&pages));
    let other = tempfile::tempdir().unwrap();
    let mut all = Vec::new();
    for threads in ["1", "2", "7"] {
        let out = other.path().join(threads);
        dehusk([
            "run",
            &text(dir.path()),
            "--threads",
            threads,
            "--tsv",
            "--out",
            &text(&out),
        ])
        .exits(0);
        all.push(contents(&out));
    }
    assert_eq!(all[0].len(), 9, "{:?}", all[0].keys());
    for other in &all[1..] {
        for (name, bytes) in &all[0] {
            assert_eq!(other.get(name), Some(bytes), "{name}");
        }
    }
}

/// The pages as lines of JSON. The `n`th page comes at place `n * step` modulo their number.
fn lines(pages: &[(String, String)], step: usize) -> String {
    let line = |n: usize| {
        let (name, html) = &pages[n * step % pages.len()];
        json!({"id": name, "url": format!("http://a.example/{name}"), "html": html, "rank": n}).to_string()
            + "\n"
    };
    (0..pages.len()).map(line).collect()
}

#[test]
fn clusters_do_not_depend_on_the_order_of_pages() {
    let pages = pages();
    let dir = folder(&[]);
    let mut partitions = Vec::new();
    for step in [1, 5, 7, 11] {
        let out = dir.path().join(step.to_string());
        let input = lines(&pages, step);
        dehusk_reading(
            [
                "run",
                "--input-format",
                "jsonl",
                "-",
                "--out",
                &text(&out),
                "--threads",
                "3",
                "--keep",
                "field:id:min",
            ],
            input.as_bytes(),
        )
        .exits(0);
        counts_add_up(&out);
        let ids: Vec<Value> = rows(&out.join("documents.jsonl"))
            .into_iter()
            .map(|row| row["id"].clone())
            .collect();
        let expected: Vec<&str> = (0..pages.len())
            .map(|n| pages[n * step % pages.len()].0.as_str())
            .collect();
        assert_eq!(ids, expected, "documents are not in the order of input");
        partitions.push(partition(&out));
    }
    for other in &partitions[1..] {
        assert_eq!(other, &partitions[0]);
    }
    assert_eq!(
        partitions[0]["copy/c"],
        ("copy/a.html".to_owned(), "copy/a.html".to_owned(), false),
        "the smallest id stays"
    );
}

#[test]
fn bad_records_cost_themselves() {
    let dir = folder(&[("x/page.html", "<p>A page in a file of its own.</p>")]);
    let good = json!({"id": "good", "html": page("Good", &prose(1, 90))});
    let other = json!({"id": "other", "html_base64": "PHA+0L/RgNC40LLQtdGCPC9wPg==", "charset": "utf-8"});
    let input = format!(
        "{good}\nnot json\n{{\"id\":\"none\"}}\n{{\"path\":\"x/missing.html\"}}\n{{\"path\":\"x/page.html\"}}\n\
         {{\"html_base64\":\"!\"}}\n{{\"html\":5}}\n{other}\n"
    );
    fs::write(dir.path().join("pages.jsonl"), &input).unwrap();
    let out = dir.path().join("out");
    let ran = dehusk([
        "run",
        &text(&dir.path().join("pages.jsonl")),
        "--out",
        &text(&out),
    ])
    .exits(3);
    let ran = ran.says(&[
        "8 pages read, 3 documents kept",
        "pages.jsonl: bad-json: line 2: column ",
        "5 of 8 records were rejected",
    ]);
    assert!(
        ran.stderr.contains("line 4: cannot read `") && ran.stderr.contains("missing.html"),
        "{}",
        ran.stderr
    );
    counts_add_up(&out);
    let rejected = rows(&out.join("quarantine.jsonl"));
    let told: Vec<_> = rejected
        .iter()
        .map(|row| (row["id"].as_str().unwrap(), row["reason"].as_str().unwrap()))
        .collect();
    let expected = [
        ("2", "bad-json"),
        ("none", "missing-content"),
        ("x/missing.html", "unreadable"),
        ("6", "bad-base64"),
        ("7", "bad-json"),
    ];
    assert_eq!(told, expected);
    let offset = rejected[0]["offset"].as_u64().unwrap() as usize;
    assert!(input[offset..].starts_with("not json"));
    let names: Vec<&str> = rejected[0]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(names, ["id", "input", "message", "offset", "reason", "url"]);
    assert_eq!(rows(&out.join("kept.jsonl"))[2]["text"], "привет\n");
    let again = |most: &str| {
        let input = text(&dir.path().join("pages.jsonl"));
        dehusk(["run", &input, "--out", &text(&out), "--max-bad", most]).code
    };
    assert_eq!(
        (again("5"), again("4"), again("70%"), again("60%")),
        (Some(0), Some(3), Some(0), Some(3))
    );
}

#[test]
fn an_input_that_is_cut_off_is_told_apart_from_a_bad_line() {
    let good: String = (0..300)
        .map(|n| json!({"html": page("P", &prose(n, 30))}).to_string() + "\n")
        .collect();
    let dir = folder(&[]);
    let out = text(&dir.path().join("out"));
    let run = |input: &str| {
        dehusk_reading(
            ["run", "--input-format", "jsonl", "-", "--out", &out],
            input.as_bytes(),
        )
    };
    run(&format!("{good}oops\n")).exits(0).says(&["bad-json"]);
    run(&format!("{good}{{\"html\":\"cut o"))
        .exits(3)
        .says(&["truncated: line 301"]);
}

#[test]
fn unknown_fields_and_dates_are_carried() {
    let dir = folder(&[]);
    let out = dir.path().join("out");
    let line = json!({"url": "http://a.example/1", "html": page("T", &prose(5, 60)), "date": "2020-02-03", "popularity": 7,
        "crawl": {"depth": 3}, "tags": ["x"]});
    dehusk_reading(
        ["run", "--input-format", "jsonl", "-", "--out", &text(&out)],
        format!("{line}\n").as_bytes(),
    )
    .exits(0);
    let row = &rows(&out.join("documents.jsonl"))[0];
    assert_eq!(row["id"], "http://a.example/1");
    assert_eq!(
        (&row["date"], &row["popularity"]),
        (&json!("2020-02-03"), &json!(7.0))
    );
    assert_eq!(row["extra"], json!({"crawl": {"depth": 3}, "tags": ["x"]}));
}

#[test]
fn a_configuration_file_sets_what_flags_do_not() {
    let pages = pages();
    let dir = folder(&as_files(&pages));
    let other = folder(&[(
        "c.toml",
        "threshold = 0.95\nmarkdown = true\nextractor = \"all-text\"\n",
    )]);
    let (config, out) = (text(&other.path().join("c.toml")), other.path().join("out"));
    let input = text(dir.path());
    dehusk([
        "run",
        &input,
        "--out",
        &text(&out),
        "--config",
        &config,
        "--extractor",
        "readability",
    ])
    .exits(0);
    let settings = &json(&out.join("summary.json"))["settings"];
    assert_eq!(
        (&settings["threshold"], &settings["extractor"]),
        (&json!(0.95), &json!("readability"))
    );
    assert!(rows(&out.join("documents.jsonl"))[0]["markdown"].is_string());
}

#[test]
#[cfg(unix)]
fn a_small_stack_is_enough() {
    use std::process::Command;
    let deep = "<div>".repeat(100_000) + "<p>" + &prose(1, 40);
    let dir = folder(&[("deep.html", &deep), ("plain.html", &page("P", &prose(2, 60)))]);
    let out = tempfile::tempdir().unwrap();
    let script = "ulimit -s 256 && exec \"$0\" run \"$1\" --out \"$2\" --threads 1";
    let output = Command::new("sh")
        .args([
            "-c",
            script,
            env!("CARGO_BIN_EXE_dehusk"),
            &text(dir.path()),
            &text(&out.path().join("o")),
        ])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(rows(&out.path().join("o/documents.jsonl")).len(), 2);
}

#[test]
fn a_dry_run_tells_what_would_be_done_and_writes_nothing() {
    let dir = folder(&[
        ("in/a.html", "<p>x"),
        ("in/x.css", "p {}"),
        ("b.jsonl", "{\"html\":\"<p>y\"}\n"),
        ("c/thesis.txt", "x"),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    let (folder, lines, out) = (at("in"), at("b.jsonl"), at("out"));
    let dry = ["run", &folder, &lines, "--threshold", "0.5", "--dry-run", "--out"];
    let ran = dehusk(dry.iter().copied().chain([out.as_str()])).exits(0);
    assert_eq!(ran.stderr, "");
    for part in [
        format!("reads {folder} as html: 1 file, 4 bytes\n"),
        format!("reads {lines} as jsonl: 1 file, 16 bytes\n"),
        format!("passes over 1 other-extension .css, the first is {folder}/x.css\n"),
        format!("writes to {out}, which is new or empty\n"),
        "takes as much memory as the documents need, ".to_owned(),
        "differs from the default: threshold = 0.5, not 0.8\n".to_owned(),
        "\nthreshold = 0.5\n".to_owned(),
        "\nextractor = \"default\"\n".to_owned(),
    ] {
        assert!(ran.stdout.contains(&part), "`{part}` is not in {}", ran.stdout);
    }
    assert_eq!(ran.stdout.matches("differs from the default").count(), 1);
    assert!(!dir.path().join("out").exists());
    // What a run would refuse is refused.
    let taken = at("c");
    dehusk(dry.iter().copied().chain([taken.as_str()]))
        .exits(2)
        .says(&["is not empty and not an output folder of dehusk"]);
    dehusk(["run", &at("missing"), "--dry-run", "--out", &out])
        .exits(2)
        .says(&["missing`"]);
    dehusk([
        "run",
        &folder,
        "--signature",
        "shingles",
        "--candidates",
        "lsh",
        "--dry-run",
        "--out",
        &out,
    ])
    .exits(2)
    .says(&["candidates by `lsh` need"]);
}

#[test]
fn a_dry_run_names_the_files_that_are_written_replaced_and_removed() {
    let dir = folder(&[
        ("in/a.html", &page("A", &prose(1, 60))),
        ("in/b.html", &page("B", &prose(2, 60))),
    ]);
    let (input, out) = (text(&dir.path().join("in")), text(&dir.path().join("out")));
    let forms: [&[&str]; 4] = [
        &["--tsv"],
        &["--compress", "gzip"],
        &["--shard-size", "500", "--output-format", "bulk"],
        &[],
    ];
    for form in forms {
        let run = |more: &[&str]| {
            let arguments = ["run", &input, "--out", &out].into_iter();
            dehusk(arguments.chain(form.iter().copied()).chain(more.iter().copied())).exits(0)
        };
        let before = contents_or_none(&out);
        let planned = run(&["--dry-run"]).stdout;
        assert_eq!(contents_or_none(&out), before, "something was written");
        let named = |start: &str, end: &str| -> Vec<String> {
            let lines = planned.lines().filter(|line| !line.starts_with("writes to "));
            let mut names: Vec<String> = lines
                .filter_map(|line| Some(line.strip_prefix(start)?.strip_suffix(end)?.to_owned()))
                .filter(|name| !name.contains(' '))
                .collect();
            names.sort();
            names
        };
        run(&[]);
        let after = contents_or_none(&out);
        let later = |name: &&String| name.contains("-0000") && !name.contains("-00000");
        let written: Vec<String> = after
            .keys()
            .filter(|name| !name.starts_with('.'))
            .filter(|name| !later(name))
            .cloned()
            .collect();
        let mut told = named("writes ", "");
        told.extend(named("writes ", ", replacing the one that is there"));
        told.sort();
        assert_eq!(told, written, "{planned}");
        let replaced: Vec<String> = written
            .iter()
            .filter(|name| before.contains_key(*name))
            .cloned()
            .collect();
        assert_eq!(
            named("writes ", ", replacing the one that is there"),
            replaced,
            "{planned}"
        );
        let removed: Vec<String> = before
            .keys()
            .filter(|name| !after.contains_key(*name))
            .cloned()
            .collect();
        assert_eq!(named("removes ", ""), removed, "{planned}");
        assert_eq!(
            planned.contains("whose results of an earlier run are replaced"),
            !before.is_empty()
        );
    }
    // A collection that memory cannot hold is refused before it is read.
    let dry = [
        "run",
        &input,
        "--out",
        &out,
        "--dry-run",
        "--threads",
        "1",
        "--memory",
    ];
    let ran = dehusk(dry.into_iter().chain(["64MiB"])).exits(0);
    assert!(
        ran.stdout.contains(
            "takes up to 67.1 MB of memory, 17.8 MB before anything is kept of a page; the 2 records"
        ),
        "{}",
        ran.stdout
    );
    dehusk(dry.into_iter().chain(["1MiB"]))
        .exits(1)
        .says(&["is too little"]);
}

/// The files of a folder by name, none if it is not there.
fn contents_or_none(folder: &str) -> std::collections::BTreeMap<String, Vec<u8>> {
    let folder = std::path::Path::new(folder);
    if folder.exists() {
        contents(folder)
    } else {
        Default::default()
    }
}
