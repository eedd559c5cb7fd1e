//! Generator of documents and edited copies of them.

use std::path::Path;

use dehusk_pipeline::{Cancel, Error};
use serde_json::json;

use super::edits::{EDITS, Edit, RATES, edited};
use super::sentences::{Pool, TextStream, check_variety, paragraphs};
use crate::random::{Millionths, Random};
use crate::sets::{Label, SetWriter};

/// Options of [`mutations`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Mutations {
    /// Number of documents, default 10,000.
    pub documents: usize,
    /// Share of base texts that have copies, in millionths, default 250,000.
    pub copied: Millionths,
    /// Seed.
    pub seed: u64,
}

impl Default for Mutations {
    fn default() -> Self {
        Self {
            documents: 10_000,
            copied: 250_000,
            seed: 1,
        }
    }
}

/// A generated document before it is written.
struct Made {
    text: String,
    label: Label,
    /// Index of its parent in the list of generated documents.
    parent: Option<usize>,
}

/// Share of base texts that end with a line of boilerplate.
const WITH_LINE: Millionths = 150_000;

/// Share of groups in which each copy is made from the copy before it.
const CHAINS: Millionths = 200_000;

/// Writes documents of 30 words or more. Some have 1 to 99 copies: equal ones, and copies with changed words, typing
/// errors, moved or deleted sentences, or lines of boilerplate, at rates from 1 to 40 %. `pools` hold texts of one
/// language each; the language of each document is random. Returns the number of documents.
///
/// # Errors
/// If the texts are too short for the number of documents, or the folder cannot be written to.
pub fn mutations(pools: &[Pool], options: &Mutations, out: &Path, cancel: &Cancel) -> Result<u64, Error> {
    let mut random = Random::new(options.seed, 0);
    let mut texts: Vec<TextStream<'_>> = (1..)
        .zip(pools)
        .map(|(stream, pool)| TextStream::new(pool, Random::new(options.seed, stream)))
        .collect();
    if texts.is_empty() {
        return Err(Error::usage("no text is named"));
    }
    let mut made: Vec<Made> = Vec::new();
    let mut group = 0;
    while made.len() < options.documents {
        cancel.check()?;
        let number = random.below(pools.len());
        let pool = &pools[number];
        let mut sentences = texts[number].next();
        if random.chance(WITH_LINE) {
            let line = random
                .pick(pool.language.boilerplate())
                .copied()
                .unwrap_or_default();
            sentences.push(format!("{line}."));
        }
        let left = options.documents - made.len();
        let members = if random.chance(options.copied) {
            group_size(&mut random).min(left)
        } else {
            1
        };
        let chain = random.chance(CHAINS);
        let first = made.len();
        let mut versions = vec![sentences];
        for number in 0..members {
            let (mut op, mut rate, mut parent) = ("base", 0, None);
            if number > 0 {
                let from = if chain { number - 1 } else { 0 };
                let edit = *random.weighted(&EDITS).unwrap_or(&Edit::Exact);
                let drawn = *random.pick(&RATES).unwrap_or(&0);
                rate = if edit.has_rate() { drawn } else { 0 };
                op = edit.name();
                parent = Some(first + from);
                let copy = edited(&versions[from], edit, drawn, pool, &mut random);
                versions.push(copy);
            }
            let text = paragraphs(&versions[number]).join("\n\n");
            let label = Label {
                group,
                op,
                rate,
                ..Label::default()
            };
            made.push(Made { text, label, parent });
        }
        group += 1;
    }
    check_variety(&texts, made.len())?;
    write(&made, &mut random, options, out, cancel)
}

/// Writes the documents in random order. Their ids are their numbers in this order.
fn write(
    made: &[Made],
    random: &mut Random,
    options: &Mutations,
    out: &Path,
    cancel: &Cancel,
) -> Result<u64, Error> {
    let mut order: Vec<usize> = (0..made.len()).collect();
    random.shuffle(&mut order);
    let mut place = vec![0; made.len()];
    for (row, &document) in order.iter().enumerate() {
        place[document] = row;
    }
    let mut writer = SetWriter::documents(out, cancel)?;
    for (row, &document) in order.iter().enumerate() {
        cancel.check()?;
        let Made { text, label, parent } = &made[document];
        let mut label = label.clone();
        label.parent = parent.map(|parent| place[parent].to_string());
        writer.add(&row.to_string(), text, &label)?;
    }
    writer.finish(&json!({
        "generator": "mutations",
        "documents": options.documents,
        "copied": f64::from(options.copied) / 1e6,
        "seed": options.seed,
    }))
}

/// A random number of documents in a group with copies: 2 for 55 % of groups, 3 for 20 %, 4 to 6 for 15 %, 7 to 20 for
/// 8 %, 21 to 100 for the rest.
fn group_size(random: &mut Random) -> usize {
    match random.below(100) {
        0..55 => 2,
        55..75 => 3,
        75..90 => random.between(4, 6),
        90..98 => random.between(7, 20),
        _ => random.between(21, 100),
    }
}
