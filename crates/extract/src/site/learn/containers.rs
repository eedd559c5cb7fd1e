//! Finds the parts of a site that hold what varies from page to page.

use super::confidence::{confidence_gap, log_odds};
use super::names;
use super::regions::Regions;
use super::roles::Roles;
use super::settings::Settings;
use super::stats::{RoleSums, SiteStats, with_descendants};
use crate::site::tags;

/// Finds containers, records and slots.
pub(crate) fn find(roles: &Roles, stats: &SiteStats) -> Regions {
    let own = stats.own();
    let all = with_descendants(roles, &own);
    let n = roles.list.len();
    let mut chosen = choose(roles, stats, &own, &all);
    let agreed: f64 = own.iter().map(|m| m.all.both).sum();
    let held: f64 = chosen.iter().map(|&c| all[c as usize].all.both).sum();
    if held < stats.settings.least_agreed * agreed {
        let lowest = (0..n)
            .rev()
            .find(|&i| all[i].all.both >= stats.settings.agreed * agreed && may_hold(roles, i));
        chosen = lowest.map(|i| i as u32).into_iter().collect();
    }
    let mut out = Regions {
        container: vec![None; n],
        record: vec![None; n],
        slot: vec![false; n],
    };
    for i in 0..n {
        let above = roles.list[i].parent.and_then(|p| out.container[p as usize]);
        out.container[i] = above.or_else(|| chosen.contains(&(i as u32)).then_some(i as u32));
    }
    find_records(&mut out, roles, stats, &all);
    for i in 0..n {
        let above = roles.list[i].parent.is_some_and(|p| out.slot[p as usize]);
        let is_small = |c: u32| all[i].free < stats.settings.slot_size * all[c as usize].free;
        out.slot[i] = above || (is_slot(&out, stats, i) && out.container[i].is_some_and(is_small));
    }
    out
}

fn find_records(regions: &mut Regions, roles: &Roles, stats: &SiteStats, all: &[RoleSums]) {
    for i in 0..roles.list.len() {
        let (role, of_role) = (&roles.list[i], &stats.roles[i]);
        regions.record[i] = role.parent.and_then(|p| regions.record[p as usize]);
        let inside = regions.container[i].filter(|&c| c != i as u32 && regions.record[i].is_none());
        let Some(container) = inside else { continue };
        let named = role.id.is_some() || !role.classes.is_empty() || role.tag == "article";
        let many = of_role.count() >= 2.0 && of_role.variation() > 0.0;
        let text = all[i].free >= stats.settings.record * f64::from(of_role.elements)
            && all[i].free >= stats.settings.records * all[container as usize].free;
        if named && many && text && !tags::is_inline(&role.tag) && role.tag != "p" {
            regions.record[i] = Some(i as u32);
        }
    }
}

/// Whether a role is on nearly all pages, about once in a container or record.
pub(crate) fn is_slot(regions: &Regions, stats: &SiteStats, role: usize) -> bool {
    let Some(whole) = regions.enclosing(role).filter(|&w| w != role) else {
        return false;
    };
    let (part, whole) = (&stats.roles[role], &stats.roles[whole]);
    let settings = &stats.settings;
    let share = |part: u32, of: u32| f64::from(part) / f64::from(of.max(1));
    share(part.pages, whole.pages) >= settings.slot_pages
        && (settings.slot_least..=settings.slot_most).contains(&share(part.elements, whole.elements))
}

fn may_hold(roles: &Roles, i: usize) -> bool {
    !tags::is_text_tag(&roles.list[i].tag)
}

/// Roles without value for the choice of containers: comments, navigation and what they hold.
fn ignored(roles: &Roles, own: &[RoleSums], settings: &Settings) -> Vec<bool> {
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

/// The set of disjoint parts with the highest total value less the price of each, by exact dynamic programming over the tree.
///
/// The value of free text is the probability that it is main text less the probability that it is not. That text varies from page to
/// page does not tell main text, as teasers and comments vary, too; only the page-level extractor tells them apart. Its log odds are
/// raised by the site's [`confidence_gap`].
fn choose(roles: &Roles, stats: &SiteStats, own: &[RoleSums], all: &[RoleSums]) -> Vec<u32> {
    let (n, settings) = (roles.list.len(), &stats.settings);
    let ignored = ignored(roles, own, settings);
    let gap = confidence_gap(own, settings);
    let (mut worth, mut positive) = (vec![0.0; n], 0.0);
    for (i, sums) in own.iter().enumerate() {
        let varied =
            settings.label + (1.0 - settings.label) * (1.0 - (2.0 * stats.roles[i].variation()).min(1.0));
        let trusted = if sums.repeated > 0.0 {
            1.0 - settings.forgiven * sums.repeated_both / sums.repeated
        } else {
            1.0
        };
        let gain = if ignored[i] {
            0.0
        } else {
            sums.free * (2.0 / (1.0 + (-log_odds(sums.share(sums.all.probability)) - gap).exp()) - 1.0)
        };
        positive += gain.max(0.0);
        worth[i] = gain
            - varied
                * (settings.repeated_cost * sums.context.repeated * trusted
                    + settings.linked_cost * sums.context.linked);
    }
    let price = settings.price * positive;
    let mut whole = worth;
    for i in (0..n).rev() {
        if let Some(parent) = roles.list[i].parent {
            whole[parent as usize] += whole[i];
        }
    }
    // The best value in each part, and whether the part itself is chosen.
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
