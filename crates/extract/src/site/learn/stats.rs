//! Sums over the pages of a site for each role. New pages can be added without the old ones.

use std::collections::{BTreeMap, BTreeSet};

use super::repeated::heading_level;
use super::roles::{Assigned, Roles};
use crate::site::sample::{Line, Sample};

/// Share of a line's words in links above which the line counts as linked.
const LINKED: f32 = 0.6;
/// Number of words at or above which a run of lines that repeat or link counts in full. Shorter runs are labels
/// rather than menus.
const LONG_RUN: f64 = 10.0;
/// Number of characters of a text that are stored for display.
const SAMPLE: usize = 60;

/// Returns the first [`SAMPLE`] characters of a text. A longer text is cut at the end of a word if there is
/// one in the second half, and gets an ellipsis.
fn shown(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(SAMPLE) else {
        return text.to_owned();
    };
    let cut = &text[..end];
    let is_inside_word = !text[end..].starts_with(char::is_whitespace);
    let word = cut
        .rfind(char::is_whitespace)
        .filter(|at| is_inside_word && 2 * at > end);
    format!("{} …", cut[..word.unwrap_or(end)].trim_end())
}

/// How often a line recurs on the other pages of the site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Recurrence {
    /// No other page has its text in this role.
    Single,
    /// Some other pages have it, but fewer than half of those with the role.
    Some,
    /// At least half of the other pages with the role have it.
    Most,
}

/// Sums over lines. Unless stated otherwise, a line is weighted by the square root of its number of words,
/// since the words of one line have one cause. `tokens` is the plain number of words.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct LineSums {
    pub(crate) tokens: f64,
    pub(crate) weight: f64,
    /// Page-level log odds of main text; `odds_squared`: their squares.
    pub(crate) odds: f64,
    pub(crate) odds_squared: f64,
    /// Weight of lines of links.
    pub(crate) linked: f64,
    /// Share of the page's words before the line.
    pub(crate) place: f64,
    /// Number of words of lines that the page-level extractor keeps.
    pub(crate) kept: f64,
}

/// Number of sums in [`LineSums`].
pub(crate) const SUMS: usize = 7;

impl LineSums {
    /// Sums of a single line. `place` is the share of the page's words before it.
    fn of(line: &Line, place: f64) -> LineSums {
        let tokens = f64::from(line.tokens);
        let weight = weight(line);
        let odds = log_odds(f64::from(line.probability));
        LineSums {
            tokens,
            weight,
            odds: weight * odds,
            odds_squared: weight * odds * odds,
            linked: if is_linked(line) { weight } else { 0.0 },
            place: weight * place,
            kept: if line.kept { tokens } else { 0.0 },
        }
    }

    pub(crate) fn add(&mut self, other: &LineSums) {
        let sums = self.row().into_iter().zip(other.row());
        let mut row = [0.0; SUMS];
        for (sum, (a, b)) in row.iter_mut().zip(sums) {
            *sum = a + b;
        }
        *self = LineSums::of_row(row);
    }

    /// Returns the sums in the order of template files.
    pub(crate) fn row(&self) -> [f64; SUMS] {
        [
            self.tokens,
            self.weight,
            self.odds,
            self.odds_squared,
            self.linked,
            self.place,
            self.kept,
        ]
    }

    pub(crate) fn of_row(row: [f64; SUMS]) -> LineSums {
        let [tokens, weight, odds, odds_squared, linked, place, kept] = row;
        LineSums {
            tokens,
            weight,
            odds,
            odds_squared,
            linked,
            place,
            kept,
        }
    }
}

/// Returns the log odds of a probability. The probability is limited to 0.01 to 0.99, since no page-level
/// extractor is more certain about a line.
pub(crate) fn log_odds(probability: f64) -> f64 {
    let probability = probability.clamp(0.01, 0.99);
    (probability / (1.0 - probability)).ln()
}

/// Returns the weight of a line. Lines without words, such as signs, have a small weight.
pub(crate) fn weight(line: &Line) -> f64 {
    f64::from(line.tokens).max(0.3).sqrt()
}

pub(crate) fn is_linked(line: &Line) -> bool {
    line.linked > LINKED * line.tokens as f32
}

/// A text of one or several lines of a role.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct LineText {
    /// Number of pages that have it.
    pub(crate) pages: u32,
    pub(crate) sums: LineSums,
    /// Beginning of the text.
    pub(crate) sample: String,
}

/// Sums over a role's own lines, without those of its descendants.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct RoleStats {
    /// Number of pages with such an element.
    pub(crate) pages: u32,
    /// Number of elements on all pages.
    pub(crate) elements: u32,
    /// Sum over the pages of the squared number of such elements.
    pub(crate) squares: f64,
    /// Its lines, by the hash of their text.
    pub(crate) texts: BTreeMap<u64, LineText>,
    /// Sums over lines that are on one page only, whose texts are not in the file.
    pub(crate) rest: LineSums,
    /// Beginning of its first text.
    pub(crate) example: String,
    /// Weight of repeated lines in long runs of lines that repeat or link.
    pub(crate) runs: f64,
}

impl RoleStats {
    /// Returns the coefficient of variation of the number of such elements on a page.
    pub(crate) fn variation(&self) -> f64 {
        let pages = f64::from(self.pages.max(1));
        let mean = f64::from(self.elements) / pages;
        let variance = (self.squares / pages - mean * mean).max(0.0);
        variance.sqrt() / mean.max(1e-9)
    }

    /// Returns the mean number of such elements on a page that has any.
    pub(crate) fn count(&self) -> f64 {
        f64::from(self.elements) / f64::from(self.pages.max(1))
    }

    /// Returns how a text that is on `pages` pages recurs. The current page is one of them.
    fn recurrence(&self, pages: u32) -> Recurrence {
        if pages < 2 {
            Recurrence::Single
        // Half of the other pages with the role.
        } else if 2 * (pages - 1) >= self.pages.saturating_sub(1) {
            Recurrence::Most
        } else {
            Recurrence::Some
        }
    }

    /// Returns sums over all lines, over lines that most pages have, and over lines that some pages have.
    pub(crate) fn sums(&self) -> [LineSums; 3] {
        let mut out = [self.rest, LineSums::default(), LineSums::default()];
        for text in self.texts.values() {
            out[0].add(&text.sums);
            match self.recurrence(text.pages) {
                Recurrence::Single => {}
                Recurrence::Most => out[1].add(&text.sums),
                Recurrence::Some => out[2].add(&text.sums),
            }
        }
        out
    }

    /// Returns the texts that most pages have, the most common first.
    pub(crate) fn repeated_texts(&self) -> Vec<&LineText> {
        let repeats = |text: &&LineText| self.recurrence(text.pages) == Recurrence::Most;
        let mut out: Vec<&LineText> = self.texts.values().filter(repeats).collect();
        out.sort_by(|a, b| b.pages.cmp(&a.pages).then(a.sample.cmp(&b.sample)));
        out
    }
}

/// All sums of a site.
#[derive(Clone, Debug, Default)]
pub(crate) struct SiteStats {
    pub(crate) pages: u32,
    /// Sums per role, in the order of roles.
    pub(crate) roles: Vec<RoleStats>,
}

impl SiteStats {
    /// Adds a page whose elements have these roles. With `shows`, the beginnings of its texts are stored for display.
    pub(crate) fn count(&mut self, roles: &Roles, page: &Sample, assigned: &[Assigned], shows: bool) {
        self.pages += 1;
        self.roles.resize_with(roles.list.len(), RoleStats::default);
        let mut elements: BTreeMap<u32, u32> = BTreeMap::new();
        for role in assigned.iter().filter(|a| a.exact).filter_map(|a| a.role) {
            *elements.entry(role).or_default() += 1;
            let role = &roles.list[role as usize];
            // A section counts where its heading is.
            if heading_level(&role.tag).is_some()
                && let Some(section) = role.parent.filter(|&p| roles.list[p as usize].is_section())
            {
                *elements.entry(section).or_default() += 1;
            }
        }
        for (role, n) in elements {
            let stats = &mut self.roles[role as usize];
            stats.pages += 1;
            stats.elements += n;
            stats.squares += f64::from(n) * f64::from(n);
        }
        let all: f64 = visible(page).map(|line| f64::from(line.tokens)).sum();
        let (mut before, mut seen) = (0.0, BTreeSet::new());
        for line in visible(page) {
            // Position of the line on the page, 0 to 1, counted in words.
            let place = before / f64::max(all, 1.0);
            before += f64::from(line.tokens);
            let Some(role) = assigned[line.element as usize].role else {
                continue;
            };
            let stats = &mut self.roles[role as usize];
            let text = stats.texts.entry(line.hash).or_default();
            // A text counts once per page and role.
            text.pages += u32::from(seen.insert((role, line.hash)));
            text.sums.add(&LineSums::of(line, place));
            if shows && text.sample.is_empty() {
                text.sample = shown(page.text(line));
            }
            // Pages come in a fixed order, so the example is always that of the same page.
            if shows && stats.example.is_empty() {
                stats.example.clone_from(&text.sample);
            }
        }
    }

    /// Returns how a line of a counted page recurs.
    pub(crate) fn recurrence(&self, role: Option<u32>, line: &Line) -> Recurrence {
        let stats = role.and_then(|role| self.roles.get(role as usize));
        let text = stats.and_then(|stats| Some((stats, stats.texts.get(&line.hash)?)));
        text.map_or(Recurrence::Single, |(stats, text)| stats.recurrence(text.pages))
    }

    /// Adds the repeated lines of a counted page to the runs of their roles, weighted by the length of the run.
    pub(crate) fn measure_runs(&mut self, page: &Sample, assigned: &[Assigned]) {
        let role = |line: &Line| assigned[line.element as usize].role;
        // Whether a line repeats depends on all pages, so they must have been counted before.
        let repeats: Vec<bool> = visible(page)
            .map(|line| self.recurrence(role(line), line) == Recurrence::Most)
            .collect();
        let lines: Vec<(&Line, bool)> = visible(page).zip(repeats).collect();
        let in_run = |(line, repeats): &(&Line, bool)| *repeats || is_linked(line);
        for run in lines.chunk_by(|a, b| in_run(a) == in_run(b)) {
            let words: f64 = run.iter().map(|(line, _)| f64::from(line.tokens)).sum();
            for (line, _) in run.iter().filter(|(_, repeats)| *repeats) {
                if let Some(role) = role(line) {
                    self.roles[role as usize].runs += weight(line) * (words / LONG_RUN).min(1.0);
                }
            }
        }
    }
}

/// Returns the visible lines of a page.
pub(crate) fn visible(page: &Sample) -> impl Iterator<Item = &Line> {
    page.lines.iter().filter(|line| !line.hidden)
}
