//! Values that a rule of the site gives, which precede all others.

use super::super::candidate::{Candidates, RULE};
use super::super::page_fields::PageFields;

/// Adds the values of a rule.
pub(super) fn values(fields: &PageFields, out: &mut Candidates) {
    for (field, values) in &fields.ruled {
        out.list(*field, values.clone(), (RULE, "rules of the site"), None, 1.0);
    }
}
