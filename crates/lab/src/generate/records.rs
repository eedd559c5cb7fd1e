//! Records of names with errors, after the classes of Hassanzadeh et al.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use dehusk_pipeline::{Cancel, Error};
use serde_json::json;

use super::sentences::Language;
use crate::random::Random;
use crate::sets::{Label, SetWriter};

/// How dirty records are (Hassanzadeh, Chiang, Lee, Miller, PVLDB 2009), all in percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Name, such as `HE`.
    pub name: &'static str,
    /// Duplicates that have errors.
    pub erroneous: u32,
    /// Largest share of characters that are hit.
    pub extent: u32,
    /// Chance that a word changes places with the next one.
    pub swap: u32,
    /// Chance that a usual word is abbreviated or spelled out.
    pub abbreviation: u32,
}

/// The classes: high, medium and low error, abbreviations, exchanged words, and errors of typing of three strengths.
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

const fn profile(name: &'static str, erroneous: u32, extent: u32, swap: u32, abbreviation: u32) -> Profile {
    Profile {
        name,
        erroneous,
        extent,
        swap,
        abbreviation,
    }
}

/// Usual words of company names, and their short forms.
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

/// What is generated.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Records {
    /// The class.
    pub profile: Profile,
    /// Number of records, default 5000.
    pub records: usize,
    /// Number of names they come from, default 500.
    pub clusters: usize,
    /// Seed.
    pub seed: u64,
}

impl Records {
    /// Records of a class, by name.
    ///
    /// # Errors
    /// If there is no such class; the message lists the known ones.
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

/// Writes records of names, with errors as the class says, in random order. `names` are files: of CSV the last column counts
/// and the first row is a head; of others every line is a name. Returns the number of records.
///
/// # Errors
/// If a file cannot be read, there are fewer names than clusters, or the folder cannot be written to.
pub fn records(names: &[String], options: &Records, out: &Path, cancel: &Cancel) -> Result<u64, Error> {
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

/// The name of a company in the name of a security; none if it is of another kind or length.
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

fn erroneous(name: &str, profile: Profile, random: &mut Random) -> String {
    let mut words: Vec<String> = name.split_whitespace().map(str::to_owned).collect();
    if random.below(100) < profile.abbreviation as usize {
        for (long, short) in ABBREVIATIONS {
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
        // A random share of the largest extent, at least one character.
        let hits = (letters.len() * profile.extent as usize * (1 + random.below(1000))).div_ceil(100_000);
        for _ in 0..hits {
            let at = random.below(letters.len());
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

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
