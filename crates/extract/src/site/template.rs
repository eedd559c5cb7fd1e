//! Templates: the structure learned from the pages of one layout of a site.

use dehusk_html::narrow;

use super::learn::decide::{Decision, SecondChoice, decide, decisions};
use super::learn::evidence::SiteTrees;
use super::learn::fields::{self, PlacedField};
use super::learn::leave_out;
use super::learn::roles::{Assigned, Roles};
use super::learn::stats::{LineSums, SiteStats};
use super::sample::Sample;

/// Provenance of a template.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Origin {
    /// Key of the part of the site whose pages were learned from, such as `https://example.org/news/`.
    pub site: String,
    /// Number of the layout within that part, from 1.
    pub layout: u32,
    /// Page-level extractor that labelled the pages.
    pub method: String,
    /// Addresses of pages it was learned from, at most [`Origin::MAX_PAGES`].
    pub learnt_from: Vec<String>,
    /// Date of the newest page, as `2024-05-01`; `None` if no page has a date.
    pub newest: Option<String>,
}

impl Origin {
    /// Maximum number of addresses that are stored.
    pub const MAX_PAGES: usize = 50;
}

/// Minimum share that a template must keep of the words that the page-level extractor keeps and that do not
/// repeat, on the pages it was learned from. A template that contradicts the page level everywhere is not
/// trusted.
const MIN_AGREED: f64 = 0.15;

/// A template is not applied if a smaller share of leave-out samples chooses its parts while the page level
/// is sure of its own text: log odds of at least [`PAGE_SURE`]. Where both are unsure, templates are right
/// more often (on sites held out: F1 of .93 and .76).
const MIN_SURE: f64 = 0.1;
const PAGE_SURE: f64 = 2.0;

/// Reason why a template is not applied, so that the page level decides.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Doubt {
    /// It keeps too little of what the page level keeps.
    Contradicts,
    /// Hardly any leave-out sample of its pages chooses the same parts, see [`Template::sure`], while the page level is sure of its text.
    Unsure,
}

impl std::fmt::Display for Doubt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Doubt::Contradicts => "it keeps hardly anything of what the page level keeps",
            Doubt::Unsure => "its choice of parts changes with the pages that it is learnt from",
        })
    }
}

/// A template of one layout of a site.
#[derive(Clone, Debug)]
pub struct Template {
    /// Provenance of the template.
    pub origin: Origin,
    pub(super) roles: Roles,
    pub(super) stats: SiteStats,
    /// Decision about the lines of each role.
    pub(super) decisions: Vec<Decision>,
    /// Share of leave-out samples that choose the same parts; `None` if it was learnt from too few pages for samples.
    pub(super) sure: Option<f64>,
    /// The choice of most of the samples that choose other parts.
    pub(super) second: Option<SecondChoice>,
    /// Whether the choice of parts is so unsure that the page level is the better choice.
    pub(super) unsure: bool,
    /// Whether it keeps too little of what the page level keeps.
    pub(super) abstains: bool,
    /// Where the pages have title, authors and dates.
    pub(super) fields: Vec<PlacedField>,
}

/// A choice of parts that some samples of the pages of a layout make and others do not, see [`Template::candidates`].
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The template with this choice. It has no [`Template::doubt`].
    pub template: Template,
    /// Share of the leave-out samples that choose these parts, 0 to 1.
    pub sure: f64,
}

/// A part of a site's pages and the decision about it, for display.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TemplatePart<'a> {
    /// Steps from the root: `html/body/div#main`.
    pub path: String,
    /// Index of the parent part, which is smaller than its own.
    pub parent: Option<usize>,
    /// Whether its own lines are main text.
    pub kept: bool,
    /// Reason of the decision: `in-container`, `outside-containers`, `cut-links` and the like.
    pub reason: &'static str,
    /// Log odds of main text, by the evidence for its own lines; 0 without evidence.
    pub odds: f64,
    /// Whether it is main text and its parent is not.
    pub container: bool,
    /// Number of pages that have it.
    pub pages: u32,
    /// Number of such elements on all pages.
    pub elements: u32,
    /// Number of words in the part and its descendants, on all pages.
    pub tokens: f64,
    /// Share of its words in lines that at least half of the other pages with the part have, 0 to 1.
    pub repeated: f64,
    /// Share of its text in lines of links, 0 to 1.
    pub linked: f64,
    /// Share of its words in lines that the page-level extractor keeps, 0 to 1.
    pub voted: f64,
    /// Beginning of its first text; empty if it has none of its own.
    pub example: &'a str,
    /// Its own lines that repeat: beginning of the text, and number of pages.
    pub lines: Vec<(&'a str, u32)>,
}

impl Template {
    /// Learns a layout of a site from some of its pages. Omit copies of a page, since their common text looks
    /// like a template. A template of a single page never fires.
    pub fn learn(pages: &[&Sample]) -> Template {
        Template::learn_by(pages, SiteTrees::usual())
    }

    /// Like [`Template::learn`], with other trees, such as those of a fold of cross-validation.
    pub fn learn_by(pages: &[&Sample], trees: &SiteTrees) -> Template {
        let pages = &sorted(pages)[..];
        let mut out = Template {
            origin: Origin::default(),
            roles: Roles::learn(pages),
            stats: SiteStats::default(),
            decisions: Vec::new(),
            sure: None,
            second: None,
            unsure: false,
            abstains: false,
            fields: Vec::new(),
        };
        out.count(pages, trees);
        out
    }

    /// Adds new pages without the old ones: counts are increased, and all decisions are recomputed. Unknown
    /// parts get new roles. Unknown classes and ids are ignored.
    pub fn add(&mut self, pages: &[&Sample]) {
        let pages = &sorted(pages)[..];
        for page in pages {
            self.roles.extend(page);
        }
        self.count(pages, SiteTrees::usual());
    }

    /// Adds pages to the sums, decides again about all roles, and learns the places of fields. The pages must
    /// have their roles already.
    fn count(&mut self, pages: &[&Sample], trees: &SiteTrees) {
        let assigned: Vec<Vec<Assigned>> = pages.iter().map(|page| self.roles.assign(page)).collect();
        let of_sample = |sample: &Vec<usize>| {
            // Parts learnt from earlier pages count as present in all samples.
            let mut stats = self.stats.clone();
            let pages: Vec<_> = sample
                .iter()
                .map(|&page| (pages[page], &assigned[page][..]))
                .collect();
            add_pages(&self.roles, &mut stats, &pages, false);
            stats
        };
        // Before the pages are added: a sample has the sums of earlier pages and those of its own pages.
        let samples: Vec<SiteStats> = leave_out::samples(pages.len()).iter().map(of_sample).collect();
        let all: Vec<_> = pages
            .iter()
            .copied()
            .zip(assigned.iter().map(Vec::as_slice))
            .collect();
        add_pages(&self.roles, &mut self.stats, &all, true);
        let decided = decide(&self.roles, &self.stats, &samples, trees);
        self.decisions = decided.decisions;
        self.sure = decided.sure;
        self.second = decided.second;
        self.unsure =
            decided.sure.is_some_and(|sure| sure < MIN_SURE) && decided.page_level_odds >= PAGE_SURE;
        let (mut voted, mut agreed) = (0.0, 0.0);
        for (stats, decision) in self.stats.roles.iter().zip(&self.decisions) {
            // Text that most pages repeat does not count: the page level cannot know that it repeats.
            let [all, most, _] = stats.sums();
            let kept = (all.kept - most.kept).max(0.0);
            voted += kept;
            agreed += if decision.kept { kept } else { 0.0 };
        }
        // False without any words of the page level: nothing contradicts it.
        self.abstains = agreed < MIN_AGREED * voted;
        fields::learn(&mut self.fields, pages, self.stats.pages);
        let names = pages.iter().map(|p| p.name()).filter(|n| !n.is_empty());
        let room = Origin::MAX_PAGES.saturating_sub(self.origin.learnt_from.len());
        self.origin
            .learnt_from
            .extend(names.take(room).map(str::to_owned));
    }

    /// Returns the number of pages it was learned from.
    pub fn pages(&self) -> u32 {
        self.stats.pages
    }

    /// Returns how sure the choice of parts is: the share of leave-out samples of the pages whose own
    /// evidence chooses the same parts, 0 to 1; `None` if it was learnt from fewer than three pages.
    pub fn sure(&self) -> Option<f64> {
        self.sure
    }

    /// Returns the two choices of parts between which the pages are divided, for a person to decide: that of
    /// the template, and that of most of the leave-out samples that choose other parts. Empty if all samples
    /// agree, or if there are no samples.
    pub fn candidates(&self) -> Vec<Candidate> {
        let (Some(second), Some(sure)) = (&self.second, self.sure) else {
            return Vec::new();
        };
        let odds: Vec<f64> = self.decisions.iter().map(|decision| decision.odds).collect();
        let of = |decisions: Vec<Decision>, sure| Candidate {
            template: Template {
                decisions,
                second: None,
                unsure: false,
                abstains: false,
                ..self.clone()
            },
            sure,
        };
        // Only the choice differs: odds and reasons are recomputed from the same evidence.
        let other = decisions(&self.roles, &self.stats, &odds, |i| second.kept[i]);
        vec![of(self.decisions.clone(), sure), of(other, second.sure)]
    }

    /// Returns why the template is not applied; `None` if it is.
    pub fn doubt(&self) -> Option<Doubt> {
        if self.abstains {
            Some(Doubt::Contradicts)
        } else if self.unsure {
            Some(Doubt::Unsure)
        } else {
            None
        }
    }

    /// Returns the number of words that its verdicts keep of all pages it was learned from.
    pub fn kept_tokens(&self) -> f64 {
        let roles = self.stats.roles.iter().zip(&self.decisions);
        roles
            .filter(|(_, decision)| decision.kept)
            .map(|(stats, _)| stats.sums()[0].tokens)
            .sum()
    }

    /// Returns whether a part is main text and its parent is not.
    pub(super) fn is_container(&self, role: usize) -> bool {
        let above = self.roles.list[role].parent;
        self.decisions[role].kept && !above.is_some_and(|parent| self.decisions[parent as usize].kept)
    }

    /// Returns all parts. Parents precede their children.
    pub fn parts(&self) -> Vec<TemplatePart<'_>> {
        // Sums over all lines and over repeated ones, for each role and the roles below it.
        let mut sums: Vec<[LineSums; 2]> = self
            .stats
            .roles
            .iter()
            .map(|stats| {
                let [all, most, _] = stats.sums();
                [all, most]
            })
            .collect();
        // Iterates from the end, so that a role has the sums of all its descendants before it is added to its
        // parent.
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
                path: self.roles.path(narrow::to_u32(i)),
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

    /// For each of [`Template::parts`] of another template, returns the index of the part of this template
    /// that its elements would belong to; `None` if absent.
    pub fn counterparts(&self, other: &Template) -> Vec<Option<usize>> {
        let found = self.roles.of_others(&other.roles);
        found.into_iter().map(|role| role.map(|r| r as usize)).collect()
    }
}

/// Adds pages, each with the roles of its elements, to the sums of a site. With `shows`, texts are stored for display.
fn add_pages(roles: &Roles, stats: &mut SiteStats, pages: &[(&Sample, &[Assigned])], shows: bool) {
    for (page, assigned) in pages {
        stats.count(roles, page, assigned, shows);
    }
    // Runs consist of repeated lines, so all pages are counted first.
    for (page, assigned) in pages {
        stats.measure_runs(page, assigned);
    }
}

/// Returns the sums of the pages of a site.
#[cfg(feature = "training")]
pub(crate) fn stats_of(roles: &Roles, pages: &[&Sample]) -> SiteStats {
    let assigned: Vec<Vec<Assigned>> = pages.iter().map(|page| roles.assign(page)).collect();
    let pages: Vec<_> = pages
        .iter()
        .copied()
        .zip(assigned.iter().map(Vec::as_slice))
        .collect();
    let mut stats = SiteStats::default();
    add_pages(roles, &mut stats, &pages, false);
    stats
}

/// Returns pages in an order that does not depend on the order in which they were given.
fn sorted<'s>(pages: &[&'s Sample]) -> Vec<&'s Sample> {
    let mut out = pages.to_vec();
    // By address, then by text for pages without an address.
    out.sort_by(|a, b| a.name().cmp(b.name()).then_with(|| a.texts().cmp(b.texts())));
    out
}
