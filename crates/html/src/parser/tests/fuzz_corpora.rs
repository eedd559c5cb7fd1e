//! The corpora of the fuzz targets.

use std::fs;
use std::path::{Path, PathBuf};

use crate::decode::decode_check;

/// The inputs of a fuzz target, with their paths.
pub(super) fn fuzz_corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(target);
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths
        .map(|path| {
            let bytes = fs::read(&path).unwrap();
            (path, bytes)
        })
        .collect()
}

#[test]
fn the_corpus_of_the_fuzz_target_holds_the_equations_of_decoding() {
    let corpus = fuzz_corpus("decode");
    assert!(corpus.len() > 20);
    for (path, page) in corpus {
        assert_eq!(decode_check(&page), Ok(()), "{}", path.display());
    }
}
