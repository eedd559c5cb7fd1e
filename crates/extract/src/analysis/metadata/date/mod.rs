//! Parses dates in the forms that pages use, as days of the Gregorian calendar.
//!
//! A text is cut into numbers and words. A date is three of them in one of a few orders: year, month, day;
//! day, month, year; month by its name, day, year. Only known words may be between them, so that the year
//! of one sentence never joins the day of another.

mod calendar;
mod find;
mod months;
mod relative;
mod stamp;
mod tokens;

use self::calendar::day;
pub(crate) use self::calendar::{day_number, day_of};
pub(crate) use self::find::{Form, Found, Reading, find, find_any, is_digit, names_day};
pub(super) use self::relative::relative;
pub use self::stamp::DatePrecision;
use self::stamp::MAX_VALUE;
pub(super) use self::stamp::{stamp, with_time};

/// Returns the date of a value, such as that of an attribute; `None` if it has no date. Numeric dates are
/// read day first, unless the second number can only be a day.
pub(crate) fn iso(text: &str) -> Option<String> {
    iso_as(text, Reading::default())
}

/// Like [`iso`], with the reading of numeric dates that is usual on the page.
pub(crate) fn iso_as(text: &str, reading: Reading<'_>) -> Option<String> {
    let text = text.trim();
    if text.len() == 8 && text.bytes().all(|b| b.is_ascii_digit()) {
        return day(
            text[..4].parse().ok()?,
            text[4..6].parse().ok()?,
            text[6..].parse().ok()?,
        );
    }
    // A long text is a sentence that mentions a day, unless it begins with the date.
    let is_value =
        |found: &Found| found.range.start == 0 || text.chars().take(MAX_VALUE + 1).count() <= MAX_VALUE;
    find(text, reading)
        .filter(|found| found.form != Form::ShortYear && is_value(found))
        .map(|found| found.day)
}

#[cfg(test)]
mod tests;
