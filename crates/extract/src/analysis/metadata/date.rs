//! Dates in the forms that pages mark them up in, as ISO 8601 dates. A library of dates would know half of these forms, and
//! none with the names of months in Russian; what it would spare is the calendar, which is seven lines.

/// A date as `YYYY-MM-DD`, without its time; `None` for what is no date. Numeric dates are read day first, unless they
/// have `/` and can only be month first.
pub(crate) fn iso(text: &str) -> Option<String> {
    let text = text.trim();
    standard(text).or_else(|| numeric(text)).or_else(|| written(text))
}

/// `2024-03-05`, `2024-03-05T10:00:00+03:00`, `2024-3-5 10:00`, `20240305`, `2024年3月5日`.
fn standard(text: &str) -> Option<String> {
    if text.len() == 8 && text.bytes().all(|b| b.is_ascii_digit()) {
        return date(
            text[..4].parse().ok()?,
            text[4..6].parse().ok()?,
            text[6..].parse().ok()?,
        );
    }
    let (year, rest) = leading_number(text, 4..=4)?;
    let mark = rest.chars().next()?;
    let marks = [('-', '-'), ('/', '/'), ('.', '.'), ('年', '月'), ('년', '월')];
    let (_, second) = marks.into_iter().find(|(first, _)| *first == mark)?;
    let (month, rest) = leading_number(rest[mark.len_utf8()..].trim_start(), 1..=2)?;
    let (day, _) = leading_number(rest.strip_prefix(second)?.trim_start(), 1..=2)?;
    date(year, month, day)
}

/// The number that a text begins with, if it has so many digits, and the rest.
fn leading_number(text: &str, digits: std::ops::RangeInclusive<usize>) -> Option<(u32, &str)> {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text[..end].parse().ok().filter(|_| digits.contains(&end))?;
    Some((number, &text[end..]))
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

/// Beginnings of the names of months: English, Russian, German, French, Spanish, Portuguese, Italian, Dutch, Polish, Ukrainian,
/// Belarusian, Kazakh, Greek.
#[rustfmt::skip]
const MONTHS: &[&[&str]] = &[
    &["jan", "янв", "ene", "gen", "sty", "січ", "студ", "қаң", "ιαν"],
    &["feb", "фев", "fév", "fev", "lut", "лют", "ақп", "φεβ"],
    &["mar", "мар", "mär", "maer", "maa", "бер", "сак", "нау", "μαρ", "μάρ"],
    &["apr", "апр", "avr", "abr", "kwi", "кві", "крас", "сәу", "απρ"],
    &["may", "май", "мая", "mai", "mei", "mag", "maj", "тра", "мам", "μαΐ", "μάι"],
    &["jun", "июн", "juin", "giu", "cze", "чер", "чэр", "мау", "ιουν", "ιούν"],
    &["jul", "июл", "juil", "lug", "lip", "лип", "ліп", "шіл", "ιουλ", "ιούλ"],
    &["aug", "авг", "aoû", "aou", "ago", "sie", "сер", "жні", "там", "αυγ", "αύγ"],
    &["sep", "сен", "set", "wrz", "вер", "қыр", "σεπ"],
    &["oct", "окт", "okt", "out", "ott", "paź", "жов", "каст", "қаз", "οκτ"],
    &["nov", "ноя", "lis", "лис", "ліст", "қар", "νοε", "νοέ"],
    &["dec", "дек", "déc", "dez", "dic", "gru", "гру", "снеж", "жел", "δεκ"],
];

/// Days of the week that begin like a month.
const WEEKDAYS: &[&str] = &[
    "mardi",
    "martes",
    "martedì",
    "maandag",
    "середа",
    "середу",
    "серада",
    "сераду",
    "сенбі",
];

/// `5 March 2024`, `10:30 AM, March 5, 2024`, `5 марта 2024 г.`, `Tue, 05 Mar 2024 10:00:00 GMT`.
fn written(text: &str) -> Option<String> {
    if text.chars().count() > 60 {
        return None;
    }
    let lower = text.to_lowercase();
    let (mut year, mut month, mut day) = (None, None, None);
    let mut rest = lower.as_str();
    let mut after_digit_and_colon = false;
    while let Some(start) = rest.find(char::is_alphanumeric) {
        let word = &rest[start..];
        let end = word.find(|c: char| !c.is_alphanumeric()).unwrap_or(word.len());
        let (word, behind) = word.split_at(end);
        let in_time = after_digit_and_colon && start == 1;
        let digit = |c: char| c.is_ascii_digit();
        let before_colon = behind
            .strip_prefix(':')
            .is_some_and(|behind| behind.starts_with(digit));
        after_digit_and_colon = before_colon && word.ends_with(digit);
        let of_clock =
            in_time || after_digit_and_colon || [" am", " pm"].iter().any(|m| behind.starts_with(m));
        if let Ok(number) = word.trim_end_matches(char::is_alphabetic).parse::<u32>() {
            match number {
                _ if of_clock => {}
                1..=31 if day.is_none() => day = Some(number),
                YEARS_FROM..=YEARS_TO if year.is_none() => year = Some(number),
                _ => {}
            }
        } else if month.is_none() && !WEEKDAYS.contains(&word) {
            month = MONTHS
                .iter()
                .position(|names| names.iter().any(|n| word.starts_with(n)))
                .map(|m| m as u32 + 1);
        }
        rest = behind;
    }
    date(year?, month?, day?)
}

/// Years that a page may be of: letters and newspapers are older than the web.
const YEARS_FROM: u32 = 1500;
const YEARS_TO: u32 = 2100;

fn date(year: u32, month: u32, day: u32) -> Option<String> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let valid =
        (YEARS_FROM..=YEARS_TO).contains(&year) && (1..=12).contains(&month) && (1..=days).contains(&day);
    valid.then(|| format!("{year:04}-{month:02}-{day:02}"))
}
