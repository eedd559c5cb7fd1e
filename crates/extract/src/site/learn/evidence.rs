//! What the pages say of each role: sums that new pages are added to, whatever became of the old ones.

use std::collections::{BTreeMap, BTreeSet};

use super::containers::Layout;
use super::roles::{Roles, Taken};
use super::settings::Settings;
use crate::site::sample::{Line, Sample};

/// What a line is by comparison with the site's other pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::site) enum Fate {
    /// On one page only.
    Free,
    /// On one page only, and most of it links.
    Linked,
    /// The same at the same place of other pages.
    Repeated,
}

fn is_linked(line: &Line, settings: &Settings) -> bool {
    f64::from(line.linked) > settings.linked_line * f64::from(line.tokens)
}

/// Sums over lines, in tokens.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(in crate::site) struct Sums {
    pub(in crate::site) tokens: f64,
    /// Of lines that are links.
    pub(in crate::site) linked: f64,
    /// Times the chance to be main text by the page alone.
    pub(in crate::site) chance: f64,
    /// Of lines that the page-level method keeps, and those that its second opinion keeps.
    pub(in crate::site) kept: [f64; 2],
    /// Of lines that both keep.
    pub(in crate::site) both: f64,
}

impl Sums {
    fn of(line: &Line, settings: &Settings) -> Sums {
        let tokens = f64::from(line.tokens);
        let when = |is: bool| if is { tokens } else { 0.0 };
        Sums {
            tokens,
            linked: when(is_linked(line, settings)),
            chance: tokens * f64::from(line.chance),
            kept: [when(line.kept), when(line.second)],
            both: when(line.kept && line.second),
        }
    }

    pub(in crate::site) fn add(&mut self, other: &Sums) {
        self.tokens += other.tokens;
        self.linked += other.linked;
        self.chance += other.chance;
        self.kept[0] += other.kept[0];
        self.kept[1] += other.kept[1];
        self.both += other.both;
    }
}

/// A text that lines of a role have.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::site) struct Text {
    /// Pages with it.
    pub(in crate::site) pages: u32,
    pub(in crate::site) sums: Sums,
    /// Its beginning.
    pub(in crate::site) sample: String,
}

/// What is known once it is settled what repeats and where the text is: sums in tokens.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(in crate::site) struct Around {
    /// Repeated lines, those in short runs counted less: a label amid running text is no sign of a template.
    pub(in crate::site) repeated: f64,
    /// Linked lines, counted alike.
    pub(in crate::site) linked: f64,
    /// Before the first or after the last line of content of the container or record: all lines, repeated ones, linked ones.
    pub(in crate::site) outer: [f64; 3],
    /// Pages of which most of the part lies there.
    pub(in crate::site) outer_pages: f64,
    /// Pages on which that was looked at.
    pub(in crate::site) seen: f64,
}

/// What the pages say of a role's own lines, those of roles below left out.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::site) struct Stats {
    /// Pages with such an element.
    pub(in crate::site) pages: u32,
    /// Elements on all pages.
    pub(in crate::site) elements: u32,
    /// Sum of squares of their number on each page.
    pub(in crate::site) squares: f64,
    /// Lines by the hash of their text.
    pub(in crate::site) texts: BTreeMap<u64, Text>,
    /// Lines of single pages whose text is not known any more.
    pub(in crate::site) rest: Sums,
    pub(in crate::site) around: Around,
    /// Whether it is a part of records and most of it comes again on other pages, each text on a few of them: signatures.
    pub(in crate::site) recurs: bool,
}

impl Stats {
    /// Whether half of its words stand in lines of some length that two pages have.
    fn comes_again(&self, settings: &Settings) -> bool {
        let (mut all, mut again) = (self.rest.tokens, 0.0);
        for text in self.texts.values() {
            all += text.sums.tokens;
            if text.pages >= 2 && text.sums.tokens >= settings.long_line * f64::from(text.pages) {
                again += text.sums.tokens;
            }
        }
        again > 0.0 && 2.0 * again >= all
    }

    /// How much the number of such elements varies from page to page: coefficient of variation.
    pub(in crate::site) fn variation(&self) -> f64 {
        let pages = f64::from(self.pages.max(1));
        let mean = f64::from(self.elements) / pages;
        let variance = (self.squares / pages - mean * mean).max(0.0);
        variance.sqrt() / mean.max(1e-9)
    }

    /// Elements on a page that has any.
    pub(in crate::site) fn count(&self) -> f64 {
        f64::from(self.elements) / f64::from(self.pages.max(1))
    }
}

/// Sums of a role by what its lines are: its own, or with everything below it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(in crate::site) struct Mass {
    /// All lines.
    pub(in crate::site) all: Sums,
    /// Tokens of lines that are free, repeated, linked.
    pub(in crate::site) free: f64,
    pub(in crate::site) repeated: f64,
    pub(in crate::site) linked: f64,
    /// Tokens of repeated lines that both page-level methods keep.
    pub(in crate::site) repeated_both: f64,
    pub(in crate::site) around: Around,
}

impl Mass {
    pub(in crate::site) fn add(&mut self, other: &Mass) {
        self.all.add(&other.all);
        self.free += other.free;
        self.repeated += other.repeated;
        self.linked += other.linked;
        self.repeated_both += other.repeated_both;
        self.around.repeated += other.around.repeated;
        self.around.linked += other.around.linked;
        for (a, b) in self.around.outer.iter_mut().zip(other.around.outer) {
            *a += b;
        }
    }

    /// A part of the tokens as a share, 0 to 1.
    pub(in crate::site) fn share(&self, of: f64) -> f64 {
        if self.all.tokens > 0.0 {
            (of / self.all.tokens).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }
}

/// Characters of a text that are kept to show it.
const SAMPLE: usize = 60;

/// All sums of a site.
#[derive(Clone, Debug, Default)]
pub(in crate::site) struct Evidence {
    pub(in crate::site) settings: Settings,
    pub(in crate::site) pages: u32,
    /// In the order of the roles.
    pub(in crate::site) roles: Vec<Stats>,
}

impl Evidence {
    /// Counts a page whose elements take these roles.
    pub(in crate::site) fn count(&mut self, roles: &Roles, page: &Sample, taken: &[Taken]) {
        self.pages += 1;
        self.roles.resize_with(roles.list.len(), Stats::default);
        let mut elements: BTreeMap<u32, u32> = BTreeMap::new();
        for role in taken.iter().filter(|t| t.own).filter_map(|t| t.role) {
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
            let Some(role) = taken[line.element as usize].role else {
                continue;
            };
            let text = self.roles[role as usize].texts.entry(line.hash).or_default();
            text.pages += u32::from(seen.insert((role, line.hash)));
            text.sums.add(&Sums::of(line, &self.settings));
            if text.sample.is_empty() {
                text.sample = page.text(line).chars().take(SAMPLE).collect();
            }
        }
    }

    /// Finds out which parts of records recur; none does as long as records are not known.
    pub(in crate::site) fn settle(&mut self, layout: Option<&Layout>) {
        let settings = self.settings;
        for (i, stats) in self.roles.iter_mut().enumerate() {
            let record = layout.and_then(|layout| layout.record.get(i).copied().flatten());
            stats.recurs = record.is_some_and(|r| r as usize != i) && stats.comes_again(&settings);
        }
    }

    /// Whether a text of a role stands on at least half of the other pages that have the role; on any other, if the role recurs.
    fn is_repeated(&self, stats: &Stats, pages: u32) -> bool {
        let others = self.settings.repeated_line * f64::from(stats.pages.saturating_sub(1));
        pages >= 2 && (stats.recurs || f64::from(pages - 1) >= others)
    }

    /// Lines of a role that repeat, the most common first.
    pub(in crate::site) fn repeated_texts<'a>(
        &self,
        stats: &'a Stats,
    ) -> impl Iterator<Item = &'a Text> + use<'a> {
        let mut out: Vec<&Text> = stats
            .texts
            .values()
            .filter(|t| self.is_repeated(stats, t.pages))
            .collect();
        out.sort_by(|a, b| b.pages.cmp(&a.pages).then(a.sample.cmp(&b.sample)));
        out.into_iter()
    }

    /// What a line is at its place.
    pub(in crate::site) fn fate(&self, role: Option<u32>, line: &Line) -> Fate {
        let stats = role.and_then(|r| self.roles.get(r as usize));
        let pages = stats.and_then(|s| s.texts.get(&line.hash)).map_or(0, |t| t.pages);
        if stats.is_some_and(|s| self.is_repeated(s, pages)) {
            Fate::Repeated
        } else if is_linked(line, &self.settings) {
            Fate::Linked
        } else {
            Fate::Free
        }
    }

    /// Sums of each role's own lines.
    pub(in crate::site) fn own(&self) -> Vec<Mass> {
        let of = |stats: &Stats| {
            let mut out = Mass {
                around: stats.around,
                ..Mass::default()
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

    /// Adds to each role what the page says of labels: runs of lines that are not free.
    pub(in crate::site) fn measure_runs(&mut self, page: &Sample, taken: &[Taken]) {
        let fates: Vec<Fate> = page
            .lines
            .iter()
            .map(|l| self.fate(taken[l.element as usize].role, l))
            .collect();
        let mut at = 0;
        while at < fates.len() {
            let mut end = at;
            let mut run = 0.0;
            while end < fates.len() && fates[end] != Fate::Free {
                run += f64::from(page.lines[end].tokens);
                end += 1;
            }
            let Settings { run: full, label, .. } = self.settings;
            let weight = label + (1.0 - label) * (run / full).min(1.0);
            for (line, fate) in page.lines.iter().zip(&fates).take(end).skip(at) {
                let Some(role) = taken[line.element as usize].role.filter(|_| !line.hidden) else {
                    continue;
                };
                let around = &mut self.roles[role as usize].around;
                let tokens = weight * f64::from(line.tokens);
                match fate {
                    Fate::Repeated => around.repeated += tokens,
                    _ => around.linked += tokens,
                }
            }
            at = end.max(at + 1);
        }
    }

    /// Adds to each role how much of it lies before or after the content of its container or record.
    pub(in crate::site) fn measure_outer(
        &mut self,
        roles: &Roles,
        layout: &Layout,
        page: &Sample,
        taken: &[Taken],
    ) {
        // The container and the record, as elements, that each element lies in.
        let mut units: Vec<(Option<u32>, Option<u32>)> = Vec::with_capacity(page.elements.len());
        for (e, element) in page.elements.iter().enumerate() {
            let (mut container, mut record) = element.parent.map_or((None, None), |p| units[p as usize]);
            if let Some(role) = taken[e].role.filter(|_| taken[e].own) {
                if layout.container[role as usize] == Some(role) {
                    container = Some(e as u32);
                }
                if layout.record[role as usize] == Some(role) && record.is_none() {
                    record = Some(e as u32);
                }
            }
            units.push((container, record));
        }
        let mut spans: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
        for (i, line) in page.lines.iter().enumerate() {
            let role = taken[line.element as usize].role;
            let anchors = f64::from(line.tokens) >= self.settings.anchor
                && !line.hidden
                && (line.kept || line.second)
                && 3.0 * line.linked < line.tokens as f32
                && self.fate(role, line) == Fate::Free
                && role.is_some_and(|r| !layout.slot[r as usize]);
            let (container, record) = units[line.element as usize];
            for unit in [container, record].into_iter().flatten().filter(|_| anchors) {
                let span = spans.entry(unit).or_insert((i, i));
                span.1 = i;
            }
        }
        // How much of the free text that page-level methods keep of a container or record lies between its first and last line of
        // content. Where much does not, as on pages of short lines, these do not bound the text, and before and after say less.
        let mut bounds: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
        for (i, line) in page.lines.iter().enumerate() {
            let (container, record) = units[line.element as usize];
            let role = taken[line.element as usize].role;
            if line.hidden || !(line.kept || line.second) || self.fate(role, line) != Fate::Free {
                continue;
            }
            for unit in [container, record].into_iter().flatten() {
                let Some(span) = spans.get(&unit) else { continue };
                let sums = bounds.entry(unit).or_default();
                sums.1 += f64::from(line.tokens);
                if (span.0..=span.1).contains(&i) {
                    sums.0 += f64::from(line.tokens);
                }
            }
        }
        let mut tokens = vec![0.0; roles.list.len()];
        let mut outer = vec![0.0; roles.list.len()];
        for (i, line) in page.lines.iter().enumerate().filter(|(_, l)| !l.hidden) {
            let Some(role) = taken[line.element as usize].role else {
                continue;
            };
            let (container, record) = units[line.element as usize];
            let Some((unit, span)) = record.or(container).and_then(|u| Some((u, spans.get(&u)?))) else {
                continue;
            };
            let n = f64::from(line.tokens);
            tokens[role as usize] += n;
            if i < span.0 || i > span.1 {
                let (inside, all) = bounds.get(&unit).copied().unwrap_or((1.0, 1.0));
                let n = n * inside / all.max(1.0);
                outer[role as usize] += n;
                let fate = self.fate(Some(role), line);
                let sums = &mut self.roles[role as usize].around.outer;
                sums[0] += n;
                match fate {
                    Fate::Free => {}
                    Fate::Repeated => sums[1] += n,
                    Fate::Linked => sums[2] += n,
                }
            }
        }
        for r in (0..roles.list.len()).rev() {
            if tokens[r] > 0.0 {
                let around = &mut self.roles[r].around;
                around.seen += 1.0;
                around.outer_pages += if 2.0 * outer[r] >= tokens[r] { 1.0 } else { 0.0 };
                if let Some(parent) = roles.list[r].parent {
                    tokens[parent as usize] += tokens[r];
                    outer[parent as usize] += outer[r];
                }
            }
        }
    }
}

/// Adds everything below to each role's own.
pub(in crate::site) fn with_below(roles: &Roles, own: &[Mass]) -> Vec<Mass> {
    let mut out = own.to_vec();
    for i in (0..out.len()).rev() {
        if let Some(parent) = roles.list[i].parent {
            let below = out[i];
            out[parent as usize].add(&below);
        }
    }
    out
}
