//! Keepers: which member of a cluster is its main document.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::error::BuildError;
use crate::facts::Facts;
use crate::strategy::{Strategy, find};

mod canonical;
mod cleanest;
mod first_seen;
mod longest;
mod popularity;
mod weighted;

pub use canonical::Canonical;
pub use cleanest::Cleanest;
pub use first_seen::FirstSeen;
pub use longest::Longest;
pub use popularity::Popularity;
pub use weighted::Weighted;

/// Every keeper, in the order in which help texts list them.
pub static ALL: &[&dyn Keeper] = &[
    &FirstSeen,
    &Popularity,
    &Cleanest,
    &Longest,
    &Canonical,
    &Weighted::DEFAULT,
];

/// A member of a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member<'a> {
    /// The document's number.
    pub document: u32,
    /// What is known of it.
    pub facts: Facts<'a>,
}

/// A keeper with its parameters.
pub trait Keeper: Strategy {
    /// A copy behind a shared pointer, as options hold it.
    fn shared(&self) -> Arc<dyn Keeper>;

    /// A copy with one parameter changed, by name.
    ///
    /// # Errors
    /// If there is no such parameter, or if the value is out of its range.
    fn set(&self, parameter: &str, value: &str) -> Result<Arc<dyn Keeper>, BuildError> {
        let _ = value;
        Err(BuildError::unknown_parameter(
            self.name(),
            parameter,
            self.parameters(),
        ))
    }

    /// Sorts the members of a cluster, the one to keep first. The order is total: it depends on the members alone.
    /// Returns why the first one comes before the second, as a noun phrase such as "earliest date".
    fn order(&self, members: &mut [Member<'_>]) -> &'static str;
}

/// The keeper of that name, with its default parameters.
///
/// # Errors
/// If there is none; the error lists the known names.
pub fn named(name: &str) -> Result<Arc<dyn Keeper>, BuildError> {
    find(ALL, "keeper", name).map(Keeper::shared)
}

/// One question by which members are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Criterion {
    /// Known dates first, earlier ones first.
    Date,
    /// More popular first.
    Popularity,
    /// Less advertising and boilerplate first.
    Clutter,
    /// Longer text first.
    Length,
    /// Shorter URL first.
    UrlLength,
    /// URLs in order of code points.
    Url,
    /// Smaller number first.
    Document,
}

/// What every order ends in, so that it is total.
const TIE_BREAKS: [Criterion; 3] = [Criterion::UrlLength, Criterion::Url, Criterion::Document];

impl Criterion {
    fn compare(self, a: &Member<'_>, b: &Member<'_>) -> Ordering {
        let (x, y) = (&a.facts, &b.facts);
        match self {
            Self::Date => (x.date.is_none(), x.date).cmp(&(y.date.is_none(), y.date)),
            Self::Popularity => popularity(y).total_cmp(&popularity(x)),
            Self::Clutter => clutter(x).total_cmp(&clutter(y)),
            Self::Length => y.chars.cmp(&x.chars),
            Self::UrlLength => x.url.chars().count().cmp(&y.url.chars().count()),
            Self::Url => x.url.cmp(y.url),
            Self::Document => a.document.cmp(&b.document),
        }
    }

    fn reason(self) -> &'static str {
        match self {
            Self::Date => "earliest date",
            Self::Popularity => "highest popularity",
            Self::Clutter => "least advertising and boilerplate",
            Self::Length => "longest text",
            Self::UrlLength => "shortest URL",
            Self::Url => "first URL in alphabetical order",
            Self::Document => "first in the input",
        }
    }
}

/// Unknown and impossible popularity counts as none.
fn popularity(facts: &Facts<'_>) -> f64 {
    facts
        .popularity
        .filter(|popularity| *popularity > 0.0)
        .unwrap_or(0.0)
}

/// Share of advertising plus share of boilerplate, to nine decimals, so that rounding of the sum decides nothing.
fn clutter(facts: &Facts<'_>) -> f64 {
    ((facts.ad_share + facts.boilerplate_share) * 1e9).round()
}

/// How `a` and `b` are ordered, and the question that decided it.
fn decide(criteria: &[Criterion], a: &Member<'_>, b: &Member<'_>) -> (Ordering, &'static str) {
    let questions = criteria.iter().chain(&TIE_BREAKS);
    let mut answers = questions.map(|criterion| (criterion.compare(a, b), criterion.reason()));
    answers
        .find(|(order, _)| order.is_ne())
        .unwrap_or((Ordering::Equal, ONLY))
}

fn compare(criteria: &[Criterion], a: &Member<'_>, b: &Member<'_>) -> Ordering {
    decide(criteria, a, b).0
}

/// Why `a` comes before `b`.
fn reason(criteria: &[Criterion], a: &Member<'_>, b: &Member<'_>) -> &'static str {
    decide(criteria, a, b).1
}

/// Why a member comes first that has no rival.
const ONLY: &str = "only member";

/// Sorts by the criteria, then by the tie-breaks.
fn order_by(criteria: &[Criterion], members: &mut [Member<'_>]) -> &'static str {
    members.sort_by(|a, b| compare(criteria, a, b));
    match members {
        [first, second, ..] => reason(criteria, first, second),
        _ => ONLY,
    }
}

#[cfg(test)]
mod tests;
