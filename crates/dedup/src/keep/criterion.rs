//! The properties by which members of a cluster are ordered.

use std::cmp::Ordering;

use crate::keep::facts::DocumentFacts;
use crate::keep::keeper::Member;

/// A property by which members are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Criterion {
    /// Known dates first, earlier ones first.
    Oldest,
    /// Known dates first, later ones first.
    Newest,
    /// More popular first.
    Popularity,
    /// Less advertising and boilerplate first.
    Clutter,
    /// Longer text first.
    Length,
    /// Smaller number first: the order of the input.
    Document,
}

/// What ends every order: numbers of documents differ, so that the order is total.
pub(crate) const TIE_BREAK: Criterion = Criterion::Document;

impl Criterion {
    fn compare(self, a: &Member<'_>, b: &Member<'_>) -> Ordering {
        let (x, y) = (&a.facts, &b.facts);
        match self {
            Self::Oldest => (x.date.is_none(), x.date).cmp(&(y.date.is_none(), y.date)),
            // `None` is less than every date, so that unknown dates come last here, too.
            Self::Newest => y.date.cmp(&x.date),
            Self::Popularity => popularity(y).total_cmp(&popularity(x)),
            Self::Clutter => clutter(x).total_cmp(&clutter(y)),
            Self::Length => y.chars.cmp(&x.chars),
            Self::Document => a.document.cmp(&b.document),
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

/// Unknown and impossible popularity counts as none.
pub(crate) fn popularity(facts: &DocumentFacts<'_>) -> f64 {
    facts
        .popularity
        .filter(|popularity| *popularity > 0.0)
        .unwrap_or(0.0)
}

/// Share of advertising plus share of boilerplate, to nine decimals, so that rounding of the sum decides nothing.
pub(crate) fn clutter(facts: &DocumentFacts<'_>) -> f64 {
    ((facts.ad_share + facts.boilerplate_share) * 1e9).round()
}

/// The order of `a` and `b`, and the reason that decided it.
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

/// Why `a` comes before `b`.
pub(crate) fn reason(criteria: &[Criterion], a: &Member<'_>, b: &Member<'_>) -> &'static str {
    decide(criteria, a, b).1
}

/// The reason of a member without a rival.
pub(crate) const ONLY: &str = "only member";

/// The reason of the tie-break.
pub(crate) const FIRST: &str = "first in the input";

/// Sorts by the criteria, then by the tie-break.
pub(crate) fn order_by(criteria: &[Criterion], members: &mut [Member<'_>]) -> &'static str {
    members.sort_by(|a, b| compare(criteria, a, b));
    match members {
        [first, second, ..] => reason(criteria, first, second),
        _ => ONLY,
    }
}
