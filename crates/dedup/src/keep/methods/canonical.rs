//! The member that others call the original.

use crate::keep::criterion::{Criterion, ONLY, compare, reason};
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::entry::Strategy;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The member that most others name in `<link rel=canonical>`, then as [`FirstSeen`](super::FirstSeen). A page that
/// names itself does not count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Canonical;

const REST: &[Criterion] = &[Criterion::Date, Criterion::Popularity, Criterion::Clutter];

impl Strategy for Canonical {
    fn name(&self) -> &'static str {
        "canonical"
    }

    fn summary(&self) -> &'static str {
        "what the others name as canonical, then as first-seen"
    }
}

impl Keeper for Canonical {
    fn compares_alone(&self) -> bool {
        false
    }

    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        let mut named: BTreeMap<&str, u32> = BTreeMap::new();
        for member in members.iter() {
            if let Some(url) = member.facts.canonical.filter(|url| *url != member.facts.url) {
                *named.entry(url).or_default() += 1;
            }
        }
        let times = |member: &Member<'_>| named.get(member.facts.url).copied().unwrap_or(0);
        members.sort_by(|a, b| {
            Reverse(times(a))
                .cmp(&Reverse(times(b)))
                .then_with(|| compare(REST, a, b))
        });
        match members {
            [first, second, ..] if times(first) > times(second) => "named as canonical by others",
            [first, second, ..] => reason(REST, first, second),
            _ => ONLY,
        }
    }
}
