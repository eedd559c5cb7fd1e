//! The properties by which members of a cluster are ordered.

use std::cmp::Ordering;

use crate::keep::facts::DocumentFacts;
use crate::keep::keeper::Member;
use crate::keep::order_key::{ascending, ascending_real, descend};

/// A property by which members are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Criterion {
    /// Earlier dates first; documents without date last.
    Oldest,
    /// Later dates first; documents without date last.
    Newest,
    /// More popular documents first.
    Popularity,
    /// Documents with less advertising and boilerplate first.
    Clutter,
    /// Longer texts first.
    Length,
    /// Smaller document numbers first, which is the order of the input.
    Document,
}

/// The last criterion of every order. Document numbers are distinct, so the order is total.
pub(crate) const TIE_BREAK: Criterion = Criterion::Document;

impl Criterion {
    fn compare(self, a: &Member<'_>, b: &Member<'_>) -> Ordering {
        let (x, y) = (&a.facts, &b.facts);
        match self {
            Self::Oldest => (x.date.is_none(), x.date).cmp(&(y.date.is_none(), y.date)),
            // `None` is less than every date, so in reversed order documents without date come last.
            Self::Newest => y.date.cmp(&x.date),
            Self::Popularity => popularity(y).total_cmp(&popularity(x)),
            Self::Clutter => clutter(x).total_cmp(&clutter(y)),
            Self::Length => y.chars.cmp(&x.chars),
            Self::Document => a.document.cmp(&b.document),
        }
    }

    /// Appends bytes whose lexicographic order is that of [`compare`](Self::compare).
    fn append_key(self, facts: &DocumentFacts<'_>, out: &mut Vec<u8>) {
        // The byte after the mark for a missing date, which stays as it is: such documents are last in both
        // orders.
        let start = out.len() + 1;
        match self {
            Self::Oldest | Self::Newest => {
                out.push(u8::from(facts.date.is_none()));
                ascending(facts.date.unwrap_or_default(), out);
                if self == Self::Newest {
                    descend(start, out);
                }
            }
            Self::Popularity => {
                ascending_real(popularity(facts), out);
                descend(start - 1, out);
            }
            Self::Clutter => ascending_real(clutter(facts), out),
            // Inverted bits reverse the order.
            Self::Length => out.extend_from_slice(&(!facts.chars).to_be_bytes()),
            // Sorts by keys break ties by document number, so the number is not part of the key.
            Self::Document => {}
        }
    }

    fn reason(self) -> &'static str {
        match self {
            Self::Oldest => "earliest date",
            Self::Newest => "latest date",
            Self::Popularity => "highest popularity",
            Self::Clutter => "least advertising and boilerplate",
            Self::Length => "longest text",
            Self::Document => FIRST,
        }
    }
}

/// The popularity; 0 if it is unknown, negative or NaN.
pub(crate) fn popularity(facts: &DocumentFacts<'_>) -> f64 {
    facts
        .popularity
        .filter(|popularity| *popularity > 0.0)
        .unwrap_or(0.0)
}

/// Share of advertising plus share of boilerplate, rounded to nine decimals so that rounding errors of the sum do not
/// decide the order.
pub(crate) fn clutter(facts: &DocumentFacts<'_>) -> f64 {
    ((facts.ad_share + facts.boilerplate_share) * 1e9).round()
}

/// The order of `a` and `b`, and the reason from the criterion that decides it.
pub(crate) fn decide(criteria: &[Criterion], a: &Member<'_>, b: &Member<'_>) -> (Ordering, &'static str) {
    let questions = criteria.iter().chain(std::iter::once(&TIE_BREAK));
    let mut answers = questions.map(|criterion| (criterion.compare(a, b), criterion.reason()));
    answers
        .find(|(order, _)| order.is_ne())
        .unwrap_or((Ordering::Equal, ONLY))
}

pub(crate) fn compare(criteria: &[Criterion], a: &Member<'_>, b: &Member<'_>) -> Ordering {
    decide(criteria, a, b).0
}

/// The reason why `a` comes before `b`.
pub(crate) fn reason(criteria: &[Criterion], a: &Member<'_>, b: &Member<'_>) -> &'static str {
    decide(criteria, a, b).1
}

/// Appends the sort key of a member for these criteria.
pub(crate) fn key_of(criteria: &[Criterion], facts: &DocumentFacts<'_>, out: &mut Vec<u8>) {
    // Each criterion appends a fixed number of bytes, so keys of different documents compare criterion by
    // criterion.
    for criterion in criteria {
        criterion.append_key(facts, out);
    }
}

/// The reason for a member that is alone.
pub(crate) const ONLY: &str = "only member";

/// The reason of the tie-break.
pub(crate) const FIRST: &str = "first in the input";

/// Sorts by the criteria, then by document number. Returns the reason why the first member precedes the second.
pub(crate) fn order_by(criteria: &[Criterion], members: &mut [Member<'_>]) -> &'static str {
    members.sort_by(|a, b| compare(criteria, a, b));
    match members {
        [first, second, ..] => reason(criteria, first, second),
        _ => ONLY,
    }
}
