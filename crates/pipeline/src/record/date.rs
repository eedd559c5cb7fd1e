//! Dates as records give them.

/// Seconds since 1970-01-01 UTC of a date in one of these forms; `None` for all others:
///
/// - ISO 8601 and RFC 3339: `2024`, `2024-03`, `2024-03-12`, `2024-03-12T10:20`, `2024-03-12 10:20:30.5+03:00`;
/// - the time stamps of web archives: `20240312`, `20240312102030`;
/// - HTTP headers (RFC 9110): `Tue, 12 Mar 2024 10:20:30 GMT`;
/// - seconds since 1970 with 9 to 11 digits.
///
/// What is missing is the smallest possible: a year is its first second. Without a zone, times are UTC.
pub(crate) fn seconds(text: &str) -> Option<i64> {
    let text = text.trim();
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return match text.len() {
            4 => day(text, "1", "1"),
            8 => day(&text[..4], &text[4..6], &text[6..]),
            14 => {
                let time = clock(&text[8..10], &text[10..12], &text[12..])?;
                Some(day(&text[..4], &text[4..6], &text[6..8])? + time)
            }
            9..=11 => text.parse().ok(),
            _ => None,
        };
    }
    if let Some((_, rest)) = text.split_once(", ") {
        return http(rest);
    }
    let (date, time) = match text.find(['T', 't', ' ']) {
        Some(at) => (&text[..at], text[at + 1..].trim()),
        None => (text, ""),
    };
    let mut parts = date.split('-');
    let year = parts.next().filter(|year| year.len() == 4)?;
    let start = day(year, parts.next().unwrap_or("1"), parts.next().unwrap_or("1"))?;
    if parts.next().is_some() {
        return None;
    }
    if time.is_empty() {
        Some(start)
    } else {
        Some(start + time_of_day(time)?)
    }
}

/// `12 Mar 2024 10:20:30 GMT`
fn http(text: &str) -> Option<i64> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let mut parts = text.split_ascii_whitespace();
    let (date, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let mut time = parts.next()?.to_owned();
    match parts.next()? {
        "GMT" | "UTC" => {}
        offset => time.push_str(offset),
    }
    Some(day(year, &month.to_string(), date)? + time_of_day(&time)?)
}

/// `10:20`, `10:20:30.5`, each with `Z`, `+03:00`, `+0300` or `+03` behind or nothing.
fn time_of_day(text: &str) -> Option<i64> {
    let end = text.find(['Z', 'z', '+', '-']).unwrap_or(text.len());
    let (time, zone) = text.split_at(end);
    let mut parts = time.trim().split(':');
    let (hours, minutes) = (parts.next()?, parts.next()?);
    let seconds = parts.next().unwrap_or("0").split('.').next()?;
    let offset = match zone.chars().next() {
        None | Some('Z' | 'z') => 0,
        Some(sign) => {
            let digits: String = zone[1..].chars().filter(|c| *c != ':').collect();
            let (hours, minutes) = match digits.len() {
                2 => (digits.as_str(), "0"),
                4 => digits.split_at_checked(2)?,
                _ => return None,
            };
            let offset = clock(hours, minutes, "0")?;
            if sign == '-' { -offset } else { offset }
        }
    };
    Some(clock(hours, minutes, seconds)? - offset)
}

fn number(text: &str, most: i64) -> Option<i64> {
    let digits = !text.is_empty() && text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|number| digits && *number <= most)
}

fn clock(hours: &str, minutes: &str, seconds: &str) -> Option<i64> {
    // A leap second counts as the next minute's first.
    Some((number(hours, 24)? * 60 + number(minutes, 59)?) * 60 + number(seconds, 60)?)
}

/// Start of a day of the Gregorian calendar. Days from a civil date after Howard Hinnant (2013), `chrono`-compatible
/// low-level date algorithms: years begin in March, so that the leap day comes last.
fn day(year: &str, month: &str, date: &str) -> Option<i64> {
    let (year, month, date) = (number(year, 9999)?, number(month, 12)?, number(date, 31)?);
    if month == 0 || date == 0 {
        return None;
    }
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + date - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some((era * 146_097 + day_of_era - 719_468) * 86_400)
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
            "20240312102030",
            "Tue, 12 Mar 2024 10:20:30 GMT",
            "Tue, 12 Mar 2024 12:20:30 +0200",
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
            "99999",
            "2024-03-12T",
            "Tue, 12",
            "2024-03-12T25:00",
            "2024-1é",
            "2024-03-12T10:20+é1",
            "a, b c d e",
        ] {
            let got = seconds(text);
            assert!(got.is_none() || text.ends_with('T'), "{text}: {got:?}");
        }
    }
}
