//! `--config FILE`: flags that are read from TOML.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::support::{dehusk, dehusk_reading, folder, json, page, prose, rows, text};

/// What is said of a configuration file with that text, which `verb` refuses.
fn refused(verb: &[&str], config: &str) -> String {
    let dir = folder(&[("a.html", "<p>x"), ("c.toml", config)]);
    let path = text(&dir.path().join("c.toml"));
    let input = text(&dir.path().join("a.html"));
    let out = dir.path().join("out");
    let ran = dehusk(
        verb.iter()
            .copied()
            .chain([input.as_str(), "--out", &text(&out), "--config", &path]),
    )
    .exits(2);
    assert!(!out.exists());
    let message = ran.stderr.lines().next().unwrap_or_default();
    let start = message.find("c.toml`, ").unwrap_or_else(|| panic!("{message}"));
    message[start + 9..].to_owned()
}

#[test]
fn keys_are_the_flags_of_a_verb() {
    let html = page("Title", &prose(1, 60));
    let dir = folder(&[
        ("a.html", &html),
        (
            "extract.toml",
            "output-format = \"json\"\ntimings = true\nextractor = \"all-text\"\ntables = \"omit\"\nlinks = false\n",
        ),
        (
            "normalize.toml",
            "tokens = true\nprofile = \"exact\"\nthreads = 1\n",
        ),
        (
            "sign.toml",
            "output-format = \"tsv\"\nsignature = \"simhash\"\nquiet = true\n",
        ),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    let ran = dehusk(["extract", &at("a.html"), "--config", &at("extract.toml")]).exits(0);
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(document["method"], "all-text");
    assert!(document["us"].is_u64());
    let ran = dehusk_reading(
        ["normalize", "-", "--config", &at("normalize.toml")],
        "Ёлка, да".as_bytes(),
    )
    .exits(0);
    assert_eq!(ran.stdout, "{\"id\":\"-\",\"tokens\":[\"Ёлка\",\"да\"]}\n");
    let ran = dehusk_reading(
        ["sign", "-", "--config", &at("sign.toml")],
        b"{\"id\":\"a\",\"text\":\"one two three four five\"}\n",
    )
    .exits(0);
    assert!(
        ran.stderr.is_empty() && ran.stdout.contains("a\t"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_file_may_bring_what_is_required_and_lists() {
    let dir = folder(&[
        (
            "d.jsonl",
            "{\"id\":\"a\",\"text\":\"one two three\"}\n{\"id\":\"b\",\"text\":\"one two three\"}\n",
        ),
        ("t.tsv", "a\t1\nb\t1\n"),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    let config = format!(
        "truth = '{}'\nout = '{}'\nsignature = [\"md5\", \"minhash:width=64\"]\nno-costs = true\nbootstrap = 0\n",
        at("t.tsv"),
        at("out")
    );
    fs::write(at("c.toml"), config).expect("a file");
    dehusk(["compare", &at("d.jsonl"), "--config", &at("c.toml")]).exits(0);
    let results = json(Path::new(&at("out/results.json")));
    assert_eq!(
        results["views"][0]["rows"].as_array().map(Vec::len),
        Some(4),
        "two methods, alone and with verification"
    );
}

#[test]
fn flags_come_first_and_keys_of_other_verbs_are_passed_over() {
    let dir = folder(&[
        ("a.html", &page("Title", &prose(1, 60))),
        (
            "c.toml",
            "recall = true\nextractor = \"readability\"\nthreshold = 0.9\non-near = \"keep\"\noffsets = true\n",
        ),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    let (input, out, config) = (at("a.html"), at("out"), at("c.toml"));
    dehusk([
        "run",
        &input,
        "--out",
        &out,
        "--config",
        &config,
        "--precision",
        "--threshold",
        "0.5",
    ])
    .exits(0);
    let settings = json(Path::new(&out).join("summary.json").as_path())["settings"].clone();
    assert_eq!(settings["extractor"], "readability");
    assert_eq!(
        (&settings["precision"], &settings["recall"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(
        (&settings["threshold"], &settings["on-near"]),
        (&json!(0.5), &json!("keep"))
    );
    assert_eq!(rows(Path::new(&out).join("kept.jsonl").as_path()).len(), 1);
    // What stands after `--` is not a flag.
    dehusk(["--config", &config, "extract", "--", &input]).exits(0);
}

#[test]
fn what_is_wrong_is_told_with_line_column_and_the_nearest_key() {
    assert_eq!(
        refused(&["run"], "\n\n  treshold = 0.5"),
        "line 3, column 3: unknown key `treshold`; did you mean `threshold`?"
    );
    assert_eq!(
        refused(&["extract"], "output-fromat = \"json\""),
        "line 1, column 1: unknown key `output-fromat`; did you mean `output-format`?"
    );
    let value = refused(&["run"], "seed = 1\nthreshold = 7\n");
    assert!(
        value.starts_with("line 2, column 13: ")
            && value.ends_with("`7` is not a similarity above 0 and up to 1"),
        "{value}"
    );
    let signature = refused(&["run"], "signature = 'minhsah'");
    assert!(
        signature.starts_with("line 1, column 13: ")
            && signature.contains("unknown signature `minhsah`; known: "),
        "{signature}"
    );
    assert!(refused(&["run"], "seed = ").starts_with("line 1, column 8: "));
    assert!(refused(&["run"], "seed = -1").starts_with("line 1, column 8: "));
    assert!(
        refused(&["extract"], "timings = 3").starts_with("line 1, column 11: `timings` wants true or false")
    );
    assert_eq!(
        refused(&["run"], "seed = 1\n[threshold]\nx = 1"),
        "line 2, column 2: `[threshold]` is a section, but keys stand alone: `threshold` wants a value"
    );
    assert_eq!(
        refused(&["run"], "[extraction]\nfast = true"),
        "line 1, column 2: unknown section `[extraction]`: keys stand alone, in no section; did you mean `extractor`?"
    );
    let both = refused(&["run"], "precision = true\nrecall = true");
    assert!(
        both.starts_with("line 2, column 1: ") && both.contains("--precision") && both.contains("--recall"),
        "{both}"
    );
    assert!(refused(&["run"], "config = 'other.toml'").starts_with("line 1, column 1: "));
}

#[test]
fn print_config_writes_all_that_is_in_force_and_nothing_else() {
    let dir = folder(&[
        ("in/a.html", &page("A", &prose(1, 60))),
        ("c.toml", "threshold = 0.7\nrecall = true\n"),
    ]);
    let at = |name: &str| text(&dir.path().join(name));
    let flags = [
        "--config",
        &at("c.toml"),
        "--keep",
        "longest",
        "--templates",
        "t \"x\"",
    ];
    // Neither inputs nor an output folder are needed.
    let ran = dehusk(["run", "--print-config"].into_iter().chain(flags)).exits(0);
    assert_eq!(ran.stderr, "");
    let table: toml::Table = ran.stdout.parse().expect("TOML");
    for (key, value) in [
        ("threshold", toml::Value::from(0.7)),
        ("recall", true.into()),
        ("keep", "longest".into()),
        ("templates", "t \"x\"".into()),
        ("shingle", 4.into()),
        ("on-near", "delete".into()),
        ("tsv", false.into()),
    ] {
        assert_eq!(table.get(key), Some(&value), "{key}");
    }
    for unset in ["precision", "memory", "threads", "out", "config"] {
        assert_eq!(table.get(unset), None, "{unset}");
    }
    // That file gives the same, and so does a run with it.
    fs::write(at("all.toml"), &ran.stdout).expect("a file");
    let again = dehusk(["run", "--print-config", "--config", &at("all.toml")]).exits(0);
    assert_eq!(again.stdout, ran.stdout);
    let settings = |config: &str, out: &str| {
        let input = at("in");
        let mut arguments = vec!["run", &input, "--out", out, "--config", config];
        arguments.extend(&flags[2..4]);
        dehusk(arguments).exits(0);
        json(&Path::new(out).join("summary.json"))["settings"].clone()
    };
    fs::write(
        at("all.toml"),
        ran.stdout.replace("templates = ", "# templates = "),
    )
    .expect("a file");
    assert_eq!(
        settings(&at("all.toml"), &at("o1")),
        settings(&at("c.toml"), &at("o2"))
    );
    // An error is reported, and nothing is written.
    let ran = dehusk(["run", "--print-config", "--threshold", "7"]).exits(2);
    assert_eq!(ran.says(&["--threshold"]).stdout, "");
}

/// `UPDATE_EXPECT=1` writes the manual again.
#[test]
#[cfg(all(
    feature = "manual",
    feature = "parquet",
    feature = "rules",
    feature = "html5ever"
))]
fn the_manual_of_settings_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/settings.md");
    let made = dehusk(["man", "--settings"]).exits(0).stdout;
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, &made).expect("the manual");
    }
    let there = fs::read_to_string(path).unwrap_or_default();
    assert!(
        there == made,
        "docs/settings.md is not what `dehusk man --settings` writes; `UPDATE_EXPECT=1 cargo test -p dehusk-cli manual` updates it"
    );
}
