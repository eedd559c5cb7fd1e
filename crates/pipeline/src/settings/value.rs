//! Types of settings. Each is read from text by `FromStr`, whose error says what is possible.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;

use dehusk_dedup::{Family, Parameter};
use serde::de::{self, Deserializer, Visitor};

use crate::read::format::{self, Format};

/// Reads a setting of a configuration file through `FromStr`, whatever type TOML gives it.
pub(super) fn parsed<'de, D: Deserializer<'de>, T: FromStr<Err = String>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    struct Text<T>(std::marker::PhantomData<T>);
    impl<T: FromStr<Err = String>> Visitor<'_> for Text<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string or a number")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(E::custom)
        }

        fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
            self.visit_str(&number.to_string())
        }

        fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
            self.visit_str(&number.to_string())
        }

        fn visit_f64<E: de::Error>(self, number: f64) -> Result<T, E> {
            self.visit_str(&number.to_string())
        }
    }
    deserializer
        .deserialize_any(Text(std::marker::PhantomData))
        .map(Some)
}

fn known<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// Name of an input format.
#[derive(Clone, Copy)]
pub struct FormatName(pub &'static dyn Format);

impl FromStr for FormatName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = format::ALL.iter().find(|format| format.name() == text);
        found.map(|format| FormatName(*format)).ok_or_else(|| {
            format!(
                "unknown format `{text}`; known: {}",
                known(format::ALL.iter().map(|format| format.name()))
            )
        })
    }
}

impl fmt::Debug for FormatName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// An extractor: `NAME[:PARAMETER=VALUE,...]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtractorName(pub String);

impl FromStr for ExtractorName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match dehusk_extract::Options::default().with_extractor(text) {
            Ok(_) => Ok(ExtractorName(text.to_owned())),
            Err(unknown) => Err(unknown.to_string()),
        }
    }
}

/// Name of a parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ParserName(pub dehusk_html::ParserKind);

impl ParserName {
    /// All parsers that were compiled in, as users type them.
    pub fn names() -> Vec<&'static str> {
        dehusk_html::ParserKind::ALL
            .iter()
            .map(|kind| kind.name())
            .collect()
    }
}

impl FromStr for ParserName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse()
            .map(ParserName)
            .map_err(|unknown: dehusk_html::UnknownParser| unknown.to_string())
    }
}

/// Name of a normalization profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProfileName(pub &'static str);

impl FromStr for ProfileName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = dehusk_normalize::profile::ALL
            .iter()
            .find(|profile| profile.name() == text);
        found.map(|profile| ProfileName(profile.name())).ok_or_else(|| {
            let names = dehusk_normalize::profile::ALL
                .iter()
                .map(|profile| profile.name());
            format!("unknown profile `{text}`; known: {}", known(names))
        })
    }
}

fn number<T: FromStr + PartialOrd + fmt::Display>(text: &str, range: RangeInclusive<T>) -> Result<T, String> {
    let (least, most) = (range.start(), range.end());
    let wanted = || format!("`{text}` is not a number from {least} to {most}");
    text.replace('_', "")
        .parse()
        .ok()
        .filter(|number| range.contains(number))
        .ok_or_else(wanted)
}

/// Smallest similarity of duplicates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Threshold(pub f64);

impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let threshold: f64 = text.parse().unwrap_or(f64::NAN);
        if threshold > 0.0 && threshold <= 1.0 {
            Ok(Threshold(threshold))
        } else {
            Err(format!("`{text}` is not a similarity above 0 and up to 1"))
        }
    }
}

/// Units in a shingle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Width(pub u32);

impl FromStr for Width {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        number(text, 1..=1000).map(Width)
    }
}

/// Number of threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads(pub usize);

impl FromStr for Threads {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        number(text, 1..=1024).map(Threads)
    }
}

/// Number of bytes: `1048576`, `1024KiB` or `1MiB`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bytes(pub usize);

/// Reads a number of bytes with a unit.
fn bytes(text: &str) -> Option<u64> {
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '_')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1_u64,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "kb" => 1000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        _ => return None,
    };
    number.replace('_', "").parse::<u64>().ok()?.checked_mul(unit)
}

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match bytes(text) {
            Some(bytes) if (1..=1 << 30).contains(&bytes) => Ok(Bytes(bytes as usize)),
            _ => Err(format!(
                "`{text}` is not a size from 1 byte to 1GiB, such as 500KiB or 64MiB"
            )),
        }
    }
}

/// Memory in bytes: `268435456`, `256MiB` or `256M`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory(pub u64);

impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        bytes(text)
            .filter(|bytes| *bytes > 0)
            .map(Memory)
            .ok_or_else(|| format!("`{text}` is not a size, such as 256MiB or 4GiB"))
    }
}

/// How many rejected records are too many.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum MaxBad {
    /// More than this number.
    Count(u64),
    /// More than this share of the records, 0 to 1.
    Share(f64),
}

impl MaxBad {
    /// Whether that many of the records read are too many.
    pub(crate) fn exceeded(self, bad: u64, read: u64) -> bool {
        match self {
            MaxBad::Count(most) => bad > most,
            MaxBad::Share(most) => bad as f64 > most * read as f64,
        }
    }
}

impl FromStr for MaxBad {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = || format!("`{text}` is neither a number of records nor a share such as 1%");
        match text.strip_suffix('%') {
            Some(percent) => {
                let percent: f64 = percent.trim().parse().map_err(|_| wanted())?;
                if (0.0..=100.0).contains(&percent) {
                    Ok(MaxBad::Share(percent / 100.0))
                } else {
                    Err(wanted())
                }
            }
            None => text.parse().map(MaxBad::Count).map_err(|_| wanted()),
        }
    }
}

/// Declares a type of setting that is one of a few words.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident($inner:ty), default $default:expr, $($word:literal => $value:expr),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name(pub $inner);

        impl $name {
            /// The words that are possible.
            pub const WORDS: &[&str] = &[$($word),+];
        }

        impl Default for $name {
            fn default() -> Self {
                $name($default)
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($word => Ok($name($value)),)+
                    _ => Err(format!("`{text}` is not possible; known: {}", Self::WORDS.join(", "))),
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.0 {
                    $(value if value == $value => f.write_str($word),)+
                    _ => Ok(()),
                }
            }
        }
    };
}

words! {
    /// What becomes of a duplicate.
    Policy(dehusk_dedup::Action), default dehusk_dedup::Action::Delete,
    "keep" => dehusk_dedup::Action::Keep, "demote" => dehusk_dedup::Action::Demote, "delete" => dehusk_dedup::Action::Delete
}

words! {
    /// How short documents are compared.
    ShortPolicy(dehusk_dedup::Short), default dehusk_dedup::Short::Exact,
    "exact" => dehusk_dedup::Short::Exact, "near" => dehusk_dedup::Short::Near
}

/// What lexical methods read for words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Terms {
    /// The words as they are.
    #[default]
    Plain,
    /// Russian and English stems, without the stop words of these languages.
    Stemmed,
}

words! {
    /// What lexical methods read for words.
    TermForm(Terms), default Terms::Plain,
    "plain" => Terms::Plain, "stemmed" => Terms::Stemmed
}

words! {
    /// What a shingle is a run of.
    ShinglingUnit(dehusk_dedup::Unit), default dehusk_dedup::Unit::Word,
    "word" => dehusk_dedup::Unit::Word, "char" => dehusk_dedup::Unit::Char
}

/// A strategy and the parameters set for it: `minhash` or `minhash:width=200,seed=7`.
pub struct Chosen<T: ?Sized> {
    strategy: Arc<T>,
    set: BTreeMap<&'static str, String>,
}

impl<T: ?Sized> Clone for Chosen<T> {
    fn clone(&self) -> Self {
        Chosen {
            strategy: Arc::clone(&self.strategy),
            set: self.set.clone(),
        }
    }
}

impl<T: Family + ?Sized> Chosen<T> {
    /// The strategy of that name, with its default parameters.
    pub fn named(name: &str) -> Result<Self, String> {
        let strategy = T::named(name).map_err(|e| e.to_string())?;
        Ok(Chosen {
            strategy,
            set: BTreeMap::new(),
        })
    }

    /// The same with one parameter changed.
    pub fn with(mut self, parameter: &str, value: &str) -> Result<Self, String> {
        self.strategy = self.strategy.set(parameter, value).map_err(|e| e.to_string())?;
        let known = self
            .strategy
            .parameters()
            .iter()
            .find(|known| known.name == parameter);
        self.set.extend(known.map(|known| (known.name, value.to_owned())));
        Ok(self)
    }

    /// Whether the strategy has a parameter of that name.
    pub fn has(&self, parameter: &str) -> bool {
        self.strategy
            .parameters()
            .iter()
            .any(|known| known.name == parameter)
    }

    /// The strategy.
    pub fn strategy(&self) -> Arc<T> {
        Arc::clone(&self.strategy)
    }

    /// Name and all parameters, defaults among them, in the form in which they are typed.
    pub fn describe(&self) -> String {
        let value = |known: &Parameter| {
            self.set
                .get(known.name)
                .map_or(known.default, String::as_str)
                .to_owned()
        };
        let parameters: Vec<String> = self
            .strategy
            .parameters()
            .iter()
            .map(|known| format!("{}={}", known.name, value(known)))
            .collect();
        let colon = if parameters.is_empty() { "" } else { ":" };
        format!("{}{colon}{}", self.strategy.name(), parameters.join(","))
    }
}

impl<T: Family + ?Sized> FromStr for Chosen<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let mut chosen = Chosen::named(name.trim())?;
        for parameter in parameters
            .split(',')
            .map(str::trim)
            .filter(|parameter| !parameter.is_empty())
        {
            let Some((name, value)) = parameter.split_once('=') else {
                return Err(format!("`{parameter}` is not of the form PARAMETER=VALUE"));
            };
            chosen = chosen.with(name.trim(), value.trim())?;
        }
        Ok(chosen)
    }
}

impl<T: Family + ?Sized> fmt::Debug for Chosen<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}
