//! `dehusk site`, and `dehusk extract` with `--templates` and `--rules`

use serde_json::{Value, json};

use crate::support::{dehusk, folder, prose, text};

fn article(seed: u64) -> String {
    format!(
        "<body><div class=menu><a href=/>Front page</a> <a href=/x>Weather</a></div><div class=story><h1>Story {seed}</h1>\
         <p>{}</p><p>{}</p><div class=share>Tell others about it</div></div><div class=end>Printed in the old town</div></body>",
        prose(seed, 60),
        prose(seed + 500, 50)
    )
}

fn lines(seeds: std::ops::Range<u64>) -> String {
    let row =
        |s| json!({"url": format!("https://example.org/news/{s}.html"), "html": article(s)}).to_string();
    seeds.map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_site_is_learnt_shown_checked_and_applied() {
    let dir = folder(&[("old.jsonl", &lines(1..8)), ("new.jsonl", &lines(20..24))]);
    let at = |name: &str| text(&dir.path().join(name));
    let (old, new, templates) = (at("old.jsonl"), at("new.jsonl"), at("templates"));
    let learnt = dehusk(["site", "learn", &old, "--out", &templates])
        .exits(0)
        .says(&["7 pages read", "1 templates"]);
    let file = learnt.stdout.split('\t').next().expect("a path").to_owned();
    assert!(
        file.ends_with("-1.toml") && file.contains("example.org-news"),
        "{file}"
    );
    let shown = dehusk(["site", "show", &file]).exits(0).stdout;
    for part in [
        "https://example.org/news/",
        "pages    7",
        "div.story",
        "Tell others about it",
    ] {
        assert!(shown.contains(part), "`{part}` is not in {shown}");
    }
    assert_eq!(dehusk(["site", "show", &templates]).exits(0).stdout, shown);
    assert_eq!(dehusk(["site", "diff", &file, &file]).exits(0).stdout, "");

    let ran = dehusk([
        "extract",
        &new,
        "--templates",
        &templates,
        "--output-format",
        "jsonl",
    ])
    .exits(0)
    .says(&["fired on 4 pages"]);
    for (line, seed) in ran.stdout.lines().zip(20..) {
        let document: Value = serde_json::from_str(line).expect("JSON");
        let text = document["text"].as_str().expect("text");
        assert_eq!(document["method"], "site");
        assert!(text.contains(&prose(seed, 60)), "{text}");
        for gone in ["Tell others", "Front page", "Printed"] {
            assert!(!text.contains(gone), "{text}");
        }
    }
    let checked = dehusk(["site", "check", &new, "--templates", &templates])
        .exits(0)
        .stdout;
    assert!(
        checked.contains("4 pages\tfires on 4") && !checked.contains("warning"),
        "{checked}"
    );
    // The same as rules by hand.
    let rules = at("rules");
    let exported = dehusk([
        "site",
        "export",
        &templates,
        "--output-format",
        "rules",
        "--out",
        &rules,
    ])
    .exits(0)
    .stdout;
    let file_of_rules = exported.split('\t').next().expect("a path");
    let written = std::fs::read_to_string(file_of_rules).expect("a file of rules");
    assert!(
        written.contains("hosts = ['example.org']") && written.contains("'div.story'"),
        "{written}"
    );
    let checked = |rules: &str| dehusk(["site", "check", &new, "--rules", rules]).exits(0).stdout;
    let well = checked(&rules);
    assert!(
        well.contains("4 pages\tfires on 4") && !well.contains("warning"),
        "{well}"
    );
    let longer = at("longer");
    std::fs::create_dir(&longer).expect("a folder");
    let usual = written
        .lines()
        .find(|line| line.starts_with("usual_words"))
        .expect("usual words");
    let text = written
        .replace(usual, "usual_words = 4000")
        .replace("div.story", "div.tale");
    std::fs::write(at("longer/a.toml"), text).expect("a file of rules");
    let broken = checked(&longer);
    assert!(
        broken.contains("fires on 0") && broken.contains("mend the rule"),
        "{broken}"
    );
    std::fs::write(at("longer/a.toml"), written.replace(usual, "usual_words = 4000"))
        .expect("a file of rules");
    let changed = checked(&longer);
    assert!(changed.contains("4000 are usual"), "{changed}");
    assert!(
        dehusk(["site", "check", &new])
            .exits(2)
            .stderr
            .contains("--templates")
    );
    let ruled = dehusk(["extract", &new, "--rules", &rules, "--output-format", "jsonl"])
        .exits(0)
        .says(&["rules: gave the text of 4 pages"]);
    for (a, b) in ran.stdout.lines().zip(ruled.stdout.lines()) {
        let [a, b]: [Value; 2] = [a, b].map(|line| serde_json::from_str(line).expect("JSON"));
        assert_eq!(a["text"], b["text"]);
        assert_eq!(b["method"], "rules");
    }
    // New pages are added to the known ones.
    dehusk(["site", "learn", &new, "--out", &templates]).exits(0);
    assert!(
        dehusk(["site", "show", &file])
            .exits(0)
            .stdout
            .contains("pages    11")
    );
}

#[test]
fn other_learners_write_texts() {
    let dir = folder(&[("old.jsonl", &lines(1..6))]);
    let (old, out) = (text(&dir.path().join("old.jsonl")), dir.path().join("out"));
    for (learner, name) in [
        ("infholder:form=frequency", "infholder"),
        ("style-inbreeding:option=content", "style-inbreeding"),
        ("style-tree", "style-tree"),
    ] {
        dehusk([
            "site",
            "learn",
            &old,
            "--extractor",
            learner,
            "--out",
            &text(&out),
        ])
        .exits(0);
        let rows = crate::support::rows(&out.join("documents.jsonl"));
        assert_eq!(rows.len(), 5);
        for row in rows {
            assert_eq!(row["method"], name);
            let text = row["text"].as_str().expect("text");
            assert!(
                !text.contains("Printed in the old town") && text.len() > 300,
                "{learner}: {text}"
            );
        }
    }
    dehusk([
        "site",
        "learn",
        &old,
        "--extractor",
        "infholder:form=all",
        "--out",
        &text(&out),
    ])
    .exits(2)
    .says(&["form", "voting, progressive, frequency"]);
    dehusk([
        "site",
        "learn",
        &old,
        "--extractor",
        "nobody",
        "--out",
        &text(&out),
    ])
    .exits(2)
    .says(&["nobody", "style-tree"]);
}

#[test]
fn templates_start_from_the_extractor_that_is_named() {
    let dir = folder(&[("old.jsonl", &lines(1..6))]);
    let (old, out) = (text(&dir.path().join("old.jsonl")), text(&dir.path().join("t")));
    for (given, method) in [
        (None, "default"),
        (Some("site"), "default"),
        (Some("readability"), "readability"),
        (Some("density:link=0.4"), "density"),
    ] {
        let extractor = given.map(|name| ["--extractor", name]);
        let flags = ["site", "learn", &old, "--out", &out];
        let learnt = dehusk(flags.into_iter().chain(extractor.into_iter().flatten())).exits(0);
        let path = learnt.stdout.split('\t').next().expect("a path").to_owned();
        let template = std::fs::read_to_string(&path).expect("a template");
        assert!(
            template.contains(&format!("method = \"{method}\"")),
            "{given:?}: {template}"
        );
        std::fs::remove_file(path).expect("removed");
    }
    dehusk(["site", "learn", &old, "--out", &out, "--memory", "1MiB"])
        .exits(1)
        .says(&["`--memory 1MiB` is too little"]);
}

#[test]
fn threads_do_not_change_a_template() {
    let dir = folder(&[("old.jsonl", &lines(1..12))]);
    let read = |threads: &str| {
        let out = text(&dir.path().join(threads));
        let old = text(&dir.path().join("old.jsonl"));
        let learnt = dehusk(["site", "learn", &old, "--out", &out, "--threads", threads]).exits(0);
        std::fs::read_to_string(learnt.stdout.split('\t').next().expect("a path")).expect("a template")
    };
    assert_eq!(read("1"), read("4"));
}

#[test]
fn wrong_templates_end_with_code_2() {
    let dir = folder(&[("old.jsonl", &lines(1..3)), ("t/a.toml", "format = 7")]);
    let (old, templates) = (text(&dir.path().join("old.jsonl")), text(&dir.path().join("t")));
    dehusk(["extract", &old, "--templates", &templates])
        .exits(2)
        .says(&["a.toml", "format 7"]);
    dehusk(["site", "show", &old])
        .exits(2)
        .says(&["old.jsonl", "line 1"]);
    dehusk(["extract", &old, "--templates", "/nowhere"])
        .exits(2)
        .says(&["/nowhere"]);
}

#[test]
fn wrong_rules_end_with_code_2_and_a_place() {
    let rule =
        "format = 1\n[[rule]]\nhosts = [\"example.org\"]\nextract = [{ xpath = \"//p[matches(.)]\" }]\n";
    let dir = folder(&[("old.jsonl", &lines(1..3)), ("r/a.toml", rule), ("e/a.txt", "")]);
    let at = |name: &str| text(&dir.path().join(name));
    dehusk(["extract", &at("old.jsonl"), "--rules", &at("r")])
        .exits(2)
        .says(&["a.toml:4:27", "unknown function `matches`", "known: last"]);
    dehusk(["extract", &at("old.jsonl"), "--rules", &at("e")])
        .exits(2)
        .says(&["holds no rules"]);
}

#[test]
fn a_run_takes_rules_and_counts_them() {
    let rule = "format = 1\n[[rule]]\nhosts = [\"example.org\"]\nextract = [{ css = \".story p\" }]\n[[rule]]\nhosts = \
                [\"example.org\"]\npaths = [\"/news/2*\"]\nextract = [{ css = \".gone\" }]\n";
    let dir = folder(&[("old.jsonl", &lines(1..4)), ("r/a.toml", rule)]);
    let at = |name: &str| text(&dir.path().join(name));
    dehusk(["run", &at("old.jsonl"), "--rules", &at("r"), "--out", &at("out")])
        .exits(0)
        .says(&["rules: gave the text of 3 pages, removed parts of 0 others, found nothing on 0"]);
    let summary = crate::support::json(&dir.path().join("out/summary.json"));
    assert_eq!(summary["sites"], json!({"ruled": 3, "cut": 0, "silent": 0}));
    assert_eq!(summary["settings"]["rules"], json!(at("r")));
    for row in crate::support::rows(&dir.path().join("out/documents.jsonl")) {
        assert_eq!(row["method"], "rules");
        assert!(!row["text"].as_str().expect("text").contains("Story"), "{row}");
    }
}

#[test]
fn a_rule_that_only_removes_counts_where_it_removed_text() {
    let rule = "format = 1\n[[rule]]\nhosts = [\"example.org\"]\nremove = [{ css = \".story h1, .story h1 + p\" }, { css = \".none\" }]\n";
    let plain =
        json!({"url": "https://example.org/plain", "html": format!("<body><p>{}</p></body>", prose(90, 80))});
    let dir = folder(&[
        ("pages.jsonl", &format!("{}\n{plain}\n", lines(1..4))),
        ("r/a.toml", rule),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    dehusk([
        "run",
        &at("pages.jsonl"),
        "--rules",
        &at("r"),
        "--out",
        &at("out"),
    ])
    .exits(0)
    .says(&["rules: gave the text of 0 pages, removed parts of 3 others, found nothing on 0"]);
    let summary = crate::support::json(&dir.path().join("out/summary.json"));
    assert_eq!(summary["sites"], json!({"ruled": 0, "cut": 3, "silent": 0}));
    for row in crate::support::rows(&dir.path().join("out/documents.jsonl")) {
        let words = row["text"].as_str().expect("text").split_whitespace().count();
        let is_plain = row["url"] == "https://example.org/plain";
        assert_eq!(words, if is_plain { 80 } else { 50 }, "{row}");
    }
}

#[test]
fn a_run_shows_what_templates_did_whatever_the_threads() {
    let dir = folder(&[("old.jsonl", &lines(1..8)), ("new.jsonl", &lines(20..28))]);
    let at = |name: &str| text(&dir.path().join(name));
    dehusk(["site", "learn", &at("old.jsonl"), "--out", &at("t")]).exits(0);
    let page = |threads: &str| {
        let out = at(threads);
        dehusk([
            "run",
            &at("new.jsonl"),
            "--templates",
            &at("t"),
            "--out",
            &out,
            "--threads",
            threads,
        ])
        .exits(0)
        .says(&["templates: fired on 8 pages"]);
        std::fs::read_to_string(dir.path().join(threads).join("sites.html")).expect("a page")
    };
    let shown = page("1");
    for part in [
        "https://example.org/news/",
        "html/body/div.story",
        "on 8 pages",
        "Tell others about it",
        "class=\"b dropped\"",
    ] {
        assert!(shown.contains(part), "`{part}` is not in {shown}");
    }
    assert_eq!(shown, page("4"));
}

#[test]
fn records_that_cannot_be_used_count_for_site_verbs_too() {
    let rule = "format = 1\n[[rule]]\nhosts = [\"example.org\"]\nextract = [{ css = \".story\" }]\n";
    let dir = folder(&[("old.jsonl", &(lines(1..5) + "\nno page\n")), ("r/a.toml", rule)]);
    let at = |name: &str| text(&dir.path().join(name));
    dehusk([
        "site",
        "learn",
        &at("old.jsonl"),
        "--max-bad",
        "0",
        "--out",
        &at("t"),
    ])
    .exits(3)
    .says(&["bad-json"]);
    dehusk([
        "site",
        "check",
        &at("old.jsonl"),
        "--rules",
        &at("r"),
        "--max-bad",
        "0",
    ])
    .exits(3);
    let check = [
        "site",
        "check",
        &at("old.jsonl"),
        "--rules",
        &at("r"),
        "--templates",
        &at("t"),
    ];
    dehusk(check).exits(0);
    dehusk(check.iter().copied().chain(["--max-bad", "0"])).exits(3);
}

#[test]
fn every_file_of_rules_with_a_fault_is_told_at_once() {
    let rule = "format = 1\n[[rule]]\nhosts = [\"example.org\"]\nextract = [{ css = 'p' }]\n";
    let dir = folder(&[
        ("a.html", "<p>x"),
        ("r/a.toml", "format = 7\n"),
        ("r/b.toml", rule),
        (
            "r/c.toml",
            "format = 1\n[[rule]]\nhosts = [\"*\"]\nextract = [{ css = 'p' }]\n",
        ),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    let ran = dehusk(["extract", &at("a.html"), "--rules", &at("r")])
        .exits(2)
        .says(&[
            "holds 2 files of rules with faults\n",
            "a.toml:1:10: format 7, this version reads format 1; write `format = 1`",
            "c.toml:3:",
            "write the host alone",
        ]);
    assert!(!ran.stderr.contains("b.toml"), "{}", ran.stderr);
}

#[test]
fn pages_of_impossible_hosts_belong_to_no_site() {
    let row =
        |host: &str, seed| json!({"url": format!("http://{host}/news/{seed}.html"), "html": article(seed)});
    let hosts = ["*.com", "..", "*", "a b", "a\u{1b}[31mb", "[::"];
    let mut input = String::new();
    for host in hosts {
        for seed in 1..5 {
            input += &format!("{}\n", row(host, seed));
        }
    }
    for seed in 1..5 {
        input += &format!("{}\n", row("[::1]:8080", seed));
    }
    let dir = folder(&[("pages.jsonl", &input)]);
    let at = |name: &str| text(&dir.path().join(name));
    let learnt = dehusk(["site", "learn", &at("pages.jsonl"), "--out", &at("templates")])
        .exits(0)
        .says(&["24 without an address"]);
    assert_eq!(learnt.stdout.lines().count(), 1, "{}", learnt.stdout);
    dehusk(["site", "export", &at("templates"), "--out", &at("rules")]).exits(0);
    let ran = dehusk([
        "extract",
        &at("pages.jsonl"),
        "--rules",
        &at("rules"),
        "--output-format",
        "jsonl",
    ]);
    ran.exits(0).says(&["rules: gave the text of 4 pages"]);
    // A template with such a host, of whatever origin, is not a rule.
    let file = learnt.stdout.split('\t').next().expect("a path");
    let template = std::fs::read_to_string(file).expect("a template");
    std::fs::write(file, template.replace("[::1]:8080", "*.com")).expect("written");
    dehusk(["site", "export", &at("templates"), "--out", &at("others")])
        .exits(2)
        .says(&["`http://*.com/news/` are of no host"]);
    assert!(!dir.path().join("others").exists());
}

#[test]
fn what_pages_and_addresses_hold_does_nothing_to_a_terminal() {
    let article = |seed| article(seed).replace("class=share", "class='share\u{1b}[31m'");
    let row = |seed| {
        json!({"url": format!("http://a.example/x\u{1b}[31m\ny/{seed}.html"), "html": article(seed)})
            .to_string()
            + "\n"
    };
    let dir = folder(&[("pages.jsonl", &(1..6).map(row).collect::<String>())]);
    let at = |name: &str| text(&dir.path().join(name));
    let (pages, templates) = (at("pages.jsonl"), at("templates"));
    let learnt = dehusk(["site", "learn", &pages, "--out", &templates]).exits(0);
    let shown = dehusk(["site", "show", &templates]).exits(0);
    let checked = dehusk(["site", "check", &pages, "--templates", &templates]).exits(0);
    assert_eq!(learnt.stdout.lines().count(), 1, "{}", learnt.stdout);
    for ran in [learnt, shown, checked] {
        let said = ran.stdout + &ran.stderr;
        assert!(!said.contains('\u{1b}'), "{said}");
        assert!(said.contains("x\\u{1b}[31m\\ny/"), "{said}");
    }
    let wrong = at("a\u{1b}[31m\nb.html");
    let refused = dehusk(["extract", &wrong])
        .exits(2)
        .says(&["a\\u{1b}[31m\\nb.html"]);
    assert!(!refused.stderr.contains('\u{1b}'), "{}", refused.stderr);
}

#[test]
fn a_run_learns_the_sites_of_its_pages() {
    let other: String = lines(40..60).replace("example.org", "example.com");
    let dir = folder(&[("pages.jsonl", &(lines(1..30) + "\n" + &other))]);
    let at = |name: &str| text(&dir.path().join(name));
    let run = |out: &str, more: &[&str]| {
        let (pages, out) = (at("pages.jsonl"), at(out));
        let flags = ["run", &pages, "--learn-sites", "--out", &out];
        dehusk(flags.iter().copied().chain(more.iter().copied())).exits(0)
    };
    let planned = run("out", &["--dry-run"]).stdout;
    assert!(
        planned.contains("writes templates/\n") && planned.contains("learn-sites = true"),
        "{planned}"
    );
    assert!(!dir.path().join("out").exists());
    run("out", &[]).says(&[
        "learnt: 2 templates from 49 pages",
        "templates: fired on 49 pages",
    ]);
    for row in crate::support::rows(&dir.path().join("out/kept.jsonl")) {
        assert_eq!(row["method"], "site");
        assert!(
            !row["text"].as_str().expect("text").contains("Tell others"),
            "{row}"
        );
    }
    // Pages are worked on in processes of their own, or not.
    run("within", &["--in-process", "--threads", "3"]);
    for folder in ["", "/templates"] {
        let files = |out: &str| crate::support::contents(&dir.path().join(out.to_owned() + folder));
        assert!(files("out") == files("within") && files("out").len() > 1);
    }
    let again = run("out", &["--resume"]);
    assert!(again.stderr.contains("nothing to do"), "{}", again.stderr);
    dehusk([
        "site",
        "check",
        &at("pages.jsonl"),
        "--templates",
        &at("out/templates"),
    ])
    .exits(0);
    // Standard input is kept for the second pass, and nothing of it stays.
    let pages = std::fs::read(at("pages.jsonl")).expect("pages");
    let piped = [
        "run",
        "-",
        "--learn-sites",
        "--input-format",
        "jsonl",
        "--out",
        &at("piped"),
    ];
    crate::support::dehusk_reading(piped, &pages).exits(0);
    // Records from standard input say so.
    let input = format!("\"source\":\"{}\"", at("pages.jsonl"));
    let data = |out: &str| {
        let mut files = crate::support::contents(&dir.path().join(out));
        files.retain(|name, _| name.ends_with(".jsonl"));
        for file in files.values_mut() {
            let text = String::from_utf8_lossy(file);
            *file = text.replace(&input, "\"source\":\"-\"").into_bytes();
        }
        files
    };
    assert!(data("piped") == data("out") && data("out").len() > 1);
    assert!(!dir.path().join("piped/.dehusk-input").exists());
    let again = piped.into_iter().chain(["--resume"]);
    crate::support::dehusk_reading(again, &pages)
        .exits(2)
        .says(&["read only once", "without `--resume`"]);
}

/// Pages whose bylines no class and no phrase names. Those of `stated` state their fields for machines, too.
fn bylines(seeds: std::ops::Range<u64>, stated: bool) -> String {
    let people = ["Ann Lee", "Bob Mill", "Cy Rook", "Dee Hart", "Eve Marsh"];
    let row = |seed: u64| {
        let (name, day) = (people[seed as usize % 5], 1 + seed % 28);
        let head = match stated {
            true => format!(
                "<meta name=author content='{name}'><meta property='article:published_time' content='2024-03-{day:02}'>"
            ),
            false => String::new(),
        };
        let html = format!(
            "<head><title>Story {seed} of the river</title>{head}</head><body><div class=menu><a href=/>Front page</a></div>\
             <div class=story><h1>Story {seed} of the river</h1><div class=under><i>{name}</i> <u>Old Town, {day:02}/03/2024</u></div>\
             <p>{}</p></div><div class=end><i>John Owner</i></div></body>",
            prose(seed, 60)
        );
        json!({"url": format!("https://example.org/news/{seed}.html"), "html": html}).to_string()
    };
    seeds.map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn places_of_fields_are_learnt_shown_exported_and_applied() {
    let dir = folder(&[
        ("old.jsonl", &bylines(1..9, true)),
        ("new.jsonl", &bylines(20..24, false)),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    let (old, new, templates, rules) = (at("old.jsonl"), at("new.jsonl"), at("templates"), at("rules"));
    dehusk(["site", "learn", &old, "--out", &templates]).exits(0);
    let shown = dehusk(["site", "show", &templates]).exits(0).stdout;
    for part in [
        "fields",
        "authors  div.under > i",
        "8 of 8 as the page states",
        "date     div.under > u",
    ] {
        assert!(shown.contains(part), "`{part}` is not in {shown}");
    }
    dehusk(["site", "export", &templates, "--out", &rules]).exits(0);
    let fields = |flags: &[&str]| -> Vec<(Value, Value, Value)> {
        let mut arguments = vec!["extract", new.as_str(), "--output-format", "jsonl"];
        arguments.extend(flags);
        let ran = dehusk(arguments).exits(0);
        let documents = ran
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"));
        documents
            .map(|document: Value| {
                let source = document["metadata_sources"]["authors"].clone();
                (document["authors"].clone(), document["date"].clone(), source)
            })
            .collect()
    };
    let is_none = |authors: &Value| authors.as_array().is_none_or(|authors| authors.is_empty());
    let alone = fields(&[]);
    assert!(alone.iter().all(|(authors, ..)| is_none(authors)), "{alone:?}");
    let people = ["Ann Lee", "Bob Mill", "Cy Rook", "Dee Hart"];
    for (flag, folder, source) in [
        (
            "--templates",
            &templates,
            "template: place on the pages of the site",
        ),
        ("--rules", &rules, "rule: rules of the site"),
    ] {
        for ((found, name), day) in fields(&[flag, folder]).into_iter().zip(people).zip(21..) {
            assert_eq!(
                found,
                (json!([name]), json!(format!("2024-03-{day}")), json!(source))
            );
        }
    }
}
