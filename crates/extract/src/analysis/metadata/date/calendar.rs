//! Days of the Gregorian calendar, and conversion from other calendars that pages use.

use dehusk_html::narrow;

/// Years that are accepted: letters and newspapers on the web are older than the web.
pub(super) const YEARS: std::ops::RangeInclusive<u32> = 1500..=2100;

/// Returns a day as `YYYY-MM-DD`; `None` if the calendar has no such day, or the year is outside of [`YEARS`].
pub(super) fn day(year: u32, month: u32, day: u32) -> Option<String> {
    let valid =
        YEARS.contains(&year) && (1..=12).contains(&month) && (1..=days_of(year, month)).contains(&day);
    valid.then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// Returns the day of a date with a time, and other dates as they are: the part by which dates are compared.
pub(crate) fn day_of(date: &str) -> &str {
    date.split('T').next().unwrap_or(date)
}

/// Returns the number of days from 1 January 1500 to a date written as `YYYY-MM-DD`, with or without a
/// time; `None` if it has no day.
pub(crate) fn day_number(iso: &str) -> Option<u32> {
    let mut parts = day_of(iso).split('-').map(|part| part.parse::<u32>().ok());
    number(parts.next()??, parts.next()??, parts.next()??)
}

fn days_of(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns the number of days from 1 January of the first of [`YEARS`] to a day; `None` if there is no such day.
pub(super) fn number(year: u32, month: u32, date: u32) -> Option<u32> {
    day(year, month, date)?;
    // All months but February have 337 days together.
    let years: u32 = (*YEARS.start()..year).map(|year| 337 + days_of(year, 2)).sum();
    let months: u32 = (1..month).map(|month| days_of(year, month)).sum();
    Some(years + months + date - 1)
}

/// Returns the day of a number of [`number`]; `None` if its year is outside of [`YEARS`].
pub(super) fn of_number(number: u32) -> Option<String> {
    let (mut year, mut rest) = (*YEARS.start(), number);
    // At most 600 rounds: no day has a year outside of the range.
    while YEARS.contains(&year) {
        let length = 337 + days_of(year, 2);
        if rest < length {
            break;
        }
        rest -= length;
        year += 1;
    }
    let mut month = 1;
    while month < 12 && rest >= days_of(year, month) {
        rest -= days_of(year, month);
        month += 1;
    }
    day(year, month, rest.checked_add(1)?)
}

/// Names of the months of the solar Hijri calendar in Persian.
const PERSIAN_MONTHS: [&str; 12] = [
    "فروردین",
    "اردیبهشت",
    "خرداد",
    "تیر",
    "مرداد",
    "شهریور",
    "مهر",
    "آبان",
    "آذر",
    "دی",
    "بهمن",
    "اسفند",
];

/// Years of the solar Hijri calendar that are accepted: 1921 to 2071.
pub(super) const PERSIAN_YEARS: std::ops::RangeInclusive<u32> = 1300..=1449;

/// Returns the number of a Persian month, 1 to 12.
pub(super) fn persian_month(name: &str) -> Option<u32> {
    let place = PERSIAN_MONTHS.iter().position(|&known| known == name)?;
    Some(narrow::to_u32(place) + 1)
}

/// Converts a day of the solar Hijri calendar to the Gregorian one. Leap years follow the cycle of 33
/// years, which holds for [`PERSIAN_YEARS`].
pub(super) fn persian(year: u32, month: u32, date: u32) -> Option<String> {
    let leap = matches!(year % 33, 1 | 5 | 9 | 13 | 17 | 22 | 26 | 30);
    let length = match month {
        1..=6 => 31,
        7..=11 => 30,
        12 => 29 + u32::from(leap),
        _ => return None,
    };
    if !PERSIAN_YEARS.contains(&year) || !(1..=length).contains(&date) {
        return None;
    }
    // The first six months have 31 days.
    let before_month = if month <= 7 {
        (month - 1) * 31
    } else {
        186 + (month - 7) * 30
    };
    let leaps = (1300..year).filter(|y| matches!(y % 33, 1 | 5 | 9 | 13 | 17 | 22 | 26 | 30));
    // 1 Farvardin 1300 was 21 March 1921.
    let days = (year - 1300) * 365 + narrow::to_u32(leaps.count()) + before_month + date - 1;
    of_number(number(1921, 3, 21)? + days)
}

/// Months of the lunar Hijri calendar in Arabic: the first word, and beginnings of the second one if the
/// first names two months.
const LUNAR_MONTHS: [(&str, &[&str]); 14] = [
    ("محرم", &[]),
    ("صفر", &[]),
    ("ربيع", &["الأول", "الاول", "أول", "اول"]),
    ("ربيع", &["الآخر", "الاخر", "الثاني", "ثاني"]),
    ("جمادى", &["الأول", "الاول"]),
    ("جمادى", &["الآخر", "الاخر", "الثاني"]),
    ("رجب", &[]),
    ("شعبان", &[]),
    ("رمضان", &[]),
    ("شوال", &[]),
    ("ذو", &["القعدة", "القعده"]),
    ("ذو", &["الحجة", "الحجه"]),
    ("ذي", &["القعدة", "القعده"]),
    ("ذي", &["الحجة", "الحجه"]),
];

/// Returns the number of a month of the lunar Hijri calendar, 1 to 12, and the number of words of its name.
pub(super) fn lunar_month(first: &str, second: Option<&str>) -> Option<(u32, usize)> {
    let fits = |(name, seconds): &(&str, &[&str])| {
        *name == first
            && (seconds.is_empty()
                || second.is_some_and(|second| seconds.iter().any(|known| second.starts_with(known))))
    };
    let place = LUNAR_MONTHS.iter().position(fits)?;
    // The last two rows are months 11 and 12 in another case: `ذي` for `ذو`.
    let month = if place < 12 { place + 1 } else { place - 1 };
    Some((
        narrow::to_u32(month),
        if LUNAR_MONTHS[place].1.is_empty() { 1 } else { 2 },
    ))
}

/// Years of the lunar Hijri calendar that are accepted: 1882 to 2076.
const LUNAR_YEARS: std::ops::RangeInclusive<u32> = 1300..=1499;

/// Converts a day of the lunar Hijri calendar to the Gregorian one by the tabular calendar, which differs
/// from the observed moon by a day at most.
pub(super) fn lunar(year: u32, month: u32, date: u32) -> Option<String> {
    if !LUNAR_YEARS.contains(&year) || !(1..=12).contains(&month) || !(1..=30).contains(&date) {
        return None;
    }
    // Months have 30 and 29 days in turn, and 11 of 30 years have a day more.
    let days = (year - 1) * 354 + (3 + 11 * year) / 30 + (59 * (month - 1)).div_ceil(2) + date - 1;
    of_number(days.checked_sub(BEFORE_1500)?)
}

/// Days from the first day of the lunar Hijri calendar to the first day of [`YEARS`].
const BEFORE_1500: u32 = 320_484;

/// Eras written before years in Japan and Taiwan, each with the Gregorian year before its first year.
const ERAS: [(&str, u32); 6] = [
    ("令和", 2018),
    ("平成", 1988),
    ("昭和", 1925),
    ("大正", 1911),
    ("民國", 1911),
    ("民国", 1911),
];

/// Returns the Gregorian year before the first year of the era that a word ends with.
pub(super) fn era(word: &str) -> Option<u32> {
    ERAS.iter()
        .find(|(name, _)| word.ends_with(name))
        .map(|&(_, before)| before)
}

/// Returns the Gregorian year of the first year of an era: `令和元年`.
pub(super) fn first_year(word: &str) -> Option<u32> {
    era(word.strip_suffix("元年")?).map(|before| before + 1)
}

/// Years between the Buddhist calendar of Thailand and the Gregorian one.
const BUDDHIST: u32 = 543;

/// Converts a year on a Thai page to the Gregorian calendar. Years outside of the Buddhist range are Gregorian already.
pub(super) fn thai_year(year: u32) -> u32 {
    if (2400..=2643).contains(&year) {
        year - BUDDHIST
    } else {
        year
    }
}
