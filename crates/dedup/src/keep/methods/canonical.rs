//! Keeps the member that others name as the original.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::keep::criterion::{ONLY, compare, reason};
use crate::keep::facts::DocumentFacts;
use crate::keep::field_value::FieldValue;
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::Strategy;

/// The member that most other members name in `<link rel=canonical>`, the field `canonical_url` of documents; ties go
/// to the first in the input. A page that names itself does not count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Canonical;

impl Strategy for Canonical {
    fn name(&self) -> &'static str {
        "canonical"
    }

    fn summary(&self) -> &'static str {
        "what most others name as `canonical_url`"
    }
}

impl Keeper for Canonical {
    fn compares_alone(&self) -> bool {
        false
    }

    /// Appends nothing: the order cannot be computed from one member.
    fn key(&self, _: &DocumentFacts<'_>, _: &mut Vec<u8>) {}

    fn field(&self) -> Option<&str> {
        Some("canonical_url")
    }

    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        let mut named: BTreeMap<&str, u32> = BTreeMap::new();
        for member in members.iter() {
            let url = member.facts.field.and_then(FieldValue::text);
            // A page that names itself says nothing about other members.
            if let Some(url) = url.filter(|url| !url.is_empty() && *url != member.facts.url) {
                *named.entry(url).or_default() += 1;
            }
        }
        let times = |member: &Member<'_>| named.get(member.facts.url).copied().unwrap_or(0);
        // Without another criterion the tie-break by document number decides.
        members.sort_by(|a, b| {
            Reverse(times(a))
                .cmp(&Reverse(times(b)))
                .then_with(|| compare(&[], a, b))
        });
        match members {
            [first, second, ..] if times(first) > times(second) => "named as canonical by others",
            [first, second, ..] => reason(&[], first, second),
            _ => ONLY,
        }
    }
}
