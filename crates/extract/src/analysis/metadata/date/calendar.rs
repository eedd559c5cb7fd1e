//! Days of the Gregorian calendar, and conversion from other calendars that pages use.

/// Years that are accepted: letters and newspapers on the web are older than the web.
pub(super) const YEARS: std::ops::RangeInclusive<u32> = 1500..=2100;

/// Returns a day as `YYYY-MM-DD`; `None` if the calendar has no such day, or the year is outside of [`YEARS`].
pub(super) fn day(year: u32, month: u32, day: u32) -> Option<String> {
    let valid =
        YEARS.contains(&year) && (1..=12).contains(&month) && (1..=days_of(year, month)).contains(&day);
    valid.then(|| format!("{year:04}-{month:02}-{day:02}"))
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
    let years: u32 = (*YEARS.start()..year).map(|year| 337 + days_of(year, 2)).sum();
    let months: u32 = (1..month).map(|month| days_of(year, month)).sum();
    Some(years + months + date - 1)
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
    Some(place as u32 + 1)
}

/// Converts a day of the solar Hijri calendar to the Gregorian one. Leap years follow the cycle of 33 years, which holds for
/// [`PERSIAN_YEARS`].
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
    let before_month = if month <= 7 {
        (month - 1) * 31
    } else {
        186 + (month - 7) * 30
    };
    let leaps = (1300..year).filter(|y| matches!(y % 33, 1 | 5 | 9 | 13 | 17 | 22 | 26 | 30));
    // 1 Farvardin 1300 was 21 March 1921, the 80th day of its year.
    let mut rest = 79 + (year - 1300) * 365 + leaps.count() as u32 + before_month + date - 1;
    let mut gregorian = 1921;
    loop {
        let length = 337 + days_of(gregorian, 2);
        if rest < length {
            break;
        }
        rest -= length;
        gregorian += 1;
    }
    let mut month = 1;
    while rest >= days_of(gregorian, month) {
        rest -= days_of(gregorian, month);
        month += 1;
    }
    day(gregorian, month, rest + 1)
}

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
