//! Sites: what pages of one site have in common, learnt from a few of them.
//!
//! A page taken apart is a [`Sample`]: elements, lines, and what the page-level extractor says of each line. A [`Template`]
//! is learnt from 3 to 50 samples of one site and one layout:
//!
//! 1. The trees of all pages are laid over one another. Elements that stand for the same part of the site, by their path of
//!    tags, ids and classes, take one role; names of single pages are not seen, near-equal sets of classes are joined, and
//!    columns without names are told apart by their place.
//! 2. Each line is compared with the other pages: it repeats at its place, or it is a link, or it is free.
//! 3. Containers are chosen: the disjoint parts of the role tree in which free text outweighs what repeats, each at a price,
//!    by exact dynamic programming. Labels and headings that repeat amid free text hardly count against a container.
//! 4. Parts inside containers are cut when evidence adds up: parts that stand once in every container or record (posts of
//!    a thread are records), links, repetition, a place before or after the text, names, what page-level extractors say.
//! 5. Within what is kept, a single line goes that the page-level extractor is surer to drop than the evidence is to keep the part.
//!
//! All evidence adds up in log odds, those of the page-level extractor included. On sites on which it is unsure of
//! everything, its odds count from what it likes best.
//!
//! On a page, a template's verdict overrides that of the page-level extractor where the template fires; where the layout is
//! unknown, or the containers miss nearly all of what the page alone keeps, the page-level verdict stands. So
//! weak evidence changes nothing.
//!
//! ```
//! use dehusk_extract::{Options, Page, site};
//!
//! let page = |text: &str| format!("<nav><a href=/>Home</a></nav><div class=box><p>{text}</p></div><div class=end>The end</div>");
//! let pages: Vec<String> = ["One river rose overnight.", "Two towns were built.", "Three ships came in today."]
//!     .iter().map(|t| page(t)).collect();
//! let options = Options::default();
//! let samples: Vec<_> = pages.iter().map(|p| site::sample(&Page::decoded(p), &options)).collect();
//! let template = site::Template::learn(&samples.iter().collect::<Vec<_>>());
//! let got = site::extract(&Page::decoded(&page("Four roads were closed.")), &options, &[&template]);
//! assert_eq!(got.text.trim(), "Four roads were closed.");
//! ```
//!
//! Cost of learning is linear in the text of the pages, except that elements of one parent role with different names are
//! compared pairwise. Memory is bounded by the samples: about 40 bytes for every element above a line, and the text.

mod export;
mod file;
pub mod lcs;
mod learn;
pub mod methods;
mod sample;
mod text;

pub use export::to_rules;
pub use file::{FORMAT, TemplateError};
pub use learn::settings::Settings;
pub use sample::Sample;

use crate::analyze::analyze_page;
use crate::extracted::Extracted;
use crate::label::extractor::{Extractor as _, PageView};
use crate::label::labels::{Labels, Verdict};
use crate::label::methods::readability::Readability;
use crate::options::Options;
use crate::page::Page;
use crate::pipeline::extract_as;
use crate::rules::{self, Fields, RuleSet, Silence};
use crate::warning::{Warning, WarningKind};
use learn::containers::{self, Layout};
use learn::cuts::{self, Decision};
use learn::evidence::{Evidence, with_below};
use learn::roles::{Roles, Taken};

/// Fewest pages a template says anything with: one page shows nothing that repeats.
const LEAST_PAGES: u32 = 2;
/// Words of a page that the page-level method keeps from which on they are enough to compare with.
const ENOUGH: u32 = 30;
/// Confidence of a page whose template fires: F1 that pages of held-out sites reach, rounded down.
const CONFIDENCE: f64 = 0.95;

/// Where a template comes from.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct About {
    /// Key of the site's part the pages were grouped by, such as `https://example.org/news/`.
    pub site: String,
    /// Number of the layout within the group, from 1.
    pub layout: u32,
    /// Page-level extractor whose votes counted.
    pub method: String,
    /// Addresses of pages it was learnt from, at most [`About::MOST_SOURCES`].
    pub learnt_from: Vec<String>,
    /// Date of the newest page, as `2024-05-01`, if any page has one.
    pub newest: Option<String>,
}

impl About {
    /// Most addresses that are kept.
    pub const MOST_SOURCES: usize = 50;
}

/// What was learnt of one layout of a site.
#[derive(Clone, Debug)]
pub struct Template {
    /// Where it comes from.
    pub about: About,
    roles: Roles,
    evidence: Evidence,
    layout: Layout,
    decisions: Vec<Decision>,
    /// What the page-level method lacks on this site: [`containers::lack`].
    lack: f64,
}

/// One part of a site's pages and what is made of it, for people to read.
#[derive(Clone, PartialEq, Debug)]
pub struct Part<'a> {
    /// Steps from the root: `html/body/div#main`.
    pub path: String,
    /// Number of the part around it; always smaller than its own.
    pub parent: Option<usize>,
    /// Whether its own lines are main text.
    pub kept: bool,
    /// Why: `in-container`, `outside-containers`, `cut-links` and the like.
    pub reason: &'static str,
    /// Evidence for a cut, positive if it weighs more than that against; 0 outside containers.
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
    /// Lines of its own that repeat: beginning of the text, pages.
    pub lines: Vec<(&'a str, u32)>,
}

/// What a template made of a page.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// Share of the page's words that stand in parts the template knows, 0 to 1.
    pub known: f64,
    /// Share of the page's words that the template keeps, 0 to 1.
    pub kept: f64,
    /// The same in words; of scripts without spaces, characters.
    pub kept_tokens: u64,
    /// Whether its verdict overrides the page-level one.
    pub fires: bool,
}

impl Template {
    /// Learns a site's layout from some of its pages. Copies of a page should be left out, as what they share looks like
    /// template. With a single page the template never fires.
    pub fn learn(pages: &[&Sample]) -> Template {
        Template::learn_by(pages, Settings::USUAL)
    }

    /// As [`Template::learn`], by other numbers than the usual ones. They are not written into files.
    pub fn learn_by(pages: &[&Sample], settings: Settings) -> Template {
        let mut out = Template {
            about: About::default(),
            roles: Roles::learn(pages, &settings),
            evidence: Evidence {
                settings,
                ..Evidence::default()
            },
            layout: Layout::default(),
            decisions: Vec::new(),
            lack: 0.0,
        };
        out.count(pages);
        out
    }

    /// Adds new pages without the old ones: counts grow, and all decisions are made anew. Parts the template does not know
    /// get roles of their own; names that it has never seen do not count.
    pub fn add(&mut self, pages: &[&Sample]) {
        for page in pages {
            self.roles.extend(page, &self.evidence.settings);
        }
        self.count(pages);
    }

    fn count(&mut self, pages: &[&Sample]) {
        let take = |page: &&Sample| self.roles.take(page, &self.evidence.settings);
        let taken: Vec<_> = pages.iter().map(take).collect();
        let with = || pages.iter().zip(&taken);
        for (page, taken) in with() {
            self.evidence.count(&self.roles, page, taken);
        }
        self.evidence.settle(None);
        for (page, taken) in with() {
            self.evidence.measure_runs(page, taken);
        }
        self.layout = Layout::find(&self.roles, &self.evidence);
        self.evidence.settle(Some(&self.layout));
        for (page, taken) in with() {
            self.evidence
                .measure_outer(&self.roles, &self.layout, page, taken);
        }
        self.decisions = cuts::decide(&self.roles, &self.layout, &self.evidence);
        self.lack = containers::lack(&self.evidence.own(), &self.evidence.settings);
        let names = pages.iter().map(|p| p.name()).filter(|n| !n.is_empty());
        let room = About::MOST_SOURCES.saturating_sub(self.about.learnt_from.len());
        self.about.learnt_from.extend(names.take(room).map(str::to_owned));
    }

    /// Pages it was learnt from.
    pub fn pages(&self) -> u32 {
        self.evidence.pages
    }

    /// Words that its verdicts keep of all pages it was learnt from.
    pub fn kept_tokens(&self) -> f64 {
        let own = self.evidence.own();
        let kept = own.iter().zip(&self.decisions).filter(|(_, d)| d.kept);
        kept.map(|(mass, _)| mass.all.tokens).sum()
    }

    /// All parts, each after the one around it.
    pub fn parts(&self) -> Vec<Part<'_>> {
        let all = with_below(&self.roles, &self.evidence.own());
        let of = |(i, decision): (usize, &Decision)| {
            let (stats, mass) = (&self.evidence.roles[i], &all[i]);
            let lines = self.evidence.repeated_texts(stats);
            Part {
                path: self.roles.path(i as u32),
                parent: self.roles.list[i].parent.map(|p| p as usize),
                kept: decision.kept,
                reason: decision.reason,
                score: decision.score,
                container: self.layout.container[i] == Some(i as u32),
                record: self.layout.record[i] == Some(i as u32),
                pages: stats.pages,
                elements: stats.elements,
                tokens: mass.all.tokens,
                repeated: mass.share(mass.repeated),
                linked: mass.share(mass.linked),
                voted: mass.share(mass.all.kept[0]),
                lines: lines.map(|text| (text.sample.as_str(), text.pages)).collect(),
            }
        };
        self.decisions.iter().enumerate().map(of).collect()
    }

    /// For each of another template's [`Template::parts`] the number of the one here that stands for the same part of the site: the
    /// one its elements would take. `None` if this template does not know it.
    pub fn counterparts(&self, other: &Template) -> Vec<Option<usize>> {
        let found = self.roles.of_others(&other.roles, &self.evidence.settings);
        found.into_iter().map(|role| role.map(|r| r as usize)).collect()
    }

    /// How the template fits a page.
    pub fn fit(&self, page: &Sample) -> Fit {
        self.look(page).fit
    }

    /// Which blocks of a page are main text: the template's verdict where it fires, else the page-level one.
    pub fn kept(&self, page: &Sample) -> Vec<bool> {
        let Look { fit, decisions, .. } = self.look(page);
        if !fit.fires {
            return page.page_level();
        }
        let mut out = vec![false; page.blocks()];
        for (line, decision) in page.lines.iter().zip(decisions) {
            for block in line.blocks.clone() {
                out[block as usize] = decision.kept && !line.hidden;
            }
        }
        out
    }

    /// What the template removes of a page, line by line: what lies in parts it knows, and is shown.
    fn dropped(page: &Sample, look: &Look) -> Vec<Dropped> {
        let lines = page.lines.iter().zip(&look.decisions);
        lines
            .filter(|(line, decision)| !decision.kept && !line.hidden)
            .filter_map(|(line, decision)| {
                let part = look.taken[line.element as usize].role? as usize;
                Some(Dropped {
                    part,
                    words: line.tokens,
                    reason: decision.reason,
                })
            })
            .collect()
    }

    /// The decision about a line of a part. What is kept of a container is kept by evidence for the part as a whole; a line of it that
    /// the page alone takes for no main text goes if its odds outweigh that evidence.
    fn weigh(&self, line: &sample::Line, decision: Decision) -> Decision {
        if !decision.kept || decision.reason != cuts::KEPT {
            return decision;
        }
        let odds = -containers::odds(f64::from(line.chance)) - self.lack;
        let score = decision.score + self.evidence.settings.line * odds;
        if odds > 0.0 && score > 0.0 {
            return Decision {
                kept: false,
                score,
                reason: cuts::BY_LINE,
            };
        }
        decision
    }

    /// The decision about each line.
    fn look(&self, page: &Sample) -> Look {
        let taken = self.roles.take(page, &self.evidence.settings);
        let unknown = Decision {
            reason: cuts::OUTSIDE,
            ..Decision::default()
        };
        let decisions: Vec<Decision> = page
            .lines
            .iter()
            .map(|line| {
                let role = taken[line.element as usize].role;
                let decision = role.map_or(unknown, |r| self.decisions[r as usize]);
                self.weigh(line, decision)
            })
            .collect();
        let [mut all, mut known, mut kept, mut voted, mut held] = [0; 5];
        for (line, decision) in page.lines.iter().zip(&decisions).filter(|(l, _)| !l.hidden) {
            all += line.tokens;
            known += if taken[line.element as usize].own {
                line.tokens
            } else {
                0
            };
            kept += if decision.kept { line.tokens } else { 0 };
            if line.kept {
                voted += line.tokens;
                held += if decision.kept { line.tokens } else { 0 };
            }
        }
        let share = |part: u32, of: u32| f64::from(part) / f64::from(of.max(1));
        let known = share(known, all);
        let fires = self.pages() >= LEAST_PAGES
            && known >= self.evidence.settings.known
            && kept > 0
            && (voted < ENOUGH || share(held, voted) >= self.evidence.settings.least_voted);
        let fit = Fit {
            known,
            kept: share(kept, all),
            kept_tokens: kept.into(),
            fires,
        };
        Look {
            fit,
            taken,
            decisions,
        }
    }

    /// `labels` with the template's verdicts.
    fn labels(&self, page: &Sample, labels: Labels, decisions: &[Decision]) -> Labels {
        let mut verdicts = labels.verdicts;
        for (line, decision) in page.lines.iter().zip(decisions) {
            for block in line.blocks.clone() {
                verdicts[block as usize] = match decision.kept && !line.hidden {
                    true => Verdict::keep(decision.reason),
                    false if line.hidden => Verdict::drop("hidden"),
                    false => Verdict::drop(decision.reason),
                };
            }
        }
        Labels {
            method: NAME,
            verdicts,
            confidence: CONFIDENCE,
            abstained: None,
            ..labels
        }
    }
}

/// A page seen through a template.
struct Look {
    fit: Fit,
    /// The role of each element.
    taken: Vec<Taken>,
    /// What becomes of each line.
    decisions: Vec<Decision>,
}

/// A line that a template removes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dropped {
    /// The part of the template it stands in: a number in [`Template::parts`].
    pub part: usize,
    /// Words; of scripts without spaces, characters.
    pub words: u32,
    /// Why: that of the part if the part goes; else what speaks against this line.
    pub reason: &'static str,
}

/// Hears which template answered for a page, and what it removed.
pub type Seen<'s> = dyn FnMut(&Template, &[Dropped]) + 's;

/// Name of the method in records.
pub const NAME: &str = "site";

/// Takes a page apart for learning. `options` name the page-level extractor, whose answer is what the page alone says of
/// its lines.
pub fn sample(page: &Page<'_>, options: &Options) -> Sample {
    analyze_page(page, options, |view, _, _| {
        let labels = options.extractor.get().label(view);
        // A second opinion, where the first is one of chances: for learning alone.
        let opinion = labels.chances.is_some().then(|| Readability.label(view));
        let second: Option<Vec<bool>> = opinion.map(|o| o.verdicts.iter().map(|v| v.kept).collect());
        Sample::of(view, &labels, second.as_deref(), page.url().unwrap_or(""))
    })
}

/// Finds the main text of a page by the one of its site's templates that fits best. Where none fires the page-level extractor
/// answers alone, and if there were templates a warning says so.
pub fn extract(page: &Page<'_>, options: &Options, templates: &[&Template]) -> Extracted {
    extract_by(page, options, None, templates)
}

/// Finds the main text of a page by the first of the rules for its address that finds text; else as [`extract`], less what
/// a rule removes that does no more than that. Where rules find nothing, warnings say so.
pub fn extract_by(
    page: &Page<'_>,
    options: &Options,
    rules: Option<&RuleSet>,
    templates: &[&Template],
) -> Extracted {
    extract_seen(page, options, rules, templates, None)
}

/// As [`extract_by`]; if a template answers, `seen` hears of it.
pub fn extract_seen(
    page: &Page<'_>,
    options: &Options,
    rules: Option<&RuleSet>,
    templates: &[&Template],
    seen: Option<&mut Seen<'_>>,
) -> Extracted {
    let found = rules.zip(page.url()).map(|(rules, url)| rules.find_all(url));
    extract_as(page, options, |view| {
        let mut warnings = Vec::new();
        let mut removed = None;
        for rule in found.iter().flatten() {
            let outcome = rules::apply(view, rule);
            let (code, why) = match &outcome.text {
                Ok(_) | Err(Silence::Asked) => {
                    removed = Some(outcome);
                    break;
                }
                Err(Silence::Nothing) => (WarningKind::RuleSilent, "found nothing"),
                Err(Silence::Trouble(why)) => (WarningKind::RuleLimit, why.as_str()),
            };
            warnings.push(Warning::new(code, format!("the rule at {} {why}", rule.place())));
        }
        let (mut labels, fields) = match removed {
            Some(rules::Outcome {
                text: Ok(labels),
                fields,
                ..
            }) => return (labels, fields),
            Some(mut outcome) => {
                let fields = std::mem::take(&mut outcome.fields);
                let mut labels = apply(view, options.extractor.get().label(view), templates, seen);
                outcome.without_removed(view, &mut labels);
                return (labels, fields);
            }
            None => (
                apply(view, options.extractor.get().label(view), templates, seen),
                Fields::default(),
            ),
        };
        for warning in &mut warnings {
            warning
                .message
                .push_str(&format!("; `{}` answered", labels.method));
        }
        labels.warnings.extend(warnings);
        (labels, fields)
    })
}

fn apply(
    view: &PageView<'_>,
    mut labels: Labels,
    templates: &[&Template],
    seen: Option<&mut Seen<'_>>,
) -> Labels {
    if templates.is_empty() || labels.body.is_some() {
        return labels;
    }
    let page = Sample::light(view, &labels);
    match best_look(templates.iter().copied(), &page) {
        Some((template, look)) => {
            if let Some(seen) = seen {
                seen(template, &Template::dropped(&page, &look));
            }
            template.labels(&page, labels, &look.decisions)
        }
        None => {
            let message = format!(
                "none of {} templates fits; `{}` answered",
                templates.len(),
                labels.method
            );
            labels
                .warnings
                .push(Warning::new(WarningKind::UnknownLayout, message));
            labels
        }
    }
}

/// Of the templates that fire on a page the one that knows most of it; of equals the layout with the smallest number.
pub fn best_of<'t>(
    templates: impl IntoIterator<Item = &'t Template>,
    page: &Sample,
) -> Option<(&'t Template, Fit)> {
    best_look(templates, page).map(|(template, look)| (template, look.fit))
}

fn best_look<'t>(
    templates: impl IntoIterator<Item = &'t Template>,
    page: &Sample,
) -> Option<(&'t Template, Look)> {
    let looks = templates.into_iter().map(|t| (t, t.look(page)));
    looks.filter(|(_, look)| look.fit.fires).max_by(|a, b| {
        let known = a.1.fit.known.total_cmp(&b.1.fit.known);
        known.then(b.0.about.layout.cmp(&a.0.about.layout))
    })
}

#[cfg(test)]
mod tests;
