//! Worked examples, for tests.

use serde_json::Value;

/// The example of that name.
pub(crate) fn example(name: &str) -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/worked-examples.json");
    let text = std::fs::read_to_string(path).expect("the worked examples are part of the repository");
    let all: Value = serde_json::from_str(&text).expect("they are JSON");
    let examples = all["examples"].as_array().expect("they are a list");
    examples
        .iter()
        .find(|example| example["name"] == name)
        .expect("the example exists")
        .clone()
}

/// A number written as `"0x..."`.
pub(crate) fn hex(value: &Value) -> u64 {
    let text = value.as_str().expect("a hexadecimal number is a string");
    u64::from_str_radix(text.trim_start_matches("0x"), 16).expect("it is hexadecimal")
}

/// A list of numbers.
pub(crate) fn numbers(value: &Value) -> Vec<u64> {
    value
        .as_array()
        .expect("a list")
        .iter()
        .map(|number| number.as_u64().expect("a number"))
        .collect()
}

/// A string.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

/// Numbers are equal to the six decimals that the examples give.
#[track_caller]
pub(crate) fn assert_close(found: f64, expected: &Value) {
    let expected = expected.as_f64().expect("a number");
    assert!(
        (found - expected).abs() < 6e-7,
        "found {found}, expected {expected}"
    );
}

/// Every file of a folder of strategies has an entry in its table, and the other way round.
#[track_caller]
pub(crate) fn assert_table_matches_folder(folder: &str, names: impl IntoIterator<Item = &'static str>) {
    let path = format!("{}/src/{folder}", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<String> = std::fs::read_dir(path)
        .expect("the folder exists")
        .map(|entry| entry.expect("it can be read").path())
        .filter_map(|path| {
            path.file_stem()
                .map(|stem| stem.to_string_lossy().replace('_', "-"))
        })
        .filter(|stem| stem != "mod" && stem != "tests")
        .collect();
    files.sort();
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_unstable();
    assert_eq!(names, files);
}
