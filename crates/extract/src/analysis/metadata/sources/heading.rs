//! The headline that the page shows.

use super::super::candidate::{Candidates, Field};
use super::super::clean_text::clean_text;
use super::super::decide::{HEADLINE, STATED};
use super::facts::Facts;

/// Adds the headline as a title.
pub(super) fn headline(facts: &Facts<'_, '_>, out: &mut Candidates) {
    let around = facts.surroundings;
    let Some(heading) = around.heading else { return };
    let text = around
        .headline_text(facts.dom, facts.table, facts.titles)
        .and_then(|text| clean_text(&text))
        .filter(|text| text.chars().count() <= 400);
    let (told, confidence) = match around.stated {
        true => (STATED, 0.92),
        false => ("only h1", 0.78),
    };
    let place = (Some(heading), Some(0));
    let values = text.into_iter().collect();
    out.at_distance(Field::Title, values, (HEADLINE, told), place, confidence);
}
