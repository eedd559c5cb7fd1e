//! The fused passes equal the plain chain on real texts: the development data of `DEHUSK_DATA` or `../shared/data`:
//! `cargo test -p dehusk-normalize --test dev_data -- --ignored`.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::{Path, PathBuf};
use std::process::Command;

use dehusk_normalize::{Normalizer, Numbers, Profile, near_tokens, words};

/// The folder of the data.
fn data() -> PathBuf {
    let folder = std::env::var_os("DEHUSK_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    assert!(folder.is_dir(), "no development data in {}", folder.display());
    folder
}

/// The lines of the text files and JSON lines in an archive, unpacked by `tar`.
fn texts(archive: &Path, files: &str) -> Vec<String> {
    let output = Command::new("tar")
        .arg("-xOf")
        .arg(archive)
        .arg("--wildcards")
        .arg(files)
        .output()
        .unwrap();
    assert!(
        output.status.success() && !output.stdout.is_empty(),
        "tar does not unpack {}",
        archive.display()
    );
    split(&String::from_utf8_lossy(&output.stdout))
}

/// Pieces of about 64 KiB, cut at line ends, so that a difference is shown with little around it.
fn split(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for line in text.split_inclusive('\n') {
        if let Some(piece) = pieces.last_mut().filter(|piece| piece.len() < 1 << 16) {
            piece.push_str(line);
        } else {
            pieces.push(line.to_owned());
        }
    }
    pieces
}

fn check(archive: &str, files: &str) {
    let data = data();
    let profiles = [
        Profile::near(),
        Profile::near().with_numbers(Numbers::Mask),
        Profile::near().without("hyphenation").unwrap(),
    ];
    let texts = texts(&data.join(archive), files);
    for (index, profile) in profiles.into_iter().enumerate() {
        let mut fused = Normalizer::new(profile.clone());
        let mut plain = Normalizer::new(profile);
        // All texts for `near` itself, every fourth for its variants.
        for text in texts.iter().step_by(if index == 0 { 1 } else { 4 }) {
            let wanted = plain.normalize_by_passes(text);
            let normal = fused.normalize(text);
            if let Some((wanted, found)) = wanted
                .text()
                .split(' ')
                .zip(normal.text().split(' '))
                .find(|(wanted, found)| wanted != found)
            {
                panic!("{archive}: the chain gives {wanted:?}, the fused passes {found:?}");
            }
            assert_eq!(wanted.text().len(), normal.text().len(), "{archive}");
            for token in near_tokens(normal.text()) {
                assert_eq!(normal.source(token.clone()), wanted.source(token));
            }
            assert!(
                near_tokens(normal.text()).eq(words(normal.text())),
                "{archive}: tokens differ"
            );
        }
    }
}

#[test]
#[ignore = "needs the development data"]
fn english_and_russian_texts() {
    check("texts/texts.tar.xz", "texts/??/*");
}

#[test]
#[ignore = "needs the development data"]
fn chinese_news() {
    check("pages/zh_news.tar.xz", "*docs.jsonl");
}

#[test]
#[ignore = "needs the development data"]
fn news_in_five_languages() {
    check("pages/daniel_dev.tar.xz", "*docs.jsonl");
}
