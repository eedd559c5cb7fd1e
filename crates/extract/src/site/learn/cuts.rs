//! What is cut out of the containers: by evidence that adds up, once for the site.

use super::containers::Layout;
use super::evidence::{Evidence, Mass, with_below};
use super::names;
use super::roles::Roles;

/// What becomes of a role's lines.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(in crate::site) struct Decision {
    pub(in crate::site) kept: bool,
    /// Sum of the evidence for a cut; positive if it was or could have been cut.
    pub(in crate::site) score: f64,
    pub(in crate::site) reason: &'static str,
}

/// Every reason a decision can have.
pub(in crate::site) const REASONS: &[&str] = &[
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
    BY_HAND,
];
pub(in crate::site) const KEPT: &str = "in-container";
pub(in crate::site) const OUTSIDE: &str = "outside-containers";
/// Of a decision that a person wrote into a file.
pub(in crate::site) const BY_HAND: &str = "by-hand";

/// Evidence below which nothing is cut.
const BIAS: f64 = -2.3;

/// Elements for each container or record from which on a part is no slot.
const MANY: f64 = 1.25;

/// How much of the page-level method's vote for a cut the second opinion can take away.
const SECOND: f64 = 0.2;

/// Decides about all roles.
pub(in crate::site) fn decide(roles: &Roles, layout: &Layout, evidence: &Evidence) -> Vec<Decision> {
    let all = with_below(roles, &evidence.own());
    let mut out: Vec<Decision> = Vec::with_capacity(all.len());
    for i in 0..all.len() {
        let above = roles.list[i].parent.map(|p| out[p as usize]);
        out.push(match layout.container[i] {
            None => Decision {
                reason: OUTSIDE,
                ..Decision::default()
            },
            Some(container) if container == i as u32 => Decision {
                kept: true,
                reason: KEPT,
                ..Decision::default()
            },
            Some(_) if above.is_some_and(|a| !a.kept) => above.unwrap_or_default(),
            Some(container) => cut(roles, layout, evidence, &all, i, container as usize),
        });
    }
    out
}

fn cut(
    roles: &Roles,
    layout: &Layout,
    evidence: &Evidence,
    all: &[Mass],
    i: usize,
    container: usize,
) -> Decision {
    let (role, stats, mass, whole) = (&roles.list[i], &evidence.roles[i], &all[i], &all[container]);
    let mut terms = Terms::default();
    let slot = if layout.is_slot(evidence, i) { 1.0 } else { 0.0 };
    let linked = mass.share(mass.linked);
    let repeated = mass.share(mass.repeated);
    let [outer, outer_repeated, outer_linked] = mass.around.outer.map(|o| mass.share(o));
    terms.add("cut-slot", 0.3 * slot);
    terms.add("cut-links", (slot + 0.7) * linked);
    terms.add("cut-repeated", (slot + 0.5) * repeated);
    terms.add(
        "cut-around-text",
        1.5 * (slot * outer + outer_repeated + outer_linked),
    );
    let (around, tag, comments) = (
        names::is_around(role),
        names::is_chrome_tag(role),
        names::is_comments(role),
    );
    let drops = mass.all.kept.map(|k| 1.0 - mass.share(k));
    let accepts = whole.all.kept.map(|k| whole.share(k));
    terms.add("cut-name", if around { 1.5 } else { 0.0 });
    terms.add("cut-tag", if tag { 1.5 } else { 0.0 });
    let comments = comments && drops[0].max(drops[1]) > 0.5;
    terms.add("cut-comments", if comments { 3.0 } else { 0.0 });
    let vote = drops[0] * (1.0 - SECOND * (1.0 - drops[1])) * accepts[0].min(accepts[1]);
    terms.add("cut-by-pages", 2.0 * vote);
    let bare = role.id.is_none() && role.classes.is_empty();
    if bare && names::is_text_tag(&role.tag) {
        terms.sum -= 1.0;
    }
    if names::is_inline(&role.tag) {
        terms.sum -= 1.0;
    }
    let unit = layout.unit(i).map_or(0, |u| evidence.roles[u].elements);
    if f64::from(stats.elements) > MANY * f64::from(unit.max(1)) {
        terms.sum -= 0.5;
    }
    terms.sum -= 0.3 * (1.0 + mass.all.tokens / f64::from(stats.elements.max(1))).ln();
    let score = terms.sum + BIAS;
    let at_edge = mass.share(mass.around.outer[0]) >= 0.5
        && 2.0 * stats.around.outer_pages >= stats.around.seen
        && stats.around.seen > 0.0;
    let sign = around || tag || comments || at_edge;
    let large = mass.free > 0.35 * whole.free;
    let voted = slot > 0.0 && drops[0].min(drops[1]) > 0.8;
    let goes = score > 0.0 && sign && (!large || comments || tag || voted);
    Decision {
        kept: !goes,
        score,
        reason: if goes { terms.reason } else { KEPT },
    }
}

/// Evidence that adds up, and the name of its largest part.
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
