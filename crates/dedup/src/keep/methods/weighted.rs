//! Keeps the member with the highest weighted sum of age, popularity and cleanliness.

use crate::keep::criterion::{ONLY, compare, popularity, reason};
use crate::keep::facts::DocumentFacts;
use crate::keep::keeper::{Keeper, Member};
use crate::strategy::build_error::BuildError;
use crate::strategy::entry::{Parameter, Strategy};
use crate::strategy::value::number;

/// The weights of age, popularity and cleanliness, default 0.5, 0.3 and 0.2.
///
/// Age grows from 0 for the latest to 1 for the earliest date of the cluster. Popularity is `ln(1 + popularity)`,
/// scaled to 0 to 1 in the same way. If all known values are equal, they count 1; unknown values count 0. Cleanliness
/// is 1 minus the shares of advertising and boilerplate, at least 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighted {
    age: f64,
    popularity: f64,
    cleanliness: f64,
}

impl Weighted {
    /// The defaults.
    pub const DEFAULT: Self = Self {
        age: 0.5,
        popularity: 0.3,
        cleanliness: 0.2,
    };

    /// The three weights, each 0 to 1.
    #[must_use]
    pub const fn with_weights(self, age: f64, popularity: f64, cleanliness: f64) -> Self {
        Self {
            age,
            popularity,
            cleanliness,
        }
    }

    /// The score of each member, in the order of `members`.
    #[must_use]
    pub fn scores(&self, members: &[Member<'_>]) -> Vec<f64> {
        // Earlier dates must have larger values, so dates are negated.
        let ages = scaled(
            members
                .iter()
                .map(|member| member.facts.date.map(|date| -(date as f64))),
        );
        // The logarithm keeps a few very popular sources from making all others look unpopular.
        let popularities = scaled(
            members
                .iter()
                .map(|member| member.facts.popularity.map(|_| popularity(&member.facts).ln_1p())),
        );
        let clean = members.iter().map(|member| {
            let clutter = member.facts.ad_share + member.facts.boilerplate_share;
            1.0 - clutter.clamp(0.0, 1.0)
        });
        ages.iter()
            .zip(&popularities)
            .zip(clean)
            .map(|((age, popularity), clean)| {
                self.age * age + self.popularity * popularity + self.cleanliness * clean
            })
            .collect()
    }
}

/// Scales values linearly so that the smallest becomes 0 and the largest 1. If all are equal they become 1; `None`
/// becomes 0.
fn scaled(values: impl Iterator<Item = Option<f64>> + Clone) -> Vec<f64> {
    // The iterator is cloned for each pass, because the limits are needed before the first value can be
    // scaled.
    let known = || values.clone().flatten();
    let (least, greatest) = (
        known().fold(f64::INFINITY, f64::min),
        known().fold(f64::NEG_INFINITY, f64::max),
    );
    // The closure runs only for known values, so both limits come from known values.
    let scale = |value: f64| {
        if greatest > least {
            (value - least) / (greatest - least)
        } else {
            1.0
        }
    };
    values.map(|value| value.map_or(0.0, scale)).collect()
}

impl Strategy for Weighted {
    fn name(&self) -> &'static str {
        "weighted"
    }

    fn summary(&self) -> &'static str {
        "highest weighted sum of age, popularity and cleanliness"
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[
                Parameter::new("age", "0.5", "weight of age, 0 to 1"),
                Parameter::new("popularity", "0.3", "weight of popularity, 0 to 1"),
                Parameter::new(
                    "cleanliness",
                    "0.2",
                    "weight of little advertising and boilerplate, 0 to 1",
                ),
            ]
        }
    }

    fn change(&mut self, parameter: &str, value: &str) -> Result<bool, BuildError> {
        match parameter {
            "age" => self.age = number("age", value, 0.0..=1.0)?,
            "popularity" => self.popularity = number("popularity", value, 0.0..=1.0)?,
            "cleanliness" => self.cleanliness = number("cleanliness", value, 0.0..=1.0)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Keeper for Weighted {
    fn compares_alone(&self) -> bool {
        false
    }

    /// Appends nothing: the order cannot be computed from one member.
    fn key(&self, _: &DocumentFacts<'_>, _: &mut Vec<u8>) {}

    fn order(&self, members: &mut [Member<'_>]) -> &'static str {
        // Rounded to nine decimals, so that rounding errors of the sums do not decide the order.
        let scores = self
            .scores(members)
            .into_iter()
            .map(|score| (score * 1e9).round());
        // Members are copied with their scores, so that both are sorted together.
        let mut scored: Vec<(f64, Member<'_>)> = scores.zip(members.iter().copied()).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| compare(&[], &a.1, &b.1)));
        for (place, (_, member)) in members.iter_mut().zip(&scored) {
            *place = *member;
        }
        match scored[..] {
            [first, second, ..] if first.0 > second.0 => "highest weighted score",
            [first, second, ..] => reason(&[], &first.1, &second.1),
            _ => ONLY,
        }
    }
}
