//! Dates in the forms that pages mark them up in, as ISO 8601.

/// A date, or date and time, as ISO 8601; `None` for what is no date. Times are kept as given; numeric dates are read day
/// first, as `/`-parted ones of months above 12 cannot be, month first.
pub(super) fn iso(text: &str) -> Option<String> {
    let text = text.trim();
    standard(text).or_else(|| numeric(text)).or_else(|| written(text))
}

/// `2024-03-05`, `2024-03-05T10:00:00+03:00`, `2024-03-05 10:00`, `20240305`.
fn standard(text: &str) -> Option<String> {
    let digits = |range: std::ops::Range<usize>| -> Option<u32> {
        let part = text.get(range)?;
        part.bytes()
            .all(|b| b.is_ascii_digit())
            .then(|| part.parse().ok())?
    };
    let year = digits(0..4)?;
    if text.len() == 8 {
        return date(year, digits(4..6)?, digits(6..8)?);
    }
    let mark = text.as_bytes().get(4)?;
    if !matches!(mark, b'-' | b'/' | b'.') || text.as_bytes().get(7) != Some(mark) {
        return None;
    }
    let day = date(year, digits(5..7)?, digits(8..10)?)?;
    let Some(rest) = text.get(10..).filter(|r| *mark == b'-' && !r.is_empty()) else {
        return Some(day);
    };
    Some(time(rest).map_or(day.clone(), |time| format!("{day}T{time}")))
}

/// `T10:00:00.000Z` or ` 10:00 +0300` as `10:00:00Z` and `10:00+03:00`.
fn time(rest: &str) -> Option<String> {
    let rest = rest.strip_prefix(['T', 't', ' '])?.trim();
    let end = rest
        .find(|c: char| !c.is_ascii_digit() && c != ':')
        .unwrap_or(rest.len());
    let clock: Vec<&str> = rest[..end].split(':').collect();
    let fits = |part: &str, most: u32| part.len() == 2 && part.parse::<u32>().is_ok_and(|n| n <= most);
    let valid = matches!(clock.len(), 2 | 3) && fits(clock[0], 23) && clock[1..].iter().all(|p| fits(p, 60));
    if !valid {
        return None;
    }
    let zone = rest[end..]
        .trim_start_matches(|c: char| c == '.' || c == ',' || c.is_ascii_digit())
        .trim();
    let zone = match zone {
        "Z" | "z" | "UTC" | "GMT" => "Z".to_owned(),
        _ => {
            let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
            match (zone.chars().next(), digits.len()) {
                (Some(sign @ ('+' | '-')), 4) => format!("{sign}{}:{}", &digits[..2], &digits[2..]),
                (Some(sign @ ('+' | '-')), 2) => format!("{sign}{digits}:00"),
                _ => String::new(),
            }
        }
    };
    Some(format!("{}{zone}", clock.join(":")))
}

/// `05.03.2024`, `5/3/2024`.
fn numeric(text: &str) -> Option<String> {
    let word = text.split([' ', ',', 'T']).next()?;
    let mark = word.chars().find(|c| matches!(c, '.' | '/' | '-'))?;
    let parts: Vec<u32> = word.split(mark).map(str::parse).collect::<Result<_, _>>().ok()?;
    let &[a, b, year] = parts.as_slice() else {
        return None;
    };
    if b > 12 && mark == '/' {
        date(year, a, b)
    } else {
        date(year, b, a)
    }
}

/// `5 March 2024`, `March 5, 2024`, `5 марта 2024 г.`, `Tue, 05 Mar 2024 10:00:00 GMT`.
fn written(text: &str) -> Option<String> {
    const MONTHS: &[&[&str]] = &[
        &["jan", "янв"],
        &["feb", "фев"],
        &["mar", "мар"],
        &["apr", "апр"],
        &["may", "май", "мая"],
        &["jun", "июн"],
        &["jul", "июл"],
        &["aug", "авг"],
        &["sep", "сен"],
        &["oct", "окт"],
        &["nov", "ноя"],
        &["dec", "дек"],
    ];
    if text.chars().count() > 60 {
        return None;
    }
    let lower = text.to_lowercase();
    let (mut year, mut month, mut day) = (None, None, None);
    for word in lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
    {
        if let Ok(number) = word.trim_end_matches(|c: char| c.is_alphabetic()).parse::<u32>() {
            match number {
                1..=31 if day.is_none() => day = Some(number),
                1990..=2100 if year.is_none() => year = Some(number),
                _ => {}
            }
        } else if month.is_none() {
            month = MONTHS
                .iter()
                .position(|names| names.iter().any(|n| word.starts_with(n)))
                .map(|m| m as u32 + 1);
        }
    }
    date(year?, month?, day?)
}

fn date(year: u32, month: u32, day: u32) -> Option<String> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let valid = (1990..=2100).contains(&year) && (1..=12).contains(&month) && (1..=days).contains(&day);
    valid.then(|| format!("{year:04}-{month:02}-{day:02}"))
}
