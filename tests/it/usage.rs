//! Wrong usage: messages and exit codes.

use crate::support::{dehusk, dehusk_reading, folder, text};

#[test]
fn unknown_options_and_values_are_named_with_what_is_possible() {
    dehusk(["run", "x", "--treshold", "0.5", "--out", "o"])
        .exits(2)
        .says(&["--treshold", "--threshold"]);
    dehusk(["run", "x", "--threshold", "7", "--out", "o"])
        .exits(2)
        .says(&["--threshold", "`7` is not a similarity above 0 and up to 1"]);
    dehusk(["extract", "x", "--extractor", "redability"])
        .exits(2)
        .says(&["redability", "readability", "all-text"]);
    dehusk(["dedup", "x", "--signature", "minhsah", "--out", "o"])
        .exits(2)
        .says(&["unknown signature `minhsah`; known: ", "minhash"]);
    dehusk(["dedup", "x", "--cluster", "components:size=3", "--out", "o"])
        .exits(2)
        .says(&["`components` has no parameter `size`"]);
    dehusk(["run", "x", "--max-bytes", "many", "--out", "o"])
        .exits(2)
        .says(&["such as 500KiB or 64MiB"]);
    dehusk(["run", "x"]).exits(2).says(&["--out <DIR>"]);
    dehusk(["extract"])
        .exits(2)
        .says(&["<INPUT|--files-from <FILE>>"]);
    dehusk(["frobnicate"]).exits(2).says(&["frobnicate"]);
    dehusk(["man", "frobnicate"])
        .exits(2)
        .says(&["unknown verb `frobnicate`; known: run, extract, "]);
    dehusk(Vec::<String>::new()).exits(2).says(&["Usage: dehusk"]);
}

/// Errors name the intended command for a misplaced or misspelt verb, flag or input.
#[test]
fn what_was_meant_is_told() {
    let dir = folder(&[("crawl/page.html", "<p>x")]);
    let at = |name: &str| text(&dir.path().join(name));
    let page = at("crawl/page.html");
    dehusk([&page])
        .exits(2)
        .says(&[&format!("`dehusk extract {page}`")]);
    dehusk([&at("crawl")])
        .exits(2)
        .says(&["`dehusk run ", "--out DIR`"]);
    dehusk(["help", "extarct"]).exits(2).says(&["'extract'"]);
    dehusk(["help", "site", "lern"]).exits(2).says(&["'learn'"]);
    for (verb, given, meant) in [
        ("run", "--format", "'--output-format'"),
        ("extract", "--output", "'--out'"),
        ("dedup", "--method", "'--signature'"),
        ("extract", "--jobs", "'--threads'"),
        ("run", "--extarctor", "'--extractor'"),
    ] {
        let ran = dehusk([verb, &page, given, "x"]).exits(2).says(&[given, meant]);
        assert!(!ran.stderr.contains("as a value"), "{}", ran.stderr);
    }
    dehusk_reading(["extract", "--markdown"], b"<p>x")
        .exits(2)
        .says(&["`dehusk extract -`"]);
    dehusk_reading(["site", "check"], b"<p>x")
        .exits(2)
        .says(&["`dehusk site check -`"]);
    let ran = dehusk(["extract", "--markdown"]).exits(2);
    assert!(
        !ran.stderr.contains("where `-` stands"),
        "nothing is piped: {}",
        ran.stderr
    );
}

#[test]
fn help_begins_with_examples_and_its_groups_are_short() {
    for verb in ["run", "extract", "dedup"] {
        let help = dehusk(["help", verb]).exits(0).stdout;
        assert!(
            help.starts_with(&format!("Examples:\n  $ dehusk {verb} ")),
            "{help}"
        );
        let is_heading = |line: &&str| line.ends_with(':') && !line.starts_with(' ');
        let groups: Vec<&str> = help.split_inclusive('\n').collect();
        let groups: Vec<usize> = groups
            .chunk_by(|_, next| !is_heading(&next.trim_end()))
            .map(<[&str]>::len)
            .collect();
        assert!(groups.iter().all(|lines| *lines < 80), "{verb}: {groups:?}");
    }
}

#[test]
fn an_output_makes_the_folder_it_lies_in() {
    let dir = folder(&[("a.html", "<p>One page of one.")]);
    let at = |name: &str| text(&dir.path().join(name));
    let out = at("not/there/raw.jsonl");
    dehusk(["extract", &at("a.html"), "--out", &out]).exits(0);
    assert_eq!(
        std::fs::read_to_string(&out)
            .expect("it is there")
            .lines()
            .count(),
        1
    );
    // A file in the place of a folder stays, and is named.
    let inside = at("a.html/raw.jsonl");
    dehusk(["extract", &at("a.html"), "--out", &inside])
        .exits(4)
        .says(&["a.html`"]);
    assert_eq!(
        std::fs::read_to_string(at("a.html")).expect("it is there"),
        "<p>One page of one."
    );
}

#[test]
fn inputs_that_are_not_there_are_named_before_anything_is_done() {
    let dir = folder(&[("a.html", "<p>x")]);
    let missing = text(&dir.path().join("missing"));
    let out = dir.path().join("out");
    for verb in ["run", "dedup"] {
        let ran = dehusk([verb, &missing, "--out", &text(&out)]).exits(2);
        ran.says(&[
            "error: cannot read `",
            "missing`: No such file or directory",
            "check the name",
        ]);
    }
    dehusk(["extract", &text(&dir.path().join("a.html")), &missing])
        .exits(2)
        .says(&["missing`"]);
    assert!(!out.exists());
    dehusk(["extract", "-", "-"])
        .exits(2)
        .says(&["standard input `-` is named twice"]);
    dehusk(["dedup", &text(&dir.path().join("a.html")), "--out", &text(&out)])
        .exits(2)
        .says(&[
            "a.html` is read as html, which holds pages, not documents",
            "dehusk run",
        ]);
    assert!(!out.exists());
}

#[test]
#[cfg(unix)]
fn an_unreadable_page_costs_itself() {
    use std::os::unix::fs::symlink;
    let dir = folder(&[
        ("in/a.html", "<p>One page of two."),
        ("in/c.html", "<p>The other page."),
    ]);
    symlink("nowhere", dir.path().join("in/b.html")).unwrap();
    let input = text(&dir.path().join("in"));
    let ran = dehusk(["extract", &input]).exits(0);
    assert_eq!(ran.stdout.lines().count(), 2);
    ran.says(&["rejected: ", "in/b.html: unreadable: No such file or directory"]);
    dehusk(["extract", &input, "--max-bad", "1%"])
        .exits(3)
        .says(&["1 of 3 records were rejected"]);
}

#[test]
fn pages_and_documents_are_not_taken_for_each_other() {
    let dir = folder(&[]);
    let out = text(&dir.path().join("out"));
    let ran = dehusk_reading(
        ["dedup", "-", "--out", &out],
        b"{\"id\":\"a\",\"html\":\"<p>x\"}\n",
    )
    .exits(3);
    ran.says(&["missing-content: line 1: this line is a page with `html`, not a document with `text`"]);
    let ran = dehusk_reading(
        [
            "extract",
            "--input-format",
            "jsonl",
            "--output-format",
            "text",
            "-",
        ],
        b"{\"text\":\"x\"}\n",
    )
    .exits(3);
    ran.says(&["this line is a document with `text`, not a page"]);
}

#[test]
fn a_wrong_configuration_is_told_with_file_line_and_column() {
    let dir = folder(&[
        ("a.html", "<p>x"),
        ("c.toml", "seed = 1\ntreshold = 0.5\n"),
        ("d.toml", "extractor = \"x\"\n"),
    ]);
    let input = text(&dir.path().join("a.html"));
    let out = text(&dir.path().join("out"));
    let config = |name: &str| {
        dehusk([
            "run",
            &input,
            "--out",
            &out,
            "--config",
            &text(&dir.path().join(name)),
        ])
        .exits(2)
    };
    config("c.toml").says(&["c.toml`, line 2, column 1: unknown key `treshold`; did you mean `threshold`?"]);
    config("d.toml").says(&[
        "d.toml`, line 1, column 13: ",
        "unknown extractor `x`; known: default, readability",
    ]);
    config("none.toml").says(&["cannot read `", "none.toml`"]);
    assert!(!dir.path().join("out").exists());
}

#[test]
fn settings_that_do_not_fit_together_are_refused() {
    let dir = folder(&[("a.jsonl", "{\"text\":\"x\"}\n")]);
    let input = text(&dir.path().join("a.jsonl"));
    let out = text(&dir.path().join("out"));
    dehusk([
        "dedup",
        &input,
        "--out",
        &out,
        "--signature",
        "shingles",
        "--candidates",
        "lsh",
    ])
    .exits(2)
    .says(&["candidates by `lsh` need", "`shingles` makes sets"]);
    assert!(!dir.path().join("out").exists());
}

#[test]
fn a_folder_is_no_standard_output_and_nothing_to_read_is_told() {
    let dir = folder(&[("in/a.css", "x"), ("e.jsonl", "")]);
    let at = |name: &str| text(&dir.path().join(name));
    dehusk(["run", &at("in"), "--out", "-"])
        .exits(2)
        .says(&["--out", "standard output cannot be"]);
    let nothing = "warning: nothing was read: the inputs are empty";
    dehusk(["run", &at("in"), "--out", &at("out")]).exits(1).says(&[
        "0 pages read, 0 documents kept",
        "1 other-extension",
        "warning: nothing was read of what was given",
    ]);
    for verb in [vec!["sign"], vec!["normalize"], vec!["extract"]] {
        dehusk(verb.into_iter().chain([at("e.jsonl").as_str()]))
            .exits(0)
            .says(&[nothing]);
    }
    dehusk(["index", "add", &at("index"), &at("e.jsonl")])
        .exits(0)
        .says(&[nothing]);
}

#[test]
fn quiet_is_quiet() {
    let dir = folder(&[("in/a.html", "<p>x")]);
    let out = text(&dir.path().join("out"));
    let ran = dehusk(["run", &text(&dir.path().join("in")), "--out", &out, "--quiet"]).exits(0);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
}

#[test]
fn compressed_input_that_is_not_read_is_named_and_never_read_as_text() {
    let dir = folder(&[]);
    let xz: &[u8] = b"\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f\xe5\xa3";
    let at = |name: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, xz).expect("a file");
        text(&path)
    };
    let told = "xz-compressed; unpack it first";
    for name in ["a.html", "a.html.gz", "pages.jsonl", "a.xml"] {
        let ran = dehusk(["extract", &at(name)])
            .exits(3)
            .says(&["compressed: ", told]);
        assert_eq!(ran.stdout, "", "{name}");
    }
    for format in ["html", "jsonl", "romip", "tar"] {
        let ran = dehusk_reading(
            [
                "extract",
                "--input-format",
                format,
                "--output-format",
                "text",
                "-",
            ],
            xz,
        );
        assert_eq!(ran.exits(3).says(&[told]).stdout, "", "{format}");
    }
    let out = text(&dir.path().join("out"));
    dehusk(["dedup", &at("documents.jsonl"), "--out", &out])
        .exits(3)
        .says(&[told]);
    dehusk(["normalize", &at("a.txt")]).exits(3).says(&[told]);
    dehusk(["normalize", &at("a.xz"), "--input-format", "text"])
        .exits(3)
        .says(&[told]);
}

/// Verbs that keep nothing of an interrupted run reject `--resume` with that reason.
#[test]
fn verbs_that_cannot_resume_say_so() {
    for verb in [
        &["dedup", "x.jsonl", "--out", "out", "--resume"][..],
        &[
            "compare", "x.jsonl", "--truth", "t.tsv", "--out", "out", "--resume",
        ],
    ] {
        dehusk(verb)
            .exits(2)
            .says(&["keeps nothing of a run that was interrupted", "begins anew"]);
        let help = dehusk([verb[0], "--help"]).exits(0).stdout;
        assert!(
            help.contains("interrupted") && !help.contains("--resume"),
            "{help}"
        );
    }
}
