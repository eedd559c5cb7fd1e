//! The date in an address: `/2024/03/05/`, `/2024-03-05-rivers`, `/20240305/`.

use dehusk_html::url::Address;

use super::super::candidate::{Candidates, Field};
use super::super::date;
use super::facts::Facts;

/// Name of the source.
const NAME: &str = "address";

/// Adds the dates in the path of the address.
pub(super) fn dates(facts: &Facts<'_, '_>, out: &mut Candidates) {
    let address = facts.url.and_then(Address::split);
    let Some(path) = address.map(|address| address.path().split(['?', '#']).next().unwrap_or_default())
    else {
        return;
    };
    let segments: Vec<&str> = path.split('/').collect();
    // `/2024/3/5/` is surer than a part that begins with a date.
    for three in segments.windows(3) {
        let [year, month, day] = three else { continue };
        let digits = |text: &str, most: usize| {
            (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
        };
        if year.len() == 4 && digits(year, 4) && digits(month, 2) && digits(day, 2) {
            out.one(
                Field::Date,
                date::iso(&format!("{year}-{month}-{day}")),
                (NAME, "path"),
                None,
                0.9,
            );
            return;
        }
    }
    for segment in segments {
        // `20240305` or `20240305-rivers`, but not a longer number.
        let compact = segment.len() >= 8
            && segment.is_char_boundary(8)
            && segment.as_bytes()[..8].iter().all(u8::is_ascii_digit);
        let compact = compact
            && !segment.as_bytes().get(8).is_some_and(u8::is_ascii_digit)
            && segment.starts_with("20");
        let day = match compact {
            true => date::iso(&segment[..8]),
            false => date::find(segment, facts.reading)
                .filter(|found| found.form == date::Form::YearFirst && found.range.start == 0)
                .map(|found| found.day),
        };
        out.one(Field::Date, day, (NAME, "part of the path"), None, 0.75);
    }
}
