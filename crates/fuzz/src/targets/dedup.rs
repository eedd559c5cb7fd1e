//! The search for duplicates: for any collection, each document that goes is a verified pair of one that
//! stays, no two that stay are a pair, and neither keys in files nor threads change the result.

use std::sync::Arc;

use arbitrary::Unstructured;
use dehusk_pipeline::dedup::candidates::{ExactJoin, Lsh};
use dehusk_pipeline::dedup::{
    Action, Deduper, Options, Outcome, Spill, SpillError, SpillFile, sign::Shingles,
};

/// Largest number of documents of a collection.
const MAX_DOCUMENTS: usize = 120;

/// Returns settings and texts. Texts are made of templates of words; each differs from its template in some
/// places, so that groups of equal keys have all sizes. `None` if the input is too short for the settings.
fn collection(input: &[u8]) -> Option<(Options, Vec<String>)> {
    let mut bytes = Unstructured::new(input);
    let number = |bytes: &mut Unstructured<'_>, most: u8| bytes.int_in_range(0..=most).ok();
    let threshold = 0.4 + f64::from(number(&mut bytes, 5)?) / 10.0;
    let max_bucket = 2 + u32::from(number(&mut bytes, 30)?);
    let exact = number(&mut bytes, 3)? == 0;
    let words = 4 + usize::from(number(&mut bytes, 60)?);
    let mut texts = Vec::new();
    while !bytes.is_empty() && texts.len() < MAX_DOCUMENTS {
        let template = number(&mut bytes, 3)?;
        let mut text: Vec<String> = (0..words).map(|word| format!("t{template}w{word}")).collect();
        for _ in 0..number(&mut bytes, 8)? {
            // Up to 8 words of a text are replaced by one of 8 others, so that replaced words are shared as
            // well.
            let place = usize::from(bytes.arbitrary::<u8>().ok()?) % words;
            text[place] = format!("v{}", number(&mut bytes, 7)?);
        }
        // Different lengths, so that one text may be contained in another.
        text.truncate(words - usize::from(number(&mut bytes, 3)?));
        texts.push(text.join(" "));
    }
    let options = Options::default()
        .with_threshold(threshold)
        .with_min_tokens(1)
        .with_actions(Action::Delete, Action::Delete);
    let options = if exact {
        options
            .with_signature(Arc::new(Shingles))
            .with_candidates(Arc::new(ExactJoin))
    } else {
        options.with_candidates(Arc::new(Lsh::DEFAULT.with_max_bucket(max_bucket)))
    };
    Some((options, texts))
}

/// Returns the result of a search, with keys in memory or in files.
fn searched(options: &Options, texts: &[String], spills: bool) -> Outcome {
    let mut deduper = Deduper::new(options.clone()).expect("settings in range");
    for text in texts {
        deduper.add_joined(text).expect("few documents");
    }
    if spills {
        deduper.spill(Box::new(Files)).expect("files in memory");
    }
    deduper.finish(&()).expect("few pairs")
}

/// Checks a search over the collection of the input, and that two other ways to run it agree with it.
pub(super) fn check(input: &[u8]) {
    let Some((options, texts)) = collection(input) else {
        return;
    };
    let found = searched(&options, &texts, false);
    // Pairs are listed for the first text of each exact group only.
    let first = |document: u32| found.exact_groups.first(document);
    let is_pair = |a: u32, b: u32| {
        let key = (first(a).min(first(b)), first(a).max(first(b)));
        key.0 == key.1 || found.pairs.iter().any(|pair| (pair.a, pair.b) == key)
    };
    for decision in &found.decisions {
        let (document, representative) = (decision.document, decision.representative);
        assert_eq!(decision.action == Action::Keep, document == representative);
        assert_eq!(found.decisions[representative as usize].action, Action::Keep);
        assert!(is_pair(document, representative), "a document goes uncovered");
    }
    let stays = |text: u32| {
        let mut all = found.decisions.iter();
        all.any(|decision| decision.action == Action::Keep && first(decision.document) == text)
    };
    for pair in &found.pairs {
        assert!(
            pair.similarity >= found_threshold(&options),
            "a pair below the threshold"
        );
        assert!(!(stays(pair.a) && stays(pair.b)), "two similar documents stay");
    }
    let in_files = searched(&options, &texts, true);
    // The search is exact in files and on threads as well: not similar results, but equal ones.
    assert!(in_files.pairs == found.pairs && in_files.decisions == found.decisions);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
    let threaded = pool
        .expect("threads")
        .install(|| searched(&options, &texts, false));
    assert!(threaded.pairs == found.pairs && threaded.decisions == found.decisions);
}

/// Returns the threshold, less the error of a quotient.
fn found_threshold(options: &Options) -> f64 {
    options.threshold() - 1e-9
}

/// Files in memory.
struct Files;

#[derive(Default)]
struct InMemory {
    bytes: Vec<u8>,
    at: usize,
}

impl Spill for Files {
    fn file(&self) -> Result<Box<dyn SpillFile>, SpillError> {
        Ok(Box::new(InMemory::default()))
    }
}

impl SpillFile for InMemory {
    fn write(&mut self, bytes: &[u8]) -> Result<(), SpillError> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn rewind(&mut self) -> Result<(), SpillError> {
        self.at = 0;
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, SpillError> {
        let rest = &self.bytes[self.at..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        Ok(length)
    }
}
