//! Templates: what is learnt from the pages of one layout of a site.

use super::learn::decide::{Decision, decide};
use super::learn::evidence::SiteTrees;
use super::learn::roles::{Assigned, Roles};
use super::learn::stats::{LineSums, SiteStats};
use super::sample::Sample;

/// Where a template comes from.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Origin {
    /// Key of the part of the site whose pages were learnt from, such as `https://example.org/news/`.
    pub site: String,
    /// Number of the layout within that part, from 1.
    pub layout: u32,
    /// Page-level extractor that labelled the pages.
    pub method: String,
    /// Addresses of pages it was learnt from, at most [`Origin::MAX_PAGES`].
    pub learnt_from: Vec<String>,
    /// Date of the newest page, as `2024-05-01`, if any page has one.
    pub newest: Option<String>,
}

impl Origin {
    /// Most addresses that are kept.
    pub const MAX_PAGES: usize = 50;
}

/// Least share of the words kept by the page-level extractor that a template must keep of the pages it was learnt from. One that
/// contradicts the page level everywhere has no ground of its own.
const LEAST_AGREED: f64 = 0.15;

/// A template of one layout of a site.
#[derive(Clone, Debug)]
pub struct Template {
    /// Where it comes from.
    pub origin: Origin,
    pub(super) roles: Roles,
    pub(super) stats: SiteStats,
    /// The decision about each role's lines.
    pub(super) decisions: Vec<Decision>,
    /// Whether it is not applied, as it is no better than the page level by what is known.
    pub(super) abstains: bool,
}

/// A part of a site's pages and the decision about it, for display.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TemplatePart<'a> {
    /// Steps from the root: `html/body/div#main`.
    pub path: String,
    /// Number of the parent part, which is smaller than its own.
    pub parent: Option<usize>,
    /// Whether its own lines are main text.
    pub kept: bool,
    /// Why: `in-container`, `outside-containers`, `cut-links` and the like.
    pub reason: &'static str,
    /// Log odds of main text by the evidence for its own lines; 0 if it has none.
    pub odds: f64,
    /// Whether it is main text and what is around it is not.
    pub container: bool,
    /// Pages that have it.
    pub pages: u32,
    /// Such elements on all pages.
    pub elements: u32,
    /// Words in it and below, on all pages.
    pub tokens: f64,
    /// Share of those words in lines that at least half of the other pages with the part have, 0 to 1.
    pub repeated: f64,
    /// Share in lines of links, 0 to 1.
    pub linked: f64,
    /// Share in lines that the page-level extractor keeps, 0 to 1.
    pub voted: f64,
    /// Beginning of its first text, or an empty text.
    pub example: &'a str,
    /// Its own lines that repeat: beginning of the text, and number of pages.
    pub lines: Vec<(&'a str, u32)>,
}

impl Template {
    /// Learns a site's layout from some of its pages. Copies of a page should be left out, as what they share looks like
    /// template. A template of a single page never fires.
    pub fn learn(pages: &[&Sample]) -> Template {
        Template::learn_by(pages, SiteTrees::usual())
    }

    /// As [`Template::learn`], with other trees: those of a fold of cross-validation, say.
    pub fn learn_by(pages: &[&Sample], trees: &SiteTrees) -> Template {
        let mut out = Template {
            origin: Origin::default(),
            roles: Roles::learn(pages),
            stats: SiteStats::default(),
            decisions: Vec::new(),
            abstains: false,
        };
        out.count(pages, trees);
        out
    }

    /// Adds new pages without the old ones: counts grow, and all decisions are recomputed. Unknown parts get new roles; unknown classes
    /// and ids are ignored.
    pub fn add(&mut self, pages: &[&Sample]) {
        for page in pages {
            self.roles.extend(page);
        }
        self.count(pages, SiteTrees::usual());
    }

    fn count(&mut self, pages: &[&Sample], trees: &SiteTrees) {
        read(&self.roles, &mut self.stats, pages);
        self.decisions = decide(&self.roles, &self.stats, trees);
        let (mut voted, mut agreed) = (0.0, 0.0);
        for (stats, decision) in self.stats.roles.iter().zip(&self.decisions) {
            let kept = stats.sums()[0].kept;
            voted += kept;
            agreed += if decision.kept { kept } else { 0.0 };
        }
        self.abstains = agreed < LEAST_AGREED * voted;
        let names = pages.iter().map(|p| p.name()).filter(|n| !n.is_empty());
        let room = Origin::MAX_PAGES.saturating_sub(self.origin.learnt_from.len());
        self.origin
            .learnt_from
            .extend(names.take(room).map(str::to_owned));
    }

    /// Pages it was learnt from.
    pub fn pages(&self) -> u32 {
        self.stats.pages
    }

    /// Whether it is not applied: it keeps so little of what the page level keeps that it cannot be trusted.
    pub fn abstains(&self) -> bool {
        self.abstains
    }

    /// Words that its verdicts keep of all pages it was learnt from.
    pub fn kept_tokens(&self) -> f64 {
        let roles = self.stats.roles.iter().zip(&self.decisions);
        roles
            .filter(|(_, decision)| decision.kept)
            .map(|(stats, _)| stats.sums()[0].tokens)
            .sum()
    }

    /// Whether a part is main text and the part around it is not.
    pub(super) fn is_container(&self, role: usize) -> bool {
        let above = self.roles.list[role].parent;
        self.decisions[role].kept && !above.is_some_and(|parent| self.decisions[parent as usize].kept)
    }

    /// All parts, each after its parent.
    pub fn parts(&self) -> Vec<TemplatePart<'_>> {
        // All lines and repeated ones, of each role and those below it.
        let mut sums: Vec<[LineSums; 2]> = self
            .stats
            .roles
            .iter()
            .map(|stats| {
                let [all, most, _] = stats.sums();
                [all, most]
            })
            .collect();
        for i in (0..sums.len()).rev() {
            if let Some(parent) = self.roles.list[i].parent {
                let below = sums[i];
                for (sum, below) in sums[parent as usize].iter_mut().zip(&below) {
                    sum.add(below);
                }
            }
        }
        let of = |(i, decision): (usize, &Decision)| {
            let (stats, [all, most]) = (&self.stats.roles[i], &sums[i]);
            let share = |part: f64, of: f64| {
                if of > 0.0 {
                    (part / of).clamp(0.0, 1.0)
                } else {
                    0.0
                }
            };
            let lines = stats.repeated_texts().into_iter();
            TemplatePart {
                path: self.roles.path(i as u32),
                parent: self.roles.list[i].parent.map(|p| p as usize),
                kept: decision.kept,
                reason: decision.reason,
                odds: decision.odds,
                container: self.is_container(i),
                pages: stats.pages,
                elements: stats.elements,
                tokens: all.tokens,
                repeated: share(most.tokens, all.tokens),
                linked: share(all.linked, all.weight),
                voted: share(all.kept, all.tokens),
                example: &stats.example,
                lines: lines.map(|text| (text.sample.as_str(), text.pages)).collect(),
            }
        };
        self.decisions.iter().enumerate().map(of).collect()
    }

    /// For each of another template's [`Template::parts`] the number of the part here that its elements would belong to;
    /// `None` where this template has no such part.
    pub fn counterparts(&self, other: &Template) -> Vec<Option<usize>> {
        let found = self.roles.of_others(&other.roles);
        found.into_iter().map(|role| role.map(|r| r as usize)).collect()
    }
}

/// Adds pages to the sums of a site.
pub(crate) fn read(roles: &Roles, stats: &mut SiteStats, pages: &[&Sample]) {
    let assigned: Vec<Vec<Assigned>> = pages.iter().map(|page| roles.assign(page)).collect();
    for (page, assigned) in pages.iter().zip(&assigned) {
        stats.count(roles, page, assigned);
    }
    for (page, assigned) in pages.iter().zip(&assigned) {
        stats.measure_runs(page, assigned);
    }
}
