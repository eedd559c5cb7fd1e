//! Help, tables, completions and manual pages.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::dehusk;

fn tables() -> Vec<(String, BTreeSet<String>)> {
    let ran = dehusk(["methods", "--output-format", "json"]).exits(0);
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
        ("output formats", names!(dehusk_pipeline::output_format::ALL)),
        ("extractors", names!(extract::label::ALL)),
        ("site extractors", names!(extract::site::methods::ALL)),
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

/// Every verb that does something itself, with the verb it belongs to.
const VERBS: [&str; 27] = [
    "run",
    "extract",
    "explain",
    "site learn",
    "site show",
    "site export",
    "site diff",
    "site check",
    "dedup",
    "passages",
    "sign",
    "normalize",
    "index add",
    "index query",
    "index remove",
    "index merge",
    "index compact",
    "index stats",
    "compare",
    "generate mutations",
    "generate records",
    "generate romip",
    "generate parts",
    "generate stars",
    "generate passages",
    "methods",
    "man",
];

fn help(verb: &str) -> String {
    dehusk(verb.split(' ').chain(["--help"])).exits(0).stdout
}

/// The flags that a text mentions, without dashes.
fn mentioned(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("--") {
        let before = text[..at].chars().next_back();
        let name: String = text[at + 2..].chars().take_while(|c| is_part(*c)).collect();
        if before.is_none_or(|c| !is_part(c)) && name.starts_with(|c: char| c.is_ascii_lowercase()) {
            found.insert(name.trim_end_matches('-').to_owned());
        }
    }
    found
}

/// The flags that a help text lists.
fn listed(help: &str) -> BTreeSet<String> {
    let lines = help
        .lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with('-'));
    lines
        .filter_map(|line| {
            mentioned(line.split("  ").next().unwrap_or(line))
                .into_iter()
                .next()
        })
        .collect()
}

#[test]
fn every_verb_that_reads_takes_the_same_flags() {
    for verb in [
        "run",
        "extract",
        "explain",
        "site learn",
        "site check",
        "dedup",
        "passages",
        "sign",
        "normalize",
        "index add",
        "index query",
        "compare",
    ] {
        let help = help(verb);
        for flag in [
            "-j, --threads <N>",
            "-q, --quiet",
            "-v, --verbose",
            "--config <FILE>",
            "--files-from <FILE>",
            "--max-bad <N|N%>",
            "--input-format <FORMAT>",
        ] {
            assert!(help.contains(flag), "{verb}: {flag}");
        }
        assert_eq!(
            help.contains("--memory"),
            !matches!(
                verb,
                "extract" | "explain" | "site check" | "normalize" | "compare"
            ),
            "{verb}"
        );
    }
    for verb in VERBS {
        assert!(help(verb).contains("--config <FILE>"), "{verb}");
    }
}

#[test]
fn help_names_only_flags_that_there_are() {
    let known: BTreeSet<String> = VERBS.iter().flat_map(|verb| listed(&help(verb))).collect();
    assert!(
        known.contains("on-exact") && known.contains("output-format"),
        "{known:?}"
    );
    for verb in VERBS {
        let unknown: Vec<String> = mentioned(&help(verb)).difference(&known).cloned().collect();
        assert!(unknown.is_empty(), "{verb}: {unknown:?}");
    }
    for table in dehusk_pipeline::tables() {
        let unknown: Vec<String> = mentioned(table.flag).difference(&known).cloned().collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", table.name);
    }
}

#[test]
fn every_setting_is_a_flag() {
    let known: BTreeSet<String> = VERBS.iter().flat_map(|verb| listed(&help(verb))).collect();
    for setting in dehusk_pipeline::settings::table::ALL {
        assert!(known.contains(setting.name), "{}", setting.name);
    }
}

#[test]
fn a_thing_has_one_name() {
    for (verb, flag) in [
        ("run", "--method"),
        ("run", "--input"),
        ("run", "--exact"),
        ("run", "--near"),
        ("run", "--short"),
        ("run", "--no-tables"),
        ("run", "--no-comments"),
        ("run", "--clustering"),
        ("run", "--keeper"),
        ("extract", "--output"),
        ("extract", "--explain"),
        ("dedup", "--method"),
        ("sign", "--method"),
        ("sign", "--output"),
        ("normalize", "--input"),
        ("normalize", "--output"),
        ("methods", "--output"),
        ("site learn", "--learner"),
        ("site learn", "--page-extractor"),
        ("site export", "--format"),
        ("index remove", "--from"),
        ("compare", "--methods"),
    ] {
        dehusk(verb.split(' ').chain([flag, "x"]))
            .exits(2)
            .says(&[&format!("unexpected argument '{flag}' found")]);
        assert!(!listed(&help(verb)).contains(&flag[2..]), "{verb} {flag}");
    }
    for verb in VERBS {
        assert!(!help(verb).contains("alias"), "{verb}");
    }
}

/// The lines of a document's code blocks that call the program, as arguments.
fn commands(document: &str) -> Vec<Vec<String>> {
    let lines = document.lines().filter_map(|line| line.strip_prefix("$ dehusk "));
    let arguments = |line: &str| {
        let line = line.split(" #").next().unwrap_or(line);
        let line = line.split(['>', '|']).next().unwrap_or(line);
        line.split_whitespace().map(str::to_owned).collect()
    };
    lines.map(arguments).collect()
}

#[test]
fn commands_in_documents_are_understood() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut count = 0;
    for name in [
        "README.md",
        "docs/guide.md",
        "ARCHITECTURE.md",
        "docs/lab.md",
        "rules/sites/README.md",
    ] {
        let document = fs::read_to_string(root.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        for arguments in commands(&document) {
            count += 1;
            // What stands before the call for help is read first.
            let ran = dehusk(arguments.iter().map(String::as_str).chain(["--help"]));
            assert_eq!(ran.code, Some(0), "{name}: {arguments:?}: {}", ran.stderr);
        }
    }
    assert!(count > 20, "{count}");
    let wrong = dehusk(["extract", "page.html", "--method", "default", "--help"]);
    assert_eq!(wrong.code, Some(2), "a wrong flag is seen");
}

#[test]
fn every_verb_has_help_and_a_manual_page() {
    let overview = dehusk(["--help"]).exits(0).stdout;
    for verb in [
        "run",
        "extract",
        "dedup",
        "passages",
        "normalize",
        "sign",
        "index",
        "compare",
        "generate",
        "methods",
        "completions",
        "man",
    ] {
        assert!(overview.contains(&format!("  {verb} ")), "{verb}");
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
    for verb in VERBS {
        let page = dehusk(["man"].into_iter().chain(verb.split(' '))).exits(0).stdout;
        let page = page.replace("\\-", "-");
        for flag in listed(&help(verb)) {
            assert!(page.contains(&format!("--{flag}")), "{verb}: {flag}");
        }
    }
    dehusk(["man", "site", "frobnicate"])
        .exits(2)
        .says(&["unknown verb `frobnicate`; known: learn, show, "]);
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
        for flag in [
            "input-format",
            "output-format",
            "files-from",
            "on-exact",
            "short-docs",
            "config",
        ] {
            assert!(script.contains(flag), "{shell}: {flag}");
        }
    }
    dehusk(["completions", "csh"]).exits(2).says(&["csh", "bash"]);
}
