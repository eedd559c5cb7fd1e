//! Dates in the forms that pages mark them up in, as ISO 8601 dates. A library of dates would know half of these forms, and
//! none with the names of months in Russian; what it would spare is the calendar, which is seven lines.

/// A date as `YYYY-MM-DD`, without its time; `None` for what is no date. Numeric dates are read day first, unless they
/// have `/` and can only be month first.
pub(crate) fn iso(text: &str) -> Option<String> {
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
    date(year, digits(5..7)?, digits(8..10)?)
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
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let valid = (1990..=2100).contains(&year) && (1..=12).contains(&month) && (1..=days).contains(&day);
    valid.then(|| format!("{year:04}-{month:02}-{day:02}"))
}
