//! Dates that came with the page: the HTTP header `Last-Modified`, and the day on which the page was
//! fetched. They are the weakest, since programs that make pages on request send the time of the request.

use super::super::candidate::{Candidates, Field, RECEIVED};
use super::super::date;
use super::facts::Facts;

/// Confidence of a date of change; sufficient if the page states no other.
const CHANGED: f32 = 0.5;
/// Confidence of dates that are never chosen, only shown beside other dates.
const SHOWN: f32 = 0.2;

/// Adds the dates.
pub(super) fn dates(facts: &Facts<'_, '_>, out: &mut Candidates) {
    let captured = facts.received.captured.as_deref();
    let captured_day = captured.and_then(date::day_number);
    if let Some(changed) = &facts.received.last_modified
        && let Some(day) = date::day_number(changed)
    {
        // A page that changed on the day of its capture was made for the request.
        let made = captured_day.is_some_and(|captured| day.saturating_add(1) >= captured);
        let confidence = if made { SHOWN } else { CHANGED };
        let told = (RECEIVED, "Last-Modified");
        out.one(Field::Modified, Some(changed.clone()), told, None, confidence);
        out.one(Field::Date, Some(changed.clone()), told, None, SHOWN);
    }
    let told = (RECEIVED, "captured");
    out.one(Field::Date, captured.map(str::to_owned), told, None, SHOWN / 2.0);
}
