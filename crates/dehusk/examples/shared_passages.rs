//! Passages that several documents share, below the size of a document: quotes, notices, copied paragraphs.
//!
//! Two documents that share a paragraph are not near-duplicates, and yet a corpus repeats the paragraph.
//! [`Passages`] finds every run of at least N words that occurs at two places, in linear time and by exact
//! comparison: no run is missed.
//!
//! The search compares 64-bit hashes of words. Here each word of the normalized text is hashed, and its
//! place in the original is kept, so that a passage can be shown, or cut, as it was written. Hashes beyond
//! a budget of memory go to temporary files, which the program provides; [`NoFiles`] says that memory
//! suffices.
//!
//! `cargo run -p dehusk --example shared_passages`

use std::error::Error;
use std::io::{self, Write};
use std::ops::Range;

use dehusk::dedup::{PassageRule, Passages, Spill, SpillError, SpillFile, content_hash};
use dehusk::normalize::{Normalizer, Profile, near_tokens};

const TEXTS: [&str; 3] = [
    "Flood in the valley. All rights reserved; no part may be copied without leave of the press.",
    "Apples are cheap this week. ALL RIGHTS RESERVED: no part may be copied without leave of the press!",
    "The council meets on Friday. No part of the hall is heated, so bring a coat.",
];

struct NoFiles;

impl Spill for NoFiles {
    fn file(&self) -> Result<Box<dyn SpillFile>, SpillError> {
        Err(SpillError::File("the words do not fit into memory".into()))
    }
}

/// Words of a text as hashes, each with its place in the text.
fn hashed(normalizer: &mut Normalizer, text: &str) -> Vec<(u64, Range<usize>)> {
    let normal = normalizer.normalize(text);
    let hashed = near_tokens(normal.text()).map(|range| {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "64 bits of the hash stand for the word"
        )]
        let hash = content_hash(&normal.text()[range.clone()]) as u64;
        (hash, normal.source(range))
    });
    hashed.collect()
}

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut normalizer = Normalizer::new(Profile::near());
    let documents = TEXTS.map(|text| hashed(&mut normalizer, text));
    let mut passages = Passages::new(Box::new(NoFiles), 1 << 20);
    for (host, words) in (0..).zip(&documents) {
        // The search sees hashes only. The places stay here, by the same numbers.
        let words: Vec<u64> = words.iter().map(|(hash, _)| *hash).collect();
        passages.add(Some(host), &words)?;
    }
    let rule = PassageRule {
        least_run: Some(5),
        min_documents: 2,
        min_hosts: 2,
    };
    // No limit on the number of places.
    let found = passages.finish(rule, u64::MAX)?;
    for passage in &found.passages {
        writeln!(
            out,
            "{} words, in {} documents of {} hosts",
            passage.length, passage.documents, passage.hosts
        )?;
    }
    for occurrence in &found.occurrences {
        let (document, words) = (
            occurrence.document as usize,
            occurrence.start as usize..occurrence.end as usize,
        );
        let words = &documents[document][words];
        // A passage goes from the first byte of its first word to the last byte of its last word, in the
        // original.
        let (first, last) = (words.first(), words.last());
        if let (Some((_, first)), Some((_, last))) = (first, last) {
            writeln!(
                out,
                "  document {document}: {:?}",
                &TEXTS[document][first.start..last.end]
            )?;
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}
