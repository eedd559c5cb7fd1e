//! Statistics of a collection: a file is read or rejected, and documents can be signed with statistics that
//! were read.

use std::sync::LazyLock;

use arbitrary::Unstructured;
use dehusk_pipeline::verbs::sign;
use dehusk_pipeline::{Cancel, Job, Settings, output_format};

use crate::{edits, scratch};

/// Signature methods that use statistics.
const SIGNATURES: &[&str] = &[
    "descr-words",
    "tf-idf",
    "lex-rand",
    "tf-ridf",
    "i-match",
    "opt-freq",
];

/// Returns documents as JSON Lines: 24 short texts, with a rare word in every third one.
fn documents() -> Vec<u8> {
    let line = |number: usize| {
        let rare = if number.is_multiple_of(3) { "walrus " } else { "" };
        let text = format!(
            "The {}cats sleep. {rare}Number word{number} is alone.",
            rare.repeat(number % 4)
        );
        format!("{{\"id\":\"d{number}\",\"text\":\"{text}\"}}\n")
    };
    (0..24).map(line).collect::<String>().into_bytes()
}

/// Returns the settings of a signature method, on one thread.
fn settings(signature: &str) -> Settings {
    let mut settings = Settings::default();
    for (name, value) in [("threads", "1"), ("signature", signature)] {
        settings.set(name, value).expect("a value of that setting");
    }
    settings
}

/// Signs the documents with these settings. Returns the rows, or the message of the error.
fn signed(settings: &Settings) -> Result<Vec<u8>, String> {
    let inputs = [scratch::file("in.jsonl", &documents()).display().to_string()];
    let cancel = Cancel::new();
    let mut out = Vec::new();
    let job = Job::new(&inputs, settings, &cancel);
    let outcome =
        sign::write(&job, &output_format::Jsonl, &mut out, &mut |_| {}).map_err(|error| error.to_string())?;
    assert!(outcome.summary.counts.add_up());
    Ok(out)
}

/// A valid file of statistics.
static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let path = scratch::folder().join("whole.stats");
    let mut counted = settings("descr-words");
    counted.save_stats = Some(path.clone());
    signed(&counted).expect("statistics");
    std::fs::read(path).expect("statistics")
});

/// Checks a file of statistics. The first byte of the input chooses the signature method. The rest is edits
/// of a valid file, or if the first byte is 128 or more its complete contents.
pub(super) fn check(input: &[u8]) {
    let Some((choice, changes)) = input.split_first() else {
        return;
    };
    let mut file = FILE.clone();
    if *choice >= 128 {
        file = changes.to_vec();
    } else {
        // Edits end when the input is used up, which is not an error.
        let _ = edits::apply(&mut file, &mut Unstructured::new(changes));
    }
    let mut given = settings(SIGNATURES[usize::from(*choice) % SIGNATURES.len()]);
    given.stats = Some(scratch::file("words.stats", &file));
    let answer = signed(&given);
    assert!(answer.as_ref().err().is_none_or(|error| !error.is_empty()));
    // Signing twice with the same statistics gives the same signatures or the same error.
    assert!(answer == signed(&given), "another answer the second time");
}
