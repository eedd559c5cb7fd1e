//! Dates with their time of day and zone, and dates without a day or without a month.

use std::ops::Range;

use super::calendar::{self, YEARS, day};
use super::find::{Form, Found, Reading, find};
use super::months;
use super::tokens::{Kind, tokens};

/// How much of a date is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum DatePrecision {
    /// `2024`.
    Year,
    /// `2024-03`.
    Month,
    /// `2024-03-05`.
    Day,
    /// `2024-03-05T10:30`, with or without a zone.
    Minute,
    /// `2024-03-05T10:30:15`, with or without a zone.
    Second,
}

impl DatePrecision {
    /// Name in records, such as `day`.
    pub fn name(self) -> &'static str {
        match self {
            DatePrecision::Year => "year",
            DatePrecision::Month => "month",
            DatePrecision::Day => "day",
            DatePrecision::Minute => "minute",
            DatePrecision::Second => "second",
        }
    }

    /// Returns the precision of a date as ISO 8601 writes it; `None` for other texts.
    pub fn of(date: &str) -> Option<DatePrecision> {
        // Each `0` of the form stands for a digit.
        let fits = |text: &str, form: &str| {
            text.len() == form.len()
                && text.bytes().zip(form.bytes()).all(|(byte, wanted)| match wanted {
                    b'0' => byte.is_ascii_digit(),
                    wanted => byte == wanted,
                })
        };
        if fits(date, "0000") {
            return Some(DatePrecision::Year);
        }
        if fits(date, "0000-00") {
            return Some(DatePrecision::Month);
        }
        let (day, time) = match date.split_once(['T', ' ']) {
            Some((day, time)) => (day, Some(time)),
            None => (date, None),
        };
        if !fits(day, "0000-00-00") {
            return None;
        }
        let Some(time) = time else {
            return Some(DatePrecision::Day);
        };
        // Seconds may be followed by a fraction, and times by a zone.
        let starts = |form: &str| time.get(..form.len()).is_some_and(|start| fits(start, form));
        match () {
            () if starts("00:00:00") => Some(DatePrecision::Second),
            () if starts("00:00") => Some(DatePrecision::Minute),
            () => None,
        }
    }
}

/// Maximum characters of a value that holds a date.
pub(super) const MAX_VALUE: usize = 60;

/// Returns the date of a value of structured data with the time and zone that it gives, in the forms of
/// [`DatePrecision`]; `None` if it has no date.
pub(in super::super) fn stamp(text: &str, reading: Reading<'_>) -> Option<String> {
    let text = text.trim();
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return digits(text);
    }
    // `20240305T101500Z`
    if let Some((compact, time)) = text.split_once('T').filter(|(compact, _)| compact.len() == 8)
        && let Some(day) = digits(compact)
    {
        return Some(day + &compact_time(time).unwrap_or_default());
    }
    // A long text is a sentence that mentions a day, unless it begins with the date.
    let is_value =
        |found: &Found| found.range.start == 0 || text.chars().take(MAX_VALUE + 1).count() <= MAX_VALUE;
    match find(text, reading).filter(|found| found.form != Form::ShortYear && is_value(found)) {
        Some(found) => Some(with_time(text, found)),
        None => partial(text, reading),
    }
}

/// Returns the date of a number: `20240305`, `20240305101500`, a year, or seconds or milliseconds since 1970.
fn digits(text: &str) -> Option<String> {
    let part = |range: Range<usize>| text.get(range)?.parse::<u32>().ok();
    match text.len() {
        4 => Some(text.to_owned()).filter(|_| part(0..4).is_some_and(|year| YEARS.contains(&year))),
        8 => day(part(0..4)?, part(4..6)?, part(6..8)?),
        14 => {
            let day = day(part(0..4)?, part(4..6)?, part(6..8)?)?;
            Some(day + &compact_time(&text[8..]).unwrap_or_default())
        }
        // Seconds since 1970 have ten digits from 2001 on.
        10 | 13 if text.starts_with('1') => {
            let seconds: u64 = text[..10].parse().ok()?;
            let days = calendar::number(1970, 1, 1)? + u32::try_from(seconds / 86_400).ok()?;
            let time = seconds % 86_400;
            let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
            Some(format!(
                "{}T{hour:02}:{minute:02}:{second:02}+00:00",
                calendar::of_number(days)?
            ))
        }
        _ => None,
    }
}

/// Returns `1015`, `101500` or `101500Z` as a time; `None` for other texts.
fn compact_time(text: &str) -> Option<String> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (time, zone) = text.split_at(end);
    let part = |at: usize| time.get(at..at + 2)?.parse::<u32>().ok();
    let second = match time.len() {
        4 => None,
        6 => part(4),
        _ => return None,
    };
    written(part(0)?, part(2)?, second, zone_at(zone))
}

/// Returns the month that is a whole text: `2024-03`, `2024/3`, `March 2024`; `None` for other texts.
fn partial(text: &str, reading: Reading<'_>) -> Option<String> {
    let text = text.get(..MAX_VALUE.min(text.len()))?;
    let found = tokens(text);
    let month = |at: usize| match &found.list[at].kind {
        Kind::Number { value, digits: 1..=2 } => Some(*value),
        Kind::Number { .. } => None,
        Kind::Word(_) => months::month(found.word(at)?, reading.language),
    };
    let year = |at: usize| match found.list[at].kind {
        Kind::Number { value, digits: 4 } if YEARS.contains(&value) => Some(value),
        _ => None,
    };
    let (year, month) = match found.list.len() {
        2 => match (year(0), year(1)) {
            (Some(year), None) => (year, month(1)?),
            (None, Some(year)) => (year, month(0)?),
            _ => return None,
        },
        _ => return None,
    };
    (1..=12).contains(&month).then(|| format!("{year:04}-{month:02}"))
}

/// Returns the day that was found in a text with the time of day beside it, if there is one.
pub(in super::super) fn with_time(text: &str, found: Found) -> String {
    let time = time_in(&text[found.range.clone()])
        .or_else(|| time_after(&text[found.range.end..]))
        .or_else(|| time_before(&text[..found.range.start]));
    match time {
        Some(time) => found.day + &time,
        None => found.day,
    }
}

/// Words between a day and its time.
const AT: &[&str] = &[
    "t", "at", "um", "à", "a", "las", "às", "alle", "ore", "ora", "kl", "klo", "в", "о", "om", "o", "godz",
    "saat", "u", "the", "v", "h", "on", "the", "lúc", "στις",
];
/// Maximum bytes between a day and its time.
const MAX_BETWEEN: usize = 16;

/// Returns the time that follows a date directly, or after one or two words such as `at`.
fn time_after(text: &str) -> Option<String> {
    let head = &text[..text.floor_char_boundary(MAX_BETWEEN)];
    let start = head.find(|c: char| c.is_ascii_digit())?;
    let between = &head[..start];
    let known = between
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty())
        .all(|word| AT.contains(&word.to_lowercase().as_str()));
    // A dash is a range of days, and a bracket another fact.
    let closed = between.contains(['(', '[', ';', '\n', '/']) || between.starts_with('-');
    (known && !closed).then(|| time_at(&text[start..]))?
}

/// Returns the time before a date: `10:15, 5 March 2024`.
fn time_before(text: &str) -> Option<String> {
    const TIME: usize = 12;
    let trimmed =
        text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '-' | '|' | '·' | '–'));
    let trimmed = trimmed.strip_suffix("on").unwrap_or(trimmed).trim_end();
    let start = trimmed.ceil_char_boundary(trimmed.len().saturating_sub(TIME));
    let tail = &trimmed[start..];
    let colon = tail.rfind(':')?;
    let digits = tail[..colon].bytes().rev().take_while(u8::is_ascii_digit).count();
    // `10:15:30` has two colons, and `Updated:10:15` is a time after a label.
    let mut at = colon - digits;
    if digits == 2 && tail[..at].ends_with(':') {
        let hours = tail[..at - 1]
            .bytes()
            .rev()
            .take_while(u8::is_ascii_digit)
            .count();
        at = if hours > 0 { at - 1 - hours } else { at };
    }
    let (time, length) = clock(&tail[at..])?;
    (tail[at + length..].trim().is_empty()).then_some(time)
}

/// Returns the time inside of a date: `Mar 05 10:00:00 +0000 2024`.
fn time_in(text: &str) -> Option<String> {
    let colon = text.find(':')?;
    let digits = text[..colon].bytes().rev().take_while(u8::is_ascii_digit).count();
    time_at(&text[colon - digits..])
}

fn time_at(text: &str) -> Option<String> {
    clock(text).map(|(time, _)| time)
}

/// Returns the time at the start of a text as `THH:MM`, with seconds and a zone if it has them, and its length in bytes.
///
/// Returns `None` for midnight, which systems write for a day without a time.
fn clock(text: &str) -> Option<(String, usize)> {
    let number = |at: usize| {
        let digits = text
            .get(at..)?
            .bytes()
            .take(3)
            .take_while(u8::is_ascii_digit)
            .count();
        let value: u32 = text.get(at..at + digits)?.parse().ok()?;
        (1..=2).contains(&digits).then_some((value, at + digits))
    };
    let (mut hour, at) = number(0)?;
    let mark = text.as_bytes().get(at).copied();
    if !matches!(mark, Some(b':' | b'h' | b'.')) {
        return None;
    }
    let (minute, mut end) = number(at + 1)?;
    // Minutes have two digits, and `5.3.2024` is a date.
    if end != at + 3 || mark == Some(b'.') && text[end..].starts_with('.') {
        return None;
    }
    let mut second = None;
    if let Some((value, after)) = number(end + 1).filter(|_| text.as_bytes().get(end) == Some(&b':')) {
        (second, end) = (Some(value), after);
        let fraction = text[end..].strip_prefix('.').map_or(0, |rest| {
            rest.bytes().take(10).take_while(u8::is_ascii_digit).count()
        });
        end += if fraction > 0 { fraction + 1 } else { 0 };
    }
    let rest = text[end..].trim_start();
    // `3:30 min read` is a length.
    if rest.starts_with("min") {
        return None;
    }
    // `p.m.` or `pm`.
    let half = rest
        .get(..4)
        .or_else(|| rest.get(..2))
        .map(|half| half.replace('.', "").to_ascii_lowercase())
        .filter(|half| half.starts_with("am") || half.starts_with("pm"));
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphabetic());
    let half_length = if rest.as_bytes().get(1) == Some(&b'.') {
        4
    } else {
        2
    };
    if let Some(half) = half.filter(|_| ends(rest.get(half_length..).unwrap_or(""))) {
        // In the twelve-hour clock, 12 stands for 0.
        if !(1..=12).contains(&hour) {
            return None;
        }
        hour = hour % 12 + if half.starts_with('p') { 12 } else { 0 };
        end = text.len() - rest.len() + half_length.min(rest.len());
    }
    let behind = &text[end..];
    let zone = zone_at(behind.trim_start());
    let zone_length = match &zone {
        Some((_, length)) => behind.len() - behind.trim_start().len() + length,
        None => 0,
    };
    Some((written(hour, minute, second, zone)?, end + zone_length))
}

/// Writes a time as `THH:MM`, with seconds and zone if it has them; `None` for midnight and for impossible times.
fn written(hour: u32, minute: u32, second: Option<u32>, zone: Option<(String, usize)>) -> Option<String> {
    // Midnight is what systems write for a day without a time.
    let midnight = hour == 0 && minute == 0 && second.unwrap_or(0) == 0;
    if midnight || hour > 23 || minute > 59 || second.is_some_and(|second| second > 59) {
        return None;
    }
    let mut out = format!("T{hour:02}:{minute:02}");
    if let Some(second) = second {
        out.push_str(&format!(":{second:02}"));
    }
    out.push_str(&zone.map(|(zone, _)| zone).unwrap_or_default());
    Some(out)
}

/// Returns the zone at the start of a text as `+HH:MM`, and its length in bytes.
///
/// Reads only abbreviations that name one zone everywhere.
fn zone_at(text: &str) -> Option<(String, usize)> {
    const ZONES: &[(&str, &str)] = &[
        ("Z", "+00:00"),
        ("GMT", "+00:00"),
        ("UTC", "+00:00"),
        ("WET", "+00:00"),
        ("CET", "+01:00"),
        ("CEST", "+02:00"),
        ("MEZ", "+01:00"),
        ("MESZ", "+02:00"),
        ("EET", "+02:00"),
        ("EEST", "+03:00"),
        ("MSK", "+03:00"),
        ("JST", "+09:00"),
        ("EST", "-05:00"),
        ("EDT", "-04:00"),
        ("CDT", "-05:00"),
        ("MST", "-07:00"),
        ("MDT", "-06:00"),
        ("PST", "-08:00"),
        ("PDT", "-07:00"),
    ];
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (name, rest) = text.split_at(letters);
    let named = ZONES.iter().find(|(known, _)| *known == name);
    // `+03:00` or `GMT+03`: an offset counts alone, or after `GMT` or `UTC`.
    let sign = rest.bytes().next().filter(|sign| matches!(sign, b'+' | b'-'));
    let sign = sign.filter(|_| matches!(name, "" | "GMT" | "UTC"));
    let Some(sign) = sign else {
        return named.map(|(_, zone)| ((*zone).to_owned(), letters));
    };
    let figures = &rest[1..];
    let hours = figures.bytes().take(4).take_while(u8::is_ascii_digit).count();
    let (hour, minute, length) = match (hours, figures.as_bytes().get(2)) {
        (2, Some(b':'))
            if figures
                .get(3..5)
                .is_some_and(|m| m.bytes().all(|b| b.is_ascii_digit())) =>
        {
            (&figures[..2], &figures[3..5], 5)
        }
        // `+0300`
        (4, _) => (&figures[..2], &figures[2..4], 4),
        // `+03`
        (2, _) => (&figures[..2], "00", 2),
        _ => return None,
    };
    let fits =
        hour.parse::<u32>().is_ok_and(|hour| hour <= 14) && minute.parse::<u32>().is_ok_and(|m| m < 60);
    // `-00:00` is the same as `+00:00`, which is how ISO 8601 writes it.
    let sign = if hour == "00" && minute == "00" {
        '+'
    } else {
        char::from(sign)
    };
    fits.then(|| (format!("{sign}{hour}:{minute}"), letters + 1 + length))
}
