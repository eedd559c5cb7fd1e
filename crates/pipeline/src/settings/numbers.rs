//! Settings that are numbers, some of them with a unit.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use dehusk_html::narrow;

use super::value::SettingValue;

/// Parses a number within a range. Underscores may separate its digits.
fn number<T: FromStr + PartialOrd + fmt::Display>(text: &str, range: RangeInclusive<T>) -> Result<T, String> {
    let (least, most) = (range.start(), range.end());
    let wanted = || format!("`{text}` is not a number from {least} to {most}");
    text.replace('_', "")
        .parse()
        .ok()
        .filter(|number| range.contains(number))
        .ok_or_else(wanted)
}

/// Minimum similarity of duplicates, above 0 and at most 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Threshold(pub f64);

impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // NaN fails the comparison below.
        let threshold: f64 = text.parse().unwrap_or(f64::NAN);
        if threshold > 0.0 && threshold <= 1.0 {
            Ok(Threshold(threshold))
        } else {
            Err(format!("`{text}` is not a similarity above 0 and up to 1"))
        }
    }
}

/// A share from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share(pub f64);

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let share: f64 = text.parse().unwrap_or(f64::NAN);
        if (0.0..=1.0).contains(&share) {
            Ok(Share(share))
        } else {
            Err(format!("`{text}` is not a share from 0 to 1"))
        }
    }
}

/// Number of words or characters in a shingle, from 1 to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Width(pub u32);

impl FromStr for Width {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        number(text, 1..=1000).map(Width)
    }
}

/// Number of tokens of a run, from 1 to 10000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunLength(pub u32);

impl FromStr for RunLength {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        number(text, 1..=10_000).map(RunLength)
    }
}

/// A number from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Positive(pub u32);

impl FromStr for Positive {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        number(text, 1..=u32::MAX).map(Positive)
    }
}

/// Maximum number of open elements of a page, from 16.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depth(pub u32);

impl FromStr for Depth {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        number(text, 16..=u32::MAX).map(Depth)
    }
}

/// Number of threads, from 1 to 1024.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads(pub usize);

impl FromStr for Threads {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        number(text, 1..=1024).map(Threads)
    }
}

/// Number of bytes, 1 to 256 MiB: `1048576`, `1024KiB` or `1MiB`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bytes(pub usize);

/// Parses a number of bytes with an optional unit. Units of one letter are binary: `1k` is 1024.
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
            Some(bytes) if (1..=256 << 20).contains(&bytes) => Ok(Bytes(narrow::to_usize(bytes))),
            _ => Err(format!(
                "`{text}` is not a size from 1 byte to 256MiB, such as 500KiB or 64MiB"
            )),
        }
    }
}

/// Memory in bytes, from 1: `268435456`, `256MiB` or `256M`.
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

/// Number of rejected records above which an input counts as damaged.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum MaxBad {
    /// More records than this number.
    Count(u64),
    /// More than this share of the records, from 0 to 1.
    Share(f64),
}

impl MaxBad {
    /// Whether `bad` rejected records of `read` records exceed the limit.
    pub(crate) fn exceeded(self, bad: u64, read: u64) -> bool {
        match self {
            MaxBad::Count(most) => bad > most,
            // The tolerance is for rounding: 29 of 100 records do not exceed 29 %, which as a float may be
            // slightly less than 0.29.
            MaxBad::Share(most) => bad as f64 > most * read as f64 * (1.0 + 1e-12),
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

impl SettingValue for u32 {}
impl SettingValue for u64 {}
impl SettingValue for Threshold {}
impl SettingValue for Share {}
impl SettingValue for Width {}
impl SettingValue for RunLength {}
impl SettingValue for Positive {}
impl SettingValue for Depth {}
impl SettingValue for Threads {}
impl SettingValue for Bytes {}
impl SettingValue for Memory {}
impl SettingValue for MaxBad {}
