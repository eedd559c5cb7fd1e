//! Generates records of names with errors, in the classes of Hassanzadeh et al.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use dehusk_pipeline::{Cancel, Error};
use serde_json::json;

use super::sentences::Language;
use crate::random::Random;
use crate::sets::{Label, SetWriter};

/// The amount of errors in records (Hassanzadeh, Chiang, Lee, Miller, PVLDB 2009). All values are in percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Name, such as `HE`.
    pub name: &'static str,
    /// Share of duplicates with errors.
    pub erroneous: u32,
    /// Largest share of edited characters in a record.
    pub extent: u32,
    /// Probability that a word is swapped with the previous word.
    pub swap: u32,
    /// Probability that common words are abbreviated or spelled out.
    pub abbreviation: u32,
}

/// The classes: high, medium and low error, abbreviations, swapped words, and typing errors of three strengths.
pub const PROFILES: &[Profile] = &[
    profile("HE", 90, 30, 20, 50),
    profile("ME", 50, 10, 20, 50),
    profile("LE", 10, 10, 20, 50),
    profile("AB", 50, 0, 0, 50),
    profile("TS", 50, 0, 20, 0),
    profile("EDL", 50, 10, 0, 0),
    profile("EDM", 50, 20, 0, 0),
    profile("EDH", 50, 30, 0, 0),
];

/// A class, for the table above.
const fn profile(name: &'static str, erroneous: u32, extent: u32, swap: u32, abbreviation: u32) -> Profile {
    Profile {
        name,
        erroneous,
        extent,
        swap,
        abbreviation,
    }
}

/// Common words of company names, and their abbreviations.
const ABBREVIATIONS: &[(&str, &str)] = &[
    ("incorporated", "inc"),
    ("corporation", "corp"),
    ("company", "co"),
    ("limited", "ltd"),
    ("international", "intl"),
    ("holdings", "hldgs"),
    ("group", "grp"),
    ("and", "&"),
    ("association", "assoc"),
    ("technologies", "tech"),
];

/// Options of [`records`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Records {
    /// The class of errors.
    pub profile: Profile,
    /// Number of records, default 5000.
    pub records: usize,
    /// Number of distinct names, default 500.
    pub clusters: usize,
    /// Seed.
    pub seed: u64,
}

impl Records {
    /// Options for a class, given by name, with defaults.
    ///
    /// # Errors
    /// If there is no such class; the message lists the known classes.
    pub fn new(profile: &str) -> Result<Self, Error> {
        let found = PROFILES
            .iter()
            .find(|known| known.name.eq_ignore_ascii_case(profile));
        let profile = *found.ok_or_else(|| {
            let known: Vec<_> = PROFILES.iter().map(|known| known.name).collect();
            Error::value(
                "class",
                format_args!("unknown class `{profile}`; known: {}", known.join(", ")),
            )
        })?;
        Ok(Self {
            profile,
            records: 5000,
            clusters: 500,
            seed: 1,
        })
    }
}

/// Writes records of names with the errors of a class, in random order. `names` are paths of files. In CSV
/// files, names are in the last column and the first row is a header. In other files, each line is a name.
/// Returns the number of records.
///
/// # Errors
/// If a file cannot be read, if there are fewer names than clusters, or if the folder cannot be written to.
pub fn records(names: &[String], options: &Records, out: &Path, cancel: &Cancel) -> Result<u64, Error> {
    // A sorted set: the order of files does not matter.
    let mut known = BTreeSet::new();
    for name in names {
        let path = Path::new(name);
        cancel.reads("the names", path);
        let text = fs::read_to_string(path).map_err(|e| Error::input(path, e))?;
        if path.extension().is_some_and(|extension| extension == "csv") {
            let mut table = csv::ReaderBuilder::new()
                .flexible(true)
                .from_reader(text.as_bytes());
            for row in table.records() {
                let row = row.map_err(|e| Error::input(path, e.into()))?;
                known.extend(row.iter().next_back().and_then(company));
            }
        } else {
            known.extend(text.lines().filter_map(company));
        }
    }
    if known.len() < options.clusters || options.clusters == 0 {
        return Err(Error::usage(format!(
            "{} names of 2 to 8 words are in the files, and {} are wanted",
            known.len(),
            options.clusters
        ))
        .with_help("name more files, or ask for fewer clusters"));
    }
    let mut names: Vec<String> = known.into_iter().collect();
    let mut random = Random::new(options.seed, 0);
    random.shuffle(&mut names);
    // All clusters have equal sizes, so the number of records may be less than asked for.
    let each = (options.records / options.clusters).max(1);
    let mut rows = Vec::new();
    for (group, name) in (0..).zip(names.iter().take(options.clusters)) {
        for copy in 0..each {
            let (text, op) = if copy == 0 {
                (name.clone(), "base")
            } else if random.below(100) >= options.profile.erroneous as usize {
                (name.clone(), "exact")
            } else {
                (erroneous(name, options.profile, &mut random), "error")
            };
            rows.push((text, group, op));
        }
    }
    random.shuffle(&mut rows);
    let mut writer = SetWriter::documents(out, cancel)?;
    for (number, (text, group, op)) in rows.iter().enumerate() {
        cancel.check()?;
        let label = Label {
            group: *group,
            op,
            ..Label::default()
        };
        writer.add(&number.to_string(), text, &label)?;
    }
    writer.finish(&json!({
        "generator": "records",
        "class": options.profile.name,
        "records": rows.len(),
        "clusters": options.clusters,
        "seed": options.seed,
    }))
}

/// The company name in the name of a security. `None` if the security is not a share, or the name has fewer
/// than 2 or more than 8 words.
fn company(security: &str) -> Option<String> {
    const ENDS: &[&str] = &[
        " - ",
        " Common Stock",
        " American Deposit",
        " Ordinary Share",
        " Class ",
    ];
    const OTHERS: &[&str] = &[
        "ETF",
        "Fund",
        "Notes",
        "Warrant",
        "Unit",
        "Preferred",
        "Trust",
        "%",
    ];
    let end = ENDS.iter().filter_map(|end| security.find(end)).min();
    let name = security[..end.unwrap_or(security.len())].trim();
    let fits = (2..=8).contains(&name.split_whitespace().count());
    (fits && !OTHERS.iter().any(|other| name.contains(other))).then(|| name.to_owned())
}

/// The name with the errors of a class.
fn erroneous(name: &str, profile: Profile, random: &mut Random) -> String {
    let mut words: Vec<String> = name.split_whitespace().map(str::to_owned).collect();
    if random.below(100) < profile.abbreviation as usize {
        for (long, short) in ABBREVIATIONS {
            // The first word that matches, without the point of an abbreviation.
            let place = |wanted: &str, words: &[String]| {
                words
                    .iter()
                    .position(|word| word.trim_matches(['.', ',']).eq_ignore_ascii_case(wanted))
            };
            if let Some(at) = place(long, &words) {
                words[at] = capitalized(short);
            } else if let Some(at) = place(short, &words) {
                words[at] = capitalized(long);
            }
        }
    }
    for at in 1..words.len() {
        if random.below(100) < profile.swap as usize {
            words.swap(at - 1, at);
        }
    }
    let mut letters: Vec<char> = words.join(" ").chars().collect();
    if profile.extent > 0 {
        // Number of edits: a random share, up to 1, of the largest extent; at least one.
        let hits = (letters.len() * profile.extent as usize * (1 + random.below(1000))).div_ceil(100_000);
        for _ in 0..hits {
            let at = random.below(letters.len());
            // A character is replaced, inserted, removed or swapped. If it cannot be removed, it is
            // swapped.
            let kind = random.below(4);
            let other = random.pick(Language::English.letters()).copied().unwrap_or('x');
            match kind {
                0 => letters[at] = other,
                1 => letters.insert(at, other),
                2 if letters.len() > 3 => drop(letters.remove(at)),
                _ if at + 1 < letters.len() => letters.swap(at, at + 1),
                _ => {}
            }
        }
    }
    letters.into_iter().collect()
}

/// The word with its first letter in upper case.
fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
