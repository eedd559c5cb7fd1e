//! Parsing of dates in records, with `jiff`. Four forms are handled here: a year, a month, time stamps of web archives, and seconds.

use jiff::civil::DateTime;
use jiff::fmt::rfc2822::DateTimeParser;
use jiff::tz::TimeZone;
use jiff::{Error, Timestamp};

/// Parser for dates of HTTP and mail. A day name that does not match its date is accepted.
const HTTP: DateTimeParser = DateTimeParser::new().relaxed_weekday(true);

/// Returns the seconds since 1970-01-01 UTC of a date in one of these forms, and `None` for all others:
///
/// - ISO 8601 and RFC 3339: `2024`, `2024-03`, `2024-03-12`, `2024-03-12T10:20`, `2024-03-12 10:20:30.5+03:00`;
/// - the time stamps of web archives: `20240312`, `20240312102030`;
/// - HTTP headers (RFC 9110) and mail: `Tue, 12 Mar 2024 10:20:30 GMT`;
/// - seconds since 1970 with 9 to 11 digits.
///
/// Missing parts have their smallest value: a year is its first second. Times without a zone are UTC.
pub(crate) fn seconds(text: &str) -> Option<i64> {
    let text = text.trim();
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return match text.len() {
            4 => iso(&format!("{text}-01-01")),
            8 => iso(text),
            9..=11 => text.parse().ok(),
            14 => iso(&format!("{}T{}", &text[..8], &text[8..])),
            _ => None,
        };
    }
    // In HTTP dates a comma follows the name of the day.
    if text.contains(", ") {
        return HTTP.parse_timestamp(text).ok().map(Timestamp::as_second);
    }
    let mut parts = text.split_ascii_whitespace();
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        // A year and a month.
        (Some(month), None, ..) if month.len() == "2024-03".len() => iso(&format!("{month}-01")),
        // The zone may be separated by a space, as in `2024-03-12 10:20:30 +0300`.
        (Some(date), Some(time), Some(zone), None) => iso(&format!("{date}T{time}{zone}")),
        _ => iso(text),
    }
}

/// Returns the seconds since 1970 of a day, or of a day with a time, with or without a zone.
fn iso(text: &str) -> Option<i64> {
    let without_zone = |_| -> Result<Timestamp, Error> {
        let date: DateTime = text.parse()?;
        Ok(date.to_zoned(TimeZone::UTC)?.timestamp())
    };
    // `Timestamp` requires a zone. A time without one is taken as UTC.
    let found = text.parse::<Timestamp>().or_else(without_zone);
    found.ok().map(Timestamp::as_second)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn every_form_gives_the_same_second() {
        let expected = Some(1_710_238_830); // date -u -d '2024-03-12 10:20:30' +%s
        for text in [
            "2024-03-12T10:20:30Z",
            "2024-03-12 10:20:30",
            "2024-03-12T13:20:30.25+03:00",
            "2024-03-12T04:20:30-0600",
            "2024-03-12 13:20:30 +03",
            "20240312102030",
            "Tue, 12 Mar 2024 10:20:30 GMT",
            "Tue, 12 Mar 2024 12:20:30 +0200",
            "Mon, 12 Mar 2024 10:20:30 UTC",
            "1710238830",
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
        let midnight = seconds("2024-03-12");
        assert_eq!(midnight, Some(1_710_201_600));
        assert_eq!(seconds("20240312"), midnight);
        assert_eq!(seconds("2024-03-01"), seconds("2024-03"));
        assert_eq!(seconds("2024-01-01"), seconds("2024"));
        assert_eq!(seconds("1970-01-01"), Some(0));
        assert_eq!(seconds("1969-12-31"), Some(-86_400));
        assert_eq!(seconds("2000-02-29"), Some(951_782_400));
    }

    #[test]
    fn everything_else_is_unknown() {
        for text in [
            "",
            "yesterday",
            "12.03.2024",
            "2024-13-01",
            "2024-00-01",
            "2024-02-30",
            "20230229",
            "99999",
            "2024-03-12T",
            "Tue, 12",
            "2024-03-12T25:00",
            "2024-1é",
            "2024-03-12T10:20+é1",
            "a, b c d e",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
