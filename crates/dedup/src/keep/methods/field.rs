//! Keeps the member with the largest or smallest value of a named field.

use std::cmp::Ordering;

use crate::keep::criterion::{FIRST, ONLY};
use crate::keep::facts::DocumentFacts;
use crate::keep::field_value::FieldValue;
use crate::keep::keeper::{Keeper, Member};
use crate::keep::order_key::descend;
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::Strategy;

/// The member with the largest or the smallest value of a field of its record; ties go to the first in the input.
///
/// Numbers compare by value, texts by code points. Numbers come before texts, both for the largest and for the smallest
/// value. Members without a value come last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Empty in the table of keepers, where no field is named.
    name: String,
    smallest: bool,
}

impl Field {
    /// The entry in the table of keepers, without the name of a field.
    pub(crate) const DEFAULT: Self = Self {
        name: String::new(),
        smallest: false,
    };

    /// The largest value of the field `name`. A dot leads into an object: `meta.score`.
    #[must_use]
    pub fn largest(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            smallest: false,
        }
    }

    /// The smallest value of the field `name`. A dot leads into an object: `meta.score`.
    #[must_use]
    pub fn smallest(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            smallest: true,
        }
    }

    fn compare(&self, a: &Member<'_>, b: &Member<'_>) -> Ordering {
        match (known(a), known(b)) {
            (Some(a), Some(b)) => {
                let of_one_kind = a.text().is_some() == b.text().is_some();
                let order = a.compare(&b);
                // Numbers precede texts in both orders, so only values of the same kind are reversed.
                if of_one_kind && !self.smallest {
                    order.reverse()
                } else {
                    order
                }
            }
            // Members with a value come first. If neither has one, they are equal here.
            (a, b) => a.is_none().cmp(&b.is_none()),
        }
    }
}

/// The value of a member, or `None` if it has no value or NaN.
fn known<'f>(member: &Member<'f>) -> Option<FieldValue<'f>> {
    member.facts.field.filter(FieldValue::is_known)
}

impl Strategy for Field {
    fn name(&self) -> &'static str {
        "field"
    }

    fn summary(&self) -> &'static str {
        "the largest value of a field of the records: `field:NAME`, such as `field:meta.score`; the smallest: `field:NAME:min`"
    }

    fn argument(&self) -> Option<String> {
        let order = if self.smallest { "min" } else { "max" };
        Some(format!("{}:{order}", self.name))
    }

    fn set_argument(&mut self, text: &str) -> Result<(), BuildError> {
        // A name may contain colons itself, so only the last part can be the order.
        let (name, smallest) = match text.rsplit_once(':') {
            Some((name, "max")) => (name, false),
            Some((name, "min")) => (name, true),
            _ => (text, false),
        };
        if name.is_empty() || name.split('.').any(str::is_empty) {
            let wanted = "the name of a field, as in `field:meta.score` or `field:meta.score:min`";
            return Err(BuildError::argument("field", text, wanted));
        }
        *self = Self {
            name: name.to_owned(),
            smallest,
        };
        Ok(())
    }
}

impl Keeper for Field {
    fn field(&self) -> Option<&str> {
        Some(self.name.as_str()).filter(|name| !name.is_empty())
    }

    fn key(&self, facts: &DocumentFacts<'_>, out: &mut Vec<u8>) {
        let value = facts.field.filter(FieldValue::is_known);
        // Numbers first, then texts, then members without a value.
        out.push(value.map_or(2, |value| u8::from(value.text().is_some())));
        let start = out.len();
        if let Some(value) = value {
            value.append_key(out);
        }
        // The mark before `start` is not reversed, so numbers, texts and missing values keep their order.
        if !self.smallest {
            descend(start, out);
        }
    }

    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        // The number breaks ties, so the order is total.
        members.sort_by(|a, b| self.compare(a, b).then(a.document.cmp(&b.document)));
        match members {
            [first, second, ..] => match self.compare(first, second) {
                Ordering::Equal => FIRST,
                _ if known(second).is_none() => "only one with the field",
                _ if self.smallest => "smallest value of the field",
                _ => "largest value of the field",
            },
            _ => ONLY,
        }
    }
}
