//! Help, tables, completions and manual pages.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{dehusk, folder, text};

fn tables() -> Vec<(String, BTreeSet<String>)> {
    let ran = dehusk(["methods", "--output", "json"]).exits(0);
    let tables: Vec<Value> = serde_json::from_str(&ran.stdout).expect("JSON");
    let name = |value: &Value| value["name"].as_str().expect("a name").to_owned();
    tables
        .iter()
        .map(|table| {
            (
                name(table),
                table["entries"]
                    .as_array()
                    .expect("a list")
                    .iter()
                    .map(name)
                    .collect(),
            )
        })
        .collect()
}

#[test]
fn methods_lists_exactly_what_the_tables_hold() {
    use dehusk_pipeline::{dedup, extract, normalize};
    macro_rules! names {
        ($all:expr) => {
            $all.iter()
                .map(|entry| entry.name().to_owned())
                .collect::<BTreeSet<String>>()
        };
    }
    let expected = [
        ("formats", names!(dehusk_pipeline::format::ALL)),
        ("extractors", names!(extract::label::ALL)),
        ("site methods", names!(extract::site::methods::ALL)),
        ("profiles", names!(normalize::profile::ALL)),
        ("passes", names!(normalize::passes::ALL)),
        ("signatures", names!(dedup::sign::ALL)),
        ("candidates", names!(dedup::candidates::ALL)),
        ("similarities", names!(dedup::verify::ALL)),
        ("clusterings", names!(dedup::cluster::ALL)),
        ("keepers", names!(dedup::keep::ALL)),
    ];
    assert_eq!(tables(), expected.map(|(name, names)| (name.to_owned(), names)));
    let text = dehusk(["methods"]).exits(0).stdout;
    for (name, names) in tables() {
        assert!(text.contains(&name), "{name}");
        for name in names {
            assert!(text.contains(&format!("  {name} ")), "{name}");
        }
    }
}

#[test]
fn every_setting_of_a_file_is_a_flag_and_the_other_way_round() {
    let dir = folder(&[("a.html", "x"), ("c.toml", "nothing = 1")]);
    let (input, config) = (text(&dir.path().join("a.html")), text(&dir.path().join("c.toml")));
    let ran = dehusk([
        "run",
        &input,
        "--out",
        &text(&dir.path().join("o")),
        "--config",
        &config,
    ])
    .exits(2);
    let known = ran.stderr.split("expected one of ").nth(1).unwrap();
    let known = known.lines().next().unwrap(); // the rest says what to do
    let settings: BTreeSet<String> = known.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    let help = dehusk(["run", "--help"]).exits(0).stdout;
    let flags: BTreeSet<String> = help
        .lines()
        .filter_map(|line| {
            line.trim_start()
                .split("--")
                .nth(1)
                .filter(|_| line.trim_start().starts_with('-'))
        })
        .map(|rest| rest.split([' ', '=', '[']).next().unwrap().to_owned())
        .collect();
    // What belongs to one call: where to write, what to say, and the page's address.
    let only_flags = ["out", "config", "quiet", "verbose", "help", "tsv", "url"].map(str::to_owned);
    let expected: BTreeSet<String> = settings.union(&BTreeSet::from(only_flags)).cloned().collect();
    assert_eq!(flags, expected);
}

#[test]
fn every_verb_has_help_and_a_manual_page() {
    let help = dehusk(["--help"]).exits(0).stdout;
    for verb in [
        "run",
        "extract",
        "dedup",
        "normalize",
        "sign",
        "index",
        "compare",
        "generate",
        "methods",
        "completions",
        "man",
    ] {
        assert!(help.contains(&format!("  {verb} ")), "{verb}");
        assert!(
            dehusk([verb, "--help"])
                .exits(0)
                .stdout
                .contains(&format!("Usage: dehusk {verb}")),
            "{verb}"
        );
        assert!(
            dehusk(["man", verb])
                .exits(0)
                .stdout
                .contains(&format!(".TH dehusk-{verb} 1")),
            "{verb}"
        );
    }
    assert!(dehusk(["man"]).exits(0).stdout.contains(".TH dehusk 1"));
    assert!(dehusk(["--version"]).exits(0).stdout.starts_with("dehusk 0."));
}

#[test]
fn completions_know_the_flags() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = dehusk(["completions", shell]).exits(0).stdout;
        assert!(
            script.contains("max-bytes") && script.contains("readability"),
            "{shell}"
        );
    }
    dehusk(["completions", "csh"]).exits(2).says(&["csh", "bash"]);
}
