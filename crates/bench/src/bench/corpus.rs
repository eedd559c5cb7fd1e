//! The inputs of benchmarks.

use std::collections::BTreeMap;
use std::fs;

use dehusk_pipeline::dedup::SplitMix64;

use crate::data;
use crate::result::Result;
use crate::root::{files, root};

/// A page as it is in an archive.
pub(super) struct RawPage {
    pub(super) bytes: Vec<u8>,
    pub(super) url: Option<String>,
}

/// Returns every `every`-th page of the development data, or the fixtures if there is no such data, and a
/// description of the source.
pub(super) fn pages(every: usize) -> Result<(Vec<RawPage>, String)> {
    let sets = match data::sets(&[])? {
        Ok(sets) => sets,
        Err(why) => {
            eprintln!("the development data are absent ({why}): the fixtures take their place");
            return fixtures();
        }
    };
    let mut pages = Vec::new();
    let mut names = Vec::new();
    for set in &sets {
        names.push(set.name.as_str());
        for doc in set.docs.iter().step_by(every) {
            pages.push(RawPage {
                bytes: set.bytes(doc)?,
                url: doc.url.clone(),
            });
        }
    }
    let from = format!("{} pages: of {} every {every}.", pages.len(), names.join(", "));
    Ok((pages, from))
}

/// Returns the pages of the fixture crawl, repeated so that a round takes long enough to be timed.
fn fixtures() -> Result<(Vec<RawPage>, String)> {
    const TIMES: usize = 10;
    let folder = root().join("fixtures/crawl");
    let mut pages = Vec::new();
    for _ in 0..TIMES {
        for file in files(&folder)?.iter().filter(|file| file.ends_with(".html")) {
            pages.push(RawPage {
                bytes: fs::read(folder.join(file))?,
                url: Some(format!("http://{file}")),
            });
        }
    }
    let from = format!("{} pages: fixtures/crawl, {TIMES} times", pages.len());
    Ok((pages, from))
}

/// `count` documents of 30 to 170 words, and a description of their source. Three of ten are copies of an
/// earlier one, with up to 40 % of words replaced. Equal on every machine with the same texts.
pub(super) fn documents(count: usize) -> Result<(Vec<String>, String)> {
    let (paragraphs, from) = match data::texts()? {
        Ok(folder) => {
            let mut texts = Vec::new();
            for file in files(&folder)? {
                texts.push(String::from_utf8_lossy(&fs::read(folder.join(file))?).into_owned());
            }
            (
                // Files are sorted, so equal texts give equal documents.
                texts.iter().flat_map(|text| prose(text)).collect::<Vec<_>>(),
                "running text in English and Russian",
            )
        }
        Err(_) => (golds()?, "main texts of fixtures/crawl"),
    };
    if paragraphs.is_empty() {
        return Err(format!("no paragraphs in the {from}").into());
    }
    let documents = compose(&paragraphs, count);
    Ok((
        documents,
        format!("{count} documents composed of {from}, 3 of 10 copies with changes"),
    ))
}

/// Returns the paragraphs of a text that are prose, as one line each: no headings, lists, tables or code.
fn prose(text: &str) -> Vec<String> {
    let mut paragraphs = Vec::new();
    for paragraph in text.replace('\r', "").split("\n\n") {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        let chars = paragraph.chars().count();
        let letters = paragraph.chars().filter(|c| c.is_alphabetic()).count();
        // At least 8 words, more than 70 % letters, and a letter at the start. Tables, code and lists fail
        // one of these.
        if words.len() >= 8 && letters * 10 > chars * 7 && paragraph.starts_with(|c: char| c.is_alphabetic())
        {
            paragraphs.push(words.join(" "));
        }
    }
    paragraphs
}

/// Returns the distinct lines of the main texts that the fixtures expect, in the order of their first
/// place.
fn golds() -> Result<Vec<String>> {
    let expected = fs::read_to_string(root().join("fixtures/crawl/expect.jsonl"))?;
    let mut lines = BTreeMap::new();
    for line in expected.lines() {
        let page: serde_json::Value = serde_json::from_str(line)?;
        // Lines of one word are mostly headings and labels.
        for line in page["gold"]
            .as_str()
            .unwrap_or("")
            .lines()
            .filter(|line| line.contains(' '))
        {
            let next = lines.len();
            lines.entry(line.to_owned()).or_insert(next);
        }
    }
    let mut lines: Vec<_> = lines.into_iter().collect();
    lines.sort_unstable_by_key(|(_, place)| *place);
    Ok(lines.into_iter().map(|(line, _)| line).collect())
}

/// Composes documents of paragraphs. A fixed seed makes them equal on every machine.
fn compose(paragraphs: &[String], count: usize) -> Vec<String> {
    const CHANGES_PER_100: [u64; 6] = [0, 1, 3, 8, 20, 40];
    let mut random = SplitMix64::new(3);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the upper half of the product is below `n`"
    )]
    // Maps 64 random bits to `0..n` by a multiplication, without the division of a remainder.
    let mut below = move |n: usize| ((u128::from(random.number()) * n as u128) >> 64) as usize;
    let mut documents: Vec<String> = Vec::with_capacity(count);
    let mut rest = paragraphs.iter();
    while documents.len() < count {
        if !documents.is_empty() && below(10) < 3 {
            let earlier = below(documents.len());
            let rate = CHANGES_PER_100[below(CHANGES_PER_100.len())];
            // A word is replaced by one of the first 8 words of any paragraph, so that replacements are
            // real words.
            let mut change = |word: &str| {
                if (below(100) as u64) < rate {
                    let donor = &paragraphs[below(paragraphs.len())];
                    donor.split(' ').nth(below(8)).unwrap_or(word).to_owned()
                } else {
                    word.to_owned()
                }
            };
            let original = &documents[earlier];
            let copy: Vec<String> = original.split(' ').map(&mut change).collect();
            documents.push(copy.join(" "));
            continue;
        }
        // 30 to 149 words are wanted; the last paragraph may add more, up to 170.
        let wanted = 30 + below(120);
        let mut words: Vec<&str> = Vec::new();
        while words.len() < wanted {
            match rest.next() {
                Some(paragraph) => words.extend(paragraph.split(' ').take(150)),
                // All paragraphs are used once before the first is used again.
                None => rest = paragraphs.iter(),
            }
        }
        words.truncate(170);
        documents.push(words.join(" "));
    }
    documents
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_reproducible_and_of_the_size_promised() {
        let paragraphs =
            prose("A heading\n\nOne two three four five six seven eight nine ten.\n\n| a | b |\n\nx y\n");
        assert_eq!(paragraphs, ["One two three four five six seven eight nine ten."]);
        let documents = compose(&paragraphs, 50);
        assert_eq!(documents, compose(&paragraphs, 50));
        assert_eq!(documents.len(), 50);
        for document in &documents {
            let words = document.split(' ').count();
            assert!((30..=170).contains(&words), "{words}");
        }
    }

    #[test]
    fn the_fixtures_can_take_the_place_of_the_data() {
        assert!(golds().unwrap().len() > 100);
        let (pages, from) = fixtures().unwrap();
        assert!(pages.len() >= 600, "{from}");
    }
}
