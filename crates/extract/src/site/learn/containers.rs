//! Which parts of a site hold what varies from page to page.

use super::evidence::{Evidence, Mass, with_below};
use super::names;
use super::roles::Roles;

/// Which container and which record each role lies in, itself included.
#[derive(Clone, Debug, Default)]
pub(in crate::site) struct Layout {
    pub(in crate::site) container: Vec<Option<u32>>,
    /// Outermost part that stands several times in its container, each time with text of its own: a post of a thread.
    pub(in crate::site) record: Vec<Option<u32>>,
    /// Whether the role is, or lies in, a small part that stands once in every container or record.
    pub(in crate::site) slot: Vec<bool>,
}

/// What a token of each kind is worth: lines that repeat and lines that are links speak against a container.
const REPEATED: f64 = 1.0;
const LINKED: f64 = 0.4;
/// Price of each container, as a share of all that speaks for any.
const PRICE: f64 = 0.06;
/// How much text that no page-level method keeps is worth where the methods quarrel.
const UNVOTED: f64 = 0.35 * 1.3;
/// What a label costs by comparison with a menu.
const LABEL: f64 = 0.15;
/// Least share of free text that must be left when parts named as comments or navigation are not looked at.
const LEAST_FREE: f64 = 0.25;
/// Least share of what both page-level methods keep that containers must hold, and what the part has that stands in.
const LEAST_AGREED: f64 = 0.6;
const AGREED: f64 = 0.9;

impl Layout {
    /// Finds containers and records.
    pub(in crate::site) fn find(roles: &Roles, evidence: &Evidence) -> Layout {
        let own = evidence.own();
        let all = with_below(roles, &own);
        let n = roles.list.len();
        let mut chosen = choose(roles, evidence, &own, &all);
        let agreed: f64 = own.iter().map(|m| m.all.both).sum();
        let held: f64 = chosen.iter().map(|&c| all[c as usize].all.both).sum();
        if held < LEAST_AGREED * agreed {
            let lowest = (0..n)
                .rev()
                .find(|&i| all[i].all.both >= AGREED * agreed && may_hold(roles, i));
            chosen = lowest.map(|i| i as u32).into_iter().collect();
        }
        let mut out = Layout {
            container: vec![None; n],
            record: vec![None; n],
            slot: vec![false; n],
        };
        for i in 0..n {
            let above = roles.list[i].parent.and_then(|p| out.container[p as usize]);
            out.container[i] = above.or_else(|| chosen.contains(&(i as u32)).then_some(i as u32));
        }
        out.find_records(roles, evidence, &all);
        for i in 0..n {
            let above = roles.list[i].parent.is_some_and(|p| out.slot[p as usize]);
            out.slot[i] = above
                || (out.is_slot(evidence, i)
                    && out.container[i].is_some_and(|c| all[i].free < SMALL * all[c as usize].free));
        }
        out
    }

    fn find_records(&mut self, roles: &Roles, evidence: &Evidence, all: &[Mass]) {
        for i in 0..roles.list.len() {
            let (role, stats) = (&roles.list[i], &evidence.roles[i]);
            self.record[i] = role.parent.and_then(|p| self.record[p as usize]);
            let Some(container) = self.container[i].filter(|&c| c != i as u32 && self.record[i].is_none())
            else {
                continue;
            };
            let named = role.id.is_some() || !role.classes.is_empty() || role.tag == "article";
            let many = stats.count() >= 2.0 && stats.variation() > 0.0;
            let text = all[i].free >= RECORD * f64::from(stats.elements)
                && 2.0 * all[i].free >= all[container as usize].free;
            if named && many && text && !names::is_inline(&role.tag) && role.tag != "p" {
                self.record[i] = Some(i as u32);
            }
        }
    }

    /// Whether a role stands on nearly all pages, about once in a container or record.
    pub(in crate::site) fn is_slot(&self, evidence: &Evidence, role: usize) -> bool {
        let Some(whole) = self.unit(role).filter(|&w| w != role) else {
            return false;
        };
        let (stats, whole) = (&evidence.roles[role], &evidence.roles[whole]);
        let share = |part: u32, of: u32| f64::from(part) / f64::from(of.max(1));
        share(stats.pages, whole.pages) >= OFTEN
            && (HALF..=ONCE).contains(&share(stats.elements, whole.elements))
    }

    /// The record a role lies in, or else the container.
    pub(in crate::site) fn unit(&self, role: usize) -> Option<usize> {
        let record = self.record[role].filter(|&r| r as usize != role);
        record.or(self.container[role]).map(|r| r as usize)
    }
}

/// Tokens of free text that each record has on average.
const RECORD: f64 = 20.0;
/// Share of the pages that have a slot, and of the containers or records: not everybody signs, and on an index page are the
/// beginnings of many texts, without what stands around each of them on its own page. How often it stands there at most.
const OFTEN: f64 = 0.8;
const HALF: f64 = 0.5;
const ONCE: f64 = 1.25;
/// Share of a container's free text up to which a slot cannot be the text itself.
const SMALL: f64 = 0.2;

fn may_hold(roles: &Roles, i: usize) -> bool {
    !names::is_text_tag(&roles.list[i].tag)
}

/// Roles that are not looked at when containers are chosen: comments, navigation and what lies in them.
fn ignored(roles: &Roles, own: &[Mass]) -> Vec<bool> {
    let mut out = vec![false; roles.list.len()];
    for (i, role) in roles.list.iter().enumerate() {
        let above = role.parent.is_some_and(|p| out[p as usize]);
        out[i] = above || names::is_comments(role) || matches!(role.tag.as_str(), "nav" | "footer" | "aside");
    }
    let free: f64 = own.iter().map(|m| m.free).sum();
    let left: f64 = own
        .iter()
        .zip(&out)
        .filter(|(_, ignored)| !**ignored)
        .map(|(m, _)| m.free)
        .sum();
    if left < LEAST_FREE * free {
        out.fill(false);
    }
    out
}

/// The set of disjoint parts with the highest worth, each at a price: exact, by dynamic programming over the tree.
fn choose(roles: &Roles, evidence: &Evidence, own: &[Mass], all: &[Mass]) -> Vec<u32> {
    let n = roles.list.len();
    let ignored = ignored(roles, own);
    let kept = |of: &dyn Fn(&Mass) -> f64| own.iter().map(of).sum::<f64>();
    let both = kept(&|m| m.all.both);
    let either = kept(&|m| m.all.kept[0] + m.all.kept[1] - m.all.both);
    let agreement = if either > 0.0 { both / either } else { 0.0 };
    let least = UNVOTED * (1.0 - agreement);
    let (mut worth, mut positive) = (vec![0.0; n], 0.0);
    for (i, mass) in own.iter().enumerate() {
        let vote = mass.share(mass.all.kept[0]);
        let weight = if ignored[i] {
            0.0
        } else {
            least + (1.0 - least) * vote
        };
        let stats = &evidence.roles[i];
        let varied = LABEL + (1.0 - LABEL) * (1.0 - (2.0 * stats.variation()).min(1.0));
        let trusted = if mass.repeated > 0.0 {
            1.0 - 0.7 * mass.repeated_both / mass.repeated
        } else {
            1.0
        };
        let gain = mass.free * weight;
        positive += gain;
        worth[i] = gain - varied * (REPEATED * mass.around.repeated * trusted + LINKED * mass.around.linked);
    }
    let price = PRICE * positive;
    let mut whole = worth;
    for i in (0..n).rev() {
        if let Some(parent) = roles.list[i].parent {
            whole[parent as usize] += whole[i];
        }
    }
    // What the parts below are worth, and whether the part itself is worth more.
    let (mut best, mut takes) = (vec![0.0; n], vec![false; n]);
    for i in (0..n).rev() {
        let alone = whole[i] - price;
        takes[i] = may_hold(roles, i) && all[i].free > 0.0 && alone > best[i] + 1e-6;
        if takes[i] {
            best[i] = alone;
        }
        if let Some(parent) = roles.list[i].parent {
            best[parent as usize] += best[i];
        }
    }
    let mut inside = vec![false; n];
    let mut out = Vec::new();
    for i in 0..n {
        let above = roles.list[i].parent.is_some_and(|p| inside[p as usize]);
        if takes[i] && !above {
            out.push(i as u32);
        }
        inside[i] = above || takes[i];
    }
    out
}
