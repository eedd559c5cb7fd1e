//! Which parts of a site hold what varies from page to page.

use super::evidence::{Evidence, Mass, with_below};
use super::names;
use super::roles::Roles;
use super::settings::Settings;

/// Which container and which record each role lies in, itself included.
#[derive(Clone, Debug, Default)]
pub(in crate::site) struct Layout {
    pub(in crate::site) container: Vec<Option<u32>>,
    /// Outermost part that stands several times in its container, each time with text of its own: a post of a thread.
    pub(in crate::site) record: Vec<Option<u32>>,
    /// Whether the role is, or lies in, a small part that stands once in every container or record.
    pub(in crate::site) slot: Vec<bool>,
}

impl Layout {
    /// Finds containers and records.
    pub(in crate::site) fn find(roles: &Roles, evidence: &Evidence) -> Layout {
        let own = evidence.own();
        let all = with_below(roles, &own);
        let n = roles.list.len();
        let mut chosen = choose(roles, evidence, &own, &all);
        let agreed: f64 = own.iter().map(|m| m.all.both).sum();
        let held: f64 = chosen.iter().map(|&c| all[c as usize].all.both).sum();
        if held < evidence.settings.least_agreed * agreed {
            let lowest = (0..n)
                .rev()
                .find(|&i| all[i].all.both >= evidence.settings.agreed * agreed && may_hold(roles, i));
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
                    && out.container[i]
                        .is_some_and(|c| all[i].free < evidence.settings.slot_size * all[c as usize].free));
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
            let text = all[i].free >= evidence.settings.record * f64::from(stats.elements)
                && all[i].free >= evidence.settings.records * all[container as usize].free;
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
        let settings = &evidence.settings;
        let share = |part: u32, of: u32| f64::from(part) / f64::from(of.max(1));
        share(stats.pages, whole.pages) >= settings.slot_pages
            && (settings.slot_least..=settings.slot_most).contains(&share(stats.elements, whole.elements))
    }

    /// The record a role lies in, or else the container.
    pub(in crate::site) fn unit(&self, role: usize) -> Option<usize> {
        let record = self.record[role].filter(|&r| r as usize != role);
        record.or(self.container[role]).map(|r| r as usize)
    }
}

fn may_hold(roles: &Roles, i: usize) -> bool {
    !names::is_text_tag(&roles.list[i].tag)
}

/// Roles that are not looked at when containers are chosen: comments, navigation and what lies in them.
fn ignored(roles: &Roles, own: &[Mass], settings: &Settings) -> Vec<bool> {
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
    if left < settings.least_free * free {
        out.fill(false);
    }
    out
}

/// By how much the page-level method is less sure of this site's main text than of others', in log odds: there is main text, so
/// what the method likes best must be it. Measured on free text, weighted by its chance to be main text.
pub(in crate::site) fn lack(own: &[Mass], settings: &Settings) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for mass in own {
        let chance = mass.share(mass.all.chance);
        sum += mass.free * chance * chance;
        weights += mass.free * chance;
    }
    if weights > 0.0 {
        (settings.sure - odds(sum / weights)).max(0.0)
    } else {
        0.0
    }
}

/// Log odds of a chance, which is held to be between 1 and 99 in a hundred: of no line is a page-level method surer than that.
pub(in crate::site) fn odds(chance: f64) -> f64 {
    let chance = chance.clamp(0.01, 0.99);
    (chance / (1.0 - chance)).ln()
}

/// The set of disjoint parts with the highest worth, each at a price: exact, by dynamic programming over the tree.
///
/// Free text is worth what keeping it is expected to bring: the chance that it is main text less the chance that it is not. That it
/// varies from page to page says nothing here, as teasers and comments do so, too; only the page-level method tells them
/// apart, and its odds are raised by what it lacks on the whole site.
fn choose(roles: &Roles, evidence: &Evidence, own: &[Mass], all: &[Mass]) -> Vec<u32> {
    let (n, settings) = (roles.list.len(), &evidence.settings);
    let ignored = ignored(roles, own, settings);
    let lack = lack(own, settings);
    let (mut worth, mut positive) = (vec![0.0; n], 0.0);
    for (i, mass) in own.iter().enumerate() {
        let stats = &evidence.roles[i];
        let varied = settings.label + (1.0 - settings.label) * (1.0 - (2.0 * stats.variation()).min(1.0));
        let trusted = if mass.repeated > 0.0 {
            1.0 - settings.forgiven * mass.repeated_both / mass.repeated
        } else {
            1.0
        };
        let gain = if ignored[i] {
            0.0
        } else {
            mass.free * (2.0 / (1.0 + (-odds(mass.share(mass.all.chance)) - lack).exp()) - 1.0)
        };
        positive += gain.max(0.0);
        worth[i] = gain
            - varied
                * (settings.repeated_cost * mass.around.repeated * trusted
                    + settings.linked_cost * mass.around.linked);
    }
    let price = settings.price * positive;
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
