//! An index on disk: a damaged manifest or segment is an error or is readable, and every change leaves a
//! readable index.

use std::path::Path;
use std::sync::LazyLock;

use arbitrary::Unstructured;
use dehusk_pipeline::index::{self, Index};
use dehusk_pipeline::{Cancel, Error, Job, Settings};

use crate::{edits, scratch};

/// Documents as JSON Lines. Some share shingles, and some share only keys.
fn documents(numbers: std::ops::Range<u32>) -> Vec<u8> {
    let text = |number: u32| -> String {
        // Neighboring numbers share every second word.
        let words = (0..30).map(|word| format!("w{}x{word} ", number / 2 + word % 2 * (number % 2)));
        words.collect()
    };
    let line = |number| format!("{{\"id\":\"d{number}\",\"text\":\"{}\"}}\n", text(number));
    numbers.map(line).collect::<String>().into_bytes()
}

/// Runs `work` on a job over these lines, on one thread.
fn with<T>(lines: &[u8], work: impl FnOnce(&Job<'_>) -> T) -> T {
    let inputs = [scratch::file("in.jsonl", lines).display().to_string()];
    let (mut settings, cancel) = (Settings::default(), Cancel::new());
    settings.set("threads", "1").expect("a number");
    work(&Job::new(&inputs, &settings, &cancel))
}

/// The files of a valid index: two segments, a file of weights, and the record of a removed document.
static FILES: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(|| {
    let folder = scratch::folder().join("whole");
    // The third range consists of copies only, so that there are weights.
    for numbers in [0..6, 6..9, 2..4] {
        with(&documents(numbers), |job| index::add(job, &folder, &mut |_| {})).expect("a new index");
    }
    index::remove(&folder, ["d1"]).expect("a whole index");
    let mut files = scratch::files(&folder);
    files.retain(|(name, _)| {
        [".json", ".segment", ".weights"]
            .iter()
            .any(|end| name.ends_with(end))
    });
    files
});

/// Checks an index with one damaged file. The first byte of the input chooses the file, the second a change
/// of the index. The rest is edits of the file, or if the first byte is 128 or more its complete contents.
pub(super) fn check(input: &[u8]) {
    let [file, work, changes @ ..] = input else { return };
    let mut files = FILES.clone();
    let count = files.len();
    let bytes = &mut files[usize::from(*file) % count].1;
    if *file >= 128 {
        *bytes = changes.to_vec();
    } else {
        // Edits end when the input is used up, which is not an error.
        let _ = edits::apply(bytes, &mut Unstructured::new(changes));
    }
    let folder = scratch::folder().join("index");
    scratch::fill(&folder, &files);
    // A damaged index may be an error or give answers. Either way, asking again must give the same.
    let answer = ask(&folder);
    assert!(
        told(&answer) == told(&ask(&folder)),
        "another answer the second time"
    );
    let changed = match work % 4 {
        0 => return,
        1 => with(&documents(7..11), |job| index::add(job, &folder, &mut |_| {})).map(drop),
        2 => index::remove(&folder, ["d2", "d7", "none"]).map(drop),
        _ => index::compact(&folder, &Settings::default()),
    };
    match changed {
        // A rejected change leaves the index unchanged.
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert!(told(&answer) == told(&ask(&folder)), "a refused change shows");
        }
        Ok(()) => {
            let index = Index::open(&folder, &Settings::default());
            assert!(index.is_ok(), "{:?}", index.err().map(|error| error.to_string()));
        }
    }
}

/// Returns the answers and rows of an index.
fn ask(folder: &Path) -> Result<Vec<u8>, Error> {
    let index = Index::open(folder, &Settings::default())?;
    let _ = index.stats();
    let mut out = Vec::new();
    // All documents of the index are asked for, so that every segment is read.
    with(&documents(0..9), |job| {
        index::query(job, &index, &mut out, &mut |_| {})
    })?;
    index::rows(&index, &mut |row| {
        out.extend(format!("{row:?}").into_bytes());
        Ok(())
    })?;
    Ok(out)
}

/// Returns an answer, or the message of its error, for comparison.
fn told(answer: &Result<Vec<u8>, Error>) -> Result<&[u8], String> {
    match answer {
        Ok(bytes) => Ok(bytes),
        Err(error) => Err(error.to_string()),
    }
}
