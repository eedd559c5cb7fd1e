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
    BY_LINE,
    BY_HAND,
];
pub(in crate::site) const KEPT: &str = "in-container";
pub(in crate::site) const OUTSIDE: &str = "outside-containers";
/// Of a line that the page alone takes for no main text, in a part that little speaks for.
pub(in crate::site) const BY_LINE: &str = "line-by-page";
/// Of a decision that a person wrote into a file.
pub(in crate::site) const BY_HAND: &str = "by-hand";

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
                ..cut(roles, layout, evidence, &all, i, i)
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
    let set = &evidence.settings;
    let mut terms = Terms::default();
    let slot = if layout.is_slot(evidence, i) { 1.0 } else { 0.0 };
    let linked = mass.share(mass.linked);
    let repeated = mass.share(mass.repeated);
    let [outer, outer_repeated, outer_linked] = mass.around.outer.map(|o| mass.share(o));
    terms.add("cut-slot", set.slot * slot);
    terms.add("cut-links", (set.slot_links * slot + set.links) * linked);
    terms.add(
        "cut-repeated",
        (set.slot_repeated * slot + set.repeated) * repeated,
    );
    terms.add(
        "cut-around-text",
        set.around * (slot * outer + outer_repeated + outer_linked),
    );
    let (around, tag, comments) = (
        names::is_around(role),
        names::is_chrome_tag(role),
        names::is_comments(role),
    );
    let drops = mass.all.kept.map(|k| 1.0 - mass.share(k));
    let accepts = whole.all.kept.map(|k| whole.share(k));
    terms.add("cut-name", if around { set.name } else { 0.0 });
    terms.add("cut-tag", if tag { set.tag } else { 0.0 });
    let comments = comments && drops[0].max(drops[1]) > 0.5;
    terms.add("cut-comments", if comments { set.comments } else { 0.0 });
    let vote = drops[0] * (1.0 - set.second * (1.0 - drops[1])) * accepts[0].min(accepts[1]);
    terms.add("cut-by-pages", set.vote * vote);
    let bare = role.id.is_none() && role.classes.is_empty();
    if bare && names::is_text_tag(&role.tag) {
        terms.sum -= set.bare;
    }
    if names::is_inline(&role.tag) {
        terms.sum -= set.inline;
    }
    let unit = layout.unit(i).map_or(0, |u| evidence.roles[u].elements);
    if f64::from(stats.elements) > set.slot_most * f64::from(unit.max(1)) {
        terms.sum -= set.many;
    }
    terms.sum -= set.long * (1.0 + mass.all.tokens / f64::from(stats.elements.max(1))).ln();
    let score = terms.sum - set.bias;
    let at_edge = mass.share(mass.around.outer[0]) >= set.edge
        && 2.0 * stats.around.outer_pages >= stats.around.seen
        && stats.around.seen > 0.0;
    let sign = around || tag || comments || at_edge;
    let large = mass.free > set.large * whole.free;
    let voted = slot > 0.0 && drops[0].min(drops[1]) > set.large_vote;
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
