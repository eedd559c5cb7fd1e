//! Sets that are hard to compare: documents where each pair shares other parts, and similar texts with
//! many copies each.

use std::path::Path;

use dehusk_pipeline::{Cancel, Error};
use serde_json::json;

use crate::random::Random;
use crate::sets::{Label, SetWriter};

/// Number of words in a part.
const PART: usize = 5;

/// Number of words that all texts of a set of stars share.
const SHARED: usize = 100;

/// Options of [`parts`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parts {
    /// Number of documents, default 1000.
    pub documents: usize,
    /// Number of parts in a document, of five words each; 1 or more, default 40.
    pub parts: usize,
    /// Number of draws of a part to replace, default 4. The same part may be drawn several times.
    pub replaced: usize,
    /// Seed.
    pub seed: u64,
}

impl Default for Parts {
    fn default() -> Self {
        Self {
            documents: 1000,
            parts: 40,
            replaced: 4,
            seed: 1,
        }
    }
}

impl Parts {
    /// The texts of the documents.
    pub fn texts(&self) -> impl Iterator<Item = String> {
        let mut random = Random::new(self.seed, 0);
        (0..self.documents).map(move |_| {
            let mut variants = vec![0; self.parts];
            for _ in 0..self.replaced {
                let part = random.below(self.parts);
                let variant = random.between(1, 3);
                if let Some(place) = variants.get_mut(part) {
                    *place = variant;
                }
            }
            // Words name their part and variant, so documents share exactly the parts with equal variants.
            let part = |(part, variant)| (0..PART).map(move |word| format!("p{part}v{variant}w{word}"));
            let words: Vec<String> = variants.into_iter().enumerate().flat_map(part).collect();
            words.join(" ")
        })
    }
}

/// Writes documents of the same parts. In each document, some parts are replaced by one of three variants.
/// So any two documents are similar, or nearly so, and each pair shares other parts. All are in one group.
/// Returns the number of documents.
///
/// # Errors
/// If `parts` is 0, or the folder cannot be written to.
pub fn parts(options: &Parts, out: &Path, cancel: &Cancel) -> Result<u64, Error> {
    if options.parts == 0 {
        return Err(Error::value("parts", "a document has at least one part"));
    }
    let mut writer = SetWriter::documents(out, cancel)?;
    for (number, text) in options.texts().enumerate() {
        cancel.check()?;
        let label = Label {
            op: "parts",
            ..Label::default()
        };
        writer.add(&number.to_string(), &text, &label)?;
    }
    writer.finish(&json!({
        "generator": "parts",
        "documents": options.documents,
        "parts": options.parts,
        "replaced": options.replaced,
        "seed": options.seed,
    }))
}

/// Options of [`stars`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Stars {
    /// Number of different texts, default 50.
    pub stars: usize,
    /// Number of copies of each text, default 160.
    pub copies: usize,
    /// Seed.
    pub seed: u64,
}

impl Default for Stars {
    fn default() -> Self {
        Self {
            stars: 50,
            copies: 160,
            seed: 1,
        }
    }
}

/// Writes documents of a few texts in random order. Each text has many copies. All texts are similar: they
/// share a hundred words, and each has one word of its own. All are in one group, and the number of pairs
/// grows with the square of the number of documents. Returns the number of documents.
///
/// # Errors
/// If the folder cannot be written to.
pub fn stars(options: &Stars, out: &Path, cancel: &Cancel) -> Result<u64, Error> {
    let shared: Vec<String> = (0..SHARED).map(|word| format!("w{word}")).collect();
    let shared = shared.join(" ");
    let copies = |star| std::iter::repeat_n(star, options.copies);
    let mut order: Vec<u32> = (0..).take(options.stars).flat_map(copies).collect();
    Random::new(options.seed, 0).shuffle(&mut order);
    let mut writer = SetWriter::documents(out, cancel)?;
    for (number, star) in order.iter().enumerate() {
        cancel.check()?;
        let label = Label {
            exact: Some(*star),
            op: "stars",
            ..Label::default()
        };
        writer.add(&number.to_string(), &format!("{shared} star{star}"), &label)?;
    }
    writer.finish(&json!({
        "generator": "stars",
        "stars": options.stars,
        "copies": options.copies,
        "seed": options.seed,
    }))
}
