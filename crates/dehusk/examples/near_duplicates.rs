//! Which of a few texts are nearly the same, and what is the evidence?
//!
//! [`Deduper`] takes the tokens of documents and gives pairs, clusters and a decision about each document.
//! A pair is reported only after its similarity was computed exactly: here the Jaccard similarity of sets
//! of 3 neighboring words, which is the number of common ones over the number of all. So the evidence is a
//! number that can be checked by hand, and the run of words that both texts have.
//!
//! Texts are normalized first: case, punctuation and spelling of quotes must not make two texts different.
//!
//! `cargo run -p dehusk --example near_duplicates`

use std::collections::BTreeSet;
use std::error::Error;
use std::io::{self, Write};

use dehusk::dedup::{Deduper, Options, Reason, Shingler};
use dehusk::normalize::{Normalizer, Profile, near_tokens};

const TEXTS: [&str; 4] = [
    "The river rose in the night, and by noon it had left its bed.",
    "Apples are cheap this week, says the baker on the corner.",
    "The River rose in the night -- and by noon it had left its old bed!",
    "\u{201c}The river rose in the night, and by noon it had left its bed.\u{201d}",
];

pub(crate) fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut normalizer = Normalizer::new(Profile::near());
    let texts = &TEXTS.map(|text| normalizer.normalize_text(text).to_owned());
    // The tokens of the pair must be those that the search compares, so both come from this closure.
    let words = |text: usize| near_tokens(&texts[text]).map(move |range| &texts[text][range]);

    let options = Options::default()
        .with_shingler(Shingler::words(3))
        .with_threshold(0.6)
        .with_min_tokens(5);
    let mut deduper = Deduper::new(options)?;
    // The number of a document is the order in which it was added.
    for text in 0..texts.len() {
        deduper.add(words(text))?;
    }
    // Facts such as dates and hosts would choose the member of a cluster that stays. Without facts the
    // first one does.
    let outcome = deduper.finish(&())?;

    for pair in &outcome.pairs {
        let (a, b) = (pair.a as usize, pair.b as usize);
        writeln!(out, "texts {a} and {b}: similarity {:.3}", pair.similarity)?;
        let shingles = |text: usize| -> BTreeSet<String> {
            let words: Vec<&str> = words(text).collect();
            words.windows(3).map(|words| words.join(" ")).collect()
        };
        let (of_a, of_b) = (shingles(a), shingles(b));
        let (common, all) = (of_a.intersection(&of_b).count(), of_a.union(&of_b).count());
        writeln!(out, "  {common} of {all} runs of three words are in both")?;
        // What a person would look at: the runs of words that make the two texts different.
        let only: Vec<_> = of_a.symmetric_difference(&of_b).map(String::as_str).collect();
        writeln!(out, "  in one of them: {}", only.join("; "))?;
    }
    for decision in &outcome.decisions {
        let (document, of) = (decision.document, decision.representative);
        let why = match decision.reason {
            Reason::ExactDuplicate { of } => format!("same words as text {of}"),
            Reason::NearDuplicate {
                similarity: Some(similarity),
            } => format!("{similarity:.3} similar to text {of}"),
            reason => reason.name().to_owned(),
        };
        writeln!(out, "text {document}: {:?}, {why}", decision.action)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout().lock())
}
