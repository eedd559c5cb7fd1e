//! Decides about all roles jointly: finds the most probable partition of a site into main text and the rest.
//!
//! Evidence adds up over the tree of roles. Each change of the decision between a part and a part inside it
//! has a price, since most parts are of one kind with their surroundings. The optimum is found exactly, by
//! dynamic programming from the leaves up.

use super::evidence::{Evidence, SiteTrees};
use super::roles::{Role, Roles};
use super::stats::{RoleStats, SiteStats};
use crate::site::tags;

/// Price of a change of the decision, in log odds: between parts of a page, and (`CHANGE_IN_TEXT`) between text and a plain element inside it, such
/// as a paragraph without a class.
const CHANGE: f64 = 1.0;
const CHANGE_IN_TEXT: f64 = 4.0;
/// Price of a change between a part and a section in it. No tag or name separates a section from the text before it, so it costs more than a change
/// between elements.
const CHANGE_AT_SECTION: f64 = 2.5;
/// The evidence of a role is multiplied by its words per page to the power of `GROWTH`, but by at most `MOST`.
const GROWTH: f64 = 0.3;
const MOST: f64 = 5.0;
/// Minimum words per page with which a role is weighted.
const LEAST: f64 = 0.05;

/// Share of the words of main text by which two equal choices of parts may differ.
const EQUAL: f64 = 0.02;

/// The decision about the lines of a role.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Decision {
    pub(crate) kept: bool,
    /// Log odds of main text, by the evidence for the role alone.
    pub(crate) odds: f64,
    pub(crate) reason: &'static str,
}

pub(crate) const KEPT: &str = "in-container";
pub(crate) const OUTSIDE: &str = "outside-containers";
/// Reason of a decision that a person wrote into a file.
#[cfg(feature = "template-files")]
pub(crate) const BY_HAND: &str = "by-hand";

/// All reasons that a decision can have.
#[cfg(feature = "template-files")]
pub(crate) const REASONS: &[&str] = &[
    KEPT,
    OUTSIDE,
    "cut-repeated",
    "cut-links",
    "cut-by-pages",
    "cut-enclosed",
    BY_HAND,
];

/// Labels of a role: outside the main text, in the main text, or cut out of it. Inside a cut role nothing is main text again.
const OUT: usize = 0;
const IN: usize = 1;
const CUT: usize = 2;

/// The decision about all roles of a site.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decided {
    pub(crate) decisions: Vec<Decision>,
    /// Share of the leave-out samples whose own evidence chooses the same parts, 0 to 1; `None` without samples.
    pub(crate) sure: Option<f64>,
    /// The choice of most of the samples that choose other parts; `None` if there are no such samples.
    pub(crate) second: Option<SecondChoice>,
    /// How sure the page level is of its most likely text, as log odds.
    pub(crate) page_level_odds: f64,
}

/// Another choice of parts than that of the template.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SecondChoice {
    /// For each role, whether its lines are main text.
    pub(crate) kept: Vec<bool>,
    /// Share of the leave-out samples that choose these parts, 0 to 1.
    pub(crate) sure: f64,
}

/// Decides about the lines of each role, by the evidence of all pages and of leave-out samples of them.
pub(crate) fn decide(roles: &Roles, stats: &SiteStats, samples: &[SiteStats], trees: &SiteTrees) -> Decided {
    let evidence = Evidence::new(roles, stats);
    let of_samples: Vec<Vec<Option<f64>>> = samples
        .iter()
        .map(|stats| Evidence::new(roles, stats).odds(trees))
        .collect();
    let all = evidence.odds(trees);
    let odds: Vec<f64> = (0..all.len())
        .map(|role| mean_odds(role, &all, &of_samples))
        .collect();
    let pages = f64::from(stats.pages.max(1));
    let gain = |(odds, tokens): (f64, &f64)| odds * (tokens / pages).max(LEAST).powf(GROWTH).min(MOST);
    let gains = |odds: Vec<f64>| {
        odds.into_iter()
            .zip(evidence.tokens())
            .map(gain)
            .collect::<Vec<f64>>()
    };
    let labels = best_labels(roles, &gains(odds.clone()));
    let choice_of = |own: &Vec<Option<f64>>| {
        // Roles that the sample lacks keep the odds of all pages.
        let own = own
            .iter()
            .zip(&odds)
            .map(|(own, all)| own.unwrap_or(*all))
            .collect();
        best_labels(roles, &gains(own))
    };
    let equal = |a: &[usize], b: &[usize]| are_equal(a, b, evidence.tokens());
    let mut others: Vec<Vec<usize>> = of_samples.iter().map(choice_of).collect();
    others.retain(|other| !equal(&labels, other));
    let n = samples.len();
    let share = |samples: usize| samples as f64 / n as f64;
    Decided {
        sure: (n > 0).then(|| share(n - others.len())),
        second: most_common(&others, &equal).map(|(labels, samples)| SecondChoice {
            kept: labels.iter().map(|label| *label == IN).collect(),
            sure: share(samples),
        }),
        page_level_odds: evidence.page_level_odds(),
        decisions: decisions(roles, stats, &odds, |i| labels[i] == IN),
    }
}

/// Returns the decisions of a choice of parts: whether each role is kept, and why.
pub(crate) fn decisions(
    roles: &Roles,
    stats: &SiteStats,
    odds: &[f64],
    is_kept: impl Fn(usize) -> bool,
) -> Vec<Decision> {
    // Whether a role or one around it is kept. Parents precede their children.
    let mut inside: Vec<bool> = Vec::with_capacity(roles.list.len());
    let one = |(i, role): (usize, &Role)| {
        let kept = is_kept(i);
        let is_inside = role.parent.is_some_and(|parent| inside[parent as usize]);
        inside.push(kept || is_inside);
        Decision {
            kept,
            odds: odds[i],
            reason: match (kept, is_inside) {
                (true, _) => KEPT,
                (false, true) => cut_reason(&stats.roles[i], odds[i]),
                (false, false) => OUTSIDE,
            },
        }
    };
    roles.list.iter().enumerate().map(one).collect()
}

/// Returns the most frequent choice and how often it occurs; of equally frequent choices, the first. `None`
/// without choices.
fn most_common<'c>(
    choices: &'c [Vec<usize>],
    equal: &dyn Fn(&[usize], &[usize]) -> bool,
) -> Option<(&'c [usize], usize)> {
    let count = |choice: &'c Vec<usize>| {
        let like = choices.iter().filter(|other| equal(choice, other));
        (choice.as_slice(), like.count())
    };
    // Of equals, `max_by_key` would return the last one.
    choices.iter().rev().map(count).max_by_key(|(_, n)| *n)
}

/// Returns the mean log odds of a role over all pages and the samples that have lines of it; 0 if no page has.
///
/// Trees answer in steps: near a step, one page more or less moves the odds by a whole leaf. The mean over samples moves by a part of it.
fn mean_odds(role: usize, all: &[Option<f64>], samples: &[Vec<Option<f64>>]) -> f64 {
    let Some(all) = all[role] else { return 0.0 };
    let known = samples.iter().filter_map(|odds| odds[role]);
    let (sum, n) = known.fold((all, 1.0), |(sum, n), odds| (sum + odds, n + 1.0));
    sum / n
}

/// Returns whether two decisions keep the same parts, but for at most [`EQUAL`] of the words that either keeps.
fn are_equal(a: &[usize], b: &[usize], tokens: &[f64]) -> bool {
    let (mut kept, mut differ) = (0.0, 0.0);
    for ((a, b), tokens) in a.iter().zip(b).zip(tokens) {
        kept += if *a == IN || *b == IN { *tokens } else { 0.0 };
        differ += if (*a == IN) != (*b == IN) { *tokens } else { 0.0 };
    }
    differ <= EQUAL * kept
}

/// Returns the labels of all roles that maximize the sum of gains of roles in the main text, minus the price of each change.
fn best_labels(roles: &Roles, gains: &[f64]) -> Vec<usize> {
    // For each role and each label of its parent: the best label, and the value of the subtree with it.
    let mut worth: Vec<[f64; 3]> = gains.iter().map(|gain| [0.0, *gain, 0.0]).collect();
    let mut best = vec![[OUT; 3]; gains.len()];
    // Children follow their parents, so the value of a subtree is complete when its root is visited.
    for i in (0..gains.len()).rev() {
        let (role, worth_of) = (&roles.list[i], worth[i]);
        let enter = worth_of[IN] - price(role);
        let cut = worth_of[CUT] - price(role);
        let chosen = [
            // On ties, main text begins at the inner part, and cuts are made at the outer part.
            match may_begin(role) && enter > worth_of[OUT] {
                true => (IN, enter),
                false => (OUT, worth_of[OUT]),
            },
            match cut >= worth_of[IN] {
                true => (CUT, cut),
                false => (IN, worth_of[IN]),
            },
            // Inside a cut role, everything is cut.
            (CUT, worth_of[CUT]),
        ];
        best[i] = chosen.map(|(label, _)| label);
        if let Some(parent) = roles.list[i].parent {
            for (sum, (_, worth)) in worth[parent as usize].iter_mut().zip(chosen) {
                *sum += worth;
            }
        }
    }
    // From the root down: each role gets the best label, given the label that its parent got.
    let mut labels: Vec<usize> = Vec::with_capacity(gains.len());
    for (i, role) in roles.list.iter().enumerate() {
        labels.push(match role.parent {
            Some(parent) => best[i][labels[parent as usize]],
            None if may_begin(role) && worth[i][IN] > worth[i][OUT] => IN,
            None => OUT,
        });
    }
    labels
}

/// Returns whether main text may begin with a role. It never begins with a paragraph or a list: a page of the
/// site with the other of the two would lose it.
fn may_begin(role: &Role) -> bool {
    !tags::is_text_tag(&role.tag)
}

/// Returns the price of a change of the decision between a role and its parent.
fn price(role: &Role) -> f64 {
    if role.is_section() {
        return CHANGE_AT_SECTION;
    }
    let plain = role.id.is_none() && role.classes.is_empty();
    // The header cell of a row belongs with the other cells: a label that repeats on every page belongs to the value beside it.
    if plain && (tags::is_text_tag(&role.tag) || role.tag == "th") {
        CHANGE_IN_TEXT
    } else {
        CHANGE
    }
}

/// Returns the strongest reason against a part that is cut, for people.
fn cut_reason(stats: &RoleStats, odds: f64) -> &'static str {
    let [all, most, _] = stats.sums();
    let half = |part: f64| 2.0 * part >= all.weight && all.weight > 0.0;
    if half(most.weight) {
        "cut-repeated"
    } else if half(all.linked) {
        "cut-links"
    } else if odds < 0.0 {
        "cut-by-pages"
    } else {
        "cut-enclosed"
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the value of labels; `None` if they are not allowed.
    fn worth_of(roles: &Roles, gains: &[f64], labels: &[usize]) -> Option<f64> {
        let mut sum = 0.0;
        for (i, role) in roles.list.iter().enumerate() {
            sum += if labels[i] == IN { gains[i] } else { 0.0 };
            match role.parent.map(|parent| labels[parent as usize]) {
                None if labels[i] == CUT || (labels[i] == IN && !may_begin(role)) => return None,
                None => {}
                Some(above) if above == labels[i] => {}
                Some(OUT) if labels[i] == IN && !may_begin(role) => return None,
                Some(above) if (above, labels[i]) == (OUT, IN) || (above, labels[i]) == (IN, CUT) => {
                    sum -= price(role);
                }
                Some(_) => return None,
            }
        }
        Some(sum)
    }

    proptest! {
        #[test]
        fn no_other_labels_are_worth_more(
            parents in prop::collection::vec(any::<prop::sample::Index>(), 1..7),
            gains in prop::collection::vec(-4.0..4.0_f64, 7),
            plain in prop::collection::vec(any::<bool>(), 7),
        ) {
            let n = parents.len() + 1;
            let role = |i: usize| Role {
                parent: i.checked_sub(1).map(|i| parents[i].index(i + 1) as u32),
                tag: if plain[i] { "p" } else { "div" }.to_owned(),
                ..Role::default()
            };
            let roles = Roles::new((0..n).map(role).collect(), Vec::new());
            let found = best_labels(&roles, &gains[..n]);
            let best = worth_of(&roles, &gains, &found).expect("allowed labels");
            for mut code in 0..3_usize.pow(n as u32) {
                let labels: Vec<usize> = (0..n).map(|_| { let label = code % 3; code /= 3; label }).collect();
                if let Some(other) = worth_of(&roles, &gains, &labels) {
                    prop_assert!(other <= best + 1e-9, "{labels:?} beat {found:?}");
                }
            }
        }
    }
}
