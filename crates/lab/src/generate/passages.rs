//! Documents with planted passages: runs of words of known lengths at known places. Some copies of a run
//! have one word changed.

use std::path::Path;

use dehusk_pipeline::{Cancel, Error};
use serde_json::json;

use crate::random::Random;
use crate::sets::{Label, SetWriter};

/// Lengths of planted runs in words. Each is planted equally often.
const LENGTHS: [usize; 12] = [5, 8, 13, 20, 30, 49, 50, 51, 70, 100, 150, 200];
/// Smallest and largest number of words before, between and after the runs of a document.
const OWN: (usize, usize) = (20, 60);
/// Words of a sentence.
const SENTENCE: usize = 12;
/// Text before and after a run; `None` for a run in the middle of sentences. Each third of the runs has
/// another entry.
const BREAKS: [Option<&str>; 3] = [None, Some(".\n"), Some(".\n\n")];

/// Options of [`passages`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Passages {
    /// Number of documents, 2 or more, default 1000.
    pub documents: usize,
    /// Number of different runs, default 240.
    pub runs: usize,
    /// Number of documents that each run is planted in, 2 or more, default 4.
    pub copies: usize,
    /// Seed.
    pub seed: u64,
}

impl Default for Passages {
    fn default() -> Self {
        Self {
            documents: 1000,
            runs: 240,
            copies: 4,
            seed: 1,
        }
    }
}

/// A run in a document.
#[derive(Clone, Copy)]
struct Planted {
    run: usize,
    /// Index of the word that is changed; `None` for an unchanged copy.
    changed: Option<usize>,
}

/// Writes documents of words that occur once, with runs of words that occur in several documents: a third
/// of the runs in the middle of sentences, a third as a line, a third as a paragraph. In half of the runs,
/// each copy after the first two has one word changed. `planted.jsonl` has a row for each unchanged part of
/// a run in a document: `document`, `start` and `end` in bytes of its text, `run`, and `tokens`. Returns
/// the number of documents.
///
/// # Errors
/// If there are too few documents or copies, or if the folder cannot be written to.
pub fn passages(options: &Passages, out: &Path, cancel: &Cancel) -> Result<u64, Error> {
    if options.copies < 2 || options.documents < options.copies {
        return Err(Error::value(
            "copies",
            "a run is planted in 2 documents or more, and there are as many documents",
        ));
    }
    let mut random = Random::new(options.seed, 0);
    let mut of_document: Vec<Vec<Planted>> = vec![Vec::new(); options.documents];
    for run in 0..options.runs {
        let length = LENGTHS[run % LENGTHS.len()];
        // Consecutive documents from a random one on: no document has a run twice.
        let first = random.below(options.documents);
        for copy in 0..options.copies {
            // Every second round of the lengths has changed copies. The first two copies stay equal, so the
            // whole run is a passage.
            let is_changed = run / LENGTHS.len() % 2 == 1 && copy > 1;
            let changed = is_changed.then(|| random.below(length));
            of_document[(first + copy) % options.documents].push(Planted { run, changed });
        }
    }
    let mut writer = SetWriter::documents(out, cancel)?;
    for (number, planted) in of_document.iter().enumerate() {
        cancel.check()?;
        let mut text = Text::new(number, options.seed);
        text.own(random.between(OWN.0, OWN.1));
        let mut rows = Vec::new();
        for &Planted { run, changed } in planted {
            let length = LENGTHS[run % LENGTHS.len()];
            // An entry of `BREAKS` holds for two rounds of the lengths, one of them with changed copies.
            let between = BREAKS[run / LENGTHS.len() / 2 % BREAKS.len()];
            text.end_sentence(between);
            let mut begun: Option<(usize, usize)> = None;
            for place in 0..length {
                // The changed word splits the run: the part before it is a row of its own, unless it is
                // empty.
                if changed == Some(place) {
                    rows.extend(
                        begun
                            .take()
                            .map(|(start, first)| (start, text.end(), run, place - first)),
                    );
                    text.own(1);
                    continue;
                }
                let start = text.planted(run, place);
                begun.get_or_insert((start, place));
            }
            rows.extend(begun.map(|(start, first)| (start, text.end(), run, length - first)));
            text.end_sentence(between);
            text.own(random.between(OWN.0, OWN.1));
        }
        let label = Label {
            op: "passages",
            ..Label::default()
        };
        writer.add(&number.to_string(), &text.text, &label)?;
        for (start, end, run, tokens) in rows {
            writer.planted(&json!({
                "document": number.to_string(), "start": start, "end": end, "run": run, "tokens": tokens,
            }))?;
        }
    }
    writer.finish(&json!({
        "generator": "passages",
        "documents": options.documents,
        "runs": options.runs,
        "copies": options.copies,
        "seed": options.seed,
    }))
}

/// A text that is being written.
struct Text {
    text: String,
    words: usize,
    /// Words of the sentence so far.
    in_sentence: usize,
    /// Text before the next word, if a line ends there.
    pending: Option<&'static str>,
    document: usize,
    seed: u64,
}

impl Text {
    /// An empty text.
    fn new(document: usize, seed: u64) -> Self {
        Text {
            text: String::new(),
            words: 0,
            in_sentence: 0,
            pending: None,
            document,
            seed,
        }
    }

    /// Appends a word. Returns the offset of its first byte.
    fn word(&mut self, word: &str) -> usize {
        let begins = self.in_sentence == 0;
        if self.words > 0 {
            // A run that continues a sentence has other separators than at its other places; tokens do not
            // include them.
            let between = if begins { ". " } else { " " };
            self.text.push_str(self.pending.take().unwrap_or(between));
        }
        self.words += 1;
        self.in_sentence = (self.in_sentence + 1) % SENTENCE;
        let start = self.text.len();
        let mut chars = word.chars();
        let first = chars.next().filter(|_| begins);
        self.text.extend(first.map(|first| first.to_ascii_uppercase()));
        self.text.push_str(if begins { chars.as_str() } else { word });
        start
    }

    /// Ends the sentence before the next word, and the line, too. Does nothing if `between` is `None`.
    fn end_sentence(&mut self, between: Option<&'static str>) {
        if between.is_some() {
            (self.in_sentence, self.pending) = (0, between);
        }
    }

    /// Appends words that occur in no other document.
    fn own(&mut self, words: usize) {
        for _ in 0..words {
            let word = format!("d{}w{}", self.document, self.words);
            self.word(&word);
        }
    }

    /// Appends a word of a run. Returns the offset of its first byte.
    fn planted(&mut self, run: usize, place: usize) -> usize {
        let seed = self.seed;
        self.word(&format!("s{seed}r{run}p{place}"))
    }

    /// Length of the text so far, in bytes.
    fn end(&self) -> usize {
        self.text.len()
    }
}
