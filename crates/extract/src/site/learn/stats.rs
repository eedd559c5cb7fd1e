//! Sums over the pages of a site for each role. New pages can be added without the old ones.

use std::collections::{BTreeMap, BTreeSet};

use super::regions::Regions;
use super::roles::{Assigned, Roles};
use super::settings::Settings;
use crate::site::sample::{Line, Sample};

/// The class of a line by comparison with the site's other pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineClass {
    /// No other page has its text at this place.
    Free,
    /// As `Free`, and most of it is links.
    Linked,
    /// Other pages have the same text at this place.
    Repeated,
}

fn is_linked(line: &Line, settings: &Settings) -> bool {
    f64::from(line.linked) > settings.linked_line * f64::from(line.tokens)
}

/// Sums over lines, in tokens.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct TokenSums {
    pub(crate) tokens: f64,
    /// Tokens of lines that are links.
    pub(crate) linked: f64,
    /// Expected tokens of main text, by the probabilities of the page-level extractor.
    pub(crate) probability: f64,
    /// Tokens of lines that the page-level extractor keeps, and of lines that the second extractor keeps.
    pub(crate) kept: [f64; 2],
    /// Tokens of lines that both keep.
    pub(crate) both: f64,
}

impl TokenSums {
    fn of(line: &Line, settings: &Settings) -> TokenSums {
        let tokens = f64::from(line.tokens);
        let when = |is: bool| if is { tokens } else { 0.0 };
        TokenSums {
            tokens,
            linked: when(is_linked(line, settings)),
            probability: tokens * f64::from(line.probability),
            kept: [when(line.kept), when(line.second)],
            both: when(line.kept && line.second),
        }
    }

    pub(crate) fn add(&mut self, other: &TokenSums) {
        self.tokens += other.tokens;
        self.linked += other.linked;
        self.probability += other.probability;
        self.kept[0] += other.kept[0];
        self.kept[1] += other.kept[1];
        self.both += other.both;
    }
}

/// A text of one or several lines of a role.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct LineText {
    /// Pages that have it.
    pub(crate) pages: u32,
    pub(crate) sums: TokenSums,
    /// Its beginning.
    pub(crate) sample: String,
}

/// Sums of tokens by the context of lines, which are computed when repeated lines and the main text are known.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct ContextSums {
    /// Repeated lines. Short runs count less, since labels inside running text repeat, too.
    pub(crate) repeated: f64,
    /// Linked lines, short runs counted less.
    pub(crate) linked: f64,
    /// Lines before the first or after the last content line of the container or record: all, repeated, linked.
    pub(crate) outer: [f64; 3],
    /// Pages on which most of the role is there.
    pub(crate) outer_pages: f64,
    /// Pages that were examined for this.
    pub(crate) seen: f64,
}

/// Sums over a role's own lines, without those of its descendants.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct RoleStats {
    /// Pages with such an element.
    pub(crate) pages: u32,
    /// Elements on all pages.
    pub(crate) elements: u32,
    /// Sum of squares of their number on each page.
    pub(crate) squares: f64,
    /// Its lines by the hash of their text.
    pub(crate) texts: BTreeMap<u64, LineText>,
    /// Sums over lines of single pages, whose texts a file does not keep.
    pub(crate) rest: TokenSums,
    pub(crate) context: ContextSums,
    /// Whether it is a part of records whose texts mostly occur on a few other pages, as signatures of authors do.
    pub(crate) recurs: bool,
}

impl RoleStats {
    /// Whether at least half of its tokens are in long lines that two pages or more have.
    fn mostly_recurs(&self, settings: &Settings) -> bool {
        let (mut all, mut recurring) = (self.rest.tokens, 0.0);
        for text in self.texts.values() {
            all += text.sums.tokens;
            if text.pages >= 2 && text.sums.tokens >= settings.long_line * f64::from(text.pages) {
                recurring += text.sums.tokens;
            }
        }
        recurring > 0.0 && 2.0 * recurring >= all
    }

    /// Coefficient of variation of the number of such elements on a page.
    pub(crate) fn variation(&self) -> f64 {
        let pages = f64::from(self.pages.max(1));
        let mean = f64::from(self.elements) / pages;
        let variance = (self.squares / pages - mean * mean).max(0.0);
        variance.sqrt() / mean.max(1e-9)
    }

    /// Mean number of such elements on a page that has any.
    pub(crate) fn count(&self) -> f64 {
        f64::from(self.elements) / f64::from(self.pages.max(1))
    }
}

/// Sums of a role by the class of its lines: over its own lines, or also over those of its descendants.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct RoleSums {
    /// All lines.
    pub(crate) all: TokenSums,
    /// Tokens of lines that are free, repeated, linked.
    pub(crate) free: f64,
    pub(crate) repeated: f64,
    pub(crate) linked: f64,
    /// Tokens of repeated lines that both page-level extractors keep.
    pub(crate) repeated_both: f64,
    pub(crate) context: ContextSums,
}

impl RoleSums {
    pub(crate) fn add(&mut self, other: &RoleSums) {
        self.all.add(&other.all);
        self.free += other.free;
        self.repeated += other.repeated;
        self.linked += other.linked;
        self.repeated_both += other.repeated_both;
        self.context.repeated += other.context.repeated;
        self.context.linked += other.context.linked;
        for (a, b) in self.context.outer.iter_mut().zip(other.context.outer) {
            *a += b;
        }
    }

    /// `of` as a share of all tokens, 0 to 1.
    pub(crate) fn share(&self, of: f64) -> f64 {
        if self.all.tokens > 0.0 {
            (of / self.all.tokens).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }
}

/// Characters of a text that are kept for display.
const SAMPLE: usize = 60;

/// All sums of a site, and the settings.
#[derive(Clone, Debug, Default)]
pub(crate) struct SiteStats {
    pub(crate) settings: Settings,
    pub(crate) pages: u32,
    /// One for each role, in their order.
    pub(crate) roles: Vec<RoleStats>,
}

impl SiteStats {
    /// Adds a page whose elements have these roles.
    pub(crate) fn count(&mut self, roles: &Roles, page: &Sample, assigned: &[Assigned]) {
        self.pages += 1;
        self.roles.resize_with(roles.list.len(), RoleStats::default);
        let mut elements: BTreeMap<u32, u32> = BTreeMap::new();
        for role in assigned.iter().filter(|t| t.exact).filter_map(|t| t.role) {
            *elements.entry(role).or_default() += 1;
        }
        for (role, n) in elements {
            let stats = &mut self.roles[role as usize];
            stats.pages += 1;
            stats.elements += n;
            stats.squares += f64::from(n) * f64::from(n);
        }
        let mut seen: BTreeSet<(u32, u64)> = BTreeSet::new();
        for line in page.lines.iter().filter(|l| !l.hidden) {
            let Some(role) = assigned[line.element as usize].role else {
                continue;
            };
            let text = self.roles[role as usize].texts.entry(line.hash).or_default();
            text.pages += u32::from(seen.insert((role, line.hash)));
            text.sums.add(&TokenSums::of(line, &self.settings));
            if text.sample.is_empty() {
                text.sample = page.text(line).chars().take(SAMPLE).collect();
            }
        }
    }

    /// Marks roles whose texts recur; none if records are not known yet.
    pub(crate) fn mark_recurring(&mut self, regions: Option<&Regions>) {
        let settings = self.settings;
        for (i, stats) in self.roles.iter_mut().enumerate() {
            let record = regions.and_then(|regions| regions.record.get(i).copied().flatten());
            stats.recurs = record.is_some_and(|r| r as usize != i) && stats.mostly_recurs(&settings);
        }
    }

    /// Whether a text of a role that `pages` pages have repeats: on enough of the other pages with the role, or on any if the role
    /// recurs.
    fn is_repeated(&self, stats: &RoleStats, pages: u32) -> bool {
        let others = self.settings.repeated_line * f64::from(stats.pages.saturating_sub(1));
        pages >= 2 && (stats.recurs || f64::from(pages - 1) >= others)
    }

    /// Texts of a role that repeat, the most common first.
    pub(crate) fn repeated_texts<'a>(
        &self,
        stats: &'a RoleStats,
    ) -> impl Iterator<Item = &'a LineText> + use<'a> {
        let mut out: Vec<&LineText> = stats
            .texts
            .values()
            .filter(|t| self.is_repeated(stats, t.pages))
            .collect();
        out.sort_by(|a, b| b.pages.cmp(&a.pages).then(a.sample.cmp(&b.sample)));
        out.into_iter()
    }

    /// The class of a line in a role.
    pub(crate) fn class(&self, role: Option<u32>, line: &Line) -> LineClass {
        let stats = role.and_then(|r| self.roles.get(r as usize));
        let pages = stats.and_then(|s| s.texts.get(&line.hash)).map_or(0, |t| t.pages);
        if stats.is_some_and(|s| self.is_repeated(s, pages)) {
            LineClass::Repeated
        } else if is_linked(line, &self.settings) {
            LineClass::Linked
        } else {
            LineClass::Free
        }
    }

    /// Sums of each role's own lines.
    pub(crate) fn own(&self) -> Vec<RoleSums> {
        let of = |stats: &RoleStats| {
            let mut out = RoleSums {
                context: stats.context,
                ..RoleSums::default()
            };
            out.all.add(&stats.rest);
            out.linked += stats.rest.linked;
            out.free += stats.rest.tokens - stats.rest.linked;
            for text in stats.texts.values() {
                out.all.add(&text.sums);
                if self.is_repeated(stats, text.pages) {
                    out.repeated += text.sums.tokens;
                    out.repeated_both += text.sums.both;
                } else {
                    out.linked += text.sums.linked;
                    out.free += text.sums.tokens - text.sums.linked;
                }
            }
            out
        };
        self.roles.iter().map(of).collect()
    }

    /// Adds the page's runs of repeated and linked lines to their roles, each run weighted by its length.
    pub(crate) fn measure_runs(&mut self, page: &Sample, assigned: &[Assigned]) {
        let classes: Vec<LineClass> = page
            .lines
            .iter()
            .map(|l| self.class(assigned[l.element as usize].role, l))
            .collect();
        let mut at = 0;
        while at < classes.len() {
            let mut end = at;
            let mut run = 0.0;
            while end < classes.len() && classes[end] != LineClass::Free {
                run += f64::from(page.lines[end].tokens);
                end += 1;
            }
            let Settings { run: full, label, .. } = self.settings;
            let weight = label + (1.0 - label) * (run / full).min(1.0);
            for (line, class) in page.lines.iter().zip(&classes).take(end).skip(at) {
                let Some(role) = assigned[line.element as usize].role.filter(|_| !line.hidden) else {
                    continue;
                };
                let context = &mut self.roles[role as usize].context;
                let tokens = weight * f64::from(line.tokens);
                match class {
                    LineClass::Repeated => context.repeated += tokens,
                    _ => context.linked += tokens,
                }
            }
            at = end.max(at + 1);
        }
    }

    /// Adds to each role how much of it is before or after the content of its container or record.
    pub(crate) fn measure_outer(
        &mut self,
        roles: &Roles,
        regions: &Regions,
        page: &Sample,
        assigned: &[Assigned],
    ) {
        let enclosing = enclosing(regions, page, assigned);
        let spans = self.content_spans(regions, page, assigned, &enclosing);
        let bounds = self.tokens_inside(page, assigned, &enclosing, &spans);
        let mut tokens = vec![0.0; roles.list.len()];
        let mut outer = vec![0.0; roles.list.len()];
        for (i, line) in page.lines.iter().enumerate().filter(|(_, l)| !l.hidden) {
            let Some(role) = assigned[line.element as usize].role else {
                continue;
            };
            let Enclosing { container, record } = enclosing[line.element as usize];
            let Some((element, span)) = record.or(container).and_then(|e| Some((e, spans.get(&e)?))) else {
                continue;
            };
            let n = f64::from(line.tokens);
            tokens[role as usize] += n;
            if i < span.0 || i > span.1 {
                let (inside, all) = bounds.get(&element).copied().unwrap_or((1.0, 1.0));
                let n = n * inside / all.max(1.0);
                outer[role as usize] += n;
                let class = self.class(Some(role), line);
                let sums = &mut self.roles[role as usize].context.outer;
                sums[0] += n;
                match class {
                    LineClass::Free => {}
                    LineClass::Repeated => sums[1] += n,
                    LineClass::Linked => sums[2] += n,
                }
            }
        }
        for r in (0..roles.list.len()).rev() {
            if tokens[r] > 0.0 {
                let context = &mut self.roles[r].context;
                context.seen += 1.0;
                context.outer_pages += if 2.0 * outer[r] >= tokens[r] { 1.0 } else { 0.0 };
                if let Some(parent) = roles.list[r].parent {
                    tokens[parent as usize] += tokens[r];
                    outer[parent as usize] += outer[r];
                }
            }
        }
    }

    /// The first and the last content line of each container and record, by element.
    fn content_spans(
        &self,
        regions: &Regions,
        page: &Sample,
        assigned: &[Assigned],
        enclosing: &[Enclosing],
    ) -> BTreeMap<u32, (usize, usize)> {
        let mut spans: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
        for (i, line) in page.lines.iter().enumerate() {
            let role = assigned[line.element as usize].role;
            let bounds_text = f64::from(line.tokens) >= self.settings.bound_line
                && !line.hidden
                && (line.kept || line.second)
                && 3.0 * line.linked < line.tokens as f32
                && self.class(role, line) == LineClass::Free
                && role.is_some_and(|r| !regions.slot[r as usize]);
            for element in enclosing[line.element as usize].both().filter(|_| bounds_text) {
                let span = spans.entry(element).or_insert((i, i));
                span.1 = i;
            }
        }
        spans
    }

    /// For each container and record, the free tokens that page-level extractors keep: those between its first and last content line,
    /// and all of them. If many are outside, as on pages of short lines, these lines do not bound the text, and a place before or
    /// after them means less.
    fn tokens_inside(
        &self,
        page: &Sample,
        assigned: &[Assigned],
        enclosing: &[Enclosing],
        spans: &BTreeMap<u32, (usize, usize)>,
    ) -> BTreeMap<u32, (f64, f64)> {
        let mut inside: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
        for (i, line) in page.lines.iter().enumerate() {
            let role = assigned[line.element as usize].role;
            if line.hidden || !(line.kept || line.second) || self.class(role, line) != LineClass::Free {
                continue;
            }
            for element in enclosing[line.element as usize].both() {
                let Some(span) = spans.get(&element) else { continue };
                let sums = inside.entry(element).or_default();
                sums.1 += f64::from(line.tokens);
                if (span.0..=span.1).contains(&i) {
                    sums.0 += f64::from(line.tokens);
                }
            }
        }
        inside
    }
}

/// The elements that are the container and the record of an element of a page; they may be the element itself.
#[derive(Clone, Copy, Default)]
struct Enclosing {
    container: Option<u32>,
    record: Option<u32>,
}

impl Enclosing {
    fn both(self) -> impl Iterator<Item = u32> {
        [self.container, self.record].into_iter().flatten()
    }
}

/// The container and the record of each element of a page.
fn enclosing(regions: &Regions, page: &Sample, assigned: &[Assigned]) -> Vec<Enclosing> {
    let mut out: Vec<Enclosing> = Vec::with_capacity(page.elements.len());
    for (e, element) in page.elements.iter().enumerate() {
        let mut here = element.parent.map_or(Enclosing::default(), |p| out[p as usize]);
        if let Some(role) = assigned[e].role.filter(|_| assigned[e].exact) {
            if regions.container[role as usize] == Some(role) {
                here.container = Some(e as u32);
            }
            if regions.record[role as usize] == Some(role) && here.record.is_none() {
                here.record = Some(e as u32);
            }
        }
        out.push(here);
    }
    out
}

/// Adds to the sums of each role those of its descendants.
pub(crate) fn with_descendants(roles: &Roles, own: &[RoleSums]) -> Vec<RoleSums> {
    let mut out = own.to_vec();
    for i in (0..out.len()).rev() {
        if let Some(parent) = roles.list[i].parent {
            let below = out[i];
            out[parent as usize].add(&below);
        }
    }
    out
}
