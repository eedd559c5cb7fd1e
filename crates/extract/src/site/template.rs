//! Templates: what is learnt from the pages of one layout of a site.

use super::learn::cuts::{self, Decision};
use super::learn::regions::Regions;
use super::learn::roles::Roles;
use super::learn::settings::Settings;
use super::learn::stats::{SiteStats, with_descendants};
use super::learn::{confidence, containers};
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

/// A template of one layout of a site.
#[derive(Clone, Debug)]
pub struct Template {
    /// Where it comes from.
    pub origin: Origin,
    pub(super) roles: Roles,
    pub(super) stats: SiteStats,
    pub(super) regions: Regions,
    /// The decision about each role's lines.
    pub(super) decisions: Vec<Decision>,
    /// How much lower the page-level log odds are on this site than elsewhere: [`confidence::confidence_gap`].
    pub(super) confidence_gap: f64,
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
    /// Sum of the weights for a cut less those against it; 0 outside containers.
    pub score: f64,
    /// Whether it is a container.
    pub container: bool,
    /// Whether it is a record, such as a post of a thread.
    pub record: bool,
    /// Pages that have it.
    pub pages: u32,
    /// Such elements on all pages.
    pub elements: u32,
    /// Words in it and below, on all pages.
    pub tokens: f64,
    /// Share of those words in lines that repeat, 0 to 1.
    pub repeated: f64,
    /// Share in lines of links that do not repeat.
    pub linked: f64,
    /// Share in lines that the page-level extractor keeps.
    pub voted: f64,
    /// Its own lines that repeat: beginning of the text, and number of pages.
    pub lines: Vec<(&'a str, u32)>,
}

impl Template {
    /// Learns a site's layout from some of its pages. Copies of a page should be left out, as what they share looks like
    /// template. A template of a single page never fires.
    pub fn learn(pages: &[&Sample]) -> Template {
        Template::learn_by(pages, Settings::USUAL)
    }

    /// As [`Template::learn`], with given settings, which are not written into files.
    pub fn learn_by(pages: &[&Sample], settings: Settings) -> Template {
        let mut out = Template {
            origin: Origin::default(),
            roles: Roles::learn(pages, &settings),
            stats: SiteStats {
                settings,
                ..SiteStats::default()
            },
            regions: Regions::default(),
            decisions: Vec::new(),
            confidence_gap: 0.0,
        };
        out.count(pages);
        out
    }

    /// Adds new pages without the old ones: counts grow, and all decisions are recomputed. Unknown parts get new roles; unknown classes
    /// and ids are ignored.
    pub fn add(&mut self, pages: &[&Sample]) {
        for page in pages {
            self.roles.extend(page, &self.stats.settings);
        }
        self.count(pages);
    }

    fn count(&mut self, pages: &[&Sample]) {
        let assign = |page: &&Sample| self.roles.assign(page, &self.stats.settings);
        let assigned: Vec<_> = pages.iter().map(assign).collect();
        let pairs = || pages.iter().zip(&assigned);
        for (page, assigned) in pairs() {
            self.stats.count(&self.roles, page, assigned);
        }
        self.stats.mark_recurring(None);
        for (page, assigned) in pairs() {
            self.stats.measure_runs(page, assigned);
        }
        self.regions = containers::find(&self.roles, &self.stats);
        self.stats.mark_recurring(Some(&self.regions));
        for (page, assigned) in pairs() {
            self.stats
                .measure_outer(&self.roles, &self.regions, page, assigned);
        }
        self.decisions = cuts::decide(&self.roles, &self.regions, &self.stats);
        self.confidence_gap = confidence::confidence_gap(&self.stats.own(), &self.stats.settings);
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

    /// Words that its verdicts keep of all pages it was learnt from.
    pub fn kept_tokens(&self) -> f64 {
        let own = self.stats.own();
        let kept = own.iter().zip(&self.decisions).filter(|(_, d)| d.kept);
        kept.map(|(sums, _)| sums.all.tokens).sum()
    }

    /// All parts, each after its parent.
    pub fn parts(&self) -> Vec<TemplatePart<'_>> {
        let all = with_descendants(&self.roles, &self.stats.own());
        let of = |(i, decision): (usize, &Decision)| {
            let (stats, sums) = (&self.stats.roles[i], &all[i]);
            let lines = self.stats.repeated_texts(stats);
            TemplatePart {
                path: self.roles.path(i as u32),
                parent: self.roles.list[i].parent.map(|p| p as usize),
                kept: decision.kept,
                reason: decision.reason,
                score: decision.score,
                container: self.regions.container[i] == Some(i as u32),
                record: self.regions.record[i] == Some(i as u32),
                pages: stats.pages,
                elements: stats.elements,
                tokens: sums.all.tokens,
                repeated: sums.share(sums.repeated),
                linked: sums.share(sums.linked),
                voted: sums.share(sums.all.kept[0]),
                lines: lines.map(|text| (text.sample.as_str(), text.pages)).collect(),
            }
        };
        self.decisions.iter().enumerate().map(of).collect()
    }

    /// For each of another template's [`Template::parts`] the number of the part here that its elements would belong to;
    /// `None` where this template has no such part.
    pub fn counterparts(&self, other: &Template) -> Vec<Option<usize>> {
        let found = self.roles.of_others(&other.roles, &self.stats.settings);
        found.into_iter().map(|role| role.map(|r| r as usize)).collect()
    }
}
