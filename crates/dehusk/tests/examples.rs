//! Runs all examples and compares what they print with the files in `tests/examples`. `UPDATE_EXPECT=1`
//! writes those files.
//!
//! The examples are modules of this one program, so that thirteen programs need not be linked for a test.

use std::collections::BTreeSet;
use std::env;
use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;

#[path = "../examples/arrow_batches.rs"]
#[allow(dead_code, reason = "`main` is for `cargo run --example`")]
mod arrow_batches;
#[path = "../examples/compare_methods.rs"]
#[allow(dead_code, reason = "`main` is for `cargo run --example`")]
mod compare_methods;
#[path = "../examples/explain_page.rs"]
#[allow(dead_code, reason = "`main` is for `cargo run --example`")]
mod explain_page;
#[path = "../examples/growing_index.rs"]
#[allow(dead_code, reason = "`main` is for `cargo run --example`")]
mod growing_index;
#[path = "../examples/learn_templates.rs"]
#[allow(dead_code, reason = "`main` is for `cargo run --example`")]
mod learn_templates;
#[path = "../examples/near_duplicates.rs"]
#[allow(dead_code, reason = "`main` is for `cargo run --example`")]
mod near_duplicates;
#[path = "../examples/own_extractor.rs"]
#[allow(dead_code, reason = "`main` is for `cargo run --example`")]
mod own_extractor;
#[path = "../examples/own_profile.rs"]
#[allow(dead_code, reason = "`main` is for `cargo run --example`")]
mod own_profile;
#[path = "../examples/rules.rs"]
#[allow(dead_code, reason = "`main` is for `cargo run --example`")]
mod rules;
#[path = "../examples/shared_passages.rs"]
#[allow(dead_code, reason = "`main` is for `cargo run --example`")]
mod shared_passages;
#[path = "../examples/stream_warc.rs"]
#[allow(dead_code, reason = "`main` is for `cargo run --example`")]
mod stream_warc;
#[path = "../examples/web_service.rs"]
#[allow(dead_code, reason = "`main` is for `cargo run --example`")]
mod web_service;
#[path = "../examples/whole_run.rs"]
#[allow(dead_code, reason = "`main` is for `cargo run --example`")]
mod whole_run;

/// An example: it prints to the writer.
type Example = fn(&mut dyn Write) -> Result<(), Box<dyn Error>>;

/// All examples by name.
const ALL: &[(&str, Example)] = &[
    ("arrow_batches", arrow_batches::run),
    ("compare_methods", compare_methods::run),
    ("explain_page", |out| explain_page::run(out, None)),
    ("growing_index", growing_index::run),
    ("learn_templates", learn_templates::run),
    ("near_duplicates", near_duplicates::run),
    ("own_extractor", own_extractor::run),
    ("own_profile", own_profile::run),
    ("rules", rules::run),
    ("shared_passages", shared_passages::run),
    ("stream_warc", stream_warc::run),
    ("web_service", web_service::run),
    ("whole_run", whole_run::run),
];

#[test]
fn examples_print_what_is_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/examples");
    for (name, run) in ALL {
        let mut out = Vec::new();
        run(&mut out).unwrap_or_else(|error| panic!("{name}: {error}"));
        let printed = String::from_utf8(out).unwrap();
        let file = folder.join(format!("{name}.txt"));
        if env::var_os("UPDATE_EXPECT").is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&file, &printed).unwrap();
        }
        let expected =
            fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert_eq!(
            printed,
            expected,
            "{name} prints something else than {}",
            file.display()
        );
    }
}

#[test]
fn every_example_is_in_the_table_and_short() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut found = BTreeSet::new();
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        assert!(text.starts_with("//! "), "{name} begins with prose");
        assert!(
            text.contains(&format!("--example {name}")),
            "{name} says how it is run"
        );
        assert!(text.lines().count() <= 120, "{name} is an essay and no program");
        found.insert(name);
    }
    let listed = ALL.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(found, listed);
}
