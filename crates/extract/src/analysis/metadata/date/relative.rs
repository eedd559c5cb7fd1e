//! Dates written as a distance from the day on which a page was fetched: `3 days ago`, `vor zwei Stunden`, `вчера`.
//! Words: `data/relative.tsv`.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::calendar;
use super::stamp::DatePrecision;
use super::tokens::{Kind, Tokens, tokens};

/// The meaning of a word or phrase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    /// A unit: `count` of them if the word contains a number. `ago` if the word says so itself.
    Unit {
        unit: Unit,
        count: u32,
        ago: bool,
    },
    /// Stands before number and unit.
    Before,
    /// Stands after number and unit.
    After,
    Number(u32),
    /// The day this many days ago.
    Day(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// Maximum number of words of a phrase.
const MAX_WORDS: usize = 3;
/// Maximum number of units: a larger number is not that of a date.
const MAX_COUNT: u32 = 400;
/// Maximum bytes of a line with such a date.
const MAX_TEXT: usize = 200;

static WORDS: LazyLock<HashMap<&'static str, Vec<Meaning>>> = LazyLock::new(|| {
    let lines = include_str!("../../../../data/relative.tsv").lines();
    let rows = lines.filter(|line| !line.starts_with('#'));
    let mut words: HashMap<&'static str, Vec<Meaning>> = HashMap::new();
    for (word, meaning) in rows.filter_map(|line| line.split_once('\t')) {
        words.entry(word).or_default().extend(meanings(meaning));
    }
    words
});

/// Returns the meanings of a row; empty if the row is malformed, which a test excludes.
fn meanings(text: &str) -> Vec<Meaning> {
    // `<`, `>` or both: stands before the number, after the unit, or on either side.
    if text.contains(['<', '>']) {
        let sides = text.chars().filter_map(|side| match side {
            '<' => Some(Meaning::Before),
            '>' => Some(Meaning::After),
            _ => None,
        });
        return sides.collect();
    }
    let number = |text: &str| text.parse().ok();
    let one = match text.split_at_checked(1) {
        Some(("=", rest)) => number(rest).map(Meaning::Number),
        Some(("@", rest)) => number(rest).map(Meaning::Day),
        _ => {
            // `3d!`: the count if there is one, the unit, and `!` if the word says `ago`.
            let ago = text.ends_with('!');
            let text = text.trim_end_matches('!');
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let unit = match &text[digits..] {
                "s" => Some(Unit::Second),
                "m" => Some(Unit::Minute),
                "h" => Some(Unit::Hour),
                "d" => Some(Unit::Day),
                "w" => Some(Unit::Week),
                "M" => Some(Unit::Month),
                "y" => Some(Unit::Year),
                _ => None,
            };
            let count = number(&text[..digits]).unwrap_or(1);
            unit.map(|unit| Meaning::Unit { unit, count, ago })
        }
    };
    one.into_iter().collect()
}

/// A relative date in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct RelativeDate {
    /// The date, as exact as the text: a day, a month or a year.
    pub(in super::super) date: String,
    /// Range in the text, in bytes.
    pub(in super::super) range: Range<usize>,
    /// Whether the text says that it is a distance. `Today` alone may be the name of a section.
    pub(in super::super) is_distance: bool,
}

/// Returns the first relative date in a text, which was fetched on `captured`, a date of ISO 8601 with or
/// without a time; `None` if the text has none.
pub(in super::super) fn relative(text: &str, captured: &str) -> Option<RelativeDate> {
    let text = &text[..text.floor_char_boundary(MAX_TEXT)];
    let tokens = tokens(text);
    let reader = Reader { tokens: &tokens };
    (0..tokens.list.len()).find_map(|at| {
        let (distance, to) = reader.distance_at(at)?;
        let range = tokens.list[at].range.start..tokens.list.get(to.checked_sub(1)?)?.range.end;
        Some(RelativeDate {
            date: before(captured, distance)?,
            range,
            is_distance: !matches!(distance, Distance::NamedDay(_)),
        })
    })
}

/// Distance of a date from the day on which the page was fetched.
#[derive(Clone, Copy, Debug)]
enum Distance {
    NamedDay(u32),
    Units(u32, Unit),
}

struct Reader<'t> {
    tokens: &'t Tokens,
}

impl Reader<'_> {
    /// Returns the meanings of the phrases that begin at a token, each with the token after it. Longer
    /// phrases come first.
    fn meanings_at(&self, at: usize) -> Vec<(Meaning, usize)> {
        let mut phrase = String::new();
        let mut found = Vec::new();
        for to in at..at + MAX_WORDS {
            let Some(word) = self.tokens.word(to) else { break };
            if to > at {
                phrase.push(' ');
            }
            phrase.push_str(word);
            let of_phrase = WORDS.get(phrase.as_str()).into_iter().flatten();
            found.extend(of_phrase.map(|&meaning| (meaning, to + 1)));
        }
        found.reverse();
        found
    }

    /// Returns the distance that begins at a token, and the token after it.
    fn distance_at(&self, at: usize) -> Option<(Distance, usize)> {
        let meanings = self.meanings_at(at);
        for &(meaning, to) in &meanings {
            match meaning {
                Meaning::Day(days) => return Some((Distance::NamedDay(days), to)),
                Meaning::Before => {
                    if let Some((count, unit, _, to)) = self.units_at(to) {
                        return Some((Distance::Units(count, unit), to));
                    }
                }
                _ => {}
            }
        }
        // Without a word before it, a unit or the word after it must say `ago`: `3 days` is a duration.
        let (count, unit, ago, to) = self.units_at(at)?;
        if ago {
            return Some((Distance::Units(count, unit), to));
        }
        let mark = self
            .meanings_at(to)
            .into_iter()
            .find(|(meaning, _)| *meaning == Meaning::After);
        mark.map(|(_, to)| (Distance::Units(count, unit), to))
    }

    /// Returns the number of units that begins at a token, the unit, whether it says `ago`, and the token
    /// after it. A unit without a number is one.
    fn units_at(&self, at: usize) -> Option<(u32, Unit, bool, usize)> {
        let unit_at = |at: usize| {
            self.meanings_at(at)
                .into_iter()
                .find_map(|(meaning, to)| match meaning {
                    Meaning::Unit { unit, count, ago } => Some((unit, count, ago, to)),
                    _ => None,
                })
        };
        let number = match self.tokens.list.get(at)?.kind {
            Kind::Number { value, .. } => Some((value, at + 1)),
            Kind::Word(_) => self
                .meanings_at(at)
                .into_iter()
                .find_map(|(meaning, to)| match meaning {
                    Meaning::Number(value) => Some((value, to)),
                    _ => None,
                }),
        };
        let counted = number.and_then(|(value, to)| {
            let (unit, _, ago, to) = unit_at(to)?;
            Some((value, unit, ago, to))
        });
        // In `5000 days` the number is too large, and `days` alone is not one day.
        let after_number = at > 0 && matches!(self.tokens.list[at - 1].kind, Kind::Number { .. });
        let one = || unit_at(at).filter(|_| !after_number);
        let found = counted.or_else(|| one().map(|(unit, count, ago, to)| (count, unit, ago, to)));
        found.filter(|(count, ..)| *count <= MAX_COUNT)
    }
}

/// Returns the date at a distance before another date, as exact as the unit: days give a day, years a year.
fn before(captured: &str, distance: Distance) -> Option<String> {
    const DAY: u32 = 24 * 60;
    let days = calendar::day_number(captured)?;
    let part = |range: Range<usize>| captured.get(range).and_then(|part| part.parse::<u32>().ok());
    let (year, month) = (part(0..4)?, part(5..7)?);
    let day = |back: u32| calendar::of_number(days.checked_sub(back)?);
    match distance {
        Distance::NamedDay(back) | Distance::Units(back, Unit::Day) => day(back),
        Distance::Units(count, unit @ (Unit::Second | Unit::Minute | Unit::Hour)) => {
            let minutes = match unit {
                Unit::Hour => 60 * count,
                Unit::Minute => count,
                _ => 0,
            };
            let known = DatePrecision::of(captured)? >= DatePrecision::Minute;
            // Without a time, the page may have been fetched at the end of the day.
            let minute = match known {
                true => part(11..13)? * 60 + part(14..16)?,
                false => DAY - 1,
            };
            // The first `minute` minutes back are of the same day; each further day that has begun counts one.
            day((minutes + DAY - 1).saturating_sub(minute) / DAY)
        }
        // Texts round weeks, so that the day is unknown.
        Distance::Units(count, Unit::Week) => day(7 * count).map(|day| day[..7].to_owned()),
        Distance::Units(count, Unit::Month) => {
            let months = (year * 12 + month - 1).checked_sub(count)?;
            Some(format!("{:04}-{:02}", months / 12, months % 12 + 1))
        }
        Distance::Units(count, Unit::Year) => Some(format!("{:04}", year.checked_sub(count)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAPTURED: &str = "2024-03-05T01:30:00+00:00";

    #[track_caller]
    fn check(text: &str, want: Option<&str>) {
        let found = relative(text, CAPTURED);
        assert_eq!(
            found.as_ref().map(|found| &*found.date),
            want,
            "{text}: {found:?}"
        );
    }

    #[test]
    fn distances_in_many_languages() {
        for text in [
            "3 days ago",
            "Posted 3 days ago by Ann",
            "vor 3 Tagen",
            "vor drei Tagen",
            "il y a 3 jours",
            "hace tres días",
            "há 3 dias",
            "3 dias atrás",
            "3 giorni fa",
            "3 dagen geleden",
            "för 3 dagar sedan",
            "for 3 dage siden",
            "3 päivää sitten",
            "3 дня назад",
            "3 дні тому",
            "преди 3 дни",
            "3 dni temu",
            "před 3 dny",
            "prije 3 dana",
            "3 gün önce",
            "3 nappal ezelőtt",
            "acum 3 zile",
            "πριν από 3 ημέρες",
            "منذ 3 أيام",
            "לפני 3 ימים",
            "۳ روز پیش",
            "3 दिन पहले",
            "3 ngày trước",
            "3 hari yang lalu",
            "3 วันที่แล้ว",
            "3天前",
            "3日前",
            "3일 전",
            "3일전",
        ] {
            check(text, Some("2024-03-02"));
        }
    }

    #[test]
    fn as_exact_as_the_text_tells() {
        check("an hour ago", Some("2024-03-05"));
        check("vor zwei Stunden", Some("2024-03-04"));
        check("26 hours ago", Some("2024-03-03"));
        check("10 minutes ago", Some("2024-03-05"));
        check("вчера, 10:15", Some("2024-03-04"));
        check("منذ يومين", Some("2024-03-03"));
        check("2 weeks ago", Some("2024-02"));
        check("3 months ago", Some("2023-12"));
        check("5 лет назад", Some("2019"));
        assert_eq!(relative("5 hours ago", "2024-03-05").unwrap().date, "2024-03-05");
        assert!(!relative("Today", CAPTURED).unwrap().is_distance);
    }

    #[test]
    fn what_is_no_distance() {
        for text in [
            "3 days",
            "the day",
            "ago",
            "3 days of rain",
            "5000 days ago",
            "in 3 days",
            "",
            "12",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn every_row_means_something() {
        for line in include_str!("../../../../data/relative.tsv")
            .lines()
            .filter(|line| !line.starts_with('#'))
        {
            let (word, meaning) = line.split_once('\t').unwrap();
            assert!(
                !meanings(meaning).is_empty() && word == word.to_lowercase(),
                "{line}"
            );
            // Each phrase is cut into words as a text is.
            let found = tokens(word);
            let words: Vec<&str> = (0..found.list.len()).filter_map(|at| found.word(at)).collect();
            assert_eq!(words.join(" "), word, "{line}");
            assert!(words.len() <= MAX_WORDS, "{line}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in "[0-9٠-٩ vor ago days weeks годназ前日]{0,60}", captured in "[0-9T:-]{0,20}") {
            if let Some(found) = relative(&text, &captured) {
                proptest::prop_assert!(text.get(found.range).is_some());
            }
        }
    }
}
