//! Generates documents and edited copies of them.

use std::path::Path;

use dehusk_pipeline::{Cancel, Error};
use serde_json::json;

use super::edits::{EDITS, Edit, RATES, edited};
use super::habits::{self, Habit};
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
    /// Whether copies differ from their texts in spelling only, default `false`.
    pub variants: bool,
    /// Seed.
    pub seed: u64,
}

impl Default for Mutations {
    fn default() -> Self {
        Self {
            documents: 10_000,
            copied: 250_000,
            variants: false,
            seed: 1,
        }
    }
}

/// A generated document before it is written.
struct Made {
    text: String,
    label: Label,
    /// Index of its parent in the list of generated documents; `None` for a base text.
    parent: Option<usize>,
}

/// Share of base texts that end with a line of boilerplate.
const WITH_LINE: Millionths = 150_000;

/// Share of groups in which each copy is made from the copy before it.
const CHAINS: Millionths = 200_000;

/// Writes documents of 30 or more words. Some have 1 to 99 copies: equal ones, and copies with changed
/// words, typing errors, moved or deleted sentences, or lines of boilerplate, at rates from 1 to 40 %. Each
/// of the `pools` has texts of one language; the language of each document is random. With `variants`,
/// copies are typed with a habit of the writers of their language instead. Returns the number of documents.
///
/// # Errors
/// If the texts are too short for the number of documents, or the folder cannot be written to. With
/// `variants`, even if a text is in a language without known habits.
pub fn mutations(pools: &[Pool], options: &Mutations, out: &Path, cancel: &Cancel) -> Result<u64, Error> {
    let mut random = Random::new(options.seed, 0);
    // Stream 0 makes the choices; each pool has a stream of its own.
    let mut texts: Vec<TextStream<'_>> = (1..)
        .zip(pools)
        .map(|(stream, pool)| TextStream::new(pool, Random::new(options.seed, stream)))
        .collect();
    if texts.is_empty() {
        return Err(Error::usage("no text is named"));
    }
    let habits = match options.variants {
        true => pools.iter().map(habits_of).collect::<Result<_, _>>()?,
        false => Vec::new(),
    };
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
        // The last group is cut to the number of documents.
        let left = options.documents - made.len();
        let members = if random.chance(options.copied) {
            group_size(&mut random).min(left)
        } else {
            1
        };
        let chain = random.chance(CHAINS);
        let first = made.len();
        let habits: &[&Habit] = habits.get(number).map_or(&[], Vec::as_slice);
        // All versions are kept: in a chain, a copy is made from the version before it, otherwise from the
        // first.
        let mut versions = vec![sentences];
        for number in 0..members {
            let (mut op, mut rate, mut parent) = ("base", 0, None);
            let from = if chain { number.saturating_sub(1) } else { 0 };
            if number > 0
                && let Some(habit) = random.pick(habits)
            {
                op = habit.name;
                parent = Some(first + from);
                let copy = versions[from]
                    .iter()
                    .map(|sentence| habit.write(sentence))
                    .collect();
                versions.push(copy);
            } else if number > 0 {
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
                language: pool.code,
                ..Label::default()
            };
            made.push(Made { text, label, parent });
        }
        group += 1;
    }
    // Nothing is written if the truth would be wrong.
    check_variety(&texts, made.len())?;
    write(&made, &mut random, options, out, cancel)
}

/// Habits of spelling in a pool's language.
///
/// # Errors
/// If the language is not recognized or has no known habits.
fn habits_of(pool: &Pool) -> Result<Vec<&'static Habit>, Error> {
    let habits = pool.code.map(habits::of_language).unwrap_or_default();
    if !habits.is_empty() {
        return Ok(habits);
    }
    let start = pool.sentences.first().map_or("", String::as_str);
    let start: String = start.chars().take(SHOWN).collect();
    let language = pool.code.map_or_else(
        || "in a language that is not recognized".to_owned(),
        |code| format!("in the language `{code}`, for which no variants are known"),
    );
    Err(
        Error::usage(format!("the text that begins with `{start}` is {language}")).with_help(format!(
            "languages with variants: {}",
            habits::languages().join(", ")
        )),
    )
}

/// Characters of a text that an error shows.
const SHOWN: usize = 60;

/// Writes the documents in random order. The id of a document is its number in this order.
fn write(
    made: &[Made],
    random: &mut Random,
    options: &Mutations,
    out: &Path,
    cancel: &Cancel,
) -> Result<u64, Error> {
    let mut order: Vec<usize> = (0..made.len()).collect();
    random.shuffle(&mut order);
    // Labels name parents by the ids that these get in the random order.
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
        "variants": options.variants,
        "seed": options.seed,
    }))
}

/// A random number of documents in a group with copies: 2 for 55 % of groups, 3 for 20 %, 4 to 6 for 15 %,
/// 7 to 20 for 8 %, and 21 to 100 for the rest.
fn group_size(random: &mut Random) -> usize {
    match random.below(100) {
        0..55 => 2,
        55..75 => 3,
        75..90 => random.between(4, 6),
        90..98 => random.between(7, 20),
        _ => random.between(21, 100),
    }
}
