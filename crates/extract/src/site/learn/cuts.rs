//! Decides which parts are cut from the containers: weights add up to a score for each role.

use super::containers::is_slot;
use super::names;
use super::regions::Regions;
use super::roles::Roles;
use super::stats::{RoleSums, SiteStats, with_descendants};
use crate::site::tags;

/// The decision about a role's lines.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Decision {
    pub(crate) kept: bool,
    /// Sum of the weights for a cut less those against it; positive if the role was or could have been cut.
    pub(crate) score: f64,
    pub(crate) reason: &'static str,
}

/// Every reason a decision can have.
#[cfg(feature = "template-files")]
pub(crate) const REASONS: &[&str] = &[
    KEPT,
    OUTSIDE,
    "cut-slot",
    "cut-links",
    "cut-repeated",
    "cut-around-text",
    "cut-name",
    "cut-tag",
    "cut-comments",
    "cut-by-pages",
    BY_LINE,
    BY_HAND,
];
pub(crate) const KEPT: &str = "in-container";
pub(crate) const OUTSIDE: &str = "outside-containers";
/// Reason of a line that is dropped since the page-level odds against it are greater than the template's odds for its part.
pub(crate) const BY_LINE: &str = "line-by-page";
/// Reason of a decision that a person wrote into a file.
#[cfg(any(test, feature = "template-files"))]
pub(crate) const BY_HAND: &str = "by-hand";

/// Decides about each role's lines.
pub(crate) fn decide(roles: &Roles, regions: &Regions, stats: &SiteStats) -> Vec<Decision> {
    let all = with_descendants(roles, &stats.own());
    let mut out: Vec<Decision> = Vec::with_capacity(all.len());
    for i in 0..all.len() {
        let above = roles.list[i].parent.map(|p| out[p as usize]);
        out.push(match regions.container[i] {
            None => Decision {
                reason: OUTSIDE,
                ..Decision::default()
            },
            Some(container) if container == i as u32 => Decision {
                kept: true,
                reason: KEPT,
                ..cut(roles, regions, stats, &all, i, i)
            },
            Some(_) if above.is_some_and(|a| !a.kept) => above.unwrap_or_default(),
            Some(container) => cut(roles, regions, stats, &all, i, container as usize),
        });
    }
    out
}

fn cut(
    roles: &Roles,
    regions: &Regions,
    stats: &SiteStats,
    all: &[RoleSums],
    i: usize,
    container: usize,
) -> Decision {
    let (role, of_role, sums, whole) = (&roles.list[i], &stats.roles[i], &all[i], &all[container]);
    let set = &stats.settings;
    let mut terms = Terms::default();
    let slot = if is_slot(regions, stats, i) { 1.0 } else { 0.0 };
    let linked = sums.share(sums.linked);
    let repeated = sums.share(sums.repeated);
    let [outer, outer_repeated, outer_linked] = sums.context.outer.map(|o| sums.share(o));
    terms.add("cut-slot", set.slot * slot);
    terms.add("cut-links", (set.slot_links * slot + set.links) * linked);
    terms.add(
        "cut-repeated",
        (set.slot_repeated * slot + set.repeated) * repeated,
    );
    terms.add(
        "cut-around-text",
        set.outer * (slot * outer + outer_repeated + outer_linked),
    );
    let (surrounding, tag, comments) = (
        names::is_surrounding(role),
        names::is_chrome_tag(role),
        names::is_comments(role),
    );
    let drops = sums.all.kept.map(|k| 1.0 - sums.share(k));
    let accepts = whole.all.kept.map(|k| whole.share(k));
    terms.add("cut-name", if surrounding { set.name } else { 0.0 });
    terms.add("cut-tag", if tag { set.tag } else { 0.0 });
    let comments = comments && drops[0].max(drops[1]) > 0.5;
    terms.add("cut-comments", if comments { set.comments } else { 0.0 });
    let vote = drops[0] * (1.0 - set.second * (1.0 - drops[1])) * accepts[0].min(accepts[1]);
    terms.add("cut-by-pages", set.vote * vote);
    let bare = role.id.is_none() && role.classes.is_empty();
    if bare && tags::is_text_tag(&role.tag) {
        terms.sum -= set.bare;
    }
    if tags::is_inline(&role.tag) {
        terms.sum -= set.inline;
    }
    let enclosing = regions.enclosing(i).map_or(0, |u| stats.roles[u].elements);
    if f64::from(of_role.elements) > set.slot_most * f64::from(enclosing.max(1)) {
        terms.sum -= set.many;
    }
    terms.sum -= set.long * (1.0 + sums.all.tokens / f64::from(of_role.elements.max(1))).ln();
    let score = terms.sum - set.bias;
    let at_edge = sums.share(sums.context.outer[0]) >= set.edge
        && 2.0 * of_role.context.outer_pages >= of_role.context.seen
        && of_role.context.seen > 0.0;
    let named_or_outer = surrounding || tag || comments || at_edge;
    let large = sums.free > set.large * whole.free;
    let voted = slot > 0.0 && drops[0].min(drops[1]) > set.large_vote;
    let goes = score > 0.0 && named_or_outer && (!large || comments || tag || voted);
    Decision {
        kept: !goes,
        score,
        reason: if goes { terms.reason } else { KEPT },
    }
}

/// Terms of a sum, and the name of the largest.
#[derive(Default)]
struct Terms {
    sum: f64,
    most: f64,
    reason: &'static str,
}

impl Terms {
    fn add(&mut self, reason: &'static str, value: f64) {
        self.sum += value;
        if value > self.most {
            (self.most, self.reason) = (value, reason);
        }
    }
}
