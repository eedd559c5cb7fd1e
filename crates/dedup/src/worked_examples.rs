//! Shared by tests: worked examples, and properties that every family of strategies must have.

use std::sync::Arc;

use serde_json::Value;

use crate::strategy::entry::Family;
use crate::text::shingle::Shingler;
use crate::text::statistics::{Statistics, StatisticsBuilder};
use crate::text::tokens::Tokens;

/// The worked example named `name`.
pub(crate) fn example(name: &str) -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/worked-examples.json");
    let text = std::fs::read_to_string(path).expect("the worked examples are part of the repository");
    let all: Value = serde_json::from_str(&text).expect("they are JSON");
    list(&all["examples"])
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

/// The members of a list.
pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// A list of numbers.
pub(crate) fn numbers(value: &Value) -> Vec<u64> {
    list(value)
        .iter()
        .map(|number| number.as_u64().expect("a number"))
        .collect()
}

/// A string.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

/// Asserts that numbers are equal to the six decimals that the examples give.
#[track_caller]
pub(crate) fn assert_close(found: f64, expected: &Value) {
    let expected = expected.as_f64().expect("a number");
    assert!(
        (found - expected).abs() < 6e-7,
        "found {found}, expected {expected}"
    );
}

/// Texts on which every method is tested.
pub(crate) const TEXTS: [&str; 6] = [
    "a b c d e f",
    "a b c d e x",
    "f e d c b a",
    "q",
    "a b a b a b",
    "мама мыла раму утром рано",
];

/// The words of a text, and its shingles of two words.
pub(crate) fn words_and_shingles(text: &str) -> (Tokens, Vec<u64>) {
    let tokens: Tokens = text.split(' ').collect();
    let mut shingles = Vec::new();
    Shingler::words(2).shingle(&tokens, &mut shingles);
    (tokens, shingles)
}

/// The statistics of a collection of texts.
pub(crate) fn statistics(texts: &[&str]) -> Arc<Statistics> {
    let mut builder = StatisticsBuilder::new();
    for text in texts {
        builder.add(&text.split(' ').collect());
    }
    Arc::new(builder.build())
}

/// Asserts that every parameter of a family of strategies accepts its default and rejects nonsense, and that the error
/// for a misspelt name lists the correct one.
#[track_caller]
pub(crate) fn assert_settings<F: Family + ?Sized>(misspelt: &str, meant: &'static str) {
    for strategy in F::all() {
        for parameter in strategy.parameters() {
            assert!(
                strategy.set(parameter.name, parameter.default).is_ok(),
                "{} {}",
                strategy.name(),
                parameter.name
            );
            let error = strategy.set(parameter.name, "nonsense").err().expect("an error");
            assert!(error.to_string().contains("nonsense"), "{error}");
        }
        let error = strategy.set("none-such", "1").err().expect("an error");
        assert!(error.to_string().contains("none-such"), "{error}");
    }
    let error = F::named(misspelt).err().expect("an error");
    assert_eq!(error.parameter(), Some(F::NAME));
    assert!(error.known().contains(&meant));
    let start = format!("unknown {} `{misspelt}`; known: ", F::NAME);
    assert!(error.to_string().starts_with(&start), "{error}");
}

/// Asserts that every file in a folder of strategies has an entry in its table, and vice versa.
#[track_caller]
pub(crate) fn assert_table_matches_folder<F: Family + ?Sized>(folder: &str) {
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
    let mut names: Vec<&str> = F::all().iter().map(|strategy| strategy.name()).collect();
    names.sort_unstable();
    assert_eq!(names, files);
}
