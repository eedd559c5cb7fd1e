//! How fast texts are normalized and cut, beside a plain chain of the usual crates.
//!
//! `cargo run --release -p dehusk-normalize --example throughput -- PATH...`
//!
//! Each path is a text file or a folder of such files and gives one line of each table. A time is the sum over the files
//! of the best of several rounds, on one core, with warm buffers and caches, so that other work on the machine shows
//! little; reading files is not timed. Rates are bytes of the original per second. The plain chain does less work (no
//! stress marks, broken words, confusables or offsets): `nfkc()`, `to_lowercase()`, `unicode_words()`, joined by spaces.
//! Not shown: how the rates fall when several threads share the memory.

#![allow(clippy::print_stdout, reason = "the tables are the output")]

use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dehusk_normalize::{Normalizer, Profile, Splitter, Stemmer, near_tokens, words};
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

const ROUNDS: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let mut sets = Vec::new();
    for path in std::env::args_os().skip(1).map(PathBuf::from) {
        let name = path
            .file_name()
            .unwrap_or(path.as_os_str())
            .to_string_lossy()
            .into_owned();
        sets.push((name, read(&path)?));
    }
    println!("Normalization, MB/s. ratio = near / plain chain.");
    println!(
        "{:<16} {:>8} {:>8} {:>8} {:>8} {:>6} {:>8}",
        "text", "MB", "plain", "near", "offsets", "ratio", "exact"
    );
    for (name, texts) in &sets {
        let mb = texts.iter().map(String::len).sum::<usize>() as f64 / 1e6;
        let mut joined = String::new();
        let plain = best(texts, |text| {
            joined.clear();
            let lower = text.nfkc().collect::<String>().to_lowercase();
            for word in lower.unicode_words() {
                joined.push_str(word);
                joined.push(' ');
            }
            black_box(&joined);
            0
        });
        let mut near = Normalizer::new(Profile::near());
        let fast = best(texts, |text| near.normalize_text(text).len());
        let offsets = best(texts, |text| near.normalize(text).text().len());
        let mut exact = Normalizer::new(Profile::exact());
        let exact = best(texts, |text| exact.normalize_text(text).len());
        println!(
            "{name:<16} {mb:>8.1} {:>8.1} {:>8.1} {:>8.1} {:>6.1} {:>8.1}",
            mb / plain.seconds,
            mb / fast.seconds,
            mb / offsets.seconds,
            plain.seconds / fast.seconds,
            mb / exact.seconds,
        );
    }
    println!("\nCutting, MB/s and millions per second. words: of the original; tokens: of the form near.");
    println!(
        "{:<16} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>8} {:>8}",
        "text", "words", "M/s", "tokens", "M/s", "stems/s", "sentences", "M/s", "MB/s"
    );
    for (name, texts) in &sets {
        let mb = texts.iter().map(String::len).sum::<usize>() as f64 / 1e6;
        let mut near = Normalizer::new(Profile::near());
        let normal: Vec<String> = texts
            .iter()
            .map(|text| near.normalize_text(text).to_owned())
            .collect();
        let word = best(texts, |text| words(text).count());
        let token = best(&normal, |text| near_tokens(text).count());
        let mut stemmer = Stemmer::by_script();
        let stem = best(&normal, |text| {
            near_tokens(text)
                .map(|token| {
                    black_box(stemmer.stem(&text[token]));
                })
                .count()
        });
        let splitter = Splitter::new();
        let sentence = best(texts, |text| splitter.sentences(text).count());
        println!(
            "{name:<16} {:>8.1} {:>8.1} {:>8.1} {:>8.1} {:>7.1}M {:>9} {:>8.2} {:>8.1}",
            mb / word.seconds,
            word.millions_per_second(),
            mb / token.seconds,
            token.millions_per_second(),
            stem.millions_per_second(),
            sentence.count,
            sentence.millions_per_second(),
            mb / sentence.seconds,
        );
    }
    Ok(())
}

struct Measured {
    seconds: f64,
    /// What the work counted, summed over the texts.
    count: usize,
}

impl Measured {
    fn millions_per_second(&self) -> f64 {
        self.count as f64 / 1e6 / self.seconds
    }
}

/// The sum over the texts of the fastest of several rounds.
fn best(texts: &[String], mut work: impl FnMut(&str) -> usize) -> Measured {
    let mut fastest = vec![Duration::MAX; texts.len()];
    let mut count = 0;
    for _ in 0..ROUNDS {
        count = 0;
        for (text, fastest) in texts.iter().zip(&mut fastest) {
            let start = Instant::now();
            count += black_box(work(text));
            *fastest = start.elapsed().min(*fastest);
        }
    }
    Measured {
        seconds: fastest.iter().sum::<Duration>().as_secs_f64(),
        count,
    }
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
