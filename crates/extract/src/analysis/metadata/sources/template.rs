//! Values at the places that a template of the site knows.

use super::super::candidate::{Candidates, TEMPLATE};
use super::super::page_fields::PageFields;

/// Adds the values at the places of a template.
pub(super) fn places(fields: &PageFields, out: &mut Candidates) {
    for placed in &fields.placed {
        out.list(
            placed.field,
            placed.values.clone(),
            (TEMPLATE, "place on the pages of the site"),
            Some(placed.element),
            placed.confidence,
        );
    }
}
