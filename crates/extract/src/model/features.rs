//! What the model knows of a line.

use std::ops::Range;

use super::names::GROUPS;
use super::page::{Element, Family, MARKS, PageTable};
use super::unit::Unit;
use crate::block::{BlockKind, Boundary};
use crate::extractor::{Labels, View};

/// A row of figures for each line of a page.
#[derive(Debug, Default)]
pub struct Features {
    /// Names of the columns.
    pub names: Vec<String>,
    /// Rows, one after another.
    pub rows: Vec<f32>,
    /// Blocks of each line, by number.
    pub blocks: Vec<Range<usize>>,
    /// Tokens of each line.
    pub tokens: Vec<u32>,
}

/// Elements whose figures are kept for their next line. A page may have hundreds of thousands of them.
const MAX_CONTEXTS: usize = 4096;

impl Features {
    /// Rows of all lines, with the votes of other methods.
    pub fn of(view: &View<'_>, votes: &[&Labels]) -> Features {
        let mut rows = Vec::new();
        let features = Features::each(view, votes, |row| rows.extend_from_slice(row));
        Features { rows, ..features }
    }

    /// Shows the row of each line and forgets it: all of them may take several hundred times the bytes of the page.
    pub(crate) fn each(view: &View<'_>, votes: &[&Labels], mut visit: impl FnMut(&[f32])) -> Features {
        let Some(page) = PageTable::new(view) else {
            return Features::default();
        };
        let votes: Vec<Vote> = votes
            .iter()
            .map(|labels| Vote::new(view, &page, labels))
            .collect();
        let near = Near::new(&page.units);
        // Most figures are those of the element a line stands in: one row serves all its lines.
        let mut contexts: Vec<Option<Vec<f32>>> = vec![None; page.elements.len()];
        let mut cached = Vec::new();
        let mut values = Vec::new();
        let mut out = Features::default();
        let mut before = 0.0;
        for (i, unit) in page.units.iter().enumerate() {
            values.clear();
            let mut row = Row {
                values: &mut values,
                names: (i == 0).then_some(&mut out.names),
            };
            own(&mut row, view, unit);
            neighbours(&mut row, &page, &near, i);
            place(&mut row, &page, &near, i, before);
            copies(&mut row, &page, unit);
            whole(&mut row, &page, view);
            for (k, vote) in votes.iter().enumerate() {
                vote.put(&mut row, k, i);
            }
            let context = unit.context as usize;
            if i == 0 {
                above(&mut row, &page, context);
            } else {
                if contexts[context].is_none() {
                    if cached.len() == MAX_CONTEXTS {
                        for context in cached.drain(..) {
                            contexts[context] = None;
                        }
                    }
                    cached.push(context);
                }
                let shared = contexts[context].get_or_insert_with(|| {
                    let mut values = Vec::new();
                    let mut row = Row {
                        values: &mut values,
                        names: None,
                    };
                    above(&mut row, &page, context);
                    values
                });
                values.extend_from_slice(shared);
            }
            visit(&values);
            before += unit.tokens as f32;
            out.blocks.push(unit.blocks.clone());
            out.tokens.push(unit.tokens);
        }
        out
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.names.len()
    }
}

struct Row<'r> {
    values: &'r mut Vec<f32>,
    names: Option<&'r mut Vec<String>>,
}

impl Row<'_> {
    fn put(&mut self, name: &str, value: f32) {
        self.named("", name, value);
    }

    fn flag(&mut self, name: &str, value: bool) {
        self.put(name, f32::from(u8::from(value)));
    }

    fn named(&mut self, prefix: &str, name: &str, value: f32) {
        if let Some(names) = &mut self.names {
            names.push(if prefix.is_empty() {
                name.to_owned()
            } else {
                format!("{prefix}-{name}")
            });
        }
        self.values.push(value);
    }
}

fn share_up(distance: Option<usize>) -> f32 {
    distance.map_or(0.0, |d| 1.0 / (1.0 + d as f32))
}

/// The line itself.
fn own(row: &mut Row<'_>, view: &View<'_>, unit: &Unit) {
    let blocks = &view.table.blocks()[unit.blocks.clone()];
    let first = blocks.first().map_or("", |b| view.table.text(b));
    let last = blocks.last().map_or("", |b| view.table.text(b));
    let start = first.chars().next().unwrap_or(' ');
    row.put("tokens", unit.tokens as f32);
    row.put("chars", unit.chars as f32);
    row.put("links", unit.link_density());
    row.flag("ends", unit.ends);
    row.put("comma-share", unit.commas as f32 / unit.tokens.max(1) as f32);
    row.put("commas", unit.commas.min(10) as f32);
    row.put("digits", unit.digits as f32 / unit.chars.max(1) as f32);
    row.put("token-length", unit.chars as f32 / unit.tokens.max(1) as f32);
    row.put("capitals", unit.capitals as f32 / unit.tokens.max(1) as f32);
    row.flag("money", unit.money);
    row.flag(
        "copyright",
        first.contains('©') || first.contains("(c)") || first.contains("All rights"),
    );
    row.flag(
        "bar",
        first.contains('|') || first.contains('»') && unit.tokens < 8,
    );
    row.flag("colon", last.ends_with(':'));
    row.flag("bullet", matches!(start, '•' | '·' | '-' | '–' | '—' | '*'));
    row.flag("upper", start.is_uppercase());
    row.flag("lower", start.is_lowercase());
    row.flag("year", has_year(first));
    row.flag("hidden", unit.hidden);
    row.put("heading", f32::from(unit.heading));
    for (name, kind) in [
        ("is-paragraph", BlockKind::Paragraph),
        ("is-item", BlockKind::ListItem),
        ("is-cell", BlockKind::TableCell),
        ("is-code", BlockKind::Code),
        ("is-quote", BlockKind::Quote),
        ("is-caption", BlockKind::Caption),
        ("is-text", BlockKind::Text),
    ] {
        row.flag(name, unit.kind == kind);
    }
    row.flag("after-break", unit.boundary == Boundary::Break);
    row.put("lists", f32::from(unit.lists.min(5)));
    row.put("tables", f32::from(unit.tables.min(8)));
}

fn has_year(text: &str) -> bool {
    text.as_bytes().windows(4).any(|w| {
        (w.starts_with(b"19") || w.starts_with(b"20")) && w[2].is_ascii_digit() && w[3].is_ascii_digit()
    })
}

/// What stands before and behind each line that is plainly text or plainly links, as jusText asks.
struct Near {
    class: Vec<f32>,
    before: Vec<(f32, f32)>,
    after: Vec<(f32, f32)>,
    /// Runs of text, parted by lines of links or headings, that have begun up to the line, and tokens of the line's run.
    runs: Vec<(f32, f32)>,
    /// Lines of links up to the line.
    linked: Vec<f32>,
    /// The heading above the line.
    heading: Vec<Option<usize>>,
}

impl Near {
    fn new(units: &[Unit]) -> Self {
        let class: Vec<f32> = units
            .iter()
            .map(|u| match () {
                () if u.link_density() > 0.3 => -1.0,
                () if u.tokens >= 12 || (u.tokens >= 8 && u.ends) => 1.0,
                () => 0.0,
            })
            .collect();
        let sweep = |order: &mut dyn Iterator<Item = usize>| {
            let mut out = vec![(0.0, 0.0); class.len()];
            let (mut last, mut distance) = (0.0, 1000.0_f32);
            for i in order {
                out[i] = (last, distance);
                distance += 1.0;
                if class[i] != 0.0 {
                    (last, distance) = (class[i], 1.0);
                }
            }
            out
        };
        let before = sweep(&mut (0..class.len()));
        let after = sweep(&mut (0..class.len()).rev());
        let (mut runs, mut linked, mut heading) = (Vec::new(), Vec::new(), Vec::new());
        let (mut run, mut links, mut above, mut open) = (0.0, 0.0, None, false);
        let (mut start, mut tokens) = (0, 0.0);
        for (i, unit) in units.iter().enumerate() {
            if class[i] < 0.0 || unit.heading > 0 {
                open = false;
            } else if class[i] > 0.0 && !open {
                runs[start..]
                    .iter_mut()
                    .for_each(|r: &mut (f32, f32)| r.1 = tokens);
                (start, tokens, open) = (i, 0.0, true);
                run += 1.0;
            }
            if open {
                tokens += unit.tokens as f32;
            }
            links += f32::from(u8::from(class[i] < 0.0));
            runs.push((run, 0.0));
            linked.push(links);
            heading.push(above);
            if unit.heading > 0 && !unit.hidden {
                above = Some(i);
            }
        }
        runs[start..].iter_mut().for_each(|r| r.1 = tokens);
        Near {
            class,
            before,
            after,
            runs,
            linked,
            heading,
        }
    }
}

fn neighbours(row: &mut Row<'_>, page: &PageTable, near: &Near, i: usize) {
    let at = |offset: isize| i.checked_add_signed(offset).and_then(|j| page.units.get(j));
    let look = |u: &Unit| page.elements[u.context as usize].look;
    let own = look(&page.units[i]);
    for (name, offset) in [
        ("before", -1),
        ("before2", -2),
        ("before3", -3),
        ("after", 1),
        ("after2", 2),
        ("after3", 3),
    ] {
        let other = at(offset);
        row.named(name, "tokens", other.map_or(-1.0, |o| o.tokens as f32));
        row.named(name, "links", other.map_or(-1.0, Unit::link_density));
        if offset.abs() == 1 {
            row.named(name, "heading", other.map_or(0.0, |o| f32::from(o.heading)));
            row.named(
                name,
                "alike",
                f32::from(u8::from(other.is_some_and(|o| look(o) == own))),
            );
            row.named(name, "ends", f32::from(u8::from(other.is_some_and(|o| o.ends))));
        }
    }
    let window = (-4..=4).filter_map(at).fold((0.0, 0.0, 0.0), |sum, o| {
        (
            sum.0 + o.tokens as f32,
            sum.1 + o.link_chars as f32,
            sum.2 + o.chars as f32,
        )
    });
    row.put("window-tokens", window.0);
    row.put("window-links", window.1 / window.2.max(1.0));
    row.put("class", near.class[i]);
    row.put("class-before", near.before[i].0);
    row.put("class-before-distance", near.before[i].1);
    row.put("class-after", near.after[i].0);
    row.put("class-after-distance", near.after[i].1);
}

/// Where the line stands, seen from the densest runs of text, the title and the ends of the page.
fn place(row: &mut Row<'_>, page: &PageTable, near: &Near, i: usize, before: f32) {
    let n = page.units.len() as f32;
    for (core, name) in page.cores.iter().zip(["core", "wide-core"]) {
        let distance = match i {
            _ if i < core.start => i as f32 - core.start as f32,
            _ if i >= core.end => (i + 1 - core.end) as f32,
            _ => 0.0,
        };
        row.named(name, "distance", distance);
        row.named(name, "share", core.share);
    }
    row.put("title-distance", i as f32 - page.anchor.0 as f32);
    row.put("title-alike", page.anchor.1);
    row.flag("title-is", i == page.anchor.0 && page.anchor.1 > 0.5);
    let anchor = page.anchor.0;
    row.put("title-runs", near.runs[i].0 - near.runs[anchor].0);
    row.put("title-links", near.linked[i] - near.linked[anchor]);
    row.put("run-tokens", near.runs[i].1);
    let heading = near.heading[i].map(|h| (i - h, &page.units[h]));
    row.put("under-distance", heading.map_or(-1.0, |h| h.0 as f32));
    row.put("under-level", heading.map_or(0.0, |h| f32::from(h.1.heading)));
    row.put("under-links", heading.map_or(-1.0, |h| h.1.link_density()));
    row.put("under-tokens", heading.map_or(-1.0, |h| h.1.tokens as f32));
    row.put(
        "h1-distance",
        page.first_heading.map_or(0.0, |h| i as f32 - h as f32),
    );
    row.put("position", before / page.page.tokens.max(1.0));
    row.put("position-lines", i as f32 / n);
    row.put("from-start", i as f32);
    row.put("from-end", n - i as f32);
}

fn copies(row: &mut Row<'_>, page: &PageTable, unit: &Unit) {
    row.put(
        "copies",
        page.copies.get(&unit.hash).copied().unwrap_or(1).min(10) as f32,
    );
}

/// The page as a whole.
fn whole(row: &mut Row<'_>, page: &PageTable, view: &View<'_>) {
    row.put("page-tokens", page.page.tokens);
    row.put("page-lines", page.units.len() as f32);
    row.put("page-links", page.page.link_density());
    row.put("page-long", page.page.long_share());
    row.put("page-ends", page.page.ends_share());
    row.put("page-money", page.money);
    row.put("page-articles", page.articles);
    for (k, (name, _)) in GROUPS.iter().enumerate() {
        if matches!(
            *name,
            "nav" | "comment" | "related" | "content" | "card" | "forum" | "meta" | "lead" | "code"
        ) {
            row.named("page-named", name, page.named[k]);
        }
    }
    row.flag("page-quirks", view.dom.quirks());
}

/// What another method says.
struct Vote {
    kept: Vec<f32>,
    near: Vec<f32>,
    share: f32,
}

impl Vote {
    fn new(view: &View<'_>, page: &PageTable, labels: &Labels) -> Self {
        let kept: Vec<f32> = page
            .units
            .iter()
            .map(|unit| {
                let (mut kept, mut all) = (0.0, 0.0);
                for block in unit.blocks.clone() {
                    let chars = view.table.blocks()[block].chars as f32;
                    all += chars;
                    kept += if labels.verdicts.get(block).is_some_and(|v| v.kept) {
                        chars
                    } else {
                        0.0
                    };
                }
                kept / f32::max(all, 1.0)
            })
            .collect();
        let weight: Vec<f32> = page.units.iter().map(|u| (u.tokens as f32).sqrt()).collect();
        let near = (0..kept.len())
            .map(|i| {
                let range = i.saturating_sub(3)..(i + 4).min(kept.len());
                let sum: f32 = range.clone().map(|j| kept[j] * weight[j]).sum();
                sum / weight[range].iter().sum::<f32>().max(1.0)
            })
            .collect();
        let tokens: f32 = kept
            .iter()
            .zip(&page.units)
            .map(|(k, u)| k * u.tokens as f32)
            .sum();
        Vote {
            kept,
            near,
            share: tokens / page.page.tokens.max(1.0),
        }
    }

    fn put(&self, row: &mut Row<'_>, k: usize, i: usize) {
        let name = ["readability", "boilerpipe"].get(k).copied().unwrap_or("vote");
        row.named(name, "keeps", self.kept[i]);
        row.named(name, "near", self.near[i]);
        row.named(name, "share", self.share);
    }
}

/// The elements above a line: the same for all lines of one element.
fn above(row: &mut Row<'_>, page: &PageTable, context: usize) {
    let up = page.chain(context);
    let elements = &page.elements;
    let own = &elements[context];
    let total = page.page.tokens.max(1.0);
    row.put("depth", own.depth.min(60) as f32);
    let best = elements[page.best].score.max(1.0);
    row.put(
        "score-best-above",
        up.iter().map(|&e| elements[e].score).fold(0.0, f32::max) / best,
    );
    row.put("score", own.score / best);
    row.flag("score-inside", up.contains(&page.best));
    let (rise, fall) = detour(&up, &page.best_chain);
    row.put("score-up", rise);
    row.put("score-down", fall);
    for (core, name) in page.cores.iter().zip(["core", "wide-core"]) {
        let (rise, fall) = detour(&up, &core.chain);
        row.named(name, "up", rise);
        row.named(name, "down", fall);
        row.named(name, "alike", f32::from(u8::from(own.look == core.look)));
    }
    let (rise, fall) = detour(&up, &page.anchor_chain);
    row.put("title-up", rise);
    row.put("title-down", fall);
    let nearest = |pick: fn(&Element) -> Option<Family>| {
        up.iter()
            .enumerate()
            .find_map(|(distance, &e)| pick(&elements[e]).map(|f| (distance, f)))
    };
    let largest = up
        .iter()
        .enumerate()
        .filter_map(|(distance, &e)| elements[e].family.map(|f| (distance, f)))
        .max_by(|a, b| a.1.sums.tokens.total_cmp(&b.1.sums.tokens).then(b.0.cmp(&a.0)));
    for (name, family) in [
        ("family", nearest(|e| e.family)),
        ("tags", nearest(|e| e.tag_family)),
        ("large-family", largest),
    ] {
        row.named(name, "up", family.map_or(-1.0, |f| f.0 as f32));
        row.named(name, "members", family.map_or(0.0, |f| f.1.members));
        row.named(
            name,
            "tokens",
            family.map_or(-1.0, |f| f.1.sums.tokens / f.1.members),
        );
        row.named(name, "ordinal", family.map_or(-1.0, |f| f.1.ordinal));
        row.named(
            name,
            "own",
            family.map_or(-1.0, |f| f.1.own * f.1.members / f.1.sums.tokens.max(1.0)),
        );
        row.named(name, "links", family.map_or(-1.0, |f| f.1.sums.link_density()));
        row.named(name, "ends", family.map_or(-1.0, |f| f.1.sums.ends_share()));
        row.named(name, "share", family.map_or(-1.0, |f| f.1.sums.tokens / total));
        row.named(name, "long", family.map_or(-1.0, |f| f.1.sums.long_share()));
    }
    let alike = page.by_look.get(&own.look).copied().unwrap_or_default();
    row.put("alike-share", alike.tokens / total);
    row.put("alike-links", alike.link_density());
    row.put("alike-lines", alike.units);
    row.put("alike-ends", alike.ends_share());
    row.put("alike-mean", alike.mean());
    for (name, k) in [
        ("in", 0),
        ("in1", 1),
        ("in2", 2),
        ("in3", 3),
        ("in5", 5),
        ("in8", 8),
    ] {
        let sums = up
            .get(k)
            .or(up.last())
            .map(|&e| elements[e].sums)
            .unwrap_or_default();
        row.named(name, "share", sums.tokens / total);
        row.named(name, "links", sums.link_density());
        row.named(name, "mean", sums.mean());
        row.named(name, "long", sums.long_share());
        row.named(name, "ends", sums.ends_share());
    }
    for (k, (name, _)) in MARKS.iter().enumerate() {
        row.named(
            "below",
            name,
            share_up(up.iter().position(|&e| elements[e].marks >> k & 1 == 1)),
        );
    }
    for (k, (name, _)) in GROUPS.iter().enumerate() {
        row.named(
            "named",
            name,
            share_up(up.iter().position(|&e| elements[e].groups >> k & 1 == 1)),
        );
    }
    row.put(
        "itemprop",
        share_up(up.iter().position(|&e| elements[e].itemprop)),
    );
}

/// Steps up from one element, and down to another, by way of the innermost element above both.
fn detour(from: &[usize], to: &[usize]) -> (f32, f32) {
    // Both end at the root: what they share is the longest common tail.
    let shared = from
        .iter()
        .rev()
        .zip(to.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    ((from.len() - shared) as f32, (to.len() - shared) as f32)
}
