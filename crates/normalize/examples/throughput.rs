//! How fast texts are normalized and cut, beside a plain chain of the usual crates.
//!
//! `cargo run --release -p dehusk-normalize --example throughput -- PATH...`
//!
//! Each path is a text file or a folder of such files and gives one line of the table. Times are the best of several
//! rounds over all files of the path, one file after another on one core, with warm buffers and caches; reading files
//! is not timed. Rates are bytes of the original per second. The plain chain does less work (no stress marks, broken
//! words, confusables or offsets): `nfkc()`, `to_lowercase()`, `unicode_words()`, joined by spaces. Not shown: how the
//! rates fall when several threads share the memory.

#![allow(clippy::print_stdout, reason = "the table is the output")]

use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use normalize::{Normalizer, Profile, near_tokens, words};
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "{:<16} {:>7} {:>9} {:>9} {:>9} {:>6} {:>9} {:>9} {:>9} {:>9}",
        "text", "MB", "plain", "near", "+offsets", "ratio", "words", "tokens", "tokens/s", "words/s"
    );
    for path in std::env::args_os().skip(1).map(PathBuf::from) {
        let texts = read(&path)?;
        let bytes: usize = texts.iter().map(String::len).sum();
        let mb = bytes as f64 / 1e6;
        let mut normalizer = Normalizer::new(Profile::near());
        let mut joined = String::new();
        let plain = best(|| {
            for text in &texts {
                joined.clear();
                let lower = text.nfkc().collect::<String>().to_lowercase();
                for word in lower.unicode_words() {
                    joined.push_str(word);
                    joined.push(' ');
                }
                black_box(&joined);
            }
        });
        let near = best(|| {
            for text in &texts {
                black_box(normalizer.normalize_text(text));
            }
        });
        let offsets = best(|| {
            for text in &texts {
                black_box(normalizer.normalize(text));
            }
        });
        let normal: Vec<String> = texts
            .iter()
            .map(|text| normalizer.normalize_text(text).to_owned())
            .collect();
        let count: usize = normal.iter().map(|text| near_tokens(text).count()).sum();
        let of_original = best(|| {
            for text in &texts {
                black_box(words(text).fold(0, |sum, token| sum + token.len()));
            }
        });
        let of_normal = best(|| {
            for text in &normal {
                black_box(near_tokens(text).fold(0, |sum, token| sum + token.len()));
            }
        });
        let original_count: usize = texts.iter().map(|text| words(text).count()).sum();
        println!(
            "{:<16} {mb:>7.1} {:>9.1} {:>9.1} {:>9.1} {:>6.1} {:>9.1} {:>9.1} {:>8.1}M {:>8.1}M",
            path.file_name().unwrap_or(path.as_os_str()).to_string_lossy(),
            mb / plain,
            mb / near,
            mb / offsets,
            plain / near,
            mb / of_original,
            mb / of_normal,
            count as f64 / 1e6 / of_normal,
            original_count as f64 / 1e6 / of_original,
        );
    }
    println!("MB/s of the original; ratio = near / plain; words on the original, tokens on the normal form.");
    Ok(())
}

/// Seconds of the fastest round.
fn best(mut work: impl FnMut()) -> f64 {
    let mut fastest = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        work();
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    fastest
}

/// The texts of a file or of the files of a folder, in the order of their names.
fn read(path: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        files = std::fs::read_dir(path)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()?;
        files.sort();
    }
    let mut texts = Vec::new();
    for file in files {
        texts.push(String::from_utf8_lossy(&std::fs::read(file)?).into_owned());
    }
    Ok(texts)
}
